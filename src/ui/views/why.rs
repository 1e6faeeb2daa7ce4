//! The formula behind a figure: every headline figure is a button that shows it under the figures, with this
//! plan's numbers and the paper's equation.

use super::icons::{Glyph, Icon};
use crate::ui::state::Shown;
use leptos::prelude::*;
use report::formula::{Figure, formula};
use std::sync::Arc;

/// Which figure is asked for its formula.
#[derive(Clone, Copy)]
pub struct Why(RwSignal<Option<Figure>>);

impl Why {
    /// None so far.
    pub fn new() -> Self {
        Self(RwSignal::new(None))
    }
}

/// A figure's name, or the figure itself, to be asked for its formula.
#[component]
pub fn WhyButton(
    figure: Figure,
    /// The words to press; the name of the figure when left out.
    #[prop(default = None, into)]
    text: Option<String>,
) -> impl IntoView {
    let Why(open) = expect_context();
    let is_open = move || open.get() == Some(figure);
    let text = text.unwrap_or_else(|| figure.name().to_owned());
    view! {
        <button
            class="why"
            id=format!("why-{}", key(figure))
            aria-expanded=move || is_open().to_string()
            aria-controls="formula"
            on:click=move |_| open.update(|open| *open = (*open != Some(figure)).then_some(figure))
        >
            {text}
        </button>
    }
}

/// The formula that was asked for.
#[component]
pub fn WhyLine(shown: Arc<Shown>) -> impl IntoView {
    let Why(open) = expect_context();
    let told = move || {
        let figure = open.get()?;
        let told = formula(&shown.problem, &shown.answer, figure)?;
        let close = move |_| {
            open.set(None);
            // The way back: to the figure that was asked.
            let asked = document().get_element_by_id(&format!("why-{}", key(figure)));
            if let Some(asked) = asked {
                use wasm_bindgen::JsCast;
                let _ = asked.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        };
        Some(view! {
            <div class="formula">
                <p>
                    <b>{figure.name()}</b>
                    <span class="symbols">{told.symbols}</span>
                    <span class="source">{format!("CSGO, {}", told.source)}</span>
                </p>
                <p class="filled" id="formula-filled">{told.filled}</p>
                {told
                    .rounded
                    .then(|| view! { <p class="source">"Each part is rounded separately; the sum is computed before rounding."</p> })}
                <button class="btn quiet small icon" aria-label="Close the formula" on:click=close>
                    <Icon glyph=Glyph::Close/>
                </button>
            </div>
        })
    };
    view! { <div id="formula" role="status">{told}</div> }
}

const fn key(figure: Figure) -> &'static str {
    match figure {
        Figure::Total => "total",
        Figure::Stall => "stall",
        Figure::Transfer => "transfer",
        Figure::Compute => "compute",
        Figure::Memory => "memory",
        Figure::Free => "free",
        Figure::Gain => "gain",
    }
}
