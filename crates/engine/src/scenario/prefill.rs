//! The rate at which a machine computes a prompt: by its utilisation curve, or by terms that a runtime was measured to have.
//!
//! CSGO's curve, equations (8) and (9), depends on the prompt alone. A runtime computes a prompt in batches; each reads the
//! weights and spends a fixed time on every layer, so that small models reach less of a fast chip than large ones, and
//! attention is slower than what multiplies weights. With these terms the rate is that of the whole model, so that a layer's
//! share of the time is its share of the work, as the method has it.

use super::{Device, Model};
use crate::hardware::DeviceHardware;
use crate::hardware::calibration::{BATCH_TOKENS, PREFILL_READ_SHARE};

/// Bytes of a weight above which it is of 16 bits.
const WIDE: f64 = 1.5;

/// Rate of a whole model on a device at a prompt of `tokens` tokens [FLOP/s], in FLOP as the problem counts them; `None` where
/// the device has no rate for prompts, so that its utilisation curve holds.
///
/// Seconds = work without attention / rate + work of attention / its rate
///         + batches × (weights / (0.8 × memory rate) + layers × time per layer).
/// Rates for prompts are those of quantised weights, which are multiplied in int8. Weights of 16 bits reach at most what the
/// curve approaches.
///
/// # Complexity
/// O(layers).
pub(super) fn prompt_rate(model: &Model, device: &Device, tokens: f64) -> Option<f64> {
    let own = 1e12 * device.prefill_tflops?;
    let parts = PromptWork::of(model, tokens);
    let rate = match parts.bytes_of_weight > WIDE {
        true => own.min(DeviceHardware::from(device).most_flops()),
        false => own,
    };
    let attention_rate = device.attention_tflops.map_or(rate, |tflops| 1e12 * tflops);
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
    /// Mean size of a weight that a token is multiplied with [B].
    bytes_of_weight: f64,
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
            bytes_of_weight: 0.0,
        };
        let mut of_token = 0.0;
        match model {
            Model::Dimensions(dims) => {
                let block = dims.transformer();
                let linear = block.block_of_token(0.0);
                sum.linear = sum.layers * tokens * linear;
                let pair = block.block_of_token(1.0) - linear;
                sum.attention = sum.layers * tokens * pair * seen(None);
                sum.read = layers.iter().map(|layer| layer.weights).sum();
                of_token = sum.read;
            }
            Model::Blocks(model) => {
                for run in &model.blocks {
                    sum.linear += run.repeat * tokens * run.token_flop;
                    sum.attention += run.repeat * tokens * run.pair_flop * seen(run.window);
                    sum.read += run.repeat * run.weights_read(batch);
                    of_token += run.repeat * run.weights_read(1.0);
                }
            }
            // A table does not say which work is attention.
            Model::Table(_) => {
                sum.linear = sum.counted;
                sum.read = layers.iter().map(|layer| layer.weights).sum();
                of_token = sum.read;
            }
        }
        // A weight is two FLOP of a token.
        sum.bytes_of_weight = 2.0 * of_token * tokens / sum.linear;
        sum
    }
}
