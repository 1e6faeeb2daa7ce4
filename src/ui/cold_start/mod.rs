//! The cold-start question: which layers on which device, and when is the first answer there?
//!
//! [`state`] holds the editor and the answer view; this module has the panel and the views of this question alone.

mod answer;
mod decode;
mod draws;
mod lengths;
mod loading;
mod memory;
mod model;
mod panel;
mod paper;
mod ranges;
mod rows;
mod state;
mod topic;

pub use state::ColdStartState;

use super::answer_view::{Answer, Bare, OtherSections, Page, SectionView, charts_alone};
use super::lazy_bundle::TakeAway;
use super::questions::DeferredViews;
use super::views::flags::FlagsView;
use super::views::gains::Share;
use super::views::section::OnThisPage;
use chart::prepared;
use engine::scenario::improve::USUAL_PCT;
use engine::scenario::presets;
use leptos::prelude::*;
use std::sync::Arc;

/// The page of the question.
#[component]
pub fn ColdStart() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    view! {
        <Page
            controller=state.answer
            summary=answer::summary(state)
            words=paper::in_words
            aim="to see a timeline"
            papers="The paper\u{2019}s four devices"
            scenario=presets::paper
            own=charts_alone(&[prepared::timeline])
        >
            <Answer question=answer::QUESTION class=""/>
            <Bare id="hunt"/>
            <OnThisPage/>
            <paper::Drawing/>
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
    let state = expect_context::<ColdStartState>();
    let store = state.answer.answer;
    let plans = Memo::new(move |_| {
        Arc::new(
            store
                .of(|answer_view| answer_view.chains.clone())
                .unwrap_or_default(),
        )
    });
    view! {
        <SectionView id="reasons"/>
        <SectionView id="repairs"/>
        <FlagsView plans=plans/>
        <TakeAway/>
        <SectionView id="front"/>
        <div class="side-by-side">
            <SectionView id="comparison"/>
            <SectionView id="gains" further=|| view! { <By/> }/>
        </div>
        <SectionView id="sweep" above=|| view! { <lengths::Controls/> }/>
        <OtherSections but=&["hunt", "picture", "reasons", "repairs", "flags", "front", "comparison", "gains", "sweep", "spread", "published"]/>
        <SectionView id="spread" above=|| view! { <ranges::Ranges/><draws::Draws/> }/>
        <SectionView id="published"/>
    }
}

/// By how much numbers are improved.
#[component]
fn By() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let by = RwSignal::new(USUAL_PCT);
    let at = Signal::derive(move || vec![by.get()]);
    state.answer.answer.bind_controls("gains", at);
    view! { <Share by=by/> }
}
