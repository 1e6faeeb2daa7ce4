//! Partition: where to cut a chain of blocks among tiers in a given order, so that the slowest tier is fastest.
//!
//! Given blocks with work f [FLOP, bytes or any cost] and memory m, and tiers with speed C and memory M, choose cuts
//! p_1 < ... < p_{T-1} that minimise the largest load L_j = (sum of f on tier j) / C_j, equation (11), every tier holding
//! at least one block (or none, where that is allowed) and no more than its memory.
//!
//! Source: Ma, Xu, Xu, Chen, Quek, Yang, "Hyperion: Hierarchical Scheduling for Parallel LLM Acceleration in Multi-tier
//! Networks", sections III to V. The paper's own method is [`hypsplit`]; ours is an exact bisection over loads that occur,
//! with probes of O(T N) or O(T log N) instead of O(T N squared), and needs no eps.
//!
//! Differs from the paper, which calls the problem NP-hard: it is not, its own algorithm is polynomial. The paper
//! calls the largest load a latency; a request passes every tier, so [`Objective::Sum`] is the latency of one request
//! and [`Objective::Max`] governs throughput; [`front`] has every compromise, [`order`] leaves the order of tiers open.
//! The number of nodes of a tier does not enter L_j; [`TierPartition::balanced_over_replicas`] lets it.
//! Try: `edgewise solve tiers-partition` on 32 blocks of 1 with C = (68, 102.4, 204.8); expect 5, 9 and 18 blocks.

pub mod baseline;
pub mod brute;
pub mod dp;
mod exact;
mod front;
mod hypsplit;
mod infeasible;
pub mod order;
mod probe;
mod spans;
mod window;

pub use front::{FrontEntry, front};
pub use hypsplit::HypSplit;
pub use infeasible::{Cause, Infeasible, Repair};

use engine::evaluate::tiers::{ScoredCuts, score};
use engine::plan::TierCuts;
use engine::problem::TierPartition;
use engine::solve::{Ended, Limits, NoPlan, Progress, Solved, StopReason};
use serde::{Deserialize, Serialize};
use spans::TierSpans;

/// Objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The largest load: throughput.
    #[default]
    Max,
    /// All loads together: the latency of one request, but for transfers.
    Sum,
}

impl Objective {
    /// Its value in a score [s].
    #[must_use]
    pub fn of(self, scored: &ScoredCuts) -> f64 {
        match self {
            Self::Max => scored.bottleneck,
            Self::Sum => scored.sum,
        }
    }
}

/// T N beyond which the tables of the exact method would not fit.
const MOST_CELLS: usize = 30_000_000;

/// Finds the partition with the least largest load, and of those the least sum; or the other way round.
///
/// # Errors
/// [`NoPlan::Infeasible`] with a proved cause; [`NoPlan::Stopped`] only beyond T N = 3 10^7.
///
/// # Complexity
/// A dozen probes of O(T N), or of O(T log N) where every block fits every tier; O(T N) memory.
pub fn solve(
    problem: &TierPartition,
    objective: Objective,
) -> Result<Solved<TierCuts>, NoPlan<Infeasible>> {
    let spans = sized(problem)?;
    match exact::solve(&spans, objective) {
        Some(exact::Exact { cuts, value }) => Ok(Solved {
            plan: cuts,
            claimed: value,
            bound: Some(value),
            ended: Ended::Optimal,
        }),
        None => Err(NoPlan::Infeasible(infeasible::proof(&spans))),
    }
}

/// The least largest load with either probe, for comparison: always by scanning, or by the quickest that is exact.
/// `None` when nothing fits.
///
/// # Complexity
/// As [`solve`], without the choice among equals.
#[must_use]
pub fn least_bottleneck(problem: &TierPartition) -> Option<f64> {
    let spans = TierSpans::new(problem);
    let mut probe = probe::Probe::new(&spans);
    exact::bottleneck(&spans, &mut probe).map(|(value, _)| value)
}

/// The paper's method, to within `eps` of the least largest load, in the unit of f / C.
///
/// # Errors
/// As [`solve`]; a limit that comes before the first check is [`NoPlan::Stopped`].
///
/// # Complexity
/// O(T N squared) a check, log2((hi - lo) / eps) checks, 200 at most.
pub fn hypsplit(
    problem: &TierPartition,
    eps: f64,
    limits: &Limits,
    progress: &mut impl Progress<TierCuts>,
) -> Result<HypSplit, NoPlan<Infeasible>> {
    let spans = sized(problem)?;
    match hypsplit::solve(&spans, eps, limits, progress) {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err(NoPlan::Infeasible(infeasible::proof(&spans))),
        Err(stop) => Err(NoPlan::Stopped(stop)),
    }
}

/// A baseline's cuts as an answer: a split that overflows a tier is no plan. The bound is the least value there is.
///
/// # Errors
/// The proof where no partition exists at all, otherwise [`Cause::Split`] where this one does not fit.
///
/// # Complexity
/// As [`solve`].
pub fn of_baseline(
    problem: &TierPartition,
    cuts: TierCuts,
    objective: Objective,
) -> Result<Solved<TierCuts>, NoPlan<Infeasible>> {
    let best = solve(problem, objective)?;
    let scored =
        score(problem, &cuts).expect("a baseline's cuts are cuts where a partition exists");
    match scored.fits.iter().position(|fits| !fits) {
        Some(tier) => Err(NoPlan::Infeasible(Infeasible::split(
            problem,
            tier,
            scored.memory[tier],
        ))),
        None => Ok(Solved {
            plan: cuts,
            claimed: objective.of(&scored),
            bound: best.bound,
            ended: Ended::Finished,
        }),
    }
}

/// The prefix sums, unless the tables that follow would be too large.
fn sized(problem: &TierPartition) -> Result<TierSpans<'_>, NoPlan<Infeasible>> {
    let spans = TierSpans::new(problem);
    if problem.tiers().saturating_mul(problem.blocks()) > MOST_CELLS
        && spans.min_blocks * spans.tiers <= spans.blocks
    {
        return Err(NoPlan::Stopped(StopReason::Size));
    }
    Ok(spans)
}
