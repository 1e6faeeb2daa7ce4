//! The runs behind the published figures about attention heads: which networks, which layer, which strategies. A part is
//! one network under all strategies, a fraction of a second, so that a worker can do them one by one.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! section V. The paper gives ranges and no seeds; twenty seeds stand for its one run: small networks of three, four and
//! five devices over 4 tokens, medium ones of 25 devices over 1000 tokens, 32 heads of width 64, a prompt of 64 tokens.

use super::head_placement::{Pick, Variant};
use super::heads_run::{Comparison, Ensemble, Init, ResourceSource, Strategy, one_seed};
use engine::plan::HeadRunSummary;
use engine::problem::Invalid;
use engine::problem::head_sizes::{Delay, HeadLayer, Input, LayerForm, Memory, Operations};
use engine::sim::{Background, FleetRanges};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Networks for each number of devices.
pub const SEEDS: u64 = 20;

/// How the model is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// Table I, and the computation of proj and ffn beside equation (6).
    Full,
    /// The paper's demands with a tenth of the operations of the FFN, as in the authors' simulator.
    Ffn08,
    /// Table I and equation (6) as printed: proj and ffn compute in no time.
    Eq6,
    /// Demands of a machine with a KV cache, weights included.
    Cached,
}

impl Reading {
    /// All readings.
    pub const ALL: [Self; 4] = [Self::Full, Self::Ffn08, Self::Eq6, Self::Cached];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "Table I",
            Self::Ffn08 => "Table I, a tenth of the ffn",
            Self::Eq6 => "equation (6) as printed",
            Self::Cached => "a true cache",
        }
    }

    /// The paper's layer, read so.
    #[must_use]
    pub const fn layer(self) -> LayerForm {
        let (mem, flops, delay) = match self {
            Self::Full => (Memory::Table, Operations::Table, Delay::Full),
            Self::Ffn08 => (Memory::Table, Operations::Ffn08, Delay::Full),
            Self::Eq6 => (Memory::Table, Operations::Table, Delay::Eq6),
            Self::Cached => (Memory::Physical, Operations::Cached, Delay::Full),
        };
        LayerForm {
            h: 32,
            D: 2048,
            b: 4.0,
            L0: 64,
            mem,
            flops,
            delay,
            inp: Input::Embed,
        }
    }
}

/// Which networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelSize {
    /// Three, four and five devices, 4 tokens.
    Small,
    /// 25 devices, 1000 tokens.
    Medium,
}

/// Networks and a reading: what is measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadsMeasure {
    /// How the model is read.
    pub reading: Reading,
    /// Which networks.
    pub size: ModelSize,
}

/// How networks are averaged where the paper does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Average {
    /// Mean of the ratios to the exact plan.
    MeanRatio,
    /// Median of the ratios to the exact plan.
    MedianRatio,
    /// Mean of the seconds.
    MeanSeconds,
}

impl Average {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::MeanRatio, Self::MedianRatio, Self::MeanSeconds];

    /// The name in running text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MeanRatio => "means of ratios",
            Self::MedianRatio => "medians of ratios",
            Self::MeanSeconds => "mean seconds",
        }
    }
}

/// One network of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// How many devices it has.
    pub devices: usize,
    /// Seed of the draw.
    pub seed: u64,
}

/// Algorithm 1 with moves in its score, as figures call the paper's method.
pub const RESOURCE_AWARE: Strategy = Strategy::Algorithm1 {
    variant: Variant::WithMigration,
};

impl HeadsMeasure {
    /// The strategies, the exact one first.
    #[must_use]
    pub fn strategies(self) -> Vec<Strategy> {
        let mut all = Strategy::usual();
        all.push(Strategy::Static { init: Init::Greedy });
        all
    }

    /// The networks, in the order in which they are run.
    #[must_use]
    pub fn network_runs(self) -> Vec<Part> {
        match self.size {
            ModelSize::Medium => (1..=SEEDS).map(|seed| Part { devices: 25, seed }).collect(),
            ModelSize::Small => [3, 4, 5]
                .into_iter()
                .flat_map(|devices| {
                    (1..=SEEDS).map(move |seed| Part {
                        devices,
                        seed: 1000 * devices as u64 + seed,
                    })
                })
                .collect(),
        }
    }

