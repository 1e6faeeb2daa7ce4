//! Queue of a node: first come, first served, or the larger upward rank first.
//!
//! Source of the ranks: HEFT (Topcuoglu, Hariri, Wu, 2002): rank_u(j) = mean time of stage j + transfer to the next
//! + rank_u(j+1), over the whole task. Equal tasks have equal ranks, and then both orders are the same.
//!
//! Complexity: O(1) a step first come, first served; O(log n) by rank.

use engine::problem::{Order, TierRun};
use engine::sim::FifoQueues;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The larger rank first, as the bits of a number from 0 up; then the earlier.
type Ranked = (u64, Reverse<u64>, u32);

/// The lines of all nodes, of the pools of all tiers, and of the gate.
#[derive(Debug)]
pub(super) struct NodeQueues {
    lines: FifoQueues,
    /// One a node if ranks decide, otherwise none.
    ranked: Vec<BinaryHeap<Ranked>>,
    joined: u64,
}

impl NodeQueues {
    pub fn new(problem: &TierRun) -> Self {
        let (nodes, tiers) = (problem.nodes(), problem.tiers().len());
        let ranked = match problem.order() {
            Order::Fifo => 0,
            Order::Rank => nodes,
        };
        Self {
            lines: FifoQueues::new(nodes + tiers + 1, problem.tasks().len()),
            ranked: vec![BinaryHeap::new(); ranked],
            joined: 0,
        }
    }

    /// The lines themselves: those of the nodes, then the pools, then the gate, always first come, first served.
    pub fn lines(&mut self) -> &mut FifoQueues {
        &mut self.lines
    }

    /// A task joins the line of a node on `tier`.
    #[inline]
    pub fn join(&mut self, problem: &TierRun, tier: usize, node: usize, task: u32) {
        match self.ranked.get_mut(node) {
            None => self.lines.join(node, task),
            Some(heap) => {
                let rank = rank(problem, tier, problem.tasks()[task as usize].out_tokens);
                self.joined += 1;
                heap.push((rank.to_bits(), Reverse(self.joined), task));
            }
        }
    }

    /// Returns the next task of a node.
    #[inline]
    pub fn head(&self, node: usize) -> Option<u32> {
        match self.ranked.get(node) {
            None => self.lines.head(node),
            Some(heap) => heap.peek().map(|(_, _, task)| *task),
        }
    }

    /// The next on a node leaves its line.
    #[inline]
    pub fn leave(&mut self, node: usize) -> Option<u32> {
        match self.ranked.get_mut(node) {
            None => self.lines.leave(node),
            Some(heap) => heap.pop().map(|(_, _, task)| task),
        }
    }
}

/// The upward rank of a task of so many tokens on a tier [s]. O(tiers and their nodes).
fn rank(problem: &TierRun, tier: usize, out_tokens: u32) -> f64 {
    let tiers = problem.tiers();
    let mut rank = 0.0;
    for j in (tier..tiers.len()).rev() {
        let speeds = &tiers[j].speed;
        let pace = speeds.iter().map(|speed| 1.0 / speed).sum::<f64>() / speeds.len() as f64;
        if j + 1 < tiers.len() {
            rank += problem.whole_hop(j, out_tokens);
        }
        rank += tiers[j].task_time(out_tokens) * pace;
    }
    rank
}
