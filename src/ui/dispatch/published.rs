//! Published beside ours: the paper's claims, computed in the worker piece by piece when the block is asked for.

use super::DispatchState;
use crate::ui::views::published::{Beside, Work, block};
use leptos::prelude::*;
use report::published::sections::DISPATCH;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let section = move || {
        let open = (state.measuring, "pieces to go");
        let (run, stop) = (move || state.measure(), move || state.end_measures());
        let work = Work::counted("", "Recompute", open, run, stop);
        Beside::of(&DISPATCH, state.measured).working(work).view()
    };
    let is_swept = Memo::new(move |_| state.besides.with(|besides| besides.sweep.is_some()));
    let ask = move || {
        if is_swept.get() {
            state.measure_once();
        }
    };
    block(move || state.shown.with(Option::is_some), ask, section)
}
