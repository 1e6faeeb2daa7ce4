//! Published beside ours: the paper's tables, computed in the worker model by model; those about splits once they are looked
//! at, for they take longer.

use super::OperatorsState;
use super::split::Found;
use crate::ui::views::published::tables;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use engine::graph::catalogue;
use engine::scenario::operators::Choice;
use leptos::prelude::*;
use report::published::sections::{OPERATORS, SPLITS};

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    // The model on show stands out among the paper's.
    let marked = Signal::derive(move || {
        state.scenario.with(|s| match &s.graph {
            Choice::Preset(name) => catalogue::MODELS.iter().position(|m| m.name == name),
            Choice::Custom(_) | Choice::File(_) => None,
        })
    });
    let going = move || {
        let open = state.measuring.get();
        (open > 0).then(|| {
            view! {
                <span class="foot" id="measuring">{format!("{open} models left")}</span>
                <button class="btn small" id="measure-stop" on:click=move |_| state.end_measures()>"Stop"</button>
            }
        })
    };
    let is_at_rest = Memo::new(move |_| state.split.found.with(Found::is_at_rest));
    let ask = Callback::new(move |()| {
        if is_at_rest.get() {
            state.measure_once();
        }
    });
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">{state.cases.with_untracked(OPERATORS.about)}</p>
                <div class="row tries">
                    <button class="btn small" id="measure" disabled=move || { state.measuring.get() > 0 } on:click=move |_| state.measure()>
                        "Recompute"
                    </button>
                    {going}
                </div>
                {tables(&OPERATORS, state.cases.into(), marked, false)}
                <Splits/>
            }
        })
    };
    view! {
        <Section id="published" title="Published beside ours" fold=Fold::Folded holds="the paper\u{2019}s tables">
            <WhileOpen run=ask/>
            {content}
        </Section>
    }
}

/// What the paper says of splits.
#[component]
fn Splits() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let cases = state.split_cases;
    let going = move || {
        let open = state.measuring_splits.get();
        (open > 0).then(|| {
            view! {
                <span class="foot" id="measuring-splits">{format!("{open} models left")}</span>
                <button class="btn small" id="measure-splits-stop" on:click=move |_| state.end_split_measures()>"Stop"</button>
            }
        })
    };
    let words = move || match cases.with(Vec::len) {
        0 => "Compute ours",
        _ => "Recompute",
    };
    view! {
        <h3 class="sub-h" id="published-splits">"Splits"</h3>
        <div class="row tries">
            <button class="btn small" id="measure-splits" disabled=move || { state.measuring_splits.get() > 0 }
                on:click=move |_| state.measure_splits()>{words}</button>
            {going}
        </div>
        {tables(&SPLITS, cases.into(), Signal::stored(None), false)}
    }
}
