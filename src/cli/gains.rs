//! `gains`: what would help most; of a cold start as JSON also what the rules of other tools would do on the fleet.

use super::args::{Gains, GainsFormat};
use super::cold_start::planned;
use super::console::Console;
use super::exit_code;
use super::import::{put, put_loading};
use super::run::open_measured;
use document::counted;
use engine::scenario::world::World;
use engine::scenario::{Any, Scenario, link};
use engine::solve::SearchEvent;
use planner::cold_start_gains::{ColdStartGain, GainEffect, Known, gains, limits};
use planner::cold_start_rules::rules;
use planner::cold_start_shorter::{Shorter, shorter};
use planner::sensitivity;
use presenters::cold_start::gains::{
    Document, Row, foot, in_order, is_shown, shorter_words, sooner, subject, table, unit_of, values,
};
use presenters::cold_start::verdict;
use presenters::sensitivity as words_of_any;
use std::io;

/// Solves a scenario with every change, one after the other.
pub fn run(con: &Console<'_>, args: &Gains) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.format == GainsFormat::Json);
    let (world, seen) = match open_measured(con, &args.source, &args.measured) {
        Ok(opened) => opened,
        Err(fault) => return refused(fault),
    };
    let put = put(con, seen, &args.import).and_then(|any| put_loading(any, &args.loading));
    let scenario = match put {
        Ok(Any::ColdStart(scenario)) => *scenario,
        Ok(other) => {
            // A model from a file is in the view; all else stays as the document has it.
            let world = match &args.import.model {
                Some(_) => World::of(&other),
                None => world,
            };
            return any(con, args, &world);
        }
        Err(fault) => return refused(fault),
    };
    let problem = match scenario.problem() {
        Ok(problem) => problem,
        Err(fault) => return refused(fault),
    };
    let mut watch = con.watch(None);
    let answer = planned(con, &scenario, &problem);
    let mut on_progress = |event: SearchEvent<'_, _>| watch.on_event(event);
    let before = Known::of(&answer);
    let found = match gains(&scenario, &answer, args.by, &limits(), &mut on_progress) {
        Ok(found) => found,
        Err(fault) => return refused(fault),
    };
    let short = match shorter(&scenario, &limits(), &mut on_progress) {
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
            let words = verdict(&problem, &answer);
            let head = format!("{} ({})", words.headline, words.proof);
            let known = (&before, found.as_slice());
            con.print_text(&text(&scenario, &head, args.by, known, (&short, open)))?;
        }
    }
    Ok(exit_code(Some(answer.status)))
}

/// Answers for all questions but cold start.
fn any(con: &Console<'_>, args: &Gains, world: &World) -> io::Result<u8> {
    let mut watch = con.watch(None);
    let found = sensitivity::helps(world, args.by, &mut |done, of| {
        let of = Some(of);
        watch.on_event::<()>(SearchEvent::Step { done, of })
    });
    let found = match found {
        Ok(found) => found,
        Err(fault) => return con.write_fault(&fault, args.format == GainsFormat::Json),
    };
    let open = found.gains.iter();
    let open = open.filter(|gain| found.effect(gain) == sensitivity::SensitivityEffect::Pending);
    let open = left_out(open.count(), found.gains.len());
    if let Some(open) = &open {
        con.note(&format!("the time was over: {open}"));
    }
    match args.format {
        GainsFormat::Json => con.print_json(&words_of_any::Document::of(&found))?,
        GainsFormat::Csv => con.print_text(&words_of_any::table(&found).to_csv())?,
        GainsFormat::Text => {
            let mut text = words_of_any::text(&found);
            if let Some(open) = open {
                text += &format!("\nNot all is known: {open}.");
            }
            con.print_text(&format!("{text}\n\n{}\n", link::encode(world)))?;
        }
    }
    Ok(exit_code(found.before.map(|before| before.status)))
}

/// How many changes a clock has left open; nothing if none.
fn left_open(found: &[ColdStartGain]) -> Option<String> {
    let open = found
        .iter()
        .filter(|gain| gain.effect == GainEffect::Pending);
    left_out(open.count(), found.len())
}

fn left_out(open: usize, all: usize) -> Option<String> {
    let open = Some(open).filter(|open| *open > 0)?;
    let of = counted(all, "change", "changes");
    Some(format!("{open} of {of} were not computed"))
}

/// Sentences and a table.
fn text(
    scenario: &Scenario,
    head: &str,
    by_pct: f64,
    (before, gains): (&Known, &[ColdStartGain]),
    (short, open): (&[Shorter], Option<String>),
) -> String {
    let mut lines = vec![
        format!(
            "{}: what {by_pct} % more of a single resource would save",
            scenario.title
        ),
        head.to_owned(),
    ];
    lines.push(String::new());
    let unit = unit_of(before, gains);
    let helpful: Vec<&ColdStartGain> = in_order(gains)
        .into_iter()
        .filter(|gain| !gain.is_loss() && is_shown(gain, unit))
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
    lines.extend(foot(scenario, before, gains));
    lines.extend(open.map(|open| format!("Not all is known: {open}.")));
    lines.extend(shorter_words(short));
    lines.push(String::new());
    lines.push(link::of(scenario));
    lines.join("\n") + "\n"
}
