//! Metrics of a finished run: latency, TTFT, TPOT, utilisation of tiers, memory.
//!
//! Source: Hyperion (arXiv:2511.14450), section V. The paper's "average latency required to complete these tasks"
//! behaves like the makespan; both are here, and named.
//!
//! Complexity: O(n log n) for n tasks.

use engine::plan::TierOutcome;
use engine::problem::TierRun;
use engine::sim::Summary;
use serde::Serialize;

/// Figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunMetrics {
    /// Completion - arrival [s].
    pub latency: Summary,
    /// First token - arrival [s]; nothing in request mode.
    pub ttft: Option<Summary>,
    /// (Completion - first token) / (G - 1) of the tasks with more than one token [s]; nothing if there is none.
    pub tpot: Option<Summary>,
    /// Last completion - first arrival [s].
    pub makespan: f64,
    /// Busy time over makespan, the mean over the nodes of each tier.
    pub utilisation: Vec<f64>,
    /// Utilisation over those nodes of each tier that served anything; 0 where none did.
    pub utilisation_used: Vec<f64>,
    /// Memory that tasks reserved on the nodes of each tier.
    pub memory: Vec<Memory>,
}

/// Memory that tasks reserved on a tier, in the unit of the problem, without the weights of the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Memory {
    /// The most on any node at any time.
    pub peak: f64,
    /// The mean over time and nodes.
    pub mean: f64,
}

/// Reads the figures of a run off its outcome.
///
/// # Panics
/// When the outcome is that of another problem.
#[must_use]
pub fn metrics(problem: &TierRun, outcome: &TierOutcome) -> RunMetrics {
    let tasks = problem.tasks();
    let latencies = tasks.iter().zip(&outcome.completion);
    let latencies = latencies.map(|(task, done)| done - task.arrival);
    let first = outcome.first_token.as_ref();
    let ttft = first.and_then(|first| {
        Summary::of(
            tasks
                .iter()
                .zip(first)
                .map(|(task, first)| first - task.arrival),
        )
    });
    let tpot = first.and_then(|first| {
        let rows = tasks.iter().zip(first).zip(&outcome.completion);
        let longer = rows.filter(|((task, _), _)| task.out_tokens > 1);
        Summary::of(
            longer.map(|((task, first), done)| (done - first) / f64::from(task.out_tokens - 1)),
        )
    });
    let used = |busy: &[f64]| {
        let served = busy.iter().filter(|busy| **busy > 0.0);
        let (count, sum) = served.fold((0.0, 0.0), |(n, sum), busy| (n + 1.0, sum + busy));
        if count > 0.0 && outcome.makespan > 0.0 {
            sum / (count * outcome.makespan)
        } else {
            0.0
        }
    };
    let peaks = outcome.by_tier(&outcome.memory_peak);
    let means = outcome.by_tier(&outcome.memory_mean);
    let memory = peaks.iter().zip(&means).map(|(peaks, means)| Memory {
        peak: peaks.iter().copied().fold(0.0, f64::max),
        mean: means.iter().sum::<f64>() / means.len() as f64,
    });
    RunMetrics {
        latency: Summary::of(latencies).expect("a run has a task"),
        ttft,
        tpot,
        makespan: outcome.makespan,
        utilisation: outcome.utilisation(),
        utilisation_used: outcome
            .by_tier(&outcome.busy)
            .into_iter()
            .map(used)
            .collect(),
        memory: memory.collect(),
    }
}

/// Mean latency, first arrival and last completion [s].
pub(super) fn span(problem: &TierRun, completion: &[f64]) -> (f64, f64, f64) {
    let (mut sum, mut first, mut last) = (0.0, f64::INFINITY, 0.0_f64);
    for (task, done) in problem.tasks().iter().zip(completion) {
        sum += done - task.arrival;
        first = first.min(task.arrival);
        last = last.max(*done);
    }
    (sum / completion.len() as f64, first, last)
}
