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

use super::told::{Answer, Others, Part, Take, name_the_tab};
use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::OnPaper;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use engine::scenario::Question;
use engine::scenario::heads::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Heads() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let told = state.teller.told;
    name_the_tab(told, state.question, Question::HeadPlacement);
    provide_context(told);
    let edited = Signal::derive(move || state.scenario.track());
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let in_short = Signal::derive(move || told.in_short().filter(|_| !is_empty.get()));
    let answer = view! {
        <OnPaper desk=*state words=in_words/>
        <BannerView/>
        <SummaryLine text=answer::summary(state)/>
        {move || is_empty.get().then(|| view! {
            <Empty
                desk=*state
                question=answer::QUESTION
                aim="to see where the heads go"
                papers="The paper\u{2019}s 25 devices"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <Answer question=answer::QUESTION class="heads-figures"/>
            <Part id="table-notes"/>
            <OnThisPage/>
            <Part id="picture"/>
            <Take/>
            <Part id="comparison"/>
            <WhatHelps edited=edited/>
            <Others but=&["table-notes", "picture", "comparison", "published"]/>
            <RangesView edited=edited/>
            <Part id="published"/>
        </div>
    };
    view! {
        <Desktop panel=view! { <panel::Panel/> }.into_any() answer=answer.into_any()/>
        <BottomBar answer=in_short/>
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
