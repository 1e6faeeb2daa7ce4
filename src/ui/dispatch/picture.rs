//! The picture: how long the device waits by prompt length, when first tokens come under every policy, and the budget
//! below both.

use super::DispatchState;
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::ChartView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use chart::{Drawn, View, layout_shares, layout_waits, spots_sheet};
use engine::plan::dispatch::Scarce;
use engine::units::percent;
use leptos::prelude::*;
use report::dispatch::told::{SEVERAL, SEVERAL_BUDGETS};
use report::dispatch::{charts, several, several_words, waits};
use std::sync::Arc;

/// Height of both charts [px].
const HEIGHT_PX: f64 = 292.0;

/// The block.
#[component]
pub fn Picture() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    let draw_waits = Callback::new(move |(width, _): (f64, View)| {
        let chart = state
            .shown
            .with(|shown| shown.as_ref().map(|shown| charts::waits(&shown.planned)));
        Drawn(Arc::new(layout_waits(
            &chart.unwrap_or_default(),
            width,
            HEIGHT_PX,
        )))
    });
    let draw_shares = Callback::new(move |(width, _): (f64, View)| {
        let chart = state
            .shown
            .with(|shown| shown.as_ref().map(|shown| charts::shares(&shown.planned)));
        Drawn(Arc::new(layout_shares(
            &chart.unwrap_or_default(),
            width,
            HEIGHT_PX,
        )))
    });
    let picture_of_waits = Callback::new(move |width| {
        let chart = state
            .shown
            .get_untracked()
            .map(|shown| charts::waits(&shown.planned))?;
        let title = chart.title.clone();
        Some(spots_sheet(&title, width, |w| {
            layout_waits(&chart, w, HEIGHT_PX).picture
        }))
    });
    let picture_of_shares = Callback::new(move |width| {
        let chart = state
            .shown
            .get_untracked()
            .map(|shown| charts::shares(&shown.planned))?;
        let title = chart.title.clone();
        Some(spots_sheet(&title, width, |w| {
            layout_shares(&chart, w, HEIGHT_PX).picture
        }))
    });
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| waits(&s.scenario, &s.planned)))
    });
    let reason = move || {
        let shown = state.shown.get()?;
        Some(view! { <Spoken sentence=shown.words.reason.clone()/> })
    };
    let waits_title = move || {
        let scarce = state.shown.with(|s| s.as_ref().map(|s| s.planned.scarce));
        match scarce {
            Some(Scarce::Server) => "When the server is asked",
            _ => "How long the device waits",
        }
    };
    move || {
        is_there.get().then(|| view! {
            <Section id="picture" title="Waits and first tokens">
                <div class="pair">
                    <div>
                        <div class="head">
                            <h3>{waits_title}<span>"by prompt length"</span></h3>
                            <div class="tools"><TakePicture name="waits" label="waits by prompt length" picture=picture_of_waits/></div>
                        </div>
                        <ChartView draw=draw_waits id="waits-chart" kind="step chart"/>
                    </div>
                    <div>
                        <div class="head">
                            <h3>"Time to first token"<span>"share answered"</span></h3>
                            <div class="tools"><TakePicture name="first-token" label="times to first token" picture=picture_of_shares/></div>
                        </div>
                        <ChartView draw=draw_shares id="shares-chart" kind="step chart"/>
                    </div>
                </div>
                <Budget/>
                <p class="reason" id="reason">{reason}</p>
                <Several/>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"Every prompt length as a table"<span></span></summary>
                    <TableView table=table id="waits-table" capped=true/>
                </details>
            </Section>
        })
    }
}

/// The budget: a slider under both charts.
#[component]
fn Budget() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let whose = move || {
        let scarce = state.shown.with(|s| s.as_ref().map(|s| s.planned.scarce));
        match scarce {
            Some(Scarce::Server) => ("Server budget", "device only"),
            _ => ("Device budget", "server only"),
        }
    };
    let budget = move || state.scenario.with(|s| s.budget);
    let words = move || percent(100.0 * budget(), 1);
    view! {
        <div class="budget">
            <label for="budget">{move || whose().0}</label>
            <input
                type="range"
                class="slider"
                id="budget"
                min="0"
                max="100"
                step="0.5"
                aria-label="Share of prompt tokens that the scarce side may process, percent"
                aria-valuetext=words
                prop:value=move || (100.0 * budget()).to_string()
                on:input=move |event| {
                    if let Ok(percent) = event_target_value(&event).parse::<f64>() {
                        state.set_budget(percent / 100.0);
                    }
                }
            />
            <output for="budget" id="budget-out">{words}</output>
            <span class="ends">
                <span>{move || format!("0, {}", whose().1)}</span>
                <span>"share of prompt tokens"</span>
                <span>"100, both at once"</span>
            </span>
        </div>
    }
}

/// Several devices with a budget each, where there are several.
#[component]
fn Several() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |s| several(&s.scenario, &s.planned)))
    });
    move || {
        let shown = state.shown.get()?;
        let words = several_words(&shown.scenario, &shown.planned)?;
        Some(view! {
            <div id="several">
                <h3>{SEVERAL}</h3>
                <p class="reason"><Spoken sentence=words/></p>
                <p class="foot">{SEVERAL_BUDGETS}</p>
                <TableView table=table id="several-table"/>
            </div>
        })
    }
}
