//! Tables that a person pastes: layers (W, A, P) and fleets, from a spreadsheet, a CSV file or a text.
//!
//! Nothing is guessed. What can be read in two ways is asked about, what is wrong is named by row and column,
//! and what was left out or put in is said in the notes. Reading is linear in the length of the text, and a
//! table with far too many rows is refused by counting them.

mod commas;
mod grid;
mod head;
mod rows;

pub use grid::{GridFault, Refused};

use super::fields::{self, Field, NumberFields};
use super::heads::HeadDevice;
use super::operators::Board;
use super::tiers::Tier;
use super::world::{Given, Listed, World, WorldMachine};
use super::{Device, LayerRow, dispatch};
use crate::hardware::machines;
use crate::problem::json;
use grid::Grid;
use head::PasteColumn;
use serde::Deserialize;
use std::fmt::Write;

/// The most characters that are looked at. A thousand layers with all their digits need a fiftieth.
pub const LONGEST: usize = 4_000_000;

/// A table that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct PastedTable<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// Notes for the user: how columns were read, which were not used, which values were filled in.
    pub notes: Vec<String>,
}

static LAYER: [PasteColumn; 3] = [
    PasteColumn::number(
        "W",
        "work",
        "1.83e11 or 183 GFLOP",
        &["flop", "flops", "operations", "ops", "compute"],
    ),
    PasteColumn::number(
        "A",
        "activation",
        "2621440 or 2.6 MB",
        &["activations", "act", "output", "outputsize"],
    ),
    PasteColumn::number(
        "P",
        "weights",
        "660602880 or 661 MB",
        &["weight", "param", "params", "parameter", "parameters"],
    ),
];

/// Reads a table of layers: columns W, A and P in any order if they have heads, in this order if not. The
/// `layers` of a problem file are read as well.
///
/// # Errors
/// Up to [`grid::MOST_FAULTS`] faults, each with its row and column.
///
/// # Complexity
/// O(length).
pub fn layers(text: &str) -> Result<PastedTable<LayerRow>, Refused> {
    if text.trim_start().starts_with(['{', '[']) {
        return layers_of_json(text);
    }
    let grid = Grid::read(text, &LAYER, fields::MOST_LAYERS, "layers")?;
    let number =
        |row: &grid::GridRow, at: usize| row.numbers[at].expect("the column is required").value;
    let rows = grid.rows.iter().map(|row| LayerRow {
        W: number(row, 0),
        A: number(row, 1),
        P: number(row, 2),
    });
    Ok(PastedTable {
        rows: rows.collect(),
        notes: grid.notes,
    })
}

/// Rows as a problem file has them, alone, as its `layers`, or as the `rows` of a table saved as JSON.
fn layers_of_json(text: &str) -> Result<PastedTable<LayerRow>, Refused> {
    #[derive(Deserialize)]
    #[allow(non_snake_case)]
    struct Row {
        W: f64,
        A: f64,
        P: f64,
    }
    #[derive(Deserialize)]
    struct Document {
        #[serde(alias = "rows")]
        layers: Vec<Row>,
    }
    let read = if text.trim_start().starts_with('[') {
        json::read(text, &[])
    } else {
        json::read(text, &["", "layers[]", "rows[]"]).map(|document: Document| document.layers)
    };
    let rows: Vec<Row> = read.map_err(|fault| {
        let why =
            format!("This is JSON but not a list of layers {{\"W\", \"A\", \"P\"}}: {fault}.");
        Refused::of_table(why)
    })?;
    if rows.is_empty() || rows.len() > fields::MOST_LAYERS {
        return Err(Refused::count(rows.len(), fields::MOST_LAYERS, "layers"));
    }
    let rows: Vec<LayerRow> = rows
        .into_iter()
        .map(|row| LayerRow {
            W: row.W,
            A: row.A,
            P: row.P,
        })
        .collect();
    let mut refused = Refused::default();
    for (at, row) in rows.iter().enumerate() {
        for (field, value) in row.numbers() {
            if let Err(fault) = field.check("", value) {
                let message = format!("Layer {}: {fault}.", at + 1);
                refused.add(Some(at + 1), Some(field.key), message);
            }
        }
    }
    refused.or(PastedTable {
        rows,
        notes: vec![
            "Read from JSON: W in FLOP, A and P in bytes; everything else is ignored.".into(),
        ],
    })
}

