//! Transformer models as a planner sees them: what one block computes, sends on and weighs.
//!
//! Source: CSGO, equations (1)-(7), restated for any number of bytes a value. Only the transformer blocks
//! are planned; embedding, output head, norms, biases and the KV cache stay outside the model.

pub mod catalog;
pub mod cost;
pub mod ggml;
mod mixture;
pub mod precision;

use crate::units::{Bytes, Flops};

/// One unit of work that cannot be cut further: a transformer block, or any layer of a given table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layer {
    /// Arithmetic of one forward pass. `W` in the paper.
    pub work: Flops,
    /// Size of the output that the next layer needs. `A` in the paper.
    pub activation: Bytes,
    /// Size of the parameters. `P` in the paper.
    pub weights: Bytes,
    /// Memory for as long as the layer is loaded: parameters, and keys and values if answers are planned as well. At least
    /// `weights`, which is all that is loaded.
    pub resident: Bytes,
}

/// The dimensions of a decoder-only transformer with identical blocks (gated feed-forward, three matrices).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transformer {
    /// Number of blocks, L.
    pub n_layers: u32,
    /// Hidden size, d.
    pub d_model: f64,
    /// Query heads, h_q.
    pub h_q: f64,
    /// Key/value heads, h_k.
    pub h_k: f64,
    /// Width of one head, d_h. Not always `d_model / h_q`: Qwen3-4B and Qwen3-32B differ.
    pub d_head: f64,
    /// Feed-forward width, f.
    pub d_ff: f64,
}

/// Bytes of one bf16 value; the factor is folded into the paper's equations (4)-(7).
const BYTES_PER_VALUE: f64 = 2.0;

impl Transformer {
    /// Returns the work of one block for one more token that attends to `context` tokens, itself included [FLOP]: equations (1)
    /// to (3) with one query token.
    #[must_use]
    pub fn block_of_token(&self, context: f64) -> f64 {
        let Self {
            d_model: d,
            h_q,
            h_k,
            d_head: dh,
            d_ff: f,
            ..
        } = *self;
        4.0 * dh * (d * h_q + d * h_k) + 4.0 * context * dh * h_q + 6.0 * d * f
    }

    /// Keys and values of one token in one block [B].
    #[must_use]
    pub fn kv_of_token(&self) -> f64 {
        BYTES_PER_VALUE * 2.0 * self.h_k * self.d_head
    }

    /// Returns the cost of one block for a prompt of `tokens` tokens, as bare numbers (W [FLOP], A [B], P [B]).
    ///
    /// One multiply-add is two FLOP; attention scores are counted in full, without causal halving.
    #[must_use]
    pub fn block(&self, tokens: f64) -> (f64, f64, f64) {
        let Self {
            d_model: d,
            h_q,
            h_k,
            d_head: dh,
            d_ff: f,
            ..
        } = *self;
        let attention = 4.0 * tokens * dh * (d * h_q + d * h_k + tokens * h_q); // (1)
        let feed_forward = 6.0 * tokens * d * f; // (2)
        let activation = BYTES_PER_VALUE * tokens * d; // (4)
        let attention_weights = BYTES_PER_VALUE * 2.0 * d * dh * (h_q + h_k); // (5)
        let feed_forward_weights = BYTES_PER_VALUE * 3.0 * d * f; // (6)
        (
            attention + feed_forward,
            activation,
            attention_weights + feed_forward_weights,
        )
    }
}
