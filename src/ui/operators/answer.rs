//! The answer about an operator graph: the question with how far the claim goes, a sentence with the figure, what the peak
//! is made of; where nothing fits, the smallest limit that works.

use super::OperatorsState;
use super::split::{PiecesProof, SplitAnswer, pieces_in_short};
use super::state::Shown;
use crate::ui::views::answer::Spoken;
use crate::ui::views::claim::{Proof, Search, claim_of};
use crate::ui::views::parts::FiguresView;
use engine::graph::Weights;
use engine::scenario::Question;
use engine::units::{NARROW, memory};
use leptos::prelude::*;
use report::operators::{graph_name, least_limit, operators, told, weights_name};
use std::sync::Arc;
use story::Figures;

/// The question, as it stands over the answer.
pub const QUESTION: &str = Question::Operators.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let claim = Signal::derive(move || state.shown.get().map(|shown| claim_of(&shown.words)));
    view! {
        <section class="answer" id="answer" tabindex="-1" aria-live="polite" aria-atomic="true">
            <p class="question">{QUESTION}" "<Proof claim=claim/>" "<PiecesProof/></p>
            {move || match state.shown.get() {
                None => view! {
                    <h1 id="headline">"Searching for the order."</h1>
                    <p class="lead" id="lead"></p>
                }
                .into_any(),
                Some(shown) => view! {
                    <h1 id="headline"><Spoken sentence=shown.words.headline.clone()/></h1>
                    <p class="lead" id="lead"><Spoken sentence=shown.words.lead.clone()/></p>
                }
                .into_any(),
            }}
        </section>
        <SplitAnswer/>
        <Search
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        {move || state.shown.get().map(|shown| match figures(&shown) {
            Some(figures) => view! { <FiguresView class="operators-figures" figures=figures/> }.into_any(),
            None => view! { <WayOut shown=shown/> }.into_any(),
        })}
    }
}

/// What the peak is made of, and what was looked at; nothing where no order fits.
fn figures(shown: &Shown) -> Option<Figures> {
    let took = Some(1e-3 * shown.millis);
    told::figures(&shown.scenario, &shown.graph, &shown.plan, took)
}

/// Where nothing fits: the smallest limit that works.
#[component]
fn WayOut(shown: Arc<Shown>) -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let least = least_limit(&shown.plan);
    let set = move |_| {
        if let Err(fault) = state.edit("", |s| s.limit_mib = Some(least)) {
            state.say(format!("Not changed: {fault}."));
        }
        state.forgive("limit_mib");
    };
    let none = move |_| {
        let _ = state.edit("", |s| s.limit_mib = None); // no limit is always allowed
        state.forgive("limit_mib");
    };
    view! {
        <p class="reason" id="reason"><Spoken sentence=shown.words.reason.clone()/></p>
        <div class="row way-out">
            <button class="btn primary" id="set-limit" on:click=set>{format!("Set the limit to {least}{NARROW}MiB")}</button>
            <button class="btn" id="no-limit" on:click=none>"No limit"</button>
        </div>
    }
}

/// The scenario in one line.
pub fn summary(state: OperatorsState) -> Signal<String> {
    Signal::derive(move || {
        let count = state.shown.with(|shown| {
            let shown = shown.as_ref()?;
            Some(operators(shown.graph.len()))
        });
        state.scenario.with(|s| {
            let mut words = vec![graph_name(s)];
            words.extend(count);
            if s.weights == Weights::Resident {
                words.push(weights_name(s.weights).to_owned());
            }
            words.extend(s.limit_mib.map(|mib| format!("limit {mib}{NARROW}MiB")));
            words.join(", ")
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: OperatorsState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|s| !s.is_empty()))?;
        let figure = match &shown.plan.ours {
            Some(ours) => memory(ours.peak as f64),
            None => "Does not fit".to_owned(),
        };
        let pieces = pieces_in_short(state);
        Some((figure, pieces.unwrap_or_else(|| shown.words.proof.clone())))
    })
}
