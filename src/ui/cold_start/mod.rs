//! The cold-start question: which layers on which device, and when is the first answer there?
//!
//! [`state`] holds the desk and the answer as it is told; what is here is the panel, and what only this question shows.

mod answer;
mod decode;
mod draws;
mod lengths;
mod memory;
mod model;
mod panel;
mod paper;
mod ranges;
mod rows;
mod state;
mod topic;

pub use state::ColdStartState;

use super::later::TakeAway;
use super::questions::DeferredViews;
use super::told::{Answer, Bare, OtherSections, Page, Part, charts_alone};
use super::views::flags::FlagsView;
use super::views::gains::Share;
use super::views::section::OnThisPage;
use chart::ready;
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
            teller=state.teller
            summary=answer::summary(state)
            words=paper::in_words
            aim="to see a timeline"
            papers="The paper\u{2019}s four devices"
            scenario=presets::paper
            own=charts_alone(&[ready::timeline])
        >
            <Answer question=answer::QUESTION class=""/>
            <Bare id="hunt"/>
            <OnThisPage/>
            <paper::Drawing/>
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
    let state = expect_context::<ColdStartState>();
    let told = state.teller.answer;
    let plans =
        Memo::new(move |_| Arc::new(told.of(|told| told.chains.clone()).unwrap_or_default()));
    view! {
        <Part id="reasons"/>
        <Part id="repairs"/>
        <FlagsView plans=plans/>
        <TakeAway/>
        <Part id="front"/>
        <div class="side-by-side">
            <Part id="comparison"/>
            <Part id="gains" further=|| view! { <By/> }/>
        </div>
        <Part id="sweep" above=|| view! { <lengths::Controls/> }/>
        <OtherSections but=&["hunt", "picture", "reasons", "repairs", "flags", "front", "comparison", "gains", "sweep", "spread", "published"]/>
        <Part id="spread" above=|| view! { <ranges::Ranges/><draws::Draws/> }/>
        <Part id="published"/>
    }
}

/// By how much numbers are improved.
#[component]
fn By() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let by = RwSignal::new(USUAL_PCT);
    let at = Signal::derive(move || vec![by.get()]);
    state.teller.answer.bind_controls("gains", at);
    view! { <Share by=by/> }
}
