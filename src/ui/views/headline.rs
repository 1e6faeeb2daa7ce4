//! The head of every answer: question and proof, one sentence with the main figure, one with its meaning, and a button to cancel
//! a long search.

use super::answer::SentenceView;
use super::claim::{Proof, Search, claim_of};
use super::formulas::OpenFormula;
use document::{Quantity, Verdict};
use leptos::prelude::*;

/// Question, headline and lead of an answer; what is there until there is one.
#[component]
pub fn Headline(
    /// The question.
    #[prop(into)]
    question: Signal<String>,
    /// Text before the first answer.
    waiting: &'static str,
    /// The answer in words.
    words: Signal<Option<Verdict>>,
    /// Ends the search.
    stop: Callback<()>,
    /// Begins it again.
    again: Callback<()>,
    /// The figure that the headline says, where it has a formula to be asked for.
    #[prop(default = Signal::stored(None))]
    figure: Signal<Option<(Quantity, OpenFormula)>>,
    /// View after the lead.
    #[prop(optional, into)]
    further: ViewFn,
    /// View beside the proof, and below all.
    #[prop(optional, into)]
    side_view: ViewFn,
    #[prop(optional, into)] below: ViewFn,
) -> impl IntoView {
    let claim = Signal::derive(move || words.with(|words| words.as_ref().map(claim_of)));
    view! {
        <section class="answer" id="answer" tabindex="-1" aria-live="polite" aria-atomic="true">
            <p class="question">{question}" "<Proof claim=claim/>" "{side_view.run()}</p>
            {move || match words.get() {
                None => view! {
                    <h1 id="headline">{waiting}</h1>
                    <p class="lead" id="lead"></p>
                }
                .into_any(),
                Some(words) => {
                    let further = further.clone();
                    view! {
                        <h1 id="headline"><SentenceView sentence=words.headline figure=figure.get()/></h1>
                        <p class="lead" id="lead"><SentenceView sentence=words.summary/>{further.run()}</p>
                    }
                    .into_any()
                }
            }}
        </section>
        {below.run()}
        <Search stop=stop again=again/>
    }
}
