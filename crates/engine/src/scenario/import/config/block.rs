//! Blocks: how each mixes tokens, its feed-forward network, and the tensors of both.

use super::family::{Family, OutputGate, QkNorm, RouterBias};
use super::tensor::{Role, TensorList};

/// One block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BlockShape {
    /// Attention and recurrent parts, in order; most blocks have one.
    pub(super) mixers: Vec<Mixer>,
    pub(super) feed_forward: FeedForward,
    /// The most tokens that attention reaches back.
    pub(super) window: Option<u64>,
    /// Weights that belong to neither.
    pub(super) more: TensorList,
}

/// How a block lets tokens see each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mixer {
    /// Attention with heads.
    Heads(Heads),
    /// Attention with one latent vector for all heads.
    Latent(Latent),
    /// A state of fixed size.
    Recurrent(Recurrent),
    /// A linear layer in the place of attention.
    Linear,
}

/// Attention with heads of keys and values, shared by groups of query heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heads {
    pub(super) h_q: u64,
    pub(super) h_k: u64,
    /// Width of a query and of a key.
    pub(super) d_head: u64,
    /// Width of a value.
    pub(super) value: u64,
    pub(super) keys: Keys,
    /// Rank of the queries where they go through a narrow vector; 0 for none.
    pub(super) q_rank: u64,
    /// Numbers that are learned beside the heads, one each.
    pub(super) has_sinks: bool,
}

/// Where keys and values of a block come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// The block makes and keeps them.
    Own,
    /// The keys are the values as well: one matrix makes both.
    AreValues,
    /// An earlier block has them.
    Earlier,
    /// They are those of an image, made once.
    Image,
}

/// Attention with a latent vector: ranks of queries (0: none) and of keys and values, widths of the parts of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Latent {
    pub(super) heads: u64,
    pub(super) q_rank: u64,
    pub(super) kv_rank: u64,
    pub(super) rope: u64,
    pub(super) nope: u64,
    pub(super) value: u64,
    /// Heads and their width of what chooses the tokens that are attended to.
    pub(super) indexer: Option<(u64, u64)>,
}

/// A mixer that keeps a state of fixed size in place of keys and values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Recurrent {
    pub(super) tensors: TensorList,
    /// Bytes of the state of one sequence.
    pub(super) state_bytes: f64,
}

/// The feed-forward network of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedForward {
    /// None.
    None,
    /// One of this width.
    Dense(u64),
    /// A linear layer in its place.
    Linear,
    /// Experts.
    Experts(Experts),
}

/// Experts of a block and what stands beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Experts {
    pub(super) count: u64,
    pub(super) used: u64,
    pub(super) width: u64,
    /// Width of what all tokens go through besides, and whether it has a gate of its own.
    pub(super) shared: u64,
    pub(super) has_shared_gate: bool,
    /// Width of a dense network beside the experts; 0 for none.
    pub(super) dense: u64,
    /// Width of the vector that experts take and give, where it is not the hidden size; 0 where it is.
    pub(super) latent: u64,
}

impl Mixer {
    /// Values of one token that are kept, and the bytes of the state of one sequence.
    pub(super) fn kept(&self) -> (u64, f64) {
        match self {
            Self::Heads(heads) => match heads.keys {
                Keys::Own | Keys::AreValues => (heads.h_k * (heads.d_head + heads.value), 0.0),
                Keys::Earlier | Keys::Image => (0, 0.0),
            },
            Self::Latent(latent) => {
                let indexer = latent.indexer.map_or(0, |(_, width)| width);
                (latent.kv_rank + latent.rope + indexer, 0.0)
            }
            Self::Recurrent(recurrent) => (0, recurrent.state_bytes),
            Self::Linear => (0, 0.0),
        }
    }

    /// Arithmetic on one pair of tokens [FLOP].
    pub(super) fn pair_flop(&self) -> f64 {
        match self {
            Self::Heads(heads) if heads.keys == Keys::Image => 0.0,
            Self::Heads(heads) => 2.0 * (heads.h_q * (heads.d_head + heads.value)) as f64,
            Self::Latent(latent) => {
                let width = latent.nope + latent.rope + latent.value;
                2.0 * (latent.heads * width) as f64
            }
            Self::Recurrent(_) | Self::Linear => 0.0,
        }
    }

