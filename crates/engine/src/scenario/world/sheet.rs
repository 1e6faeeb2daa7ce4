//! Facts that a scenario of one question states about machines, network, model and request.

use super::fact::{FactNumbers, Given};
use crate::model::precision::Stored;
use crate::scenario::fields::NumberFields as HasNumbers;
use crate::scenario::{Model, Ranges};

/// Names of numbers that stand elsewhere under another one: here, there.
pub type Names = &'static [(&'static str, &'static str)];

/// A machine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SheetRow {
    pub name: String,
    pub off: bool,
    pub numbers: FactNumbers,
    pub link: Option<FactNumbers>,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelSheet {
    pub name: String,
    pub numbers: FactNumbers,
    pub tied: Option<bool>,
    pub body: Option<Model>,
    pub stored: Stored,
}

/// Shared facts that a scenario states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SharedFacts {
    /// Its machines.
    pub machines: Vec<SheetRow>,
    /// Its model.
    pub model: ModelSheet,
    /// Numbers of the network.
    pub network: FactNumbers,
    /// Numbers of a request.
    pub request: FactNumbers,
}

/// The name by which a number of an object is known to all questions.
#[must_use]
pub fn shared_name(own: &'static str, names: Names) -> &'static str {
    let named = names.iter().find(|(here, _)| *here == own);
    named.map_or(own, |(_, there)| there)
}

/// The numbers of an object, under the names that all questions have for them; ranges are under `owner` and the own name.
pub fn read<T: HasNumbers>(
    object: &T,
    names: Names,
    ranges: Option<(&Ranges, &str)>,
) -> FactNumbers {
    let numbers = object.numbers().map(|(field, value)| {
        let range = ranges.and_then(|(ranges, owner)| {
            let span = ranges.get(&format!("{owner}{}", field.key));
            span.copied()
        });
        (shared_name(field.key, names), Given::new(value, range))
    });
    numbers.collect()
}

/// The ranges of numbers as an object carries them, by its own names behind `owner`.
pub fn spans(found: &[(&'static str, Given)], owner: &str) -> Ranges {
    let with_range = found.iter().filter_map(|(key, given)| {
        let span = given.range?;
        Some((format!("{owner}{key}"), span))
    });
    with_range.collect()
}
