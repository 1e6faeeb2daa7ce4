//! The rules by which other tools split a model, as plans of the same problem: so that one referee can score them.
//!
//! Three of them cut by shares, over all devices in the order of the fleet, as the tools do that have no plan for cold starts:
//! the same number of layers each, layers in proportion to memory, layers in proportion to compute. Shares become whole
//! layers by largest remainder, ties to the earlier device; a device whose share comes to no layer is left out. None of
//! them asks whether its stage fits: the referee says where one does not. The fourth makes the slowest stage of a steady
//! pipeline as quick as can be, exactly and within the memories: [`bottleneck`].
//!
//! They aim at fit or at throughput. A late first answer says that they aim at something else, not that they miss it.

mod bottleneck;

pub use bottleneck::BestState;

use super::baseline::{in_order, largest_remainder};
use engine::plan::{Pipeline, StageTiming};
use engine::problem::ColdStart;
use serde::{Deserialize, Serialize};

/// A rule, named by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Equal numbers of layers.
    EqualSplit,
    /// Layers in proportion to memory.
    ByMemory,
    /// Layers in proportion to compute, as effective at this prompt.
    ByCompute,
    /// The slowest stage of a steady pipeline as quick as can be.
    Bottleneck,
}

impl Rule {
    /// All rules, in the order in which they are shown.
    pub const ALL: [Self; 4] = [
        Self::EqualSplit,
        Self::ByMemory,
        Self::ByCompute,
        Self::Bottleneck,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::EqualSplit => "equal-split",
            Self::ByMemory => "by-memory",
            Self::ByCompute => "by-compute",
            Self::Bottleneck => "bottleneck",
        }
    }
}

/// Why a rule makes no plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NoRule {
    /// No device has any memory to share by.
    #[error("no device has any memory to share by")]
    NoMemory,
    /// No plan fits, so none has a slowest stage.
    #[error("no plan fits in memory, so there is no slowest stage to minimise")]
    NothingFits,
    /// The exact program would take too long.
    #[error("solved exactly for small fleets only, and this one has too many devices and layers")]
    TooLarge,
}

/// The plan of a rule.
///
/// # Errors
/// Why there is none.
///
/// # Complexity
/// O(K log K) for shares; O(K² L² 2^K) for the bottleneck, which is left out where that is more than a blink.
pub fn plan(problem: &ColdStart, rule: Rule) -> Result<Pipeline, NoRule> {
    let machines = problem.machines();
    let split = |weight: Vec<f64>| {
        let layers = problem.layers().len();
        // Divided by the largest first: a sum of large numbers may be more than a number can hold.
        let most = weight.iter().copied().fold(0.0, f64::max);
        if most <= 0.0 {
            return Err(NoRule::NoMemory);
        }
        let total: f64 = weight.iter().map(|w| w / most).sum();
        let shares: Vec<f64> = weight
            .iter()
            .map(|w| layers as f64 * (w / most) / total)
            .collect();
        let order: Vec<usize> = (0..machines.len()).collect();
        Ok(in_order(&order, &largest_remainder(layers, &shares)))
    };
    match rule {
        Rule::EqualSplit => split(vec![1.0; machines.len()]),
        Rule::ByMemory => split(machines.iter().map(|m| m.memory.get()).collect()),
        Rule::ByCompute => split(machines.iter().map(|m| m.compute.get()).collect()),
        Rule::Bottleneck => bottleneck::best(problem).map(|best| best.plan),
    }
}

/// The period of a steady pipeline [s]: one prompt after the other, all weights loaded. A device receives and then
/// computes, as in equation (18), so the slowest stage decides: max over stages of transfer and computation.
#[must_use]
pub fn period(timeline: &[StageTiming]) -> f64 {
    let stages = timeline.iter().map(|stage| stage.comm + stage.comp);
    stages.fold(0.0, f64::max)
}
