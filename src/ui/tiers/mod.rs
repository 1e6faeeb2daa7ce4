//! The tiers question: which blocks on which tier, and what happens under load?
//!
//! [`state`] holds the desk and the answer as it is told; what is here is the panel, and what only this question shows.

mod answer;
mod panel;
mod rows;
mod state;
mod topic;
mod trace;

pub use state::TiersState;

use super::later::{self, TakeAway};
use super::questions::DeferredViews;
use super::told::{Answer, Cuts, OtherSections, OwnViews, Page, Part, charts_alone};
use super::views::flags::FlagsView;
use super::views::section::OnThisPage;
use chart::ready;
use engine::scenario::tiers::{Scenario, presets};
use leptos::prelude::*;
use std::sync::Arc;

/// Views of the first answer: handles that move the cuts.
const OWN: OwnViews = OwnViews {
    around: |chart, picture| view! { <Cuts chart=chart>{picture}</Cuts> }.into_any(),
    ..charts_alone(&[ready::network])
};

/// The page of the question.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
    view! {
        <Page
            teller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see where the blocks go"
            papers="The paper\u{2019}s three tiers"
            scenario=presets::paper
            own=OWN
        >
            <Answer question=answer::QUESTION class="tiers-figures"/>
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
    let state = expect_context::<TiersState>();
    let edited = Signal::derive(move || state.scenario.track());
    let told = state.answer.answer;
    let plans =
        Memo::new(move |_| Arc::new(told.of(|told| told.chains.clone()).unwrap_or_default()));
    view! {
        <FlagsView plans=plans/>
        <TakeAway/>
        <Part id="comparison"/>
        {later::lazy_view(move |later| (later.helps)(edited))}
        <Part id="load" above=|| view! { <answer::LoadSlider/> }/>
        <OtherSections but=&["picture", "flags", "comparison", "load", "published"]/>
        {later::lazy_view(move |later| (later.ranges)(edited))}
        <Part id="published"/>
    }
}

/// The scenario in a line: a printed page has no panel.
fn in_words(scenario: &Scenario) -> String {
    let tiers: Vec<String> = scenario
        .tiers
        .iter()
        .map(|t| {
            format!(
                "{} ({} nodes, {} GB/s, {} TOPS, {} GB usable)",
                t.name, t.nodes, t.bandwidth_gb_s, t.tops, t.usable_gb
            )
        })
        .collect();
    format!(
        "{}: {}, {} tokens in, {} out, over {}.",
        scenario.title,
        scenario.model.name,
        scenario.prompt_tokens,
        scenario.out_tokens,
        tiers.join(", ")
    )
}
