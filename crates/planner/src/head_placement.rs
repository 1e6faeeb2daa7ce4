//! Answers to placement problems of attention heads: the placement, scored by the referee, with what is known about the
//! best there is.

use super::Status;
use engine::evaluate::heads::{BlockMigration, ScoredHeads};
use engine::evaluate::heads_split::score_layout;
use engine::plan::{HeadSplit, Layout, Placement};
use engine::problem::Invalid;
use engine::problem::head_sizes::Sizes;
use engine::problem::heads::HeadPlacement;
use engine::solve::{Ended, NoPlan, NoProgress, Progress, Solved};
use methods::heads::galaxy::{self, GROUP};
use methods::heads::{self, Infeasible, algorithm1, baseline, split};
pub use methods::heads::{
    Cause, Part, Repair,
    algorithm1::{Stuck, Variant},
    baseline::Pick,
};
use serde::{Deserialize, Serialize};

/// Method that makes the placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The least J, by counting.
    #[default]
    Exact,
    /// The paper's heuristic.
    Algorithm1,
    /// First device with memory and compute left.
    Greedy,
    /// Next device with memory left.
    RoundRobin,
    /// The previous placement; Algorithm 1 where there is none.
    Static,
    /// The whole layer on one device, chosen by score.
    Dynamic,
    /// The whole layer on the device with the least delay.
    #[serde(rename = "edgeshard")]
    EdgeShard,
    /// Heads, proj and ffn split over four devices; no placement of blocks.
    Galaxy,
    /// The least J of placements and of splits of the layer over a group of devices.
    ExactSplit,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 9] = [
        Self::Exact,
        Self::Algorithm1,
        Self::Greedy,
        Self::RoundRobin,
        Self::Static,
        Self::Dynamic,
        Self::EdgeShard,
        Self::Galaxy,
        Self::ExactSplit,
    ];

    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Algorithm1 => "algorithm1",
            Self::Greedy => "greedy",
            Self::RoundRobin => "round-robin",
            Self::Static => "static",
            Self::Dynamic => "dynamic",
            Self::EdgeShard => "edgeshard",
            Self::Galaxy => "galaxy",
            Self::ExactSplit => "exact-split",
        }
    }
}

/// Options of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeadPlacementOptions {
    /// Method that makes the placement.
    pub method: Method,
    /// How Algorithm 1 scores devices, its own and that which `static` begins with.
    pub variant: Variant,
}

/// The answer to a placement problem. Times in seconds, memory in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// Proof status.
    pub status: Status,
    /// w D_T + D_mig.
    #[serde(rename = "J")]
    pub j: Option<f64>,
    /// Delay of the last token of the interval.
    #[serde(rename = "D_T")]
    pub d_t: Option<f64>,
    /// All moves.
    #[serde(rename = "D_mig")]
    pub d_mig: Option<f64>,
    /// The device of each head, of proj and of ffn; none for a plan that splits proj and ffn, which has a group.
    pub placement: Option<Placement>,
    /// Memory in use on each device.
    pub memory_use: Option<Vec<f64>>,
    /// Memory and compute demands of the blocks at token n.
    pub sizes: Sizes,
    /// No placement has a J below this, and for `exact-split` no split either; none for Galaxy, which is no placement and may
    /// beat them all.
    pub bound: Option<f64>,
    /// (J - bound) / J.
    pub gap: Option<f64>,
    /// The group of a plan that splits the layer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<Group>,
    /// Why there is no placement, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The proof that there is no placement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub infeasible: Option<Infeasible>,
}

/// A group of devices that split a layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Group {
    /// The devices.
    pub devices: Vec<usize>,
    /// How many heads each has.
    pub heads: Vec<usize>,
    /// Which share of proj and ffn each has.
    pub share: Vec<f64>,
    /// The device of each head.
    #[serde(default)]
    pub on: Vec<usize>,
}

impl Answer {
    /// An answer without a placement.
    fn nothing(problem: &HeadPlacement) -> Self {
        Self {
            status: Status::Stopped,
            j: None,
            d_t: None,
            d_mig: None,
            placement: None,
            memory_use: None,
            sizes: *problem.sizes(),
            bound: None,
            gap: None,
            group: None,
            reason: None,
            infeasible: None,
        }
    }