    fn add_tensors(&self, d: u64, family: &Family, list: &mut TensorList) {
        match self {
            Self::Heads(heads) => heads.add_tensors(d, family, list),
            Self::Latent(latent) => latent.add_tensors(d, family, list),
            Self::Recurrent(recurrent) => {
                let tensors = recurrent.tensors.tensors.iter().cloned();
                list.tensors.extend(tensors);
            }
            Self::Linear => list.matrix("self_attn.linear_attn", d, d),
        }
    }
}

impl Heads {
    fn add_tensors(&self, d: u64, family: &Family, list: &mut TensorList) {
        let q = self.h_q * self.d_head;
        let (k, v) = (self.h_k * self.d_head, self.h_k * self.value);
        let out = self.h_q * self.value;
        let with_gate = match family.output_gate {
            OutputGate::InQuery => 2 * q,
            OutputGate::None | OutputGate::PerHead | OutputGate::PerElement => q,
        };
        if self.q_rank > 0 {
            list.matrix("self_attn.q_proj", d, self.q_rank);
            list.matrix("self_attn.wq", self.q_rank, with_gate);
            list.vector("self_attn.inter_norm", self.q_rank);
        } else {
            list.matrix("self_attn.q_proj", d, with_gate);
        }
        let is_image = self.keys == Keys::Image;
        let role = if is_image { Role::Image } else { Role::Matrix };
        let has_keys = self.keys != Keys::Earlier;
        let has_values = matches!(self.keys, Keys::Own | Keys::Image);
        if has_keys {
            list.add("self_attn.k_proj", role, d.saturating_mul(k));
        }
        if has_values {
            list.add("self_attn.v_proj", role, d.saturating_mul(v));
        }
        list.matrix("self_attn.o_proj", out, d);
        match family.output_gate {
            OutputGate::PerHead => list.matrix("self_attn.g_proj", d, self.h_q),
            OutputGate::PerElement => list.matrix("self_attn.gate_proj", d, out),
            OutputGate::None | OutputGate::InQuery => {}
        }
        if family.qkv_bias {
            list.vector("self_attn.q_proj.bias", with_gate);
            list.vector("self_attn.k_proj.bias", if has_keys { k } else { 0 });
            list.vector("self_attn.v_proj.bias", if has_values { v } else { 0 });
        }
        if family.out_bias {
            list.vector("self_attn.o_proj.bias", d);
        }
        if self.has_sinks {
            list.vector("self_attn.sinks", self.h_q);
        }
        // Gains on queries and keys, and a gate behind each half of a block that attends to an image.
        let norm = if is_image {
            QkNorm::Head
        } else {
            family.qk_norm
        };
        let (of_queries, of_keys) = match norm {
            QkNorm::None => (0, 0),
            QkNorm::Head => (self.d_head, self.d_head),
            QkNorm::HeadWithBias => (2 * self.d_head, 2 * self.d_head),
            QkNorm::EachHead => (q, k),
            QkNorm::Full => (q, k),
        };
        list.vector("self_attn.q_norm", of_queries);
        list.vector("self_attn.k_norm", if has_keys { of_keys } else { 0 });
        list.vector("cross_attn_gates", if is_image { 2 } else { 0 });
    }
}

impl Latent {
    fn add_tensors(&self, d: u64, family: &Family, list: &mut TensorList) {
        let wide = self.heads * (self.nope + self.rope);
        if self.q_rank > 0 {
            list.matrix("self_attn.q_a_proj", d, self.q_rank);
            list.vector("self_attn.q_a_layernorm", self.q_rank);
            list.matrix("self_attn.q_b_proj", self.q_rank, wide);
        } else {
            list.matrix("self_attn.q_proj", d, wide);
        }
        list.matrix("self_attn.kv_a_proj_with_mqa", d, self.kv_rank + self.rope);
        list.vector("self_attn.kv_a_layernorm", self.kv_rank);
        let behind = self.heads * (self.nope + self.value);
        list.matrix("self_attn.kv_b_proj", self.kv_rank, behind);
        list.matrix("self_attn.o_proj", self.heads * self.value, d);
        if family.qkv_bias {
            list.vector("self_attn.q_a_proj.bias", self.q_rank);
            list.vector("self_attn.kv_a_proj.bias", self.kv_rank + self.rope);
            list.vector("self_attn.o_proj.bias", d);
        }
        if let Some((heads, width)) = self.indexer {
            list.matrix("self_attn.indexer.wq_b", self.q_rank, heads * width);
            list.matrix("self_attn.indexer.wk", d, width);
            list.matrix("self_attn.indexer.weights_proj", d, heads);
            list.vector("self_attn.indexer.k_norm", 2 * width);
        }
    }
}

