//! An order of operators, and where its tensors lie.

use serde::{Deserialize, Serialize};

/// Operators in the order in which they run, from 0, each once.
pub type OperatorOrder = Vec<u32>;

/// Where the tensors of an order are in one piece of memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Arena {
    /// Alignment of every offset [bytes].
    pub align: u64,
    /// The offset of each tensor [bytes]; `None` for what is never held.
    pub offsets: Vec<Option<u64>>,
    /// During which steps each tensor is held, both included, from 0.
    pub steps: Vec<Option<(u32, u32)>>,
    /// Sums that overwrite an operand: the output with that operand, as tensors.
    pub shared: Vec<(u32, u32)>,
    /// The size of the piece [bytes].
    pub size: u64,
    /// No piece is smaller: the most that is in it at any step [bytes].
    pub bound: u64,
}
