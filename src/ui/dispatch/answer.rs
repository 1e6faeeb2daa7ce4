//! The answer about device and server: the question with how far the claim goes, a sentence with the figure, who starts
//! and who comes first, what it costs.

use super::DispatchState;
use super::state::Shown;
use crate::ui::views::answer::figure;
use crate::ui::views::headline::Headline;
use engine::plan::dispatch::Scarce;
use engine::scenario::Question;
use engine::units::{percent, seconds};
use leptos::prelude::*;
use report::dispatch::parts;
use std::sync::Arc;
use story::quantity::money;

/// The question.
pub const QUESTION: &str = Question::Dispatch.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let words = Signal::derive(move || state.shown.get().map(|shown| shown.words.clone()));
    view! {
        <Headline
            question=QUESTION
            waiting="Comparing device and server."
            words=words
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        {move || state.shown.get().map(|shown| figures(&shown))}
    }
}

const CLASSES: [&str; 3] = ["k-alone", "k-device", "k-server"];

fn figures(shown: &Arc<Shown>) -> impl IntoView + use<> {
    let planned = &shown.planned;
    let ours = planned.ours();
    let parts = parts(planned, ours);
    let share = |value: f64| percent(100.0 * value, 1);
    let spoken: Vec<String> = parts
        .iter()
        .map(|(name, _, value)| format!("{} {name}", share(*value)))
        .collect();
    let label = format!("Of all requests: {}", spoken.join(", "));
    let cells = parts
        .iter()
        .zip(CLASSES)
        .map(|((name, what, value), class)| {
            let swatch = format!("swatch {class}");
            view! {
                <div>
                    <dt><i class=swatch></i>{*name}</dt>
                    <dd data-exact=value.to_string()>{figure(&share(*value))}</dd>
                    <dd class="sub">{*what}</dd>
                </div>
            }
        })
        .collect_view();
    let bar = parts
        .iter()
        .zip(CLASSES)
        .map(|((_, _, value), class)| view! { <i class=class style:flex-grow=value.to_string()></i> })
        .collect_view();
    let (used, whose) = match planned.scarce {
        Scarce::Device => (ours.outcome.device_share, "device"),
        Scarce::Server => (ours.outcome.server_share, "server"),
    };
    let (with, without) = (ours.cost.with, ours.cost.without);
    view! {
        <div class="figures dispatch-figures" id="figures">
            <dl class="kpi parts">{cells}</dl>
            <div class="splitbar" role="img" aria-label=label>{bar}</div>
            <dl class="kpi others">
                <div>
                    <dt>"Budget used"</dt>
                    <dd title=used.to_string()>{figure(&share(used))}</dd>
                    <dd class="sub">{format!("{whose}, share of prompt tokens")}</dd>
                </div>
                <div>
                    <dt>"Cost per request"</dt>
                    <dd title=format!("{with} micro-dollars")>{figure(&money(with))}</dd>
                    <dd class="sub">{format!("{} without hand-over", money(without))}</dd>
                </div>
            </dl>
        </div>
    }
}

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

/// The answer in short: figure and claim.
pub fn in_short(state: DispatchState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let outcome = &shown.planned.ours().outcome;
        Some((
            seconds(outcome.mean),
            format!("P99 {}", seconds(outcome.p99)),
        ))
    })
}
