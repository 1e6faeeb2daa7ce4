//! Answers to partition problems: the cuts, scored by the referee, with what is known about the best there are.

use super::Status;
use engine::evaluate::tiers::{InvalidCuts, ScoredCuts, score};
use engine::plan::TierCuts;
use engine::problem::{Code, Invalid, TierPartition};
use engine::solve::{Ended, Limits, NoPlan, Progress};
use methods::tiers::partition::{self, Infeasible, baseline};
pub use methods::tiers::partition::{
    Cause, FrontEntry, Objective, Repair, front,
    order::{self, OrderedPartition},
};
use serde::{Deserialize, Serialize};

/// Method that makes the partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The exact bisection.
    #[default]
    Exact,
    /// The paper's bisection down to an eps.
    HypSplit,
    /// Equal counts.
    Gpipe,
    /// Equal counts, what overflows moved to where there is room.
    GpipeRepaired,
    /// First fit in the order of tiers.
    Heft,
    /// Blocks in proportion to memory.
    MemoryProportional,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 6] = [
        Self::Exact,
        Self::HypSplit,
        Self::Gpipe,
        Self::GpipeRepaired,
        Self::Heft,
        Self::MemoryProportional,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::HypSplit => "hypsplit",
            Self::Gpipe => "gpipe",
            Self::GpipeRepaired => "gpipe-repaired",
            Self::Heft => "heft",
            Self::MemoryProportional => "memory-proportional",
        }
    }
}

/// Default tolerance of HypSplit-DP, in the unit of f / C.
pub const EPS: f64 = 1e-3;

/// Options of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TiersPartitionOptions {
    /// Method that makes the partition.
    pub method: Method,
    /// Objective. HypSplit-DP knows only the largest load, baselines have none.
    pub objective: Objective,
    /// How close HypSplit-DP comes.
    pub eps: f64,
    /// How far HypSplit-DP may go.
    pub limits: Limits,
}

impl Default for TiersPartitionOptions {
    fn default() -> Self {
        Self {
            method: Method::default(),
            objective: Objective::default(),
            eps: EPS,
            limits: Limits::default(),
        }
    }
}

/// The answer to a partition problem. Times in seconds, or whatever f / C is; memory in the unit of the problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// Proof status.
    pub status: Status,
    /// True if there is a partition.
    pub feasible: bool,
    /// The largest load of the partition.
    pub bottleneck: Option<f64>,
    /// All its loads together.
    pub sum: Option<f64>,
    /// The last block of every tier but the last, from 1.
    pub p: Option<TierCuts>,
    /// How many blocks each tier holds.
    pub counts: Option<Vec<usize>>,
    /// No partition's objective is less than this.
    pub bound: Option<f64>,
    /// (value - bound) / value of the objective.
    pub gap: Option<f64>,
    /// L_j.
    pub loads: Option<Vec<f64>>,
    /// Memory of each tier in use.
    pub memory: Option<Vec<f64>>,
    /// All hops together.
    pub communication: Option<f64>,
    /// The upper end of HypSplit-DP's bisection.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tau: Option<f64>,
    /// How often HypSplit-DP halved its interval.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub halvings: Option<u32>,
    /// Why there is no partition, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The proof that there is no partition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub infeasible: Option<Infeasible>,
}

/// Solves a problem and scores what comes out.
pub fn answer(
    problem: &TierPartition,
    options: &TiersPartitionOptions,
    progress: &mut impl Progress<TierCuts>,
) -> Answer {
    let objective = options.objective;
    let of = |cuts: fn(&TierPartition) -> TierCuts| {
        partition::of_baseline(problem, cuts(problem), objective)
            .map(|s| (s.plan, s.bound, s.ended))
    };
    let (mut tau, mut halvings) = (None, None);
    let found = match options.method {
        Method::Exact => partition::solve(problem, objective).map(|s| (s.plan, s.bound, s.ended)),
        Method::HypSplit => {
            let found = partition::hypsplit(problem, options.eps, &options.limits, progress);
            found.map(|h| {
                (tau, halvings) = (Some(h.tau), Some(h.halvings));
                let bound = (objective == Objective::Max).then_some(h.low);
                (h.cuts, bound, Ended::Finished)
            })
        }
        Method::Gpipe => of(baseline::gpipe),
        Method::GpipeRepaired => of(baseline::gpipe_repaired),
        Method::Heft => of(baseline::heft),
        Method::MemoryProportional => of(baseline::memory_proportional),
    };
    let mut answer = Answer {
        status: Status::Stopped,
        feasible: false,
        bottleneck: None,
        sum: None,
        p: None,
        counts: None,
        bound: None,
        gap: None,
        loads: None,
        memory: None,
        communication: None,
        tau,
        halvings,
        reason: None,
        infeasible: None,
    };
    match found {
        Ok((cuts, bound, ended)) => {
            let scored = score(problem, &cuts).expect("methods return cuts of the problem");
            let value = objective.of(&scored);
            answer.status = if ended == Ended::Optimal {
                Status::Optimal
            } else {
                Status::Feasible
            };
            answer.feasible = true;
            // What is proved best is its own bound: the referee's sums and the solver's differ by rounding.
            answer.bound = bound.map(|bound| match ended {
                Ended::Optimal => value,
                Ended::Finished | Ended::Stopped(_) => bound.min(value),
            });
            answer.gap = answer.bound.map(|bound| (value - bound) / value);
            answer.bottleneck = Some(scored.bottleneck);
            answer.sum = Some(scored.sum);
            answer.communication = Some(scored.communication);
            answer.counts = Some(scored.counts);
            answer.loads = Some(scored.load);
            answer.memory = Some(scored.memory);
            answer.p = Some(cuts);
        }
        Err(NoPlan::Infeasible(proof)) => {
            answer.status = Status::Infeasible;
            answer.reason = Some(proof.to_string());
            answer.infeasible = Some(proof);
        }
        Err(stopped @ NoPlan::Stopped(_)) => answer.reason = Some(stopped.to_string()),
    }
    answer
}

/// Given cuts, scored. Nothing is searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// The largest load.
    pub bottleneck: f64,
    /// All loads together.
    pub sum: f64,
    /// How many blocks each tier holds.
    pub counts: Vec<usize>,
    /// L_j.
    pub loads: Vec<f64>,
    /// Memory of each tier in use.
    pub memory: Vec<f64>,
    /// All hops together.
    pub communication: f64,
    /// True if every tier has enough memory.
    pub mem_ok: bool,
    /// True for each tier that has enough memory.
    pub fits: Vec<bool>,
}

/// Scores given cuts.
///
/// # Errors
/// Cuts that are none for this problem are bad input at `p[i]`, or at `p`.
pub fn evaluate(problem: &TierPartition, cuts: &[usize]) -> Result<Evaluation, Invalid> {
    let ScoredCuts {
        counts,
        load,
        memory,
        fits,
        mem_ok,
        bottleneck,
        sum,
        communication,
    } = score(problem, cuts).map_err(|misfit| refused(cuts, &misfit))?;
    Ok(Evaluation {
        bottleneck,
        sum,
        counts,
        loads: load,
        memory,
        communication,
        mem_ok,
        fits,
    })
}

fn refused(cuts: &[usize], misfit: &InvalidCuts) -> Invalid {
    let at = misfit.cut();
    let path = at.map_or_else(|| "p".to_owned(), |at| format!("p[{at}]"));
    let value = match at.and_then(|at| cuts.get(at)) {
        Some(cut) => serde_json::json!(cut),
        None => serde_json::json!(cuts),
    };
    let message = format!("{path}: {misfit}");
    Invalid::new(Code::Plan, path, value, message)
}
