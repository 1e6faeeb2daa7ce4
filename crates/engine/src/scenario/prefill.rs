//! The rate at which a machine computes a prompt: by its utilisation curve, or by terms that a runtime was measured to have.
//!
//! CSGO's curve, equations (8) and (9), depends on the prompt alone. With the terms of a runtime the rate is that of the whole
//! model, so that a layer's share of the time is its share of the work, as the method has it.

use super::blocks::BlockRun;
use super::{Device, Model};
use crate::hardware::DeviceHardware;
use crate::hardware::prompt::{PromptMachine, PromptWork};

/// Rate of a whole model on a device at a prompt of `tokens` tokens [FLOP/s], in FLOP as the problem counts them; `None` where
/// the device has no rate for prompts, so that its utilisation curve holds.
///
/// Weights of 16 bits reach at most what the curve approaches.
///
/// # Complexity
/// O(layers).
pub(super) fn prompt_rate(model: &Model, device: &Device, tokens: f64) -> Option<f64> {
    let machine = prompt_machine(device)?;
    let layers = model.layers_at(tokens);
    let counted: f64 = layers.iter().map(|layer| layer.work).sum();
    Some(counted / machine.seconds(&work_of(model, tokens), tokens))
}

/// What a device reaches on prompts; `None` where its utilisation curve says it.
pub(super) fn prompt_machine(device: &Device) -> Option<PromptMachine> {
    Some(PromptMachine {
        rate: 1e12 * device.prefill_tflops?,
        wide_rate: DeviceHardware::from(device).most_flops(),
        attention_rate: device.attention_tflops.map(|tflops| 1e12 * tflops),
        memory_rate: device.bandwidth_gb_s.map(|rate| 1e9 * rate),
        batch: 1e-6 * device.batch_us.unwrap_or(0.0),
    })
}

/// Work of a whole model on a prompt of `tokens` tokens.
pub(super) fn work_of(model: &Model, tokens: f64) -> PromptWork {
    let none = PromptWork::default();
    match model {
        Model::Dimensions(dims) => none.with(dims.layers, &dims.block_cost(), tokens),
        Model::Blocks(model) => {
            let with = |sum: PromptWork, run: &BlockRun| sum.with(run.repeat, &run.cost(), tokens);
            model.blocks.iter().fold(none, with)
        }
        // A table does not say which work is attention.
        Model::Table(table) => {
            let weights = table.layers.iter().map(|layer| layer.P).sum();
            PromptWork {
                layers: table.layers.len() as f64,
                linear: table.layers.iter().map(|layer| layer.W).sum(),
                attention: 0.0,
                read: weights,
                read_of_token: weights,
            }
        }
    }
}
