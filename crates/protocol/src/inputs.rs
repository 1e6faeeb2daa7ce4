//! Inputs of an answer: every number, choice and name of its scenario, with owner and source.

use crate::assumed::from;
use document::Input;
use engine::scenario::fields;
use engine::scenario::world::{FieldOwner, LocatedField, QuestionView, World};
use engine::units::{MINUS, NARROW, rounded};
use serde_json::Value;

/// Keys that describe the file and are not inputs.
const NOT_INPUTS: [&str; 4] = ["format", "question", "title", "name"];
/// Longest list whose values are shown; of longer ones, only the length.
const LONG: usize = 12;

/// Returns the inputs of a view, in the order of its scenario file. [`Input::of`] is the name of a device or of the part of
/// the scenario that the number belongs to.
///
/// # Complexity
/// O(numbers of the scenario · fields of a machine).
#[must_use]
pub fn inputs(world: &World, view: &QuestionView) -> Vec<Input> {
    let text = view.scenario.to_json();
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    let mut found = Vec::new();
    let spots = world.spots(view);
    let walk = Walk {
        world,
        view,
        spots: &spots,
    };
    walk.of(&document, &Place::default(), &mut found);
    found
}

/// Describes the inputs with the given keys.
#[must_use]
pub fn describe(world: &World, view: &QuestionView, keys: &[&str]) -> Vec<String> {
    document::input::describe_inputs(&inputs(world, view), keys)
}

/// A place in the scenario file.
#[derive(Debug, Clone, Default)]
struct Place {
    /// Key of the value.
    key: String,
    /// Key of the enclosing object: "link", "cost"; empty at the top.
    within: String,
    /// Index and name of the device.
    row: Option<(usize, String)>,
}

struct Walk<'a> {
    world: &'a World,
    view: &'a QuestionView,
    spots: &'a [LocatedField],
}

impl Walk<'_> {
    fn of(&self, value: &Value, place: &Place, found: &mut Vec<Input>) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    let inner = Place {
                        key: key.clone(),
                        within: place.key.clone(),
                        row: place.row.clone(),
                    };
                    if !NOT_INPUTS.contains(&key.as_str()) {
                        self.of(value, &inner, found);
                    }
                }
            }
            Value::Array(all) if all.iter().all(Value::is_object) && place.row.is_none() => {
                for (at, one) in all.iter().enumerate() {
                    let name = one.get("name").and_then(Value::as_str).unwrap_or_default();
                    let name = match name {
                        "" => format!("{} {}", place.key, at + 1),
                        name => name.to_owned(),
                    };
                    let row = Some((at, name));
                    let key = String::new();
                    self.of(
                        one,
                        &Place {
                            key,
                            row,
                            ..place.clone()
                        },
                        found,
                    );
                }
            }
            Value::Array(all) => {
                let value_list = match all.len() {
                    n if n > LONG => format!("{n} values"),
                    _ => all.iter().map(value_text).collect::<Vec<_>>().join(", "),
                };
                found.push(self.input(place, value_list, None));
            }
            Value::Null => {}
            other => found.push(self.input(place, value_text(other), other.as_f64())),
        }
    }

    fn input(&self, place: &Place, words: String, number: Option<f64>) -> Input {
        let field = fields::of(&place.key);
        let value = match (field, number) {
            (Some(field), Some(number)) if !field.unit.is_empty() => {
                let number = rounded(number, 6)
                    .to_string()
                    .replace('-', &MINUS.to_string());
                format!("{number}{NARROW}{}", field.unit)
            }
            _ => words,
        };
        let of = match (&place.row, place.within.as_str()) {
            (Some((_, name)), _) => name.clone(),
            (None, within) => within.replace('_', " "),
        };
        Input {
            key: place.key.clone(),
            what: field.map_or_else(
                || place.key.replace('_', " "),
                |field| field.noun.to_owned(),
            ),
            of,
            value,
            from: self.source(place).unwrap_or_else(|| "given".to_owned()),
        }
    }

    /// Returns the source of a number of the shared scenario; `None` for settings of the question, which are always given.
    fn source(&self, place: &Place) -> Option<String> {
        let is_link = place.within == "link" && place.row.is_some();
        let here = |spotted: &&LocatedField| {
            let is_there = match (spotted.location.owner, &place.row) {
                (FieldOwner::Machine(at), Some((row, _))) => at == *row && !is_link,
                (FieldOwner::Link(at), Some((row, _))) => at == *row && is_link,
                (FieldOwner::Machine(_) | FieldOwner::Link(_), None) => false,
                (_, row) => row.is_none(),
            };
            is_there && spotted.field.key == place.key
        };
        let spotted = self.spots.iter().find(here)?;
        let row = place.row.as_ref();
        let id = row.and_then(|(at, _)| self.view.rows.get(*at).copied());
        let origin = self
            .world
            .origin(self.view, id, spotted.location.key, spotted.value);
        origin.map(|origin| from(&origin))
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(words) => words.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.as_f64().map_or_else(
            || number.to_string(),
            |number| {
                rounded(number, 6)
                    .to_string()
                    .replace('-', &MINUS.to_string())
            },
        ),
        Value::Object(object) => format!("{} values", object.len()),
        Value::Array(all) => format!("{} values", all.len()),
        Value::Null => String::new(),
    }
}
