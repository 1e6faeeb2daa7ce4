//! Costs of an answer after its first token: the optional second part of a cold-start problem.
//!
//! Source: section 12 of the method's description; the paper itself stops at the first token. A token passes all stages
//! in turn. A stage computes `W^dec` [FLOP] and reads its weights and its keys and values once, whichever takes longer,
//! then hands on the activation of one token, A / t [B], and waits a fixed latency.
//!
//! Settled here, because the description leaves it open:
//! * **Context.** One number stands for every token: its cost at the mean context of the answer, s = t + (G + 1) / 2 for
//!   tokens 1 to G. Work and bytes grow by the same step from token to token, so their sums over the answer are exact; the
//!   larger of two such sums is at most the sum of the larger ones, so a stage that is bound by memory at one end of the
//!   answer and by compute at the other is a little too cheap. With a sliding window the mean is that of min(s, window).
//! * **Compute rate.** `c^dec` is the rate the device reaches on long prompts, unless another is given: a c*, whatever the
//!   length of this prompt. The paper's utilisation at one token says how badly a *prompt* of one token uses a device; it
//!   would make every token bound by compute, against all measurements, which find it bound by memory.
//! * **Overheads.** Each layer and each token may cost a device a fixed time that no rate explains: launches and
//!   synchronisation of a layer, head and sampling of a token. They are zero unless given.
//! * **Experts.** A token reads the weights that it is multiplied with: of a mixture of experts, the shared part and the
//!   experts that it uses. All experts are loaded and kept.
//! * **Return.** The last stage sends the first one the token: the fixed latency, paid by the first stage, and
//!   nothing where there is only one.
//! * **Memory.** Keys and values of whole answers, of every request that runs at once, are in memory beside the weights
//!   from the beginning; they are not loaded.

use super::Invalid;
use super::cold_start::{not_negative, positive};
use crate::model::Layer;
use crate::units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Seconds};

/// Goal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DecodeGoal {
    /// T, the time to the first answer.
    #[default]
    FirstAnswer,
    /// T + G D, the time to the last token of an answer.
    WholeAnswer,
    /// T, among plans whose busiest stage lets so many tokens pass.
    Throughput {
        /// The least rate of a full pipeline [token/s].
        least: f64,
    },
}

/// A layer in decoding, as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenLayerNumbers {
    /// Arithmetic of one token at the mean context [FLOP].
    pub work: f64,
    /// Weights that one token reads [B]; `None` for all weights of the layer.
    pub weights_read: Option<f64>,
    /// Keys and values of one token [B].
    pub kv: f64,
    /// How many tokens a token attends to at most, and the layer keeps; `None` for all.
    pub window: Option<f64>,
}

/// A device in decoding, as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenMachineNumbers {
    /// Memory bandwidth beta that decoding reaches [B/s].
    pub bandwidth: f64,
    /// Compute rate on one token c^dec [FLOP/s]; `None` for the rate on the prompt.
    pub compute: Option<f64>,
    /// Fixed time of each layer and token [s].
    pub layer_overhead: f64,
    /// Time of each token after the last layer [s]: output head and sampling.
    pub token_overhead: f64,
}

/// The decode part as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodeNumbers {
    /// One a layer.
    pub layers: Vec<TokenLayerNumbers>,
    /// One a device.
    pub devices: Vec<TokenMachineNumbers>,
    /// Length of the prompt t [token].
    pub prompt: f64,
    /// Length of the answer G [token].
    pub answer: f64,
    /// Requests that run at once.
    pub requests: f64,
    /// Additional latency of every hop [s].
    pub hop: f64,
    /// Goal.
    pub goal: DecodeGoal,
}

/// A layer in decoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenLayer {
    /// Arithmetic of one token.
    pub work: Flops,
    /// Weights that one token reads.
    pub weights: Bytes,
    /// Keys and values that one token of one request reads, at the mean context.
    pub read: Bytes,
    /// All that one token reads: weights, keys and values.
    pub touched: Bytes,
    /// Data that one token passes to the next layer.
    pub token: Bytes,
    /// Keys and values of one token of one request.
    pub kv: Bytes,
    /// Tokens that are kept at most.
    pub window: Option<f64>,
}

/// A device in decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenMachine {
    /// Memory bandwidth beta that decoding reaches.
    pub bandwidth: BytesPerSecond,
    /// Compute rate on one token, c^dec.
    pub compute: FlopsPerSecond,
    /// Fixed time of each layer and token.
    pub layer_overhead: Seconds,
    /// Time of each token after the last layer, on the device that has it: output head and sampling.
    pub token_overhead: Seconds,
}

