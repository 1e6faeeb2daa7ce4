//! The scenario of the operator-graph question: preset, graph or file, goal, memory limit, the devices that operators are
//! cut over, and what is rarely changed in folds.

use super::OperatorsState;
use super::file::{FileFields, OpenOnnx};
use super::split::{CutsPicker, Fleet, Folds};
use crate::ui::views::field::{Binding, Fallback, Fault, NumberInput};
use crate::ui::views::form::{self, OneOf, PresetPicker, bound, choice};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::queue::Deferred;
use engine::graph::{Objective, Weights, catalogue};
use engine::scenario::operators::{Choice, Scenario, presets};
use leptos::prelude::*;
use protocol::names::operators::{goal_about, graph_name, weights_about};

/// The panel.
#[component]
pub fn Panel() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    view! {
        <PresetPicker editor=*state presets=presets::all() title=|s| &s.title/>
        <section class="form" aria-label="Work">
            <GraphPicker/>
            <GoalPicker/>
            <WeightsPicker/>
            <Limit/>
            <CutsPicker/>
        </section>
        <Deferred><Fleet/></Deferred>
        <Deferred>
            <Folds/>
            <Draws/>
            <Align/>
        </Deferred>
    }
}

/// Which graph: one of the catalogue, or a file.
#[component]
fn GraphPicker() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let preset = Memo::new(move |_| {
        state.scenario.with(|s| match &s.graph {
            Choice::Preset(name) => Some(name.clone()),
            Choice::Custom(_) | Choice::File(_) => None,
        })
    });
    let own = move || state.scenario.with(|s| graph_name(s));
    let choose = move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        let Some(model) = catalogue::MODELS.iter().find(|model| model.name == chosen) else {
            return;
        };
        let done = state.edit("", |s| {
            s.graph = Choice::Preset(model.name.to_owned());
            s.title = model.title.to_owned();
        });
        if let Err(fault) = done {
            state.announce(format!("Not changed: {fault}."));
        }
    };
    let made_of = move || {
        let of = state.answer.of.get()?;
        let is_it = state.scenario.with(|s| s.graph == of.graph);
        let store = state.answer.answer;
        store
            .of(|answer_view| format!("{}. ", answer_view.hint("kinds")))
            .filter(|_| is_it)
    };
    view! {
        <label class="lab" for="graph">"Graph"</label>
        <div class="select">
            <select id="graph" prop:value=move || preset.get().unwrap_or_default() on:change=choose>
                {move || preset.get().is_none().then(|| view! { <option value="" selected>{own}</option> })}
                {catalogue::MODELS
                    .iter()
                    .map(|model| {
                        let is_it = move || preset.with(|now| now.as_deref() == Some(model.name));
                        view! { <option value=model.name title=model.about selected=is_it>{model.title}</option> }
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <div class="hint" id="graph-hint">
            <span id="graph-kinds">{made_of}</span>
            <OpenOnnx id="open-onnx" class="plain link" words="Open an ONNX file"/>
        </div>
        <FileFields/>
    }
}

#[component]
fn GoalPicker() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let (now, choose) = choice(
        *state,
        Objective::ALL.to_vec(),
        |s| s.objective,
        |s, goal| s.objective = goal,
    );
    let about = move || state.scenario.with(|s| goal_about(s.objective));
    view! {
        <span class="lab">"Order"</span>
        <OneOf label="What the order minimises" id="objective"
            words=vec!["Sum over steps", "Peak", "Paper\u{2019}s table"] now=now choose=choose/>
        <p class="hint" id="objective-hint">{about}"."</p>
    }
}

/// Which weights are in memory while an operator runs.
#[component]
fn WeightsPicker() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let (now, choose) = choice(
        *state,
        Weights::ALL.to_vec(),
        |s| s.weights,
        |s, rule| s.weights = rule,
    );
    let about = move || state.scenario.with(|s| weights_about(s.weights));
    view! {
        <span class="lab">"Weights"</span>
        <OneOf label="Which weights lie in memory" id="weights"
            words=vec!["Per operator", "All resident"] now=now choose=choose/>
        <p class="hint" id="weights-hint">{about}"."</p>
    }
}

