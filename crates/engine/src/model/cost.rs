//! Costs of generation with a model: operations, bytes and memory of a block, of the output head and of the cache.
//!
//! Source: Hyperion, section III, restated for grouped-query attention, a gated feed-forward of three matrices and a
//! cache of keys and values; the paper lists only parameters, blocks and hidden size, the rest is each model's public
//! configuration. Differs from [`Transformer::block`], which is CSGO's and counts attention in full: here a prompt is
//! causal, norm gains are stored, and weights and cache may be quantised. Everything is O(1).

use super::Transformer;
use super::catalog::CatalogModel;
use super::precision::{BYTES_16, Precision};

/// Bytes and arithmetic of one decoder block; dense or a mixture of experts, with a window or without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockCost {
    /// All that it keeps in memory [B].
    pub weights: f64,
    /// Its experts; `None` of a dense block.
    pub experts: Option<Experts>,
    /// Arithmetic on one token without attention scores [FLOP].
    pub token_flop: f64,
    /// Arithmetic of attention on one pair of tokens [FLOP].
    pub pair_flop: f64,
    /// How many tokens a token attends to at most; `None` for all.
    pub window: Option<f64>,
    /// Keys and values of one token [B].
    pub cache: f64,
}

/// Experts of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experts {
    /// How many, E.
    pub count: f64,
    /// How many of them a token uses, k.
    pub used: f64,
    /// Weights of one [B].
    pub bytes: f64,
}

impl BlockCost {
    /// Weights that a pass of `tokens` tokens is expected to read [B]: what all tokens share, and of E experts those that any
    /// token uses, E (1 - (1 - k/E)^tokens) if each token uses k of them independently of the others. For one token these are its
    /// k experts.
    #[must_use]
    pub fn weights_read(&self, tokens: f64) -> f64 {
        match self.experts {
            Some(experts) if experts.used < experts.count => {
                let untouched = libm::pow(1.0 - experts.used / experts.count, tokens);
                self.weights - experts.count * untouched * experts.bytes
            }
            _ => self.weights,
        }
    }

    /// Tokens whose keys and values there are after `tokens` tokens: at most a window.
    #[must_use]
    pub fn kept(&self, tokens: f64) -> f64 {
        self.window.map_or(tokens, |window| tokens.min(window))
    }

    /// Work on a prompt of `tokens` tokens [FLOP]: causal attention.
    #[must_use]
    pub fn prefill(&self, tokens: f64) -> f64 {
        let kept = self.kept(tokens);
        let growing = 0.5 * self.pair_flop * kept * (kept + 1.0);
        let whole = (tokens - kept) * self.pair_flop * kept;
        self.token_flop * tokens + growing + whole
    }

    /// Work on one token that attends to `context` tokens, itself included [FLOP].
    #[must_use]
    pub fn decode(&self, context: f64) -> f64 {
        self.token_flop + self.pair_flop * context
    }
}

/// A model with its vocabulary: all that generation needs to know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecoderCost {
    /// The blocks.
    pub dims: Transformer,
    /// Tokens it knows, V.
    pub vocabulary: f64,
    /// True if embedding and output head are one matrix.
    pub tied: bool,
}

impl From<&CatalogModel> for DecoderCost {
    fn from(entry: &CatalogModel) -> Self {
        Self {
            dims: entry.dims,
            vocabulary: f64::from(entry.vocabulary),
            tied: entry.tied_embeddings,
        }
    }
}

impl DecoderCost {
    /// Weights of one block that are multiplied with, w.
    #[must_use]
    pub fn block_weights(&self) -> f64 {
        let t = &self.dims;
        2.0 * t.d_model * t.d_head * (t.h_q + t.h_k) + 3.0 * t.d_model * t.d_ff
    }

    /// Parameters of one block: w and two norm gains.
    #[must_use]
    pub fn block_parameters(&self) -> f64 {
        self.block_weights() + 2.0 * self.dims.d_model
    }

    /// Parameters of the whole model; a matrix that is embedding and head counts once.
    #[must_use]
    pub fn parameters(&self) -> f64 {
        let ends = if self.tied { 1.0 } else { 2.0 };
        f64::from(self.dims.n_layers) * self.block_parameters()
            + ends * self.vocabulary * self.dims.d_model
            + self.dims.d_model
    }

    /// A block, with weights and cache stored so.
    #[must_use]
    pub fn block(&self, weights: Precision, cache: Precision) -> BlockCost {
        let t = &self.dims;
        BlockCost {
            weights: self.block_bytes(weights),
            experts: None,
            token_flop: 2.0 * self.block_weights(),
            pair_flop: 4.0 * t.h_q * t.d_head,
            window: None,
            cache: self.cache_bytes(cache),
        }
    }

    /// Work of the output head, once a token that is put out [FLOP].
    #[must_use]
    pub fn head(&self) -> f64 {
        2.0 * self.vocabulary * self.dims.d_model
    }

    /// Weights of one block, W [B]: quantised matrices, and norm gains in 16 bits.
    #[must_use]
    pub fn block_bytes(&self, precision: Precision) -> f64 {
        precision.block_bytes(&self.dims) + 2.0 * BYTES_16 * self.dims.d_model
    }

    /// The output head [B].
    #[must_use]
    pub fn head_bytes(&self, precision: Precision) -> f64 {
        self.vocabulary * self.dims.d_model * precision.head_bytes()
    }

    /// The embedding [B].
    #[must_use]
    pub fn embedding_bytes(&self, precision: Precision) -> f64 {
        self.vocabulary * self.dims.d_model * precision.embedding_bytes(self.tied)
    }

    /// All weights [B]; a matrix that is embedding and head counts once.
    #[must_use]
    pub fn bytes(&self, precision: Precision) -> f64 {
        let embedding = match self.tied {
            true => 0.0,
            false => self.embedding_bytes(precision),
        };
        f64::from(self.dims.n_layers) * self.block_bytes(precision)
            + embedding
            + self.head_bytes(precision)
            + BYTES_16 * self.dims.d_model
    }

    /// Keys and values of one token in one block [B].
    #[must_use]
    pub fn cache_bytes(&self, precision: Precision) -> f64 {
        2.0 * self.dims.h_k * self.dims.d_head * precision.bytes()
    }
}

/// Tokens of a prompt that llama.cpp computes at once, unless told otherwise (`n_ubatch`).
const BATCH: f64 = 512.0;

/// Bytes of a logit, and of a hidden value while it is computed.
const FLOAT: f64 = 4.0;

/// The buffer that a runtime reserves where the output head is computed [B]: logits and hidden values of a batch of 512 tokens, in
/// 32 bits.
///
/// Source: the graph of the worst case that llama.cpp reserves; its logs of Llama 3.1 8B say 258.5 MiB, and so does this.
#[must_use]
pub fn logits_buffer(vocabulary: f64, width: f64) -> f64 {
    FLOAT * BATCH * (vocabulary + width)
}