impl TokenMachine {
    /// Checks a device; `on_prompt` is the compute rate where it has none of its own [FLOP/s].
    ///
    /// # Errors
    /// The first field that cannot be, as `beta`.
    pub fn new(numbers: &TokenMachineNumbers, on_prompt: f64) -> Result<Self, Invalid> {
        let bandwidth = positive("beta", numbers.bandwidth)?;
        let compute = match numbers.compute {
            Some(own) => positive("c_dec", own)?,
            None => on_prompt,
        };
        let time = |key: &str, value: f64| {
            not_negative(key, value).map(|seconds| Seconds::new(seconds).unwrap_or_default())
        };
        Ok(Self {
            bandwidth: BytesPerSecond::new(bandwidth)
                .ok_or_else(|| Invalid::range("beta", bandwidth, "finite"))?,
            compute: FlopsPerSecond::new(compute)
                .ok_or_else(|| Invalid::range("c_dec", compute, "finite"))?,
            layer_overhead: time("layer_s", numbers.layer_overhead)?,
            token_overhead: time("token_s", numbers.token_overhead)?,
        })
    }

    /// Time of one token in a stage of so many layers, with the last layer or not, without what it waits for [s]: `work` [FLOP] and
    /// `bytes` [B] are those of all its layers.
    #[must_use]
    pub fn time(&self, work: f64, bytes: f64, layers: usize, has_last: bool) -> f64 {
        let (compute, memory) = (work / self.compute.get(), bytes / self.bandwidth.get());
        compute.max(memory) + self.overhead(layers, has_last)
    }

    /// Time of one token that no rate of the layers explains [s]: in a stage of so many layers, with the last layer or not.
    #[must_use]
    pub fn overhead(&self, layers: usize, has_last: bool) -> f64 {
        let head = if has_last {
            self.token_overhead.get()
        } else {
            0.0
        };
        layers as f64 * self.layer_overhead.get() + head
    }
}

/// The decode part of a problem, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodeTerms {
    pub(super) layers: Vec<TokenLayer>,
    pub(super) machines: Vec<TokenMachine>,
    pub(super) prompt: f64,
    pub(super) answer: f64,
    pub(super) requests: f64,
    pub(super) hop: Seconds,
    pub(super) goal: DecodeGoal,
}

impl DecodeTerms {
    /// The layers in order.
    #[must_use]
    pub fn layers(&self) -> &[TokenLayer] {
        &self.layers
    }

    /// The devices, as the problem counts them.
    #[must_use]
    pub fn machines(&self) -> &[TokenMachine] {
        &self.machines
    }

    /// Length of the prompt t [token].
    #[must_use]
    pub fn prompt(&self) -> f64 {
        self.prompt
    }

    /// Length of the answer G [token].
    #[must_use]
    pub fn answer(&self) -> f64 {
        self.answer
    }

    /// Requests that run at once.
    #[must_use]
    pub fn requests(&self) -> f64 {
        self.requests
    }

