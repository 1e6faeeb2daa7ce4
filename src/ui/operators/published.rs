//! Published beside ours: the paper's tables, computed in the worker model by model; those about splits once they are looked
//! at, for they take longer.

use super::OperatorsState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::ClaimsTable;
use crate::ui::views::table::TableView;
use engine::graph::catalogue;
use engine::scenario::operators::Choice;
use job::operators::{Case, SplitCase};
use leptos::prelude::*;
use report::published::memorianova::{
    SOURCE, claims, held_table, notes, table_2, table_4, table_5,
};
use report::published::memorianova_split as split;
use report::table::Table;
use std::sync::Arc;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    let told = Memo::new(move |_| Arc::new(state.cases.with(|cases| claims(cases))));
    let of_cases = |make: fn(&[Case]) -> Table| {
        Memo::new(move |_| Arc::new(state.cases.with(|cases| make(cases))))
    };
    let (sums, held, counters) = (of_cases(table_4), of_cases(held_table), of_cases(table_5));
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
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">"The paper\u{2019}s own models, independent of your scenario."</p>
                <div class="row tries">
                    <button class="btn small" id="measure" disabled=move || { state.measuring.get() > 0 } on:click=move |_| state.measure()>
                        "Recompute"
                    </button>
                    {going}
                </div>
                <ClaimsTable claims=told title="Published beside ours, orders of operators" id="operators-claims"/>
                <div class="notes">{notes().into_iter().map(|note| view! { <p>{note}</p> }).collect_view()}</div>
                <details class="fold" id="table-4-fold">
                    <summary><Icon glyph=Glyph::Right/>"Table 4, sums as the paper counts them"<span></span></summary>
                    <TableView table=sums id="table-4" marked=marked/>
                </details>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"The same models, memory actually held"<span></span></summary>
                    <TableView table=held id="table-held" marked=marked/>
                </details>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"Table 5, branches of the paper\u{2019}s search"<span></span></summary>
                    <TableView table=counters id="table-5"/>
                </details>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"Table 2, three orders of four operators"<span></span></summary>
                    <TableView table=Signal::stored(Arc::new(table_2())) id="table-2"/>
                </details>
                <p class="foot">{SOURCE}"."</p>
                <Splits/>
            }
        })
    };
    view! {
        <section class="block" id="published">
            <div class="head"><h2>"Published beside ours"</h2></div>
            {content}
        </section>
    }
}

/// What the paper says of splits.
#[component]
fn Splits() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let cases = state.split_cases;
    let told = Memo::new(move |_| Arc::new(cases.with(|cases| split::claims(cases))));
    let of_cases = |make: fn(&[SplitCase]) -> Table| {
        Memo::new(move |_| Arc::new(cases.with(|cases| make(cases))))
    };
    let fold = |id: &'static str, words: &'static str, table: Signal<Arc<Table>>| {
        view! {
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>{words}<span></span></summary>
                <TableView table=table id=id/>
            </details>
        }
    };
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
        <ClaimsTable claims=told title="Published beside ours, operators over devices" id="split-claims"/>
        <div class="notes">{split::notes().into_iter().map(|note| view! { <p>{note}</p> }).collect_view()}</div>
        {fold("split-latencies", "Latencies over the devices of Table 3", of_cases(split::latencies).into())}
        {fold("table-6", "Table 6, the size of the search space", of_cases(split::table_6).into())}
        {fold("thresholds", "Table 8, the memory that one device needs", of_cases(split::thresholds).into())}
        {fold("table-8", "Table 8, as published", Signal::stored(Arc::new(split::table_8())))}
        {fold("fig-10", "Fig. 10, latency and the number of devices", of_cases(split::fig_10).into())}
        {fold("fig-11", "Fig. 11, mixes of devices", of_cases(split::fig_11).into())}
        {fold("table-7", "Table 7, hours of the paper\u{2019}s search", Signal::stored(Arc::new(split::table_7())))}
        <p class="foot">{split::SOURCE}"."</p>
    }
}
