//! The tiers question: which blocks on which tier, and what happens under load?

mod state;

pub use state::TiersState;

use super::views::Desktop;
use leptos::prelude::*;

/// The page of the question.
#[component]
pub fn Tiers() -> impl IntoView {
    view! { <Desktop panel=view! { <p></p> }.into_any() answer=view! { <p></p> }.into_any()/> }
}
