//! Energy: busy time times power, and where wanted the idle time as well.
//!
//! Source: named as future work in Hyperion (arXiv:2511.14450). The energy of a request is the sum over the tiers of
//! its busy time and the node's power, so it adds up over tiers, and any cut of least sum finds the least of it when
//! its costs are joules instead of seconds. The powers of data sheets are upper bounds: mark what comes of them as
//! an estimate.
//!
//! Complexity: O(nodes).

use engine::plan::TierOutcome;
use engine::problem::TierRun;
use serde::Serialize;

/// The power of a node of a tier [W].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// While it serves.
    pub active: f64,
    /// While it does not; 0 leaves idle nodes out of the account.
    pub idle: f64,
}

/// Energy [J].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Energy {
    /// Of serving, by tier.
    pub active: Vec<f64>,
    /// Of waiting, by tier.
    pub idle: Vec<f64>,
    /// All of it.
    pub total: f64,
}

impl Energy {
    fn of(active: Vec<f64>, idle: Vec<f64>) -> Self {
        let total = active.iter().sum::<f64>() + idle.iter().sum::<f64>();
        Self {
            active,
            idle,
            total,
        }
    }
}

/// The energy of serving one request of so many tokens [J], on the first node of each tier; nothing for waiting.
#[must_use]
pub fn of_request(problem: &TierRun, powers: &[Power], out_tokens: u32) -> Energy {
    let tiers = problem.tiers().iter().zip(powers);
    let active =
        tiers.map(|(tier, power)| tier.task_time(out_tokens) / tier.speed[0] * power.active);
    Energy::of(active.collect(), vec![0.0; powers.len()])
}

/// The energy of a run from its first arrival to its last completion [J].
#[must_use]
pub fn of_run(outcome: &TierOutcome, powers: &[Power]) -> Energy {
    let tiers = outcome.by_tier(&outcome.busy);
    let busy: Vec<f64> = tiers.iter().map(|nodes| nodes.iter().sum()).collect();
    let active = busy
        .iter()
        .zip(powers)
        .map(|(busy, power)| busy * power.active);
    let idle = tiers
        .iter()
        .zip(&busy)
        .zip(powers)
        .map(|((nodes, busy), power)| {
            (nodes.len() as f64 * outcome.makespan - busy).max(0.0) * power.idle
        });
    Energy::of(active.collect(), idle.collect())
}
