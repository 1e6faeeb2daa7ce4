//! The second part of the question: the operators cut over devices.
//!
//! [`state`] asks and gathers: what is known at once as soon as the order is, the chains of the search once edits have
//! paused, the paper's search by a press, other devices at the end. The rest draws it.

mod compare;
mod panel;
mod picture;
mod rows;
mod search;
mod state;
mod sweep;

pub use panel::{CutsPicker, Folds};
pub use picture::SplitPicture;
pub use rows::Fleet;
pub use state::{Found, SplitShown, SplitState};

use super::OperatorsState;
use crate::ui::views::answer::Spoken;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::terms::Explained;
use compare::Compare;
use engine::units::percent;
use leptos::prelude::*;
use report::operators::millis;
use search::Convergence;
use sweep::Sweep;

/// How far the claim about the pieces goes.
#[component]
pub fn PiecesProof() -> impl IntoView {
    use story::Tone;
    let state = expect_context::<OperatorsState>();
    move || {
        let shown = state.split.shown.get()?;
        let (class, glyph) = match shown.words.tone {
            Tone::Good => ("proof good", Some(Glyph::Check)),
            Tone::Open => ("proof warn", None),
            Tone::Bad => ("proof bad", Some(Glyph::Close)),
        };
        let text = match state.split.share() {
            Some(share) => format!("Cutting, {}", percent(100.0 * share, 0)),
            None => shown.words.proof.clone(),
        };
        // It changes several times a second while the search runs, which nobody wants to hear.
        Some(view! {
            <span class=class id="pieces-proof" aria-live="off">
                {glyph.map(|glyph| view! { <Icon glyph=glyph/> })}
                <span><Explained text=text/></span>
            </span>
        })
    }
}

/// What the split comes to, under the headline of the order; where nothing fits, the limits that work.
#[component]
pub fn SplitAnswer() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let room = move || {
        let room = state.split.shown.get()?.room.clone()?;
        let limits = room.limits_mib.clone();
        let set = move |_| {
            let done = state.edit("", |s| {
                for (board, limit) in s.split.devices.iter_mut().zip(&limits) {
                    board.limit_mib = *limit;
                }
            });
            if let Err(fault) = done {
                state.say(format!("Not changed: {fault}."));
            }
        };
        let none = move |_| {
            let _ = state.edit("", |s| {
                for board in &mut s.split.devices {
                    board.limit_mib = None; // no limit is always allowed
                }
            });
        };
        Some(view! {
            <div class="row way-out" id="split-room">
                <button class="btn primary" id="set-limits" on:click=set>{room.words}</button>
                <button class="btn" id="no-limits" on:click=none>"Remove the limits"</button>
            </div>
        })
    };
    // Where nothing is known at once of a split, why.
    let refused = move || {
        let faults = state.split.found.with(|found| found.faults.clone());
        Some(format!("No split over devices: {}.", faults.first()?))
    };
    move || {
        match state.split.shown.get() {
        Some(shown) => Some(
            view! {
                <section class="split-answer" id="split-answer" aria-label="Operators cut over devices">
                    <p class="split-headline" id="split-headline"><Spoken sentence=shown.words.headline.clone()/></p>
                    <p class="lead" id="split-lead"><Spoken sentence=shown.words.lead.clone()/></p>
                    {room}
                </section>
            }
            .into_any(),
        ),
        None => Some(match refused() {
            Some(why) => view! { <p class="lead" id="split-refused">{why}</p> }.into_any(),
            // Its room is kept, so that nothing moves when it comes.
            None => view! { <div class="split-answer"></div> }.into_any(),
        }),
    }
    }
}

/// The split in short: `63.1 ms on 4`.
pub fn pieces_in_short(state: OperatorsState) -> Option<String> {
    let shown = state.split.shown.get()?;
    let devices = shown.names.len();
    Some(if shown.cut.is_feasible {
        format!("{} on {devices}", millis(shown.cut.latency_ms))
    } else {
        "split does not fit".to_owned()
    })
}

/// What more there is to say of the pieces.
#[component]
pub fn SplitBlocks() -> impl IntoView {
    view! {
        <Compare/>
        <Convergence/>
        <Sweep/>
    }
}
