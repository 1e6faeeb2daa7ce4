//! Published beside ours: the paper's comparisons, run in the worker network by network when they are asked for.

use super::HeadsState;
use crate::ui::measuring::Measuring;
use crate::ui::views::published::tables;
use crate::ui::views::section::{Fold, Section};
use job::heads_published::{Reading, Size};
use leptos::prelude::*;
use report::published::sections::HEADS;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let is_answered = Memo::new(move |_| {
        state
            .shown
            .with(|shown| shown.as_ref().is_some_and(|shown| shown.is_whole))
    });
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">{state.measured.with_untracked(HEADS.about)}</p>
                <div class="row tries">
                    <Run size=Size::Small id="measure-small" words="Run 3 to 5 devices, 4 tokens"/>
                    <Run size=Size::Medium id="measure-medium" words="Run 25 devices, 1000 tokens"/>
                    <Going/>
                </div>
                {tables(&HEADS, state.measured.into(), Signal::stored(None), false)}
            }
        })
    };
    view! {
        <Section id="published" title="Published beside ours" fold=Fold::Folded holds="the paper\u{2019}s comparisons">
            {content}
        </Section>
    }
}

/// Starts the comparisons of a size.
#[component]
fn Run(size: Size, id: &'static str, words: &'static str) -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let is_done = Memo::new(move |_| {
        let has = |reading| state.measured.with(|all| all.of(reading, size).is_some());
        Reading::ALL.into_iter().all(has)
    });
    let is_off = move || is_done.get() || state.measuring.get().is_going();
    view! {
        <button class="btn small" id=id disabled=is_off
            on:click=move |_| state.measure(size)>{words}</button>
    }
}

/// How far they are; a reading is shown when it is whole.
#[component]
fn Going() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    move || {
        let Measuring { asked, came } = state.measuring.get();
        (came < asked).then(|| {
            view! {
                <progress max=asked.to_string() value=came.to_string()></progress>
                <span class="foot" id="measuring">{format!("{came} of {asked} networks")}</span>
                <button class="btn small" id="measure-stop" on:click=move |_| state.end_measures()>"Stop"</button>
            }
        })
    }
}
