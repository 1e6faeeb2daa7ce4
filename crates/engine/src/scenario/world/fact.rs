//! Facts: a number, the range it is known in, and where it is from.

use super::resolver::Assumed;
use crate::hardware::machines::{self, CatalogMachine};
use crate::scenario::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number and where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldFact {
    /// The number, in the unit of its field.
    pub value: f64,
    /// The range in which it is known.
    pub range: Option<Span>,
    /// Where it is from.
    pub origin: FactOrigin,
}

/// Where a number is from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactOrigin {
    /// A person gave it.
    #[default]
    Given,
    /// It is in the catalogue: the row, and its source.
    Catalogue(String),
    /// It was measured: how.
    Measured(String),
    /// It was read from this file.
    File(String),
    /// It follows from this rule.
    Assumed(String),
}

impl FactOrigin {
    /// The source, the way it was measured, the file or the rule; empty where it was given.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Given => "",
            Self::Catalogue(words)
            | Self::Measured(words)
            | Self::File(words)
            | Self::Assumed(words) => words,
        }
    }
}

/// Facts by field.
pub type WorldFacts = BTreeMap<&'static str, WorldFact>;

/// A number with its range, as a scenario of one question has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Given {
    /// The number, in the unit of its field.
    pub value: f64,
    /// The range in which it is known.
    pub range: Option<Span>,
}

/// Numbers by field.
pub type FactNumbers = BTreeMap<&'static str, Given>;

impl Given {
    /// A number with its range, if it has one.
    #[must_use]
    pub const fn new(value: f64, range: Option<Span>) -> Self {
        Self { value, range }
    }
}

/// Keys of one quantity, with the factor from the first to the second.
const SAME: [(&str, &str, f64); 2] = [
    ("m_gb", "limit_mib", 1e9 / 1_048_576.0),
    ("rate_mbit_s", "gbit_s", 1e-3),
];

/// The other name of a quantity, and what a number of that name is multiplied by.
fn other_name(key: &str) -> Option<(&'static str, f64)> {
    SAME.iter().find_map(|(one, other, factor)| match key {
        key if key == *other => Some((*one, *factor)),
        key if key == *one => Some((*other, 1.0 / factor)),
        _ => None,
    })
}

/// A fact under whichever of its names it stands.
pub(super) fn find_fact(facts: &WorldFacts, key: &str) -> Option<WorldFact> {
    if let Some(fact) = facts.get(key) {
        return Some(fact.clone());
    }
    let (other, factor) = other_name(key)?;
    let fact = facts.get(other)?;
    let times = |span: Span| Span::from((factor * span.low, factor * span.high));
    Some(WorldFact {
        value: factor * fact.value,
        range: fact.range.map(times),
        origin: fact.origin.clone(),
    })
}

/// Removes what is known of a quantity.
pub(super) fn remove_fact(facts: &mut WorldFacts, key: &str) {
    facts.remove(key);
    if let Some((other, _)) = other_name(key) {
        facts.remove(other);
    }
}

/// A fact in the place of whatever was known of its quantity.
pub(super) fn put(facts: &mut WorldFacts, key: &'static str, given: Given, origin: FactOrigin) {
    remove_fact(facts, key);
    let Given { value, range } = given;
    let fact = WorldFact {
        value,
        range,
        origin,
    };
    facts.insert(key, fact);
}

/// Numbers that the user gave.
pub(super) fn all_given(numbers: &FactNumbers) -> WorldFacts {
    let mut facts = WorldFacts::new();
    for (key, given) in numbers {
        put(&mut facts, key, *given, FactOrigin::Given);
    }
    facts
}

/// Numbers of a row that came: those that the catalogue has for a machine of that name are from there.
pub(super) fn of_row(name: &str, numbers: &FactNumbers) -> WorldFacts {
    let mut facts = all_given(numbers);
    let Some(machine) = machines::named(name) else {
        return facts;
    };
    for (key, known) in machine.facts() {
        if let Some(fact) = facts.get_mut(key)
            && fact.value.to_bits() == known.value.to_bits()
            && fact.range == known.range.map(Span::from)
        {
            fact.origin = origin(machine, known.origin);
        }
    }
    facts
}

/// Returns the facts of a machine of the catalogue.
pub(super) fn of_catalogue(machine: &CatalogMachine) -> WorldFacts {
    let mut facts = WorldFacts::new();
    for (key, known) in machine.facts() {
        let given = Given::new(known.value, known.range.map(Span::from));
        put(&mut facts, key, given, origin(machine, known.origin));
    }
    facts
}

/// Where a fact of the catalogue is from.
fn origin(machine: &CatalogMachine, from: machines::FactSource) -> FactOrigin {
    let words = format!("{}: {}", machine.name, from.description());
    match from {
        machines::FactSource::Assumed(_) => FactOrigin::Assumed(words),
        machines::FactSource::Measured(_) => FactOrigin::Measured(words),
        machines::FactSource::Sheet(_) => FactOrigin::Catalogue(words),
    }
}

/// Takes over what became of numbers between two scenarios. Where anything did, what was shown stays as it was, and what
/// was assumed besides follows its rules again.
pub(super) fn absorb<'a>(
    facts: &mut WorldFacts,
    old: &FactNumbers,
    new: &FactNumbers,
    assumed: impl Iterator<Item = &'a Assumed>,
) {
    if old == new {
        return;
    }
    facts.retain(|key, fact| {
        old.contains_key(key) || !matches!(fact.origin, FactOrigin::Assumed(_))
    });
    for one in assumed {
        if new.contains_key(one.key) {
            let origin = FactOrigin::Assumed(one.why.clone());
            put(facts, one.key, Given::new(one.value, one.range), origin);
        }
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        remove_fact(facts, key);
    }
    for (key, given) in new {
        if old.get(key) != Some(given) {
            put(facts, key, *given, FactOrigin::Given);
        }
    }
}

/// The fact as a file has it: a number alone where it is given and there is no more to say.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum WrittenFact {
    /// A given number.
    Plain(f64),
    /// A number with more.
    Full(WholeFact),
}

/// A number with its range and where it is from.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WholeFact {
    value: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<Span>,
    #[serde(default)]
    from: FactOrigin,
}

impl From<&WorldFact> for WrittenFact {
    fn from(fact: &WorldFact) -> Self {
        let WorldFact {
            value,
            range,
            origin,
        } = fact.clone();
        match (range, &origin) {
            (None, FactOrigin::Given) => Self::Plain(value),
            _ => Self::Full(WholeFact {
                value,
                range,
                from: origin,
            }),
        }
    }
}

impl From<WrittenFact> for WorldFact {
    fn from(written: WrittenFact) -> Self {
        let (value, range, origin) = match written {
            WrittenFact::Plain(value) => (value, None, FactOrigin::Given),
            WrittenFact::Full(whole) => (whole.value, whole.range, whole.from),
        };
        Self {
            value,
            range,
            origin,
        }
    }
}
