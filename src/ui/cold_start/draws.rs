//! How many draws from the ranges are looked at, and others of them.

use super::ColdStartState;
use leptos::prelude::*;

/// Numbers of draws to choose from.
const COUNTS: [u32; 5] = [50, 200, 500, 1000, 2000];
/// How many by default.
const USUAL: u32 = 200;

/// The choice; what the draws come to is asked for as long as it is there.
#[component]
pub fn Draws() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let (count, seed) = (RwSignal::new(USUAL), RwSignal::new(0_u32));
    let at = move || vec![f64::from(count.get()), f64::from(seed.get())];
    state
        .answer
        .answer
        .bind_controls("spread", Signal::derive(at));
    let choose = move |event: web_sys::Event| {
        if let Ok(chosen) = event_target_value(&event).parse() {
            count.set(chosen);
        }
    };
    let has_ranges = Memo::new(move |_| state.scenario.with(|s| !s.spanned().is_empty()));
    let again = move |_| seed.update(|seed| *seed = seed.wrapping_add(1));
    let option = move |of: u32| {
        view! { <option value=of.to_string() selected=move || count.get() == of>{of}</option> }
    };
    move || {
        has_ranges.get().then(|| view! {
            <div class="sweep-controls">
                <label for="spread-count">
                    <span>"Draws"</span>
                    <select id="spread-count" on:change=choose>{COUNTS.map(option).collect_view()}</select>
                </label>
                <button class="btn quiet small" id="spread-again" on:click=again>"Other draws"</button>
            </div>
        })
    }
}
