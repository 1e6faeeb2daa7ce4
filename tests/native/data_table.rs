//! The tables of `tests/data`, read by the names of their columns; lines that begin with # are comments.

use std::collections::HashMap;

/// A row: column to cell.
pub(crate) type Row = HashMap<String, String>;

fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
}

pub(crate) fn table(text: &str) -> Vec<Row> {
    let rows = reader(text).deserialize().collect::<Result<Vec<Row>, _>>();
    let rows = rows.expect("a data file is a table");
    assert!(!rows.is_empty());
    rows
}

/// The head of a table and its cells by their place.
pub(crate) fn records(text: &str) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let mut reader = reader(text);
    let head = reader.headers().expect("a table has a head").clone();
    let rows = reader.records().collect::<Result<Vec<_>, _>>();
    (head, rows.expect("a data file is a table"))
}

pub(crate) fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().expect("a number")
}
