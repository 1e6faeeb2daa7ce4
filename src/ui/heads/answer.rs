//! The answer about attention heads: the question with how far the claim goes, a sentence with the figure, what it is
//! made of, and what is wrong with the published table where its numbers are shown.

use super::HeadsState;
use super::state::Shown;
use crate::ui::views::answer::Spoken;
use crate::ui::views::headline::Headline;
use crate::ui::views::parts::FiguresView;
use engine::scenario::Question;
use engine::scenario::heads::presets;
use engine::units::seconds;
use leptos::prelude::*;
use report::heads::{against, figures as figures_of, table_notes};
use std::sync::Arc;

/// The question.
pub const QUESTION: &str = Question::HeadPlacement.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let words = Signal::derive(move || state.shown.get().map(|shown| shown.words.clone()));
    let rival = Memo::new(move |_| {
        let sentence = state.with_compared(|shown, others| {
            let is_done = shown.planned.failed_at.is_none();
            is_done.then(|| against(&shown.scenario, &others.drawn))
        });
        sentence.flatten().flatten()
    });
    let rival = move || {
        rival
            .get()
            .map(|sentence| view! { <Spoken sentence=sentence/> })
    };
    view! {
        <Headline
            question=QUESTION
            waiting="Planning the first tokens."
            words=words
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
            further=move || rival
        />
        {move || state.shown.get().map(|shown| figures(&shown))}
        <TableNotes/>
    }
}

fn figures(shown: &Arc<Shown>) -> Option<impl IntoView + use<>> {
    let figures = figures_of(&shown.scenario, &shown.planned)?;
    Some(view! { <FiguresView class="heads-figures" figures=figures/> })
}

/// What is wrong with the demands that are shown, and the honest setting beside it.
#[component]
fn TableNotes() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let notes = Memo::new(move |_| state.scenario.with(|s| table_notes(s)));
    let honest = move |_| {
        if let Err(fault) = state.edit("", |s| s.demands = presets::PHYSICAL) {
            state.say(format!("Not changed: {fault}."));
        }
    };
    move || {
        let notes = notes.get();
        (!notes.is_empty()).then(|| {
            view! {
                <aside class="table-notes" id="table-notes" aria-label="What is wrong with the paper\u{2019}s table">
                    <p><b class="tag warn">"Table I"</b>" of the paper sets these numbers, and it does not count what devices really do:"</p>
                    <ul>{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
                    <button class="btn small" id="honest" on:click=honest>"Use physical demands"</button>
                </aside>
            }
        })
    }
}

/// The scenario in one line.
pub fn summary(state: HeadsState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} + {} tokens, {} devices",
                s.model.name,
                s.prompt_tokens,
                s.new_tokens,
                s.switched_on().count()
            )
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: HeadsState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let figure = match shown.planned.failed_at {
            None => seconds(shown.planned.summary.seconds),
            Some(_) => "No plan".to_owned(),
        };
        Some((figure, shown.words.proof.clone()))
    })
}
