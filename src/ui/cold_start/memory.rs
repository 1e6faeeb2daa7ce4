//! Editor of the memory rule: the paper's, or everything that is in memory when the plan runs.

use super::ColdStartState;
use crate::ui::views::form::{Object, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::{Memory, Scenario};
use leptos::prelude::*;

/// The list of the two rules, and the numbers of the second.
#[component]
pub fn MemoryRule() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let is_real = Memo::new(move |_| state.scenario.with(|s| s.memory.is_some()));
    let value = move || if is_real.get() { "run" } else { "paper" };
    let choose = move |event: web_sys::Event| {
        let wanted = event_target_value(&event) == "run";
        let done = state.edit("", |s| {
            s.memory = wanted.then(|| s.memory.unwrap_or(Memory::USUAL));
        });
        if let Err(fault) = done {
            state.announce(format!("Not changed: {fault}."));
        }
    };
    view! {
        <label class="lab" for="memory-rule">"Memory counts"</label>
        <div class="select">
            <select id="memory-rule" prop:value=value on:change=choose>
                <option value="paper" selected=move || !is_real.get()>"Blocks and largest output (paper)"</option>
                <option value="run" selected=move || is_real.get()>"All that runs: cache, embedding, head"</option>
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        {move || is_real.get().then(|| view! {
            <div class="grid-fields" id="memory-numbers">
                {numbers(*state, Object::new("memory", |s: &Scenario| s.memory.as_ref(), |s| s.memory.as_mut()), &[
                    ("context_tokens", ""),
                    ("usable_pct", ""),
                ])}
            </div>
        })}
    }
}