    /// Builds the answer for the placement of an interval of a run, whichever method made it, after `before` if the layer was
    /// split. `optimal` is true if the placement is proven optimal in its class. A placement that exceeds memory is scored as
    /// well, with the reason, since a run goes on.
    #[must_use]
    pub fn of_step(
        problem: &HeadPlacement,
        before: Option<&HeadSplit>,
        layout: Option<&Layout>,
        optimal: bool,
    ) -> Self {
        let mut answer = Self::nothing(problem);
        match layout {
            Some(layout) => {
                let bound = match (layout, optimal) {
                    (Layout::Blocks(_), false) => best(problem, &mut NoProgress).ok(),
                    _ => None,
                };
                let scored = score_and_keep(&mut answer, problem, before, layout, bound);
                if optimal && answer.status == Status::Feasible {
                    prove(&mut answer);
                }
                if answer.status == Status::Infeasible {
                    fill(&mut answer, layout, scored);
                }
            }
            None => {
                answer.status = Status::Infeasible;
                let reason = "the method found no placement here, and no fallback fits";
                answer.reason = Some(reason.to_owned());
                if let Err(none @ NoPlan::Infeasible(_)) = heads::solve(problem, &mut NoProgress) {
                    give_up(&mut answer, &none);
                }
            }
        }
        answer
    }
}

/// Solves a problem and scores what comes out.
///
/// `progress` may end the exact search and Algorithm 1; what it ends has no bound, or a lesser one.
pub fn answer(
    problem: &HeadPlacement,
    options: &HeadPlacementOptions,
    progress: &mut impl Progress<Placement>,
) -> Answer {
    let mut answer = Answer::nothing(problem);
    let made = match options.method {
        Method::Exact => {
            match heads::solve(problem, progress) {
                Ok(solved) => solved_by(&mut answer, problem, solved, Layout::Blocks),
                Err(none) => give_up(&mut answer, &none),
            }
            return answer;
        }
        Method::ExactSplit => {
            match split::solve(problem, progress) {
                Ok(solved) => solved_by(&mut answer, problem, solved, |layout| layout),
                Err(none) => {
                    answer.reason = Some(none.to_string());
                    if let NoPlan::Infeasible(_) = none {
                        answer.status = Status::Infeasible;
                    }
                }
            }
            return answer;
        }
        Method::Galaxy => {
            // Galaxy never moves: wherever it is, it has been there before.
            let group = Layout::Split(galaxy::group(problem, GROUP));
            score_and_keep(&mut answer, problem, group.split(), &group, None);
            answer.group = answer.group.or_else(|| group_of(&group));
            return answer;
        }
        Method::Algorithm1 => algorithm1::solve(problem, options.variant, progress),
        Method::Static => match baseline::stay(problem) {
            Some(placement) => Ok(placement),
            None => algorithm1::solve(problem, options.variant, progress),
        },
        Method::Greedy => baseline::greedy(problem),
        Method::RoundRobin => baseline::round_robin(problem),
        Method::Dynamic => baseline::dynamic(problem),
        Method::EdgeShard => baseline::edgeshard(problem, Pick::Best),
    };
    let best = best(problem, progress);
    match (made, best) {
        (Err(Stuck::Stopped), _) => answer.reason = Some(Stuck::Stopped.to_string()),
        (_, Err(none @ NoPlan::Infeasible(_))) => give_up(&mut answer, &none),
        (Err(stuck), _) => {
            answer.status = Status::Infeasible;
            answer.reason = Some(stuck.to_string());
        }
        (Ok(placement), best) => {
            score_and_keep(
                &mut answer,
                problem,
                None,
                &Layout::Blocks(placement),
                best.ok(),
            );
        }
    }
    answer
}

/// Returns the best known lower bound of the time of a token.
fn best(
    problem: &HeadPlacement,
    progress: &mut impl Progress<Placement>,
) -> Result<f64, NoPlan<Infeasible>> {
    let solved = heads::solve(problem, progress)?;
    Ok(solved.bound.unwrap_or(f64::NEG_INFINITY))
}

/// Takes what an exact search found, with what it proved.
fn solved_by<P>(
    answer: &mut Answer,
    problem: &HeadPlacement,
    solved: Solved<P>,
    layout: impl FnOnce(P) -> Layout,
) {
    let optimal = solved.ended == Ended::Optimal;
    score_and_keep(answer, problem, None, &layout(solved.plan), solved.bound);
    if optimal {
        prove(answer);
    }
}

/// Makes a proven plan its own bound, since the sums of evaluator and solver differ by rounding.
fn prove(answer: &mut Answer) {
    answer.status = Status::Optimal;
    (answer.bound, answer.gap) = (answer.j, Some(0.0));
}

/// Scores a plan and takes it, unless memory does not suffice or it would never end; what the referee says of it.
fn score_and_keep(
    answer: &mut Answer,
    problem: &HeadPlacement,
    before: Option<&HeadSplit>,
    layout: &Layout,
    bound: Option<f64>,
) -> ScoredHeads {
    let scored =
        score_layout(problem, before, layout).expect("methods return plans of the problem");
    if let Some(reason) = misfit(problem, layout, &scored) {
        answer.status = Status::Infeasible;
        answer.reason = Some(reason);
        return scored;
    }
    answer.status = Status::Feasible;
    // Rounding may put a bound above the value.
    answer.bound = bound.map(|bound| bound.min(scored.j));
    answer.gap = answer.bound.map(|bound| gap(scored.j, bound));
    fill(answer, layout, scored.clone());
    scored
}

