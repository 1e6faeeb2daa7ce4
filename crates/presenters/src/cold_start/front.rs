//! The front between the first answer and the rate after it in words and as a table, and the way from a plan that starts
//! soon to one that goes on fast.

use super::tables::route;
use document::Sentence;
use document::{Cell, Table, TableColumn};
use engine::plan::Consolidation;
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::{bytes, count, seconds, tokens_a_second};
use planner::cold_start_front::{Front, Point};

/// Describes the front, one sentence for each line.
#[must_use]
pub fn front_sentences(problem: &ColdStart, front: &Front) -> Vec<Sentence> {
    let mut said = Vec::new();
    let (Some(first), Some(last)) = (front.points.first(), front.points.last()) else {
        let why = front
            .reason
            .as_deref()
            .unwrap_or("the search ended before it found a plan");
        return vec![Sentence::default().plain(format!("No front: {why}."))];
    };
    let proof = if front.is_complete {
        "The list is complete: no plan beats any of these in both, proven."
    } else {
        "The search was ended before all of them were found or proved."
    };
    said.push(if front.points.len() == 1 {
        Sentence::default()
            .plain("One plan is best in both: first answer in ")
            .strong(seconds(first.T))
            .plain(" and ")
            .strong(tokens_a_second(first.rate))
            .plain(format!(" with the pipeline full. {proof}"))
    } else {
        Sentence::default()
            .plain(format!("{} plans, from ", front.points.len()))
            .strong(seconds(first.T))
            .plain(format!(" and {} to ", tokens_a_second(first.rate)))
            .strong(tokens_a_second(last.rate))
            .plain(format!(" and {}. {proof}", seconds(last.T)))
    });
    said.extend(
        front
            .steady
            .as_ref()
            .map(|steady| of_steady(problem, first, steady)),
    );
    said.extend(front.consolidation.as_ref().map(|way| of_way(problem, way)));
    said
}

/// Describes the plan with the least TPOT.
fn of_steady(problem: &ColdStart, first: &Point, steady: &Point) -> Sentence {
    if steady.plan == first.plan {
        return Sentence::default().plain(format!(
            "The plan of the fastest first answer also has the lowest time per token, {}.",
            seconds(first.D)
        ));
    }
    let least = if steady.proved {
        "The lowest"
    } else {
        "The lowest known"
    };
    Sentence::default()
        .plain(format!("{least} time per token is "))
        .strong(seconds(steady.D))
        .plain(format!(
            ", on {}; the plan of the fastest first answer takes {}.",
            route(problem, &steady.plan),
            seconds(first.D)
        ))
}

/// "Start spread, then consolidate", and from which length it pays.
fn of_way(problem: &ColdStart, way: &Consolidation) -> Sentence {
    let mut said = Sentence::default();
    said = match way.break_even {
        Some(tokens) => said
            .plain("From ")
            .strong(format!("{} tokens", count(tokens)))
            .plain(" on, an answer is faster with that plan from the start. "),
        None => said.plain("However long the answer, that plan from the start is no faster. "),
    };
    let (Some(switch), Some(total)) = (&way.switch, way.consolidating) else {
        let full: Vec<String> = way
            .no_room
            .iter()
            .map(|room| {
                format!(
                    "{} needs {} for both and has {}",
                    device_name(problem, room.device),
                    bytes(room.need),
                    bytes(room.have)
                )
            })
            .collect();
        return said.plain(format!(
            "There is not enough memory to switch plans: {}.",
            full.join("; ")
        ));
    };
    let loads = way.loads.iter();
    let loads: Vec<String> = loads
        .map(|load| {
            format!(
                "{} reads {} more until {}",
                device_name(problem, load.device),
                bytes(load.bytes),
                seconds(load.to)
            )
        })
        .collect();
    said.plain(format!(
        "Start spread, then consolidate: {}; after {} tokens, at {}, the answer moves over with {} of cache. It ends after ",
        loads.join(", "),
        count(switch.token),
        seconds(switch.at),
        bytes(switch.bytes)
    ))
    .strong(seconds(total))
    .plain(format!(
        ", against {} with the first plan and {} with the second alone.",
        seconds(way.cold_only),
        seconds(way.steady_only)
    ))
}

/// The front as a table, one row a plan; the steady plan is the last where it is not on the front.
#[must_use]
pub fn table(problem: &ColdStart, front: &Front) -> Table {
    let columns = [
        ("first_answer_s", "first answer", "s"),
        ("bound_s", "bound", "s"),
        ("rate_tok_s", "rate, full pipeline", "tok/s"),
        ("token_s", "time per token", "s"),
        ("whole_s", "whole answer", "s"),
        ("plan", "layers by device", ""),
    ];
    let row = |point: &Point| {
        let bound = if point.proved { point.T } else { point.bound };
        vec![
            Cell::Number(point.T, 4),
            Cell::Number(bound, 4),
            Cell::Number(point.rate, 3),
            Cell::Number(point.D, 4),
            Cell::Number(point.total, 3),
            Cell::Text(route(problem, &point.plan)),
        ]
    };
    Table {
        name: "front",
        title: "First answer against steady rate, one row per plan".to_owned(),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .into(),
        rows: front.points.iter().map(row).collect(),
    }
}
