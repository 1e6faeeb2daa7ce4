//! The head-placement question: where should each attention head run, token by token?
//!
//! [`state`] holds the desk and the answer as it is told; what is here is the panel, and what only this question shows.

mod answer;
mod links;
mod panel;
mod rows;
mod state;
mod topic;
mod trace;

pub use state::HeadsState;

use super::later::{self, TakeAway};
use super::questions::DeferredViews;
use super::told::{Answer, OtherSections, Page, Part, charts_alone};
use super::views::section::OnThisPage;
use chart::ready;
use engine::scenario::heads::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Heads() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    view! {
        <Page
            teller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see where the heads go"
            papers="The paper\u{2019}s 25 devices"
            scenario=presets::paper
            own=charts_alone(&[ready::heads])
        >
            <Answer question=answer::QUESTION class="heads-figures"/>
            <Part id="table-notes"/>
            <OnThisPage/>
            <Part id="picture"/>
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
    let state = expect_context::<HeadsState>();
    let edited = Signal::derive(move || state.scenario.track());
    view! {
        <TakeAway/>
        <Part id="comparison"/>
        {later::lazy_view(move |later| (later.helps)(edited))}
        <OtherSections but=&["table-notes", "picture", "comparison", "published"]/>
        {later::lazy_view(move |later| (later.ranges)(edited))}
        <Part id="published"/>
    }
}

/// The scenario in a line: a printed page has no panel.
fn in_words(scenario: &Scenario) -> String {
    let devices: Vec<String> = scenario
        .switched_on()
        .map(|(_, d)| format!("{} ({} Gop/s, {} GB)", d.name, d.compute_gops, d.memory_gb))
        .collect();
    format!(
        "{}: {}, {} tokens in, {} out, on {}.",
        scenario.title,
        scenario.model.name,
        scenario.prompt_tokens,
        scenario.new_tokens,
        devices.join(", ")
    )
}
