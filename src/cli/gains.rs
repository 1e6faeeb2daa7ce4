//! `gains`: what would help most in a cold start; as JSON also what the rules of other tools would do on the fleet.

use super::args::{Gains, GainsFormat};
use super::bring::put;
use super::console::Console;
use super::exit_code;
use super::run::{open_source, planned};
use engine::problem::{Code, Invalid};
use engine::scenario::{Any, Scenario, link};
use engine::solve::Event;
use job::cold_start::Answer;
use job::cold_start_gains::{Effect, Gain, Known, Verdict, gains, limits};
use job::cold_start_rules::rules;
use job::cold_start_shorter::{Shorter, shorter};
use report::cold_start::words;
use report::counted;
use report::gains::{
    Document, Row, base, foot, in_order, shorter_words, sooner, subject, table, unit_of, values,
};
use std::io;

/// Solves a scenario with every change, one after the other.
pub fn run(con: &Console<'_>, args: &Gains) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.format == GainsFormat::Json);
    let scenario = match open_source(con, &args.source).and_then(|any| put(con, any, &args.bring)) {
        Ok(Any::ColdStart(scenario)) => *scenario,
        Ok(other) => {
            let name = other.question().name();
            let message =
                format!("gains takes a cold-start scenario; this is a scenario of {name}");
            return refused(Invalid::new(Code::Option, "question", name, message));
        }
        Err(fault) => return refused(fault),
    };
    let problem = match scenario.problem() {
        Ok(problem) => problem,
        Err(fault) => return refused(fault),
    };
    let mut watch = con.watch(None);
    let answer = planned(con, &scenario, &problem);
    let mut heard = |event: Event<'_, _>| watch.hear(event);
    let before = Known::of(&answer);
    let found = match gains(&scenario, &answer, args.by, &limits(), &mut heard) {
        Ok(found) => found,
        Err(fault) => return refused(fault),
    };
    let short = match shorter(&scenario, &limits(), &mut heard) {
        Ok(short) => short,
        Err(fault) => return refused(fault),
    };
    let open = left_open(&found);
    if let Some(open) = &open {
        con.note(&format!("the time was over: {open}"));
    }
    match args.format {
        GainsFormat::Json => {
            let rows = in_order(&found).into_iter();
            let places: Vec<usize> = scenario.switched_on().map(|(at, _)| at).collect();
            con.print_json(&Document {
                scenario: &scenario,
                by_pct: args.by,
                before,
                gains: rows.map(|gain| Row::of(&scenario, &before, gain)).collect(),
                shorter: short,
                rules: rules(&problem, &answer).with_devices_at(&places),
            })?;
        }
        GainsFormat::Csv => con.print_text(&table(&scenario, &before, &found).to_csv())?,
        GainsFormat::Text => {
            let words = words(&problem, &answer);
            let head = format!("{} ({})", words.headline, words.proof);
            let known = (&answer, &before, found.as_slice());
            con.print_text(&text(&scenario, &head, args.by, known, (&short, open)))?;
        }
    }
    Ok(exit_code(Some(answer.status)))
}

/// How many changes a clock has left open; nothing if none.
fn left_open(found: &[Gain]) -> Option<String> {
    let open = found.iter().filter(|gain| gain.effect == Effect::Asked);
    let open = Some(open.count()).filter(|open| *open > 0)?;
    let of = counted(found.len(), "change", "changes");
    Some(format!("{open} of {of} were not computed"))
}

/// Sentences and a table.
fn text(
    scenario: &Scenario,
    head: &str,
    by_pct: f64,
    (answer, before, gains): (&Answer, &Known, &[Gain]),
    (short, open): (&[Shorter], Option<String>),
) -> String {
    let mut lines = vec![
        format!(
            "{}: what {by_pct} % more of a single resource would save",
            scenario.title
        ),
        head.to_owned(),
    ];
    lines.extend(base(answer));
    lines.push(String::new());
    let unit = unit_of(before, gains);
    let helpful: Vec<&Gain> = in_order(gains)
        .into_iter()
        .filter(|gain| !gain.is_loss() && gain.verdict() == Verdict::Helps)
        .collect();
    if !helpful.is_empty() {
        lines.push(format!(
            "{:<34}{:<32}{:>12}  {}",
            "change", "value", "then", "faster by"
        ));
    }
    for gain in helpful {
        let then = gain.after.and_then(|after| after.objective);
        lines.push(format!(
            "{:<34}{:<32}{:>12}  {}",
            subject(scenario, gain),
            values(gain).unwrap_or_default(),
            then.map_or_else(|| "\u{2013}".to_owned(), |then| unit.with_unit(then)),
            sooner(gain, unit),
        ));
    }
    lines.push(String::new());
    lines.extend(foot(scenario, gains));
    lines.extend(open.map(|open| format!("Not all is known: {open}.")));
    lines.extend(shorter_words(short));
    lines.push(String::new());
    lines.push(link::of(scenario));
    lines.join("\n") + "\n"
}
