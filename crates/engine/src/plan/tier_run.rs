//! Result of a run of requests through tiers: plain data, one row per task and one per node.

use crate::sim::TimeSegment;
use serde::{Deserialize, Serialize};

/// A finished run. Tasks and nodes are counted from 0; the nodes of all tiers are counted through, tier by tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TierOutcome {
    /// How many nodes each tier has.
    pub nodes: Vec<usize>,
    /// When each task was done, its last token delivered [s].
    pub completion: Vec<f64>,
    /// When each task's first token was delivered [s]; nothing in request mode.
    pub first_token: Option<Vec<f64>>,
    /// The node of each task on each tier, counted within the tier: tasks · tiers numbers, task by task.
    pub path: Vec<u32>,
    /// How long each node was busy [s].
    pub busy: Vec<f64>,
    /// The most memory that was reserved on each node, in the unit of the problem.
    pub memory_peak: Vec<f64>,
    /// The mean of what was reserved on each node from the first arrival to the last completion.
    pub memory_mean: Vec<f64>,
    /// Mean of completion - arrival [s].
    pub mean_latency: f64,
    /// Last completion - first arrival [s].
    pub makespan: f64,
    /// Events that were processed: arrivals at tiers, ends of services, entries and returns of nodes.
    pub events: u64,
    /// Activity of the nodes, in the order of its start, as far as it was recorded.
    pub timeline: Vec<TimeSegment>,
    /// How many segments of the wanted window were not recorded, because there were too many.
    pub left_out: u64,
}

impl TierOutcome {
    /// The nodes of a task, one a tier.
    ///
    /// # Panics
    /// When there is no such task.
    #[must_use]
    pub fn path_of(&self, task: usize) -> &[u32] {
        let tiers = self.nodes.len();
        &self.path[task * tiers..(task + 1) * tiers]
    }

    /// A list over all nodes as one list a tier.
    #[must_use]
    pub fn by_tier<'a>(&self, of_nodes: &'a [f64]) -> Vec<&'a [f64]> {
        let mut rest = of_nodes;
        let tiers = self.nodes.iter().map(|count| {
            let (tier, after) = rest.split_at(*count);
            rest = after;
            tier
        });
        tiers.collect()
    }

    /// The tier of a node that is counted over all tiers, and its place there.
    #[must_use]
    pub fn place(&self, resource: usize) -> Option<(usize, usize)> {
        let mut rest = resource;
        for (tier, count) in self.nodes.iter().enumerate() {
            if rest < *count {
                return Some((tier, rest));
            }
            rest -= count;
        }
        None
    }

    /// Busy time over makespan, the mean over the nodes of each tier; 0 for a run that takes no time.
    #[must_use]
    pub fn utilisation(&self) -> Vec<f64> {
        let share = |busy: &[f64]| {
            if self.makespan > 0.0 {
                busy.iter().sum::<f64>() / (self.makespan * busy.len() as f64)
            } else {
                0.0
            }
        };
        self.by_tier(&self.busy).into_iter().map(share).collect()
    }
}
