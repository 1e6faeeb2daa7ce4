//! Settings of what is looked at: a token, a step, one request. They are no part of the scenario, so nothing is there to undo.

use super::wire::{Name, name};
use serde::{Deserialize, Serialize};

/// Settings of what a place shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Dials"))]
pub struct ControlGroup {
    /// The place, which is filled for every setting; empty where only charts follow.
    #[serde(deserialize_with = "name")]
    pub place: Name,
    /// Each of them.
    #[serde(rename = "dials")]
    pub controls: Vec<Control>,
    /// The button that has the place filled, and what is said meanwhile, where it is not filled at every turn.
    pub button: Option<(String, String)>,
}

/// A number that is turned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Dial"))]
pub struct Control {
    /// Its name in the page.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// Key of the value. Controls and charts with one key share the value.
    #[serde(deserialize_with = "name")]
    pub sets: Name,
    /// Label.
    pub label: String,
    /// Its ends.
    pub ends: (f64, f64),
    /// Where it stands until it is turned.
    pub at: f64,
    /// Unit behind the number: `tokens`.
    pub unit: String,
    /// How it is turned.
    #[serde(rename = "turn")]
    pub input: ControlInput,
}

/// Kind of a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Turn"))]
pub enum ControlInput {
    /// It slides.
    #[default]
    Slides,
    /// It slides, or runs to its end by itself.
    Plays,
    /// A whole number is typed.
    Typed,
}

impl ControlGroup {
    /// Settings of a place, which is filled for every one of them.
    #[must_use]
    pub const fn of(place: Name, dials: Vec<Control>) -> Self {
        Self {
            place,
            controls: dials,
            button: None,
        }
    }

    /// Returns the group with a button that fills the slot. The button is labelled `words`, and `meanwhile` while the query runs.
    #[must_use]
    pub fn pressed(mut self, words: impl Into<String>, meanwhile: impl Into<String>) -> Self {
        self.button = Some((words.into(), meanwhile.into()));
        self
    }
}

impl Control {
    /// A slider that sets something of its own.
    #[must_use]
    pub fn new(id: Name, label: impl Into<String>, ends: (f64, f64), at: f64) -> Self {
        Self {
            id,
            sets: id,
            label: label.into(),
            ends,
            at,
            unit: String::new(),
            input: ControlInput::Slides,
        }
    }

    /// Returns the control with a unit behind its number.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Returns the control with the key `what`, to share its value with others.
    #[must_use]
    pub const fn sets(mut self, what: Name) -> Self {
        self.sets = what;
        self
    }

    /// Returns the control as another kind of input.
    #[must_use]
    pub const fn by(mut self, turn: ControlInput) -> Self {
        self.input = turn;
        self
    }
}
