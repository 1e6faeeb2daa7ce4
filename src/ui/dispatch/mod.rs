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
use engine::scenario::dispatch::{Scenario, presets};
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Dispatch() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let told = state.teller.told;
    name_the_tab(told, state.question, Question::Dispatch);
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
                aim="to see when it should help the server"
                papers="LLaMA-3.1-70b and a Xiaomi 14"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <Answer question=answer::QUESTION class="dispatch-figures"/>
            <OnThisPage/>
            <Part id="picture" below=|| view! { <answer::Budget/> }/>
            <Part id="devices"/>
            <Take/>
            <Part id="comparison"/>
            <WhatHelps edited=edited/>
            <Part id="sweep"/>
            <Others but=&["picture", "devices", "comparison", "sweep", "published"]/>
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
