//! `machines` and `models`: the rows of the catalogue.

use super::args::{ListArgs, ListFormat};
use super::console::Console;
use super::names::{matching_machines, matching_models, nearest};
use super::{ANSWERED, BAD_INPUT};
use document::{Cell, Table, TableColumn};
use engine::hardware::machines::{self, CatalogMachine};
use engine::model::catalog::{CatalogModel, MODELS};
use engine::problem::{Code, Invalid};
use std::io;

/// Lists machines, with the numbers of their data sheets.
pub fn machines(con: &Console<'_>, args: &ListArgs) -> io::Result<u8> {
    let found = matching_machines(&args.words.join(" "));
    let columns = vec![
        TableColumn::new("name", "machine", ""),
        TableColumn::new("class", "class", ""),
        TableColumn::new("memory_gb", "memory", "GB"),
        TableColumn::new("bandwidth_gb_s", "memory rate", "GB/s"),
        TableColumn::new("fp32_tflops", "FP32", "TFLOPS"),
        TableColumn::new("power_w", "power", "W"),
        TableColumn::new("source", "source", ""),
    ];
    let row = |machine: &&CatalogMachine| {
        let number =
            |field: &str, decimals: usize| Cell::Number(machine.fact(field).value, decimals);
        vec![
            Cell::text(machine.name),
            Cell::text(machine.class.noun()),
            number("memory_gb", 0),
            number("bandwidth_gb_s", 0),
            Cell::Number(machine.fp32_tflops(), 2),
            number("power_w", 0),
            Cell::text(machine.source()),
        ]
    };
    let table = Table {
        name: "machines",
        title: "Machines".to_owned(),
        columns,
        rows: found.iter().map(row).collect(),
    };
    print(con, &table, args, || {
        let names = machines::all().map(|machine| machine.name);
        nearest("the nearest are", &args.words.join(" "), names)
    })
}

/// Lists models, with their dimensions.
pub fn models(con: &Console<'_>, args: &ListArgs) -> io::Result<u8> {
    let found = matching_models(&args.words.join(" "));
    let columns = vec![
        TableColumn::new("name", "model", ""),
        TableColumn::new("layers", "blocks", ""),
        TableColumn::new("d_model", "hidden size", ""),
        TableColumn::new("h_q", "query heads", ""),
        TableColumn::new("h_k", "key/value heads", ""),
        TableColumn::new("d_head", "head width", ""),
        TableColumn::new("d_ff", "feed-forward width", ""),
        TableColumn::new("vocabulary", "vocabulary", "tokens"),
        TableColumn::new("tied_embeddings", "tied embeddings", ""),
        TableColumn::new("context", "context", "tokens"),
        TableColumn::new("source", "source", ""),
    ];
    let row = |entry: &&CatalogModel| {
        let dims = &entry.dims;
        let count = |n: f64| Cell::Number(n, 0);
        vec![
            Cell::text(entry.name),
            count(f64::from(dims.n_layers)),
            count(dims.d_model),
            count(dims.h_q),
            count(dims.h_k),
            count(dims.d_head),
            count(dims.d_ff),
            count(f64::from(entry.vocabulary)),
            Cell::text(if entry.tied_embeddings { "yes" } else { "no" }),
            count(f64::from(entry.context)),
            Cell::text(entry.source),
        ]
    };
    let table = Table {
        name: "models",
        title: "Models".to_owned(),
        columns,
        rows: found.iter().map(row).collect(),
    };
    print(con, &table, args, || {
        let names = MODELS.iter().map(|entry| entry.name);
        nearest("the nearest are", &args.words.join(" "), names)
    })
}

/// Prints a list; an empty one is refused with the nearest names.
fn print(
    con: &Console<'_>,
    table: &Table,
    args: &ListArgs,
    near: impl Fn() -> String,
) -> io::Result<u8> {
    if table.rows.is_empty() {
        let words = args.words.join(" ");
        let message = format!("no row has all of the words {words:?}{}", near());
        let fault = Invalid::new(Code::Option, "", words, message);
        con.write_fault(&fault, args.format == ListFormat::Json)?;
        return Ok(BAD_INPUT);
    }
    match args.format {
        ListFormat::Text => con.print_text(&table.to_text())?,
        ListFormat::Json => con.print_json(table)?,
        ListFormat::Csv => con.print_text(&table.to_csv())?,
    }
    Ok(ANSWERED)
}
