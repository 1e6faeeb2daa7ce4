//! A model as a file has it, block by block: what each weighs, and what it computes for a prompt of any length.
//!
//! Dimensions describe a dense transformer of equal blocks in 16 bits. A quantised file, a mixture of experts, a latent
//! cache or a sliding window is none, so its blocks are written down as they are: true bytes, and work that follows the
//! prompt as the equations of [`crate::model::Transformer`] do.

use super::fields::{self, NumberFields, numbers};
use crate::model::cost::{BlockCost, Experts};
use crate::problem::{Code, Invalid, LayerNumbers};
use serde::{Deserialize, Serialize};

/// A model by its blocks; runs of equal blocks stand once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlockModel {
    /// Its name.
    pub name: String,
    /// Bytes that one token sends from a block to the next [B].
    pub token_bytes: f64,
    /// The blocks in order.
    pub blocks: Vec<BlockRun>,
}

/// Equal blocks behind one another.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlockRun {
    /// How many.
    pub repeat: f64,
    /// All that one of them keeps in memory [B].
    pub weight_bytes: f64,
    /// Arithmetic on one token without attention scores [FLOP].
    pub token_flop: f64,
    /// Arithmetic of attention on one pair of tokens [FLOP]; every pair counts, without causal halving.
    pub pair_flop: f64,
    /// How many tokens a token attends to at most, or `null` for all.
    pub window: Option<f64>,
    /// Keys and values of one token in one of them [B]; left out where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_bytes: Option<f64>,
    /// Experts of one of them; left out of a dense block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experts: Option<f64>,
    /// How many of the experts a token uses; of a mixture of experts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experts_used: Option<f64>,
    /// Weights of one expert [B]; of a mixture of experts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expert_bytes: Option<f64>,
    /// Query heads; left out where heads are not equal, or keep no keys and values of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h_q: Option<f64>,
    /// Heads of keys and values, a divisor of the query heads; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h_k: Option<f64>,
    /// Width of a head; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d_head: Option<f64>,
    /// Weights of the projections to heads and behind them [B]; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_bytes: Option<f64>,
}

numbers!(BlockModel: token_bytes);
numbers!(BlockRun: repeat, weight_bytes, token_flop, pair_flop, [window], [kv_bytes], [experts], [experts_used], [expert_bytes], [h_q], [h_k], [d_head], [attention_bytes]);

/// Attention heads of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockHeads {
    /// Query heads.
    pub h_q: f64,
    /// Heads of keys and values.
    pub h_k: f64,
    /// Width of a head.
    pub d_head: f64,
    /// Weights of the projections to heads and behind them [B].
    pub bytes: f64,
}

impl BlockRun {
    /// Its heads, where they are known.
    #[must_use]
    pub fn heads(&self) -> Option<BlockHeads> {
        Some(BlockHeads {
            h_q: self.h_q?,
            h_k: self.h_k?,
            d_head: self.d_head?,
            bytes: self.attention_bytes?,
        })
    }

    /// Work of one block on a prompt of `tokens` tokens [FLOP].
    #[must_use]
    pub fn work(&self, tokens: f64) -> f64 {
        tokens * self.cost().decode(self.cost().kept(tokens))
    }

    /// Bytes and arithmetic of one of them. Where keys and values are unknown they count as none: the questions that need them ask first.
    #[must_use]
    pub fn cost(&self) -> BlockCost {
        let experts = self.experts.zip(self.experts_used).zip(self.expert_bytes);
        BlockCost {
            weights: self.weight_bytes,
            experts: experts.map(|((count, used), bytes)| Experts { count, used, bytes }),
            token_flop: self.token_flop,
            pair_flop: self.pair_flop,
            window: self.window,
            cache: self.kv_bytes.unwrap_or(0.0),
        }
    }

    /// Checks every number; `owner` is where the run stands.
    ///
    /// # Errors
    /// The first field out of range, or missing beside others.
    pub(super) fn validate(&self, owner: &str) -> Result<(), Invalid> {
        self.check_numbers(owner)?;
        self.check_experts(owner)?;
        self.check_heads(owner)
    }

    /// Checks what is said of experts; `owner` is the run.
    fn check_experts(&self, owner: &str) -> Result<(), Invalid> {
        let parts = [
            ("experts", self.experts),
            ("experts_used", self.experts_used),
            ("expert_bytes", self.expert_bytes),
        ];
        let needs = "a mixture of experts has experts, experts_used and expert_bytes";
        check_all_or_none(owner, &parts, needs)?;
        let (Some(experts), Some(used), Some(bytes)) = (parts[0].1, parts[1].1, parts[2].1) else {
            return Ok(());
        };
        if used > experts {
            let allowed = format!("at most experts, {experts}");
            let path = format!("{owner}.experts_used");
            return Err(Invalid::range(path, used, &allowed));
        }
        let most = self.weight_bytes / experts;
        if bytes > most * (1.0 + 1e-9) {
            let allowed = format!("at most weight_bytes / experts, {most}");
            let path = format!("{owner}.expert_bytes");
            return Err(Invalid::range(path, bytes, &allowed));
        }
        Ok(())
    }

