//! The model of a tiers scenario: a dense decoder by its dimensions, or blocks as a file has them.
//!
//! In JSON the second has `token_bytes` and `blocks` in the place of `layers` and the dimensions.

use crate::model::Transformer;
use crate::model::catalog::CatalogModel;
use crate::model::cost::DecoderCost;
use crate::model::precision::{BYTES_16, Precision};
use crate::problem::{Code, Invalid, TierDecoder};
use crate::scenario::blocks::{BlockModel, BlockRun, has_experts};
use crate::scenario::fields::{self, NumberFields, numbers};
use crate::units::bytes;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

/// A decoder with its vocabulary: the output head is part of the last stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TierModel {
    /// Dense blocks that are all equal.
    Dense(TierDimensions),
    /// Blocks as a file has them: mixtures of experts, windows, latent caches.
    Blocks(TierBlocks),
}

/// A dense decoder by its dimensions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct TierDimensions {
    /// Its name.
    pub name: String,
    /// Decoder blocks, N.
    pub layers: f64,
    /// Hidden size, d.
    pub d_model: f64,
    /// Query heads, H.
    pub h_q: f64,
    /// Key/value heads.
    pub h_k: f64,
    /// Width of one head, h.
    pub d_head: f64,
    /// Feed-forward width.
    pub d_ff: f64,
    /// Vocabulary [tokens], V.
    pub vocabulary: f64,
    /// True if embedding and output head are one matrix.
    pub tied_embeddings: bool,
}

/// A decoder by its blocks, which have the bytes of a file whatever the cost of a pass says of weights and cache.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct TierBlocks {
    /// Its name.
    pub name: String,
    /// Bytes that one token sends from a block to the next, at two bytes per value [B].
    pub token_bytes: f64,
    /// Vocabulary [tokens], V.
    pub vocabulary: f64,
    /// True if embedding and output head are one matrix.
    pub tied_embeddings: bool,
    /// Embedding [B]; left out for 16 bits per value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_bytes: Option<f64>,
    /// Output head [B]; as the embedding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_bytes: Option<f64>,
    /// The blocks in order, each with its keys and values.
    pub blocks: Vec<BlockRun>,
}

numbers!(TierDimensions: layers, d_model, h_q, h_k, d_head, d_ff, vocabulary);
numbers!(TierBlocks: token_bytes, vocabulary, [embedding_bytes], [head_bytes]);

impl TierDimensions {
    /// With its vocabulary, as costs take it; `layers` has been checked to be a whole number in range.
    #[must_use]
    pub fn decoder(&self) -> DecoderCost {
        DecoderCost {
            dims: Transformer {
                n_layers: self.layers as u32,
                d_model: self.d_model,
                h_q: self.h_q,
                h_k: self.h_k,
                d_head: self.d_head,
                d_ff: self.d_ff,
            },
            vocabulary: self.vocabulary,
            tied: self.tied_embeddings,
        }
    }
}

impl TierBlocks {
    /// A decoder by blocks of 16-bit ends.
    #[must_use]
    pub fn of(body: &BlockModel, vocabulary: f64, tied_embeddings: bool) -> Self {
        Self {
            name: body.name.clone(),
            token_bytes: body.token_bytes,
            vocabulary,
            tied_embeddings,
            embedding_bytes: None,
            head_bytes: None,
            blocks: body.blocks.clone(),
        }
    }

    /// Its blocks as every question knows them.
    #[must_use]
    pub fn body(&self) -> BlockModel {
        BlockModel {
            name: self.name.clone(),
            token_bytes: self.token_bytes,
            blocks: self.blocks.clone(),
        }
    }

    /// Embedding and output head [B].
    #[must_use]
    pub fn ends(&self) -> [f64; 2] {
        let plain = self.vocabulary * self.token_bytes;
        [self.embedding_bytes, self.head_bytes].map(|bytes| bytes.unwrap_or(plain))
    }
}

