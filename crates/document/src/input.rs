//! Inputs of an answer: every number that a user could have set, with owner and source.

use super::list;
use super::table::{Cell, Table};
use serde::Serialize;

/// A number, a choice or a name of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Input {
    /// Its field, by the name that scenario files have for it.
    pub key: String,
    /// Noun of the field: "memory rate".
    pub what: String,
    /// Whose it is: the name of a machine, or "model", "network", "request"; empty for the question's own.
    pub of: String,
    /// Its value with its unit.
    pub value: String,
    /// Where it is from: "given", "catalogue, …", "assumed, …".
    pub from: String,
}

/// Inputs with those together that are the same for several owners, in the order of the first.
///
/// # Complexity
/// O(inputs · groups).
#[must_use]
pub fn grouped(inputs: &[Input]) -> Vec<(Vec<&str>, &Input)> {
    let mut found: Vec<(Vec<&str>, &Input)> = Vec::new();
    for input in inputs {
        let alike = |other: &Input| {
            other.key == input.key && other.value == input.value && other.from == input.from
        };
        match found.iter_mut().find(|(_, first)| alike(first)) {
            Some((owners, _)) => owners.push(&input.of),
            None => found.push((vec![&input.of], input)),
        }
    }
    found
}

/// The inputs as a table, alike ones in one row.
#[must_use]
pub fn table(inputs: &[Input]) -> Table {
    let row = |(owners, input): (Vec<&str>, &Input)| {
        vec![
            Cell::text(input.what.clone()),
            Cell::text(list(&owners)),
            Cell::text(input.value.clone()),
            Cell::text(input.from.clone()),
        ]
    };
    let columns = [
        ("what", "input", ""),
        ("of", "of", ""),
        ("value", "value", ""),
        ("from", "source", ""),
    ];
    let rows = grouped(inputs).into_iter().map(row).collect();
    Table::new("inputs", "Inputs and their sources", &columns, rows)
}

/// Describes the inputs with the given keys: `memory rate of NX and AGX: 102 GB/s, given`.
#[must_use]
pub fn describe_inputs(inputs: &[Input], keys: &[&str]) -> Vec<String> {
    let named = |input: &&Input| keys.contains(&input.key.as_str());
    let all: Vec<Input> = inputs.iter().filter(named).cloned().collect();
    let words = |(owners, input): (Vec<&str>, &Input)| {
        let owners: Vec<&str> = owners
            .into_iter()
            .filter(|owner| !owner.is_empty())
            .collect();
        let of = match owners.is_empty() {
            true => String::new(),
            false => format!(" of {}", list(&owners)),
        };
        format!("{}{of}: {}, {}", input.what, input.value, input.from)
    };
    grouped(&all).into_iter().map(words).collect()
}
