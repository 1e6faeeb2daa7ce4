//! Weights of every block, matrix by matrix, from the dimensions.

use super::count::{self, BlockCount, BlockExperts, Counts, EndCount, HeadCount};
use super::family::{Family, QkNorm};
use super::quant;
use crate::scenario::fields;
use crate::units;

/// Experts.
pub(super) struct Experts {
    pub(super) count: u64,
    pub(super) used: u64,
    pub(super) width: u64,
    /// Width of what all tokens go through besides, and whether it has a gate of its own.
    pub(super) shared: u64,
    pub(super) shared_gate: bool,
    /// Which blocks have them.
    pub(super) at: Vec<bool>,
}

/// Keys and values as they are made and kept.
#[derive(Clone, Copy)]
pub(super) enum AttentionKind {
    /// Heads of keys and values, shared by groups of query heads.
    Grouped,
    /// A latent vector: ranks of queries (0: none) and of keys and values, widths of the parts of a head.
    Latent {
        q_rank: u64,
        kv_rank: u64,
        rope: u64,
        nope: u64,
        value: u64,
    },
}

/// Parts before the first block and after the last, besides embedding, head and norms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    /// Width of the embedding and the head where it is not the hidden size; two matrices go between.
    pub(super) width: Option<u64>,
    /// Rows of the embedding that the head does not have.
    pub(super) more_rows: u64,
    /// Rows of a table of token types.
    pub(super) token_types: u64,
}

/// All that the weights follow from.
pub(super) struct ModelShape {
    pub(super) family: Family,
    pub(super) model_type: String,
    pub(super) layers: u64,
    pub(super) d: u64,
    pub(super) h_q: u64,
    pub(super) h_k: u64,
    pub(super) d_head: u64,
    pub(super) d_ff: u64,
    pub(super) vocabulary: u64,
    pub(super) tied: bool,
    pub(super) context: Option<u64>,
    pub(super) attention: AttentionKind,
    pub(super) experts: Option<Experts>,
    pub(super) windows: Vec<Option<u64>>,
    /// Blocks that attend to an image and not to the text.
    pub(super) cross: Vec<bool>,
    pub(super) ends: Ends,
    pub(super) bytes: quant::Bytes,
}

impl ModelShape {
    /// Weights of the attention of a block: matrices, and the rest.
    fn attention(&self, is_cross: bool) -> (u64, u64) {
        let (d, h) = (self.d, self.h_q);
        let (q, kv) = (self.h_q * self.d_head, self.h_k * self.d_head);
        let gpt_oss_sinks = if self.model_type == "gpt_oss" { h } else { 0 };
        match self.attention {
            AttentionKind::Grouped => {
                let mut rest = gpt_oss_sinks;
                rest += if self.family.qkv_bias { q + 2 * kv } else { 0 };
                rest += if self.family.out_bias { d } else { 0 };
                // Gains on queries and keys, and a gate behind each half of the block.
                rest += if is_cross { 2 * self.d_head + 2 } else { 0 };
                rest += match self.family.qk_norm {
                    QkNorm::None => 0,
                    QkNorm::Head => 2 * self.d_head,
                    QkNorm::Full => q + kv,
                };
                (d * (2 * q + 2 * kv), rest)
            }
            AttentionKind::Latent {
                q_rank,
                kv_rank,
                rope,
                nope,
                value,
            } => {
                let wide = h * (nope + rope);
                let (queries, gain) = if q_rank > 0 {
                    (q_rank * (d + wide), q_rank)
                } else {
                    (d * wide, 0)
                };
                let keys = d * (kv_rank + rope) + kv_rank * h * (nope + value);
                (queries + keys + h * value * d, gain + kv_rank)
            }
        }
    }

    /// A feed-forward of this width: its matrices, and its biases.
    fn feed_forward(&self, width: u64) -> (u64, u64) {
        let gates = if self.family.gated { 2 } else { 1 };
        let bias = if self.family.ffn_bias {
            gates * width + self.d
        } else {
            0
        };
        ((gates + 1) * self.d * width, bias)
    }

