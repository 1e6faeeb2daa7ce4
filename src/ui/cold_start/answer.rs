//! The answer about a cold start: the question, and the scenario in one line.

use super::ColdStartState;
use engine::scenario::Question;
use leptos::prelude::*;

/// The question.
pub const QUESTION: &str = Question::ColdStart.asks();

/// The scenario in one line.
pub fn summary(state: ColdStartState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} tokens, {} devices",
                s.model.shown_name(),
                s.prompt_tokens,
                s.switched_on().count()
            )
        })
    })
}
