//! `run` for the device-or-server question.

use super::args::Format;
use super::console::Console;
use super::exit_code;
use engine::problem::Invalid;
use engine::scenario::dispatch::Scenario;
use engine::units::percent;
use job::Status;
use job::dispatch::{self, Answer, Ask, Planned, document};
use report::dispatch::{
    bills, comparison, first_token_words, printed_words, prompt_words, reply_words, several,
    several_words, waits, words,
};
use std::fmt::Write;
use std::io;

/// Answers a scenario.
pub fn run(con: &Console<'_>, scenario: &Scenario, link: &str, format: Format) -> io::Result<u8> {
    let planned = match planned(scenario) {
        Ok(planned) => planned,
        Err(fault) => return con.write_fault(&fault, format == Format::Json),
    };
    match format {
        Format::Json => match document(scenario, &planned) {
            Ok(document) => con.print_json(&document)?,
            Err(fault) => return con.write_fault(&fault, true),
        },
        Format::Csv => con.print_text(&waits(scenario, &planned).to_csv())?,
        Format::Trace | Format::Flags => {
            return super::no_such_format(
                con,
                format,
                "for device or server use text, json or csv",
            );
        }
        Format::Text => con.print_text(&text(scenario, link, &planned))?,
    }
    Ok(exit_code(Some(status(&planned))))
}

fn status(planned: &Planned) -> Status {
    if planned.missed {
        Status::Infeasible
    } else {
        Status::Optimal
    }
}

fn planned(scenario: &Scenario) -> Result<Planned, Invalid> {
    match dispatch::answer(scenario, &Ask::Plan, &mut |_, _| ())? {
        Answer::Plan(planned) => Ok(*planned),
        other => unreachable!("the answer has no plan but {other:?}"),
    }
}

fn text(scenario: &Scenario, link: &str, planned: &Planned) -> String {
    let said = words(scenario, planned);
    let mut out = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}"); // a string takes all there is
    };
    line(&format!(
        "{}: budget {}",
        scenario.title,
        percent(100.0 * scenario.budget, 1)
    ));
    line(&format!(
        "{}, {}",
        scenario.server.name,
        first_token_words(scenario)
    ));
    line(&format!(
        "Prompts: {}. Replies: {}.",
        prompt_words(scenario),
        reply_words(scenario)
    ));
    line("");
    line(&format!("{} ({})", said.headline, said.proof));
    line(said.lead.to_string().trim_end());
    line(&said.reason.to_string());
    line("");
    line(&comparison(planned).to_text());
    line(&bills(planned).to_text());
    if let Some(sentence) = several_words(scenario, planned) {
        line(&sentence.to_string());
        line("");
        line(&several(scenario, planned).to_text());
    }
    if let Some(printed) = printed_words(scenario, planned) {
        line(&printed);
    }
    line(link);
    out
}
