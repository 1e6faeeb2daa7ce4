//! From a scenario to numbers: the model's costs, the times of stages and links, the partition problem of any order of
//! its tiers, and the run of its requests.

use super::{Goal, Link, Mode, Scenario, Tier, TierModel};
use crate::hardware::calibration::PredictedMachine;
use crate::problem::tier_costs::{
    self, Abstraction, BLOCKS_ONLY, FULL_MODEL, Passes, RuntimeTerms, TierCosts, TierLink,
    TierNode, TierProfile, TierRequest,
};
use crate::problem::{Invalid, TierDecoder, TierPartition};
use serde::{Deserialize, Serialize};

/// Blocks on one tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Placed {
    /// The tier, as the scenario lists it, from 0.
    pub tier: usize,
    /// How many blocks it holds.
    pub blocks: usize,
}

impl Tier {
    /// Its terms of tokens, to find the calibration that they are from.
    #[must_use]
    pub fn predicted(&self) -> PredictedMachine<'_> {
        PredictedMachine {
            name: &self.name,
            memory_share: self.memory_share,
            layer_us: self.layer_us,
            host_factor: self.host_factor,
        }
    }

    /// A node as the costs take it.
    #[must_use]
    pub const fn node(&self) -> TierNode {
        TierNode {
            tops: self.tops,
            bandwidth_gb_s: self.bandwidth_gb_s,
            usable_gb: self.usable_gb,
            terms: RuntimeTerms {
                prefill_tflops: self.prefill_tflops,
                attention_tflops: self.attention_tflops,
                batch_us: self.batch_us,
                memory_share: self.memory_share,
                decode_tflops: self.decode_tflops,
                layer_us: self.layer_us,
                token_ms: self.token_ms,
            },
        }
    }
}

impl Scenario {
    /// The model with its costs.
    #[must_use]
    pub fn decoder(&self) -> TierDecoder {
        let cache = self.cost.cache.unwrap_or_default();
        self.model.decoder(self.cost.weights, cache)
    }

    /// The name of the model, with how it is stored where that is not 16 bits; the blocks of a file have bytes of their own.
    #[must_use]
    pub fn shown_model(&self) -> String {
        match &self.model {
            TierModel::Dense(dims) => self.cost.stored().of_model(&dims.name),
            TierModel::Blocks(blocks) => blocks.name.clone(),
        }
    }

    /// How many blocks the model has.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.model.blocks()
    }

    /// Returns the cost model of a pass.
    #[must_use]
    pub fn profile(&self) -> TierProfile {
        let cost = &self.cost;
        TierProfile {
            name: "",
            mode: match cost.mode {
                Mode::Flops => tier_costs::CostMode::Flops {
                    efficiency: cost.eta_f,
                },
                Mode::Roofline => tier_costs::CostMode::Roofline {
                    compute: cost.eta_c,
                    memory: cost.eta_b,
                },
                Mode::Runtime => tier_costs::CostMode::Runtime {
                    compute: cost.eta_c,
                    context: cost.context_tokens.unwrap_or(0.0),
                },
            },
            precision: cost.weights,
            cache: cost.cache.unwrap_or_default(),
            overhead: cost.overhead_ms / 1e3,
            setup: cost.setup_s_per_gparam,
            about: "",
        }
    }

    /// A request.
    #[must_use]
    pub const fn request(&self) -> TierRequest {
        TierRequest {
            prompt: self.prompt_tokens,
            generated: self.out_tokens,
        }
    }

    /// Does something with the costs of a pass.
    pub fn with_costs<T>(&self, compute: impl FnOnce(&TierCosts) -> T) -> T {
        let (profile, request) = (self.profile(), self.request());
        compute(&TierCosts {
            model: self.decoder(),
            profile: &profile,
            request: &request,
        })
    }

    /// The link out of a tier.
    #[must_use]
    pub fn link_of(&self, tier: usize) -> Link {
        let own = self.tiers.get(tier).and_then(|tier| tier.link);
        own.unwrap_or(self.link)
    }

    /// Returns the times of the link out of a tier, pass by pass [s].
    #[must_use]
    pub fn hop(&self, tier: usize) -> Passes {
        let link = self.link_of(tier);
        let link = TierLink {
            rate: link.rate_mbit_s * 1e6,
            latency: link.latency_ms / 1e3,
            bytes_per_value: self.cost.wire_bytes,
        };
        link.passes(self.model.width(), &self.request())
    }

    /// How long a token takes from the last tier in use back to the first [s]; nothing where they are one.
    #[must_use]
    pub fn return_delay(&self, order: &[usize]) -> f64 {
        match order {
            [] | [_] => 0.0,
            [.., last] => self.link_of(*last).latency_ms / 1e3,
        }
    }

    /// Delay of a request before it enters the first tier [s].
    #[must_use]
    pub fn setup(&self) -> f64 {
        self.with_costs(|costs| costs.setup())
    }

    /// The partition problem over these tiers in this order, with the goal's reading of speed.
    ///
    /// # Errors
    /// A tier that does nothing in finite time.
    pub fn partition_over(&self, order: &[usize], goal: Goal) -> Result<TierPartition, Invalid> {
        let nodes: Vec<TierNode> = order.iter().map(|j| self.tiers[*j].node()).collect();
        let hops = order.split_last().map_or(&[][..], |(_, before)| before);
        let hops: Vec<Passes> = hops.iter().map(|j| self.hop(*j)).collect();
        let abstraction: Abstraction = if self.cost.blocks_only {
            BLOCKS_ONLY
        } else {
            FULL_MODEL
        };
        let problem = self.with_costs(|costs| costs.partition(&nodes, &hops, abstraction))?;
        let replicas: Vec<u32> = order.iter().map(|j| self.tiers[*j].nodes as u32).collect();
        let problem = problem.with_replicas(&replicas)?;
        Ok(match goal {
            Goal::Rate => problem.balanced_over_replicas(),
            Goal::Bottleneck | Goal::Request => problem,
        })
    }

    /// The split that the user has set: the tiers that hold blocks, in order.
    #[must_use]
    pub fn own_split(&self) -> Option<Vec<Placed>> {
        let split = self.split.as_ref()?;
        let placed = split.iter().enumerate().map(|(tier, blocks)| Placed {
            tier,
            blocks: *blocks as usize,
        });
        Some(placed.filter(|placed| placed.blocks > 0).collect())
    }
}
