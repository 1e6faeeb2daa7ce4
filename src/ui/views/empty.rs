//! A fleet without a device that could work: what to do about it, in place of an answer.

use super::fleet;
use crate::ui::state::State;
use engine::scenario::presets;
use leptos::prelude::*;

/// What stands where the answer would.
#[component]
pub fn Empty() -> impl IntoView {
    let state = expect_context::<State>();
    let is_off = move || state.scenario.with(|s| !s.devices.is_empty());
    let lead = move || {
        if is_off() {
            "Every device is switched off. Switch one on, or add another, to see a timeline."
        } else {
            "Add a device to see a timeline."
        }
    };
    view! {
        <section class="answer" id="empty" aria-live="polite">
            <p class="question">"How soon can these devices give the first answer?"</p>
            <h1>"No device, no answer yet."</h1>
            <p class="lead">{lead}</p>
            <div class="row">
                <button class="btn primary" id="first-device" on:click=move |_| fleet::add_copy(*state)>"Add a device"</button>
                <button class="btn" on:click=move |_| state.replace(presets::paper())>"The paper\u{2019}s four devices"</button>
                <button class="btn" on:click=move |_| state.step_back()>"Undo"</button>
            </div>
        </section>
    }
}
