//! A decoder as tiers share it out: runs of equal blocks, dense or not, and what is beside them.

use crate::model::cost::{BlockCost, DecoderCost, logits_buffer};
use crate::model::precision::{BYTES_16, Precision};
use std::ops::Range;

/// A decoder as tiers share it out: its blocks in runs of equal ones, and what is beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct TierDecoder {
    /// How many equal blocks, and what one costs, in order.
    pub runs: Vec<(usize, BlockCost)>,
    /// Hidden size, d.
    pub width: f64,
    /// The embedding, on the tier of the first block [B].
    pub embedding: f64,
    /// The output head, on the tier of the last block [B].
    pub head: f64,
    /// Work of the output head, once a token that is put out [FLOP].
    pub head_flop: f64,
    /// The buffer of logits that a runtime reserves, on the tier of the last block [B]; 0 where the vocabulary is not known.
    pub logits: f64,
    /// Parameters of the whole model.
    pub parameters: f64,
    /// Memory of a task for each token of its prompt, while the prompt passes a block [B].
    pub workspace: f64,
}

impl TierDecoder {
    /// A dense decoder, with weights and cache stored so.
    #[must_use]
    pub fn dense(model: &DecoderCost, weights: Precision, cache: Precision) -> Self {
        Self {
            runs: vec![(model.dims.n_layers as usize, model.block(weights, cache))],
            width: model.dims.d_model,
            embedding: model.embedding_bytes(weights),
            head: model.head_bytes(weights),
            head_flop: model.head(),
            logits: logits_buffer(model.vocabulary, model.dims.d_model),
            parameters: model.parameters(),
            workspace: workspace_of_token(model.dims.d_ff, model.dims.d_model),
        }
    }

    /// A decoder by its blocks: runs, hidden size, vocabulary, embedding and output head [B].
    ///
    /// A weight is two FLOP of a token, so that parameters follow from the work of the blocks; a block that reads nothing has none. No
    /// feed-forward is wider than what all of a block's work would make it in three matrices.
    #[must_use]
    pub fn of_blocks(
        runs: Vec<(usize, BlockCost)>,
        width: f64,
        vocabulary: f64,
        [embedding, head]: [f64; 2],
    ) -> Self {
        let parameters = |(count, block): &(usize, BlockCost)| {
            let read = block.weights_read(1.0);
            let of_byte = if read > 0.0 {
                0.5 * block.token_flop / read
            } else {
                0.0
            };
            *count as f64 * block.weights * of_byte
        };
        let widest = runs
            .iter()
            .map(|(_, block)| block.token_flop)
            .fold(0.0, f64::max);
        Self {
            parameters: runs.iter().map(parameters).sum::<f64>() + 2.0 * vocabulary * width,
            workspace: workspace_of_token(widest / (6.0 * width.max(1.0)), width),
            head_flop: 2.0 * vocabulary * width,
            logits: if vocabulary > 0.0 {
                logits_buffer(vocabulary, width)
            } else {
                0.0
            },
            width,
            embedding,
            head,
            runs,
        }
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.runs.iter().map(|(count, _)| count).sum()
    }

    /// The sum of a number of each block in a range of blocks, from 0.
    ///
    /// # Complexity
    /// O(runs).
    #[must_use]
    pub fn sum(&self, blocks: &Range<usize>, of: impl Fn(&BlockCost) -> f64) -> f64 {
        let mut begin = 0;
        let mut sum = 0.0;
        for (count, block) in &self.runs {
            let end = begin + count;
            let both = blocks.end.min(end).saturating_sub(blocks.start.max(begin));
            if both > 0 {
                sum += both as f64 * of(block);
            }
            begin = end;
        }
        sum
    }

    /// A number of each block, in order.
    pub(super) fn each(&self, of: impl Fn(&BlockCost) -> f64) -> Vec<f64> {
        let runs = self.runs.iter();
        runs.flat_map(|(count, block)| std::iter::repeat_n(of(block), *count))
            .collect()
    }

    /// Keys and values of `tokens` tokens in a range of blocks [B].
    #[must_use]
    pub fn cache(&self, blocks: &Range<usize>, tokens: f64) -> f64 {
        self.sum(blocks, |block| block.kept(tokens) * block.cache)
    }
}

/// Memory of a task for each token of its prompt while it passes a block [B]: two rows of the feed-forward and four of the hidden
/// size.
fn workspace_of_token(feed_forward: f64, width: f64) -> f64 {
    (2.0 * feed_forward + 4.0 * width) * BYTES_16
}
