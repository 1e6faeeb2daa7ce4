//! Time of a prompt on a machine whose runtime was measured.
//!
//! A runtime computes a prompt in batches; each reads the weights and spends a fixed time on every layer, so that small models reach
//! less of a fast chip than large ones, and attention is slower than what multiplies weights.

use super::calibration::{BATCH_TOKENS, PREFILL_READ_SHARE};
use crate::model::cost::BlockCost;

/// Bytes of a weight above which it is of 16 bits.
const WIDE: f64 = 1.5;

/// Rates and fixed times of a runtime on prompts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptMachine {
    /// Rate of what multiplies quantised weights, which are multiplied in int8 [FLOP/s].
    pub rate: f64,
    /// The most that weights of 16 bits reach [FLOP/s].
    pub wide_rate: f64,
    /// Rate of attention; `None` for that of the rest [FLOP/s].
    pub attention_rate: Option<f64>,
    /// Memory rate; `None` where it is not known, and no time is counted for reading [B/s].
    pub memory_rate: Option<f64>,
    /// Fixed time of each layer and batch [s].
    pub batch: f64,
}

/// Work of some layers on a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PromptWork {
    /// Layers.
    pub layers: f64,
    /// Work without attention [FLOP].
    pub linear: f64,
    /// Work of attention in whole batches [FLOP].
    pub attention: f64,
    /// Weights that a batch reads [B].
    pub read: f64,
    /// Weights that a single token is multiplied with [B].
    pub read_of_token: f64,
}

impl PromptWork {
    /// The work of these layers and of `count` more on a prompt of `tokens` tokens.
    #[must_use]
    pub fn with(self, count: f64, block: &BlockCost, tokens: f64) -> Self {
        let attended = mean_attended(tokens, block.window);
        Self {
            layers: self.layers + count,
            linear: self.linear + count * tokens * block.token_flop,
            attention: self.attention + count * tokens * block.pair_flop * attended,
            read: self.read + count * block.weights_read(tokens.min(BATCH_TOKENS)),
            read_of_token: self.read_of_token + count * block.weights_read(1.0),
        }
    }
}

impl PromptMachine {
    /// Time of a prompt of `tokens` tokens [s]:
    /// work without attention / rate + work of attention / its rate
    /// + batches × (weights / (0.8 × memory rate) + layers × time per layer).
    #[must_use]
    pub fn seconds(&self, work: &PromptWork, tokens: f64) -> f64 {
        // A weight is two FLOP of a token.
        let bytes_of_weight = 2.0 * work.read_of_token * tokens / work.linear;
        let rate = match bytes_of_weight > WIDE {
            true => self.rate.min(self.wide_rate),
            false => self.rate,
        };
        let attention_rate = self.attention_rate.unwrap_or(rate);
        let batches = libm::ceil(tokens / BATCH_TOKENS);
        let read = |rate: f64| work.read / (PREFILL_READ_SHARE * rate);
        let read = self.memory_rate.map_or(0.0, read);
        work.linear / rate
            + work.attention / attention_rate
            + batches * (read + work.layers * self.batch)
    }
}

/// Tokens that a token of a prompt attends to, on average: those before its batch and all of its own, at most a window.
fn mean_attended(tokens: f64, window: Option<f64>) -> f64 {
    let mean = 0.5 * (tokens + tokens.min(BATCH_TOKENS));
    window.map_or(mean, |window| mean.min(window))
}
