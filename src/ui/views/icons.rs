//! Line icons, drawn here so that the page needs no icon file. Each is beside a word or carries a label.

pub use super::glyphs::Glyph;
use leptos::prelude::*;

/// Draws an icon; it is never read out.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    view! {
        <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
            <path d=glyph.path()></path>
        </svg>
    }
}
