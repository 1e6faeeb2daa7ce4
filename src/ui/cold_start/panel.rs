//! The scenario: preset, model, prompt, fleet, link, comparison rules. A column on a wide screen, a sheet on
//! a small one.

use super::ColdStartState;
use super::decode::Aim;
use super::loading::LoadingRule;
use super::memory::MemoryRule;
use super::model::ModelPicker;
use super::rows::Devices;
use crate::ui::views::catalogue::OpenCatalogue;
use crate::ui::views::field::{Binding, Fault, NumberInput};
use crate::ui::views::form::PresetPicker;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::queue::Deferred;
use engine::network::Relay;
use engine::problem::HeuristicReading;
use engine::scenario::catalogue::CatalogueKind;
use engine::scenario::{Channel, Scenario, presets};
use leptos::prelude::*;

/// The panel.
#[component]
pub fn Panel() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    view! {
        <PresetPicker editor=*state presets=presets::all() title=|s| &s.title/>
        <section class="form" aria-label="Work">
            <ModelPicker/>
            <Prompt/>
            <Aim/>
            <MemoryRule/>
            <LoadingRule/>
        </section>
        <Deferred><Devices/></Deferred>
        <Deferred><Link/></Deferred>
        <Deferred><Rules/></Deferred>
    }
}

#[component]
fn Prompt() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let binding = Binding {
        key: "prompt_tokens".into(),
        field: "prompt_tokens",
        get: Box::new(|s: &Scenario| Some(s.prompt_tokens)),
        set: Box::new(|s: &mut Scenario, value| s.prompt_tokens = value),
    };
    let power = move || {
        state
            .scenario
            .with(|s| libm::round(libm::log2(s.prompt_tokens)).clamp(4.0, 14.0))
    };
    let slide = move |event: web_sys::Event| {
        if let Ok(power) = event_target_value(&event).parse::<f64>() {
            let _ = state.edit("prompt_tokens", |s| s.prompt_tokens = libm::exp2(power));
            state.faults.update(|faults| {
                faults.remove("prompt_tokens");
            });
        }
    };
    view! {
        <label class="lab" for="field-prompt_tokens">"Prompt"</label>
        <div class="with-slider">
            <span class="num">
                <NumberInput binding=binding.on(*state) called=Signal::derive(|| "Prompt length".to_owned())/>
                <span class="unit">"tokens"</span>
            </span>
            <input
                class="slider"
                type="range"
                min="4"
                max="14"
                step="1"
                aria-label="Prompt length, powers of two"
                aria-valuetext=move || state.scenario.with(|s| format!("{} tokens", s.prompt_tokens))
                prop:value=move || power().to_string()
                on:input=slide
            />
        </div>
        <div class="hint"><Fault key="prompt_tokens".into()/></div>
    }
}

/// One number of the channel.
type Knob = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Channel) -> f64,
    fn(&mut Channel, f64),
);

const KNOBS: [Knob; 6] = [
    (
        "B_mhz",
        "Bandwidth of each device",
        "MHz",
        |c| c.B_mhz,
        |c, v| c.B_mhz = v,
    ),
    ("mu", "Efficiency", "", |c| c.mu, |c, v| c.mu = v),
    (
        "zeta",
        "Path loss exponent",
        "",
        |c| c.zeta,
        |c, v| c.zeta = v,
    ),
    (
        "beta0_db",
        "Gain at reference",
        "dB",
        |c| c.beta0_db,
        |c, v| c.beta0_db = v,
    ),
    (
        "d0_m",
        "Reference distance",
        "m",
        |c| c.d0_m,
        |c, v| c.d0_m = v,
    ),
    (
        "N0_dbm_hz",
        "Noise density",
        "dBm/Hz",
        |c| c.N0_dbm_hz,
        |c, v| c.N0_dbm_hz = v,
    ),
];

#[component]
fn Link() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let summary = move || {
        state.scenario.with(|s| {
            let c = &s.channel;
            format!(
                "{} MHz each, path loss {}, efficiency {}",
                c.B_mhz, c.zeta, c.mu
            )
        })
    };
    view! {
        <details class="fold">
            <summary><Icon glyph=Glyph::Right/>"Wi-Fi"<span>{summary}</span></summary>
            <div class="grid-fields">
                {KNOBS
                    .iter()
                    .map(|(field, label, unit, get, set)| {
                        let key = format!("channel {field}");
                        let binding = Binding {
                            key: key.clone(),
                            field,
                            get: Box::new(move |s: &Scenario| Some(get(&s.channel))),
                            set: Box::new(move |s: &mut Scenario, value| set(&mut s.channel, value)),
                        };
                        let called = Signal::derive(move || (*label).to_owned());
                        view! {
                            <label>
                                <span>{*label}" "<small>{*unit}</small></span>
                                <NumberInput binding=binding.on(*state) called=called/>
                                <Fault key=key/>
                            </label>
                        }
                    })
                    .collect_view()}
                <label>
                    <span>"Access point"</span>
                    <select
                        id="relay"
                        prop:value=move || state.scenario.with(|s| relay_name(s.relay))
                        on:change=move |event| {
                            let chosen = event_target_value(&event);
                            let relay = [Relay::SlowerHop, Relay::StoreAndForward];
                            if let Some(relay) = relay.into_iter().find(|r| relay_name(*r) == chosen) {
                                let _ = state.edit("", |s| s.relay = relay);
                            }
                        }
                    >
                        <option value="slower-hop">"Slower hop decides (paper)"</option>
                        <option value="store-and-forward">"Stores, then forwards"</option>
                    </select>
                </label>
                <p class="foot">
                    <OpenCatalogue id="link-catalogue" kind=CatalogueKind::Link label="From catalogue"/>
                </p>
            </div>
        </details>
    }
}

const fn relay_name(relay: Relay) -> &'static str {
    match relay {
        Relay::SlowerHop => "slower-hop",
        Relay::StoreAndForward => "store-and-forward",
    }
}

#[component]
fn Rules() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let name = move || state.scenario.with(|s| s.heuristic.name());
    let words = move || state.scenario.with(|s| s.heuristic.description());
    view! {
        <details class="fold">
            <summary>
                <Icon glyph=Glyph::Right/>
                "Comparison rules"
                <span>{move || format!("Heuristic by {}, largest remainder", words())}</span>
            </summary>
            <div class="grid-fields">
                <label>
                    <span>"Heuristic\u{2019}s scale"</span>
                    <select
                        id="heuristic"
                        prop:value=name
                        on:change=move |event| {
                            if let Some(reading) = HeuristicReading::find(&event_target_value(&event)) {
                                let _ = state.edit("", |s| s.heuristic = reading);
                            }
                        }
                    >
                        {HeuristicReading::ALL
                            .into_iter()
                            .map(|reading| view! {
                                <option value=reading.name() selected=move || name() == reading.name()>{reading.description()}</option>
                            })
                            .collect_view()}
                    </select>
                </label>
                <p class="foot">
                    "The paper does not say on what common scale compute and disk speed are averaged. rate puts both in \
                     layers per second; _peak takes the peak compute rate."
                </p>
            </div>
        </details>
    }
}
