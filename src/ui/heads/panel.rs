//! The scenario of the head-placement question: preset, layer, tokens, demands, fleet, links, background, draws.

use super::HeadsState;
use super::links::Links;
use super::rows::Fleet;
use super::trace::PasteRecord;
use crate::ui::questions::Questions;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::form::{self, Object, OneOf, PresetPicker, bound, choice, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::import::ImportButton;
use crate::ui::views::precision::{StoredAs, put_in};
use crate::ui::views::queue::Deferred;
use engine::model::precision::Stored;
use engine::problem::head_sizes::{Delay, Input, Memory, Operations};
use engine::scenario::heads::{HeadModel, Scenario, presets};
use engine::scenario::import::ImportedModel;
use engine::sim::{Background, Bursty};
use engine::units::percent;
use leptos::prelude::*;
use protocol::names::heads::layer_words;

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
    let state = expect_context::<HeadsState>();
    let binding = bound(*state, key, field, get, set);
    view! { <form::Labelled key=key label=label unit=unit binding=binding/> }
}

/// The panel.
#[component]
pub fn Panel() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    view! {
        <PresetPicker editor=*state presets=presets::all() title=|s| &s.title/>
        <section class="form" aria-label="Work">
            <LayerPicker/>
            <Tokens/>
            <Counting/>
        </section>
        <Deferred><Fleet/></Deferred>
        <Deferred><Links/></Deferred>
        <Deferred>
            <BackgroundLoad/>
            <Ahead/>
        </Deferred>
    }
}

/// Numbers of a layer as its model has it.
const GROUPED: [(&str, &str); 7] = [
    ("heads", "Query heads"),
    ("width", ""),
    ("value_bytes", ""),
    ("h_k", ""),
    ("d_head", ""),
    ("d_ff", ""),
    ("layers", ""),
];

fn known_name(model: &HeadModel) -> Option<String> {
    let plain = HeadModel {
        weights: None,
        cache: None,
        ..model.clone()
    };
    let known = presets::models().into_iter();
    known
        .map(|m| (m.name.clone(), m))
        .find_map(|(name, m)| (m == plain).then_some(name))
}

/// Another layer, stored as the one before unless it says how.
fn choose(s: &mut Scenario, model: HeadModel) {
    s.model = HeadModel {
        weights: model.weights.or(s.model.weights),
        cache: model.cache.or(s.model.cache),
        ..model
    };
}

/// A dimension changed by hand takes the name of the listed layer away.
fn own_dimension(s: &mut Scenario, _: &'static str) {
    let is_listed = presets::models().iter().any(|m| m.name == s.model.name);
    if is_listed && known_name(&s.model).is_none() {
        s.model.name = "Custom layer".into();
    }
}

