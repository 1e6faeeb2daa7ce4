//! The model of a scenario: a transformer by its dimensions, a table with one row per layer, or blocks as a file has them.
//!
//! In JSON the first two are an object with `name` and `layers`: a number of blocks with the dimensions beside it, or
//! a list of rows `{"W","A","P"}` and nothing else; the third has `token_bytes` and `blocks` instead. Other rooms ask a
//! [`Model`] what they need and leave its form alone.

use super::blocks::{BlockModel, BlockRun};
use super::fields::{self, NumberFields, numbers};
use crate::model::Transformer;
use crate::model::cost::BlockCost;
use crate::model::precision::{Precision, Stored, of_cache};
use crate::problem::{Code, Invalid, LayerNumbers};
use crate::units::bytes;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The model to run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Model {
    /// A transformer of identical blocks; what a block costs follows from the prompt.
    Dimensions(Dimensions),
    /// Layers as numbers. They hold for one prompt length and do not change with it.
    Table(LayerTable),
    /// Blocks as a file has them; what a block costs follows from the prompt.
    Blocks(BlockModel),
}

/// A transformer by its dimensions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Dimensions {
    /// Its name.
    pub name: String,
    /// Number of blocks.
    pub layers: f64,
    /// Hidden size.
    pub d_model: f64,
    /// Query heads.
    pub h_q: f64,
    /// Key/value heads.
    pub h_k: f64,
    /// Width of a head.
    pub d_head: f64,
    /// Feed-forward width.
    pub d_ff: f64,
    /// How weights are stored; left out for 16 bits, as the paper counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Precision>,
    /// How keys and values are stored; left out for 16 bits.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "of_cache"
    )]
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(schema_with = "crate::model::precision::cache_schema")
    )]
    pub cache: Option<Precision>,
}

/// A model with one row per layer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct LayerTable {
    /// Its name.
    pub name: String,
    /// The layers in order.
    pub layers: Vec<LayerRow>,
}

/// A layer as a person pastes it; the names are those of the problem files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct LayerRow {
    /// Arithmetic of one forward pass [FLOP].
    pub W: f64,
    /// Output that the next layer needs [B].
    pub A: f64,
    /// Parameters [B].
    pub P: f64,
}

impl From<&LayerRow> for LayerNumbers {
    fn from(row: &LayerRow) -> Self {
        Self {
            work: row.W,
            activation: row.A,
            weights: row.P,
        }
    }
}

/// Note wherever the prompt length can be changed and the model is a table.
pub const FIXED_TABLE: &str = "The table\u{2019}s W and A hold for one prompt length and do not change with it; only the \
                               devices\u{2019} utilisation does.";

