//! Settings of what is looked at: a token, a step, one request. They are no part of the scenario, so nothing is there to undo.

use super::wire::{Name, name};
use serde::{Deserialize, Serialize};

/// Settings of what a place shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Dials {
    /// The place, which is filled for every setting; empty where only charts follow.
    #[serde(deserialize_with = "name")]
    pub place: Name,
    /// Each of them.
    pub dials: Vec<Dial>,
    /// The button that has the place filled, and what is said meanwhile, where it is not filled at every turn.
    pub button: Option<(String, String)>,
}

/// A number that is turned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Dial {
    /// Its name in the page.
    #[serde(deserialize_with = "name")]
    pub id: Name,
    /// What it sets: dials that set the same stand alike, and so do the charts that turn it.
    #[serde(deserialize_with = "name")]
    pub sets: Name,
    /// What it is called.
    pub label: String,
    /// Its ends.
    pub ends: (f64, f64),
    /// Where it stands until it is turned.
    pub at: f64,
    /// What a number is of: `tokens`.
    pub unit: String,
    /// How it is turned.
    pub turn: Turn,
}

/// How a dial is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// It slides.
    #[default]
    Slides,
    /// It slides, or runs to its end by itself.
    Plays,
    /// A whole number is typed.
    Typed,
}

impl Dials {
    /// Settings of a place, which is filled for every one of them.
    #[must_use]
    pub const fn of(place: Name, dials: Vec<Dial>) -> Self {
        Self {
            place,
            dials,
            button: None,
        }
    }

    /// The same where the place is filled once a button is pressed; it is called after the place, and says something else
    /// meanwhile.
    #[must_use]
    pub fn pressed(mut self, words: impl Into<String>, meanwhile: impl Into<String>) -> Self {
        self.button = Some((words.into(), meanwhile.into()));
        self
    }
}

impl Dial {
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
            turn: Turn::Slides,
        }
    }

    /// The same with words behind its number.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The same for something that others set as well.
    #[must_use]
    pub const fn sets(mut self, what: Name) -> Self {
        self.sets = what;
        self
    }

    /// The same turned otherwise.
    #[must_use]
    pub const fn by(mut self, turn: Turn) -> Self {
        self.turn = turn;
        self
    }
}
