//! The paper's rule for convolutions: along the dimension that leaves room for more copies.

use super::Slices;
use crate::evaluate::operators::Trace;
use crate::graph::OperatorKind;
use crate::plan::Dim;
use crate::problem::partition::Reading;
use serde::{Deserialize, Serialize};

/// The most copies that are counted.
const MOST_COPIES: f64 = 1e9;

/// Dimension of one operator by the paper's rule, equations (2) to (5).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Rule {
    /// Copies of the input that fit, k1.
    pub k1: f64,
    /// Copies of the weights that fit, k2.
    pub k2: f64,
    /// Along what it is cut.
    pub dim: Dim,
    /// The most parts it may have: the larger of the two for a convolution, along whatever it is cut.
    pub most: f64,
}

impl Slices<'_> {
    /// Returns the dimension of every operator in an order with this trace, by operator.
    ///
    /// # Complexity
    /// O(operators + operands).
    #[must_use]
    pub fn rules(&self, order: &[u32], trace: &Trace, reading: Reading) -> Vec<Rule> {
        let all: f64 = self.fleet.limits().iter().sum();
        let mut rules = vec![
            Rule {
                k1: 0.0,
                k2: 0.0,
                dim: Dim::Len,
                most: 0.0,
            };
            order.len()
        ];
        for (step, v) in order.iter().map(|v| *v as usize).enumerate() {
            let op = self.graph.op(v);
            let read: u64 = self
                .graph
                .src(v)
                .iter()
                .map(|t| self.graph.bytes(*t as usize))
                .sum();
            // Whatever an operator reads is held while it runs.
            let others = (trace.interval[step] - read) as f64;
            let (read, out, w) = (read as f64, op.out as f64, op.w as f64);
            let k1 = copies(all - others - w - out, read);
            let k2 = copies(all - others - read - out, w);
            let is_conv = op.kind == OperatorKind::Conv;
            let by_channels = match reading {
                Reading::MoreCopies => k1 > k2,
                Reading::Printed => k1 < k2,
            };
            rules[v] = Rule {
                k1,
                k2,
                dim: if is_conv && by_channels {
                    Dim::Cout
                } else {
                    self.parts[v].sides[0].dim
                },
                most: if is_conv { k1.max(k2) } else { MOST_COPIES },
            };
        }
        rules
    }
}

/// How often `bytes` go into `room`.
fn copies(room: f64, bytes: f64) -> f64 {
    if bytes == 0.0 {
        return MOST_COPIES;
    }
    libm::floor(room / bytes).clamp(0.0, MOST_COPIES)
}