impl Model {
    /// A catalogue row.
    #[must_use]
    pub fn from_dims(name: &str, t: &Transformer) -> Self {
        Self::Dimensions(Dimensions {
            name: name.to_owned(),
            layers: f64::from(t.n_layers),
            d_model: t.d_model,
            h_q: t.h_q,
            h_k: t.h_k,
            d_head: t.d_head,
            d_ff: t.d_ff,
            weights: None,
            cache: None,
        })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Dimensions(dims) => &dims.name,
            Self::Table(table) => &table.name,
            Self::Blocks(model) => &model.name,
        }
    }

    /// Gives it another name.
    pub fn rename(&mut self, name: String) {
        match self {
            Self::Dimensions(dims) => dims.name = name,
            Self::Table(table) => table.name = name,
            Self::Blocks(model) => model.name = name,
        }
    }

    /// How many layers it has.
    #[must_use]
    pub fn layers_count(&self) -> usize {
        match self {
            Self::Dimensions(dims) => dims.layers as usize,
            Self::Table(table) => table.layers.len(),
            Self::Blocks(model) => model.count(),
        }
    }

    /// Returns true if its layers are numbers that do not depend on the prompt; [`FIXED_TABLE`] then applies.
    #[must_use]
    pub fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }

    /// The dimensions, if it has some.
    #[must_use]
    pub fn dimensions(&self) -> Option<&Dimensions> {
        match self {
            Self::Dimensions(dims) => Some(dims),
            Self::Table(_) | Self::Blocks(_) => None,
        }
    }

    /// Returns the model stored in another precision. A model by the bytes of its file stays as it is.
    #[must_use]
    pub fn with_stored(mut self, stored: Stored) -> Self {
        if let Self::Dimensions(dims) = &mut self {
            (dims.weights, dims.cache) = (stored.weights, stored.cache);
        }
        self
    }

    /// How it is stored, as far as that is said; nothing where its layers are known by their bytes.
    #[must_use]
    pub fn stored(&self) -> Option<Stored> {
        self.dimensions().map(Dimensions::stored)
    }

    /// Its name, with how it is stored where that is not 16 bits.
    #[must_use]
    pub fn shown_name(&self) -> String {
        self.stored().unwrap_or_default().of_model(self.name())
    }

    /// The blocks as a file has them, if it has such.
    #[must_use]
    pub fn blocks(&self) -> Option<&BlockModel> {
        match self {
            Self::Blocks(model) => Some(model),
            Self::Dimensions(_) | Self::Table(_) => None,
        }
    }

    /// True if any of its blocks have experts.
    #[must_use]
    pub fn has_experts(&self) -> bool {
        self.blocks().is_some_and(BlockModel::has_experts)
    }

    /// The dimensions to change, if it has some.
    pub fn dimensions_mut(&mut self) -> Option<&mut Dimensions> {
        match self {
            Self::Dimensions(dims) => Some(dims),
            Self::Table(_) | Self::Blocks(_) => None,
        }
    }

    /// Every layer at a prompt of `tokens` tokens, in order: W [FLOP], A [B], P [B].
    ///
    /// # Complexity
    /// O(layers).
    #[must_use]
    pub fn layers_at(&self, tokens: f64) -> Vec<LayerNumbers> {
        match self {
            Self::Dimensions(dims) => {
                let (work, activation, weights) = dims.block(tokens);
                let block = LayerNumbers {
                    work,
                    activation,
                    weights,
                };
                vec![block; self.layers_count()]
            }
            Self::Table(table) => table.layers.iter().map(LayerNumbers::from).collect(),
            Self::Blocks(model) => model.layers_at(tokens),
        }
    }

    /// Keys and values of one token in every layer [B], and the most tokens that are kept where that is limited; `None` where
    /// the model does not say.
    ///
    /// # Complexity
    /// O(layers).
    #[must_use]
    pub fn cache_of_layers(&self) -> Option<Vec<(f64, Option<f64>)>> {
        match self {
            Self::Dimensions(dims) => {
                let layer = (dims.kv_of_token(), None);
                Some(vec![layer; self.layers_count()])
            }
            Self::Blocks(model) => {
                let of_run = |run: &BlockRun| {
                    let layer = (run.kv_bytes?, run.window);
                    Some(vec![layer; run.repeat as usize])
                };
                let runs: Option<Vec<_>> = model.blocks.iter().map(of_run).collect();
                Some(runs?.concat())
            }
            Self::Table(_) => None,
        }
    }

    /// Describes the layers: their number, the size of one, the size of all.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Dimensions(dims) => {
                let (_, _, weights) = dims.block(1.0);
                format!(
                    "{} of {}, {} in {}",
                    plural(self.layers_count()),
                    bytes(weights),
                    bytes(weights * dims.layers),
                    dims.weights.unwrap_or(Precision::Bf16).name()
                )
            }
            Self::Table(table) => sizes(&table.layers.iter().map(|row| row.P).collect::<Vec<_>>()),
            Self::Blocks(model) => {
                let layers = model.layers_at(1.0);
                sizes(&layers.iter().map(|layer| layer.weights).collect::<Vec<_>>())
            }
        }
    }

    /// Checks every number against the ranges of the page.
    ///
    /// # Errors
    /// The first field out of range, as `model.d_ff` or `model.layers[3].W`.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        fields::text("model.name", self.name(), fields::LONGEST_NAME)?;
        match self {
            Self::Dimensions(dims) => dims.check_numbers("model"),
            Self::Blocks(model) => model.validate("model"),
            Self::Table(table) => {
                let count = table.layers.len();
                if count == 0 || count > fields::MOST_LAYERS {
                    let most = fields::MOST_LAYERS;
                    let message = format!(
                        "model.layers must be a list of 1 to {most} layers, it has {count}"
                    );
                    return Err(Invalid::new(Code::Range, "model.layers", count, message));
                }
                table
                    .layers
                    .iter()
                    .enumerate()
                    .try_for_each(|(i, row)| row.check_numbers(&format!("model.layers[{i}]")))
            }
        }
    }
}

