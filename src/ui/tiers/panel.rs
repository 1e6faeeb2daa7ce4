//! The scenario of the tiers question: preset, model, request, goal, tiers, links, what a pass costs, requests.

use super::TiersState;
use super::rows::Tiers;
use crate::ui::questions::Questions;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::form::{self, Object, OneOf, PresetPicker, bound, choice, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::import::ImportButton;
use crate::ui::views::known_link::KnownLinks;
use crate::ui::views::precision::{StoredAs, put_in};
use crate::ui::views::queue::Deferred;
use engine::model::catalog::{MODELS, find};
use engine::model::precision::Stored;
use engine::network::links as known;
use engine::scenario::import::ImportedModel;
use engine::scenario::tiers::{
    Cost, Goal, Mode, Order, Requests, Scenario, Scheduler, TierModel, presets,
};
use leptos::prelude::*;

/// A number of the scenario itself.
type Reads = fn(&Scenario) -> f64;
type Writes = fn(&mut Scenario, f64);

/// A labelled field in a grid of them.
#[component]
fn Labelled(
    key: &'static str,
    field: &'static str,
    label: &'static str,
    unit: &'static str,
    get: Reads,
    set: Writes,
) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let binding = bound(*state, key, field, get, set);
    view! { <form::Labelled key=key label=label unit=unit binding=binding/> }
}

/// The panel.
#[component]
pub fn Panel() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let (goal, choose_goal) = choice(
        *state,
        vec![Goal::Bottleneck, Goal::Rate, Goal::Request],
        |s| s.goal,
        |s, goal| {
            s.goal = goal;
            s.split = None;
        },
    );
    view! {
        <PresetPicker editor=*state presets=presets::all() title=|s| &s.title/>
            <section class="form" aria-label="Work">
                <ModelPicker/>
                <Request/>
                <span class="lab">"Goal"</span>
                <OneOf
                    label="Goal"
                    id="goal"
                    words=vec!["Slowest stage", "Rate", "Single request"]
                    now=goal
                    choose=choose_goal
                />
            </section>
            <Deferred><Tiers/></Deferred>
            <Deferred><Links/></Deferred>
            <Deferred><PassCost/></Deferred>
            <Deferred><Arrivals/></Deferred>
    }
}

/// The catalogue\u{2019}s name for a model, if it is one of the catalogue and unchanged.
fn known_name(model: &TierModel) -> Option<&'static str> {
    find(model.name())
        .filter(|entry| TierModel::of(entry) == *model)
        .map(|entry| entry.name)
}

/// Changes the model; the user's split belongs to the one before.
fn change_model(s: &mut Scenario, change: impl FnOnce(&mut TierModel)) {
    let blocks = s.model.blocks();
    change(&mut s.model);
    if s.model.blocks() != blocks {
        s.split = None;
    }
}

/// The dimensions of a model.
const DIMENSIONS: [(&str, &str); 7] = [
    ("layers", ""),
    ("d_model", ""),
    ("h_q", ""),
    ("h_k", ""),
    ("d_head", ""),
    ("d_ff", ""),
    ("vocabulary", ""),
];

/// A dimension changed by hand takes the name of the published model away; the user's split belongs to the number of blocks
/// before.
fn own_dimension(s: &mut Scenario, key: &'static str) {
    if key == "layers" {
        s.split = None;
    }
    if find(s.model.name()).is_some()
        && known_name(&s.model).is_none()
        && let Some(dims) = s.model.dimensions_mut()
    {
        dims.name = "Custom model".into();
    }
}

