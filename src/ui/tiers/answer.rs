//! The answer about tiers: the question with how far the claim goes, a sentence with the figure, what it is made of.

use super::TiersState;
use super::state::Shown;
use crate::ui::views::headline::Headline;
use crate::ui::views::parts::FiguresView;
use engine::scenario::Question;
use engine::units::seconds;
use leptos::prelude::*;
use report::tiers::{ends_note, told};
use std::sync::Arc;

/// The question.
pub const QUESTION: &str = Question::Tiers.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let words = Signal::derive(move || state.shown.get().map(|shown| shown.words.clone()));
    view! {
        <Headline
            question=QUESTION
            waiting="Searching for a first plan."
            words=words
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        {move || state.shown.get().map(|shown| figures(&shown))}
    }
}

fn figures(shown: &Arc<Shown>) -> Option<impl IntoView + use<>> {
    let (scenario, plan) = (&shown.scenario, shown.planned.plan.as_ref()?);
    let figures = told::figures(scenario, plan);
    Some(view! {
        <FiguresView class="tiers-figures" figures=figures foot=ends_note(scenario, plan)/>
    })
}

/// The scenario in one line.
pub fn summary(state: TiersState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} + {} tokens, {} tiers",
                s.model.name,
                s.prompt_tokens,
                s.out_tokens,
                s.switched_on().count()
            )
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: TiersState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let plan = shown.planned.plan.as_ref();
        let figure = plan.map_or_else(|| "No plan".to_owned(), |plan| seconds(plan.request));
        Some((figure, shown.words.proof.clone()))
    })
}