/// "40 layers of 200 MB to 240 MB, 9.1 GB in all".
fn sizes(weights: &[f64]) -> String {
    let (least, most) = (
        bytes(weights.iter().copied().fold(f64::INFINITY, f64::min)),
        bytes(weights.iter().copied().fold(0.0, f64::max)),
    );
    let each = if least == most {
        format!("of {least}")
    } else {
        format!("of {least} to {most}")
    };
    format!(
        "{} {each}, {} in all",
        plural(weights.len()),
        bytes(weights.iter().sum())
    )
}

fn plural(layers: usize) -> String {
    match layers {
        1 => "1 layer".to_owned(),
        many => format!("{many} layers"),
    }
}

numbers!(Dimensions: layers, d_model, h_q, h_k, d_head, d_ff);
numbers!(LayerRow: W, A, P);

impl Dimensions {
    /// As the model's equations take them; `layers` has been checked to be a whole number in range.
    #[must_use]
    pub fn transformer(&self) -> Transformer {
        Transformer {
            n_layers: self.layers as u32,
            d_model: self.d_model,
            h_q: self.h_q,
            h_k: self.h_k,
            d_head: self.d_head,
            d_ff: self.d_ff,
        }
    }

    /// Returns the cost of one block for a prompt of `tokens` tokens: W [FLOP], A [B], and P [B] in the precision of the weights.
    #[must_use]
    pub fn block(&self, tokens: f64) -> (f64, f64, f64) {
        let [weights, _] = self.stored().counted();
        let model = self.transformer();
        let (work, activation, _) = model.block(tokens);
        (work, activation, weights.block_bytes(&model))
    }

    /// One block by its bytes and its arithmetic; attention to every pair of tokens, as CSGO counts it.
    #[must_use]
    pub fn block_cost(&self) -> BlockCost {
        let block = self.transformer();
        let token_flop = block.block_of_token(0.0);
        BlockCost {
            weights: self.block(1.0).2,
            experts: None,
            token_flop,
            pair_flop: block.block_of_token(1.0) - token_flop,
            window: None,
            cache: self.kv_of_token(),
        }
    }

    /// Keys and values of one token in one block, in the precision of the cache [B].
    #[must_use]
    pub fn kv_of_token(&self) -> f64 {
        let [_, cache] = self.stored().counted();
        self.transformer().kv_of_token() * cache.share()
    }

    /// How the model is stored.
    #[must_use]
    pub const fn stored(&self) -> Stored {
        Stored {
            weights: self.weights,
            cache: self.cache,
        }
    }
}

/// All forms at once; which one it is shows in `blocks` and in what `layers` holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    name: String,
    #[serde(default, deserialize_with = "there")]
    layers: Option<Layers>,
    #[serde(default, deserialize_with = "given")]
    token_bytes: Option<f64>,
    #[serde(default, deserialize_with = "there")]
    blocks: Option<Vec<BlockRun>>,
    #[serde(default, deserialize_with = "given")]
    d_model: Option<f64>,
    #[serde(default, deserialize_with = "given")]
    h_q: Option<f64>,
    #[serde(default, deserialize_with = "given")]
    h_k: Option<f64>,
    #[serde(default, deserialize_with = "given")]
    d_head: Option<f64>,
    #[serde(default, deserialize_with = "given")]
    d_ff: Option<f64>,
    #[serde(default)]
    weights: Option<Precision>,
    #[serde(default, deserialize_with = "of_cache")]
    cache: Option<Precision>,
}

