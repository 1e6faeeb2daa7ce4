//! What is asked of the scenario of all questions, whichever of them is open: what would help most, and ranges in the place of
//! points.

use engine::problem::Invalid;
use engine::scenario::learn_all;
use engine::scenario::world::{Filed, World};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A scenario of all questions, and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The scenario.
    pub world: World,
    /// What is asked.
    pub wants: Wants,
}

/// What is asked of a scenario of all questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Wants {
    /// What would help most.
    Helps {
        /// By how much numbers are improved [%].
        by_pct: f64,
    },
    /// What comes of its ranges.
    Ranges {
        /// Seed of the draws.
        seed: u32,
    },
}

impl Filed for Asked {
    fn of_file(text: &str) -> Result<Self, Invalid> {
        let refused = || Invalid::range("asked", "", "a scenario and what is asked of it");
        let whole: Value = serde_json::from_str(text).map_err(|_| refused())?;
        let wants = serde_json::from_value(whole["wants"].clone()).map_err(|_| refused())?;
        learn_all(); // whichever question it opens on
        let world = World::read(&whole["world"].to_string())?;
        Ok(Self { world, wants })
    }

    fn to_file(&self) -> String {
        let world: Value = serde_json::from_str(&self.world.to_json()).unwrap_or_default();
        json!({ "world": world, "wants": self.wants }).to_string()
    }
}
