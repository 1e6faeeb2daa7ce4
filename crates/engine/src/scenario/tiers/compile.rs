//! From a scenario to numbers: the model's costs, the times of stages and links, the partition problem of any order of
//! its tiers, and the run of its requests.

use super::{Goal, Link, Mode, Scenario, Tier};
use crate::model::Transformer;
use crate::model::cost::DecoderCost;
use crate::problem::tier_costs::{
    self, Abstraction, BLOCKS_ONLY, FULL_MODEL, Passes, TierCosts, TierLink, TierNode, TierProfile,
    TierRequest,
};
use crate::problem::{Invalid, TierPartition};
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
    /// A node as the costs take it.
    #[must_use]
    pub const fn node(&self) -> TierNode {
        TierNode {
            tops: self.tops,
            bandwidth_gb_s: self.bandwidth_gb_s,
            usable_gb: self.usable_gb,
        }
    }
}

impl Scenario {
    /// The model with its vocabulary.
    #[must_use]
    pub fn decoder(&self) -> DecoderCost {
        let m = &self.model;
        DecoderCost {
            dims: Transformer {
                n_layers: m.layers as u32, // checked to be a whole number in range
                d_model: m.d_model,
                h_q: m.h_q,
                h_k: m.h_k,
                d_head: m.d_head,
                d_ff: m.d_ff,
            },
            vocabulary: m.vocabulary,
            tied: m.tied_embeddings,
        }
    }

    /// How many blocks the model has.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.model.layers as usize
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
        let (model, profile, request) = (self.decoder(), self.profile(), self.request());
        compute(&TierCosts {
            model: &model,
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
        link.passes(&self.decoder(), &self.request())
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
