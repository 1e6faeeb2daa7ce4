//! Tiers to start from, built from the catalogues so that no number stands twice.

use super::{
    Cost, FORMAT, Goal, Link, Load, Mode, Order, Precision, Requests, Scenario, Scheduler, Tier,
    TierModel,
};
use crate::hardware::catalog::{self, KnownDevice};
use crate::model::catalog::find;
use crate::scenario::{Memory, Preset, Question};

/// A calibrated way to compute a pass.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Its short name.
    pub name: &'static str,
    /// Description.
    pub about: &'static str,
    /// Its numbers; what it leaves open is as in the first.
    pub cost: Cost,
}

impl Profile {
    /// Its name and what it is, in short: `T2: int8 weights and 27.2 ms per stage pass`.
    #[must_use]
    pub fn description(&self) -> String {
        let short = self.about.split(':').next().unwrap_or_default();
        format!("{}: {short}", self.name)
    }
}

const R16: Cost = Cost {
    mode: Mode::Roofline,
    weights: Precision::Fp16,
    cache: None,
    eta_c: 0.5,
    eta_b: 0.6,
    eta_f: 7.75e-4,
    overhead_ms: 0.0,
    setup_s_per_gparam: 0.0,
    wire_bytes: 2.0,
    context_tokens: None,
    blocks_only: true,
};

/// What runtimes reach on machines of one's own.
pub const RUNTIME: Cost = Cost {
    mode: Mode::Runtime,
    context_tokens: Some(Memory::USUAL.context_tokens),
    blocks_only: false,
    ..R16
};

/// The calibrated profiles, the paper's default first.
pub const PROFILES: [Profile; 5] = [
    Profile {
        name: "R16",
        about: "fp16 weights at 60 % of the memory bandwidth: plausible, with one fitted number",
        cost: R16,
    },
    Profile {
        name: "T2",
        about: "int8 weights and 27.2 ms per stage pass: fits both latencies of the paper\u{2019}s Table II",
        cost: Cost {
            weights: Precision::Int8,
            eta_b: 0.51,
            overhead_ms: 27.2,
            ..R16
        },
    },
    Profile {
        name: "F9",
        about: "int8 weights and a fixed start: fits the end points of the paper\u{2019}s Fig. 9 within 9 %",
        cost: Cost {
            weights: Precision::Int8,
            eta_b: 0.75,
            setup_s_per_gparam: 1.65,
            ..R16
        },
    },
    Profile {
        name: "PF",
        about: "the paper\u{2019}s formula: arithmetic only, with TOPS used as FLOPS",
        cost: Cost {
            mode: Mode::Flops,
            ..R16
        },
    },
    Profile {
        name: "Runtime",
        about: "what llama.cpp reaches on each machine: fitted to published runs, as for a cold start",
        cost: RUNTIME,
    },
];

/// The share of the TOPS that profile PF takes for a model: fitted to each model's published latency.
#[must_use]
pub fn eta_f_of(model: &str) -> f64 {
    if model.starts_with("Phi-3-medium") {
        9.75e-4
    } else {
        7.75e-4
    }
}

