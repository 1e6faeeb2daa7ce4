//! Runs of requests through tiers, as the command line and the page ask for them.

use engine::plan::TierOutcome;
use engine::problem::TierRun;
use engine::sim::{RecordWindow, Summary};
use engine::solve::{Limits, Progress, SearchEvent, StopReason};
pub use methods::tiers::energy::{Energy, Power, of_request, of_run};
pub use methods::tiers::queueing::{Estimate, TRUSTED_LOAD, estimate, saturation};
pub use methods::tiers::simulate::{Memory, RunMetrics, events};
use methods::tiers::simulate::{metrics, simulate};
pub use methods::tiers::trials::{Failed, LoadSearch, Ranking, Trials, Workload, compare, trials};
use serde::{Serialize, Serializer};
use std::ops::ControlFlow;

/// A run and what is read off it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// Result of the simulation.
    pub outcome: TierOutcome,
    /// Its figures.
    pub metrics: RunMetrics,
}

/// Runs all tasks to their end and reads the figures off.
///
/// # Errors
/// [`StopReason`] when a limit came first.
///
/// # Complexity
/// One run of [`simulate`](methods::tiers::simulate::simulate()), and O(n log n) for n tasks.
pub fn run<P>(
    problem: &TierRun,
    record: RecordWindow,
    limits: &Limits,
    progress: &mut impl Progress<P>,
) -> Result<Ran, StopReason> {
    let outcome = simulate(problem, record, limits, progress)?;
    let metrics = metrics(problem, &outcome);
    Ok(Ran { outcome, metrics })
}

/// A listener for progress alone, not for plans: `share` receives the share that is done, from 0 to 1.
pub fn listener(
    mut share: impl FnMut(f64) -> ControlFlow<()>,
) -> impl FnMut(SearchEvent<'_, ()>) -> ControlFlow<()> {
    move |event| match event {
        SearchEvent::Step {
            done,
            of: Some(whole),
        } => share(done as f64 / whole.max(1) as f64),
        SearchEvent::Step { .. } | SearchEvent::Incumbent { .. } | SearchEvent::Bound(_) => {
            ControlFlow::Continue(())
        }
    }
}

/// The answer of the command line: section 14 of the problem's definition, and figures beside it.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Answer<'a> {
    /// When each task is done [s].
    completion: &'a [f64],
    /// When the first token of each task comes [s]; `null` in mode `request`.
    first_token: Option<&'a [f64]>,
    /// The node of each task on each tier.
    path: Paths<'a>,
    /// Mean time from arrival to completion [s].
    mean_latency: f64,
    /// When the last task is done [s].
    makespan: f64,
    /// How long each node of each tier works [s].
    busy: Vec<&'a [f64]>,
    /// Share of the makespan that the nodes of each tier work.
    util: &'a [f64],
    /// From arrival to completion [s].
    latency: Summary,
    /// From arrival to the first token [s]; `null` in mode `request`.
    ttft: Option<Summary>,
    /// Between tokens [s]; `null` in mode `request`.
    tpot: Option<Summary>,
    /// The most that is reserved on each node of each tier.
    memory_peak: Vec<&'a [f64]>,
    /// Mean memory reserved over the makespan.
    memory_mean: Vec<&'a [f64]>,
    /// Events of the simulation.
    events: u64,
}

impl Ran {
    /// The run as an answer.
    #[must_use]
    pub fn answer(&self) -> Answer<'_> {
        let Self { outcome, metrics } = self;
        Answer {
            completion: &outcome.completion,
            first_token: outcome.first_token.as_deref(),
            path: Paths(outcome),
            mean_latency: outcome.mean_latency,
            makespan: outcome.makespan,
            busy: outcome.by_tier(&outcome.busy),
            util: &metrics.utilisation,
            latency: metrics.latency,
            ttft: metrics.ttft,
            tpot: metrics.tpot,
            memory_peak: outcome.by_tier(&outcome.memory_peak),
            memory_mean: outcome.by_tier(&outcome.memory_mean),
            events: outcome.events,
        }
    }
}

/// The nodes of every task as a list of lists, without building one.
#[derive(Debug)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(from = "Vec<Vec<u32>>", into = "Vec<Vec<u32>>")
)]
struct Paths<'a>(&'a TierOutcome);

impl Serialize for Paths<'_> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_seq(self.0.path.chunks(self.0.nodes.len()))
    }
}
