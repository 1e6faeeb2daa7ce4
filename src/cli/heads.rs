//! `run` for the head-placement question.

use super::args::Format;
use super::console::Console;
use super::exit_code;
use engine::problem::Invalid;
use engine::scenario::heads::Scenario;
use job::Status;
use job::heads::{self, Answer, Ask, Planned, document};
use job::heads_run::Comparison;
use report::heads::{against, comparison, layer_words, table_notes, tokens, words};
use std::fmt::Write;
use std::io;

/// Answers a scenario.
pub fn run(con: &Console<'_>, scenario: &Scenario, link: &str, format: Format) -> io::Result<u8> {
    let planned = match planned(scenario) {
        Ok(planned) => planned,
        Err(fault) => return con.write_fault(&fault, format == Format::Json),
    };
    match format {
        Format::Json => match document(scenario, &planned, &drawn(scenario)) {
            Ok(document) => con.print_json(&document)?,
            Err(fault) => return con.write_fault(&fault, true),
        },
        Format::Csv => con.print_text(&tokens(&planned).to_csv())?,
        Format::Trace | Format::Flags => {
            return super::no_such_format(con, format, "for head placements use text, json or csv");
        }
        Format::Text => con.print_text(&text(scenario, link, &planned)?)?,
    }
    let status = match planned.failed_at {
        Some(_) => Status::Infeasible,
        None => Status::Optimal,
    };
    Ok(exit_code(Some(status)))
}

fn planned(scenario: &Scenario) -> Result<Planned, Invalid> {
    match heads::answer(scenario, &Ask::Plan, &mut |_, _, _| ())? {
        Answer::Plan(planned) => Ok(*planned),
        other => unreachable!("the answer has no plan but {other:?}"),
    }
}

/// All rules on every draw of the scenario; draws that cannot be made are left out.
fn drawn(scenario: &Scenario) -> Comparison {
    let mut all = heads::comparison(scenario);
    for seed in heads::seeds(scenario) {
        let answer = heads::answer(scenario, &Ask::Draw { seed }, &mut |_, _, _| ());
        if let Ok(Answer::Draw(drawn)) = answer {
            all.add(drawn.seed, drawn.sums);
        }
    }
    all
}

fn text(scenario: &Scenario, link: &str, planned: &Planned) -> io::Result<String> {
    let words = words(scenario, planned, true);
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}"); // a string takes all there is
    };
    line(format!(
        "{}: {}, {} tokens in, {} out",
        scenario.title,
        layer_words(scenario),
        scenario.prompt_tokens,
        scenario.new_tokens
    ));
    line(String::new());
    line(format!("{} ({})", words.headline, words.proof));
    line(words.lead.to_string().trim_end().to_owned());
    line(words.reason.to_string());
    for note in table_notes(scenario) {
        line(format!("Note: {note}"));
    }
    let drawn = drawn(scenario);
    if !drawn.seeds().is_empty() {
        line(String::new());
        if let Some(sentence) = against(scenario, &drawn) {
            line(sentence.to_string());
            line(String::new());
        }
        line(comparison(&drawn).to_text());
    }
    line(link.to_owned());
    Ok(out)
}
