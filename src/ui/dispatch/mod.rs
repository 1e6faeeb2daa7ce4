//! The device-or-server question: who should answer, and how long should the device wait?
//!
//! [`state`] holds the desk, our policy and what was found out besides; the rest draws them, from the panel to the exports.

mod answer;
mod compare;
mod folds;
mod laws;
mod logs;
mod panel;
mod picture;
mod published;
mod request;
mod rows;
mod runs;
mod state;
mod sweep;
mod take;
mod topic;

pub use state::DispatchState;

use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::Printing;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use crate::ui::address;
use engine::scenario::dispatch::presets;
use engine::units::seconds;
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Dispatch() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    name_the_tab(state);
    let edited = Signal::derive(move || state.scenario.track());
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let answer = view! {
        <OnPaper/>
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
            <answer::AnswerView/>
            <OnThisPage/>
            <picture::Picture/>
            <take::Take/>
            <compare::Compare/>
            <WhatHelps edited=edited/>
            <sweep::Sweep/>
            <request::Request/>
            <compare::Costs/>
            <runs::Runs/>
            <logs::Laws/>
            <RangesView edited=edited/>
            <published::Published/>
        </div>
    };
    view! {
        <Desktop panel=view! { <panel::Panel/> }.into_any() answer=answer.into_any()/>
        <BottomBar answer=answer::in_short(state)/>
    }
}

/// The answer in the tab's title, so that tabs, bookmarks and history are useful.
fn name_the_tab(state: DispatchState) {
    Effect::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return;
        };
        let mean = seconds(shown.planned.ours().outcome.mean);
        document().set_title(&format!(
            "{mean}: first token from {} or a device - Edgewise",
            shown.scenario.server.name
        ));
    });
}

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
fn OnPaper() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let printing = expect_context::<Printing>();
    let head = move || {
        let scenario = state.scenario.get();
        let devices: Vec<String> = scenario
            .switched_on()
            .map(|(_, d)| {
                format!(
                    "{} ({} tok/s in, {} out)",
                    d.name, d.prefill_tok_s, d.decode_tok_s
                )
            })
            .collect();
        let words = format!(
            "{}: {} and {}, budget {} %.",
            scenario.title,
            scenario.server.name,
            devices.join(", "),
            100.0 * scenario.budget
        );
        view! {
            <div class="on-paper" id="print-sheet">
                <p><b>{words}</b></p>
                <p class="full-link">{address::with_page(&state.fragment())}</p>
            </div>
        }
    };
    move || printing.is_on().then(head)
}
