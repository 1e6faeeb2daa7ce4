//! Recorded arrivals as a table: one row per task, `arrival,out_tokens` and where wanted `mem`, separated by commas,
//! semicolons or tabs; a first row of names may be above. Lines that begin with # are comments.
//!
//! Rows have to come in the order of time: a table that jumps back is more often two tables than one, so it is
//! refused by its row and not sorted in silence. Problem files list tasks, not a record of time, and may list them
//! in any order.
//!
//! Complexity: O(length).

use crate::problem::{Code, Invalid};

/// The most rows that are read.
pub const MOST_ROWS: usize = 1_000_000;

/// A recorded task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceRow {
    /// When it comes [s].
    pub arrival: f64,
    /// How many tokens it generates.
    pub out_tokens: u32,
    /// Memory that it reserves on every tier, in the unit of the problem; 0 if the table has none.
    pub mem: f64,
}

/// Reads a table of arrivals.
///
/// # Errors
/// [`Invalid`] at `rows[i].arrival` and the like, `i` from 0 without the row of names; the message says the line.
pub fn read_trace(text: &str) -> Result<Vec<TraceRow>, Invalid> {
    let mut rows: Vec<TraceRow> = Vec::new();
    let mut names_allowed = true;
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    for (line, words) in lines {
        let words = words.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = words.split([',', ';', '\t']).map(str::trim).collect();
        let is_names = cells[0].parse::<f64>().is_err();
        if std::mem::take(&mut names_allowed) && is_names {
            names(&cells, line)?;
            continue;
        }
        if rows.len() == MOST_ROWS {
            let message = format!("the table has more than {MOST_ROWS} rows, the maximum");
            return Err(Invalid::new(Code::Range, "rows", MOST_ROWS + 1, message));
        }
        let row = row(&cells, rows.len(), line)?;
        if let Some(before) = rows.last().filter(|before| row.arrival < before.arrival) {
            let path = format!("rows[{}].arrival", rows.len());
            let message = format!(
                "{path} (line {line}) must not be earlier than the row before, {}; it is {}",
                before.arrival, row.arrival
            );
            return Err(Invalid::new(Code::Range, path, row.arrival, message));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        let message = "the table must have at least one row: arrival, out_tokens";
        return Err(Invalid::new(Code::Range, "rows", 0, message));
    }
    Ok(rows)
}

const COLUMNS: [&str; 3] = ["arrival", "out_tokens", "mem"];

fn names(cells: &[&str], line: usize) -> Result<(), Invalid> {
    let lower: Vec<String> = cells.iter().map(|cell| cell.to_ascii_lowercase()).collect();
    if lower == COLUMNS[..2] || lower == COLUMNS {
        return Ok(());
    }
    let message = format!(
        "line {line} must name the columns arrival, out_tokens and optionally mem, or hold numbers"
    );
    Err(Invalid::new(Code::Syntax, "", cells.join(","), message))
}

fn row(cells: &[&str], at: usize, line: usize) -> Result<TraceRow, Invalid> {
    if !(2..=3).contains(&cells.len()) {
        let message = format!(
            "rows[{at}] (line {line}) must have 2 or 3 cells: arrival, out_tokens and optionally mem"
        );
        let path = format!("rows[{at}]");
        return Err(Invalid::new(Code::Range, path, cells.join(","), message));
    }
    let number = |column: usize, allowed: &str, fits: fn(f64) -> bool| {
        let value: Option<f64> = cells[column].parse().ok();
        value.filter(|value| fits(*value)).ok_or_else(|| {
            let path = format!("rows[{at}].{}", COLUMNS[column]);
            let shown: String = cells[column].chars().take(40).collect();
            let message = format!("{path} (line {line}) must be {allowed}, it is {shown:?}");
            Invalid::new(Code::Range, path, shown, message)
        })
    };
    let not_negative = |value: f64| value.is_finite() && value >= 0.0;
    let whole = |value: f64| (1.0..=1e9).contains(&value) && libm::trunc(value) == value;
    Ok(TraceRow {
        arrival: number(0, "a number of seconds, 0 or above", not_negative)?,
        out_tokens: number(1, "a whole number from 1 to 1000000000", whole)? as u32,
        mem: match cells.len() {
            2 => 0.0,
            _ => number(2, "a number, 0 or above", not_negative)?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_with_or_without_names_and_memory() {
        let row = |arrival, out_tokens, mem| TraceRow {
            arrival,
            out_tokens,
            mem,
        };
        assert_eq!(
            read_trace("# a record\narrival,out_tokens\n0,3\n0.5,2\n\n0.5,1\n"),
            Ok(vec![row(0.0, 3, 0.0), row(0.5, 2, 0.0), row(0.5, 1, 0.0)])
        );
        assert_eq!(
            read_trace("\u{feff}1;2;0.5\r\n1e1;128;0\r\n"),
            Ok(vec![row(1.0, 2, 0.5), row(10.0, 128, 0.0)])
        );
        assert_eq!(read_trace("2\t7"), Ok(vec![row(2.0, 7, 0.0)]));
    }

    #[test]
    fn faults_are_named_by_row_and_line() {
        for (text, path, word) in [
            ("", "rows", "at least one row"),
            ("arrival,out_tokens\n", "rows", "at least one row"),
            ("time,tokens\n1,2", "", "line 1"),
            ("1,2\n0.5,2", "rows[1].arrival", "line 2"),
            ("-1,2", "rows[0].arrival", "0 or above"),
            ("NaN,2", "rows[0].arrival", "0 or above"),
            ("1,0", "rows[0].out_tokens", "from 1"),
            ("1,1.5", "rows[0].out_tokens", "whole"),
            ("arrival,out_tokens\n1,x", "rows[0].out_tokens", "line 2"),
            ("1,2,-3", "rows[0].mem", "0 or above"),
            ("1", "rows[0]", "2 or 3 cells"),
            ("1,2,3,4", "rows[0]", "2 or 3 cells"),
            ("1,2\nx,2", "rows[1].arrival", "line 2"),
        ] {
            let fault = read_trace(text).expect_err(text);
            assert_eq!(fault.path, path, "{text}: {fault}");
            assert!(fault.message.contains(word), "{text}: {fault}");
        }
        let long = "1,1\n".repeat(MOST_ROWS + 1);
        assert_eq!(read_trace(&long).expect_err("too long").path, "rows");
    }
}
