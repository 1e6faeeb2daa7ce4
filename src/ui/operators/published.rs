//! Published beside ours: the paper's tables, computed in the worker model by model; those about splits once they are looked
//! at, for they take longer.

use super::OperatorsState;
use crate::ui::views::published::{Beside, Work, block};
use engine::graph::catalogue;
use engine::scenario::operators::Choice;
use leptos::prelude::*;
use report::published::sections::{OPERATORS, SPLITS};

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    // The model on show stands out among the paper's.
    let marked = Signal::derive(move || {
        state.scenario.with(|s| match &s.graph {
            Choice::Preset(name) => catalogue::MODELS.iter().position(|m| m.name == name),
            Choice::Custom(_) | Choice::File(_) => None,
        })
    });
    let words = Signal::derive(move || match state.split_cases.with(Vec::len) {
        0 => "Compute ours",
        _ => "Recompute",
    });
    let sections = move || {
        let open = (state.measuring, "models left");
        let (run, stop) = (move || state.measure(), move || state.end_measures());
        let orders = Work::counted("", "Recompute", open, run, stop);
        let orders = Beside::of(&OPERATORS, state.cases).working(orders);
        let open = (state.measuring_splits, "models left");
        let (run, stop) = (
            move || state.measure_splits(),
            move || state.end_split_measures(),
        );
        let splits = Work::counted("-splits", words, open, run, stop);
        let splits = Beside::of(&SPLITS, state.split_cases).working(splits);
        view! {
            {orders.marking(marked, "").view()}
            <h3 class="sub-h" id="published-splits">"Splits"</h3>
            {splits.view()}
        }
        .into_any()
    };
    // The search first.
    let is_known = Memo::new(move |_| state.teller.told.is_known());
    let ask = move || {
        if is_known.get() {
            state.measure_once();
        }
    };
    block(move || state.teller.of.with(Option::is_some), ask, sections)
}
