//! The tables of the tokens after the first one: a stage and a token, and the front between first answer and rate.

use super::{Cell, Column, Table, route};
use crate::job::cold_start_decode::DecodeAnswer;
use crate::job::cold_start_front::Front;
use crate::plan::StageDecode;
use crate::problem::ColdStart;
use crate::report::cold_start::device_name;

/// Decimals of a token's time in milliseconds.
const MS: usize = 3;

/// The columns of a stage and one token.
pub(super) fn token_columns() -> Vec<Column> {
    let columns = [
        ("token_receive_ms", "receive a token", "ms"),
        ("token_compute_ms", "compute a token", "ms"),
        ("token_memory_ms", "read for a token", "ms"),
        ("token_ms", "a token in all", "ms"),
        ("token_read_b", "bytes read", "B"),
        ("kv_b", "keys and values kept", "B"),
    ];
    columns
        .map(|(key, head, unit)| Column::new(key, head, unit))
        .into()
}

/// The cells of a stage and one token.
pub(super) fn token_cells(s: &StageDecode) -> Vec<Cell> {
    let times = [s.receive, s.compute, s.memory, s.time].map(|t| Cell::Number(1e3 * t, MS));
    let sizes = [s.weights + s.kv_read, s.kv_held].map(|b| Cell::Number(b, 0));
    times.into_iter().chain(sizes).collect()
}

/// Every stage and one token, in running order.
#[must_use]
pub fn tokens(problem: &ColdStart, decode: &DecodeAnswer) -> Table {
    let mut columns = vec![Column::new("device", "device", "")];
    columns.extend(token_columns());
    let row = |stage: &StageDecode| {
        let mut row = vec![Cell::Text(device_name(problem, stage.device))];
        row.extend(token_cells(stage));
        row
    };
    Table {
        name: "tokens",
        title: "One token: one row a stage, in running order".to_owned(),
        columns,
        rows: decode.stages.iter().map(row).collect(),
    }
}

/// The front, the least T first.
#[must_use]
pub fn front(problem: &ColdStart, front: &Front) -> Table {
    let columns = [
        ("first_answer_s", "first answer", "s"),
        ("rate_tok_s", "full pipeline", "tok/s"),
        ("token_ms", "token to token", "ms"),
        ("whole_answer_s", "whole answer", "s"),
        ("proved", "proved", ""),
        ("plan", "plan", ""),
    ];
    let rows = front.points.iter().map(|point| {
        let proved = if point.proved { "yes" } else { "no" };
        vec![
            Cell::Number(point.T, 4),
            Cell::Number(point.rate, 3),
            Cell::Number(1e3 * point.D, MS),
            Cell::Number(point.total, 4),
            Cell::Text(proved.to_owned()),
            Cell::Text(route(problem, &point.plan)),
        ]
    });
    Table {
        name: "front",
        title: "First answer against rate: one row a plan".to_owned(),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}