    fn block(&self, at: usize) -> BlockCount {
        let is_cross = self.is_cross(at);
        let (attention, mut rest) = self.attention(is_cross);
        rest += self.family.norms * self.d;
        // Keys and values of an image are made once, not for every token.
        let of_image = if is_cross {
            2 * self.d * self.h_k * self.d_head
        } else {
            0
        };
        let attention_active = attention - of_image;
        let (q_all, all_heads) = (self.h_q as f64, self.d_head as f64);
        let (pair, kept) = match self.attention {
            AttentionKind::Grouped => (4.0 * q_all * all_heads, 2 * self.h_k * self.d_head),
            AttentionKind::Latent {
                kv_rank,
                rope,
                nope,
                value,
                ..
            } => (2.0 * q_all * (nope + rope + value) as f64, kv_rank + rope),
        };
        let (pair, kept) = match (is_cross, self.family.encoder) {
            (true, _) => (0.0, 0),
            (false, true) => (pair, 0),
            (false, false) => (pair, kept),
        };
        let b = &self.bytes;
        let is_grouped = matches!(self.attention, AttentionKind::Grouped);
        let heads =
            (is_grouped && kept > 0 && self.h_q.is_multiple_of(self.h_k)).then_some(HeadCount {
                h_q: self.h_q,
                h_k: self.h_k,
                d_head: self.d_head,
                bytes: attention as f64 * b.matrix,
            });
        let (parameters, active, bytes, experts) = match self
            .experts
            .as_ref()
            .filter(|e| e.at.get(at) == Some(&true))
        {
            None => {
                let (matrices, bias) = self.feed_forward(self.d_ff);
                let bytes = (attention + matrices) as f64 * b.matrix
                    + (rest + bias) as f64 * b.gain_and_bias;
                (
                    attention + matrices + rest + bias,
                    attention_active + matrices,
                    bytes,
                    None,
                )
            }
            Some(e) => {
                let (one, bias) = self.feed_forward(e.width);
                let (shared, shared_bias) = if e.shared > 0 {
                    self.feed_forward(e.shared)
                } else {
                    (0, 0)
                };
                let mut router = e.count * self.d;
                router += if e.shared_gate { self.d } else { 0 };
                let router_bias = if self.family.router_bias { e.count } else { 0 };
                let small = rest + router_bias + e.count * bias + shared_bias;
                let bytes = attention as f64 * b.matrix
                    + (e.count * one + shared) as f64 * b.expert
                    + router as f64 * b.router
                    + small as f64 * b.gain_and_bias;
                (
                    attention + e.count * one + shared + router + small,
                    attention_active + e.used * one + shared + router,
                    bytes,
                    Some(BlockExperts {
                        count: e.count,
                        used: e.used,
                        bytes_each: one as f64 * b.expert + bias as f64 * b.gain_and_bias,
                    }),
                )
            }
        };
        BlockCount {
            repeat: 1,
            parameters,
            active,
            weight_bytes: bytes,
            pair_flop: pair,
            kv_token_bytes: 2.0 * kept as f64,
            window: self.windows.get(at).copied().flatten(),
            experts,
            heads,
        }
    }

    fn is_cross(&self, at: usize) -> bool {
        self.cross.get(at) == Some(&true)
    }

    pub(super) fn counts(&self) -> Counts {
        let each: Vec<BlockCount> = (0..self.layers as usize).map(|at| self.block(at)).collect();
        let (d, ends) = (self.d, &self.ends);
        let width = ends.width.unwrap_or(d);
        let between = if width == d { 0 } else { width * d };
        let positions = match (self.family.positions, self.context) {
            (Some(more), Some(context)) => (context + more) * d,
            _ => 0,
        };
        // The pooler of an encoder.
        let (pooler, pooler_bias) = if self.family.encoder {
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
        let end = |matrices: u64, rest: u64| EndCount {
            parameters: matrices + rest,
            bytes: matrices as f64 * self.bytes.ends + rest as f64 * self.bytes.gain_and_bias,
        };
        let all = count::Ends {
            embedding: end(
                shared + ends.more_rows * width + between + ends.token_types * d + positions,
                self.family.embedding_norm * d,
            ),
            head: end(
                shared + between + pooler,
                self.family.last_norm * d + head_bias + pooler_bias,
            ),
            shared: if self.tied {
                end(shared, 0)
            } else {
                EndCount::default()
            },
        };
        Counts::new(&each, &all)
    }

    /// Returns true for a decoder whose blocks are equal and have a gated feed-forward network without experts.
    pub(super) fn is_dense(&self) -> bool {
        self.experts.is_none()
            && self.family.gated
            && !self.family.encoder
            && !self.cross.contains(&true)
            && matches!(self.attention, AttentionKind::Grouped)
    }

    /// Adds the notes for the user.
    pub(super) fn add_notes(&self, counts: &Counts, is_plain: bool, notes: &mut Vec<String>) {
        if let Some(e) = &self.experts {
            let n = e.at.iter().filter(|is| **is).count();
            let all = if n == e.at.len() {
                String::new()
            } else {
                format!(" in {n} of {} blocks", e.at.len())
            };
            let shared = if e.shared > 0 {
                ", besides what all tokens go through"
            } else {
                ""
            };
            notes.push(format!(
                "Mixture of experts{all}: {} experts, {} used per token{shared}. Weights of all experts are loaded, work counts {}.",
                e.count, e.used, e.used
            ));
        }
        if let AttentionKind::Latent { kv_rank, rope, .. } = self.attention {
            notes.push(format!(
                "Latent attention: a block keeps {kv_rank} + {rope} values of a token, not its keys and values; work counts heads at their full width."
            ));
        }
        let windowed: Vec<u64> = self.windows.iter().flatten().copied().collect();
        if let Some(window) = windowed.first() {
            notes.push(format!(
                "A window of {} tokens in {} of {} blocks: there a token attends to at most that many, and the cache stops growing, if the runtime honours it.",
                units::count(*window as f64),
                windowed.len(),
                self.layers
            ));
        }
        if self.family.encoder {
            notes.push("An encoder: it keeps no cache and generates no tokens. The base model with its pooler is counted; a task head comes on top.".to_owned());
        }
        let cross = self.cross.iter().filter(|is| **is).count();
        if cross > 0 {
            notes.push(format!(
                "{cross} of {} blocks attend to the image and keep no text tokens. The image\u{2019}s own work and its keys and values, {} B per image token and block, are not counted.",
                self.layers,
                units::count(4.0 * (self.h_k * self.d_head) as f64)
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
        if self.layers as usize > fields::MOST_LAYERS {
            notes.push(format!(
                "At most {} blocks are planned.",
                fields::MOST_LAYERS
            ));
        }
    }
}