#[component]
fn LayerPicker() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let known = Memo::new(move |_| state.scenario.with(|s| known_name(&s.model)));
    let model = || Object {
        changed: own_dimension,
        ..Object::new(
            "model",
            |s: &Scenario| Some(&s.model),
            |s| Some(&mut s.model),
        )
    };
    // The fields of a layer: the paper's, one by dimensions with heads that share, one of a file.
    let fields: fn(&Scenario) -> &'static [(&'static str, &'static str)] =
        |s| match (&s.model.block, s.model.h_k) {
            (Some(_), _) => &[("value_bytes", "")],
            (None, Some(_)) => &GROUPED,
            (None, None) => &[("heads", ""), ("width", ""), ("value_bytes", "")],
        };
    let fields = Memo::new(move |_| state.scenario.with(|s| fields(s)));
    let hint = move || {
        state
            .scenario
            .with(|s| format!("One decoder layer: {}", layer_words(s)))
    };
    let own_name = move || {
        let name = state.scenario.with(|s| s.model.name.trim().to_owned());
        if name.is_empty() {
            "Custom layer".to_owned()
        } else {
            name
        }
    };
    let questions = expect_context::<Questions>();
    let bring_in = Callback::new(move |brought: ImportedModel| {
        let model = brought.head_model()?;
        put_in(questions, &brought, |s| choose(s, model))
    });
    let stored = Signal::derive(move || state.scenario.with(|s| s.model.stored()));
    let store = move |stored: Stored| {
        let _ = state.edit("", |s| {
            (s.model.weights, s.model.cache) = (stored.weights, stored.cache);
        });
    };
    let is_idle = move || {
        let physical = state
            .scenario
            .with(|s| s.demands.memory == Memory::Physical);
        (!physical).then_some("Without effect: Table I has one number of bytes for all values.")
    };
    view! {
        <label class="lab" for="model">"Layer"</label>
        <div class="select">
            <select
                id="model"
                prop:value=move || known.get().unwrap_or_default()
                on:change=move |event| {
                    let chosen = event_target_value(&event);
                    let mut all = presets::models().into_iter();
                    if let Some(model) = all.find(|m| m.name == chosen)
                        && let Err(fault) = state.edit("", |s| choose(s, model))
                    {
                        state.announce(format!("Not changed: {fault}."));
                    }
                }
            >
                {move || known.get().is_none().then(|| view! { <option value="" selected>{own_name()}</option> })}
                {presets::models()
                    .into_iter()
                    .map(|model| {
                        let (name, value) = (model.name.clone(), model.name.clone());
                        view! {
                            <option value=value selected=move || known.get().as_ref() == Some(&name)>{model.name}</option>
                        }
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint" id="model-hint">{hint}</p>
        <StoredAs stored=stored set=store unsaid="as other values"/>
        <p class="hint">{is_idle}</p>
        <div class="model-tools"><ImportButton put_in=bring_in/></div>
        <details class="fold inner">
            <summary><Icon glyph=Glyph::Right/>"Dimensions"<span>{move || if fields.get().len() == 3 { "heads must divide the hidden size" } else { "as the model has them" }}</span></summary>
            <div class="grid-fields">
                {move || numbers(*state, model(), fields.get())}
            </div>
        </details>
    }
}

#[component]
fn Tokens() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let prompt = bound(
        *state,
        "prompt_tokens",
        "prompt_tokens",
        |s| s.prompt_tokens,
        |s, v| s.prompt_tokens = v,
    );
    let out = bound(
        *state,
        "new_tokens",
        "new_tokens",
        |s| s.new_tokens,
        |s, v| s.new_tokens = v,
    );
    let slide = move |event: web_sys::Event| {
        if let Ok(tokens) = event_target_value(&event).parse::<f64>() {
            // In steps of the slider, which are all in range.
            let _ = state.edit("new_tokens", |s| s.new_tokens = tokens);
            state.clear_field_error("new_tokens");
        }
    };
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
        <span class="lab"></span>
        <input
            type="range"
            class="slider"
            id="tokens-slider"
            min="10"
            max="1000"
            step="10"
            aria-label="Answer, tokens"
            aria-valuetext=move || state.scenario.with(|s| format!("{} tokens", s.new_tokens))
            prop:value=move || state.scenario.with(|s| s.new_tokens.clamp(10.0, 1000.0).to_string())
            on:input=slide
        />
        <div class="hint"><Fault key="prompt_tokens".into()/><Fault key="new_tokens".into()/></div>
    }
}

/// How demands and delays are counted.
#[component]
fn Counting() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let (demands, choose_demands) = choice(
        *state,
        vec![
            (Memory::Physical, Operations::Cached),
            (Memory::Table, Operations::Table),
        ],
        |s| (s.demands.memory, s.demands.operations),
        |s, (memory, operations)| (s.demands.memory, s.demands.operations) = (memory, operations),
    );
    let (delay, choose_delay) = choice(
        *state,
        vec![Delay::Full, Delay::Eq6],
        |s| s.demands.delay,
        |s, delay| s.demands.delay = delay,
    );
    let (memory, choose_memory) = choice(
        *state,
        vec![Memory::Table, Memory::NoCache, Memory::Physical],
        |s| s.demands.memory,
        |s, memory| s.demands.memory = memory,
    );
    let (operations, choose_operations) = choice(
        *state,
        vec![Operations::Table, Operations::Ffn08, Operations::Cached],
        |s| s.demands.operations,
        |s, operations| s.demands.operations = operations,
    );
    let (input, choose_input) = choice(
        *state,
        vec![Input::Embed, Input::Ids, Input::None],
        |s| s.demands.input,
        |s, input| s.demands.input = input,
    );
    view! {
        <span class="lab">"Demands"</span>
        <OneOf label="Demands" id="demands" words=vec!["Physical, cached", "The paper\u{2019}s Table I"] now=demands choose=choose_demands/>
        <span class="lab">"Delay"</span>
        <OneOf label="Delay" id="delay" words=vec!["Full", "As printed, eq. 6"] now=delay choose=choose_delay/>
        <details class="fold inner">
            <summary><Icon glyph=Glyph::Right/>"Each demand separately"<span></span></summary>
            <div class="one-column">
                <span>"Memory"</span>
                <OneOf label="Memory" id="memory-rule" words=vec!["Table I", "No cache row", "Physical"] now=memory choose=choose_memory/>
                <span>"Operations"</span>
                <OneOf label="Operations" id="operations-rule" words=vec!["Table I", "FFN 0.8", "Cached"] now=operations choose=choose_operations/>
                <span>"The controller sends"</span>
                <OneOf label="The controller sends" id="input-rule" words=vec!["Embeddings", "Token ids", "Nothing"] now=input choose=choose_input/>
            </div>
        </details>
    }
}

/// Kind of background load.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Quiet,
    Independent,
    Bursty,
}

const fn kind(background: Background) -> Kind {
    match background {
        Background::Quiet => Kind::Quiet,
        Background::Independent { .. } => Kind::Independent,
        Background::Bursty(_) => Kind::Bursty,
    }
}

