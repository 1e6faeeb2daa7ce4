//! HypSched-RT: which node of a tier takes a task that has just reached it.
//!
//! Source: Hyperion (arXiv:2511.14450), equations (18)-(21) and Algorithm 2: the node with the least
//! (backlog + F*) / C among those that are available and have the memory. Where the paper is silent: costs within
//! 1e-9 s are a tie, and the lowest index wins it; no candidate means no choice.
//!
//! The decision is the best one for this task alone. The paper speaks of a guaranteed bound over many tasks but
//! shows none: this is greedy list scheduling.
//!
//! Complexity: O(K) for K nodes.

use engine::problem::TierSchedule;
use serde::Serialize;

/// Two costs that differ by at most this [s] are a tie.
pub const TIE: f64 = 1e-9;

/// A decision. Both fields are nothing when no node can take the task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Decision {
    /// The node, from 0.
    pub node: Option<usize>,
    /// When it would have finished the task [s].
    pub completion: Option<f64>,
}

/// The place of the least cost, and the cost; `None` stands for a node that cannot be chosen. A later cost replaces
/// an earlier one only if it is smaller by more than [`TIE`]. O(K).
#[must_use]
#[inline]
pub fn least(costs: impl IntoIterator<Item = Option<f64>>) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (node, cost) in costs.into_iter().enumerate() {
        let Some(cost) = cost else { continue };
        if best.is_none_or(|(_, least)| cost < least - TIE) {
            best = Some((node, cost));
        }
    }
    best
}

/// Decides for one task. O(nodes and their queues).
#[must_use]
pub fn decide(problem: &TierSchedule) -> Decision {
    let nodes = 0..problem.nodes().len();
    let found = least(nodes.map(|k| problem.can_take(k).then(|| problem.cost(k))));
    Decision {
        node: found.map(|(node, _)| node),
        completion: found.map(|(_, cost)| problem.now() + cost),
    }
}
