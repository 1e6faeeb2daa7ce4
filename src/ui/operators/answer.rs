//! The answer about an operator graph: that about the order, and under it that about the pieces, each with how far its claim goes.

use super::OperatorsState;
use crate::ui::told::{Answer, AnswerStore, Choices};
use crate::ui::views::answer::SentenceView;
use crate::ui::views::claim::Claimed;
use engine::graph::Weights;
use engine::scenario::Question;
use engine::units::{NARROW, percent};
use leptos::prelude::*;
use story::quantity::millis;
use story::{Block, Sentence, Words};
use tell::names::operators::{graph_name, weights_name};

/// The question, as it stands over the answer.
pub const QUESTION: &str = Question::Operators.asks();
/// The section that tells of the pieces.
const PIECES: &str = "cuts";

/// Returns the verdict of the operator split, once it is known.
fn pieces(told: AnswerStore) -> Option<Words> {
    told.section(PIECES)?.verdict().cloned()
}

/// Question, headline, lead and figures, and the same of the pieces.
#[component]
pub fn AnswerView() -> impl IntoView {
    view! {
        <Answer
            question=QUESTION
            class="operators-figures"
            beside=|| view! { <PiecesProof/> }
            below=|| view! { <SplitAnswer/> }
        />
    }
}

/// How far the claim about the pieces goes.
#[component]
fn PiecesProof() -> impl IntoView {
    let told = expect_context::<AnswerStore>();
    move || {
        let words = pieces(told)?;
        let text = match told.share() {
            Some(share) => format!("Cutting, {}", percent(100.0 * share, 0)),
            None => words.proof,
        };
        // It changes several times a second while the search runs, which nobody wants to hear.
        Some(
            view! { <Claimed id=Some("pieces-proof") tone=Some(words.tone) text=text is_quiet=true/> },
        )
    }
}

/// The result of the split, below the headline of the order; if nothing fits, the limits that work.
#[component]
fn SplitAnswer() -> impl IntoView {
    let told = expect_context::<AnswerStore>();
    let section = Memo::new(move |_| told.section(PIECES));
    let way_out = Memo::new(move |_| {
        let blocks = section.get().map(|section| section.blocks);
        let found = blocks.into_iter().flatten().find_map(|block| match block {
            Block::Try(said, all) => Some((said, all)),
            _ => None,
        });
        found.unwrap_or_default()
    });
    let said = |sentence: Sentence| view! { <SentenceView sentence=sentence/> };
    move || {
        let section = section.get();
        let words = section
            .as_ref()
            .and_then(|section| section.verdict().cloned());
        // Where nothing is known at once of a split, why.
        let refused = section.and_then(|section| {
            section.blocks.into_iter().find_map(|block| match block {
                Block::Say(sentence) => Some(sentence),
                _ => None,
            })
        });
        match (words, refused) {
            (Some(words), _) => view! {
                <section class="split-answer" id="split-answer" aria-label="Operators cut over devices">
                    <p class="split-headline" id="split-headline">{said(words.headline)}</p>
                    <p class="lead" id="split-lead">{said(words.lead)}</p>
                    <div id="split-room"><Choices all=way_out/></div>
                </section>
            }
            .into_any(),
            (None, Some(why)) => view! { <p class="lead" id="split-refused">{said(why)}</p> }.into_any(),
            // Its room is kept, so that nothing moves when it comes.
            (None, None) => view! { <div class="split-answer"></div> }.into_any(),
        }
    }
}

/// The scenario in one line.
pub fn summary(state: OperatorsState) -> Signal<String> {
    let told = state.answer.answer;
    Signal::derive(move || {
        let count = told.of(|told| told.hint("operators"));
        state.scenario.with(|s| {
            let mut words = vec![graph_name(s)];
            words.extend(count);
            if s.weights == Weights::Resident {
                words.push(weights_name(s.weights).to_owned());
            }
            words.extend(s.limit_mib.map(|mib| format!("limit {mib}{NARROW}MiB")));
            words.join(", ")
        })
    })
}

/// The answer in short: figure and claim, that about the pieces where there is one.
pub fn in_short(state: OperatorsState) -> Option<(String, String)> {
    let told = state.answer.answer;
    let (figure, proof) = told.in_short()?;
    let pieces = told.figure_of(PIECES, "split_time").map(|time| {
        let devices = state.scenario.with(|s| s.split.devices.len());
        match told.figure_of(PIECES, "split_gap") {
            Some(_) => format!("{} on {devices}", millis(time)),
            None => "split does not fit".to_owned(),
        }
    });
    Some((figure, pieces.unwrap_or(proof)))
}
