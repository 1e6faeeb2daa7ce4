//! Tokens after the first answer: length of an answer, requests in flight, goal of the plan.
//!
//! Source: the decode phase that CSGO names as future work. A scenario without it asks the paper's question, in which only
//! the first answer counts and no cache takes any memory.

use super::fields::{NumberFields, numbers};
use super::memory::{HeadCost, known_head};
use super::{Device, Model};
use crate::hardware::DeviceHardware;
use crate::hardware::calibration::PredictedMachine;
use crate::problem::cold_decode::{
    self, DecodeNumbers, TokenLayerNumbers, TokenMachine, TokenMachineNumbers, mean_context,
};
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};

/// The decode phase of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Decode {
    /// Tokens that follow the first answer, G.
    pub answer_tokens: f64,
    /// Answers under way at once; every one of them keeps a cache.
    pub requests: f64,
    /// Latency of a hop [ms]: the round trip of the radio.
    pub hop_ms: f64,
    /// Goal of the plan.
    pub goal: Goal,
    /// The least rate that [`Goal::Throughput`] asks for [tokens/s]; `null` for the other goals.
    pub least_tok_s: Option<f64>,
}

/// Goal of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The first answer: least T.
    #[default]
    FirstAnswer,
    /// The whole answer: least T + G D.
    WholeAnswer,
    /// The first answer among plans that generate at a rate: least T, a token every 1/X seconds or sooner.
    Throughput,
}

impl Goal {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::FirstAnswer, Self::WholeAnswer, Self::Throughput];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstAnswer => "first-answer",
            Self::WholeAnswer => "whole-answer",
            Self::Throughput => "throughput",
        }
    }
}

numbers!(Decode: answer_tokens, requests, hop_ms, [least_tok_s]);

impl Decode {
    /// One answer of 200 tokens over a Wi-Fi whose round trip takes two milliseconds: what a page begins with.
    pub const USUAL: Self = Self {
        answer_tokens: 200.0,
        requests: 1.0,
        hop_ms: 2.0,
        goal: Goal::FirstAnswer,
        least_tok_s: None,
    };

    /// The decode part of the problem of this model and these devices, each with its place, at a prompt of `tokens`; `head` is
    /// the model's output head, where it is known.
    ///
    /// # Errors
    /// A device whose memory rate is not known, a model that does not say what a token costs.
    ///
    /// # Complexity
    /// O(layers + devices).
    pub(super) fn of_problem<'a>(
        &self,
        model: &Model,
        head: Option<HeadCost>,
        tokens: f64,
        devices: impl Iterator<Item = (usize, &'a Device)>,
    ) -> Result<DecodeNumbers, Invalid> {
        let layers = token_layers(model, tokens, self.answer_tokens)?;
        Ok(DecodeNumbers {
            layers,
            devices: devices
                .map(|(place, device)| token_machine(device, place, head))
                .collect::<Result<_, Invalid>>()?,
            prompt: tokens,
            answer: self.answer_tokens,
            requests: self.requests,
            hop: self.hop_ms / 1e3,
            goal: match (self.goal, self.least_tok_s) {
                (Goal::Throughput, Some(least)) => cold_decode::DecodeGoal::Throughput { least },
                (Goal::WholeAnswer, _) => cold_decode::DecodeGoal::WholeAnswer,
                _ => cold_decode::DecodeGoal::FirstAnswer,
            },
        })
    }

    /// Checks every number against the ranges of the page.
    ///
    /// # Errors
    /// The first field out of range; a rate that is missing where the goal asks for one.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        self.check_numbers("decode")?;
        match (self.goal, self.least_tok_s) {
            (Goal::Throughput, None) => {
                let message = "decode.least_tok_s is missing: the goal \"throughput\" asks for a rate in tokens per second";
                let (path, value) = ("decode.least_tok_s", serde_json::Value::Null);
                Err(Invalid::new(Code::Missing, path, value, message))
            }
            _ => Ok(()),
        }
    }
}

impl Device {
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
}

