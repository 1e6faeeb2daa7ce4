//! The device-or-server question: who should answer, and how long should the device wait?
//!
//! [`state`] holds the desk and the answer as it is told; what is here is the panel, and what only this question shows.

mod answer;
mod folds;
mod laws;
mod logs;
mod panel;
mod rows;
mod state;
mod topic;

pub use state::DispatchState;

use super::later::{self, TakeAway};
use super::questions::DeferredViews;
use super::told::{Answer, OtherSections, Page, Part, charts_alone};
use super::views::section::OnThisPage;
use chart::ready;
use engine::scenario::dispatch::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Dispatch() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    view! {
        <Page
            teller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see when it should help the server"
            papers="LLaMA-3.1-70b and a Xiaomi 14"
            scenario=presets::paper
            own=charts_alone(&[ready::waits])
        >
            <Answer question=answer::QUESTION class="dispatch-figures"/>
            <OnThisPage/>
            <Part id="picture" below=|| view! { <answer::Budget/> }/>
        </Page>
    }
}

/// Views beside and below the answer.
pub const DETAILS: DeferredViews = DeferredViews {
    panel: || view! { <panel::Panel/> }.into_any(),
    details: || view! { <Rest/> }.into_any(),
};

/// Views below the summary.
#[component]
fn Rest() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let edited = Signal::derive(move || state.scenario.track());
    view! {
        <Part id="devices"/>
        <TakeAway/>
        <Part id="comparison"/>
        {later::lazy_view(move |later| (later.helps)(edited))}
        <Part id="sweep"/>
        <OtherSections but=&["picture", "devices", "comparison", "sweep", "published"]/>
        {later::lazy_view(move |later| (later.ranges)(edited))}
        <Part id="published"/>
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
