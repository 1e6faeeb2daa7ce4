//! Sentences and figures of any answer.

use super::formulas::{OpenFormula, WhyButton};
use super::terms::Explained;
use document::{Quantity, Sentence};
use engine::units::NARROW;
use leptos::prelude::*;

/// A sentence with its strong words; where they are a figure with a formula, they can be asked for it.
#[component]
pub fn SentenceView(
    sentence: Sentence,
    #[prop(default = None)] figure: Option<(Quantity, OpenFormula)>,
) -> impl IntoView {
    sentence
        .runs
        .into_iter()
        .map(|(text, strong)| match (strong, &figure) {
            (true, Some((of, asked))) => {
                view! { <b><WhyButton of=of.clone() text=text asked=*asked/></b> }.into_any()
            }
            (true, None) => view! { <b><Explained text=text/></b> }.into_any(),
            (false, _) => view! { <Explained text=text/> }.into_any(),
        })
        .collect_view()
}

/// A figure with its unit in small print.
pub fn figure(text: &str) -> impl IntoView + use<> {
    let (number, unit) = text.rsplit_once(NARROW).unwrap_or((text, ""));
    view! { {number.to_owned()}<span>{unit.to_owned()}</span> }
}
