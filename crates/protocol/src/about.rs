//! The types of scenarios that the worker answers, with their request tags.

use super::request_kinds::WorldTask;
use super::requests::Answerable;
use engine::scenario::{Ranges, Scenario, dispatch, heads, operators, tiers};

impl Answerable for Scenario {
    const KIND: &'static str = "cold-start-story";

    /// Sweeps set their own prompt lengths, so another prompt does not change them.
    fn is_cache_valid_for(&self, before: &Self) -> bool {
        let asked = |scenario: &Self| Self {
            prompt_tokens: 0.0,
            title: String::new(),
            ranges: Ranges::new(),
            ..scenario.clone()
        };
        asked(self) == asked(before)
    }
}

impl Answerable for heads::Scenario {
    const KIND: &'static str = "heads-story";
}

impl Answerable for dispatch::Scenario {
    const KIND: &'static str = "dispatch-story";

    fn is_cache_valid_for(&self, before: &Self) -> bool {
        // Another budget alone is another point of the same curves.
        let at_its_budget = Self {
            budget: self.budget,
            ..before.clone()
        };
        at_its_budget == *self
    }
}

impl Answerable for tiers::Scenario {
    const KIND: &'static str = "tiers-story";
}

impl Answerable for operators::Scenario {
    const KIND: &'static str = "operators-story";

    fn is_cache_valid_for(&self, before: &Self) -> bool {
        self.graph == before.graph
    }
}

impl Answerable for WorldTask {
    const KIND: &'static str = "world-story";
}