/// The columns of a fleet, in the order they are in without heads. There the first three numbers are needed.
static FLEET: [PasteColumn; 9] = [
    PasteColumn::text(
        "name",
        "name",
        &[
            "name",
            "device",
            "devices",
            "label",
            "host",
            "hostname",
            "machine",
            "machines",
            "node",
            "gpu",
            "gpuname",
            "card",
            "chip",
            "module",
            "model",
            "board",
            "product",
            "productname",
            "processor",
            "cpu",
            "system",
            "computer",
            "graphicscard",
        ],
    ),
    PasteColumn::number(
        "c_peak_tflops",
        "compute",
        "165 or 500 GFLOPS",
        &[
            "cpeak",
            "peak",
            "c",
            "tflops",
            "peakcompute",
            "speed",
            "fp16",
            "fp16tflops",
            "tflopsfp16",
            "fp16half",
            "halfprecision",
            "fp16performance",
            "fp16compute",
        ],
    )
    .or_unknown(),
    PasteColumn::number(
        "r_mb_s",
        "disk",
        "5000 or 3.5 GB/s",
        &[
            "r",
            "diskrate",
            "diskread",
            "read",
            "ssd",
            "storage",
            "diskspeed",
            "ssdspeed",
            "ssdread",
            "readspeed",
            "sequentialread",
        ],
    )
    .or_unknown(),
    PasteColumn::number(
        "m_gb",
        "memory",
        "16 or 16 GiB",
        &[
            "m",
            "mem",
            "ram",
            "vram",
            "usable",
            "usablegb",
            "usablememory",
            "memorysize",
            "memorytotal",
            "memorytotalmib",
            "gpumemory",
            "videomemory",
            "memorycapacity",
        ],
    )
    .or_unknown(),
    PasteColumn::number(
        "d_m",
        "distance",
        "3 or 250 cm",
        &["d", "distancetoap", "dist"],
    )
    .or_unknown_at_the_end(),
    PasteColumn::number("a", "utilisation a", "0.4", &["utilizationa"]).or_unknown_at_the_end(),
    PasteColumn::number("b", "rate b", "5.1e-4", &["utilisationb"]).or_unknown_at_the_end(),
    PasteColumn::number("pu_dbm", "uplink power", "20 or 100 mW", &["pu", "up"])
        .or_unknown_at_the_end(),
    PasteColumn::number("pd_dbm", "downlink power", "25 or 316 mW", &["pd", "down"])
        .or_unknown_at_the_end(),
];

/// Keys without a column: usable memory has a column of its own, and memory as sold is never typed where memory is asked for.
const NO_COLUMNS: [&str; 2] = ["usable_gb", "memory_gb"];

/// Heads by which people know the numbers behind the nine columns.
const OTHER_NAMES: [(&str, &[&str]); 2] = [
    (
        "bandwidth_gb_s",
        &[
            "memorybandwidth",
            "bandwidth",
            "membandwidth",
            "membw",
            "bw",
            "rambandwidth",
            "vrambandwidth",
            "memoryspeed",
        ],
    ),
    (
        "power_w",
        &[
            "powerlimit",
            "powerdraw",
            "tdp",
            "tgp",
            "boardpower",
            "watts",
        ],
    ),
];

/// All columns of a fleet: behind those above every other number that a question has of a machine, by its head.
fn fleet_columns() -> Vec<PasteColumn> {
    fn fields<T: NumberFields>() -> impl Iterator<Item = &'static Field> {
        T::NUMBERS.iter().map(|number| number.field)
    }
    let mut columns = FLEET.to_vec();
    let all = fields::<Device>()
        .chain(fields::<Tier>())
        .chain(fields::<HeadDevice>())
        .chain(fields::<dispatch::Device>())
        .chain(fields::<Board>());
    for field in all {
        let is_there = columns.iter().any(|column| column.key == field.key);
        if !is_there && !NO_COLUMNS.contains(&field.key) {
            let named = OTHER_NAMES.iter().find(|(key, _)| *key == field.key);
            columns.push(PasteColumn::unknown(
                field,
                named.map_or(&[], |(_, names)| names),
            ));
        }
    }
    columns
}

