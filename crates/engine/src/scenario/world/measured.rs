//! A run that was measured on a machine of one's own sets what its runtime reaches, in the place of what its class reaches.
//!
//! What a measurement can tell differs: on graphics chips the fixed time of a layer depends on the host and is in no data sheet, so
//! generation sets that; processors differ in what they reach, so generation scales memory rate and compute alike.

use super::fact::{self, FactOrigin, Given};
use super::{World, model_rules, rules};
use crate::hardware::DeviceHardware;
use crate::hardware::calibration::{self, BATCH_TOKENS, PREFILL_READ_SHARE};
use crate::problem::Invalid;
use crate::scenario::decode::LayersOfToken;
use crate::scenario::fields;
use crate::scenario::prefill::{prompt_machine, work_of};
use crate::scenario::{Device, Model};
use crate::units::rounded;

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeasuredKind {
    /// So many tokens after a prompt.
    Decode {
        /// Tokens of the prompt.
        prompt: f64,
        /// Tokens generated.
        answer: f64,
    },
    /// A prompt of so many tokens.
    Prefill {
        /// Its tokens.
        tokens: f64,
    },
}

/// A rate that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// The model that was run.
    pub model: Model,
    /// What was run.
    pub kind: MeasuredKind,
    /// Its rate [token/s].
    pub tok_s: f64,
    /// How it was measured, in the words that its terms have as their source.
    pub source: String,
}

/// Terms with which a run takes as long as it was measured, by field.
type Terms = Vec<(&'static str, f64)>;

impl World {
    /// The model as it is known, at the lengths of the request: what a rate is of that names no model.
    #[must_use]
    pub fn measured_here(&self, tok_s: f64, source: String) -> MeasuredRun {
        let (prompt, answer) = (model_rules::prompt(self), model_rules::answer(self));
        MeasuredRun {
            model: model_rules::layers_of(self),
            kind: MeasuredKind::Decode { prompt, answer },
            tok_s,
            source,
        }
    }

    /// Sets what the runtime of the machine `id` reaches by a run that was measured on it. Nothing happens where no machine has that
    /// id.
    ///
    /// # Errors
    /// A rate that is no positive number, a model that does not say what a token costs, or a rate that the machine cannot reach by
    /// its memory rate or compute.
    ///
    /// # Complexity
    /// O(layers).
    pub fn measure(&mut self, id: u32, run: &MeasuredRun) -> Result<(), Invalid> {
        let Some(at) = self.machines.iter().position(|machine| machine.id == id) else {
            return Ok(());
        };
        if !(run.tok_s > 0.0 && run.tok_s <= 1e7) {
            let allowed = "a rate in tokens per second, above 0 and at most 10000000";
            return Err(Invalid::range("measured", run.tok_s, allowed));
        }
        let machine = &self.machines[at];
        let device = rules::device_of(self, machine);
        let class = calibration::of_name(&machine.name).map(|(class, _)| class.class);
        let is_gpu = class.is_some_and(|class| !class.has_compute_term());
        let terms = match run.kind {
            MeasuredKind::Decode { prompt, answer } => {
                let token = LayersOfToken::of(&run.model, &device, prompt, answer)?;
                let layers = run.model.layers_count() as f64;
                decode_terms(&device, &token, (layers, 1.0 / run.tok_s), is_gpu)
            }
            MeasuredKind::Prefill { tokens } => {
                prefill_terms(&device, &run.model, tokens, tokens / run.tok_s)
            }
        };
        let terms = terms.filter(|terms| terms.iter().all(is_allowed));
        let terms = terms.ok_or_else(|| {
            let allowed = format!(
                "a rate that {} can reach with this model and format (its memory reads {} GB/s, its peak is {} TFLOPS)",
                machine.name,
                device.bandwidth_gb_s.unwrap_or_default(),
                device.c_peak_tflops
            );
            Invalid::range("measured", run.tok_s, &allowed)
        })?;
        let facts = &mut self.machines[at].facts;
        for (key, value) in terms {
            let origin = FactOrigin::Measured(run.source.clone());
            fact::put(facts, key, Given::new(rounded(value, 6), None), origin);
        }
        Ok(())
    }
}

/// Returns true if a term is one that its field takes.
fn is_allowed((key, value): &(&'static str, f64)) -> bool {
    fields::of(key).is_some_and(|field| field.allows(*value))
}

/// Terms with which a token takes `seconds`; `None` where the machine cannot be that fast.
fn decode_terms(
    device: &Device,
    token: &LayersOfToken,
    (layers, seconds): (f64, f64),
    is_gpu: bool,
) -> Option<Terms> {
    let share = device.memory_share.unwrap_or(1.0);
    let fixed = layers * 1e-6 * device.layer_us.unwrap_or(0.0);
    let sampling = 1e-3 * device.token_ms.unwrap_or(0.0);
    // What rates explain: of the layers, and of the output head.
    let moving = token.seconds - fixed + token.rest - sampling;
    let left = seconds - moving - sampling;
    if is_gpu && left >= 0.0 {
        return Some(vec![("layer_us", 1e6 * left / layers)]);
    }
    // Faster than its layers' fixed time lets it be: then they have none.
    let fixed = match is_gpu || seconds <= fixed + sampling {
        true => 0.0,
        false => fixed,
    };
    let factor = moving / (seconds - fixed - sampling);
    if !(factor > 0.0 && factor.is_finite()) {
        return None;
    }
    let compute = device.decode_tflops;
    let compute = compute.unwrap_or_else(|| 1e-12 * DeviceHardware::from(device).most_flops());
    let mut terms = vec![
        ("memory_share", factor * share),
        ("layer_us", 1e6 * fixed / layers),
    ];
    if !is_gpu {
        terms.push(("decode_tflops", factor * compute));
    }
    Some(terms)
}

/// Terms with which a prompt takes `seconds`; `None` where its weights cannot be read that fast.
fn prefill_terms(device: &Device, model: &Model, tokens: f64, seconds: f64) -> Option<Terms> {
    let work = work_of(model, tokens);
    let Some(machine) = prompt_machine(device) else {
        let own = (work.linear + work.attention) / seconds;
        return Some(vec![("prefill_tflops", 1e-12 * own)]);
    };
    let batches = libm::ceil(tokens / BATCH_TOKENS);
    let read = |rate: f64| batches * work.read / (PREFILL_READ_SHARE * rate);
    let read = machine.memory_rate.map_or(0.0, read);
    let factor = (machine.seconds(&work, tokens) - read) / (seconds - read);
    if !(factor > 0.0 && factor.is_finite()) {
        return None;
    }
    let mut terms = vec![
        ("prefill_tflops", 1e-12 * factor * machine.rate),
        ("batch_us", 1e6 * machine.batch / factor),
    ];
    let attention = machine.attention_rate.map(|rate| 1e-12 * factor * rate);
    terms.extend(attention.map(|rate| ("attention_tflops", rate)));
    Some(terms)
}
