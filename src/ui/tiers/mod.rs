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

use super::told::{Answer, Others, Part, Take, name_the_tab};
use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::flags::FlagsView;
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::OnPaper;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use engine::scenario::Question;
use engine::scenario::tiers::{Scenario, presets};
use leptos::prelude::*;
use std::sync::Arc;

/// The page of the question.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
    name_the_tab(state.teller.told, state.question, Question::Tiers);
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let told = state.teller.told;
    provide_context(told);
    let plans =
        Memo::new(move |_| Arc::new(told.of(|told| told.chains.clone()).unwrap_or_default()));
    let in_short = Signal::derive(move || told.in_short().filter(|_| !is_empty.get()));
    let edited = Signal::derive(move || state.scenario.track());
    let answer = view! {
        <OnPaper desk=*state words=in_words/>
        <BannerView/>
        <SummaryLine text=answer::summary(state)/>
        {move || is_empty.get().then(|| view! {
            <Empty
                desk=*state
                question=answer::QUESTION
                aim="to see where the blocks go"
                papers="The paper\u{2019}s three tiers"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <Answer question=answer::QUESTION class="tiers-figures"/>
            <OnThisPage/>
            <Part id="picture"/>
            <FlagsView plans=plans/>
            <Take/>
            <Part id="comparison"/>
            <WhatHelps edited=edited/>
            <Part id="load" above=|| view! { <answer::LoadSlider/> }/>
            <Others but=&["picture", "flags", "comparison", "load", "published"]/>
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
