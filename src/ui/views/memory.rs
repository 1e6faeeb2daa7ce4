//! What counts as memory: the paper's rule, or all that lies there when the plan runs.

use super::field::Binding;
use super::form::Labelled;
use super::icons::{Glyph, Icon};
use crate::ui::state::State;
use engine::scenario::{Memory, Scenario};
use leptos::prelude::*;

/// How a number of [`Memory`] is read and written.
type Number = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Memory) -> f64,
    fn(&mut Memory, f64),
);

const NUMBERS: [Number; 2] = [
    (
        "context_tokens",
        "Context with room in the cache",
        "tokens",
        |m| m.context_tokens,
        |m, value| m.context_tokens = value,
    ),
    (
        "usable_pct",
        "Usable share of memory",
        "%",
        |m| m.usable_pct,
        |m, value| m.usable_pct = value,
    ),
];

/// The list of the two rules, and the numbers of the second.
#[component]
pub fn MemoryRule() -> impl IntoView {
    let state = expect_context::<State>();
    let is_real = Memo::new(move |_| state.scenario.with(|s| s.memory.is_some()));
    let value = move || if is_real.get() { "run" } else { "paper" };
    let choose = move |event: web_sys::Event| {
        let wanted = event_target_value(&event) == "run";
        let done = state.edit("", |s| {
            s.memory = wanted.then(|| s.memory.unwrap_or(Memory::USUAL));
        });
        if let Err(fault) = done {
            state.say(format!("Not changed: {fault}."));
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
                {NUMBERS.map(|(field, label, unit, get, set)| number(state, field, label, unit, get, set))}
            </div>
        })}
    }
}

fn number(
    state: State,
    field: &'static str,
    label: &'static str,
    unit: &'static str,
    get: fn(&Memory) -> f64,
    set: fn(&mut Memory, f64),
) -> impl IntoView {
    let key = format!("memory {field}");
    let binding = Binding {
        key: key.clone(),
        field,
        get: Box::new(move |s: &Scenario| s.memory.as_ref().map(get)),
        set: Box::new(move |s: &mut Scenario, value| {
            if let Some(memory) = &mut s.memory {
                set(memory, value);
            }
        }),
    };
    view! { <Labelled key=key label=label unit=unit binding=binding.on(*state)/> }
}
