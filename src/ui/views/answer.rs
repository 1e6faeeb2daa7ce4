//! Sentences and figures of any answer.

use super::formulas::{OpenFormula, WhyButton};
use super::terms::Explained;
use document::{Quantity, Sentence};
use engine::units::NARROW;
use leptos::prelude::*;

/// A sentence with its strong words; the one that is a figure with a formula can be asked for it.
#[component]
pub fn SentenceView(
    sentence: Sentence,
    #[prop(default = None)] figure: Option<(Quantity, OpenFormula)>,
) -> impl IntoView {
    let mut figure = figure.map(|(of, asked)| (of.text(), of, asked));
    let mut runs = sentence.runs;
    let mut shown = Vec::with_capacity(runs.len());
    for at in 0..runs.len() {
        let (text, is_strong) = std::mem::take(&mut runs[at]);
        let is_figure = is_strong && figure.as_ref().is_some_and(|(of, ..)| *of == text);
        let view = match figure.take_if(|_| is_figure) {
            Some((_, of, asked)) => {
                // A button may stand at the end of a line, and the mark behind it must not begin the next one.
                let mark = runs.get_mut(at + 1).map(|(next, _)| take_mark(next));
                view! {
                    <span class="with-mark"><b><WhyButton of=of text=text asked=asked/></b>{mark}</span>
                }
                .into_any()
            }
            None if is_strong => view! { <b><Explained text=text/></b> }.into_any(),
            None => view! { <Explained text=text/> }.into_any(),
        };
        shown.push(view);
    }
    shown.into_iter().collect_view()
}

/// Takes the punctuation mark away that a text begins with.
fn take_mark(text: &mut String) -> String {
    let end = if text.starts_with([',', ';', '.', ':']) {
        1
    } else {
        0
    };
    let rest = text.split_off(end);
    std::mem::replace(text, rest)
}

/// A figure with its unit in small print.
pub fn figure(text: &str) -> impl IntoView + use<> {
    let (number, unit) = text.rsplit_once(NARROW).unwrap_or((text, ""));
    view! { {number.to_owned()}<span>{unit.to_owned()}</span> }
}
