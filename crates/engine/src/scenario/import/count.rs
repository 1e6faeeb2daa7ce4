//! Counts that follow from the facts: parameters and bytes of every block, work, cache.

use crate::scenario::{BlockModel, BlockRun};
use serde::Serialize;

#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Experts of a block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct BlockExperts {
    /// How many there are.
    pub count: u64,
    /// How many of them a token uses.
    pub used: u64,
    /// Bytes of one of them.
    pub bytes_each: f64,
}

/// Attention heads of a block, where all are equal and keep their own keys and values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct HeadCount {
    /// Query heads.
    pub h_q: u64,
    /// Heads of keys and values.
    pub h_k: u64,
    /// Width of a head.
    pub d_head: u64,
    /// Bytes of the projections to heads and behind them.
    pub bytes: f64,
}

/// One block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct BlockCount {
    /// How many such blocks follow one another.
    pub repeat: usize,
    /// Parameters, all experts included.
    pub parameters: u64,
    /// Parameters that one token is multiplied with.
    pub active: u64,
    /// Bytes of all parameters.
    pub weight_bytes: f64,
    /// Arithmetic of attention on one pair of tokens [FLOP].
    pub pair_flop: f64,
    /// Keys and values of one token at 16 bits [B].
    pub kv_token_bytes: f64,
    /// State of one sequence, which does not grow [B]; left out where there is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub state_bytes: f64,
    /// The most tokens that are attended to and kept, if limited.
    pub window: Option<u64>,
    /// Its experts; left out of a dense block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experts: Option<BlockExperts>,
    /// Its heads; left out where they are not equal, or share a latent vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<HeadCount>,
}

/// One end of a model: what is before the first block, or behind the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct EndCount {
    /// Parameters.
    pub parameters: u64,
    /// Their bytes.
    pub bytes: f64,
}

/// Both ends of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Ends {
    /// Embedding and positions.
    pub embedding: EndCount,
    /// Output head and the last norm.
    pub head: EndCount,
    /// The matrix that is embedding and head, which counts once in the whole; nothing where they are two.
    pub shared: EndCount,
}

/// The whole model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Counts {
    /// Parameters, a matrix that is embedding and head once.
    pub parameters: u64,
    /// Parameters outside the blocks: embedding, output head, positions, the last norm.
    pub outside: u64,
    /// Bytes of what is outside the blocks.
    pub outside_bytes: f64,
    /// Embedding and positions, on the machine of the first block.
    pub embedding: EndCount,
    /// Output head and the last norm, on the machine of the last block. A matrix that is embedding and head is part of both.
    pub head: EndCount,
    /// Bytes of the blocks.
    pub block_bytes: f64,
    /// Keys and values of one token in all blocks at 16 bits [B]; blocks with a window stop growing at it.
    pub kv_token_bytes: f64,
    /// States of one sequence in all blocks, which do not grow [B]; left out where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub state_bytes: f64,
    /// Runs of equal blocks in order.
    pub blocks: Vec<BlockCount>,
}

impl Counts {
    /// Joins equal neighbours and adds everything up.
    pub(super) fn new(each: &[BlockCount], ends: &Ends) -> Self {
        let once = ends.shared;
        let outside = ends
            .embedding
            .parameters
            .saturating_add(ends.head.parameters);
        let outside = outside.saturating_sub(once.parameters);
        let mut blocks: Vec<BlockCount> = Vec::new();
        for block in each {
            match blocks.last_mut() {
                Some(last)
                    if *block
                        == (BlockCount {
                            repeat: block.repeat,
                            ..*last
                        }) =>
                {
                    last.repeat += block.repeat;
                }
                _ => blocks.push(*block),
            }
        }
        let sum = |of: fn(&BlockCount) -> f64| -> f64 {
            blocks.iter().map(|b| b.repeat as f64 * of(b)).sum()
        };
        let inside = blocks.iter().fold(0_u64, |all, b| {
            all.saturating_add(b.parameters.saturating_mul(b.repeat as u64))
        });
        Self {
            parameters: inside.saturating_add(outside),
            outside,
            outside_bytes: ends.embedding.bytes + ends.head.bytes - once.bytes,
            embedding: ends.embedding,
            head: ends.head,
            block_bytes: sum(|b| b.weight_bytes),
            kv_token_bytes: sum(|b| b.kv_token_bytes),
            state_bytes: sum(|b| b.state_bytes),
            blocks,
        }
    }

    /// Parameters that one token is multiplied with, those outside the blocks included.
    #[must_use]
    pub fn active(&self) -> u64 {
        self.blocks.iter().fold(self.outside, |all, b| {
            all.saturating_add(b.active.saturating_mul(b.repeat as u64))
        })
    }

    /// The model for the planner. Work is two operations for each active parameter of a matrix; `value_bytes` is the
    /// width of an activation.
    pub(super) fn model(&self, name: String, d_model: f64, value_bytes: f64) -> BlockModel {
        let run = |b: &BlockCount| BlockRun {
            repeat: b.repeat as f64,
            weight_bytes: b.weight_bytes,
            token_flop: 2.0 * b.active as f64,
            pair_flop: b.pair_flop,
            window: b.window.map(|window| window as f64),
            kv_bytes: Some(b.kv_token_bytes),
            experts: b.experts.map(|experts| experts.count as f64),
            experts_used: b.experts.map(|experts| experts.used as f64),
            expert_bytes: b.experts.map(|experts| experts.bytes_each),
            h_q: b.heads.map(|heads| heads.h_q as f64),
            h_k: b.heads.map(|heads| heads.h_k as f64),
            d_head: b.heads.map(|heads| heads.d_head as f64),
            attention_bytes: b.heads.map(|heads| heads.bytes),
        };
        BlockModel {
            name,
            token_bytes: value_bytes * d_model,
            blocks: self.blocks.iter().map(run).collect(),
        }
    }
}
