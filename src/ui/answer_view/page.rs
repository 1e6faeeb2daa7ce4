//! The page of a question with an answer view: the summary, the state without machines, and the heading on paper.

use super::chart::OwnViews;
use super::{AnswerController, name_the_tab};
use crate::ui::views::claim::{BottomBar, SummaryLine};
use crate::ui::views::empty::Empty;
use crate::ui::views::fleet::FleetRows;
use crate::ui::views::notices::BannerView;
use crate::ui::views::print::OnPaper;
use crate::ui::views::{Desktop, Details};
use leptos::prelude::*;
use protocol::Answerable;

/// The page; its children are what leads the answer.
#[component]
pub fn Page<S: FleetRows + Answerable>(
    /// The answer.
    controller: AnswerController<S>,
    /// The scenario in one line above the answer, where the panel is a sheet.
    summary: Signal<String>,
    /// Describes the scenario on paper.
    words: fn(&S) -> String,
    /// Purpose of adding a machine: "to see a timeline".
    aim: &'static str,
    /// Label of the button with the paper’s scenario.
    papers: &'static str,
    /// The paper’s scenario.
    scenario: fn() -> S,
    /// Views that only this question’s first answer needs.
    own: OwnViews,
    children: Children,
) -> impl IntoView {
    let (editor, store) = (*controller, controller.answer);
    name_the_tab(store, editor.question, S::QUESTION);
    provide_context(store);
    provide_context(own);
    let is_empty = Memo::new(move |_| editor.scenario.with(|scenario| scenario.is_empty()));
    let in_short = Signal::derive(move || store.in_short().filter(|_| !is_empty.get()));
    let empty = move || {
        let question = S::QUESTION.asks();
        view! { <Empty editor=editor question=question aim=aim papers=papers scenario=scenario/> }
    };
    let answer = view! {
        <OnPaper editor=editor words=words/>
        <BannerView/>
        <SummaryLine text=summary/>
        {move || is_empty.get().then(empty)}
        <div class="whole" hidden=move || is_empty.get()>{children()}<Details/></div>
    };
    view! {
        <Desktop answer=answer.into_any()/>
        <BottomBar answer=in_short/>
    }
}
