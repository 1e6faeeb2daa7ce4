//! The answer about an operator graph: that about the order, and under it that about the pieces, each with how far its claim goes.

use super::OperatorsState;
use crate::ui::answer_view::{Answer, AnswerStore, Choices};
use crate::ui::views::answer::SentenceView;
use crate::ui::views::claim::Claimed;
use document::quantity::millis;
use document::{Block, Sentence, Verdict};
use engine::graph::Weights;
use engine::scenario::Question;
use engine::units::{NARROW, percent};
use leptos::prelude::*;
use protocol::names::operators::{graph_name, weights_name};

/// The question, as it is over the answer.
pub const QUESTION: &str = Question::Operators.asks();
/// The section of the operator split.
const SPLIT_SECTION: &str = "cuts";

/// Returns the verdict of the operator split, once it is known.
fn split_verdict(store: AnswerStore) -> Option<Verdict> {
    store.section(SPLIT_SECTION)?.verdict().cloned()
}

/// Question, headline, lead and figures, and the same of the pieces.
#[component]
pub fn AnswerView() -> impl IntoView {
    view! {
        <Answer
            question=QUESTION
            class="operators-figures"
            side_view=|| view! { <PiecesProof/> }
            below=|| view! { <SplitAnswer/> }
        />
    }
}

/// How far the claim about the pieces goes.
#[component]
fn PiecesProof() -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    move || {
        let words = split_verdict(store)?;
        let text = match store.share() {
            Some(share) => format!("Cutting, {}", percent(100.0 * share, 0)),
            None => words.proof,
        };
        // It changes several times a second while the search runs, which a screen reader should not announce.
        Some(
            view! { <Claimed id=Some("pieces-proof") tone=Some(words.tone) text=text is_quiet=true/> },
        )
    }
}

/// The result of the split, below the headline of the order; if nothing fits, the limits that work.
#[component]
fn SplitAnswer() -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let section = Memo::new(move |_| store.section(SPLIT_SECTION));
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
                Block::Paragraph(sentence) => Some(sentence),
                _ => None,
            })
        });
        match (words, refused) {
            (Some(words), _) => view! {
                <section class="split-answer" id="split-answer" aria-label="Operators cut over devices">
                    <p class="split-headline" id="split-headline">{said(words.headline)}</p>
                    <p class="lead" id="split-lead">{said(words.summary)}</p>
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
    let store = state.answer.answer;
    Signal::derive(move || {
        let count = store.of(|answer_view| answer_view.hint("operators"));
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
    let store = state.answer.answer;
    let (figure, proof) = store.in_short()?;
    let pieces = store.figure_of(SPLIT_SECTION, "split_time").map(|time| {
        let devices = state.scenario.with(|s| s.split.devices.len());
        match store.figure_of(SPLIT_SECTION, "split_gap") {
            Some(_) => format!("{} on {devices}", millis(time)),
            None => "split does not fit".to_owned(),
        }
    });
    Some((figure, pieces.unwrap_or(proof)))
}
