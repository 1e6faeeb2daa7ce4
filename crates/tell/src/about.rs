//! What can be told of: the scenario of each question, and what is asked of the scenario of all questions.

use super::ask::About;
use super::asked::Asked;
use engine::scenario::{Ranges, Scenario, dispatch, heads, operators, tiers};

impl About for Scenario {
    const KIND: &'static str = "cold-start-story";

    /// What is swept has its own prompt lengths.
    fn keeps_of(&self, before: &Self) -> bool {
        let asked = |scenario: &Self| Self {
            prompt_tokens: 0.0,
            title: String::new(),
            ranges: Ranges::new(),
            ..scenario.clone()
        };
        asked(self) == asked(before)
    }
}

impl About for heads::Scenario {
    const KIND: &'static str = "heads-story";
}

impl About for dispatch::Scenario {
    const KIND: &'static str = "dispatch-story";

    fn keeps_of(&self, before: &Self) -> bool {
        // Another budget alone is another point of the same curves.
        let at_its_budget = Self {
            budget: self.budget,
            ..before.clone()
        };
        at_its_budget == *self
    }
}

impl About for tiers::Scenario {
    const KIND: &'static str = "tiers-story";
}

impl About for operators::Scenario {
    const KIND: &'static str = "operators-story";

    fn keeps_of(&self, before: &Self) -> bool {
        self.graph == before.graph
    }
}

impl About for Asked {
    const KIND: &'static str = "world-story";
}