    /// One network under all strategies; `None` if `share`, which receives the progress, stopped it.
    ///
    /// # Errors
    /// [`Invalid`] at `devices` for a number that no network has.
    pub fn run(
        self,
        part: Part,
        share: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Vec<HeadRunSummary>>, Invalid> {
        let ensemble = Ensemble {
            layer: HeadLayer::new(self.reading.layer())?,
            source: ResourceSource::Drawn {
                devices: part.devices,
                ranges: FleetRanges::default(),
            },
            background: Background::default(),
            controller: 0,
            tokens: match self.size {
                ModelSize::Small => 4,
                ModelSize::Medium => 1000,
            },
            each: 1,
            t_tok: None,
        };
        one_seed(&ensemble, part.seed, &self.strategies(), share)
    }
}

/// Results so far, one comparison for each measure.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeadsMeasurements {
    all: Vec<(HeadsMeasure, Comparison)>,
}

impl HeadsMeasurements {
    /// Takes a network in.
    pub fn add(&mut self, measure: HeadsMeasure, part: Part, runs: Vec<HeadRunSummary>) {
        let at = self.all.iter().position(|(known, _)| *known == measure);
        let at = at.unwrap_or_else(|| {
            let fresh = Comparison::new(measure.strategies());
            self.all.push((measure, fresh));
            self.all.len() - 1
        });
        self.all[at].1.add(part.seed, runs);
    }

    /// Hands a measure over to `to` once all its networks are there, and says whether it did.
    pub fn pass_on(&mut self, measure: HeadsMeasure, to: &mut Self) -> bool {
        let is_whole = |(known, comparison): &(HeadsMeasure, Comparison)| {
            *known == measure && comparison.seeds().len() == measure.network_runs().len()
        };
        let found = self.all.iter().position(is_whole);
        if let Some(at) = found {
            to.all.push(self.all.remove(at));
        }
        found.is_some()
    }

    /// The comparison of a measure, where there is one yet.
    #[must_use]
    pub fn of(&self, reading: Reading, size: ModelSize) -> Option<&Comparison> {
        let wanted = HeadsMeasure { reading, size };
        let found = self.all.iter().find(|(known, _)| *known == wanted);
        found.map(|(_, comparison)| comparison)
    }

    /// Mean of the total seconds of a strategy.
    #[must_use]
    pub fn seconds(&self, reading: Reading, size: ModelSize, strategy: Strategy) -> Option<f64> {
        let all = self.of(reading, size)?;
        let at = place(all, strategy)?;
        all.seconds(at).map(|seconds| seconds.spread.mean)
    }

    /// Mean of the ratio of a strategy's total seconds to those of the exact one.
    #[must_use]
    pub fn ratio(&self, reading: Reading, size: ModelSize, strategy: Strategy) -> Option<f64> {
        self.average(Average::MeanRatio, reading, size, strategy)
    }

    /// An average over the networks: total seconds of a strategy, or their ratio to those of the exact one.
    #[must_use]
    pub fn average(
        &self,
        average: Average,
        reading: Reading,
        size: ModelSize,
        strategy: Strategy,
    ) -> Option<f64> {
        let all = self.of(reading, size)?;
        let at = place(all, strategy)?;
        let ratio = || all.ratio(at, place(all, Strategy::Exact)?);
        match average {
            Average::MeanRatio => ratio().map(|ratio| ratio.spread.mean),
            Average::MedianRatio => ratio().map(|ratio| ratio.median),
            Average::MeanSeconds => all.seconds(at).map(|seconds| seconds.spread.mean),
        }
    }
}

fn place(all: &Comparison, strategy: Strategy) -> Option<usize> {
    all.strategies().iter().position(|one| *one == strategy)
}

/// The strategy of a name in the paper's figures, at its best: what it stands for is for us to choose.
pub const EDGE_SHARD: [Strategy; 2] = [
    Strategy::EdgeShard { pick: Pick::Best },
    Strategy::EdgeShard { pick: Pick::First },
];
