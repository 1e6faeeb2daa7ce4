//! "Bring your model": a `config.json` as Hugging Face keeps it, or the header of a GGUF file, becomes the model of a
//! scenario.
//!
//! The result is a list of facts, each with its origin (read, derived, assumed, missing), the counts of parameters and bytes that
//! follow, and a model for the planner once no fact is missing. No assumption is silent, and unknown facts are asked for.
//!
//! The reader of GGUF headers is our own: the format is a dozen value types in little-endian order, while the crates that
//! read it expect the whole file, allocate what its counts claim, or bring a runtime with them. Ours takes the first
//! bytes of a file, allocates for what it has seen and nothing else, and says how many more it needs.

mod config;
mod count;
mod facts;
pub mod files;
pub mod gguf;
pub mod weights;

pub use count::{BlockCount, BlockExperts, Counts, HeadCount};
pub use facts::{Fact, Origin, UserAnswers};

use super::heads::HeadModel;
use super::tiers::{TierBlocks, TierDimensions, TierModel};
use super::world::{FactOrigin as WorldOrigin, Storage};
use super::{Dimensions, Memory, Model, fields};
use crate::model::precision::{BYTES_16, Precision};
use crate::problem::{Code, Invalid};
use serde::Serialize;
use serde_json::Value;
use weights::WeightFiles;

/// Format of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// A `config.json`.
    Config,
    /// A GGUF file.
    Gguf,
}

/// An imported model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct ImportedModel {
    /// Format of the file.
    pub kind: FileKind,
    /// Its name.
    pub name: String,
    /// Facts, each with its origin.
    pub facts: Vec<Fact>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Counts that follow from the facts; `None` while one is missing.
    pub counts: Option<Counts>,
    /// The model for the planner; none while something is missing.
    pub model: Option<Model>,
    /// The file that it was read from.
    #[serde(skip)]
    pub file: String,
    /// How its weights are stored, where the file says it with one name.
    #[serde(skip)]
    pub weights: Option<Precision>,
    /// The dimensions with the vocabulary, if it is a dense decoder with a gated feed-forward.
    #[serde(skip)]
    dense: Option<Dense>,
}

/// A dense decoder.
#[derive(Debug, Clone, PartialEq)]
struct Dense {
    dims: Dimensions,
    vocabulary: f64,
    tied: bool,
}

/// Reads the text of a `config.json`.
///
/// # Errors
/// A text that is no JSON object, or one in which nothing of a language model stands.
///
/// # Complexity
/// O(length of the text + blocks).
pub fn config(text: &str, file: &str, answers: &UserAnswers) -> Result<ImportedModel, Invalid> {
    config::read(text, file, answers, &WeightFiles::default())
}

impl ImportedModel {
    /// A model of which something is asked before anything is counted.
    fn open(
        kind: FileKind,
        name: String,
        facts: Vec<Fact>,
        notes: Vec<String>,
        file: &str,
    ) -> Self {
        Self {
            kind,
            name,
            facts,
            notes,
            counts: None,
            model: None,
            file: file.to_owned(),
            weights: None,
            dense: None,
        }
    }

    /// Returns the open questions: field and question.
    pub fn questions(&self) -> impl Iterator<Item = (&str, &str)> {
        let open = |fact: &'_ Fact| fact.question().is_some();
        let facts = self.facts.iter().filter(move |fact| open(fact));
        facts.map(|fact| (fact.field.as_str(), fact.question().unwrap_or_default()))
    }

    /// The model for the cold-start question.
    ///
    /// # Errors
    /// The first thing that is missing.
    pub fn planned(&self) -> Result<Model, Invalid> {
        self.model.clone().ok_or_else(|| self.missing())
    }

    /// Memory as it is when a plan with this model runs, with its embedding and its output head.
    #[must_use]
    pub fn memory(&self, before: Option<Memory>) -> Memory {
        let ends = self.counts.as_ref().map(|c| [c.embedding, c.head]);
        // Blocks of a file have the bytes of the file; a model by its dimensions can be stored in any precision.
        let is_stored = self
            .model
            .as_ref()
            .is_none_or(|model| model.blocks().is_some());
        let [embedding_bytes, head_bytes] =
            [0, 1].map(|at| ends.filter(|_| is_stored).map(|ends| ends[at].bytes));
        let [embedding_weights, head_weights] = [0, 1].map(|at| {
            let ends = ends.filter(|_| !is_stored);
            ends.map(|ends| ends[at].parameters as f64)
        });
        Memory {
            embedding_bytes,
            head_bytes,
            embedding_weights,
            head_weights,
            vocabulary: self.vocabulary(),
            tied_embeddings: !is_stored && self.has_tied_embeddings(),
            ..before.unwrap_or(Memory::USUAL)
        }
    }

    /// How its weights are stored, as all questions know it: the file says it.
    #[must_use]
    pub fn storage(&self) -> Option<Storage> {
        let plain = self.file.chars().filter(|c| !c.is_control());
        let name: String = plain.take(fields::LONGEST_NAME).collect();
        let origin = WorldOrigin::File(match name.is_empty() {
            true => match self.kind {
                FileKind::Config => "config.json".to_owned(),
                FileKind::Gguf => "a GGUF file".to_owned(),
            },
            false => name,
        });
        let precision = self.weights?;
        Some(Storage { precision, origin })
    }

