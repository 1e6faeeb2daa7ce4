//! Layers and fleets to start from.

use super::{Demands, Draws, FORMAT, HeadDevice, HeadModel, Links, OwnRate, Scenario};
use crate::problem::head_sizes::{Delay, Input, Memory, Operations};
use crate::scenario::{Preset, Question};
use crate::sim::{Background, Bursty, FleetRanges};

/// Demands as the paper's Table I counts them.
pub const TABLE_1: Demands = Demands {
    memory: Memory::Table,
    operations: Operations::Table,
    delay: Delay::Full,
    input: Input::Embed,
};

/// Demands as they are: one K/V cache a head, one token a step.
pub const PHYSICAL: Demands = Demands {
    memory: Memory::Physical,
    operations: Operations::Cached,
    ..TABLE_1
};

/// A device of a drawn fleet is shown to so many digits behind the point.
fn rounded(value: f64) -> f64 {
    libm::round(1e3 * value) / 1e3
}

/// The fleet of a draw from the paper's ranges, its numbers rounded so that they can be read.
#[must_use]
pub fn drawn(devices: usize, seed: u64) -> (Vec<HeadDevice>, Links) {
    let fleet = FleetRanges::default().draw(devices, seed);
    let Ok(fleet) = fleet else {
        return (Vec::new(), Links::all(1.0)); // more devices than a fleet may have
    };
    let rows = fleet.memory.iter().zip(&fleet.compute).enumerate();
    let list = rows
        .map(|(at, (memory, compute))| HeadDevice {
            name: format!("D{}", at + 1),
            off: false,
            compute_gops: rounded(compute / 1e9),
            memory_gb: rounded(memory / 1e9),
        })
        .collect();
    let pairs = (0..devices).flat_map(|from| (from + 1..devices).map(move |to| (from, to)));
    let own = pairs
        .map(|(from, to)| OwnRate {
            from,
            to,
            gbit_s: rounded(fleet.rates[from][to] / 1.25e8),
        })
        .collect();
    (list, Links { gbit_s: 1.0, own })
}

impl Links {
    /// Creates links with one rate between all devices.
    #[must_use]
    pub const fn all(gbit_s: f64) -> Self {
        Self {
            gbit_s,
            own: Vec::new(),
        }
    }
}

/// All presets, the one that the question opens with first.
#[must_use]
pub fn all() -> Vec<Preset<Scenario>> {
    let paper = paper();
    let authors = Scenario {
        title: "The paper's 25 devices, FFN as in the authors' simulator".into(),
        demands: Demands {
            operations: Operations::Ffn08,
            ..TABLE_1
        },
        ..paper.clone()
    };
    let bursty = Scenario {
        title: "The paper's 25 devices, load that comes and stays".into(),
        background: Background::Bursty(Bursty::default()),
        ..paper.clone()
    };
    let (devices, links) = drawn(4, 1);
    let small = Scenario {
        title: "Four devices, 4 tokens".into(),
        new_tokens: 4.0,
        devices,
        links,
        ..paper.clone()
    };
    let flat = Scenario {
        title: "Three machines in a flat, 256 tokens".into(),
        model: model("32 heads, width 4096, fp16", 32.0, 4096.0, 2.0),
        prompt_tokens: 512.0,
        new_tokens: 256.0,
        demands: PHYSICAL,
        devices: vec![
            device("Laptop", 400.0, 8.0),
            device("Desktop", 2000.0, 16.0),
            device("Old phone", 60.0, 2.0),
        ],
        links: Links {
            gbit_s: 0.3,
            own: vec![OwnRate {
                from: 0,
                to: 1,
                gbit_s: 1.0,
            }],
        },
        ..paper.clone()
    };
    let named = |name, about, scenario| Preset {
        name,
        about,
        scenario,
    };
    vec![
        named(
            "heads-physical",
            "25 devices drawn from the ranges of the paper, section V; real cache sizes, and the operations of a step that uses its \
             cache",
            physical(),
        ),
        named(
            "heads-paper",
            "the same devices; demands by the paper\u{2019}s Table I, which counts every step as a pass over all tokens",
            paper,
        ),
        named(
            "heads-ffn08",
            "0.8 L D² operations for the FFN, as in the simulator published by the authors",
            authors,
        ),
        named(
            "heads-bursty",
            "background load that comes, stays for about twenty tokens and goes",
            bursty,
        ),
        named(
            "heads-small",
            "four devices and 4 tokens, one size of the paper\u{2019}s small comparison",
            small,
        ),
        named(
            "heads-flat",
            "one layer of a model with 7 billion parameters; invented but typical speeds",
            flat,
        ),
    ]
}

/// The preset with this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset<Scenario>> {
    Preset::named(all(), name)
}

/// The paper's devices with physical demands: what the question opens with.
#[must_use]
pub fn physical() -> Scenario {
    Scenario {
        title: "The paper's 25 devices, physical demands".into(),
        demands: PHYSICAL,
        ..paper()
    }
}

/// The scenario of the paper's comparison with 25 devices.
#[must_use]
pub fn paper() -> Scenario {
    let (devices, links) = drawn(25, 1);
    Scenario {
        format: FORMAT,
        question: Question::HeadPlacement,
        title: "The paper's 25 devices, draw 1".into(),
        model: model("32 heads, width 2048, fp32", 32.0, 2048.0, 4.0),
        prompt_tokens: 64.0,
        new_tokens: 1000.0,
        interval_tokens: 1.0,
        demands: TABLE_1,
        controller: 0,
        devices,
        links,
        background: Background::default(),
        recorded: None,
        ahead: 1.0,
        draws: Draws {
            seeds: 5.0,
            first_seed: 1.0,
            networks: false,
        },
    }
}

/// Layers to choose from.
#[must_use]
pub fn models() -> Vec<HeadModel> {
    vec![
        model("32 heads, width 2048, fp32", 32.0, 2048.0, 4.0),
        model("32 heads, width 4096, fp16", 32.0, 4096.0, 2.0),
        model("40 heads, width 5120, fp16", 40.0, 5120.0, 2.0),
        model("12 heads, width 768, fp32", 12.0, 768.0, 4.0),
        model("25 heads, width 1600, fp16", 25.0, 1600.0, 2.0),
    ]
}

fn model(name: &str, heads: f64, width: f64, value_bytes: f64) -> HeadModel {
    HeadModel {
        name: name.into(),
        heads,
        width,
        value_bytes,
        ..HeadModel::default()
    }
}

fn device(name: &str, compute_gops: f64, memory_gb: f64) -> HeadDevice {
    HeadDevice {
        name: name.into(),
        off: false,
        compute_gops,
        memory_gb,
    }
}
