//! Published beside ours: the paper's comparisons, and what gives them.

use leptos::prelude::*;

/// The block.
#[component]
pub fn Published() -> impl IntoView {}
