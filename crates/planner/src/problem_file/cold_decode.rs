//! The `decode` of a cold-start problem file: `{"G","t","requests","hop_s","goal","rate"?}`, with `W_dec`, `P_dec`?, `kv`,
//! `window`? beside each layer and `beta`, `c_dec`? beside each device of bare numbers, or `beta_gb_s` beside each device
//! behind a link, where `t` is in the document itself. Devices of both may have `layer_s` and `token_s`.

use super::cold_start::{LowDevice, LowLayer};
use engine::model::Transformer;
use engine::problem::cold_decode::{
    DecodeGoal, DecodeNumbers, TokenLayerNumbers, TokenMachineNumbers, mean_context,
};
use engine::problem::{Code, Invalid};
use serde::Deserialize;
use serde_json::Value;

/// The tokens that follow the first one.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct DecodePart {
    /// Length of the answer [tokens]; 1 or above.
    G: f64,
    /// Length of the prompt, with bare numbers only [tokens]; above 0.
    t: Option<f64>,
    /// Requests under way at once; 1 or above.
    requests: f64,
    /// Latency of a transfer besides its bytes [s]; 0 or above.
    hop_s: f64,
    /// Goal: the first token, the whole answer, or the rate of many requests.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(extend("enum" = ["first-answer", "whole-answer", "throughput"]))
    )]
    goal: String,
    /// Least rate, with the goal `throughput` only [tokens/s]; above 0.
    rate: Option<f64>,
}

/// A device behind a link, as decoding needs it.
pub(super) struct DecodeDevice {
    /// Memory bandwidth [GB/s].
    pub bandwidth_gb_s: Option<f64>,
    /// Compute rate that long prompts approach [FLOP/s].
    pub compute: f64,
    /// Fixed time of each layer and token [s].
    pub layer_s: Option<f64>,
    /// Time of each token after the last layer [s].
    pub token_s: Option<f64>,
}

fn missing(path: String, why: &str) -> Invalid {
    let message = format!("{path} is missing: {why}");
    Invalid::new(Code::Missing, path, Value::Null, message)
}

impl DecodePart {
    fn goal(&self) -> Result<DecodeGoal, Invalid> {
        let goal = match (self.goal.as_str(), self.rate) {
            ("first-answer", None) => DecodeGoal::FirstAnswer,
            ("whole-answer", None) => DecodeGoal::WholeAnswer,
            ("throughput", Some(least)) => DecodeGoal::Throughput { least },
            ("throughput", None) => {
                let why = "the goal \"throughput\" asks for a rate in tokens per second";
                return Err(missing("decode.rate".into(), why));
            }
            ("first-answer" | "whole-answer", Some(rate)) => {
                let message = "decode.rate belongs to the goal \"throughput\"";
                return Err(Invalid::new(Code::Unknown, "decode.rate", rate, message));
            }
            (other, _) => {
                let names = "\"first-answer\", \"whole-answer\" or \"throughput\"";
                let message = format!("decode.goal must be {names}, it is {other:?}");
                return Err(Invalid::new(Code::Range, "decode.goal", other, message));
            }
        };
        Ok(goal)
    }

    /// With bare numbers.
    ///
    /// # Errors
    /// The first field that decoding needs and that is missing, or that cannot be.
    pub(super) fn low(
        &self,
        layers: &[LowLayer],
        devices: &[LowDevice],
    ) -> Result<DecodeNumbers, Invalid> {
        let layer = |(i, layer): (usize, &LowLayer)| {
            let needed = |value: Option<f64>, key: &str, what: &str| {
                value.ok_or_else(|| missing(format!("layers[{i}].{key}"), what))
            };
            Ok(TokenLayerNumbers {
                work: needed(layer.W_dec, "W_dec", "decode needs the work of one token")?,
                weights_read: layer.P_dec,
                kv: needed(layer.kv, "kv", "decode needs keys and values of one token")?,
                window: layer.window,
            })
        };
        let device = |(k, device): (usize, &LowDevice)| {
            let path = format!("devices[{k}].beta");
            let beta = device.beta;
            Ok(TokenMachineNumbers {
                bandwidth: beta
                    .ok_or_else(|| missing(path, "decode needs the bandwidth of the memory"))?,
                compute: device.c_dec,
                layer_overhead: device.layer_s.unwrap_or(0.0),
                token_overhead: device.token_s.unwrap_or(0.0),
            })
        };
        let why = "decode needs the length of the prompt";
        Ok(DecodeNumbers {
            layers: layers
                .iter()
                .enumerate()
                .map(layer)
                .collect::<Result<_, Invalid>>()?,
            devices: devices
                .iter()
                .enumerate()
                .map(device)
                .collect::<Result<_, Invalid>>()?,
            prompt: self.t.ok_or_else(|| missing("decode.t".into(), why))?,
            answer: self.G,
            requests: self.requests,
            hop: self.hop_s,
            goal: self.goal()?,
        })
    }

    /// With a model, a prompt of `tokens` tokens, and devices behind a link.
    ///
    /// # Errors
    /// As [`Self::low`].
    pub(super) fn high(
        &self,
        model: &Transformer,
        tokens: f64,
        devices: &[DecodeDevice],
    ) -> Result<DecodeNumbers, Invalid> {
        if let Some(t) = self.t {
            let message = "decode.t is not a field here: the document itself has t";
            return Err(Invalid::new(Code::Unknown, "decode.t", t, message));
        }
        if !(self.G.is_finite() && self.G >= 1.0) {
            return Err(Invalid::range(
                "decode.G",
                self.G,
                "a finite number, 1 or above",
            ));
        }
        let layer = TokenLayerNumbers {
            work: model.block_of_token(mean_context(tokens, self.G, None)),
            weights_read: None,
            kv: model.kv_of_token(),
            window: None,
        };
        let device = |(k, device): (usize, &DecodeDevice)| {
            let path = format!("devices[{k}].beta_gb_s");
            let rate = device
                .bandwidth_gb_s
                .ok_or_else(|| missing(path.clone(), "decode needs the bandwidth of the memory"))?;
            if !(rate.is_finite() && rate > 0.0) {
                return Err(Invalid::range(path, rate, "a finite number above 0"));
            }
            Ok(TokenMachineNumbers {
                bandwidth: rate * 1e9,
                compute: Some(device.compute),
                layer_overhead: device.layer_s.unwrap_or(0.0),
                token_overhead: device.token_s.unwrap_or(0.0),
            })
        };
        Ok(DecodeNumbers {
            layers: vec![layer; model.n_layers as usize],
            devices: devices
                .iter()
                .enumerate()
                .map(device)
                .collect::<Result<_, Invalid>>()?,
            prompt: tokens,
            answer: self.G,
            requests: self.requests,
            hop: self.hop_s,
            goal: self.goal()?,
        })
    }
}
