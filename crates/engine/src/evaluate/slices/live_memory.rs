//! Memory of each device while each operator runs.
//!
//! Parts of tensors are summed as whole multiples of 2^-32 bytes, so that what comes and goes leaves nothing behind,
//! whatever the order.

use super::{SliceClass, Slices};
use crate::evaluate::operators::lifetimes;
use crate::graph::{Graph, OperatorKind};
use crate::plan::{Dim, Marks, OperatorOrder};
use crate::problem::Invalid;

const BITS: u32 = 32;

/// Multiples of 2^-32 bytes.
type Fine = i128;

fn fine(bytes: u64, share: (u32, u32), length: u32) -> Fine {
    let part = u64::from(share.1 - share.0);
    // Nearly always 64 bits are enough, where a division takes a fraction of the time.
    if let Some(product) = bytes.checked_mul(part) {
        let length = u64::from(length);
        let rest = ((product % length) << BITS) + length / 2;
        return (Fine::from(product / length) << BITS) + Fine::from(rest / length);
    }
    // At most 2^62 bytes by 2^30 rows by 2^32: there is room for a sum of such.
    let length = i128::from(length);
    let whole = (i128::from(bytes) * i128::from(part)) << BITS;
    (whole + length / 2) / length
}

fn bytes(fine: Fine) -> f64 {
    fine as f64 / (1u64 << BITS) as f64
}

/// Memory of live tensors on devices, step by step through an order.
#[derive(Debug, Clone)]
pub struct LiveMemory {
    /// Tensors that are held from a step on; an output from the step after that which makes it.
    comes: Vec<Vec<u32>>,
    /// Tensors that are held no more.
    goes: Vec<Vec<u32>>,
    live: Vec<Fine>,
}

impl LiveMemory {
    /// Before the first step.
    ///
    /// # Errors
    /// An order that is none.
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn new(graph: &Graph, order: &[u32], devices: usize) -> Result<Self, Invalid> {
        let n = graph.len();
        let mut comes: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
        let mut goes: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
        for life in lifetimes(graph, order)? {
            let t = life.tensor as usize;
            // Lifetimes hold the step that makes a tensor; before that step ends it is the operator's own output.
            let from = if t < n { life.from as usize + 1 } else { 0 };
            comes[from].push(life.tensor);
            goes[life.to as usize + 1].push(life.tensor);
        }
        Ok(Self {
            comes,
            goes,
            live: vec![0; devices],
        })
    }

    /// Goes on to a step, each in turn from 0. `part` tells what a device has of an operator's output, and of how much;
    /// every device has every input whole.
    ///
    /// # Complexity
    /// O(tensors that come or go × devices).
    pub fn enter(
        &mut self,
        graph: &Graph,
        step: usize,
        part: impl Fn(usize, usize) -> ((u32, u32), u32),
    ) {
        let of = |t: usize, k: usize| {
            if t < graph.len() {
                let (made, length) = part(t, k);
                fine(graph.bytes(t), made, length)
            } else {
                i128::from(graph.bytes(t)) << BITS
            }
        };
        for t in self.comes[step].iter().map(|t| *t as usize) {
            for (k, held) in self.live.iter_mut().enumerate() {
                *held += of(t, k);
            }
        }
        for t in self.goes[step].iter().map(|t| *t as usize) {
            for (k, held) in self.live.iter_mut().enumerate() {
                *held -= of(t, k);
            }
        }
    }

    /// Returns the memory of live tensors on device k in this step [bytes].
    #[must_use]
    pub fn live(&self, k: usize) -> f64 {
        bytes(self.live[k])
    }
}

/// Returns the memory of each device during each operator [bytes], by operator; `in_place` is by step of the order.
///
/// # Complexity
/// O((operators + operands) × devices).
pub fn peak_memory(
    slices: &Slices<'_>,
    order: &OperatorOrder,
    in_place: &[bool],
    dims: &[Dim],
    cuts: &Marks,
) -> Result<Vec<Vec<f64>>, Invalid> {
    let graph = slices.graph;
    let devices = slices.devices();
    let mut held = LiveMemory::new(graph, order, devices)?;
    let mut rows = vec![Vec::new(); graph.len()];
    for (step, v) in order.iter().map(|v| *v as usize).enumerate() {
        held.enter(graph, step, |u, k| {
            let marks = cuts.of(u);
            ((marks[k], marks[k + 1]), slices.side(u, dims[u]).length)
        });
        rows[v] = (0..devices)
            .map(|k| held.live(k) + slices.operator_memory(v, k, in_place[step], dims, cuts))
            .collect();
    }
    Ok(rows)
}

impl Slices<'_> {
    /// Returns the memory of these tensors on device k [bytes], summed as the evaluator sums it.
    ///
    /// # Complexity
    /// O(tensors).
    #[must_use]
    pub fn live_memory(&self, live: &[u32], k: usize, dims: &[Dim], cuts: &Marks) -> f64 {
        let held = live.iter().map(|t| {
            let t = *t as usize;
            let all = self.graph.bytes(t);
            if t < self.graph.len() {
                let marks = cuts.of(t);
                fine(all, (marks[k], marks[k + 1]), self.side(t, dims[t]).length)
            } else {
                Fine::from(all) << BITS
            }
        });
        bytes(held.sum())
    }

    /// The weights of operator v, as far as they count [bytes].
    #[must_use]
    pub fn weights(&self, v: usize) -> f64 {
        let op = self.graph.op(v);
        if op.kind == OperatorKind::Gemm && !self.gemm_weights {
            0.0
        } else {
            op.w as f64
        }
    }

    /// Returns the memory of operator v on device k beside live tensors while it runs: received data, weights, and output unless
    /// that overwrites an operand [bytes].
    ///
    /// # Complexity
    /// O(operands).
    #[must_use]
    pub fn operator_memory(
        &self,
        v: usize,
        k: usize,
        in_place: bool,
        dims: &[Dim],
        cuts: &Marks,
    ) -> f64 {
        let marks = cuts.of(v);
        let (from, to) = (marks[k], marks[k + 1]);
        if from == to {
            return 0.0;
        }
        let op = self.graph.op(v);
        let side = self.side(v, dims[v]);
        let sources = self.sources(v).iter();
        let missing: f64 = sources
            .map(|source| self.missing(v, side.class, source, k, (from, to), dims, cuts))
            .sum();
        let share = f64::from(to - from) / f64::from(side.length);
        let w = self.weights(v);
        let weights = match side.class {
            SliceClass::Row => w,
            SliceClass::Chan | SliceClass::Col => w * share,
        };
        let out = if in_place { 0.0 } else { op.out as f64 * share };
        missing + weights + out
    }
}
