//! Sources of the numbers of a scenario, and the assumptions that a question makes for numbers that are missing.
//!
//! Numbers of one field that have the same reason are one [`NumberGroup`].

use document::list;
use engine::scenario::fields;
use engine::scenario::world::{FactOrigin, Owner, QuestionView, World};
use engine::units::{MINUS, NARROW, rounded};
use serde::Serialize;

/// A number of one or more owners that all have it for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumberGroup {
    /// Noun of the field: "memory rate".
    pub what: &'static str,
    /// Owners: names of machines, or "the model", "the network", "a request".
    pub of: Vec<String>,
    /// Value with its unit; a range where owners differ.
    pub value: String,
    /// Source, or the reason of an assumption.
    pub why: String,
}

impl NumberGroup {
    /// Returns one sentence: "Memory rate of D1 and D2: 102 to 205 GB/s, the median of …".
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut letters = self.what.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let what: String = first.into_iter().chain(letters).collect();
        format!(
            "{what} of {}: {}, {}.",
            list(&self.of),
            self.value,
            self.why
        )
    }
}

/// A number: owner, key of the field, value, source or reason.
type KnownNumber<'a> = (&'a str, &'static str, f64, String);

const MODEL: &str = "the model";
const NETWORK: &str = "the network";
const REQUEST: &str = "a request";

/// Returns the assumptions of a view, in the order of their first owners.
///
/// # Complexity
/// O(assumed · groups).
#[must_use]
pub fn groups(world: &World, view: &QuestionView) -> Vec<NumberGroup> {
    let name = |id: u32| {
        let machine = world.machines.iter().find(|machine| machine.id == id);
        machine.map_or("", |machine| machine.name.as_str())
    };
    let all = view.assumed.iter().chain(&view.replaced).map(|one| {
        let owner = match one.owner {
            Owner::Machine(id) => name(id),
            Owner::Model => MODEL,
            Owner::Network => NETWORK,
            Owner::Request => REQUEST,
        };
        (owner, one.key, one.value, one.why.clone())
    });
    let one_of = view.one_of.iter().map(|(id, nodes)| {
        let why = format!("this question uses one of its {nodes} nodes");
        (name(*id), "nodes", 1.0, why)
    });
    grouped(all.chain(one_of))
}

/// Returns all numbers of a shared scenario with their sources.
///
/// # Complexity
/// O(facts · groups).
#[must_use]
pub fn sources(world: &World) -> Vec<NumberGroup> {
    let of_machines = world.machines.iter();
    let of_machines = of_machines.map(|machine| (machine.name.as_str(), &machine.facts));
    let others = [
        (MODEL, &world.model.facts),
        (NETWORK, &world.network),
        (REQUEST, &world.request),
    ];
    let all = of_machines.chain(others).flat_map(|(owner, facts)| {
        let known = facts.iter();
        known.map(move |(key, fact)| (owner, *key, fact.value, from(&fact.origin)))
    });
    grouped(all)
}

/// Describes the source of a number: "catalogue, …".
#[must_use]
pub fn from(origin: &FactOrigin) -> String {
    match origin {
        FactOrigin::Given => "given".to_owned(),
        FactOrigin::Catalogue(words) => format!("catalogue, {words}"),
        FactOrigin::Measured(words) => format!("measured, {words}"),
        FactOrigin::File(words) => format!("read from {words}"),
        FactOrigin::Assumed(words) => format!("assumed, {words}"),
    }
}

/// Groups numbers by field and reason, in the order of the first of each group.
fn grouped<'a>(all: impl Iterator<Item = KnownNumber<'a>>) -> Vec<NumberGroup> {
    let mut found: Vec<Vec<KnownNumber<'a>>> = Vec::new();
    for one in all {
        let same = found
            .iter_mut()
            .find(|group| group[0].1 == one.1 && group[0].3 == one.3);
        match same {
            Some(group) => group.push(one),
            None => found.push(vec![one]),
        }
    }
    found.into_iter().map(|group| of_group(&group)).collect()
}

fn of_group(group: &[KnownNumber<'_>]) -> NumberGroup {
    let (_, key, _, why) = &group[0];
    let values = || group.iter().map(|one| rounded(one.2, 6));
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let unit = fields::of(key).map_or("", |field| field.unit);
    let number = match low == high {
        true => low.to_string(),
        false => format!("{low} to {high}"),
    };
    let number = number.replace('-', &MINUS.to_string());
    NumberGroup {
        what: fields::noun(key),
        of: group.iter().map(|one| one.0.to_owned()).collect(),
        value: match unit {
            "" => number,
            unit => format!("{number}{NARROW}{unit}"),
        },
        why: why.clone(),
    }
}