/// Puts the figures of a plan into the answer.
fn fill(answer: &mut Answer, layout: &Layout, scored: ScoredHeads) {
    answer.j = finite(scored.j);
    answer.d_t = finite(scored.d_t);
    answer.d_mig = finite(scored.d_mig);
    answer.memory_use = Some(scored.memory_use);
    answer.placement = layout.placement().cloned();
    answer.group = group_of(layout);
}

/// The group of a split.
fn group_of(layout: &Layout) -> Option<Group> {
    layout.split().map(|split| Group {
        devices: split.devices.clone(),
        heads: split.heads(),
        share: split.share.clone(),
        on: split.on.clone(),
    })
}

/// Why a plan that a method made is none.
fn misfit(problem: &HeadPlacement, layout: &Layout, scored: &ScoredHeads) -> Option<String> {
    if let Some(reason) = overfull(problem, &scored.memory_use) {
        return Some(reason);
    }
    if scored.feasible {
        return None;
    }
    if layout.split().is_some() {
        let reason = "the group would never finish a token: it lacks a link or compute";
        return Some(reason.to_owned());
    }
    let what = if scored.d_mig.is_finite() {
        "would never finish a token: it lacks a link, or compute, where this method puts blocks"
    } else {
        "would never finish its moves: a link is missing on which this method moves a block"
    };
    Some(format!("the placement {what}"))
}

/// Which device lacks memory.
fn overfull(problem: &HeadPlacement, memory_use: &[f64]) -> Option<String> {
    let device = (0..memory_use.len()).find(|j| !problem.fits(*j, memory_use[*j]))?;
    let (need, have) = (memory_use[device], problem.memory()[device]);
    Some(format!(
        "what this method puts on device {device} does not fit: it needs {need} bytes and has {have}"
    ))
}

fn gap(value: f64, bound: f64) -> f64 {
    if value > bound {
        (value - bound) / value
    } else {
        0.0
    }
}

fn give_up(answer: &mut Answer, none: &NoPlan<Infeasible>) {
    answer.reason = Some(none.to_string());
    match none {
        NoPlan::Infeasible(proof) => {
            answer.status = Status::Infeasible;
            answer.infeasible = Some(proof.clone());
        }
        NoPlan::Stopped(_) => answer.status = Status::Stopped,
    }
}

/// A given placement, scored. Nothing is searched. Times are none where they are infinite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// True if every device has enough memory.
    pub memory_ok: bool,
    /// Memory in use on each device.
    pub memory_use: Vec<f64>,
    /// All moves.
    #[serde(rename = "D_mig")]
    pub d_mig: Option<f64>,
    /// Delay of the last token of the interval.
    #[serde(rename = "D_T")]
    pub d_t: Option<f64>,
    /// w D_T + D_mig.
    #[serde(rename = "J")]
    pub j: Option<f64>,
    /// Parts of D_T.
    pub parts: Parts,
    /// The blocks that move.
    pub moves: Vec<Moved>,
}

/// Parts of the delay of a token [s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Parts {
    /// The slowest device with heads.
    pub heads: Option<f64>,
    /// proj; 0 where equation (6) leaves it out.
    pub proj: Option<f64>,
    /// proj to ffn.
    pub transfer: Option<f64>,
    /// ffn; 0 where equation (6) leaves it out.
    pub ffn: Option<f64>,
}

/// A block that moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Moved {
    /// The block: heads from 0, then proj, then ffn.
    pub block: usize,
    /// The device it leaves.
    pub from: usize,
    /// The device it goes to.
    pub to: usize,
    /// Bytes moved with it.
    pub bytes: f64,
    /// How long that takes.
    pub seconds: Option<f64>,
}

/// Scores a given plan, whether memory suffices or not.
///
/// # Errors
/// A plan that is none for this problem is bad input at `placement`, `placement[i]` or a field of `split`.
pub fn evaluate(problem: &HeadPlacement, layout: &Layout) -> Result<Evaluation, Invalid> {
    let scored = score_layout(problem, None, layout)?;
    let moved = |one: BlockMigration| Moved {
        block: one.block,
        from: one.from,
        to: one.to,
        bytes: one.bytes,
        seconds: finite(one.seconds),
    };
    Ok(Evaluation {
        memory_ok: scored.memory_ok,
        memory_use: scored.memory_use,
        d_mig: finite(scored.d_mig),
        d_t: finite(scored.d_t),
        j: finite(scored.j),
        parts: Parts {
            heads: finite(scored.head_stage),
            proj: finite(scored.proj),
            transfer: finite(scored.transfer),
            ffn: finite(scored.ffn),
        },
        moves: scored.moves.into_iter().map(moved).collect(),
    })
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
