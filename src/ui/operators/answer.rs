//! The answer about an operator graph: the question with how far the claim goes, a sentence with the figure, what the peak
//! is made of; where nothing fits, the smallest limit that works.

use super::OperatorsState;
use super::split::{PiecesProof, SplitAnswer, pieces_in_short};
use super::state::Shown;
use crate::ui::views::answer::{Spoken, figure};
use crate::ui::views::claim::{Proof, Search, claim_of};
use engine::graph::Weights;
use engine::scenario::Question;
use engine::units::{NARROW, memory, percent, seconds};
use job::Status;
use job::operators::Ordered;
use leptos::prelude::*;
use report::operators::{
    StepTold, Steps, graph_name, least_limit, limit_words, operators, states, weights_name,
};
use std::sync::Arc;

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
        {move || state.shown.get().map(|shown| match shown.plan.ours.clone() {
            Some(ours) => view! { <Figures shown=shown ours=ours/> }.into_any(),
            None => view! { <WayOut shown=shown/> }.into_any(),
        })}
    }
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

/// The parts of what the peak step holds: name, class of its swatch, bytes, what stands under it.
fn parts(told: &StepTold) -> [(&'static str, &'static str, u64, String); 3] {
    let share = |bytes: u64| percent(100.0 * bytes as f64 / told.running().max(1) as f64, 1);
    let weights = match told.weights {
        0 => "none".to_owned(),
        bytes => share(bytes),
    };
    let new = match told.overwrites {
        Some(_) => "written in place".to_owned(),
        None => share(told.new),
    };
    [
        ("Kept", "k-kept", told.kept, share(told.kept)),
        ("New output", "k-new", told.new, new),
        ("Weights", "k-weights", told.weights, weights),
    ]
}

/// What the peak is made of, and what was looked at.
#[component]
fn Figures(shown: Arc<Shown>, ours: Ordered) -> impl IntoView {
    let told = Steps::of(&shown.graph, &ours.order, &ours.trace)
        .ok()?
        .at(ours.trace.peak_step());
    let all = parts(&told);
    let spoken: Vec<String> = all
        .iter()
        .map(|(name, _, bytes, _)| format!("{} {}", memory(*bytes as f64), name.to_lowercase()))
        .collect();
    let label = format!(
        "Of {} at step {}: {}",
        memory(ours.peak as f64),
        told.step + 1,
        spoken.join(", ")
    );
    let cells = all
        .iter()
        .map(|(name, class, bytes, under)| {
            let swatch = format!("swatch {class}");
            view! {
                <div>
                    <dt><i class=swatch></i>{*name}</dt>
                    <dd data-exact=format!("{bytes} B")>{figure(&memory(*bytes as f64))}</dd>
                    <dd class="sub">{under.clone()}</dd>
                </div>
            }
        })
        .collect_view();
    let bar = all
        .iter()
        .filter(|(_, _, bytes, _)| *bytes > 0)
        .map(
            |(_, class, bytes, _)| view! { <i class=*class style:flex-grow=bytes.to_string()></i> },
        )
        .collect_view();
    let of_limit = limit_words(&shown.scenario, ours.peak).unwrap_or_else(|| "no limit".to_owned());
    let looked = states(&shown.plan);
    let how = if shown.plan.status == Status::Optimal {
        format!("{}, search complete", seconds(1e-3 * shown.millis))
    } else {
        format!("{}, search incomplete", seconds(1e-3 * shown.millis))
    };
    Some(view! {
        <div class="figures operators-figures" id="figures">
            <dl class="kpi parts">{cells}</dl>
            <div class="splitbar" role="img" aria-label=label>{bar}</div>
            <dl class="kpi others">
                <div>
                    <dt>{format!("Peak, at step {}", told.step + 1)}</dt>
                    <dd data-exact=format!("{} B", ours.peak)>{figure(&memory(ours.peak as f64))}</dd>
                    <dd class="sub">{of_limit}</dd>
                </div>
                <div>
                    <dt>"States searched"</dt>
                    <dd>{figure(&looked)}</dd>
                    <dd class="sub">{how}</dd>
                </div>
            </dl>
        </div>
    })
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
