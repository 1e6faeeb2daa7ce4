//! `run` for the tiers question.

use super::args::Format;
use super::console::Console;
use super::exit_code;
use engine::problem::Invalid;
use engine::scenario::tiers::Scenario;
use job::tiers::{self, Answer, Ask, Documented, Plan, Runs, RunsAsk, WithLoad, planned};
use report::counted;
use report::flags::{Chain, Tool};
use report::table::Table;
use report::tiers::{comparison, ends_note, own_load, stages, words};
use std::io;

/// The scenario's own requests through a plan, if the plan fits.
fn load(scenario: &Scenario, plan: Option<&Plan>) -> Option<Result<Runs, Invalid>> {
    let ask = Ask::Runs(RunsAsk {
        placed: plan.filter(|plan| plan.mem_ok)?.placed.clone(),
        rate: None,
        count: None,
        scheduler: scenario.load.scheduler,
        out_tokens: None,
        link_mbit_s: None,
    });
    match tiers::answer(scenario, &ask, &mut |_, _| ()) {
        Ok(Answer::Runs(runs)) => Some(Ok(runs)),
        Ok(_) => None,
        Err(fault) => Some(Err(fault)),
    }
}

/// Answers a scenario.
pub fn run(
    con: &Console<'_>,
    scenario: &Scenario,
    link: &str,
    format: Format,
    tool: Option<Tool>,
) -> io::Result<u8> {
    let as_json = format == Format::Json;
    let answer = match planned(scenario) {
        Ok(answer) => answer,
        Err(fault) => return con.write_fault(&fault, as_json),
    };
    let plan = answer.plan.as_ref();
    match format {
        Format::Json => {
            let load = load(scenario, plan);
            let load = load.as_ref().map(Result::as_ref);
            con.print_json(&WithLoad {
                plan: Documented {
                    scenario,
                    answer: &answer,
                },
                load: load.and_then(Result::ok),
                load_fault: load.and_then(Result::err),
            })?;
        }
        Format::Csv => {
            let table = plan.map_or_else(Table::default, |plan| stages(scenario, plan));
            con.print_text(&table.to_csv())?;
        }
        Format::Flags => {
            return super::flags::print(
                con,
                plan.map(|plan| Chain::of_tiers(scenario, plan)),
                tool,
                answer.status,
            );
        }
        Format::Trace => {
            return super::no_such_format(con, format, "for tiers use text, json, csv or flags");
        }
        Format::Text => {
            let words = words(scenario, &answer);
            let mut lines = vec![
                format!(
                    "{}: {}, {} tokens in, {} out, {}",
                    scenario.title,
                    scenario.cost.stored().of_model(&scenario.model.name),
                    scenario.prompt_tokens,
                    scenario.out_tokens,
                    counted(scenario.switched_on().count(), "tier", "tiers")
                ),
                String::new(),
                format!("{} ({})", words.headline, words.proof),
                words.lead.to_string(),
            ];
            // Where nothing fits there is no pace to explain.
            if let Some(plan) = plan {
                lines.push(words.reason.to_string());
                lines.extend(ends_note(scenario, plan));
            }
            lines.push(String::new());
            if let Some(plan) = plan {
                lines.push(stages(scenario, plan).to_text());
                match load(scenario, Some(plan)) {
                    Some(Ok(runs)) => lines.push(format!("{}\n", own_load(scenario, plan, &runs))),
                    Some(Err(fault)) => lines.push(format!("No runs: {fault}.\n")),
                    None => {}
                }
            }
            lines.push(comparison(scenario, &answer).to_text());
            lines.push(link.to_owned());
            con.print_text(&(lines.join("\n") + "\n"))?;
        }
    }
    Ok(exit_code(Some(answer.status)))
}