#[component]
fn ModelPicker() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let known = Memo::new(move |_| state.scenario.with(|s| known_name(&s.model)));
    let dimensions = || Object {
        changed: own_dimension,
        ..Object::new(
            "model",
            |s: &Scenario| s.model.dimensions(),
            |s| s.model.dimensions_mut(),
        )
    };
    let hint = move || state.scenario.with(|s| s.model.hint(s.cost.weights));
    let is_dense = Memo::new(move |_| state.scenario.with(|s| s.model.dimensions().is_some()));
    let name = move || state.scenario.with(|s| s.model.name().to_owned());
    let source = move || {
        known
            .get()
            .and_then(find)
            .map_or("your own dimensions", |entry| entry.source)
    };
    let questions = expect_context::<Questions>();
    let bring_in = Callback::new(move |brought: ImportedModel| {
        let model = brought.tier_model()?;
        put_in(questions, &brought, |s| change_model(s, |own| *own = model))
    });
    let stored = Signal::derive(move || state.scenario.with(|s| s.cost.stored()));
    let store = move |stored: Stored| {
        let _ = state.edit("", |s| {
            s.cost.weights = stored.weights.unwrap_or(s.cost.weights);
            s.cost.cache = stored.cache;
        });
    };
    view! {
        <label class="lab" for="model">"Model"</label>
        <div class="select">
            <select
                id="model"
                prop:value=move || known.get().unwrap_or_default()
                on:change=move |event| {
                    if let Some(entry) = find(&event_target_value(&event)) {
                        let _ = state.edit("", |s| {
                            change_model(s, |model| *model = TierModel::of(entry));
                            s.cost.eta_f = presets::eta_f_of(entry.name);
                        });
                    }
                }
            >
                {move || known.get().is_none().then(|| view! {
                    <option value="" selected>{if is_dense.get() { "Custom dimensions".to_owned() } else { name() }}</option>
                })}
                {MODELS
                    .iter()
                    .map(|entry| view! {
                        <option value=entry.name selected=move || known.get() == Some(entry.name)>{entry.name}</option>
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint" id="model-hint">{hint}</p>
        {move || is_dense.get().then(|| view! { <StoredAs stored=stored set=store/> })}
        <div class="model-tools"><ImportButton put_in=bring_in/></div>
        {move || is_dense.get().then(|| view! {
            <details class="fold inner">
                <summary><Icon glyph=Glyph::Right/>"Dimensions"<span>{source}</span></summary>
                <div class="grid-fields">
                    {numbers(*state, dimensions(), &DIMENSIONS)}
                </div>
            </details>
        })}
    }
}

#[component]
fn Request() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let prompt = bound(
        *state,
        "prompt_tokens",
        "prompt_tokens",
        |s| s.prompt_tokens,
        |s, v| s.prompt_tokens = v,
    );
    let out = bound(
        *state,
        "out_tokens",
        "out_tokens",
        |s| s.out_tokens,
        |s, v| s.out_tokens = v,
    );
    view! {
        <label class="lab" for="field-prompt_tokens">"Request"</label>
        <div class="two-numbers">
            <span class="num">
                <NumberInput binding=prompt called=Signal::derive(|| "Prompt".to_owned())/>
                <span class="unit">"tokens in"</span>
            </span>
            <span class="num">
                <NumberInput binding=out called=Signal::derive(|| "Answer".to_owned())/>
                <span class="unit">"tokens out"</span>
            </span>
        </div>
        <div class="hint"><Fault key="prompt_tokens".into()/><Fault key="out_tokens".into()/></div>
    }
}

#[component]
fn Links() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let summary = move || {
        state.scenario.with(|s| {
            let latency = match s.link.latency_ms {
                0.0 => "no delay".to_owned(),
                ms => format!("{ms} ms"),
            };
            format!("{} Mbit/s, {latency}", s.link.rate_mbit_s)
        })
    };
    let take = Callback::new(move |link: &'static known::KnownLink| {
        // The numbers of the catalogue are always in range.
        let _ = state.edit("", |s| {
            s.link.rate_mbit_s = link.rate.value;
            s.link.latency_ms = link.latency.value;
        });
    });
    view! {
        <details class="fold">
            <summary><Icon glyph=Glyph::Right/>"Links between tiers"<span>{summary}</span></summary>
            <div class="grid-fields">
                <KnownLinks id="tier-links" take=take/>
                {numbers(*state, Object::new("link", |s: &Scenario| Some(&s.link), |s| Some(&mut s.link)), &[
                    ("rate_mbit_s", ""),
                    ("latency_ms", ""),
                ])}
                {numbers(*state, cost(), &[("wire_bytes", "Value on the wire")])}
                <p class="foot">
                    "A prompt sends all its tokens over every link, a decode pass one. Nothing queues on a link; a token\u{2019}s \
                     way back to the first tier takes the delay. A tier can have a link of its own: see All numbers."
                </p>
            </div>
        </details>
    }
}

