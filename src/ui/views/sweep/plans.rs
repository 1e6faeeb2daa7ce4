//! Which devices run how many layers at each length; a press makes that length the scenario's own.

use super::point;
use crate::ui::state::State;
use chart::text_width;
use engine::problem::ColdStart;
use engine::problem::device_name;
use job::cold_start::Answer;
use leptos::prelude::*;

/// The plan at each length as a strip of its devices.
#[component]
pub fn Plans() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <div class="scroll rows">
            <table class="data plans">
                <thead>
                    <tr>
                        <th class="n">"Tokens"</th>
                        <th>"Layers by device, in running order"</th>
                        <th><span class="sr">"Load"</span></th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || (*state.sweep.values.get()).clone() key=|tokens| *tokens as u64 let:tokens>
                        {row(state, tokens)}
                    </For>
                </tbody>
            </table>
        </div>
    }
}

fn row(state: State, tokens: f64) -> impl IntoView {
    let answer = point(state, tokens);
    let is_now = Memo::new(move |_| state.scenario.with(|s| s.prompt_tokens == tokens));
    let cell = move || {
        let answer = answer.get().0?;
        let points = state.sweep.points.read_untracked();
        points.problem().map(|problem| strip(problem, &answer))
    };
    view! {
        <tr class:now=is_now>
            <td class="n">{tokens}</td>
            <td>{cell}</td>
            <td class="n">
                <button
                    class="btn small quiet"
                    aria-label=format!("Use {tokens} tokens")
                    disabled=is_now
                    on:click=move |_| {
                        let _ = state.edit("", |s| s.prompt_tokens = tokens);
                    }
                >
                    "Use"
                </button>
            </td>
        </tr>
    }
}

fn strip(problem: &ColdStart, answer: &Answer) -> impl IntoView + use<> {
    let plan = answer.plan.clone().unwrap_or_default();
    let layers = plan.last().map_or(1.0, |stage| stage.last as f64);
    let labels: Vec<String> = plan
        .iter()
        .map(|s| format!("{} {}", device_name(problem, s.device), s.len()))
        .collect();
    let spoken = labels.join(", ");
    let parts = plan.iter().zip(labels).map(|(stage, label)| {
        view! {
            <i class=format!("dev d{}", stage.device % 8 + 1) style:flex-grow=stage.len().to_string()>
                {shortened(label, stage.len() as f64 / layers)}
            </i>
        }
    });
    let parts = parts.collect_view();
    view! { <span class="strip" role="img" aria-label=spoken>{parts}</span> }
}

/// As much of a strip's label as fits its share: name and count, the name, or nothing.
fn shortened(label: String, share: f64) -> String {
    const STRIP_PX: f64 = 200.0;
    let fits = |text: &str| text_width(text, 11.0, false) + 4.0 <= share * STRIP_PX;
    match label.rsplit_once(' ') {
        _ if fits(&label) => label,
        Some((name, _)) if fits(name) => name.to_owned(),
        _ => String::new(),
    }
}
