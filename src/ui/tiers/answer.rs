//! The answer about tiers: the scenario in one line, the figure in short, and the slider of its load.

use super::TiersState;
use chart::ChartSpec;
use document::Block;
use document::quantity::rate;
use engine::scenario::Question;
use engine::scenario::tiers::Requests;
use leptos::prelude::*;
use protocol::three_digits;

/// The question.
pub const QUESTION: &str = Question::Tiers.asks();

/// The scenario in one line.
pub fn summary(state: TiersState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} + {} tokens, {} tiers",
                s.model.name(),
                s.prompt_tokens,
                s.out_tokens,
                s.switched_on().count()
            )
        })
    })
}

/// The rate of arrivals as a slider up to a fifth beyond what the plan can take; its figures follow.
#[component]
pub fn LoadSlider() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let store = state.answer.answer;
    // Where the plan is full, as the chart of the load says.
    let most = Memo::new(move |_| {
        let section = store.section("load")?;
        let full_at = section.all_blocks().find_map(|block| match block {
            Block::Chart(chart) => match &*chart.drawing {
                ChartSpec::Lines(lines) => lines.limit.as_ref().map(|(at, _)| *at),
                _ => None,
            },
            _ => None,
        });
        full_at.map(|at| 1.2 * at)
    });
    let now = move || {
        state.scenario.with(|s| match &s.load.requests {
            Requests::Poisson { rate_per_s, .. } => Some(*rate_per_s),
            Requests::Trace(_) => None,
        })
    };
    let slide = move |event: web_sys::Event| {
        let share: Option<f64> = event_target_value(&event).parse().ok();
        if let Some((share, most)) = share.zip(most.get_untracked()) {
            let rate = three_digits((share / 100.0 * most).max(1e-4));
            store.set("load rate", "/load/requests/poisson/rate_per_s", rate);
        }
    };
    let value = move || {
        let share = now().zip(most.get()).map(|(now, most)| 100.0 * now / most);
        share.map_or_else(String::new, |share| format!("{share:.1}"))
    };
    let words = move || now().map(rate).unwrap_or_default();
    move || {
        now().is_some().then(|| {
            view! {
                <label class="rate-slider">
                    <span>"Requests arrive"</span>
                    <input
                        class="slider"
                        id="rate-slider"
                        type="range"
                        min="1"
                        max="100"
                        step="0.5"
                        aria-valuetext=words
                        prop:value=value
                        on:input=slide
                    />
                    <span>{words}</span>
                </label>
            }
        })
    }
}
