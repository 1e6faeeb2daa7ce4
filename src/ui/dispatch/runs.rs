//! Simulated requests beside the exact expectations, and how badly a single first token can be predicted.

use super::DispatchState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use leptos::prelude::*;
use report::dispatch::told::{PREDICTED, runs_words};
use report::dispatch::{predictors, runs};
use std::sync::Arc;

/// The block.
#[component]
pub fn Runs() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let table = Memo::new(move |_| {
        let found = state.with_besides(|shown, besides| runs(&shown.planned, &besides.runs));
        Arc::new(found.unwrap_or_default())
    });
    let known = Memo::new(move |_| {
        state
            .with_besides(|_, besides| (besides.runs.len(), besides.running, besides.is_predicting))
            .unwrap_or_default()
    });
    let words = move || state.scenario.with(|s| runs_words(s));
    let predicted = Memo::new(move |_| {
        let found = state.with_besides(|_, besides| besides.predicted.as_ref().map(predictors));
        Arc::new(found.flatten().unwrap_or_default())
    });
    let has_predicted = Memo::new(move |_| {
        let found = state.with_besides(|_, besides| besides.predicted.is_some());
        found == Some(true)
    });
    let faults = move || {
        let faults = state.besides.with(|besides| besides.faults.clone());
        faults
            .into_iter()
            .map(|fault| view! { <p class="fault" role="alert">{fault}"."</p> })
            .collect_view()
    };
    view! {
        <Section id="runs" title="Simulated requests" fold=Fold::Folded holds="noise, busy devices, predictors">
            <p class="over">{words}</p>
            <div class="row">
                <button class="btn small" id="simulate" disabled=move || { known.get().1 > 0 } on:click=move |_| state.simulate()>
                    "Run the requests"
                </button>
                {move || {
                    let (done, open, _) = known.get();
                    (open > 0).then(|| view! {
                        <progress max=(done + open).to_string() value=done.to_string()></progress>
                        <span class="foot">{format!("{done} of {} runs", done + open)}</span>
                        <button class="btn quiet small" id="simulate-stop" on:click=move |_| state.end_runs()>"Stop"</button>
                    })
                }}
            </div>
            {faults}
            {move || (known.get().0 > 0).then(|| view! { <TableView table=table id="runs-table"/> })}
            <details class="fold" id="foretell">
                <summary><Icon glyph=Glyph::Right/>"Is the first token predictable?"<span>"barely"</span></summary>
                <p class="foot">{PREDICTED}</p>
                <button class="btn small" id="predict" disabled=move || known.get().2 on:click=move |_| state.predict()>"Predict"</button>
                {move || has_predicted.get().then(|| view! { <TableView table=predicted id="predictors-table"/> })}
            </details>
        </Section>
    }
}
