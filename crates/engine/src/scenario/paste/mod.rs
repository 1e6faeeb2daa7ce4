//! Tables that a person pastes: layers (W, A, P) and fleets, from a spreadsheet, a CSV file or a text.
//!
//! Nothing is guessed. What can be read in two ways is asked about, what is wrong is named by row and column,
//! and what was left out or put in is said in the notes. Reading is linear in the length of the text, and a
//! table with far too many rows is refused by counting them.

mod commas;
mod filled;
mod grid;
mod head;
mod rows;

pub use grid::{Fault, Refused};

use super::fields::{self, Numbers};
use super::{Device, LayerRow};
use crate::problem::json;
use grid::Grid;
use head::Column;
use serde::Deserialize;
use std::fmt::Write;

/// The most characters that are looked at. A thousand layers with all their digits need a fiftieth.
pub const LONGEST: usize = 4_000_000;

/// A table that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// What a person should know before it is used: which columns were read as what, which were not used, what
    /// was put in.
    pub notes: Vec<String>,
}

static LAYER: [Column; 3] = [
    Column::number(
        "W",
        "work",
        "1.83e11 or 183 GFLOP",
        &["flop", "flops", "operations", "ops", "compute"],
    ),
    Column::number(
        "A",
        "activation",
        "2621440 or 2.6 MB",
        &["activations", "act", "output", "outputsize"],
    ),
    Column::number(
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
pub fn layers(text: &str) -> Result<Table<LayerRow>, Refused> {
    if text.trim_start().starts_with(['{', '[']) {
        return layers_of_json(text);
    }
    let grid = Grid::read(text, &LAYER, fields::MOST_LAYERS, "layers")?;
    let number = |row: &grid::Row, at: usize| row.numbers[at].expect("the column is required");
    let rows = grid.rows.iter().map(|row| LayerRow {
        W: number(row, 0),
        A: number(row, 1),
        P: number(row, 2),
    });
    Ok(Table {
        rows: rows.collect(),
        notes: grid.notes,
    })
}

/// Rows as a problem file has them, alone, as its `layers`, or as the `rows` of a table saved as JSON.
fn layers_of_json(text: &str) -> Result<Table<LayerRow>, Refused> {
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
        Refused::whole(why)
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
    refused.or(Table {
        rows,
        notes: vec![
            "Read from JSON: W in FLOP, A and P in bytes; everything else is ignored.".into(),
        ],
    })
}

/// The columns of a fleet, in the order they stand in without heads. The first three numbers are needed.
static FLEET: [Column; 9] = [
    Column::text(
        "name",
        "name",
        &["name", "device", "devices", "label", "host"],
    ),
    Column::number(
        "c_peak_tflops",
        "compute",
        "165 or 500 GFLOPS",
        &["cpeak", "peak", "c", "tflops", "peakcompute", "speed"],
    ),
    Column::number(
        "r_mb_s",
        "disk",
        "5000 or 3.5 GB/s",
        &["r", "diskrate", "diskread", "read", "ssd", "storage"],
    ),
    Column::number(
        "m_gb",
        "memory",
        "16 or 16 GiB",
        &["m", "mem", "ram", "vram"],
    ),
    Column::number(
        "d_m",
        "distance",
        "3 or 250 cm",
        &["d", "distancetoap", "dist"],
    )
    .or_else_given(),
    Column::number("a", "utilisation a", "0.4", &["utilizationa"]).or_else_given(),
    Column::number("b", "rate b", "5.1e-4", &["utilisationb"]).or_else_given(),
    Column::number("pu_dbm", "uplink power", "20 or 100 mW", &["pu", "up"]).or_else_given(),
    Column::number("pd_dbm", "downlink power", "25 or 316 mW", &["pd", "down"]).or_else_given(),
];

/// All columns of a fleet: behind those above the numbers of a device that may be unknown, which have a head.
fn fleet_columns() -> Vec<Column> {
    let unknown = Device::NUMBERS.iter().filter(|number| number.is_optional);
    let unknown = unknown.map(|number| Column::unknown(number.field));
    FLEET.iter().cloned().chain(unknown).collect()
}

/// Reads a table of devices. What a column would say that is not there comes from the device of the same name in `present`,
/// else from the machine of this name in the catalogue, else it is assumed with a range. The notes say which. Numbers that may be
/// unknown come the same way, but none is assumed: an empty cell says that it is unknown. Own link values and whether a device is off come from the device of the same name.
///
/// # Errors
/// As [`layers`].
///
/// # Complexity
/// O(length + devices²).
pub fn fleet(text: &str, present: &[Device]) -> Result<Table<Device>, Refused> {
    if text.trim_start().starts_with(['{', '[']) {
        let why = "This is JSON, not a table. A scenario file is opened with \u{201c}Open\u{201d}.";
        return Err(Refused::whole(why.into()));
    }
    let columns = fleet_columns();
    let mut grid = Grid::read(text, &columns, fields::MOST_DEVICES, "devices")?;
    let (rows, notes) = filled::devices(&grid, &columns, present);
    grid.notes.extend(notes);
    let kept: Vec<&str> = rows
        .iter()
        .filter(|d| d.off || d.link.is_some())
        .map(|d| d.name.as_str())
        .collect();
    if !kept.is_empty() {
        let names = kept.join(", ");
        let note =
            format!("Matched by name, keeping their own link or staying switched off: {names}.");
        grid.notes.push(note);
    }
    if rows.iter().all(|d| d.off) {
        let why =
            "All these devices are switched off in the current fleet; at least one must be on.";
        return Err(Refused::whole(why.into()));
    }
    Ok(Table {
        rows,
        notes: grid.notes,
    })
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

/// A fleet as text that [`fleet`] reads back to the same bits beside the same fleet.
#[must_use]
pub fn fleet_text(devices: &[Device]) -> String {
    let mut text = String::new();
    let of = |device: &Device, key: &str| Device::number(key).and_then(|n| (n.get)(device));
    // A column of which nothing is known is left out.
    let mut columns = fleet_columns();
    columns.retain(|c| !c.may_be_empty || devices.iter().any(|d| of(d, c.key).is_some()));
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
    for device in devices {
        // A name that would look like quoting, or like a formula to a spreadsheet, is made harmless.
        let name = device.name.replace('"', "\"\"");
        write!(text, "\n\"{name}\"").expect("a text takes any text");
        for column in &columns[1..] {
            let value = of(device, column.key).map_or_else(String::new, |value| value.to_string());
            write!(text, "\t{value}").expect("a text takes any text");
        }
    }
    text.push('\n');
    text
}