/// Adds a feed-forward network that takes and gives `d` values.
fn add_network(
    (prefix, role): (String, Role),
    d: u64,
    width: u64,
    copies: u64,
    family: &Family,
    list: &mut TensorList,
) {
    let gates = if family.gated { 2 } else { 1 };
    if family.gated {
        list.add_copies(format!("{prefix}.gate_proj"), role, d * width, copies);
    }
    list.add_copies(format!("{prefix}.up_proj"), role, d * width, copies);
    list.add_copies(format!("{prefix}.down_proj"), role, d * width, copies);
    if family.ffn_bias {
        let length = gates * width + d;
        list.add_copies(format!("{prefix}.bias"), Role::Vector, length, copies);
    }
    if family.activation_weights > 0 {
        let length = family.activation_weights;
        list.add_copies(format!("{prefix}.act_fn"), Role::Vector, length, copies);
    }
}

impl FeedForward {
    fn add_tensors(&self, d: u64, family: &Family, list: &mut TensorList) {
        let part = family.feed_forward;
        match self {
            Self::None => {}
            Self::Linear => list.matrix(format!("{part}.linear_mlp"), d, d),
            Self::Dense(width) => {
                add_network((part.to_owned(), Role::Matrix), d, *width, 1, family, list);
            }
            Self::Experts(e) => {
                list.add(format!("{part}.gate"), Role::Router, e.count * d);
                match family.router_bias {
                    RouterBias::None => {}
                    RouterBias::Learned => list.vector(format!("{part}.gate.bias"), e.count),
                    RouterBias::Adjusted => {
                        let name = format!("{part}.gate.e_score_correction_bias");
                        list.add(name, Role::Buffer, e.count);
                    }
                }
                let inside = if e.latent > 0 { e.latent } else { d };
                if e.latent > 0 {
                    list.matrix(format!("{part}.fc1_latent_proj"), d, e.latent);
                    list.matrix(format!("{part}.fc2_latent_proj"), e.latent, d);
                }
                let of_expert = (format!("{part}.experts.0"), Role::Expert);
                add_network(of_expert, inside, e.width, e.count, family, list);
                if e.shared > 0 {
                    let shared = (format!("{part}.shared_expert"), Role::Matrix);
                    add_network(shared, d, e.shared, 1, family, list);
                    if e.has_shared_gate {
                        list.add(format!("{part}.shared_expert_gate"), Role::Router, d);
                    }
                }
                if e.dense > 0 {
                    let dense = ("residual_mlp".to_owned(), Role::Matrix);
                    add_network(dense, d, e.dense, 1, family, list);
                }
            }
        }
    }

    /// Its experts.
    pub(super) fn experts(&self) -> Option<&Experts> {
        match self {
            Self::Experts(experts) => Some(experts),
            Self::None | Self::Linear | Self::Dense(_) => None,
        }
    }
}

impl BlockShape {
    /// The tensors of the block. `d` is the hidden size.
    pub(super) fn tensors(&self, d: u64, family: &Family) -> TensorList {
        let mut list = TensorList::default();
        for mixer in &self.mixers {
            mixer.add_tensors(d, family, &mut list);
        }
        self.feed_forward.add_tensors(d, family, &mut list);
        list.vector("norms", self.norms(family) * d);
        list.tensors.extend(self.more.tensors.iter().cloned());
        list
    }

    /// Vectors of the hidden size in its norms: a block of one part has those of one part.
    fn norms(&self, family: &Family) -> u64 {
        let has_mixer = !self.mixers.is_empty();
        let has_network = self.feed_forward != FeedForward::None;
        match (has_mixer, has_network) {
            (true, true) => family.norms,
            (true, false) | (false, true) => family.norms.div_ceil(2),
            (false, false) => 0,
        }
    }

    /// Its heads where it has nothing else that mixes tokens, and they keep keys and values of their own.
    pub(super) fn heads(&self) -> Option<&Heads> {
        match self.mixers.as_slice() {
            [Mixer::Heads(heads)] if matches!(heads.keys, Keys::Own | Keys::AreValues) => {
                Some(heads)
            }
            _ => None,
        }
    }
}
