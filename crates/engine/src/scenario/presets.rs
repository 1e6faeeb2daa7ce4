//! Scenarios to start from, built from the catalogues so that no number stands twice.

use super::random::Recipe;
use super::{Decode, Device, FORMAT, Goal, Model, Preset, Question, Ranges, Scenario};
use crate::hardware::catalog::{DEVICES, KNOWN_DEVICES};
use crate::hardware::{self, calibration};
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
            about: "The same four devices with a prompt of 8192 tokens, where the plan leaves out the weakest",
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
        Preset {
            name: "home-decode",
            about: "Qwen3-8B over three Jetsons, and an answer of 200 tokens after the first one: memory rates from the data sheets, drives and distances assumed",
            scenario: home(),
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
        memory: None,
        loading: None,
        ranges: Ranges::new(),
    }
}

/// Three Jetsons that answer with 200 tokens. Memory and its rate are those of the catalogue, compute is dense fp16 on the GPU
/// alone: a quarter of the int8 rate with sparsity that the data sheets give for it, 108, 77 and 40 TOPS (the Nano in the mode of
/// this memory rate). No source says how well short prompts
/// use them, how fast their drives are or how they are connected: utilisation is that of the paper's Device 3, drives are
/// an assumption for NVMe in their M.2 slots, distances are assumptions as well, and the channel is the paper's.
#[must_use]
pub fn home() -> Scenario {
    // Compute [TFLOPS], drive [MB/s], distance to the access point [m].
    let fleet = [
        ("Jetson AGX Orin 32GB", [27.0, 3500.0, 2.0]),
        ("Jetson Orin NX 16GB", [19.25, 3000.0, 3.0]),
        ("Jetson Orin Nano 8GB", [10.0, 2000.0, 5.0]),
    ];
    let device = |(name, [tflops, drive, distance]): (&str, [f64; 3])| {
        let known = KNOWN_DEVICES.iter().find(|known| known.name == name)?;
        let like = &DEVICES[2].device;
        let hardware = hardware::DeviceHardware {
            peak_tflops: tflops,
            disk_mb_s: drive,
            memory_gb: known.usable_gb?,
            distance_m: distance,
            ..*like
        };
        let mut device = Device::from_hardware(known.short, &hardware);
        device.bandwidth_gb_s = known.bandwidth_gb_s;
        let (_, terms) = calibration::of_name(known.short)?;
        device.memory_share = Some(terms.decode.memory_share);
        device.layer_us = Some(terms.decode.layer_us);
        Some(device)
    };
    Scenario {
        title: "Three Jetsons and a whole answer".into(),
        model: find("Qwen3-8B")
            .map_or_else(|| paper().model, |e| Model::from_dims(e.name, &e.dims)),
        prompt_tokens: 512.0,
        devices: fleet.into_iter().filter_map(device).collect(),
        decode: Some(Decode {
            goal: Goal::WholeAnswer,
            ..Decode::USUAL
        }),
        ..paper()
    }
}
