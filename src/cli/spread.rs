//! `spread`: a cold-start scenario whose numbers are only known to lie in ranges.

use super::args::{Spread, SpreadFormat};
use super::console::Console;
use super::run::{PATIENCE, open_source};
use super::{ANSWERED, STOPPED, exit_code};
use engine::problem::{Code, Invalid};
use engine::scenario::{Any, Scenario};
use engine::solve::{Event, Limits};
use job::cold_start::{Method, answer};
use job::cold_start_spread::{LEAST_DRAWS, check, spread as drawn};
use report::cold_start_spread::{Documented, inputs_table, text};
use std::io;

/// Draws a scenario's numbers from their ranges and says what that comes to.
pub fn spread(con: &Console<'_>, args: &Spread) -> io::Result<u8> {
    let is_json = args.format == SpreadFormat::Json;
    // What is missing is said before anything is searched.
    let opened = opened(con, &args.source).and_then(|scenario| {
        check(&scenario)?;
        let problem = scenario.problem()?;
        Ok((scenario, problem))
    });
    let (scenario, problem) = match opened {
        Ok(opened) => opened,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    let mut whole = con.watch(None);
    let mut watch = con.watch(Some(PATIENCE));
    let mut patience = |event: Event<'_, _>| watch.hear(event);
    let (exact, limits) = (Method::Exact, Limits::default());
    let answer = answer(&problem, exact, scenario.heuristic, &limits, &mut patience);
    let Some(plan) = answer.plan else {
        let reason = answer.reason.unwrap_or_default();
        let message =
            format!("there is no plan for the given numbers, so nothing can be drawn: {reason}");
        con.note(&message);
        return Ok(exit_code(Some(answer.status)));
    };
    let found = drawn(
        &scenario,
        &plan,
        (args.draws, args.seed),
        &mut |done, of| {
            let of = Some(of);
            whole.hear::<()>(Event::Step { done, of })
        },
    );
    let spread = match found {
        Ok(spread) => spread,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    if spread.draws < args.draws as usize {
        let (done, of) = (spread.draws, args.draws);
        let over = format!("the time was over after {done} of {of} draws");
        if done < LEAST_DRAWS as usize {
            con.note(&format!(
                "{over}, fewer than the {LEAST_DRAWS} that are needed"
            ));
            return Ok(STOPPED);
        }
        con.note(&over);
    }
    match args.format {
        SpreadFormat::Json => con.print_json(&Documented::of(&scenario, &spread, args.seed))?,
        SpreadFormat::Csv => con.print_text(&inputs_table(&scenario, &spread).to_csv())?,
        SpreadFormat::Text => con.print_text(&text(&scenario, &problem, &spread))?,
    }
    Ok(ANSWERED)
}

/// A cold-start scenario.
fn opened(con: &Console<'_>, source: &str) -> Result<Scenario, Invalid> {
    match open_source(con, source)? {
        Any::ColdStart(scenario) => Ok(*scenario),
        _ => {
            let message = "spread takes a cold-start scenario; no other kind has ranges";
            Err(Invalid::new(Code::Option, "question", "", message))
        }
    }
}
