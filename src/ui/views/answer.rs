//! The answer: the question with how far the claim goes, one sentence with the figure, what it is made of.

use super::claim::{Proof, Search, claim_of};
use super::hunt::HuntView;
use super::parts::{Asked, FiguresView, WhyButton};
use super::terms::Explained;
use crate::ui::state::State;
use engine::scenario::Question;
use engine::units::{NARROW, seconds};
use leptos::prelude::*;
use report::cold_start::decode::figure as headline_figure;
use report::cold_start::figures::figures;
use story::{Quantity, Sentence};

/// The question.
pub const QUESTION: &str = Question::ColdStart.asks();

/// A sentence with its strong words; where they are a figure with a formula, they can be asked for it.
#[component]
pub fn Spoken(
    sentence: Sentence,
    #[prop(default = None)] figure: Option<(Quantity, Asked)>,
) -> impl IntoView {
    sentence
        .pieces
        .into_iter()
        .map(|(text, strong)| match (strong, &figure) {
            (true, Some((of, asked))) => {
                view! { <b><WhyButton of=of.clone() text=text asked=*asked/></b> }.into_any()
            }
            (true, None) => view! { <b><Explained text=text/></b> }.into_any(),
            (false, _) => view! { <Explained text=text/> }.into_any(),
        })
        .collect_view()
}

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<State>();
    let asked: Asked = RwSignal::new(None);
    let claim = Signal::derive(move || state.shown.get().map(|shown| claim_of(&shown.words)));
    view! {
        <section class="answer" id="answer" tabindex="-1" aria-live="polite" aria-atomic="true">
            <p class="question">{QUESTION}" "<Proof claim=claim/></p>
            {move || match state.shown.get() {
                None => view! {
                    <h1 id="headline">"Searching for a first plan."</h1>
                    <p class="lead" id="lead"></p>
                }
                .into_any(),
                Some(shown) => {
                    // The formula of the headline is that of a first answer.
                    let is_first = shown.answer.decode.as_ref().is_none_or(|d| d.goal != "whole-answer");
                    let whole = figures(&shown.problem, &shown.answer).and_then(|figures| figures.whole);
                    let whole = whole.filter(|_| is_first).map(|whole| (whole, asked));
                    view! {
                        <h1 id="headline"><Spoken sentence=shown.words.headline.clone() figure=whole/></h1>
                        <p class="lead" id="lead"><Spoken sentence=shown.words.lead.clone()/></p>
                    }
                    .into_any()
                }
            }}
        </section>
        <Search
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        <HuntView/>
        {move || {
            let shown = state.shown.get()?;
            let figures = figures(&shown.problem, &shown.answer)?;
            Some(view! { <FiguresView class="" figures=figures asked=asked/> })
        }}
    }
}

/// A figure with its unit in small print.
pub fn figure(text: &str) -> impl IntoView + use<> {
    let (number, unit) = text.rsplit_once(NARROW).unwrap_or((text, ""));
    view! { {number.to_owned()}<span>{unit.to_owned()}</span> }
}

/// The scenario in one line.
pub fn summary(state: State) -> Signal<String> {
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

/// The answer in short: figure and claim.
pub fn in_short(state: State) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let figure = headline_figure(&shown.answer).map_or_else(|| "No plan".to_owned(), seconds);
        Some((figure, shown.words.proof.clone()))
    })
}
