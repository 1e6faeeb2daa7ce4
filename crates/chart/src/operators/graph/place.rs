//! Where operators stand: layers by the longest way from the inputs, lanes near the operators that each reads.

use super::GraphOp;
use super::captions::groups;
use crate::lines::apart;
use engine::units::InOrder;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Layers and lanes of a graph, without a size or a step: to be made once for a graph and kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GraphLayout {
    /// The layer of each operator, from 0.
    pub(in crate::operators) layer: Vec<u32>,
    /// The lane of each operator: a height, in units of the least distance between two of one layer.
    pub(in crate::operators) lane: Vec<f64>,
    /// The operators of each layer, from the highest to the lowest.
    pub(in crate::operators) members: Vec<Vec<u32>>,
    /// Predecessors of each operator, without duplicates and in earlier layers.
    pub(in crate::operators) preds: Vec<Vec<u32>>,
    /// Successors of each operator.
    pub(in crate::operators) succs: Vec<Vec<u32>>,
    /// Groups of operators, each with its first layer, layers ascending.
    pub(super) groups: Vec<(u32, String)>,
    /// Lowest and highest lane.
    pub(in crate::operators) lanes: (f64, f64),
}

impl GraphLayout {
    /// How many layers there are.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.members.len()
    }

    /// How many operators there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layer.len()
    }

    /// Returns true if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layer.is_empty()
    }

    /// The layer of an operator, from 0, or `None` where there is no such operator.
    #[must_use]
    pub fn layer(&self, op: usize) -> Option<usize> {
        self.layer.get(op).map(|layer| *layer as usize)
    }

    /// The lane of an operator, or `None` where there is no such operator.
    #[must_use]
    pub fn lane(&self, op: usize) -> Option<f64> {
        self.lane.get(op).copied()
    }

    /// Returns true if an operator is on a straight line along a lane between two layers.
    pub(super) fn is_in_way(&self, lane: f64, from: usize, to: usize) -> bool {
        /// Longer ways are taken to meet one.
        const LONG: usize = 48;
        if to.saturating_sub(from) > LONG {
            return true;
        }
        let near = |v: &u32| (self.lane[*v as usize] - lane).abs() < 0.6;
        let between = self.members.get(from + 1..to).unwrap_or_default();
        between.iter().any(|members| members.iter().any(near))
    }
}

/// Puts operators in layers and lanes.
///
/// An operator stands one layer behind the last of those that it reads. In its layer it wants the mean height of these,
/// so that chains are straight; those that want the same place are moved apart as little as possible, in the order of
/// their indices. One that is alone in its layer is in the middle, so that blocks that repeat look alike. What an operator is said to read and is not there, or only comes after it in a circle, is left out.
///
/// # Complexity
/// O((operators + edges) log operators).
#[must_use]
pub fn place_graph(ops: &[GraphOp]) -> GraphLayout {
    let n = ops.len();
    let mut preds: Vec<Vec<u32>> = Vec::with_capacity(n);
    for (v, op) in ops.iter().enumerate() {
        let valid = |u: &&u32| (**u as usize) < n && **u as usize != v;
        let mut own: Vec<u32> = op.preds.iter().filter(valid).copied().collect();
        own.sort_unstable();
        own.dedup();
        preds.push(own);
    }
    let layer = layers(&preds);
    let mut succs: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (v, own) in preds.iter_mut().enumerate() {
        own.retain(|u| layer[*u as usize] < layer[v]);
        for u in own {
            succs[*u as usize].push(v as u32);
        }
    }
    let count = layer.iter().max().map_or(0, |last| *last as usize + 1);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (v, layer) in layer.iter().enumerate() {
        members[*layer as usize].push(v as u32);
    }
    let mut lane = vec![0.0_f64; n];
    for own in &mut members {
        let mut wanted: Vec<(f64, u32)> = own
            .iter()
            .map(|v| (wanted(&preds[*v as usize], &lane), *v))
            .collect();
        wanted.in_order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let heights: Vec<f64> = wanted.iter().map(|one| one.0).collect();
        let is_alone = heights.len() == 1;
        let heights = if is_alone { vec![0.0] } else { heights };
        let placed = apart(&heights, 1.0, (f64::NEG_INFINITY, f64::INFINITY));
        for ((_, v), height) in wanted.iter().zip(placed) {
            lane[*v as usize] = height;
        }
        *own = wanted.into_iter().map(|one| one.1).collect();
    }
    let lowest = lane.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = lane.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    GraphLayout {
        lanes: if n > 0 { (lowest, highest) } else { (0.0, 0.0) },
        groups: groups(ops, &layer),
        layer,
        lane,
        members,
        preds,
        succs,
    }
}

/// The mean height of those that are read.
fn wanted(preds: &[u32], lane: &[f64]) -> f64 {
    if preds.is_empty() {
        return 0.0;
    }
    let sum: f64 = preds.iter().map(|u| lane[*u as usize]).sum();
    sum / preds.len() as f64
}

/// The longest way to each from one that reads nothing; those in a circle are behind those of their operands that are
/// not.
fn layers(preds: &[Vec<u32>]) -> Vec<u32> {
    let n = preds.len();
    let mut waiting: Vec<usize> = preds.iter().map(Vec::len).collect();
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (v, own) in preds.iter().enumerate() {
        for u in own {
            readers[*u as usize].push(v as u32);
        }
    }
    let mut layer = vec![0_u32; n];
    let mut ready: VecDeque<usize> = (0..n).filter(|v| waiting[*v] == 0).collect();
    while let Some(u) = ready.pop_front() {
        for v in &readers[u] {
            let v = *v as usize;
            layer[v] = layer[v].max(layer[u] + 1);
            waiting[v] -= 1;
            if waiting[v] == 0 {
                ready.push_back(v);
            }
        }
    }
    layer
}
