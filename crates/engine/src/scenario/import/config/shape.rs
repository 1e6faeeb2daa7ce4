//! Counts of a model from the shapes of its blocks.

use super::block::{BlockShape, FeedForward, Keys, Mixer};
use super::family::{Family, OutputGate};
use super::quant::Quantisation;
use super::tensor::Role;
use crate::scenario::fields;
use crate::scenario::import::count::{self, BlockCount, BlockExperts, Counts, EndCount, HeadCount};
use crate::units;

/// Parts before the first block and after the last, besides embedding, head and norms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    /// Width of the embedding and the head where it is not the hidden size; two matrices go between.
    pub(super) width: Option<u64>,
    /// Rows of the embedding that the head does not have.
    pub(super) more_rows: u64,
    /// Rows of a table of token types.
    pub(super) token_types: u64,
    /// Weights of further matrices and of further vectors before the first block.
    pub(super) more: (u64, u64),
}

/// All that the weights follow from.
pub(super) struct ModelShape {
    pub(super) family: Family,
    pub(super) model_type: String,
    pub(super) d: u64,
    /// Heads and widths of the first block with attention, and the width of the first dense feed-forward network; 0 for none.
    pub(super) h_q: u64,
    pub(super) h_k: u64,
    pub(super) d_head: u64,
    pub(super) d_ff: u64,
    pub(super) vocabulary: u64,
    pub(super) tied: bool,
    pub(super) context: Option<u64>,
    pub(super) blocks: Vec<BlockShape>,
    pub(super) ends: Ends,
    pub(super) bytes: Quantisation,
}

