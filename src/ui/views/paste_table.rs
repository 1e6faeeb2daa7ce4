//! A place to paste a table, or to choose one as a file: for traces and records. What is wrong with it is said below it,
//! and what was typed stays.

use crate::ui::files;
use leptos::prelude::*;

/// The place; ids begin with `name`.
#[component]
pub fn PasteTable(
    name: &'static str,
    /// Accessible label.
    label: &'static str,
    /// More about it, in small print.
    note: String,
    /// The words on the button.
    button: &'static str,
    /// Takes a text, or says what is wrong with it.
    take: Callback<String, Result<(), String>>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let put = move |typed: String| match take.run(typed) {
        Ok(()) => {
            fault.set(None);
            text.set(String::new());
        }
        Err(why) => fault.set(Some(why)),
    };
    let chosen = move |event: web_sys::Event| {
        if let Some(file) = files::chosen(&event) {
            files::read(file, move |name, read| match read {
                Ok(content) => put(content),
                Err(why) => fault.set(Some(format!("{name}: {why}"))),
            });
        }
    };
    view! {
        <div class="wide trace">
            <label>
                <span>{label} <small>" "{note}</small></span>
                <textarea
                    id=format!("{name}-text")
                    rows="3"
                    spellcheck="false"
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
            </label>
            <div class="row">
                <button
                    class="btn small"
                    id=format!("{name}-take")
                    disabled=move || text.with(|text| text.trim().is_empty())
                    on:click=move |_| put(text.get_untracked())
                >
                    {button}
                </button>
                <label class="btn small file">
                    "From a file"
                    <input type="file" class="sr" accept=".csv,.tsv,.txt" on:change=chosen/>
                </label>
            </div>
            {move || fault.get().map(|fault| view! { <p class="fault" id=format!("{name}-fault") role="alert">{fault}"."</p> })}
        </div>
    }
}
