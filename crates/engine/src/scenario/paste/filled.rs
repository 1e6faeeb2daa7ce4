//! What a table of devices does not say: taken from a device of the same name, from the catalogue, or assumed with a range,
//! and said in notes.

use super::FLEET;
use super::grid::{Grid, Row};
use super::head::Column;
use crate::hardware;
use crate::hardware::machines::{self, Fact};
use crate::scenario::catalogue::machines::device;
use crate::scenario::fields::Numbers;
use crate::scenario::{Device, Ranges, Span};
use std::fmt::Write;

/// Where the rest of a row is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Present,
    Catalogue,
    Rule,
}

/// The devices of a table, and what was filled in.
pub(super) fn devices(
    grid: &Grid,
    columns: &[Column],
    present: &[Device],
) -> (Vec<Device>, Vec<String>) {
    let rows = grid.rows.iter().enumerate();
    // What may be unknown is so where its column has no number; without the column it stays as it was.
    let stays = |column: &Column| !column.may_be_empty || grid.absent.contains(&column.key);
    let filled: Vec<(Device, From)> = rows
        .map(|(at, row)| filled(at, row, columns, stays, present))
        .collect();
    let notes = notes(grid, &filled);
    (
        filled.into_iter().map(|(device, _)| device).collect(),
        notes,
    )
}

/// A row with what it does not say.
fn filled(
    at: usize,
    row: &Row,
    columns: &[Column],
    stays: impl Fn(&Column) -> bool,
    present: &[Device],
) -> (Device, From) {
    let name = row.text.clone().unwrap_or_else(|| format!("D{}", at + 1));
    let same = present.iter().find(|d| d.name == name).cloned();
    let (mut device, from) = match (same, machines::find(&name)) {
        (Some(same), _) => (same, From::Present),
        (None, Some(machine)) => (device(machine), From::Catalogue),
        (None, None) => (unknown(), From::Rule),
    };
    device.name = name;
    for (column, read) in columns.iter().zip(&row.numbers) {
        let Some(number) = Device::number(column.key) else {
            continue;
        };
        if read.is_none() && stays(column) {
            continue;
        }
        (number.set)(&mut device, *read);
        // A range that somebody gave stays with its number; one that was assumed gives way.
        if from != From::Present || read.is_none() {
            device.ranges.remove(column.key);
        }
    }
    (device, from)
}

/// A device of which nothing is known; compute, disk and memory come from the table.
fn unknown() -> Device {
    let facts = machines::of_any_machine();
    let value = |field: &str| {
        let fact = facts.iter().find(|(name, _)| *name == field);
        fact.map_or(0.0, |(_, fact)| fact.value)
    };
    let span = |(field, fact): &(&str, Fact)| Some(((*field).to_owned(), Span::from(fact.range?)));
    let hardware = hardware::Device {
        util_limit: value("a"),
        util_rate: value("b"),
        uplink_dbm: value("pu_dbm"),
        downlink_dbm: value("pd_dbm"),
        distance_m: value("d_m"),
        ..hardware::Device::default()
    };
    Device {
        ranges: facts.iter().filter_map(span).collect::<Ranges>(),
        ..Device::from_hardware("", &hardware)
    }
}

/// What was filled in for columns that are not there.
fn notes(grid: &Grid, filled: &[(Device, From)]) -> Vec<String> {
    let mut notes = Vec::new();
    if grid.absent.contains(&"name") {
        let count = grid.rows.len();
        notes.push(format!("No column of names: D1 to D{count} were used."));
    }
    let absent: Vec<&str> = FLEET
        .iter()
        .filter(|column| !column.is_text && grid.absent.contains(&column.key))
        .map(|column| column.noun)
        .collect();
    let names = |from: From| -> Vec<&str> {
        let of = filled.iter().filter(|(_, of)| *of == from);
        of.map(|(device, _)| device.name.as_str()).collect()
    };
    let by_catalogue = names(From::Catalogue);
    if !by_catalogue.is_empty() {
        let mut what = absent.clone();
        if grid.absent.contains(&"bandwidth_gb_s") {
            what.push("memory rate");
        }
        let what = what.join(", ");
        notes.push(format!(
            "From the catalogue, by name, with its ranges: {what} of {}.",
            by_catalogue.join(", ")
        ));
    }
    if absent.is_empty() {
        return notes;
    }
    let by_rule = names(From::Rule);
    if let Some((device, _)) = filled.iter().find(|(_, from)| *from == From::Rule) {
        let mut values = String::new();
        let assumed = device.numbers();
        for (field, value) in assumed.filter(|(field, _)| grid.absent.contains(&field.key)) {
            let column = FLEET.iter().find(|column| column.key == field.key);
            let noun = column.map_or("", |column| column.noun);
            let shown = format!("{value} {}", field.unit);
            let gap = if values.is_empty() { "" } else { ", " };
            let span = device.ranges.get(field.key);
            let span = span.map_or_else(String::new, |span| span.words(""));
            write!(values, "{gap}{noun} {} ({span})", shown.trim_end())
                .expect("a text takes any text");
        }
        notes.push(format!(
            "No column for these, so they are assumed, with ranges, for {}: {values}.",
            by_rule.join(", ")
        ));
    }
    let kept = names(From::Present);
    if !kept.is_empty() {
        notes.push(format!(
            "Existing devices of the same name keep {}: {}.",
            absent.join(", "),
            kept.join(", ")
        ));
    }
    notes
}
