//! Ours beside other rules under the same budget, and what each costs with and without hand-over.

use super::DispatchState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use engine::plan::dispatch::Scarce;
use job::dispatch::Rule;
use leptos::prelude::*;
use report::dispatch::told::COMPARED;
use report::dispatch::{about, bills, comparison, costs_words, printed_words, rule_name};
use std::sync::Arc;

/// The two blocks side by side.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let rules = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| comparison(&s.planned)))
    });
    let costs = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| bills(&s.planned)))
    });
    let scarce = move || {
        let scarce = state.shown.with(|s| s.as_ref().map(|s| s.planned.scarce));
        scarce.unwrap_or(Scarce::Device)
    };
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    let foot = move || {
        let shown = state.shown.get()?;
        printed_words(&shown.scenario, &shown.planned)
    };
    let cost_foot = move || {
        let shown = state.shown.get()?;
        Some(costs_words(&shown.scenario))
    };
    move || {
        is_there.get().then(|| view! {
            <div>
                <section class="block" id="comparison">
                    <div class="head"><h2>"Compared with other rules"</h2></div>
                    <TableView table=rules id="comparison-table"/>
                    <p class="foot">{COMPARED}" "{foot}</p>
                    <details class="fold">
                        <summary><Icon glyph=Glyph::Right/>"What the rules do"<span></span></summary>
                        <dl class="rules">
                            {move || {
                                let scarce = scarce();
                                Rule::ALL.into_iter()
                                    .map(|rule| view! { <dt><Explained text=rule_name(rule, scarce)/></dt><dd>{about(rule, scarce)}</dd> })
                                    .collect_view()
                            }}
                        </dl>
                    </details>
                </section>
                <section class="block" id="costs">
                    <div class="head"><h2>"Cost, with and without hand-over"</h2></div>
                    <TableView table=costs id="costs-table"/>
                    <p class="foot">{cost_foot}</p>
                </section>
            </div>
        })
    }
}
