//! The catalogue as a table.

use document::{Cell, Table, TableColumn};
use engine::scenario::catalogue::{CatalogueKind, CatalogueRow};
use engine::scenario::fields;

/// Rows of one kind: name, numbers, of devices the memory rate and what is known as a range, source, note.
#[must_use]
pub fn catalogue(kind: CatalogueKind, rows: &[CatalogueRow]) -> Table {
    let fields = kind.fields();
    let numbers = fields.iter().map(|field| {
        let unit = fields::of(field).map_or("", |range| range.unit);
        TableColumn::new(field, fields::noun(field), unit)
    });
    let mut columns = vec![TableColumn::new("name", "name", "")];
    columns.extend(numbers);
    let is_device = kind == CatalogueKind::Device;
    if is_device {
        let rate = "bandwidth_gb_s";
        columns.push(TableColumn::new(rate, fields::noun(rate), "GB/s"));
        columns.push(TableColumn::new("ranges", "ranges", ""));
    }
    columns.push(TableColumn::new("source", "source", ""));
    columns.push(TableColumn::new("note", "note", ""));
    let row = |row: &CatalogueRow| {
        let mut cells = vec![Cell::text(&row.name)];
        for at in 0..kind.fields().len() {
            cells.push(Cell::maybe(row.numbers.get(at).copied(), 4));
        }
        if is_device {
            cells.push(Cell::maybe(row.bandwidth_gb_s, 4));
            let spans = row.ranges.iter();
            let spans = spans.map(|(key, span)| format!("{} {}", fields::noun(key), span.text("")));
            cells.push(Cell::text(spans.collect::<Vec<_>>().join("; ")));
        }
        cells.push(Cell::text(&row.source));
        cells.push(Cell::text(&row.note));
        cells
    };
    Table {
        name: match kind {
            CatalogueKind::Device => "catalogue-devices",
            CatalogueKind::Link => "catalogue-links",
            CatalogueKind::Model => "catalogue-models",
        },
        title: format!("Catalogue of {}s", kind.name()),
        columns,
        rows: rows.iter().map(row).collect(),
    }
}