/// Reads a table of machines: any number that a question has of one, under its head. What is not in the table, and a cell that
/// is empty, says nothing; [`World::put_fleet`] has what becomes of it.
///
/// # Errors
/// As [`layers`].
///
/// # Complexity
/// O(length).
pub fn fleet(text: &str) -> Result<PastedTable<Listed>, Refused> {
    if text.trim_start().starts_with(['{', '[']) {
        let why = "This is JSON, not a table. A scenario file is opened with \u{201c}Open\u{201d}; what llama-bench, iperf3 or fio print as JSON, \
                   edgewise fleet reads, and that of llama-bench also \u{201c}Set measured speed\u{201d} in the menu of a machine.";
        return Err(Refused::of_table(why.into()));
    }
    if let Some(names) = names_alone(text) {
        return names;
    }
    let columns = fleet_columns();
    let mut grid = Grid::read(text, &columns, fields::MOST_DEVICES, "devices")?;
    let has = |key: &str| !grid.absent.contains(&key);
    if has("m_gb") && has("limit_mib") {
        let why =
            "Memory and memory limit are the same quantity here; keep only one of these columns.";
        return Err(Refused::of_table(why.into()));
    }
    let has_number = columns
        .iter()
        .any(|column| !column.is_text && has(column.key));
    let says_enough = has_number || (has("name") && are_known(&grid));
    if !says_enough {
        let why = "This table has no column for a number of a machine, such as compute in TFLOPS, disk in MB/s or memory in GB.";
        return Err(Refused::of_table(why.into()));
    }
    if !has("name") {
        let count = grid.rows.len();
        let note = format!("No column of names: D1 to D{count} were used.");
        grid.notes.push(note);
    }
    leave_out_sums(&mut grid, &columns);
    let absent = &grid.absent;
    let rows = grid.rows.iter().enumerate().map(|(at, row)| {
        let numbers = columns.iter().zip(&row.numbers);
        let said = numbers.filter(|(column, _)| !column.is_text && !absent.contains(&column.key));
        Listed {
            name: row.text.clone().unwrap_or_else(|| format!("D{}", at + 1)),
            numbers: said.map(|(column, number)| (column.key, *number)).collect(),
        }
    });
    Ok(PastedTable {
        rows: rows.collect(),
        notes: grid.notes,
    })
}

/// Returns true if every row is named after a machine of the catalogue.
fn are_known(grid: &Grid) -> bool {
    let named = |row: &grid::GridRow| machines::named(row.text.as_deref()?);
    grid.rows.iter().all(|row| named(row).is_some())
}

/// Leaves out rows that are sums of the others, and says so.
fn leave_out_sums(grid: &mut Grid, columns: &[PasteColumn]) {
    const SUMS: [&str; 9] = [
        "total", "totals", "sum", "all", "overall", "combined", "summe", "gesamt", "\u{3a3}",
    ];
    let is_sum = |row: &grid::GridRow| {
        let name = row
            .text
            .as_deref()
            .unwrap_or_default()
            .trim()
            .trim_end_matches(':')
            .to_lowercase();
        SUMS.contains(&name.as_str())
    };
    let Some(at) = grid
        .rows
        .iter()
        .position(is_sum)
        .filter(|_| grid.rows.len() > 1)
    else {
        return;
    };
    let sum = grid.rows.remove(at);
    let mut odd = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let others = grid.rows.iter().filter_map(|row| row.numbers[at]);
        let others: f64 = others.map(|given| given.value).sum();
        let is_off = |stated: &Given| (stated.value - others).abs() > 0.01 * others.abs();
        if let Some(stated) = sum.numbers[at].filter(is_off) {
            odd.push(format!("{} {} for {others}", column.noun, stated.value));
        }
    }
    let name = sum.text.unwrap_or_default();
    let differs = if odd.is_empty() {
        String::new()
    } else {
        format!(
            "; it differs from the sum of the others: {}",
            odd.join(", ")
        )
    };
    grid.notes.push(format!(
        "Row \u{201c}{name}\u{201d} is a sum and no machine, and is left out{differs}."
    ));
}

