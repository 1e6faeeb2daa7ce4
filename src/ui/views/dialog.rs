//! The one dialog: modal, with a name, closed by Escape and by its button. The browser's own `<dialog>` keeps
//! the focus inside and gives it back to whatever opened it.
//!
//! Its content is built when it opens and dropped when it closes, so state that must outlive it (typed text) belongs in signals
//! outside. Its opener has `aria-haspopup="dialog"`.

use super::icons::{Glyph, Icon};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A modal dialog.
#[component]
pub fn Dialog(
    /// The element's id; the title's is this and `-title`, the closing button's this and `-close`.
    id: &'static str,
    /// Its name.
    #[prop(into)]
    title: Signal<String>,
    /// True while it is open. Setting it opens and closes.
    open: RwSignal<bool>,
    /// True for the width of a table.
    #[prop(optional)]
    wide: bool,
    /// Content. The element with `data-first` gets the focus first.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                // Only an element that is not in the page refuses, and this one is.
                let _ = dialog.show_modal();
                request_animation_frame(move || focus_first(&dialog));
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            id=id
            class="dialog"
            class:wide=wide
            node_ref=node
            aria-labelledby=format!("{id}-title")
            on:close=move |_| open.set(false)
            // The page's own keys (undo, closing the sheet) are not for what is behind.
            on:keydown=|event| event.stop_propagation()
        >
            {move || open.get().then(|| view! {
                <div class="dialog-in">
                    <div class="dialog-head">
                        <h2 id=format!("{id}-title")>{move || title.get()}</h2>
                        <button
                            class="btn quiet icon"
                            id=format!("{id}-close")
                            aria-label="Close"
                            on:click=move |_| open.set(false)
                        >
                            <Icon glyph=Glyph::Close/>
                        </button>
                    </div>
                    {children()}
                </div>
            })}
        </dialog>
    }
}

fn focus_first(dialog: &web_sys::HtmlDialogElement) {
    let first = dialog.query_selector("[data-first]").ok().flatten();
    if let Some(element) = first {
        let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}
