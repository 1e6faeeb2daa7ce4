//! `spread`: a cold-start scenario whose numbers are only known to lie in ranges.

use super::args::{Spread, SpreadFormat};
use super::run::{PATIENCE, open_source};
use super::{ANSWERED, exit_code, one_line, print_json, print_text, write_fault};
use engine::problem::{Code, Invalid};
use engine::scenario::{Any, Scenario};
use engine::solve::{Event, Limits};
use job::cold_start::{Method, answer};
use job::cold_start_spread::{check, spread as drawn};
use report::cold_start_spread::{Documented, inputs_table, text};
use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

/// Draws a scenario's numbers from their ranges and says what that comes to.
pub fn spread(args: &Spread) -> io::Result<u8> {
    let is_json = args.format == SpreadFormat::Json;
    // What is missing is said before anything is searched.
    let opened = opened(&args.source).and_then(|scenario| {
        check(&scenario)?;
        let problem = scenario.problem()?;
        Ok((scenario, problem))
    });
    let (scenario, problem) = match opened {
        Ok(opened) => opened,
        Err(fault) => return write_fault(&fault, is_json),
    };
    let begun = Instant::now();
    let mut patience = |_: Event<'_, _>| match begun.elapsed() < PATIENCE {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let (exact, limits) = (Method::Exact, Limits::default());
    let answer = answer(&problem, exact, scenario.heuristic, &limits, &mut patience);
    let Some(plan) = answer.plan else {
        let reason = answer.reason.unwrap_or_default();
        let message =
            format!("there is no plan for the given numbers, so nothing can be drawn: {reason}");
        eprintln!("edgewise: {}", one_line(&message));
        return Ok(exit_code(Some(answer.status)));
    };
    let found = drawn(&scenario, &plan, (args.draws, args.seed), &mut |_, _| ());
    let spread = match found {
        Ok(spread) => spread,
        Err(fault) => return write_fault(&fault, is_json),
    };
    match args.format {
        SpreadFormat::Json => print_json(&Documented::of(&scenario, &spread, args.seed))?,
        SpreadFormat::Csv => print_text(&inputs_table(&scenario, &spread).to_csv())?,
        SpreadFormat::Text => print_text(&text(&scenario, &problem, &spread))?,
    }
    Ok(ANSWERED)
}

/// A cold-start scenario.
fn opened(source: &str) -> Result<Scenario, Invalid> {
    match open_source(source)? {
        Any::ColdStart(scenario) => Ok(*scenario),
        _ => {
            let message = "spread takes a cold-start scenario; no other kind has ranges";
            Err(Invalid::new(Code::Option, "question", "", message))
        }
    }
}
