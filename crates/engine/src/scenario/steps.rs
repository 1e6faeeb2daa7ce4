//! Names of the steps that can be taken back: what all questions say alike of numbers, rows and sums of changes.

use super::fields;
use crate::model::precision::{Precision, Stored};

/// Rows with a number each that stays with them through moves.
pub type Rows<'a, R> = (&'a [R], &'a [u32]);

/// `memory 20 to 24 GB`.
#[must_use]
pub fn number(key: &str, old: f64, new: f64) -> String {
    fields::of(key).map_or_else(String::new, |field| field.change(old, new))
}

/// Returns true if all rows were replaced.
#[must_use]
pub fn are_others(old: &[u32], new: &[u32]) -> bool {
    !old.is_empty() && !new.is_empty() && !new.iter().any(|id| old.contains(id))
}

/// Describes the change of rows; `change` describes that of a single row.
///
/// # Complexity
/// O(rows²).
pub fn rows<R>(
    (old, old_ids): Rows<'_, R>,
    (new, new_ids): Rows<'_, R>,
    name: fn(&R) -> &str,
    change: impl Fn(&R, &R) -> Vec<String>,
) -> Vec<String> {
    let mut changes = Vec::new();
    for (id, row) in new_ids.iter().zip(new) {
        match old_ids.iter().position(|other| other == id) {
            Some(at) => changes.extend(change(&old[at], row)),
            None => changes.push(format!("added {}", name(row))),
        }
    }
    for (id, row) in old_ids.iter().zip(old) {
        if !new_ids.contains(id) {
            changes.push(format!("removed {}", name(row)));
        }
    }
    changes
}

/// How weights and cache are stored now, in words, if otherwise than before.
#[must_use]
pub fn stored(old: Stored, new: Stored) -> Vec<String> {
    let pairs = [
        ("weights", old.weights, new.weights),
        ("cache", old.cache, new.cache),
    ];
    let changed = pairs.into_iter().filter(|(_, old, new)| old != new);
    changed
        .map(|(what, _, new)| format!("{what} in {}", new.map_or("16 bits", Precision::name)))
        .collect()
}

/// One change by its name, several by their number.
#[must_use]
pub fn summed_up(mut changes: Vec<String>) -> String {
    match changes.as_mut_slice() {
        [] => "no change".to_owned(),
        [change] => std::mem::take(change),
        many => format!("{} changes", many.len()),
    }
}
