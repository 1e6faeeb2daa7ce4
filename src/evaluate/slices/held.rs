//! What each device holds while each operator runs.
//!
//! Parts of tensors are summed as whole multiples of 2^-20 bytes, so that what comes and goes leaves nothing behind,
//! whatever the order.

use super::{Class, Slices};
use crate::evaluate::operators::lifetimes;
use crate::graph::Kind;
use crate::plan::{Dim, Marks, Order};
use crate::problem::Invalid;

const BITS: u32 = 20;

/// Multiples of 2^-20 bytes.
type Fine = i128;

fn fine(bytes: u64, share: (u32, u32), length: u32) -> Fine {
    (i128::from(bytes) * i128::from(share.1 - share.0) << BITS) / i128::from(length)
}

fn bytes(fine: Fine) -> f64 {
    fine as f64 / f64::from(1u32 << BITS)
}

/// What each device holds during each operator [bytes], by operator; `in_place` is by step of the order.
///
/// # Complexity
/// O((operators + operands) × devices).
pub fn held(
    slices: &Slices<'_>,
    order: &Order,
    in_place: &[bool],
    dims: &[Dim],
    cuts: &Marks,
) -> Result<Vec<Vec<f64>>, Invalid> {
    let graph = slices.graph;
    let (n, devices) = (graph.len(), slices.devices());
    let of = |t: usize, k: usize| match cuts_of(slices, t, dims, cuts) {
        Some((marks, length)) => fine(graph.bytes(t), (marks[k], marks[k + 1]), length),
        None => i128::from(graph.bytes(t)) << BITS,
    };
    // Lifetimes hold the step that makes a tensor; before that step ends it is the operator's own output.
    let mut comes: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
    let mut goes: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
    for life in lifetimes(graph, order)? {
        let t = life.tensor as usize;
        let from = if t < n { life.from as usize + 1 } else { 0 };
        comes[from].push(life.tensor);
        goes[life.to as usize + 1].push(life.tensor);
    }
    let mut live = vec![0; devices];
    let mut rows = vec![Vec::new(); n];
    for (step, v) in order.iter().map(|v| *v as usize).enumerate() {
        for t in comes[step].iter().map(|t| *t as usize) {
            for (k, held) in live.iter_mut().enumerate() {
                *held += of(t, k);
            }
        }
        for t in goes[step].iter().map(|t| *t as usize) {
            for (k, held) in live.iter_mut().enumerate() {
                *held -= of(t, k);
            }
        }
        rows[v] = (0..devices)
            .map(|k| bytes(live[k]) + slices.own(v, k, in_place[step], dims, cuts))
            .collect();
    }
    Ok(rows)
}

fn cuts_of<'c>(
    slices: &Slices<'_>,
    t: usize,
    dims: &[Dim],
    cuts: &'c Marks,
) -> Option<(&'c [u32], u32)> {
    (t < slices.graph.len()).then(|| (cuts.of(t), slices.side(t, dims[t]).length))
}

impl Slices<'_> {
    /// What device k holds of operator v beside live tensors while it runs: what it receives, its weights, and its output
    /// unless that overwrites an operand [bytes].
    ///
    /// # Complexity
    /// O(operands).
    #[must_use]
    pub fn own(&self, v: usize, k: usize, in_place: bool, dims: &[Dim], cuts: &Marks) -> f64 {
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
        let w = op.w as f64;
        let weights = match side.class {
            _ if op.kind == Kind::Gemm && !self.gemm_weights => 0.0,
            Class::Row => w,
            Class::Chan | Class::Col => w * share,
        };
        let out = if in_place { 0.0 } else { op.out as f64 * share };
        missing + weights + out
    }
}
