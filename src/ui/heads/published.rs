//! Published beside ours: the paper's comparisons, run in the worker network by network when they are asked for.

use super::HeadsState;
use crate::ui::measuring::Measuring;
use crate::ui::views::published::{Beside, Work, block};
use job::heads_published::{Reading, Size};
use leptos::prelude::*;
use report::published::sections::HEADS;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let start = move |size: Size, id: &str, words: &'static str| {
        let is_done = Memo::new(move |_| {
            let has = |reading| state.measured.with(|all| all.of(reading, size).is_some());
            Reading::ALL.into_iter().all(has)
        });
        let is_off = move || is_done.get() || state.measuring.get().is_going();
        let run = Callback::new(move |()| state.measure(size));
        (id.to_owned(), words.into(), Signal::derive(is_off), run)
    };
    // A reading is shown when it is whole.
    let going = Signal::derive(move || {
        let measuring = state.measuring.get();
        let Measuring { asked, came } = measuring;
        let words = || format!("{came} of {asked} networks");
        measuring.is_going().then(|| (words(), Some(measuring)))
    });
    let section = move || {
        let work = Work {
            starts: vec![
                start(Size::Small, "measure-small", "Run 3 to 5 devices, 4 tokens"),
                start(
                    Size::Medium,
                    "measure-medium",
                    "Run 25 devices, 1000 tokens",
                ),
            ],
            going,
            suffix: "",
            stop: Callback::new(move |()| state.end_measures()),
        };
        Beside::of(&HEADS, state.measured).working(work).view()
    };
    let is_there = move || state.teller.of.with(Option::is_some);
    block(is_there, || (), section)
}