impl TierModel {
    /// A catalogue row.
    #[must_use]
    pub fn of(entry: &CatalogModel) -> Self {
        let dims = &entry.dims;
        Self::Dense(TierDimensions {
            name: entry.name.to_owned(),
            layers: f64::from(dims.n_layers),
            d_model: dims.d_model,
            h_q: dims.h_q,
            h_k: dims.h_k,
            d_head: dims.d_head,
            d_ff: dims.d_ff,
            vocabulary: f64::from(entry.vocabulary),
            tied_embeddings: entry.tied_embeddings,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Dense(dims) => &dims.name,
            Self::Blocks(blocks) => &blocks.name,
        }
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match self {
            Self::Dense(dims) => dims.layers as usize,
            Self::Blocks(blocks) => blocks.blocks.iter().map(|run| run.repeat as usize).sum(),
        }
    }

    /// True if any of its blocks have experts.
    #[must_use]
    pub fn has_experts(&self) -> bool {
        match self {
            Self::Dense(_) => false,
            Self::Blocks(model) => has_experts(&model.blocks),
        }
    }

    /// Hidden size, d.
    #[must_use]
    pub const fn width(&self) -> f64 {
        match self {
            Self::Dense(dims) => dims.d_model,
            Self::Blocks(blocks) => blocks.token_bytes / BYTES_16,
        }
    }

    /// True if embedding and output head are one matrix.
    #[must_use]
    pub const fn has_tied_embeddings(&self) -> bool {
        match self {
            Self::Dense(dims) => dims.tied_embeddings,
            Self::Blocks(blocks) => blocks.tied_embeddings,
        }
    }

    /// The dimensions, if it has some.
    #[must_use]
    pub const fn dimensions(&self) -> Option<&TierDimensions> {
        match self {
            Self::Dense(dims) => Some(dims),
            Self::Blocks(_) => None,
        }
    }

    /// The dimensions to change, if it has some.
    pub const fn dimensions_mut(&mut self) -> Option<&mut TierDimensions> {
        match self {
            Self::Dense(dims) => Some(dims),
            Self::Blocks(_) => None,
        }
    }

    /// With costs; a dense one with weights and cache stored so.
    #[must_use]
    pub fn decoder(&self, weights: Precision, cache: Precision) -> TierDecoder {
        match self {
            Self::Dense(dims) => TierDecoder::dense(&dims.decoder(), weights, cache),
            Self::Blocks(model) => TierDecoder::of_blocks(
                model
                    .blocks
                    .iter()
                    .map(|run| (run.repeat as usize, run.cost()))
                    .collect(),
                self.width(),
                model.vocabulary,
                model.ends(),
            ),
        }
    }

    /// Describes the blocks and the size of all.
    #[must_use]
    pub fn hint(&self, weights: Precision) -> String {
        match self {
            Self::Dense(dims) => {
                let decoder = dims.decoder();
                format!(
                    "{} blocks of {}, {} in {} with embedding and head",
                    dims.layers,
                    bytes(decoder.block_bytes(weights)),
                    bytes(decoder.bytes(weights)),
                    weights.name()
                )
            }
            Self::Blocks(model) => {
                let blocks: f64 = model
                    .blocks
                    .iter()
                    .map(|run| run.repeat * run.weight_bytes)
                    .sum();
                let [embedding, head] = model.ends();
                let ends = if model.tied_embeddings {
                    head
                } else {
                    embedding + head
                };
                format!(
                    "{} blocks of a file, {} with embedding and head",
                    self.blocks(),
                    bytes(blocks + ends)
                )
            }
        }
    }

    /// Checks every number against the ranges of the page, and that blocks say what keys and values take.
    ///
    /// # Errors
    /// The first field out of range or missing.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        fields::text("model.name", self.name(), fields::LONGEST_NAME)?;
        match self {
            Self::Dense(dims) => dims.check_numbers("model"),
            Self::Blocks(model) => {
                model.body().validate("model")?;
                model.check_numbers("model")?;
                let unknown = model.blocks.iter().position(|run| run.kv_bytes.is_none());
                unknown.map_or(Ok(()), |at| {
                    let path = format!("model.blocks[{at}].kv_bytes");
                    let message = format!(
                        "{path} is missing: a request keeps keys and values of every token, and these blocks do not say how large \
                         they are"
                    );
                    let null = serde_json::Value::Null;
                    Err(Invalid::new(Code::Missing, path, null, message))
                })
            }
        }
    }
}

/// Both forms at once; which one it is shows in `blocks`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    name: String,
    #[serde(default)]
    layers: Option<f64>,
    #[serde(default)]
    d_model: Option<f64>,
    #[serde(default)]
    h_q: Option<f64>,
    #[serde(default)]
    h_k: Option<f64>,
    #[serde(default)]
    d_head: Option<f64>,
    #[serde(default)]
    d_ff: Option<f64>,
    vocabulary: f64,
    tied_embeddings: bool,
    #[serde(default)]
    token_bytes: Option<f64>,
    #[serde(default)]
    embedding_bytes: Option<f64>,
    #[serde(default)]
    head_bytes: Option<f64>,
    #[serde(default)]
    blocks: Option<Vec<BlockRun>>,
}

impl<'de> Deserialize<'de> for TierModel {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(reader)?;
        let dims = [
            ("layers", wire.layers),
            ("d_model", wire.d_model),
            ("h_q", wire.h_q),
            ("h_k", wire.h_k),
            ("d_head", wire.d_head),
            ("d_ff", wire.d_ff),
        ];
        let of_file = [
            ("token_bytes", wire.token_bytes),
            ("embedding_bytes", wire.embedding_bytes),
            ("head_bytes", wire.head_bytes),
        ];
        let given = |all: &[(&'static str, Option<f64>)]| {
            all.iter()
                .find(|(_, value)| value.is_some())
                .map(|(name, _)| *name)
        };
        let needed = |(name, value): (&'static str, Option<f64>)| {
            value.ok_or_else(|| de::Error::missing_field(name))
        };
        if let Some(blocks) = wire.blocks {
            if let Some(stray) = given(&dims) {
                let known = &["name", "token_bytes", "vocabulary", "blocks"];
                return Err(de::Error::unknown_field(stray, known));
            }
            return Ok(Self::Blocks(TierBlocks {
                name: wire.name,
                token_bytes: needed(of_file[0])?,
                vocabulary: wire.vocabulary,
                tied_embeddings: wire.tied_embeddings,
                embedding_bytes: wire.embedding_bytes,
                head_bytes: wire.head_bytes,
                blocks,
            }));
        }
        if let Some(stray) = given(&of_file) {
            let known = &["name", "layers", "d_model", "vocabulary"];
            return Err(de::Error::unknown_field(stray, known));
        }
        Ok(Self::Dense(TierDimensions {
            name: wire.name,
            layers: needed(dims[0])?,
            d_model: needed(dims[1])?,
            h_q: needed(dims[2])?,
            h_k: needed(dims[3])?,
            d_head: needed(dims[4])?,
            d_ff: needed(dims[5])?,
            vocabulary: wire.vocabulary,
            tied_embeddings: wire.tied_embeddings,
        }))
    }
}