/// The most copies of one machine in a list of names.
const MOST_COPIES: usize = 64;

/// A list of names of the catalogue, one in a line, with a bullet before it and a number of copies (`2x` before it or `*2` behind) if any;
/// `None` if the first line is none.
fn names_alone(text: &str) -> Option<Result<PastedTable<Listed>, Refused>> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let mut rows: Vec<Listed> = Vec::new();
    let mut has_head = false;
    for (at, line) in lines {
        let Some((machine, copies)) = named_line(line) else {
            // The head of the only column.
            if rows.is_empty() && !has_head && head::find(line, &FLEET[..1]).is_some() {
                has_head = true;
                continue;
            }
            if rows.is_empty() {
                return None;
            }
            let shown: String = line
                .trim()
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            let message = format!(
                "Line {at}: no machine of the catalogue is called \u{201c}{shown}\u{201d}. Write its numbers in a table with heads, such as \
                 name, memory in GB and memory bandwidth in GB/s."
            );
            return Some(Err(Refused::of_table(message)));
        };
        for _ in 0..copies {
            let taken: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            let name = super::rows::free_name(machine, &taken);
            rows.push(Listed {
                name,
                numbers: Vec::new(),
            });
        }
        if rows.len() > fields::MOST_DEVICES {
            return Some(Err(Refused::count(
                rows.len(),
                fields::MOST_DEVICES,
                "devices",
            )));
        }
    }
    let notes = vec!["Names alone: every number is that of the catalogue.".to_owned()];
    (!rows.is_empty()).then_some(Ok(PastedTable { rows, notes }))
}

/// The machine of a line and how many there are.
fn named_line(line: &str) -> Option<(&'static str, usize)> {
    let line = line
        .trim()
        .trim_start_matches(['-', '*', '\u{2022}'])
        .trim();
    if let Some(machine) = machines::named(line) {
        return Some((machine.name, 1));
    }
    let of = |words: &str, copies: &str| {
        let copies = copies
            .trim()
            .parse()
            .ok()
            .filter(|n| (1..=MOST_COPIES).contains(n))?;
        Some((machines::named(words.trim())?.name, copies))
    };
    let behind = || {
        line.rsplit_once(['*', '\u{d7}'])
            .and_then(|(words, copies)| of(words, copies))
    };
    let before = || {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        let rest = line[digits..].trim_start();
        of(rest.strip_prefix(['x', '*', '\u{d7}'])?, &line[..digits])
    };
    behind().or_else(before)
}

/// Layers as text that [`layers`] reads back to the same bits: columns apart by tabs, with heads.
#[must_use]
pub fn layers_text(rows: &[LayerRow]) -> String {
    let mut text = String::from("W [FLOP]\tA [B]\tP [B]\n");
    for row in rows {
        writeln!(text, "{}\t{}\t{}", row.W, row.A, row.P).expect("a text takes any text");
    }
    text
}

/// The machines as text that [`fleet`] reads back to the same bits: what is known of them. What is assumed is left empty.
#[must_use]
pub fn fleet_text(world: &World) -> String {
    let of = |machine: &WorldMachine, key: &str| machine.known_value(key);
    let mut columns = fleet_columns();
    // A column of which nothing is known is left out, and memory is under one name.
    columns.retain(|column| {
        let is_known = || world.machines.iter().any(|m| of(m, column.key).is_some());
        column.is_needed || column.is_text || (column.key != "limit_mib" && is_known())
    });
    let mut text = String::new();
    for (at, column) in columns.iter().enumerate() {
        let unit = fields::of(column.key).map_or("", |range| range.unit);
        let gap = if at == 0 { "" } else { "\t" };
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" [{unit}]")
        };
        write!(text, "{gap}{}{unit}", column.noun).expect("a text takes any text");
    }
    for machine in &world.machines {
        // A name that would look like quoting, or like a formula to a spreadsheet, is made harmless.
        let name = machine.name.replace('"', "\"\"");
        write!(text, "\n\"{name}\"").expect("a text takes any text");
        for column in &columns[1..] {
            let value = of(machine, column.key).map_or_else(String::new, |value| value.to_string());
            write!(text, "\t{value}").expect("a text takes any text");
        }
    }
    text.push('\n');
    text
}