fn bursty(s: &Scenario) -> Bursty {
    match s.background {
        Background::Bursty(bursty) => bursty,
        _ => Bursty::default(),
    }
}

fn change_bursty(s: &mut Scenario, change: impl FnOnce(&mut Bursty)) {
    if let Background::Bursty(bursty) = &mut s.background {
        change(bursty);
    }
}

#[component]
fn BackgroundLoad() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let summary = move || {
        state.scenario.with(|s| match (&s.recorded, s.background) {
            (Some(rows), _) => format!("recorded, {} rows", rows.len()),
            (None, Background::Quiet) => "none".to_owned(),
            (None, Background::Independent { most }) => {
                format!(
                    "0 to {} of each, redrawn in every interval",
                    percent(100.0 * most, 0)
                )
            }
            (None, Background::Bursty(_)) => "bursts".to_owned(),
        })
    };
    let (now, choose) = choice(
        *state,
        vec![Kind::Quiet, Kind::Independent, Kind::Bursty],
        |s| kind(s.background),
        |s, next| {
            s.recorded = None;
            if kind(s.background) != next {
                s.background = match next {
                    Kind::Quiet => Background::Quiet,
                    Kind::Independent => Background::default(),
                    Kind::Bursty => Background::Bursty(Bursty::default()),
                };
            }
        },
    );
    let of_kind = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.recorded.is_none().then(|| kind(s.background)))
    });
    let now = Signal::derive(move || of_kind.get().and(now.get()));
    let fields = move || {
        match of_kind.get() {
        Some(Kind::Independent) => view! {
            <div class="grid-fields">
                <Labelled key="background most" field="most" label="Load at most" unit="share" get=|s| match s.background {
                    Background::Independent { most } => most,
                    _ => 0.0,
                } set=|s, v| if let Background::Independent { most } = &mut s.background {
                    *most = v;
                }/>
            </div>
        }
        .into_any(),
        Some(Kind::Bursty) => view! {
            <div class="grid-fields">
                <Labelled key="background begins" field="begins" label="Load begins" unit="chance" get=|s| bursty(s).begins
                    set=|s, v| change_bursty(s, |b| b.begins = v)/>
                <Labelled key="background ends" field="ends" label="Load ends" unit="chance" get=|s| bursty(s).ends
                    set=|s, v| change_bursty(s, |b| b.ends = v)/>
                <Labelled key="background idle" field="idle" label="Idle load" unit="share" get=|s| bursty(s).idle
                    set=|s, v| change_bursty(s, |b| b.idle = v)/>
                <Labelled key="background busy least" field="busy" label="Busy load, min" unit="share" get=|s| bursty(s).busy[0]
                    set=|s, v| change_bursty(s, |b| b.busy[0] = v)/>
                <Labelled key="background busy most" field="busy" label="Busy load, max" unit="share" get=|s| bursty(s).busy[1]
                    set=|s, v| change_bursty(s, |b| b.busy[1] = v)/>
            </div>
        }
        .into_any(),
        _ => ().into_any(),
    }
    };
    view! {
        <details class="fold" id="background">
            <summary><Icon glyph=Glyph::Right/>"Background load"<span>{summary}</span></summary>
            <div class="one-column">
                <OneOf label="Background load" id="background-kind" words=vec!["None", "New each interval", "Bursts"] now=now choose=choose/>
            </div>
            {fields}
            <div class="grid-fields"><PasteRecord/></div>
        </details>
    }
}

/// Looking ahead, and what a comparison is made of.
#[component]
fn Ahead() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let summary = move || {
        state.scenario.with(|s| {
            let of = if s.draws.networks {
                "networks"
            } else {
                "backgrounds"
            };
            format!("{} {of} from seed {}", s.draws.seeds, s.draws.first_seed)
        })
    };
    let (networks, choose_networks) = choice(
        *state,
        vec![false, true],
        |s| s.draws.networks,
        |s, networks| s.draws.networks = networks,
    );
    view! {
        <details class="fold" id="draws">
            <summary><Icon glyph=Glyph::Right/>"Intervals, draws, look-ahead"<span>{summary}</span></summary>
            <div class="one-column">
                <span>"Redrawn for every seed"</span>
                <OneOf label="Redrawn for every seed" id="networks" words=vec!["Background load only", "Devices and links too"] now=networks choose=choose_networks/>
            </div>
            <div class="grid-fields">
                {numbers(*state, Object::new("draws", |s: &Scenario| Some(&s.draws), |s| Some(&mut s.draws)), &[
                    ("seeds", "Draws"),
                    ("first_seed", ""),
                ])}
                {numbers(*state, Object::new("", |s: &Scenario| Some(s), |s| Some(s)), &[
                    ("interval_tokens", ""),
                    ("ahead", ""),
                ])}
                <p class="foot">
                    "1 is the paper\u{2019}s own rule. More helps where load persists, not where it is redrawn in every interval. If \
                     devices and links are redrawn too, the fleet above only sets how many devices there are."
                </p>
            </div>
        </details>
    }
}