/// Access to the cost model of a pass.
fn cost() -> Object<Scenario, Cost> {
    Object::new("cost", |s| Some(&s.cost), |s| Some(&mut s.cost))
}

#[component]
fn PassCost() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let (order, choose_order) = choice(
        *state,
        vec![Order::Listed, Order::Skip, Order::Any],
        |s| s.order,
        |s, order| {
            s.order = order;
            s.split = None;
        },
    );
    let profile = move || {
        state.scenario.with(|s| {
            let is = |p: &&presets::Profile| {
                let mut cost = p.cost;
                cost.blocks_only = s.cost.blocks_only;
                if cost.mode == Mode::Flops {
                    cost.eta_f = presets::eta_f_of(s.model.name());
                } else {
                    cost.eta_f = s.cost.eta_f;
                }
                // How the model is stored and for how long a context is no part of what runtimes reach.
                if cost.mode == Mode::Runtime {
                    (cost.weights, cost.cache) = (s.cost.weights, s.cost.cache);
                    cost.context_tokens = s.cost.context_tokens;
                }
                // A file says bf16 where a profile says fp16: as many bytes.
                if cost.weights.is_16_bits() && s.cost.weights.is_16_bits() {
                    cost.weights = s.cost.weights;
                }
                cost == s.cost
            };
            presets::PROFILES
                .iter()
                .find(is)
                .map(|profile| profile.name)
        })
    };
    let summary = move || {
        state.scenario.with(|s| {
            let cost = &s.cost;
            let mode = match cost.mode {
                Mode::Roofline => format!(
                    "{}, {:.0} % of the memory bandwidth",
                    cost.weights.name(),
                    100.0 * cost.eta_b
                ),
                Mode::Flops => "TOPS taken for FLOPS".to_owned(),
                Mode::Runtime => "by the terms of each tier".to_owned(),
            };
            profile().map_or(mode.clone(), |name| format!("{name}: {mode}"))
        })
    };
    let choose = move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        if let Some(profile) = presets::PROFILES.iter().find(|p| p.name == chosen) {
            let _ = state.edit("", |s| {
                let before = s.cost;
                s.cost = profile.cost;
                s.cost.blocks_only = before.blocks_only;
                if s.cost.mode == Mode::Runtime {
                    (s.cost.weights, s.cost.cache) = (before.weights, before.cache);
                    s.cost.context_tokens = before.context_tokens.or(s.cost.context_tokens);
                }
                s.cost.eta_f = presets::eta_f_of(s.model.name());
            });
            // What runtimes reach is assumed of each tier at once: without it there would be a first answer by other terms.
            state.take_over();
        }
    };
    let about = move || {
        let name = profile();
        let found = presets::PROFILES.iter().find(|p| Some(p.name) == name);
        found.map_or("Your own numbers.", |p| p.about)
    };
    let mode = Memo::new(move |_| state.scenario.with(|s| s.cost.mode));
    view! {
        <details class="fold">
            <summary><Icon glyph=Glyph::Right/>"Cost of a pass"<span>{summary}</span></summary>
            <div class="grid-fields">
                <label>
                    <span>"Profile"</span>
                    <select id="profile" prop:value=move || profile().unwrap_or_default() on:change=choose>
                        {move || profile().is_none().then(|| view! { <option value="" selected>"Your own"</option> })}
                        {presets::PROFILES
                            .iter()
                            .map(|p| view! { <option value=p.name selected=move || profile() == Some(p.name)>{p.description()}</option> })
                            .collect_view()}
                    </select>
                </label>
                <p class="foot">{about}</p>
                {move || match mode.get() {
                    Mode::Flops => numbers(*state, cost(), &[("eta_f", "")]),
                    Mode::Roofline => numbers(*state, cost(), &[("eta_b", ""), ("eta_c", "")]),
                    Mode::Runtime => numbers(*state, cost(), &[("eta_c", ""), ("context_tokens", "")]),
                }}
                {numbers(*state, cost(), &[("overhead_ms", ""), ("setup_s_per_gparam", "")])}
                <label class="check wide">
                    <input
                        type="checkbox"
                        id="blocks-only"
                        prop:checked=move || state.scenario.with(|s| s.cost.blocks_only)
                        on:change=move |event| {
                            let on = event_target_checked(&event);
                            let _ = state.edit("", |s| s.cost.blocks_only = on);
                        }
                    />
                    <span>"The split counts blocks only, as in the paper. Times still include embedding and output head."</span>
                </label>
            </div>
        </details>
        <details class="fold">
            <summary><Icon glyph=Glyph::Right/>"Order of tiers"<span>{move || state.scenario.with(|s| order_words(s.order))}</span></summary>
            <div class="grid-fields">
                <div class="wide">
                    <OneOf
                        label="Order of tiers"
                        id="order"
                        words=vec!["All, as listed", "May be skipped", "Any order"]
                        now=order
                        choose=choose_order
                    />
                </div>
                <p class="foot">"A prompt enters at the first tier, which is always used."</p>
            </div>
        </details>
    }
}

