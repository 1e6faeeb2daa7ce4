//! How far the search over a large fleet is: best plan, bound, gap, and a way to end it.

use crate::ui::state::{Seen, State};
use crate::ui::views::answer::Spoken;
use engine::solve::{Ended, Stop};
use engine::units::{count, percent, seconds};
use leptos::prelude::*;
use story::Sentence;

/// The search in two lines, with a button; nothing where the first answer was the last.
#[component]
pub fn HuntView() -> impl IntoView {
    let state = expect_context::<State>();
    // The button stays the same one while figures change, so that it keeps the focus.
    let is_there = Memo::new(move |_| state.hunting.seen.with(Option::is_some));
    let is_running = Memo::new(move |_| {
        state
            .hunting
            .seen
            .with(|seen| seen.is_some_and(|seen| seen.is_running))
    });
    let is_open = Memo::new(move |_| {
        let was_cancelled = |seen: Seen| seen.ended == Some(Ended::Stopped(Stop::Cancelled));
        state
            .hunting
            .seen
            .with(|seen| seen.is_some_and(was_cancelled))
    });
    let said = move || {
        state
            .hunting
            .seen
            .get()
            .map(|seen| view! { <Spoken sentence=sentence(&seen)/> })
    };
    let share = move || {
        let share = |seen: Seen| seen.best.map(|best| (seen.bound / best).clamp(0.0, 1.0));
        state
            .hunting
            .seen
            .get()
            .and_then(share)
            .map(|share| share.to_string())
    };
    move || {
        is_there.get().then(|| {
            view! {
                <section class="hunt" id="hunt" aria-label="Search">
                    <p>{said}</p>
                    {move || is_running.get().then(|| view! {
                        <div class="search">
                            <progress max="1" value=share aria-label="Bound as a share of the best plan"></progress>
                            <button class="btn" id="hunt-stop" on:click=move |_| state.stop_hunt()>
                                "Stop, keep the best"
                            </button>
                        </div>
                    })}
                    {move || is_open.get().then(|| view! {
                        <div class="search">
                            <button class="btn" id="hunt-on" on:click=move |_| state.resume_hunt()>"Continue searching"</button>
                        </div>
                    })}
                </section>
            }
        })
    }
}

/// What is known, and what the search is at.
fn sentence(seen: &Seen) -> Sentence {
    let known = match seen.best {
        None => Sentence::default().plain("No plan is known yet. "),
        Some(best) => {
            let gap = 100.0 * ((best - seen.bound) / best).max(0.0);
            Sentence::default()
                .plain("Best plan ")
                .strong(seconds(best))
                .plain(", none below ")
                .strong(seconds(seen.bound))
                .plain(": a gap of ")
                .strong(percent(gap, if gap < 0.095 { 3 } else { 1 }))
                .plain(". ")
        }
    };
    let labels = count(seen.labels as f64);
    let took = seconds(seen.seconds);
    match seen.ended {
        None => known.plain(format!(
            "Searching with {} {}: pass {}, plans of {} {}, {labels} labels, {took}.",
            seen.workers,
            if seen.workers == 1 {
                "worker"
            } else {
                "workers"
            },
            seen.passes,
            seen.level + 1,
            if seen.level == 0 { "stage" } else { "stages" },
        )),
        Some(Ended::Optimal) => Sentence::default().plain(format!(
            "Searched to the end in {took}: {labels} labels in {} passes. No plan is faster.",
            seen.passes
        )),
        Some(Ended::Finished) => {
            Sentence::default().plain(format!("Searched to the end in {took}: no plan fits."))
        }
        Some(Ended::Stopped(Stop::Size)) => known.plain(format!(
            "The search ended after {labels} labels: more would not fit in memory."
        )),
        Some(Ended::Stopped(_)) => {
            known.plain(format!("Stopped after {took} and {labels} labels."))
        }
    }
}
