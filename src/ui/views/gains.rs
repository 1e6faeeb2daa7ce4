//! By how much numbers are improved in what would help most.

use engine::scenario::improve::{LEAST_PCT, MOST_PCT};
use leptos::prelude::*;

/// The field for the share.
#[component]
pub fn Share(by: RwSignal<f64>) -> impl IntoView {
    let typed = RwSignal::new(by.get_untracked().to_string());
    let fault = RwSignal::new(None::<String>);
    let is_bad = move || fault.with(Option::is_some);
    let number = move || {
        let text = typed.get_untracked();
        let number = text
            .trim()
            .trim_end_matches('%')
            .trim_end()
            .replace(',', ".");
        let number: Option<f64> = number.parse().ok();
        number.filter(|by| (LEAST_PCT..=MOST_PCT).contains(by))
    };
    // What is wrong is said at once; the rows follow when the field is left.
    let judge = move |event: web_sys::Event| {
        typed.set(event_target_value(&event));
        let now = by.get_untracked();
        let why = || {
            format!(
                "The share must be a number from {LEAST_PCT} to {MOST_PCT} %. The rows still use {now} %."
            )
        };
        fault.set(number().is_none().then(why));
    };
    let read = move |_| {
        if let Some(share) = number() {
            typed.set(share.to_string());
            if share != by.get_untracked() {
                by.set(share);
            }
        }
    };
    view! {
        <div class="sweep-controls">
            <label class="number" for="gains-by">
                <span>"More by, %"</span>
                <input
                    id="gains-by"
                    inputmode="decimal"
                    autocomplete="off"
                    spellcheck="false"
                    class:bad=is_bad
                    aria-invalid=move || is_bad().then_some("true")
                    aria-describedby=move || is_bad().then_some("gains-by-fault")
                    prop:value=typed
                    on:input=judge
                    on:change=read
                />
            </label>
        </div>
        {move || fault.get().map(|fault| view! { <p class="fault" id="gains-by-fault" role="status">{fault}</p> })}
    }
}