    /// Checks what is said of heads; `owner` is the run.
    fn check_heads(&self, owner: &str) -> Result<(), Invalid> {
        let parts = [
            ("h_q", self.h_q),
            ("h_k", self.h_k),
            ("d_head", self.d_head),
            ("attention_bytes", self.attention_bytes),
        ];
        let needs = "heads of a block are known by h_q, h_k, d_head and attention_bytes";
        check_all_or_none(owner, &parts, needs)?;
        let Some(heads) = self.heads() else {
            return Ok(());
        };
        if libm::fmod(heads.h_q, heads.h_k) != 0.0 {
            let allowed = format!("a divisor of h_q, {}", heads.h_q);
            return Err(Invalid::range(format!("{owner}.h_k"), heads.h_k, &allowed));
        }
        if heads.bytes > self.weight_bytes {
            let allowed = format!("at most weight_bytes, {}", self.weight_bytes);
            let path = format!("{owner}.attention_bytes");
            return Err(Invalid::range(path, heads.bytes, &allowed));
        }
        Ok(())
    }
}

/// Checks that numbers of an object which belong together are all there, or none of them.
///
/// # Errors
/// The first that is missing beside another one; `needs` says what belongs together.
pub(super) fn check_all_or_none(
    owner: &str,
    parts: &[(&str, Option<f64>)],
    needs: &str,
) -> Result<(), Invalid> {
    let is_given = parts.iter().any(|(_, value)| value.is_some());
    let missing = parts.iter().find(|(_, value)| value.is_none());
    match missing {
        Some((key, _)) if is_given => {
            let path = format!("{owner}.{key}");
            let message = format!("{path} is missing: {needs}");
            let null = serde_json::Value::Null;
            Err(Invalid::new(Code::Missing, path, null, message))
        }
        _ => Ok(()),
    }
}

/// True if any of these blocks have experts.
pub(super) fn has_experts(blocks: &[BlockRun]) -> bool {
    blocks.iter().any(|run| run.experts.is_some())
}

impl BlockModel {
    /// True if any of its blocks have experts.
    #[must_use]
    pub fn has_experts(&self) -> bool {
        has_experts(&self.blocks)
    }

    /// How many blocks it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.blocks.iter().map(|run| run.repeat as usize).sum()
    }

    /// Bytes of all blocks.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        let runs = self.blocks.iter();
        runs.map(|run| run.repeat * run.weight_bytes).sum()
    }

    /// Every block at a prompt of `tokens` tokens, in order.
    ///
    /// # Complexity
    /// O(blocks).
    #[must_use]
    pub fn layers_at(&self, tokens: f64) -> Vec<LayerNumbers> {
        let of_run = |run: &BlockRun| {
            let block = LayerNumbers {
                work: run.work(tokens),
                activation: tokens * self.token_bytes,
                weights: run.weight_bytes,
            };
            vec![block; run.repeat as usize]
        };
        self.blocks.iter().flat_map(of_run).collect()
    }

    /// Checks every number against the ranges of the page; `owner` is where the model stands.
    ///
    /// # Errors
    /// The first field out of range, as `model.blocks[3].weight_bytes`.
    pub(super) fn validate(&self, owner: &str) -> Result<(), Invalid> {
        self.check_numbers(owner)?;
        let most = fields::MOST_LAYERS;
        let place = |path: &str| match owner {
            "" => path.to_owned(),
            owner => format!("{owner}.{path}"),
        };
        if self.blocks.is_empty() || self.blocks.len() > most {
            let (count, path) = (self.blocks.len(), place("blocks"));
            let message = format!("{path} must be a list of 1 to {most} runs, it has {count}");
            return Err(Invalid::new(Code::Range, path, count, message));
        }
        for (at, run) in self.blocks.iter().enumerate() {
            let owner = place(&format!("blocks[{at}]"));
            run.validate(&owner)?;
        }
        let count = self.count();
        if count > most {
            let path = place("blocks");
            let message = format!("{path} must have 1 to {most} blocks in total, it has {count}");
            return Err(Invalid::new(Code::Range, path, count, message));
        }
        Ok(())
    }
}