/// Steps of the limit's slider.
const SLIDER_STEPS: f64 = 200.0;

/// The most memory, or none; the slider's right end is none.
#[component]
fn Limit() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    // The right end does not depend on the limit itself, so that it is still under a hand.
    let most = Memo::new(move |_| {
        let most = state
            .answer
            .answer
            .of(|answer_view| answer_view.hint("most-mib"));
        most.and_then(|most| most.parse::<f64>().ok())
            .unwrap_or(1.5)
    });
    let binding = Binding {
        key: "limit_mib".to_owned(),
        field: "limit_mib",
        get: Box::new(|s: &Scenario| s.limit_mib),
        set: Box::new(|s: &mut Scenario, value| s.limit_mib = Some(value)),
    };
    let instead = Fallback {
        clear: Box::new(|s: &mut Scenario| s.limit_mib = None),
        shared: most.into(),
    };
    let slide = move |event: web_sys::Event| {
        if let Ok(steps) = event_target_value(&event).parse::<f64>() {
            let limit = (steps < SLIDER_STEPS).then(|| {
                let mib = most.get_untracked() * steps / SLIDER_STEPS;
                (mib * 1000.0).round() / 1000.0
            });
            let _ = state.edit("limit_mib", |s| s.limit_mib = limit); // a slider's values are all in range
            state.clear_field_error("limit_mib");
        }
    };
    let limit = move || state.scenario.with(|s| s.limit_mib);
    let place = move || {
        let share = limit().map_or(1.0, |mib| (mib / most.get()).clamp(0.0, 1.0));
        (share * SLIDER_STEPS).round().to_string()
    };
    let accessible_label =
        move || limit().map_or_else(|| "no limit".to_owned(), |mib| format!("{mib} MiB"));
    let hint = move || match limit() {
        None => "No limit. Clear the field or move the slider to its right end to have none.",
        Some(_) => "The most memory that may be held while an operator runs, weights included.",
    };
    view! {
        <label class="lab" for="field-limit_mib">"Limit"</label>
        <div class="with-slider">
            <span class="num">
                <NumberInput binding=binding.or(*state, instead) called=Signal::derive(|| "Memory limit".to_owned())/>
                <span class="unit">"MiB"</span>
            </span>
            <input
                type="range"
                class="slider"
                id="limit-slider"
                min="0"
                max=SLIDER_STEPS.to_string()
                step="1"
                aria-label="Memory limit, none at the right end"
                aria-valuetext=accessible_label
                prop:value=place
                on:input=slide
            />
        </div>
        <div class="hint" id="limit-hint">{hint}<Fault key="limit_mib".to_owned()/></div>
    }
}

/// The random orders that ours is compared with.
#[component]
fn Draws() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let orders = bound(
        *state,
        "orders",
        "orders",
        |s| s.draws.orders,
        |s, v| s.draws.orders = v,
    );
    let seed = bound(
        *state,
        "first_seed",
        "first_seed",
        |s| s.draws.first_seed,
        |s, v| s.draws.first_seed = v,
    );
    let summary = move || {
        state
            .scenario
            .with(|s| format!("{} from seed {}", s.draws.orders, s.draws.first_seed))
    };
    view! {
        <details class="fold" id="draws">
            <summary><Icon glyph=Glyph::Right/>"Random orders"<span>{summary}</span></summary>
            <div class="grid-fields">
                <form::Labelled key="orders" label="Orders" unit="" binding=orders/>
                <form::Labelled key="first_seed" label="First seed" unit="" binding=seed/>
            </div>
        </details>
    }
}

/// Where tensors may begin.
#[component]
fn Align() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let align = bound(
        *state,
        "align_bytes",
        "align_bytes",
        |s| s.align_bytes,
        |s, v| s.align_bytes = v,
    );
    let summary = move || {
        state
            .scenario
            .with(|s| format!("aligned to {} B", s.align_bytes))
    };
    view! {
        <details class="fold" id="align">
            <summary><Icon glyph=Glyph::Right/>"Arena"<span>{summary}</span></summary>
            <div class="grid-fields">
                <form::Labelled key="align_bytes" label="Offsets are multiples of" unit="B" binding=align/>
            </div>
        </details>
    }
}
