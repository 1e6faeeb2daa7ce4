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
    let told = state.teller.told;
    // All budgets first.
    let is_known = Memo::new(move |_| told.is_known());
    let ask = move || {
        if is_known.get() {
            state.measure_once();
        }
    };
    block(move || state.teller.of.with(Option::is_some), ask, section)
}