/// All presets, the paper's own first.
#[must_use]
pub fn all() -> Vec<Preset<Scenario>> {
    let paper = paper();
    let phi = Scenario {
        title: "The paper's three tiers, Phi-3-medium".into(),
        model: model("Phi-3-medium-4k"),
        ..paper.clone()
    };
    let phi_split = Scenario {
        title: "The paper's split of Phi-3-medium".into(),
        split: Some(vec![7.0, 13.0, 20.0]),
        ..phi.clone()
    };
    let tops = Scenario {
        title: "The paper's three tiers, by TOPS".into(),
        cost: Cost {
            eta_f: eta_f_of(paper.model.name()),
            ..PROFILES[3].cost
        },
        ..paper.clone()
    };
    let whole = Scenario {
        title: "The paper's three tiers, output head counted".into(),
        cost: Cost {
            blocks_only: false,
            ..paper.cost
        },
        ..paper.clone()
    };
    let two = Scenario {
        title: "Two tiers".into(),
        tiers: vec![tier(NX, 3.0), tier(AGX, 2.0)],
        ..paper.clone()
    };
    let mut second = tier(NANO, 2.0);
    second.name = "Nano B".into();
    let four = Scenario {
        title: "Four tiers".into(),
        tiers: vec![tier(NANO, 2.0), second, tier(NX, 3.0), tier(AGX, 3.0)],
        ..paper.clone()
    };
    let slow = Scenario {
        title: "The paper's three tiers, 100 Mbit/s".into(),
        link: Link {
            rate_mbit_s: 100.0,
            ..paper.link
        },
        ..paper.clone()
    };
    let mut fast = paper.clone();
    fast.title = "The paper's three tiers, fast Nano".into();
    fast.tiers[0] = tier(SUPER, 3.0);
    let too_big = Scenario {
        title: "A model that does not fit the tiers".into(),
        model: model("Qwen3-32B"),
        ..paper.clone()
    };
    let preset = |name, about, scenario| Preset {
        name,
        about,
        scenario,
    };
    vec![
        preset(
            "hyperion-paper",
            "Llama-3-8B over Nano, NX and AGX by memory rate, 1 Gbit/s between them (Hyperion, Table I)",
            paper,
        ),
        preset(
            "hyperion-phi",
            "Phi-3-medium over the same three tiers",
            phi,
        ),
        preset(
            "hyperion-phi-split",
            "Phi-3-medium in the published split 7, 13, 20, which is not the best",
            phi_split,
        ),
        preset(
            "hyperion-tops",
            "Llama-3-8B split by the TOPS that the paper states: 5, 12, 15",
            tops,
        ),
        preset(
            "hyperion-head",
            "Llama-3-8B with its output head in the split: 6, 9, 17",
            whole,
        ),
        preset(
            "hyperion-slow",
            "Llama-3-8B over the same tiers with 100 Mbit/s between them",
            slow,
        ),
        preset(
            "hyperion-fast-nano",
            "The Nano in its fast mode, 102 GB/s, where the published split is not the best",
            fast,
        ),
        preset("hyperion-two", "NX and AGX (Hyperion, Table III)", two),
        preset(
            "hyperion-four",
            "Two tiers of Nanos, NX and AGX (Hyperion, Table III)",
            four,
        ),
        preset(
            "hyperion-too-big",
            "Qwen3-32B over the paper's three tiers: the weights do not fit",
            too_big,
        ),
    ]
}

/// The preset with this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset<Scenario>> {
    Preset::named(all(), name)
}

const NANO: &str = "Jetson Orin Nano 8GB";
const SUPER: &str = "Jetson Orin Nano 8GB, Super mode";
const NX: &str = "Jetson Orin NX 16GB";
const AGX: &str = "Jetson AGX Orin 32GB";

/// The paper's own scenario: Llama-3-8B over the three tiers of Table I.
#[must_use]
pub fn paper() -> Scenario {
    Scenario {
        format: FORMAT,
        question: Question::Tiers,
        title: "The paper's three tiers".into(),
        model: model("Llama-3-8B"),
        prompt_tokens: 64.0,
        out_tokens: 128.0,
        cost: R16,
        link: Link {
            rate_mbit_s: 1000.0,
            latency_ms: 0.0,
        },
        tiers: vec![tier(NANO, 3.0), tier(NX, 3.0), tier(AGX, 2.0)],
        goal: Goal::Bottleneck,
        order: Order::Listed,
        split: None,
        load: Load {
            requests: Requests::Poisson {
                rate_per_s: 0.2,
                count: 60.0,
            },
            seeds: 5.0,
            first_seed: 1.0,
            scheduler: Scheduler::Hypsched,
            batch: 1.0,
        },
    }
}

fn model(name: &str) -> TierModel {
    TierModel::of(find(name).expect("a model of the catalogue"))
}

/// A tier of `nodes` devices of the catalogue.
fn tier(name: &str, nodes: f64) -> Tier {
    let known = catalog::KNOWN_DEVICES
        .iter()
        .find(|known| known.name == name);
    of_known(known.expect("a device of the catalogue"), nodes)
        .expect("the paper's devices have every number")
}

/// A tier of `nodes` devices of a catalogue row; `None` where the row lacks a number that is needed.
fn of_known(known: &KnownDevice, nodes: f64) -> Option<Tier> {
    Some(Tier {
        name: known.short.to_owned(),
        off: false,
        nodes,
        tops: known.tops?,
        bandwidth_gb_s: known.bandwidth_gb_s?,
        memory_gb: known.memory_gb,
        usable_gb: known.usable_gb?,
        power_w: known.power_w?,
        ..Tier::default()
    })
}
