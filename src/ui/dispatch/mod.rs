//! The device-or-server question: who should answer, and how long should the device wait?
//!
//! [`state`] holds the editor and the answer view; this module has the panel and the views of this question alone.

mod answer;
mod laws;
mod logs;
mod panel;
mod rare_settings;
mod rows;
mod state;
mod topic;

pub use state::DispatchState;

use super::answer_view::{Answer, OtherSections, Page, SectionView, charts_alone};
use super::lazy_bundle::{self, TakeAway};
use super::questions::DeferredViews;
use super::views::section::OnThisPage;
use chart::prepared;
use engine::scenario::dispatch::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Dispatch() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    view! {
        <Page
            controller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see when it should help the server"
            papers="LLaMA-3.1-70b and a Xiaomi 14"
            scenario=presets::paper
            own=charts_alone(&[prepared::waits])
        >
            <Answer question=answer::QUESTION class="dispatch-figures"/>
            <OnThisPage/>
            <SectionView id="picture" below=|| view! { <answer::Budget/> }/>
        </Page>
    }
}

/// Views beside and below the answer.
pub const DETAILS: DeferredViews = DeferredViews {
    panel: || view! { <panel::Panel/> }.into_any(),
    details: || view! { <BelowSummary/> }.into_any(),
};

/// Views below the summary.
#[component]
fn BelowSummary() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let edited = Signal::derive(move || state.scenario.track());
    view! {
        <SectionView id="devices"/>
        <TakeAway/>
        <SectionView id="comparison"/>
        {lazy_bundle::lazy_view(move |later| (later.helps)(edited))}
        <SectionView id="sweep"/>
        <OtherSections but=&["picture", "devices", "comparison", "sweep", "published"]/>
        {lazy_bundle::lazy_view(move |later| (later.ranges)(edited))}
        <SectionView id="published"/>
    }
}

/// The scenario in a line: a printed page has no panel.
fn in_words(scenario: &Scenario) -> String {
    let devices: Vec<String> = scenario
        .switched_on()
        .map(|(_, d)| {
            format!(
                "{} ({} tok/s in, {} out)",
                d.name, d.prefill_tok_s, d.decode_tok_s
            )
        })
        .collect();
    format!(
        "{}: {} and {}, budget {} %.",
        scenario.title,
        scenario.server.name,
        devices.join(", "),
        100.0 * scenario.budget
    )
}
