//! The simulator: requests that generate tokens pass by pass through tiers of nodes.
//!
//! Source: Hyperion (arXiv:2511.14450), problem P2 and its scheduler. The paper leaves open how tokens are
//! generated, whether a node is held between the tokens of a task, and how ties are broken; the four modes of
//! [`Mode`] are the answers that make sense, and token mode is the one a machine can do.
//!
//! A task has one prefill pass and a decode pass for every further token. A pass visits the tiers in order; after
//! the last one the next pass begins `return_delay` later on the first. The prefill chooses a node on each tier,
//! where all later passes go too, because the cache of the task is there. Nodes serve first come, first served, one
//! pass at a time, without interruption. A task that finds no node with enough memory waits in the pool of the
//! tier, in order; no request overtakes another. A node that is down is not chosen and works off what it has.
//!
//! **Ties.** Events of one instant go in this order: ends of service and releases of the gate, then nodes that come
//! back, then arrivals; among these by task, then tier. After an end of service memory is freed, the node takes its
//! next pass, the pool of the tier is tried, and then the pass goes on. Whether a node is down is a function of
//! time, [from, to), so a node may be chosen in the very instant in which it comes back.
//!
//! **Backlog.** What a node still has to do is kept as counts of passes, not as a sum of seconds, so it is exact
//! after any number of events: (prefills a + decodes b + slope · sum of (q-1)) / speed, and the rest of the pass in
//! service. All passes that a task has before it on a node count from the moment the node is chosen.
//!
//! **Batches.** A node that becomes free takes up to B consecutive decode passes from the head of its line; a
//! prefill is served alone. They take as long as the longest of them, and `batch_inc` for each further one, but no
//! less than `batch_compute` each. All end together; the end counts as that of the task with the lowest index. The
//! scheduler assumes that waiting decode passes will be served B at a time.
//!
//! Complexity: O(log n) an event with n tasks in the system, O(K) a decision among K nodes; O(tasks · tiers + nodes)
//! memory. A task of G tokens has 2 G T events on T tiers, 2 T in request mode. A step of
//! `Limits` is an event.

mod engine;
mod metrics;
mod node;
mod waiting;

pub use metrics::{Memory, RunMetrics, metrics};

use ::engine::plan::TierOutcome;
use ::engine::problem::{Mode, TierRun};
use ::engine::sim::RecordWindow;
use ::engine::solve::{Limits, Progress, StopReason};

/// Runs all tasks to their end.
///
/// `limits.seed` feeds the random scheduler, `record` says what to keep of the timeline. The listener receives how many
/// events are done, and of how many, every 65 536 of them.
///
/// # Errors
/// [`StopReason`] when the limit of steps or the listener ended the run: there is no such thing as half an answer.
///
/// # Complexity
/// O(E (log n + K)) time for E = [`events`] events.
pub fn simulate<P>(
    problem: &TierRun,
    record: RecordWindow,
    limits: &Limits,
    progress: &mut impl Progress<P>,
) -> Result<TierOutcome, StopReason> {
    engine::Engine::new(problem, record, limits.seed).run(limits, progress)
}

/// How many events a run has, but for nodes that come back and, in serial mode, the openings of the gate. O(tasks).
#[must_use]
pub fn events(problem: &TierRun) -> u64 {
    let tiers = problem.tiers().len() as u64;
    let passes = problem.tasks().iter().map(|task| match problem.mode() {
        Mode::Request => 1,
        Mode::Token | Mode::Hold | Mode::Serial => u64::from(task.out_tokens),
    });
    2 * tiers * passes.sum::<u64>()
}