impl ModelShape {
    fn block(&self, at: usize, shape: &BlockShape) -> BlockCount {
        let tensors = shape.tensors(self.d, &self.family).tensors;
        let experts = shape.feed_forward.experts();
        let (mut parameters, mut active) = (0_u64, 0_u64);
        let (mut bytes, mut expert_bytes, mut head_bytes) = (0.0, 0.0, 0.0);
        for tensor in &tensors {
            let all = tensor.all_weights();
            let stored = all as f64 * self.bytes.of_weight(at, tensor);
            bytes += stored;
            if tensor.name.contains(".experts.0.") {
                expert_bytes += stored;
            }
            if tensor.name.starts_with("self_attn.") && tensor.role == Role::Matrix {
                head_bytes += stored;
            }
            if tensor.role != Role::Buffer {
                parameters = parameters.saturating_add(all);
            }
            let used = match tensor.role {
                Role::Matrix | Role::Router => all,
                Role::Expert => tensor.weights * experts.map_or(0, |e| e.used),
                Role::Image | Role::Vector | Role::Buffer => 0,
            };
            active = active.saturating_add(used);
        }
        let is_encoder = self.family.encoder;
        let kept = shape.mixers.iter().map(Mixer::kept);
        let (values, state_bytes) = kept.fold((0, 0.0), |(values, bytes), (more, state)| {
            (values + more, bytes + state)
        });
        let values = if is_encoder { 0 } else { values };
        let heads = shape
            .heads()
            .filter(|heads| {
                let is_even = heads.h_q.is_multiple_of(heads.h_k) && heads.d_head == heads.value;
                is_even && values > 0
            })
            .map(|heads| HeadCount {
                h_q: heads.h_q,
                h_k: heads.h_k,
                d_head: heads.d_head,
                bytes: head_bytes,
            });
        BlockCount {
            repeat: 1,
            parameters,
            active,
            weight_bytes: bytes,
            pair_flop: shape.mixers.iter().map(Mixer::pair_flop).sum(),
            kv_token_bytes: 2.0 * values as f64,
            state_bytes,
            window: shape.window,
            experts: experts.map(|e| BlockExperts {
                count: e.count,
                used: e.used,
                bytes_each: expert_bytes / e.count as f64,
            }),
            heads,
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let blocks = self.blocks.iter().enumerate();
        let each: Vec<BlockCount> = blocks.map(|(at, shape)| self.block(at, shape)).collect();
        let (d, ends) = (self.d, &self.ends);
        let width = ends.width.unwrap_or(d);
        let between = if width == d { 0 } else { width * d };
        let positions = match (self.family.positions, self.context) {
            (Some(more), Some(context)) => (context + more) * d,
            _ => 0,
        };
        // The pooler of an encoder.
        let (pooler, pooler_bias) = if self.family.has_pooler {
            (d * d, d)
        } else {
            (0, 0)
        };
        let head_bias = if self.family.head_bias {
            self.vocabulary
        } else {
            0
        };
        let shared = self.vocabulary * width;
        let end = |matrices: u64, of_weight: f64, rest: u64| EndCount {
            parameters: matrices + rest,
            bytes: matrices as f64 * of_weight + rest as f64 * self.bytes.gain_and_bias,
        };
        // One matrix for both is stored once, as the embedding.
        let of_embedding = self.bytes.embedding;
        let of_head = if self.tied {
            of_embedding
        } else {
            self.bytes.head
        };
        let (more_matrices, more_vectors) = ends.more;
        let tables = ends.more_rows * width + between + ends.token_types * d + positions;
        let all = count::Ends {
            embedding: end(
                shared + tables + more_matrices,
                of_embedding,
                self.family.embedding_norm * d + more_vectors,
            ),
            head: end(
                shared + between + pooler,
                of_head,
                self.family.last_norm * d + head_bias + pooler_bias,
            ),
            shared: if self.tied {
                end(shared, of_embedding, 0)
            } else {
                EndCount::default()
            },
        };
        Counts::new(&each, &all)
    }

    /// Returns true for a decoder whose blocks are equal and have a gated feed-forward network without experts.
    pub(super) fn is_dense(&self) -> bool {
        let is_plain = |block: &BlockShape| {
            let has_heads = block.heads().is_some_and(|heads| {
                (heads.h_q, heads.h_k) == (self.h_q, self.h_k)
                    && (heads.d_head, heads.value) == (self.d_head, self.d_head)
                    && heads.keys == Keys::Own
                    && heads.q_rank == 0
            });
            has_heads
                && block.feed_forward == FeedForward::Dense(self.d_ff)
                && block.more.tensors.is_empty()
        };
        self.family.gated
            && !self.family.encoder
            && self.family.output_gate == OutputGate::None
            && self.blocks.iter().all(is_plain)
    }

    /// Adds the notes for the user.
    pub(super) fn add_notes(&self, counts: &Counts, is_plain: bool, notes: &mut Vec<String>) {
        let layers = self.blocks.len();
        let of_blocks = |n: usize| {
            if n == layers {
                "all blocks".to_owned()
            } else {
                format!("{n} of {layers} blocks")
            }
        };
        let experts: Vec<_> = self
            .blocks
            .iter()
            .filter_map(|b| b.feed_forward.experts())
            .collect();
        if let Some(e) = experts.first() {
            let n = experts.len();
            let all = if n == layers {
                String::new()
            } else {
                format!(" in {}", of_blocks(n))
            };
            let shared = if e.shared > 0 || e.dense > 0 {
                ", besides what all tokens go through"
            } else {
                ""
            };
            notes.push(format!(
                "Mixture of experts{all}: {} experts, {} used per token{shared}. Weights of all experts are loaded, work counts {}.",
                e.count, e.used, e.used
            ));
        }
        let mixers = || self.blocks.iter().flat_map(|block| &block.mixers);
        if let Some(latent) = mixers().find_map(|mixer| match mixer {
            Mixer::Latent(latent) => Some(latent),
            _ => None,
        }) {
            let indexer = latent.indexer.map_or_else(String::new, |(_, width)| {
                format!(" + {width} of what chooses the tokens to attend to")
            });
            notes.push(format!(
                "Latent attention: a block keeps {} + {}{indexer} values of a token, not its keys and values; work counts heads at their full width.",
                latent.kv_rank, latent.rope
            ));
        }
        let recurrent = |block: &&BlockShape| {
            block
                .mixers
                .iter()
                .any(|mixer| matches!(mixer, Mixer::Recurrent(_)))
        };
        let n = self.blocks.iter().filter(recurrent).count();
        if n > 0 {
            notes.push(format!(
                "{} keep a state of fixed size, {} per sequence in all: it does not grow with the context. The plan does not count it.",
                of_blocks(n),
                units::bytes(counts.state_bytes)
            ));
        }
        let earlier = mixers()
            .filter(|mixer| matches!(mixer, Mixer::Heads(heads) if heads.keys == Keys::Earlier));
        let n = earlier.count();
        if n > 0 {
            notes.push(format!(
                "{n} of {layers} blocks use the keys and values of earlier blocks and keep none."
            ));
        }
        let windowed: Vec<u64> = self
            .blocks
            .iter()
            .filter_map(|block| block.window)
            .collect();
        if let Some(window) = windowed.first() {
            notes.push(format!(
                "A window of {} tokens in {} of {layers} blocks: there a token attends to at most that many, and the cache stops growing, if the runtime honours it.",
                units::count(*window as f64),
                windowed.len(),
            ));
        }
        if self.family.encoder {
            notes.push("An encoder: it keeps no cache and generates no tokens. The base model with its pooler is counted; a task head comes on top.".to_owned());
        }
        let images: Vec<_> = mixers()
            .filter_map(|mixer| match mixer {
                Mixer::Heads(heads) if heads.keys == Keys::Image => Some(heads),
                _ => None,
            })
            .collect();
        if let Some(heads) = images.first() {
            notes.push(format!(
                "{} of {layers} blocks attend to the image and keep no text tokens. The image\u{2019}s own work and its keys and values, {} B per image token and block, are not counted.",
                images.len(),
                units::count(4.0 * (heads.h_k * heads.d_head) as f64)
            ));
        }
        if is_plain {
            let d = self.d;
            let own = 2 * d * self.d_head * (self.h_q + self.h_k) + 3 * d * self.d_ff;
            let all = counts.blocks.first().map_or(0, |b| b.parameters);
            let rest = all.saturating_sub(own);
            if rest > 0 {
                notes.push(format!(
                    "The planner\u{2019}s block has {} parameters: gains and biases, {} of {}, stay outside it, as in the paper.",
                    units::count(own as f64),
                    units::count(rest as f64),
                    units::count(all as f64)
                ));
            }
        }
        notes.push("Keys and values count as 16 bits each. Embedding, output head and the cache stay outside the plan of a cold start.".to_owned());
        if layers > fields::MOST_LAYERS {
            notes.push(format!(
                "At most {} blocks are planned.",
                fields::MOST_LAYERS
            ));
        }
    }
}
