//! The answer about attention heads: the question, and the scenario in one line.

use super::HeadsState;
use engine::scenario::Question;
use leptos::prelude::*;

/// The question.
pub const QUESTION: &str = Question::HeadPlacement.asks();

/// The scenario in one line.
pub fn summary(state: HeadsState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} + {} tokens, {} devices",
                s.model.name,
                s.prompt_tokens,
                s.new_tokens,
                s.switched_on().count()
            )
        })
    })
}
