//! The tiers question: which blocks on which tier, and what happens under load?
//!
//! [`state`] holds the desk, the plan and the runs; the rest draws them, from the panel to the exports.

mod answer;
mod blocks;
mod compare;
mod flags;
mod load;
mod many;
mod panel;
mod published;
mod requests;
mod rows;
mod state;
mod take;
mod topic;
mod trace;

pub use state::TiersState;

use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::empty::Empty;
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::Printing;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use crate::ui::address;
use engine::scenario::tiers::presets;
use engine::units::seconds;
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
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
                aim="to see where the blocks go"
                papers="The paper\u{2019}s three tiers"
                scenario=presets::paper
            />
         })}
        <div class="whole" hidden=move || is_empty.get()>
            <answer::AnswerView/>
            <OnThisPage/>
            <blocks::Blocks/>
            <flags::TiersFlags/>
            <take::Take/>
            <compare::Compare/>
            <WhatHelps edited=edited/>
            <load::LoadView/>
            <requests::Requests/>
            <many::Many/>
            <compare::Front/>
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
fn name_the_tab(state: TiersState) {
    Effect::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return;
        };
        let plan = shown.planned.plan.as_ref();
        let figure = plan.map_or_else(|| "Does not fit".to_owned(), |plan| seconds(plan.request));
        let count = shown.scenario.switched_on().count();
        let tiers = if count == 1 {
            "1 tier".to_owned()
        } else {
            format!("{count} tiers")
        };
        document().set_title(&format!(
            "{figure}: {} over {tiers} - Edgewise",
            shown.scenario.model.name
        ));
    });
}

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
fn OnPaper() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let printing = expect_context::<Printing>();
    let head = move || {
        let scenario = state.scenario.get();
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
        let words = format!(
            "{}: {}, {} tokens in, {} out, over {}.",
            scenario.title,
            scenario.model.name,
            scenario.prompt_tokens,
            scenario.out_tokens,
            tiers.join(", ")
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
