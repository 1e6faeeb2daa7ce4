//! The operator-graph question: in which order does this graph fit into memory, and in which pieces over devices?
//!
//! [`state`] holds the editor and the answer view, [`reading`] the file that a graph comes from, [`split`] the devices of the
//! form; what is here else is the panel, and what only this question shows.

mod answer;
mod file;
mod panel;
mod reading;
mod split;
mod state;
mod topic;

pub use state::OperatorsState;

use super::answer_view::{
    OtherSections, OwnViews, SectionView, charts_alone, name_the_tab, ways_block,
};
use super::lazy_bundle::{self, TakeAway};
use super::questions;
use super::views::claim::{BottomBar, SummaryLine};
use super::views::notices::BannerView;
use super::views::print::OnPaper;
use super::views::section::OnThisPage;
use super::views::{Desktop, Details};
use chart::prepared;
use engine::scenario::Question;
use engine::scenario::operators::{Choice, Scenario};
use leptos::prelude::*;
use protocol::names::operators::{graph_name, weights_name};

/// The page of the question.
#[component]
pub fn Operators() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let store = state.answer.answer;
    name_the_tab(store, state.question, Question::Operators);
    provide_context(store);
    provide_context(OwnViews {
        block: ways_block,
        ..charts_alone(&[prepared::memory])
    });
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    let in_short = Signal::derive(move || answer::in_short(state).filter(|_| !is_empty.get()));
    let answer = view! {
        <OnPaper editor=*state words=in_words/>
        <BannerView/>
        <file::FileNotice/>
        <SummaryLine text=answer::summary(state)/>
        {move || is_empty.get().then(|| view! { <file::WantedFile/> })}
        <div class="whole" hidden=move || is_empty.get()>
            <answer::AnswerView/>
            <OnThisPage/>
            <SectionView id="memory"/>
            <Details/>
        </div>
    };
    view! {
        <Desktop answer=answer.into_any()/>
        <BottomBar answer=in_short/>
        <file::DropSign/>
    }
}

/// Views beside and below the answer.
pub const DETAILS: questions::DeferredViews = questions::DeferredViews {
    panel: || view! { <panel::Panel/> }.into_any(),
    details: || view! { <BelowSummary/> }.into_any(),
};

/// Views below the summary.
#[component]
fn BelowSummary() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let edited = Signal::derive(move || state.scenario.track());
    // A graph that no link carries comes with its file.
    let with =
        Signal::derive(
            move || match state.scenario.with(|scenario| scenario.for_link().graph) {
                Choice::File(wanted) => {
                    let file = wanted.source.file.replace('\'', "'\\''");
                    format!(" --onnx '{file}'")
                }
                Choice::Preset(_) | Choice::Custom(_) => String::new(),
            },
        );
    view! {
        <TakeAway with=with/>
        <SectionView id="comparison"/>
        {lazy_bundle::lazy_view(move |later| (later.helps)(edited))}
        <OtherSections but=&["memory", "comparison", "cuts", "published"]/>
        {lazy_bundle::lazy_view(move |later| (later.ranges)(edited))}
        <SectionView id="published"/>
    }
}

/// The scenario in a line: a printed page has no panel.
fn in_words(scenario: &Scenario) -> String {
    let limit = match scenario.limit_mib {
        Some(mib) => format!("limit {mib} MiB"),
        None => "no memory limit".to_owned(),
    };
    let goal = protocol::names::operators::goal_name(scenario.objective);
    format!(
        "{}: {}, order by {goal}, {}, {limit}.",
        scenario.title,
        graph_name(scenario),
        weights_name(scenario.weights)
    )
}
