//! The operator-graph question: in which order does this graph fit into memory, and in which pieces over devices?
//!
//! [`state`] holds the desk, the order and what was found out besides, [`reading`] the file that a graph comes from,
//! [`split`] the pieces; the rest draws them, from the panel to the exports.

mod answer;
mod arena;
mod compare;
mod file;
mod graph;
mod panel;
mod picture;
mod published;
mod reading;
mod split;
mod state;
mod take;
mod topic;

pub use state::OperatorsState;

use super::views::Desktop;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::helps::WhatHelps;
use super::views::notices::BannerView;
use super::views::print::Printing;
use super::views::ranges::RangesView;
use super::views::section::OnThisPage;
use crate::ui::address;
use engine::units::memory;
use leptos::prelude::*;
use report::operators::{graph_name, weights_name};

/// The page of the question.
#[component]
pub fn Operators() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    name_the_tab(state);
    let edited = Signal::derive(move || state.scenario.track());
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let answer = view! {
        <OnPaper/>
        <BannerView/>
        <file::FileNotice/>
        <SummaryLine text=answer::summary(state)/>
        {move || is_empty.get().then(|| view! { <file::WantedFile/> })}
        <div class="whole" hidden=move || is_empty.get()>
            <answer::AnswerView/>
            <OnThisPage/>
            <picture::Picture/>
            <take::Take/>
            <compare::Compare/>
            <WhatHelps edited=edited/>
            <arena::ArenaView/>
            <split::SplitPicture/>
            <split::SplitBlocks/>
            <RangesView edited=edited/>
            <published::Published/>
        </div>
    };
    view! {
        <Desktop panel=view! { <panel::Panel/> }.into_any() answer=answer.into_any()/>
        <BottomBar answer=answer::in_short(state)/>
        <file::DropSign/>
    }
}

/// The answer in the tab's title, so that tabs, bookmarks and history are useful.
fn name_the_tab(state: OperatorsState) {
    Effect::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return;
        };
        let figure = match &shown.plan.ours {
            Some(ours) => memory(ours.peak as f64),
            None => "Does not fit".to_owned(),
        };
        document().set_title(&format!(
            "{figure}: order of {} - Edgewise",
            graph_name(&shown.scenario)
        ));
    });
}

/// What is printed ahead of the page: the scenario and the link that opens it.
#[component]
fn OnPaper() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let printing = expect_context::<Printing>();
    let head = move || {
        let scenario = state.scenario.get();
        let limit = match scenario.limit_mib {
            Some(mib) => format!("limit {mib} MiB"),
            None => "no memory limit".to_owned(),
        };
        let goal = report::operators::goal_name(scenario.objective);
        let words = format!(
            "{}: {}, order by {goal}, {}, {limit}.",
            scenario.title,
            graph_name(&scenario),
            weights_name(scenario.weights)
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
