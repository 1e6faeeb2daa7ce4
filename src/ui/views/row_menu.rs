//! The menu at the end of a row: what can be done with the row, in words. What it lists is built when it is first
//! opened, because most never are.

use super::icons::{Glyph, Icon};
use leptos::html::Details;
use leptos::prelude::*;

/// Closes a row's menu.
pub fn close(holder: NodeRef<Details>) {
    if let Some(details) = holder.get_untracked() {
        let _ = details.remove_attribute("open");
    }
}

/// The button of a menu and what it opens.
#[component]
pub fn RowMenu(
    /// Full name.
    #[prop(into)]
    label: Signal<String>,
    /// The menu itself, to close it.
    holder: NodeRef<Details>,
    /// Builds what it lists.
    #[prop(into)]
    list: ViewFn,
) -> impl IntoView {
    let is_built = RwSignal::new(false);
    view! {
        <details
            class="menu-box"
            node_ref=holder
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    close(holder);
                }
            }
        >
            <summary class="menu" aria-label=move || label.get() on:click=move |_| is_built.set(true)>
                <Icon glyph=Glyph::More/>
            </summary>
            <div class="menu-list">{move || is_built.get().then(|| list.run())}</div>
        </details>
    }
}
