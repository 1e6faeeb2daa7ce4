//! Requests about the shared scenario, whichever question is open: sensitivity, and uncertainty from ranges of its numbers.

use engine::problem::Invalid;
use engine::scenario::learn_all;
use engine::scenario::world::{FileFormat, World};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A shared scenario with the analysis to run on it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldTask {
    /// The shared scenario.
    pub world: World,
    /// The analysis.
    pub wants: WorldQuery,
}

/// An analysis of a shared scenario.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum WorldQuery {
    /// Sensitivity: each number improved alone, and solved again.
    Helps {
        /// Improvement of each number [%].
        by_pct: f64,
    },
    /// Uncertainty: numbers drawn from their ranges, and solved again.
    Ranges {
        /// Seed of the draws.
        seed: u32,
    },
}

impl FileFormat for WorldTask {
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
