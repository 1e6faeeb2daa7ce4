//! The answer about device and server: the question with how far the claim goes, a sentence with the figure, who starts
//! and who comes first, what it costs.

use super::DispatchState;
use super::state::Shown;
use crate::ui::views::headline::Headline;
use crate::ui::views::parts::FiguresView;
use engine::scenario::Question;
use engine::units::{percent, seconds};
use leptos::prelude::*;
use report::dispatch::told;
use std::sync::Arc;

/// The question.
pub const QUESTION: &str = Question::Dispatch.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let words = Signal::derive(move || state.shown.get().map(|shown| shown.words.clone()));
    view! {
        <Headline
            question=QUESTION
            waiting="Comparing device and server."
            words=words
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        {move || state.shown.get().map(|shown| figures(&shown))}
    }
}

fn figures(shown: &Arc<Shown>) -> impl IntoView + use<> {
    let figures = told::figures(&shown.scenario, &shown.planned);
    view! { <FiguresView class="dispatch-figures" figures=figures/> }
}

/// The scenario in one line.
pub fn summary(state: DispatchState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            let device = s.switched_on().next().map(|(_, d)| d.name.clone());
            format!(
                "{}, {}, budget {}",
                s.server.name,
                device.unwrap_or_else(|| "no device".to_owned()),
                percent(100.0 * s.budget, 0)
            )
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: DispatchState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let outcome = &shown.planned.ours().outcome;
        Some((
            seconds(outcome.mean),
            format!("P99 {}", seconds(outcome.p99)),
        ))
    })
}
