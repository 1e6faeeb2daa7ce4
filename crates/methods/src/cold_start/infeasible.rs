//! Why no plan exists: a layer that no device holds, too little memory in all, or whole layers that cannot
//! be packed in order.

use super::packing;
use engine::problem::ColdStart;
use engine::units::InOrder;
use engine::units::{bytes, tokens_a_second};
use serde::{Deserialize, Serialize};

/// The proved cause.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// One layer alone is larger than every device.
    Layer {
        /// The first such layer, from 1.
        layer: usize,
        /// Memory that it needs [B]: weights and output.
        need: f64,
        /// The largest memory there is [B].
        largest: f64,
    },
    /// All devices together hold less than the weights.
    TotalMemory {
        /// All weights [B].
        need: f64,
        /// All memory that a plan can use [B].
        have: f64,
    },
    /// There is memory enough, but whole consecutive layers do not fit into it.
    Packing {
        /// The first layer that cannot be placed, from 1, whatever the order of devices.
        first_unplaced: usize,
    },
    /// There is memory enough, and a search through all plans found none that fits.
    Search,
    /// Plans fit, but a stage of each is too slow for the throughput that is asked for.
    Rate {
        /// Required rate [token/s].
        least: f64,
        /// The most that a plan that fits lets pass [token/s]; `None` where the problem is too large to say.
        greatest: Option<f64>,
    },
    /// A plan that was asked for by name is too slow for the throughput that is asked for. Other plans may exist.
    Slow {
        /// Required rate [token/s].
        least: f64,
        /// Highest rate that it allows [token/s].
        rate: f64,
    },
    /// A baseline's own split overflows a device. Other plans may exist.
    Split {
        /// The first stage that does not fit, from 0.
        stage: usize,
        /// Its device, from 0.
        device: usize,
        /// Memory that the stage needs [B].
        need: f64,
        /// Memory of the device [B].
        have: f64,
    },
}

/// A proof that no plan exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Infeasible {
    /// The cause.
    #[serde(flatten)]
    pub cause: Cause,
    /// The most leading layers that any plan can place, where that was found.
    pub room: Option<usize>,
    /// All layers.
    pub layers: usize,
    /// Memory needed beside the weights, such as the cache [B]; absent if it does not count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kept: Option<f64>,
}

impl std::fmt::Display for Infeasible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.kept {
            Some(kept) => format!("the weights plus {} kept in memory", bytes(kept)),
            None => "the weights".to_owned(),
        };
        match self.cause {
            Cause::Layer {
                layer,
                need,
                largest,
            } => write!(
                f,
                "layer {layer} needs {} and the largest device has {}",
                bytes(need),
                bytes(largest)
            )?,
            Cause::TotalMemory { need, have } => write!(
                f,
                "{what} need {} and the devices have {} in all, {} too little",
                bytes(need),
                bytes(have),
                bytes(need - have)
            )?,
            Cause::Packing { first_unplaced } => write!(
                f,
                "there is enough memory in total, but whole layers in order do not fit: layer {first_unplaced} cannot be placed"
            )?,
            Cause::Search => write!(
                f,
                "there is enough memory in total, but no order of devices holds whole layers in order"
            )?,
            Cause::Rate { least, greatest } => {
                write!(f, "no plan that fits reaches {}", tokens_a_second(least))?;
                if let Some(greatest) = greatest {
                    write!(f, "; the most is {}", tokens_a_second(greatest))?;
                }
            }
            Cause::Slow { least, rate } => write!(
                f,
                "this plan reaches {}, and {} are required",
                tokens_a_second(rate),
                tokens_a_second(least)
            )?,
            Cause::Split {
                stage,
                device,
                need,
                have,
            } => write!(
                f,
                "this split does not fit: plan[{stage}] needs {} and devices[{device}] has {}",
                bytes(need),
                bytes(have)
            )?,
        }
        match self.room {
            Some(room) => write!(
                f,
                "; there is room for {room} of the {} layers",
                self.layers
            ),
            None => Ok(()),
        }
    }
}

impl Infeasible {
    /// A cause together with how many layers could be placed.
    pub(super) fn of(problem: &ColdStart, cause: Cause) -> Self {
        let room = match packing::pack(problem) {
            packing::PackingResult::Never { room } => Some(room),
            packing::PackingResult::Fits(_) | packing::PackingResult::Unknown => None,
        };
        Self {
            cause,
            room,
            layers: problem.layers().len(),
            kept: extra_memory(problem),
        }
    }

    /// The cause that is left when neither a single layer nor the sum is too large.
    pub(super) fn packing(problem: &ColdStart, room: usize) -> Self {
        let cause = Cause::Packing {
            first_unplaced: room + 1,
        };
        Self {
            cause,
            room: Some(room),
            layers: problem.layers().len(),
            kept: extra_memory(problem),
        }
    }
}

/// Returns the memory beside the weights [B]: cache, embedding and output head; `None` if it does not count.
pub(super) fn extra_memory(problem: &ColdStart) -> Option<f64> {
    let layers = problem.layers().iter();
    let kept: f64 = layers.map(|layer| problem.beside_weights(layer)).sum();
    (problem.decode().is_some() || kept > 0.0).then_some(kept)
}

/// Causes that need no search. O(L + K log K).
pub(super) fn obvious(problem: &ColdStart) -> Option<Cause> {
    let machines = problem.machines();
    let mut capacities: Vec<f64> = (0..machines.len()).map(|k| problem.capacity(k)).collect();
    capacities.in_order_by(|a, b| b.total_cmp(a));
    let largest = capacities[0];
    let need = |l: &engine::model::Layer| l.activation.get() + l.resident.get();
    if let Some(at) = problem.layers().iter().position(|l| need(l) > largest) {
        let memory = machines.iter().map(|m| m.memory.get()).fold(0.0, f64::max);
        return Some(Cause::Layer {
            layer: at + 1,
            need: need(&problem.layers()[at]),
            largest: memory,
        });
    }
    // A plan has at most as many stages as layers, so only that many devices count.
    let stages = problem.layers().len().min(machines.len());
    let held: f64 = problem.layers().iter().map(|l| l.resident.get()).sum();
    // Either sum may be off by its rounding; a case that close is left to the search.
    let rounding = problem.layers().len() as f64 * f64::EPSILON;
    if held > capacities[..stages].iter().sum::<f64>() * (1.0 + rounding) {
        let mut memories: Vec<f64> = machines.iter().map(|m| m.memory.get()).collect();
        memories.in_order_by(|a, b| b.total_cmp(a));
        return Some(Cause::TotalMemory {
            need: held,
            have: memories[..stages].iter().sum(),
        });
    }
    None
}
