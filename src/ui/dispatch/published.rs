//! Published beside ours: the paper's claims, computed in the worker piece by piece when the block is asked for.

use super::DispatchState;
use crate::ui::views::published::tables;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use leptos::prelude::*;
use report::published::sections::DISPATCH;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    let going = move || {
        let open = state.measuring.get();
        (open > 0).then(|| {
            view! {
                <span class="foot" id="measuring">{format!("{open} pieces to go")}</span>
                <button class="btn small" id="measure-stop" on:click=move |_| state.end_measures()>"Stop"</button>
            }
        })
    };
    let is_swept = Memo::new(move |_| state.besides.with(|besides| besides.sweep.is_some()));
    let ask = Callback::new(move |()| {
        if is_swept.get() {
            state.measure_once();
        }
    });
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">{state.measured.with_untracked(DISPATCH.about)}</p>
                <div class="row tries">
                    <button class="btn small" id="measure" disabled=move || { state.measuring.get() > 0 } on:click=move |_| state.measure()>
                        "Recompute"
                    </button>
                    {going}
                </div>
                {tables(&DISPATCH, state.measured.into(), Signal::stored(None), false)}
            }
        })
    };
    view! {
        <Section id="published" title="Published beside ours" fold=Fold::Folded holds="the paper\u{2019}s figures">
            <WhileOpen run=ask/>
            {content}
        </Section>
    }
}