    fn missing(&self) -> Invalid {
        let all: Vec<(&str, &str)> = self.questions().collect();
        let (field, question) = all.first().copied().unwrap_or_default();
        let more = match all.len() {
            0 | 1 => String::new(),
            n => format!(" ({} more)", n - 1),
        };
        let message = format!(
            "{} is not fully known: {field}: {}{more}",
            self.name,
            question.trim_end_matches('.')
        );
        Invalid::new(Code::Missing, field, Value::Null, message)
    }

    /// The dimensions for questions whose formulas are those of a dense decoder.
    fn dense(&self) -> Result<&Dense, Invalid> {
        if self.model.is_none() {
            return Err(self.missing());
        }
        self.dense.as_ref().ok_or_else(|| {
            let message = format!(
                "{} is not a dense decoder with a gated feed-forward, and this question supports only those; cold start \
                 and tiers take it as it is",
                self.name
            );
            Invalid::new(Code::Range, "model", self.name.clone(), message)
        })
    }

    /// The model for the tiers question; [`Self::weights`] says how one by its dimensions is stored.
    ///
    /// # Errors
    /// A fact is missing, or the vocabulary.
    pub fn tier_model(&self) -> Result<TierModel, Invalid> {
        let model = self.planned()?;
        if let Some(body) = model.blocks() {
            let vocabulary = self.vocabulary().ok_or_else(|| {
                let message = format!(
                    "{} is not fully known: vocabulary: how many tokens does it know?",
                    self.name
                );
                Invalid::new(Code::Missing, "vocabulary", Value::Null, message)
            })?;
            // An encoder attends to all and keeps nothing; a recurrent block does neither.
            if body
                .blocks
                .iter()
                .all(|run| run.kv_bytes == Some(0.0) && run.pair_flop > 0.0)
            {
                let message = format!(
                    "{} is an encoder and generates no tokens; cold start takes it",
                    self.name
                );
                return Err(Invalid::new(
                    Code::Range,
                    "model",
                    self.name.clone(),
                    message,
                ));
            }
            let ends = self
                .counts
                .as_ref()
                .map(|counts| [counts.embedding, counts.head]);
            let [embedding_bytes, head_bytes] = [0, 1].map(|at| ends.map(|ends| ends[at].bytes));
            return Ok(TierModel::Blocks(TierBlocks {
                embedding_bytes,
                head_bytes,
                ..TierBlocks::of(body, vocabulary, self.has_tied_embeddings())
            }));
        }
        let dense = self.dense()?;
        let m = &dense.dims;
        Ok(TierModel::Dense(TierDimensions {
            name: m.name.clone(),
            layers: m.layers,
            d_model: m.d_model,
            h_q: m.h_q,
            h_k: m.h_k,
            d_head: m.d_head,
            d_ff: m.d_ff,
            vocabulary: dense.vocabulary,
            tied_embeddings: dense.tied,
        }))
    }

    /// Tokens that it knows, where the file says it.
    fn vocabulary(&self) -> Option<f64> {
        let fact = self.facts.iter().find(|fact| fact.field == "vocabulary")?;
        fact.value.as_f64()
    }

    /// True if the file says that embedding and output head are one matrix.
    fn has_tied_embeddings(&self) -> bool {
        let is_tied =
            |fact: &Fact| fact.field == "tied_embeddings" && fact.value == Value::Bool(true);
        self.facts.iter().any(is_tied)
    }

    /// The decoder layer for the head-placement question; [`Self::weights`] says how one by its dimensions is stored.
    ///
    /// # Errors
    /// A fact is missing; its heads are not equal, or keep no keys and values of their own.
    pub fn head_model(&self) -> Result<HeadModel, Invalid> {
        let model = self.planned()?;
        if let Some(body) = model.blocks() {
            return HeadModel::of_blocks(body).ok_or_else(|| {
                let message = format!(
                    "{} has no heads that keep keys and values of their own (they share a latent vector, are not equal, or there is \
                     no cache), and this question places such heads; cold start takes it as it is",
                    self.name
                );
                Invalid::new(Code::Range, "model", self.name.clone(), message)
            });
        }
        let m = &self.dense()?.dims;
        Ok(HeadModel {
            name: m.name.clone(),
            heads: m.h_q,
            width: m.d_model,
            value_bytes: BYTES_16,
            weights: self.weights,
            layers: Some(m.layers),
            h_k: Some(m.h_k),
            d_head: Some(m.d_head),
            d_ff: Some(m.d_ff),
            ..HeadModel::default()
        })
    }
}

/// A name as a scenario may hold it; never that of a published model, which would stand for other numbers.
fn named(name: &str, model: impl Fn(String) -> Model) -> Model {
    let plain = name.chars().filter(|c| !c.is_control());
    let short: String = plain.take(fields::LONGEST_NAME).collect();
    let short = short.trim().to_owned();
    let made = model(short.clone());
    let Some(entry) = crate::model::catalog::find(&short) else {
        return made;
    };
    if Model::from_dims(entry.name, &entry.dims) == made {
        return made;
    }
    let room = fields::LONGEST_NAME - " (file)".len();
    let cut: String = short.chars().take(room).collect();
    model(format!("{cut} (file)"))
}
