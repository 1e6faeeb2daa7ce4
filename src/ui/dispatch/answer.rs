//! The answer about device and server: the scenario in one line, and the slider of its budget.

use super::DispatchState;
use engine::scenario::Question;
use engine::units::percent;
use leptos::prelude::*;

/// The question.
pub const QUESTION: &str = Question::Dispatch.asks();

/// The scenario in one line.
pub fn summary(state: DispatchState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            let device = s.switched_on().next().map(|(_, d)| d.name.clone());
            format!(
                "{}, {}, budget {}",
                s.server.name,
                device.unwrap_or_else(|| "no device".to_owned()),
                percent(100.0 * s.budget, 0)
            )
        })
    })
}

/// The budget: a slider under both charts.
#[component]
pub fn Budget() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let store = state.answer.answer;
    let hint = move |name: &'static str| {
        store
            .of(|answer_view| answer_view.hint(name))
            .unwrap_or_default()
    };
    let budget = move || state.scenario.with(|s| s.budget);
    let words = move || percent(100.0 * budget(), 1);
    let slide = move |event: web_sys::Event| {
        if let Ok(percent) = event_target_value(&event).parse::<f64>() {
            store.set("budget", "/budget", (10.0 * percent).round() / 1000.0);
        }
    };
    view! {
        <div class="budget">
            <label for="budget">{move || hint("budget")}</label>
            <input
                type="range"
                class="slider"
                id="budget"
                min="0"
                max="100"
                step="0.5"
                aria-label="Share of prompt tokens that the scarce side may process, percent"
                aria-valuetext=words
                prop:value=move || (100.0 * budget()).to_string()
                on:input=slide
            />
            <output for="budget" id="budget-out">{words}</output>
            <span class="ends">
                <span>{move || format!("0, {}", hint("no-budget"))}</span>
                <span>"share of prompt tokens"</span>
                <span>"100, both at once"</span>
            </span>
        </div>
    }
}
