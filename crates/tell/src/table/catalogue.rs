//! The catalogue as a table.

use engine::scenario::catalogue::{Kind, Row};
use engine::scenario::fields;
use story::{Cell, Column, Table};

/// Rows of one kind: name, numbers, of devices the memory rate and what is known as a range, source, note.
#[must_use]
pub fn catalogue(kind: Kind, rows: &[Row]) -> Table {
    let fields = kind.fields();
    let numbers = fields.iter().map(|field| {
        let unit = fields::of(field).map_or("", |range| range.unit);
        Column::new(field, fields::noun(field), unit)
    });
    let mut columns = vec![Column::new("name", "name", "")];
    columns.extend(numbers);
    let is_device = kind == Kind::Device;
    if is_device {
        let rate = "bandwidth_gb_s";
        columns.push(Column::new(rate, fields::noun(rate), "GB/s"));
        columns.push(Column::new("ranges", "ranges", ""));
    }
    columns.push(Column::new("source", "source", ""));
    columns.push(Column::new("note", "note", ""));
    let row = |row: &Row| {
        let mut cells = vec![Cell::text(&row.name)];
        for at in 0..kind.fields().len() {
            cells.push(Cell::maybe(row.numbers.get(at).copied(), 4));
        }
        if is_device {
            cells.push(Cell::maybe(row.bandwidth_gb_s, 4));
            let spans = row.ranges.iter();
            let spans =
                spans.map(|(key, span)| format!("{} {}", fields::noun(key), span.words("")));
            cells.push(Cell::text(spans.collect::<Vec<_>>().join("; ")));
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