    /// Returns the additional latency of a hop, and the total time of the return.
    #[must_use]
    pub fn hop(&self) -> Seconds {
        self.hop
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> DecodeGoal {
        self.goal
    }

    /// The longest that a stage may take for one token [s]: infinite where no throughput is asked for. A hair of slack
    /// absorbs the rounding of the rate, so that a plan keeps the rate that is said of it.
    #[must_use]
    pub fn period(&self) -> f64 {
        match self.goal {
            DecodeGoal::Throughput { least } => 1.0 / least * (1.0 + 1e-12),
            DecodeGoal::FirstAnswer | DecodeGoal::WholeAnswer => f64::INFINITY,
        }
    }

    /// Returns true if two devices are equal in decoding.
    #[must_use]
    pub fn are_equal(&self, a: usize, b: usize) -> bool {
        self.machines[a] == self.machines[b]
    }

    /// Keys and values that one layer holds for all requests when `tokens` of each, prompt included, are known [B].
    #[must_use]
    pub fn kv_cache_at(&self, layer: usize, tokens: f64) -> f64 {
        let layer = &self.layers[layer];
        let kept = layer.window.map_or(tokens, |window| window.min(tokens));
        self.requests * (layer.kv.get() * kept)
    }
}

/// The mean of min(t + g, window) over the tokens g = 1 to G of an answer [token].
///
/// # Complexity
/// O(1).
#[must_use]
pub fn mean_context(prompt: f64, answer: f64, window: Option<f64>) -> f64 {
    let growing = |from: f64, count: f64| count * from + count * (count + 1.0) / 2.0;
    match window {
        Some(window) if window < prompt + answer => {
            // So many tokens see less than a whole window; a G that is no whole number ends with a part of a token.
            let below = libm::floor(window - prompt).clamp(0.0, answer);
            (growing(prompt, below) + (answer - below) * window) / answer
        }
        _ => prompt + (answer + 1.0) / 2.0,
    }
}

const TOKENS: &str = "a finite number, 1 or above";

fn at_least_one(path: &str, value: f64) -> Result<f64, Invalid> {
    if value.is_finite() && value >= 1.0 {
        Ok(value)
    } else {
        Err(Invalid::range(path, value, TOKENS))
    }
}

/// Checks the decode part of a problem with these layers and compute rates, and says what each layer then keeps [B].
///
/// # Errors
/// The first field that cannot be, as `layers[i].W_dec`, `devices[k].beta` or `decode.G`.
pub(super) fn checked(
    numbers: &DecodeNumbers,
    layers: &[Layer],
    compute: &[FlopsPerSecond],
) -> Result<(DecodeTerms, Vec<Bytes>), Invalid> {
    let prompt = positive("t", numbers.prompt).map_err(|fault| fault.within("decode"))?;
    let answer = at_least_one("G", numbers.answer).map_err(|fault| fault.within("decode"))?;
    let requests =
        at_least_one("requests", numbers.requests).map_err(|fault| fault.within("decode"))?;
    let hop = not_negative("hop_s", numbers.hop).map_err(|fault| fault.within("decode"))?;
    if let DecodeGoal::Throughput { least } = numbers.goal {
        positive("rate", least).map_err(|fault| fault.within("decode"))?;
    }
    let quantity = |path: String, value: f64| {
        Bytes::new(value).ok_or_else(|| Invalid::range(path, value, "finite"))
    };
    let (mut token_layers, mut kept) = (Vec::new(), Vec::new());
    for (i, (layer, n)) in layers.iter().zip(&numbers.layers).enumerate() {
        let owner = format!("layers[{i}]");
        let within = |fault: Invalid| fault.within(&owner);
        let work = positive("W_dec", n.work).map_err(within)?;
        let kv = not_negative("kv", n.kv).map_err(within)?;
        if let Some(window) = n.window {
            positive("window", window).map_err(within)?;
        }
        let weights = match n.weights_read {
            Some(read) if read > layer.weights.get() => {
                let most = layer.weights.get();
                let allowed = format!("at most P, {most}");
                return Err(within(Invalid::range("P_dec", read, &allowed)));
            }
            Some(read) => not_negative("P_dec", read).map_err(within)?,
            None => layer.weights.get(),
        };
        let read = kv * mean_context(prompt, answer, n.window);
        let tokens = n
            .window
            .map_or(prompt + answer, |window| window.min(prompt + answer));
        let path = || format!("{owner}.kv");
        kept.push(quantity(path(), requests * (kv * tokens))?);
        token_layers.push(TokenLayer {
            work: Flops::new(work).ok_or_else(|| Invalid::range(path(), work, "finite"))?,
            weights: quantity(path(), weights)?,
            read: quantity(path(), read)?,
            touched: quantity(path(), weights + read)?,
            token: quantity(format!("{owner}.A"), layer.activation.get() / prompt)?,
            kv: quantity(path(), kv)?,
            window: n.window,
        });
    }
    let machines = numbers
        .devices
        .iter()
        .zip(compute)
        .enumerate()
        .map(|(k, (n, on_prompt))| {
            TokenMachine::new(n, on_prompt.get()).map_err(|f| f.within(&format!("devices[{k}]")))
        })
        .collect::<Result<Vec<_>, Invalid>>()?;
    let terms = DecodeTerms {
        layers: token_layers,
        machines,
        prompt,
        answer,
        requests,
        hop: Seconds::new(hop).unwrap_or_default(),
        goal: numbers.goal,
    };
    Ok((terms, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_context_is_the_mean() {
        for (prompt, answer, window) in [
            (256.0, 200.0, None),
            (256.0, 1.0, None),
            (100.0, 50.0, Some(120.0)),
            (100.0, 50.0, Some(80.0)),
            (100.0, 50.0, Some(150.0)),
            (100.0, 50.0, Some(149.0)),
            (100.0, 50.0, Some(1e6)),
        ] {
            let contexts = (1..=answer as u32)
                .map(|g| (prompt + f64::from(g)).min(window.unwrap_or(f64::INFINITY)));
            let mean = contexts.sum::<f64>() / answer;
            let found = mean_context(prompt, answer, window);
            assert!(
                (found - mean).abs() < 1e-9 * mean,
                "{prompt} {answer} {window:?}"
            );
        }
    }
}
