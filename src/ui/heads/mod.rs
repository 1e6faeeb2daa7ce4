//! The head-placement question: where should each attention head run, token by token?
//!
//! [`state`] holds the desk, our run and what other rules make of it; the rest draws them, from the panel to the
//! exports.

mod answer;
mod compare;
mod layers;
mod links;
mod load;
mod map;
mod panel;
mod published;
mod rows;
mod state;
mod take;
mod topic;
mod trace;
mod tracks;

pub use state::HeadsState;

use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::Printing;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use crate::ui::address;
use engine::scenario::heads::presets;
use engine::units::seconds;
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Heads() -> impl IntoView {
    let state = expect_context::<HeadsState>();
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
                aim="to see where the heads go"
                papers="The paper\u{2019}s 25 devices"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <answer::AnswerView/>
            <OnThisPage/>
            <map::Map/>
            <take::Take/>
            <compare::Compare/>
            <WhatHelps edited=edited/>
            <tracks::Tracks/>
            <compare::Changes/>
            <load::Load/>
            <layers::Layers/>
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
fn name_the_tab(state: HeadsState) {
    Effect::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return;
        };
        let figure = match shown.planned.failed_at {
            None => seconds(shown.planned.summary.seconds),
            Some(_) => "Does not fit".to_owned(),
        };
        let count = shown.planned.places.len();
        let devices = if count == 1 { "device" } else { "devices" };
        document().set_title(&format!(
            "{figure}: {} tokens on {count} {devices} - Edgewise",
            shown.scenario.new_tokens
        ));
    });
}

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
fn OnPaper() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let printing = expect_context::<Printing>();
    let head = move || {
        let scenario = state.scenario.get();
        let devices: Vec<String> = scenario
            .switched_on()
            .map(|(_, d)| format!("{} ({} Gop/s, {} GB)", d.name, d.compute_gops, d.memory_gb))
            .collect();
        let words = format!(
            "{}: {}, {} tokens in, {} out, on {}.",
            scenario.title,
            scenario.model.name,
            scenario.prompt_tokens,
            scenario.new_tokens,
            devices.join(", ")
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
