//! Ours beside other rules under the same budget, and what each costs with and without hand-over.

use super::DispatchState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use engine::plan::dispatch::Scarce;
use job::dispatch::Rule;
use leptos::prelude::*;
use report::dispatch::{about, bills, comparison, costs_words, printed_words, rule_name};
use std::sync::Arc;

/// The comparison.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let rules = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| comparison(&s.planned)))
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
    move || {
        is_there.get().then(|| view! {
                <Section id="comparison" title="Compared with other rules">
                    <TableView table=rules id="comparison-table"/>
                    <p class="foot">
                        "\u{201c}Faster by\u{201d} compares means; a rule that uses more than the budget is not ranked. "{foot}
                    </p>
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
                </Section>
        })
    }
}

/// What each rule costs.
#[component]
pub fn Costs() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let costs = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| bills(&s.planned)))
    });
    let cost_foot = move || {
        let shown = state.shown.get()?;
        Some(costs_words(&shown.scenario))
    };
    view! {
                <Section id="costs" title="Cost, with and without hand-over" fold=Fold::Folded holds="per request, rule by rule">
                    <TableView table=costs id="costs-table"/>
                    <p class="foot">{cost_foot}</p>
                </Section>
    }
}
