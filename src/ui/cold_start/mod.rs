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

use super::told::{Answer, Bare, Others, Part, Take, name_the_tab};
use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::flags::FlagsView;
use super::views::gains::Share;
use super::views::notices::BannerView;
use super::views::print::OnPaper;
use super::views::section::OnThisPage;
use engine::scenario::improve::USUAL_PCT;
use engine::scenario::{Question, presets};
use leptos::prelude::*;
use std::sync::Arc;

/// The page of the question.
#[component]
pub fn ColdStart() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let told = state.teller.told;
    name_the_tab(told, state.question, Question::ColdStart);
    provide_context(told);
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let in_short = Signal::derive(move || told.in_short().filter(|_| !is_empty.get()));
    let plans =
        Memo::new(move |_| Arc::new(told.of(|told| told.chains.clone()).unwrap_or_default()));
    let answer = view! {
        <OnPaper desk=*state words=paper::in_words/>
        <BannerView/>
        <SummaryLine text=answer::summary(state)/>
        {move || is_empty.get().then(|| view! {
            <Empty
                desk=*state
                question=answer::QUESTION
                aim="to see a timeline"
                papers="The paper\u{2019}s four devices"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <Answer question=answer::QUESTION class=""/>
            <Bare id="hunt"/>
            <OnThisPage/>
            <paper::Drawing/>
            <Part id="picture"/>
            <Part id="reasons"/>
            <Part id="repairs"/>
            <FlagsView plans=plans/>
            <Take/>
            <Part id="front"/>
            <div class="side-by-side">
                <Part id="comparison"/>
                <Part id="gains" further=|| view! { <By/> }/>
            </div>
            <Part id="sweep" above=|| view! { <lengths::Controls/> }/>
            <Others but=&["hunt", "picture", "reasons", "repairs", "flags", "front", "comparison", "gains", "sweep", "spread", "published"]/>
            <Part id="spread" above=|| view! { <ranges::Ranges/><draws::Draws/> }/>
            <Part id="published"/>
        </div>
    };
    view! {
        <Desktop panel=view! { <panel::Panel/> }.into_any() answer=answer.into_any()/>
        <BottomBar answer=in_short/>
    }
}

/// By how much numbers are improved.
#[component]
fn By() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let by = RwSignal::new(USUAL_PCT);
    let at = Signal::derive(move || vec![by.get()]);
    state.teller.told.keep_turned("gains", at);
    view! { <Share by=by/> }
}
