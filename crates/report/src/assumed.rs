//! What a question assumes of a scenario that does not say it: which number, of whom, what is taken, why.

use crate::list;
use engine::scenario::fields;
use engine::scenario::world::{Assumed, Owner, View, World};
use engine::units::{NARROW, rounded};
use serde::Serialize;

/// A number that is assumed, of one owner or of several for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What it is: "memory rate".
    pub what: &'static str,
    /// Of whom: names of machines, or "model", "network", "request".
    pub of: Vec<String>,
    /// What is taken, with its unit; a span where owners differ.
    pub value: String,
    /// Why.
    pub why: String,
}

impl Group {
    /// One sentence: "Memory rate of D1 and D2: 102 to 205 GB/s, the median of …".
    #[must_use]
    pub fn words(&self) -> String {
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

/// What a view assumes, in the order of its first owner.
///
/// # Complexity
/// O(assumed · groups).
#[must_use]
pub fn groups(world: &World, view: &View) -> Vec<Group> {
    let mut found: Vec<(Vec<&Assumed>, Vec<String>)> = Vec::new();
    for one in &view.assumed {
        let owner = match one.owner {
            Owner::Machine(id) => {
                let machine = world.machines.iter().find(|machine| machine.id == id);
                machine.map_or_else(String::new, |machine| machine.name.clone())
            }
            Owner::Model => "the model".to_owned(),
            Owner::Network => "the network".to_owned(),
            Owner::Request => "a request".to_owned(),
        };
        let same = found
            .iter_mut()
            .find(|(all, _)| all[0].key == one.key && all[0].why == one.why);
        match same {
            Some((all, owners)) => {
                all.push(one);
                owners.push(owner);
            }
            None => found.push((vec![one], vec![owner])),
        }
    }
    found
        .into_iter()
        .map(|(all, of)| {
            let key = all[0].key;
            let values = || all.iter().map(|one| rounded(one.value, 6));
            let low = values().fold(f64::INFINITY, f64::min);
            let high = values().fold(f64::NEG_INFINITY, f64::max);
            let unit = fields::of(key).map_or("", |field| field.unit);
            let number = match low == high {
                true => low.to_string(),
                false => format!("{low} to {high}"),
            };
            let value = match unit {
                "" => number,
                unit => format!("{number}{NARROW}{unit}"),
            };
            Group {
                what: fields::noun(key),
                of,
                value,
                why: all[0].why.clone(),
            }
        })
        .collect()
}
