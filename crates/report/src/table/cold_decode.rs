//! The table of the tokens after the first one: a stage and a token.

use engine::plan::StageDecode;
use engine::problem::ColdStart;
use engine::problem::device_name;
use job::cold_start_decode::DecodeAnswer;
use story::{Cell, Column, Table};

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
        title: "One token: one row per stage, in running order".to_owned(),
        columns,
        rows: decode.stages.iter().map(row).collect(),
    }
}
