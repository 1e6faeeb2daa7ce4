//! The cell of a row of any fleet in which its name stands and can be changed.

use engine::scenario::fields;
use leptos::prelude::*;

/// The name of a row, its shade, and marks behind it.
#[component]
pub fn NameCell(
    /// Noun of a row: "device".
    noun: &'static str,
    /// Where it stands, from 0.
    place: Memo<Option<usize>>,
    name: Memo<String>,
    is_off: Memo<bool>,
    /// Takes another name, trimmed and no longer than names may be.
    rename: Callback<String>,
    /// Further marks.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let shade = move || format!("dev d{}", place.get().unwrap_or_default() % 8 + 1);
    // Until the name is kept, Ctrl+Z is the browser's.
    let typing = RwSignal::new(false);
    let take = move |event: web_sys::Event| {
        typing.set(false);
        let typed = event_target_value(&event);
        rename.run(typed.trim().chars().take(fields::LONGEST_NAME).collect());
    };
    view! {
        <td class="g-name">
            <span class="name">
                <i class=shade></i>
                <input
                    class="t"
                    aria-label=move || format!("Name of {noun} {}", place.get().unwrap_or_default() + 1)
                    autocomplete="off"
                    spellcheck="false"
                    maxlength=fields::LONGEST_NAME
                    data-settled=move || (!typing.get()).then_some("")
                    prop:value=move || name.get()
                    on:input=move |_| typing.set(true)
                    on:blur=move |_| typing.set(false)
                    on:change=take
                />
                {children.map(|children| children())}
                {move || is_off.get().then(|| view! { <span class="off-mark">"off"</span> })}
            </span>
        </td>
    }
}
