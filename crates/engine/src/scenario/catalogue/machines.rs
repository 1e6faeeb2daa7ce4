//! Machines as rows of the catalogue and as devices: what is known as a range is put on the device as one.

use super::{CatalogueKind, CatalogueRow};
use crate::hardware::machines::{CatalogMachine, MachineFact};
use crate::scenario::{Device, Ranges, Span, fields};

/// A machine as a row: every number of a device, the ranges of those that have one, the memory rate, and in words what is
/// from the source and what is assumed.
#[must_use]
pub fn row(machine: &CatalogMachine) -> CatalogueRow {
    let facts = machine.facts();
    let of = |field: &str| machine.fact(field);
    let numbers = CatalogueKind::Device
        .fields()
        .into_iter()
        .map(|field| of(field).value);
    let is_device =
        |field: &str| field == "bandwidth_gb_s" || CatalogueKind::Device.fields().contains(&field);
    let spans: Ranges = facts
        .iter()
        .filter(|(field, _)| is_device(field))
        .filter_map(|(field, fact)| Some(((*field).to_owned(), Span::from(fact.range?))))
        .collect();
    CatalogueRow {
        note: note(machine),
        ranges: spans,
        bandwidth_gb_s: Some(of("bandwidth_gb_s").value),
        ..CatalogueRow::new(
            CatalogueKind::Device,
            machine.name,
            &machine.source(),
            numbers.collect(),
        )
    }
}

/// A machine as a device, with its ranges.
#[must_use]
pub fn device(machine: &CatalogMachine) -> Device {
    row(machine)
        .device()
        .expect("a machine has every number of a device")
}

/// Which facts are from the source, and which are assumed by which rule.
fn note(machine: &CatalogMachine) -> String {
    let of = |field: &str| machine.fact(field);
    let number = |field: &str| {
        let fact = of(field);
        let unit = fields::of(field).map_or("", |range| range.unit);
        format!("{} {unit}{}", fact.value, spread(&fact))
    };
    let compute = of("c_peak_tflops");
    let by = if compute.is_assumed() {
        "assumed, "
    } else {
        ""
    };
    let usable = of("m_gb");
    let (usable_given, usable_assumed) = if usable.is_assumed() {
        (
            String::new(),
            format!("memory ({}), ", usable.origin.description()),
        )
    } else {
        (
            format!(", of which {} GB are usable", usable.value),
            String::new(),
        )
    };
    format!(
        "{}. Compute{}: {by}{}. Sold with {}{usable_given}; memory rate {}. Assumed for a {}, with ranges: {usable_assumed}disk \
         ({}), utilisation ({}), sender power and distance.",
        machine.also,
        spread(&compute),
        compute.origin.description(),
        number("memory_gb"),
        number("bandwidth_gb_s"),
        machine.class.noun(),
        of("r_mb_s").origin.description(),
        of("a").origin.description(),
    )
}

/// ` (34 to 51, assumed)`, or nothing for a point.
fn spread(fact: &MachineFact) -> String {
    let Some((low, high)) = fact.range else {
        return String::new();
    };
    let by = if fact.is_assumed() { ", assumed" } else { "" };
    format!(" ({low} to {high}{by})")
}