/// A number; `null` is none.
fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<f64>, D::Error> {
    f64::deserialize(reader).map(Some)
}

/// Reads a value; refuses `null`.
fn there<'de, D: Deserializer<'de>, T: Deserialize<'de>>(reader: D) -> Result<Option<T>, D::Error> {
    T::deserialize(reader).map(Some)
}

enum Layers {
    Count(f64),
    Rows(Vec<LayerRow>),
}

impl<'de> Deserialize<'de> for Layers {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Either)
    }
}

/// A number or a list.
struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Layers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a list of layers {\"W\", \"A\", \"P\"}")
    }

    fn visit_f64<E>(self, count: f64) -> Result<Layers, E> {
        Ok(Layers::Count(count))
    }

    fn visit_u64<E>(self, count: u64) -> Result<Layers, E> {
        Ok(Layers::Count(count as f64))
    }

    fn visit_i64<E>(self, count: i64) -> Result<Layers, E> {
        Ok(Layers::Count(count as f64))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Layers, S::Error> {
        let mut rows = Vec::new();
        while let Some(row) = items.next_element()? {
            rows.push(row);
        }
        Ok(Layers::Rows(rows))
    }
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(reader)?;
        let dims = [
            ("d_model", wire.d_model),
            ("h_q", wire.h_q),
            ("h_k", wire.h_k),
            ("d_head", wire.d_head),
            ("d_ff", wire.d_ff),
        ];
        // What only dimensions have.
        let stray = {
            let stored = [("weights", wire.weights), ("cache", wire.cache)];
            let stored = stored.iter().filter(|(_, value)| value.is_some());
            let mut all = dims.iter().filter(|(_, value)| value.is_some());
            let first = all.next().map(|(name, _)| *name);
            first.or(stored.map(|(name, _)| *name).next())
        };
        let layers = match (wire.blocks, wire.layers) {
            (Some(blocks), None) => {
                if let Some(stray) = stray {
                    let known = &["name", "token_bytes", "blocks"];
                    return Err(de::Error::unknown_field(stray, known));
                }
                let token_bytes = wire.token_bytes;
                return Ok(Self::Blocks(BlockModel {
                    name: wire.name,
                    token_bytes: token_bytes
                        .ok_or_else(|| de::Error::missing_field("token_bytes"))?,
                    blocks,
                }));
            }
            (Some(_), Some(_)) => {
                let known = &["name", "token_bytes", "blocks"];
                return Err(de::Error::unknown_field("layers", known));
            }
            (None, Some(_)) if wire.token_bytes.is_some() => {
                return Err(de::Error::unknown_field("token_bytes", &["name", "layers"]));
            }
            (None, layers) => layers.ok_or_else(|| de::Error::missing_field("layers"))?,
        };
        match layers {
            Layers::Rows(layers) => match stray {
                Some(stray) => Err(de::Error::unknown_field(stray, &["name", "layers"])),
                None => Ok(Self::Table(LayerTable {
                    name: wire.name,
                    layers,
                })),
            },
            Layers::Count(layers) => {
                let number = |at: usize| {
                    let (name, value): (&'static str, Option<f64>) = dims[at];
                    value.ok_or_else(|| de::Error::missing_field(name))
                };
                Ok(Self::Dimensions(Dimensions {
                    name: wire.name,
                    layers,
                    d_model: number(0)?,
                    h_q: number(1)?,
                    h_k: number(2)?,
                    d_head: number(3)?,
                    d_ff: number(4)?,
                    weights: wire.weights,
                    cache: wire.cache,
                }))
            }
        }
    }
}
