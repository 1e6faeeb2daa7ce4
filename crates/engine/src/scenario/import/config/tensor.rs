//! Tensors of a block by the names of the `transformers` library: parameters, bytes and work follow from the same list.

use std::borrow::Cow;

/// The purpose of a tensor. It decides how its weights are stored and how often a token is multiplied with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A matrix that every token is multiplied with.
    Matrix,
    /// A matrix of every expert; a token is multiplied with those of the experts that it uses.
    Expert,
    /// The matrix that chooses experts.
    Router,
    /// A matrix that is used once for an image and not for every token.
    Image,
    /// Gains, biases and other vectors.
    Vector,
    /// A vector of the file that is adjusted and not learned; `transformers` does not count it as a parameter.
    Buffer,
}

/// A tensor of a block, or equal tensors of all its experts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BlockTensor {
    /// Its name in the block, as in `self_attn.q_proj`; of experts that of the first.
    pub(super) name: Cow<'static, str>,
    pub(super) role: Role,
    /// Weights of one.
    pub(super) weights: u64,
    /// How many there are.
    pub(super) copies: u64,
}

impl BlockTensor {
    /// Weights of all of them.
    pub(super) fn all_weights(&self) -> u64 {
        self.weights.saturating_mul(self.copies)
    }
}

/// Collects the tensors of a block.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct TensorList {
    pub(super) tensors: Vec<BlockTensor>,
}

impl TensorList {
    /// Adds a tensor; one without weights is none.
    pub(super) fn add(&mut self, name: impl Into<Cow<'static, str>>, role: Role, weights: u64) {
        self.add_copies(name, role, weights, 1);
    }

    /// Adds a matrix that every token is multiplied with.
    pub(super) fn matrix(&mut self, name: impl Into<Cow<'static, str>>, rows: u64, columns: u64) {
        self.add(name, Role::Matrix, rows.saturating_mul(columns));
    }

    /// Adds a vector.
    pub(super) fn vector(&mut self, name: impl Into<Cow<'static, str>>, length: u64) {
        self.add(name, Role::Vector, length);
    }

    /// Adds tensors of the same size.
    pub(super) fn add_copies(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        role: Role,
        weights: u64,
        copies: u64,
    ) {
        if weights > 0 && copies > 0 {
            self.tensors.push(BlockTensor {
                name: name.into(),
                role,
                weights,
                copies,
            });
        }
    }
}
