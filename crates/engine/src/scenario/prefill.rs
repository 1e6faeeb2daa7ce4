//! The rate at which a machine computes a prompt: by its utilisation curve, or by terms that a runtime was measured to have.
//!
//! CSGO's curve, equations (8) and (9), depends on the prompt alone. A runtime computes a prompt in batches; each reads the
//! weights and spends a fixed time on every layer, so that small models reach less of a fast chip than large ones, and
//! attention is slower than what multiplies weights. With these terms the rate is that of the whole model, so that a layer's
//! share of the time is its share of the work, as the method has it.

use super::{Device, Model};
use crate::hardware::calibration::{BATCH_TOKENS, PREFILL_READ_SHARE};

/// Rate of a whole model on a device at a prompt of `tokens` tokens [FLOP/s], in FLOP as the problem counts them; `None` where
/// the device has no rate for prompts, so that its utilisation curve holds.
///
/// Seconds = work without attention / rate + work of attention / its rate
///         + batches × (weights / (0.8 × memory rate) + layers × time per layer).
///
/// # Complexity
/// O(layers).
pub(super) fn prompt_rate(model: &Model, device: &Device, tokens: f64) -> Option<f64> {
    let rate = 1e12 * device.prefill_tflops?;
    let attention_rate = 1e12 * device.attention_tflops.unwrap_or(device.prefill_tflops?);
    let parts = PromptWork::of(model, tokens);
    let batches = libm::ceil(tokens / BATCH_TOKENS);
    let memory_rate = device.bandwidth_gb_s.map(|rate| 1e9 * rate);
    let read = memory_rate.map_or(0.0, |rate| parts.read / (PREFILL_READ_SHARE * rate));
    let launches = parts.layers * 1e-6 * device.batch_us.unwrap_or(0.0);
    let seconds =
        parts.linear / rate + parts.attention / attention_rate + batches * (read + launches);
    Some(parts.counted / seconds)
}

/// Work of a whole model on a prompt.
struct PromptWork {
    layers: f64,
    /// Work as the problem counts it, with attention to every pair of tokens [FLOP].
    counted: f64,
    /// Work without attention [FLOP].
    linear: f64,
    /// Work of attention in whole batches: each token with those before its batch and all of its own [FLOP].
    attention: f64,
    /// Weights that a batch reads [B].
    read: f64,
}

impl PromptWork {
    fn of(model: &Model, tokens: f64) -> Self {
        let batch = tokens.min(BATCH_TOKENS);
        let seen = |window: Option<f64>| {
            let mean = 0.5 * (tokens + batch);
            window.map_or(mean, |window| mean.min(window))
        };
        let layers = model.layers_at(tokens);
        let mut sum = Self {
            layers: layers.len() as f64,
            counted: layers.iter().map(|layer| layer.work).sum(),
            linear: 0.0,
            attention: 0.0,
            read: 0.0,
        };
        match model {
            Model::Dimensions(dims) => {
                let block = dims.transformer();
                let linear = block.block_of_token(0.0);
                sum.linear = sum.layers * tokens * linear;
                let pair = block.block_of_token(1.0) - linear;
                sum.attention = sum.layers * tokens * pair * seen(None);
                sum.read = layers.iter().map(|layer| layer.weights).sum();
            }
            Model::Blocks(model) => {
                for run in &model.blocks {
                    sum.linear += run.repeat * tokens * run.token_flop;
                    sum.attention += run.repeat * tokens * run.pair_flop * seen(run.window);
                    sum.read += run.repeat * run.weights_read(batch);
                }
            }
            // A table does not say which work is attention.
            Model::Table(_) => {
                sum.linear = sum.counted;
                sum.read = layers.iter().map(|layer| layer.weights).sum();
            }
        }
        sum
    }
}
