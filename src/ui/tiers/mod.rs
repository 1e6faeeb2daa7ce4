//! The tiers question: which blocks on which tier, and what happens under load?
//!
//! [`state`] holds the editor and the answer view; this module has the panel and the views of this question alone.

mod answer;
mod panel;
mod rows;
mod state;
mod topic;
mod trace;

pub use state::TiersState;

use super::answer_view::{Answer, Cuts, OtherSections, OwnViews, Page, SectionView, charts_alone};
use super::lazy_bundle::{self, TakeAway};
use super::questions::DeferredViews;
use super::views::flags::FlagsView;
use super::views::section::OnThisPage;
use chart::prepared;
use engine::scenario::tiers::{Scenario, presets};
use leptos::prelude::*;
use std::sync::Arc;

/// Views of the first answer: handles that move the cuts.
const SUMMARY_VIEWS: OwnViews = OwnViews {
    around: |chart, picture| view! { <Cuts chart=chart>{picture}</Cuts> }.into_any(),
    ..charts_alone(&[prepared::network])
};

/// The page of the question.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
    view! {
        <Page
            controller=state.answer
            summary=answer::summary(state)
            words=in_words
            aim="to see where the blocks go"
            papers="The paper\u{2019}s three tiers"
            scenario=presets::paper
            own=SUMMARY_VIEWS
        >
            <Answer question=answer::QUESTION class="tiers-figures"/>
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
    let state = expect_context::<TiersState>();
    let edited = Signal::derive(move || state.scenario.track());
    let store = state.answer.answer;
    let plans = Memo::new(move |_| {
        Arc::new(
            store
                .of(|answer_view| answer_view.chains.clone())
                .unwrap_or_default(),
        )
    });
    view! {
        <FlagsView plans=plans/>
        <TakeAway/>
        <SectionView id="comparison"/>
        {lazy_bundle::lazy_view(move |later| (later.helps)(edited))}
        <SectionView id="load" above=|| view! { <answer::LoadSlider/> }/>
        <OtherSections but=&["picture", "flags", "comparison", "load", "published"]/>
        {lazy_bundle::lazy_view(move |later| (later.ranges)(edited))}
        <SectionView id="published"/>
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
        scenario.model.name(),
        scenario.prompt_tokens,
        scenario.out_tokens,
        tiers.join(", ")
    )
}