const fn order_words(order: Order) -> &'static str {
    match order {
        Order::Listed => "all, as listed",
        Order::Skip => "may be skipped",
        Order::Any => "any, with the first fixed",
    }
}

#[component]
fn Arrivals() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let summary = move || {
        state.scenario.with(|s| match &s.load.requests {
            Requests::Poisson { rate_per_s, count } => {
                format!("{count} at {rate_per_s}/s, {} seeds", s.load.seeds)
            }
            Requests::Trace(rows) => format!("a trace of {}", rows.len()),
        })
    };
    let is_trace = Memo::new(move |_| {
        state
            .scenario
            .with(|s| matches!(s.load.requests, Requests::Trace(_)))
    });
    let scheduler = move || state.scenario.with(|s| scheduler_name(s.load.scheduler));
    let back = move |_| {
        let requests = presets::paper().load.requests;
        let _ = state.edit("", |s| s.load.requests = requests);
    };
    view! {
        <details class="fold" id="requests-fold">
            <summary><Icon glyph=Glyph::Right/>"Requests"<span>{summary}</span></summary>
            <div class="grid-fields">
                {move || if is_trace.get() {
                    view! {
                        <p class="foot" id="trace-on">
                            "Requests arrive as in the trace. "
                            <button class="plain" id="trace-off" on:click=back>"At random instead"</button>
                        </p>
                    }.into_any()
                } else {
                    view! {
                        <Labelled key="load rate" field="rate_per_s" label="Mean rate" unit="requests/s"
                            get=|s| match &s.load.requests { Requests::Poisson { rate_per_s, .. } => *rate_per_s, Requests::Trace(_) => 0.0 }
                            set=|s, v| if let Requests::Poisson { rate_per_s, .. } = &mut s.load.requests { *rate_per_s = v; }/>
                        <Labelled key="load count" field="count" label="Requests per run" unit=""
                            get=|s| match &s.load.requests { Requests::Poisson { count, .. } => *count, Requests::Trace(_) => 0.0 }
                            set=|s, v| if let Requests::Poisson { count, .. } = &mut s.load.requests { *count = v; }/>
                    }.into_any()
                }}
                {numbers(*state, Object::new("load", |s: &Scenario| Some(&s.load), |s| Some(&mut s.load)), &[
                    ("seeds", ""),
                    ("first_seed", ""),
                    ("batch", "Decode batch"),
                ])}
                <label>
                    <span>"Choice of node"</span>
                    <select
                        id="scheduler"
                        prop:value=scheduler
                        on:change=move |event| {
                            let chosen = event_target_value(&event);
                            if let Some(next) = SCHEDULERS.into_iter().find(|s| scheduler_name(*s) == chosen) {
                                let _ = state.edit("", |s| s.load.scheduler = next);
                            }
                        }
                    >
                        {SCHEDULERS
                            .into_iter()
                            .map(|s| view! {
                                <option value=scheduler_name(s) selected=move || scheduler() == scheduler_name(s)>{scheduler_name(s)}</option>
                            })
                            .collect_view()}
                    </select>
                </label>
                <super::trace::PasteTrace/>
            </div>
        </details>
    }
}

const SCHEDULERS: [Scheduler; 3] = [
    Scheduler::Hypsched,
    Scheduler::RoundRobin,
    Scheduler::Random,
];

const fn scheduler_name(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Hypsched => "HypSched-RT",
        Scheduler::RoundRobin => "Round robin",
        Scheduler::Random => "Random",
    }
}
