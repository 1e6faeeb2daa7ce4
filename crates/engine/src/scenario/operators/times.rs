//! A table of measured times of operators, as text: a row for each operator in the order of the graph.

use crate::problem::{Code, Invalid};

/// The longest time [ms].
const MOST_MS: f64 = 1e9;

/// Reads what every part of an operator takes and what the whole takes besides [ms, at factor 1]: the last two columns of
/// each row, whatever is before them. Columns are parted by tabs, semicolons or commas; a head is passed over; with
/// tabs and semicolons numbers may have a decimal comma.
///
/// # Errors
/// The first row that cannot be read, or another number of rows than there are operators.
///
/// # Complexity
/// O(length of the text).
pub fn read_times(text: &str, operators: usize) -> Result<Vec<[f64; 2]>, Invalid> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut rows = Vec::new();
    for (at, line) in lines.enumerate() {
        match row(line) {
            Some(row) if row.iter().all(|ms| (0.0..=MOST_MS).contains(ms)) => rows.push(row),
            None if at == 0 => {} // a head
            _ => {
                let said: String = line.chars().filter(|c| !c.is_control()).take(40).collect();
                let message = format!(
                    "row {} of the table must end with two times from 0 to 10^9 ms, it is {said:?}",
                    at + 1
                );
                return Err(Invalid::new(Code::Syntax, "split.table", said, message));
            }
        }
    }
    if rows.len() == operators {
        return Ok(rows);
    }
    let message = format!(
        "the table must have a row for each of the {operators} operators, it has {}",
        rows.len()
    );
    Err(Invalid::new(
        Code::Range,
        "split.table",
        rows.len(),
        message,
    ))
}

/// The last two numbers of a row.
fn row(line: &str) -> Option<[f64; 2]> {
    let mark = ['\t', ';', ',']
        .into_iter()
        .find(|mark| line.contains(*mark));
    let mark = mark?;
    let mut cells = line.rsplit(mark).map(str::trim);
    let mut number = || {
        let cell = cells.next()?.trim_matches('"');
        let cell = if mark == ',' {
            cell.to_owned()
        } else {
            cell.replace(',', ".")
        };
        cell.parse::<f64>().ok().filter(|ms| ms.is_finite())
    };
    let besides = number()?;
    Some([number()?, besides])
}

/// Writes the table as text, with the names of the operators.
///
/// # Complexity
/// O(operators).
#[must_use]
pub fn times_text(names: impl Iterator<Item = String>, rows: &[[f64; 2]]) -> String {
    let mut text = "operator\ta [ms]\tb [ms]\n".to_owned();
    for (name, [a, b]) in names.zip(rows) {
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        text.push_str(&format!("{name}\t{a}\t{b}\n"));
    }
    text
}
