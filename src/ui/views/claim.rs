//! Parts of every answer: proof, cancel button of a long search, the main figure.

use super::bar::share;
use super::icons::{Glyph, Icon};
use super::terms::Explained;
use crate::ui::questions::Questions;
use crate::ui::shell::{Shell, SolverState};
use document::{Tone, Verdict};
use engine::units::percent;
use leptos::prelude::*;

/// How far a claim goes, and that in words.
pub type ClaimView = (Tone, String);

/// The claim of an answer in words.
pub fn claim_of(words: &Verdict) -> ClaimView {
    (words.tone, words.proof.clone())
}

/// How far the claim goes, in a word.
#[component]
pub fn Proof(claim: Signal<Option<ClaimView>>) -> impl IntoView {
    let shell = expect_context::<Shell>();
    move || {
        let stale = !shell.faults.with(|faults| faults.is_empty());
        let (tone, text) = match (shell.busy.get(), claim.get()) {
            _ if stale => (None, "Not yet for this scenario".to_owned()),
            (SolverState::Searching(share), _) => {
                let share = share.map(|share| format!(", {}", percent(100.0 * share, 0)));
                let text = format!("Searching{}", share.unwrap_or_default());
                (Some(Tone::Open), text)
            }
            (SolverState::GivenUp, _) => (None, "Stopped: not for this scenario".to_owned()),
            (SolverState::Idle, None) => return None,
            (SolverState::Idle, Some((tone, text))) => (Some(tone), text),
        };
        Some(view! { <Claimed id=Some("proof") tone=tone text=text/> })
    }
}

/// The words of a claim in the colour of how far it goes; in none where it belongs to another scenario.
#[component]
pub fn Claimed(
    #[prop(default = None)] id: Option<&'static str>,
    tone: Option<Tone>,
    text: String,
    /// True if changes are not announced.
    #[prop(optional)]
    is_quiet: bool,
) -> impl IntoView {
    let (class, glyph) = match tone {
        Some(Tone::Good) => ("proof good", Some(Glyph::Check)),
        Some(Tone::Open) => ("proof warn", None),
        Some(Tone::Bad) => ("proof bad", Some(Glyph::Close)),
        None => ("proof old", None),
    };
    view! {
        <span class=class id=id aria-live=is_quiet.then_some("off")>
            {glyph.map(|glyph| view! { <Icon glyph=glyph/> })}
            <span><Explained text=text/></span>
        </span>
    }
}

/// A way out of a long search, and back in.
#[component]
pub fn Search(stop: Callback<()>, again: Callback<()>) -> impl IntoView {
    let shell = expect_context::<Shell>();
    move || {
        match shell.busy.get() {
        SolverState::Idle => None,
        SolverState::Searching(share) => Some(
            view! {
                <div class="search">
                    <progress max="1" value=share.map(|share| share.to_string())></progress>
                    <button class="btn" id="stop" on:click=move |_| stop.run(())>"Stop searching"</button>
                </div>
            }
            .into_any(),
        ),
        SolverState::GivenUp => Some(
            view! {
                <div class="search">
                    <p>"The search for this scenario was stopped. What is shown belongs to the one before."</p>
                    <button class="btn" id="go-on" on:click=move |_| again.run(())>"Search again"</button>
                </div>
            }
            .into_any(),
        ),
    }
    }
}

/// The scenario in one line, where the panel is a drawer.
#[component]
pub fn SummaryLine(text: Signal<String>) -> impl IntoView {
    let shell = expect_context::<Shell>();
    view! {
        <div class="summary-line">
            <span>{move || text.get()}</span>
            <button class="btn small" id="edit-scenario-line" on:click=move |_| shell.open_sheet()>
                <Icon glyph=Glyph::Edit/>
                "Edit scenario"
            </button>
        </div>
    }
}

/// On a small screen: the answer stays in view, and the scenario is one tap away. `answer` is the figure and the claim
/// beside it.
#[component]
pub fn BottomBar(answer: Signal<Option<(String, String)>>) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let questions = expect_context::<Questions>();
    let shown = move || {
        answer.get().map(|(figure, claim)| {
            let is_current = shell.faults.with(|faults| faults.is_empty())
                && shell.busy.get() == SolverState::Idle;
            let claim = if is_current {
                claim
            } else {
                "Not yet for this scenario".to_owned()
            };
            view! { <b>{figure}</b><small>{claim}</small> }
        })
    };
    view! {
        <aside class="bottom-bar" aria-label="Answer in short" class:away=move || shell.sheet.get()>
            <span>{shown}</span>
            <button class="btn icon" aria-label="Copy link" on:click=move |_| share(questions)>
                <Icon glyph=Glyph::Link/>
            </button>
            <button class="btn primary" id="edit-scenario" on:click=move |_| shell.open_sheet()>
                <Icon glyph=Glyph::Edit/>
                "Edit scenario"
            </button>
        </aside>
    }
}
