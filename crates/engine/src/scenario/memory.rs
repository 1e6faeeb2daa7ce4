//! Memory while a plan runs, for plans that are to be carried out: a device is never empty, embedding and output head are on a
//! device as well, and a cache has space for the whole context.
//!
//! A scenario without it keeps the paper's rule, equation (22): the weights of a stage's blocks and the largest output, in all
//! of a device's memory.

use super::fields::{NumberFields, numbers};
use super::{Device, Model, Scenario};
use crate::hardware::catalog::KNOWN_DEVICES;
use crate::hardware::machines;
use crate::model::catalog;
use crate::model::cost::{DecoderCost, logits_buffer};
use crate::model::precision::{BYTES_16, Precision};
use crate::problem::{ColdStart, Invalid};
use serde::{Deserialize, Serialize};

/// Memory as it is when a plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// How much of a device's memory a plan may fill [%]; of devices whose usable memory is known, that counts instead.
    pub usable_pct: f64,
    /// Tokens for which every device keeps room in the cache, prompt and answer included [tokens].
    pub context_tokens: f64,
    /// Embedding, on the device of the first layer [B]; left out where unknown, and where the catalogue knows the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_bytes: Option<f64>,
    /// Output head, on the device of the last layer [B]; as the embedding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_bytes: Option<f64>,
    /// Weights of the embedding, where a model by its dimensions was brought: its bytes follow the precision of the model. They are
    /// used where `embedding_bytes` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_weights: Option<f64>,
    /// Weights of the output head; as those of the embedding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_weights: Option<f64>,
    /// Tokens that a brought model knows: its buffer of logits follows from them. Left out where the catalogue knows the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<f64>,
    /// True if embedding and head are one matrix, which formats store as they store a head.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tied_embeddings: bool,
}

numbers!(Memory: usable_pct, context_tokens, [embedding_bytes], [head_bytes], [embedding_weights], [head_weights], [vocabulary]);

impl Memory {
    /// Nine tenths of a device, as vLLM takes by default, and a context of 4096 tokens.
    pub const USUAL: Self = Self {
        usable_pct: 90.0,
        context_tokens: 4096.0,
        embedding_bytes: None,
        head_bytes: None,
        embedding_weights: None,
        head_weights: None,
        vocabulary: None,
        tied_embeddings: false,
    };

    /// Checks every number against the ranges of the page.
    ///
    /// # Errors
    /// The first field out of range.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        self.check_numbers("memory")
    }

    /// Returns the memory of a device that a plan may fill [GB].
    #[must_use]
    pub fn usable_gb(&self, device: &Device) -> f64 {
        // The longest name first: one is the beginning of another.
        let published = KNOWN_DEVICES
            .iter()
            .filter(|known| device.name == known.short || device.name.starts_with(known.name))
            .max_by_key(|known| known.name.len())
            .and_then(|known| known.usable_gb);
        match published {
            Some(usable) => usable.min(device.m_gb),
            None if device.has_usable_memory() => device.m_gb,
            None => device.m_gb * self.usable_pct / 100.0,
        }
    }

    /// The embedding and the output head of a model [B], where the catalogue or the file says them. A matrix that is both is
    /// on the devices of both ends; where they are one device it is counted twice, as llama.cpp keeps it.
    #[must_use]
    pub fn ends(&self, model: &Model) -> Option<(f64, f64)> {
        let known = known_decoder(model).map(|(decoder, weights)| {
            (
                decoder.embedding_bytes(weights),
                decoder.head_bytes(weights),
            )
        });
        let given = || self.embedding_bytes.zip(self.head_bytes);
        let counted = || {
            let [weights, _] = model.stored().unwrap_or_default().counted();
            let (embedding, head) = self.embedding_weights.zip(self.head_weights)?;
            Some((
                embedding * weights.embedding_bytes(self.tied_embeddings),
                head * weights.head_bytes(),
            ))
        };
        known.or_else(given).or_else(counted)
    }

    /// The buffer of logits that a runtime reserves on the device of the last layer [B]. `None` where the vocabulary is not known.
    #[must_use]
    pub fn logits_buffer(&self, model: &Model) -> Option<f64> {
        let known = known_decoder(model).map(|(decoder, _)| decoder.vocabulary);
        let vocabulary = known.or(self.vocabulary)?;
        let width = match model {
            Model::Dimensions(dims) => dims.d_model,
            Model::Blocks(blocks) => blocks.token_bytes / BYTES_16,
            Model::Table(_) => return None,
        };
        Some(logits_buffer(vocabulary, width))
    }
}

