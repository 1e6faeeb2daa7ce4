//! The head-placement question: where should each attention head run, token by token?
//!
//! [`state`] holds the editor and the answer view; this module has the panel and the views of this question alone.

mod answer;
mod links;
mod panel;
mod rows;
mod state;
mod topic;
mod trace;

pub use state::HeadsState;

use super::answer_view::{Answer, OtherSections, Page, SectionView, charts_alone};
use super::lazy_bundle::{self, TakeAway};
use super::questions::DeferredViews;
use super::views::section::OnThisPage;
use chart::prepared;
use engine::scenario::heads::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Heads() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    view! {
        <Page
            controller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see where the heads go"
            papers="The paper\u{2019}s 25 devices"
            scenario=presets::paper
            own=charts_alone(&[prepared::heads])
        >
            <Answer question=answer::QUESTION class="heads-figures"/>
            <SectionView id="table-notes"/>
            <OnThisPage/>
            <SectionView id="picture"/>
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
    let state = expect_context::<HeadsState>();
    let edited = Signal::derive(move || state.scenario.track());
    view! {
        <TakeAway/>
        <SectionView id="comparison"/>
        {lazy_bundle::lazy_view(move |later| (later.helps)(edited))}
        <OtherSections but=&["table-notes", "picture", "comparison", "published"]/>
        {lazy_bundle::lazy_view(move |later| (later.ranges)(edited))}
        <SectionView id="published"/>
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
