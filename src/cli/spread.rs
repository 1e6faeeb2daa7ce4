//! `spread`: a scenario whose numbers are only known to be in ranges.

use super::args::{SpreadArgs, SpreadFormat};
use super::cold_start::PATIENCE;
use super::console::Console;
use super::run::open_measured;
use super::{ANSWERED, STOPPED, exit_code};
use engine::scenario::Any;
use engine::scenario::world::World;
use engine::solve::{Limits, SearchEvent};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_spread::{LEAST_DRAWS, check, spread as drawn};
use planner::ranges;
use presenters::cold_start::spread::{Documented, inputs_table, text};
use presenters::ranges as words_of_any;
use std::io;

/// Draws a scenario's numbers from their ranges and says what that comes to.
pub fn spread(con: &Console<'_>, args: &SpreadArgs) -> io::Result<u8> {
    let is_json = args.format == SpreadFormat::Json;
    let scenario = match open_measured(con, &args.source, &args.measured) {
        Ok((_, Any::ColdStart(scenario))) => *scenario,
        Ok((world, _)) => return any(con, args, &world),
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    // What is missing is said before anything is searched.
    let problem = match check(&scenario).and_then(|()| scenario.problem()) {
        Ok(problem) => problem,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    let mut whole = con.watch(None);
    let mut watch = con.watch(Some(PATIENCE));
    let mut patience = |event: SearchEvent<'_, _>| watch.on_event(event);
    let (exact, limits) = (ColdStartMethod::Exact, Limits::default());
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
            whole.on_event::<()>(SearchEvent::Step { done, of })
        },
    );
    let spread = match found {
        Ok(spread) => spread,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    if !is_enough(con, spread.draws, args.draws) {
        return Ok(STOPPED);
    }
    match args.format {
        SpreadFormat::Json => con.print_json(&Documented::of(&scenario, &spread, args.seed))?,
        SpreadFormat::Csv => con.print_text(&inputs_table(&scenario, &spread).to_csv())?,
        SpreadFormat::Text => con.print_text(&text(&scenario, &problem, &spread))?,
    }
    Ok(ANSWERED)
}

/// Answers for all questions but cold start.
fn any(con: &Console<'_>, args: &SpreadArgs, world: &World) -> io::Result<u8> {
    let mut whole = con.watch(None);
    let found = ranges::spread(world, (args.draws, args.seed), &mut |done, of| {
        let of = Some(of);
        whole.on_event::<()>(SearchEvent::Step { done, of })
    });
    let spread = match found {
        Ok(spread) => spread,
        Err(fault) => return con.write_fault(&fault, args.format == SpreadFormat::Json),
    };
    if !is_enough(con, spread.draws, args.draws) {
        return Ok(STOPPED);
    }
    match args.format {
        SpreadFormat::Json => con.print_json(&words_of_any::Document::of(&spread, args.seed))?,
        SpreadFormat::Csv => con.print_text(&words_of_any::table(&spread).to_csv())?,
        SpreadFormat::Text => con.print_text(&words_of_any::text(&spread))?,
    }
    let status = spread.at_values.map(|reading| reading.status);
    Ok(match spread.median {
        Some(_) => ANSWERED,
        None => exit_code(status),
    })
}

/// Returns true if the number of draws is sufficient. Prints a note if the time limit came before the last draw.
fn is_enough(con: &Console<'_>, done: usize, of: u32) -> bool {
    if done >= of as usize {
        return true;
    }
    let over = format!("the time was over after {done} of {of} draws");
    let is_enough = done >= LEAST_DRAWS as usize;
    con.note(&match is_enough {
        true => over,
        false => format!("{over}, fewer than the {LEAST_DRAWS} that are needed"),
    });
    is_enough
}