/// Cost of the output head for one token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HeadCost {
    /// Bytes that are read [B].
    pub bytes: f64,
    /// Arithmetic [FLOP]; 0 where only the bytes are known.
    pub work: f64,
}

/// A model of the catalogue, with how its weights are stored.
fn known_decoder(model: &Model) -> Option<(DecoderCost, Precision)> {
    let dims = model.dimensions()?;
    let entry = catalog::find(&dims.name)?;
    let is_same = entry.dims == dims.transformer();
    is_same.then(|| (DecoderCost::from(entry), dims.weights.unwrap_or_default()))
}

/// The output head of a model of the catalogue.
pub(super) fn known_head(model: &Model) -> Option<HeadCost> {
    known_decoder(model).map(|(decoder, weights)| HeadCost {
        bytes: decoder.head_bytes(weights),
        work: decoder.head(),
    })
}

impl Device {
    /// Returns true if its memory is the usable part according to the catalogue, from which nothing more is subtracted. That is
    /// marked by a range, which stays with the number when it is drawn or improved and goes when the user sets another one.
    #[must_use]
    pub fn has_usable_memory(&self) -> bool {
        self.ranges.contains_key("m_gb") && machines::named(&self.name).is_some()
    }
}

impl Scenario {
    /// The output head, where the catalogue or the scenario says it: the last device computes it for every token.
    pub(super) fn head_cost(&self) -> Option<HeadCost> {
        let of_memory = || {
            let memory = self.memory?;
            let (_, bytes) = memory.ends(&self.model)?;
            let work = memory.head_weights.map_or(0.0, |weights| 2.0 * weights);
            Some(HeadCost { bytes, work })
        };
        known_head(&self.model).or_else(of_memory)
    }

    /// Returns the scenario with memory as it is while a plan runs.
    #[must_use]
    pub fn as_it_runs(&self) -> Self {
        Self {
            memory: Some(self.memory.unwrap_or(Memory::USUAL)),
            ..self.clone()
        }
    }

    /// The tokens for which there has to be room in the cache: the context, and never less than prompt and answer.
    #[must_use]
    pub fn context(&self, memory: &Memory, prompt: f64) -> f64 {
        let answer = self.decode.map_or(0.0, |decode| decode.answer_tokens);
        memory.context_tokens.max(prompt + answer)
    }

    /// A problem of this scenario with all in memory that is there when a plan runs.
    pub(super) fn with_memory(
        &self,
        problem: ColdStart,
        memory: &Memory,
        prompt: f64,
    ) -> Result<ColdStart, Invalid> {
        let context = self.context(memory, prompt);
        let requests = self.decode.map_or(1.0, |decode| decode.requests);
        let kept = |(bytes, window): (f64, Option<f64>)| {
            requests * bytes * window.map_or(context, |window| window.min(context))
        };
        let cache: Vec<f64> = match self.model.cache_of_layers() {
            Some(layers) => layers.into_iter().map(kept).collect(),
            None => vec![0.0; problem.layers().len()],
        };
        let (embedding, head) = memory.ends(&self.model).unwrap_or_default();
        let buffer = memory.logits_buffer(&self.model).unwrap_or_default();
        problem.with_resident_memory(&cache, embedding, head + buffer)
    }
}
