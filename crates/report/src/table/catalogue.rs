//! The catalogue as a table.

use super::{Cell, Column, Table};
use engine::scenario::catalogue::{Kind, Row};
use engine::scenario::ranges;

/// Rows of one kind: name, numbers, source, note.
#[must_use]
pub fn catalogue(kind: Kind, rows: &[Row]) -> Table {
    let numbers = kind.fields().iter().map(|field| {
        let unit = ranges::of(field).map_or("", |range| range.unit);
        Column::new(field, ranges::noun(field), unit)
    });
    let mut columns = vec![Column::new("name", "name", "")];
    columns.extend(numbers);
    columns.push(Column::new("source", "source", ""));
    columns.push(Column::new("note", "note", ""));
    let row = |row: &Row| {
        let mut cells = vec![Cell::text(&row.name)];
        for at in 0..kind.fields().len() {
            cells.push(Cell::maybe(row.numbers.get(at).copied(), 4));
        }
        cells.push(Cell::text(&row.source));
        cells.push(Cell::text(&row.note));
        cells
    };
    Table {
        name: match kind {
            Kind::Device => "catalogue-devices",
            Kind::Link => "catalogue-links",
            Kind::Model => "catalogue-models",
        },
        title: format!("Catalogue of {}s", kind.name()),
        columns,
        rows: rows.iter().map(row).collect(),
    }
}
