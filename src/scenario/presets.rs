//! Scenarios to start from, built from the catalogues so that no number stands twice.

use super::random::Recipe;
use super::{Device, FORMAT, Model, Preset, Question, Ranges, Scenario};
use crate::hardware::catalog::DEVICES;
use crate::model::catalog::{MODELS, find};
use crate::network::{Relay, catalog::CHANNELS};
use crate::problem::HeuristicReading;

/// All presets, the paper's own first.
#[must_use]
pub fn all() -> Vec<Preset<Scenario>> {
    vec![
        Preset {
            name: "csgo-paper",
            about: "Qwen3-14B over four Wi-Fi devices, 256 tokens (CSGO, Table 1)",
            scenario: paper(),
        },
        Preset {
            name: "csgo-paper-long",
            about: "The same four devices with a prompt of 8192 tokens, where the weakest is left out",
            scenario: Scenario {
                title: "The paper's four devices, long prompt".into(),
                prompt_tokens: 8192.0,
                ..paper()
            },
        },
        Preset {
            name: "csgo-too-big",
            about: "Qwen3-32B over the same four devices: the weights do not fit",
            scenario: Scenario {
                title: "A model that does not fit".into(),
                model: find("Qwen3-32B")
                    .map_or_else(|| paper().model, |e| Model::from_dims(e.name, &e.dims)),
                ..paper()
            },
        },
    ]
}

/// The preset with this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset<Scenario>> {
    Preset::named(all(), name)
}

/// How random fleets are named where presets are: `random-7-12` is seed 7 and 12 devices.
pub const RANDOM_NAME: &str = "random-SEED-COUNT[-SPREAD]";

/// The scenario with this name: a preset's, or the paper's with a random fleet.
#[must_use]
pub fn scenario_named(name: &str) -> Option<Scenario> {
    let random = || Recipe::of_name(name).map(|recipe| recipe.applied_to(&paper()));
    named(name).map(|preset| preset.scenario).or_else(random)
}

/// The paper's own scenario: Qwen3-14B on the devices of Table 1, 256 tokens.
#[must_use]
pub fn paper() -> Scenario {
    Scenario {
        format: FORMAT,
        question: Question::ColdStart,
        title: "The paper's four devices".into(),
        model: Model::from_dims(MODELS[0].name, &MODELS[0].dims),
        prompt_tokens: 256.0,
        channel: CHANNELS[0].channel.into(),
        relay: Relay::SlowerHop,
        heuristic: HeuristicReading::Rate,
        devices: DEVICES
            .iter()
            .enumerate()
            .map(|(k, entry)| Device::from_hardware(&format!("D{}", k + 1), &entry.device))
            .collect(),
        decode: None,
        ranges: Ranges::new(),
    }
}
