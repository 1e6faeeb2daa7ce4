//! Edits that an answer offers, as values at places of the scenario file.

use document::Edit;
use engine::problem::Invalid;
use engine::scenario::world::FileFormat;
use serde_json::Value;

/// Returns `scenario` after an edit that its answer offers.
///
/// # Errors
/// The result is invalid, because the answer belongs to another scenario.
pub fn changed<S: FileFormat>(scenario: &S, edit: &Edit) -> Result<S, Invalid> {
    let mut file = json_of(scenario);
    for (pointer, json) in &edit.sets {
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        let value = serde_json::from_str(json).unwrap_or_default();
        match file.pointer_mut(parent) {
            Some(Value::Object(fields)) => {
                fields.insert(key.replace("~1", "/").replace("~0", "~"), value);
            }
            Some(Value::Array(all)) => {
                let at = key.parse().ok().and_then(|at: usize| all.get_mut(at));
                at.into_iter().for_each(|place| *place = value.clone());
            }
            _ => {}
        }
    }
    S::of_file(&file.to_string())
}

fn json_of<S: FileFormat>(scenario: &S) -> Value {
    serde_json::from_str(&scenario.to_file()).unwrap_or_default()
}

/// Returns the edit that turns `before` into `after`.
///
/// # Complexity
/// O(size of both).
#[must_use]
pub fn difference<S: FileFormat>(before: &S, after: &S) -> Edit {
    let mut edit = Edit::default();
    differ(&json_of(before), &json_of(after), String::new(), &mut edit);
    edit
}

fn differ(before: &Value, after: &Value, place: String, edit: &mut Edit) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) if before.keys().eq(after.keys()) => {
            for ((key, after), before) in after.iter().zip(before.values()) {
                let key = key.replace('~', "~0").replace('/', "~1");
                differ(before, after, format!("{place}/{key}"), edit);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                differ(before, after, format!("{place}/{at}"), edit);
            }
        }
        _ => edit.sets.push((place, after.to_string())),
    }
}

/// Returns `scenario` with `number` at a place of its file, given as a JSON Pointer.
///
/// # Errors
/// The result is invalid.
pub fn with_number<S: FileFormat>(scenario: &S, pointer: &str, number: f64) -> Result<S, Invalid> {
    changed(scenario, &Edit::of(pointer, number.to_string()))
}

/// Rounds to three significant digits.
#[must_use]
pub fn three_digits(number: f64) -> f64 {
    let digits = 2.0 - libm::floor(libm::log10(number.abs().max(1e-12)));
    let scale = libm::exp10(digits);
    libm::round(number * scale) / scale
}
