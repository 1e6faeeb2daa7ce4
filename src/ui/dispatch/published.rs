//! Published beside ours: the paper's claims, computed in the worker piece by piece when the block is asked for.

use super::DispatchState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::ClaimsTable;
use crate::ui::views::table::TableView;
use leptos::prelude::*;
use report::published::disco::{claims, note, table};
use std::sync::Arc;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    let told = Memo::new(move |_| Arc::new(state.measured.with(claims)));
    let figures = Memo::new(move |_| Arc::new(state.measured.with(table)));
    let going = move || {
        let open = state.measuring.get();
        (open > 0).then(|| {
            view! {
                <span class="foot" id="measuring">{format!("{open} pieces to go")}</span>
                <button class="btn small" id="measure-stop" on:click=move |_| state.end_measures()>"Stop"</button>
            }
        })
    };
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">
                    "The paper\u{2019}s own services, phones and budgets, independent of your scenario, with assumed distributions of first \
                     tokens and prompts: its traces are not public."
                </p>
                <div class="row tries">
                    <button class="btn small" id="measure" disabled=move || { state.measuring.get() > 0 } on:click=move |_| state.measure()>
                        "Recompute"
                    </button>
                    {going}
                </div>
                <ClaimsTable claims=told title="Published beside ours, device or server" id="dispatch-claims"/>
                <div class="notes"><p>{note()}</p></div>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"Every service, phone and side"<span></span></summary>
                    <TableView table=figures id="dispatch-measured"/>
                </details>
            }
        })
    };
    view! {
        <section class="block" id="published">
            <div class="head"><h2>"Published beside ours"</h2></div>
            {content}
        </section>
    }
}