/// The rates and fixed times of a device for one token; `place` is its index in the fleet, for messages.
///
/// # Errors
/// The memory rate is not known.
fn token_machine(
    device: &Device,
    place: usize,
    head: Option<HeadCost>,
) -> Result<TokenMachineNumbers, Invalid> {
    let Some(rate) = device.bandwidth_gb_s else {
        let path = format!("devices[{place}].bandwidth_gb_s");
        let name = match device.name.trim() {
            "" => "the device",
            name => name,
        };
        let message = format!(
            "{path} is missing: what a token costs after the first answer depends on how fast {name} reads its memory"
        );
        let null = serde_json::Value::Null;
        return Err(Invalid::new(Code::Missing, path, null, message));
    };
    let bandwidth = rate * 1e9 * device.memory_share.unwrap_or(1.0);
    let compute = match device.decode_tflops {
        Some(tflops) => 1e12 * tflops,
        None => DeviceHardware::from(device).most_flops(),
    };
    let head = head.map_or(0.0, |head| {
        (head.work / compute).max(head.bytes / bandwidth)
    });
    Ok(TokenMachineNumbers {
        bandwidth,
        compute: Some(compute),
        layer_overhead: 1e-6 * device.layer_us.unwrap_or(0.0),
        token_overhead: head + 1e-3 * device.token_ms.unwrap_or(0.0),
    })
}

/// A token of a whole model on one device, at the mean context of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LayersOfToken {
    /// Work of all layers [FLOP].
    pub work: f64,
    /// Their time, as a stage has it [s].
    pub seconds: f64,
    /// Time outside the layers [s]: output head and sampling.
    pub rest: f64,
}

impl LayersOfToken {
    /// The cost of a stage with all layers.
    ///
    /// # Errors
    /// As the problem of such a scenario.
    ///
    /// # Complexity
    /// O(layers).
    pub fn of(model: &Model, device: &Device, prompt: f64, answer: f64) -> Result<Self, Invalid> {
        let numbers = token_machine(device, 0, known_head(model))?;
        let machine = TokenMachine::new(&numbers, DeviceHardware::from(device).most_flops())?;
        let tokens = token_layers(model, prompt, answer)?;
        let (mut work, mut bytes) = (0.0, 0.0);
        for (layer, token) in model.layers_at(1.0).iter().zip(&tokens) {
            work += token.work;
            bytes += token.weights_read.unwrap_or(layer.weights)
                + token.kv * mean_context(prompt, answer, token.window);
        }
        Ok(Self {
            work,
            seconds: machine.time(work, bytes, tokens.len(), false),
            rest: numbers.token_overhead,
        })
    }
}

/// Returns the work of one token in every layer of a model, at the mean context of the answer.
fn token_layers(
    model: &Model,
    prompt: f64,
    answer: f64,
) -> Result<Vec<TokenLayerNumbers>, Invalid> {
    match model {
        Model::Dimensions(dims) => {
            let transformer = dims.transformer();
            let layer = TokenLayerNumbers {
                work: transformer.block_of_token(mean_context(prompt, answer, None)),
                weights_read: None,
                kv: dims.kv_of_token(),
                window: None,
            };
            Ok(vec![layer; model.layers_count()])
        }
        Model::Blocks(blocks) => {
            let mut layers = Vec::new();
            for (at, run) in blocks.blocks.iter().enumerate() {
                let Some(kv) = run.kv_bytes else {
                    let path = format!("model.blocks[{at}].kv_bytes");
                    let message = format!(
                        "{path} is missing: an answer keeps the keys and values of every token, and these blocks do not say how large they are"
                    );
                    return Err(Invalid::new(
                        Code::Missing,
                        path,
                        serde_json::Value::Null,
                        message,
                    ));
                };
                let context = mean_context(prompt, answer, run.window);
                let cost = run.cost();
                let layer = TokenLayerNumbers {
                    work: cost.decode(context),
                    weights_read: Some(cost.weights_read(1.0)),
                    kv,
                    window: run.window,
                };
                layers.extend(std::iter::repeat_n(layer, run.repeat as usize));
            }
            Ok(layers)
        }
        Model::Table(_) => {
            let message = "decode is not available for a table of layers: its rows do not say what a token costs after the first answer";
            Err(Invalid::new(
                Code::Unknown,
                "decode",
                serde_json::Value::Null,
                message,
            ))
        }
    }
}
