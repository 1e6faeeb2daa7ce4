//! Answers to cold-start problems: the plan, scored by the referee, beside the paper's baselines.

use crate::evaluate::{Misfit, Scored, score};
pub use crate::job::Status;
pub use crate::methods::cold_start::Repair;
use crate::methods::cold_start::{
    Cause, Infeasible, baseline, bound, ordered, program, repairs, solve,
};
use crate::plan::{Pipeline, Stage, StageTiming};
use crate::problem::{Code, ColdStart, HeuristicReading, Invalid};
use crate::solve::{Ended, Limits, NoPlan, Progress, Solved};
use serde::{Deserialize, Serialize};

/// Who makes the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The exact method that suits the size.
    #[default]
    Exact,
    /// The dynamic program of the paper.
    Dp,
    /// Everything on the strongest device, its memory limit waived.
    Single,
    /// The same number of layers everywhere.
    Even,
    /// Layers in proportion to speed.
    Heuristic,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Dp,
        Self::Single,
        Self::Even,
        Self::Heuristic,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Dp => "dp",
            Self::Single => "single",
            Self::Even => "even",
            Self::Heuristic => "heuristic",
        }
    }
}

/// One baseline, timed whether it fits or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub struct BaselineAnswer {
    /// Time to the first answer [s].
    pub T: f64,
    /// The plan.
    pub plan: Pipeline,
    /// Whether every stage fits its device.
    pub mem_ok: bool,
}

/// The paper's three baselines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baselines {
    /// Everything on the strongest device, its memory limit waived.
    pub single: BaselineAnswer,
    /// The same number of layers everywhere.
    pub even: BaselineAnswer,
    /// Layers in proportion to speed.
    pub heuristic: BaselineAnswer,
}

impl Baselines {
    /// The baselines with their names, in the order of the paper.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &BaselineAnswer); 3] {
        [
            ("single", &self.single),
            ("even", &self.even),
            ("heuristic", &self.heuristic),
        ]
    }

    /// The baselines that count as alternatives: the single device always, the others when they fit.
    pub fn usable(&self) -> impl Iterator<Item = (&'static str, &BaselineAnswer)> {
        self.named()
            .into_iter()
            .filter(|(name, b)| b.mem_ok || *name == "single")
    }

    /// The fastest usable baseline. The single device always is one, so there always is a best.
    #[must_use]
    pub fn best(&self) -> (&'static str, &BaselineAnswer) {
        let start = ("single", &self.single);
        self.usable().fold(
            start,
            |best, next| if next.1.T < best.1.T { next } else { best },
        )
    }
}

/// The answer to a cold-start problem. Times in seconds, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub struct Answer {
    /// What the answer claims.
    pub status: Status,
    /// Time to the first answer [s].
    pub T: Option<f64>,
    /// No plan is faster than this [s].
    pub bound: Option<f64>,
    /// (T - bound) / T.
    pub gap: Option<f64>,
    /// The plan: `[device, first layer, last layer]`, devices from 0, layers from 1.
    pub plan: Option<Pipeline>,
    /// The plan in time.
    pub timeline: Option<Vec<StageTiming>>,
    /// What the paper compares with.
    pub baselines: Baselines,
    /// The best cuts for devices that run strongest first, as the baselines do, none of which need take part:
    /// what the cuts alone gain, without the order. It counts as no baseline. Absent when nothing fits in this
    /// order, or when the problem is too large for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ordered: Option<BaselineAnswer>,
    /// The fastest usable baseline.
    pub best_baseline: Option<String>,
    /// 100 (T_best - T) / T_best.
    pub gain_vs_best_pct: Option<f64>,
    /// Why there is no plan, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The proof that there is no plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub infeasible: Option<Infeasible>,
    /// With which memory of one device there would be a plan; empty unless no plan exists at all.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub repairs: Vec<Repair>,
}

impl Answer {
    /// The same answer with device n called `places[n]`, as a longer list of devices counts them. A proof
    /// that names a device keeps its number: only a baseline asked for by name has one.
    #[must_use]
    pub fn with_devices_at(&self, places: &[usize]) -> Self {
        let mut moved = self.clone();
        let at = |device: &mut usize| *device = places.get(*device).copied().unwrap_or(*device);
        let baselines = &mut moved.baselines;
        for plan in [
            &mut baselines.single.plan,
            &mut baselines.even.plan,
            &mut baselines.heuristic.plan,
        ]
        .into_iter()
        .chain(&mut moved.plan)
        {
            plan.iter_mut().for_each(|stage| at(&mut stage.device));
        }
        for timing in moved.timeline.iter_mut().flatten() {
            at(&mut timing.device);
        }
        for repair in &mut moved.repairs {
            at(&mut repair.device);
        }
        moved
    }
}

/// Solves a problem and scores everything that comes out.
pub fn answer(
    problem: &ColdStart,
    method: Method,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Answer {
    let mut answer = answer_alone(problem, method, reading, limits, progress);
    // A split that overflows its device leaves other plans; nothing needs to be bought for them.
    let is_split = |proof: Infeasible| matches!(proof.cause, Cause::Split { .. });
    if answer.infeasible.is_some_and(|proof| !is_split(proof)) {
        answer.repairs = repairs(problem);
    }
    answer
}

/// The same without repairs, for those who ask a question whose answer they would not be.
pub fn answer_alone(
    problem: &ColdStart,
    method: Method,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Answer {
    let baselines = Baselines {
        single: timed(problem, baseline::single(problem)),
        even: timed(problem, baseline::even(problem)),
        heuristic: timed(problem, baseline::heuristic(problem, reading)),
    };
    let found = match method {
        Method::Exact => solve(problem, reading, limits, progress),
        Method::Dp => program(problem, reading, limits, progress),
        Method::Single => Ok(finished(problem, &baselines.single)),
        Method::Even => of_baseline(problem, &baselines.even),
        Method::Heuristic => of_baseline(problem, &baselines.heuristic),
    };
    let (best, best_total) = {
        let (name, b) = baselines.best();
        (name.to_owned(), b.T)
    };
    let mut answer = Answer {
        status: Status::Stopped,
        T: None,
        bound: None,
        gap: None,
        plan: None,
        timeline: None,
        baselines,
        ordered: ordered(problem).map(|plan| timed(problem, plan)),
        best_baseline: Some(best),
        gain_vs_best_pct: None,
        reason: None,
        infeasible: None,
        repairs: Vec::new(),
    };
    match found {
        Ok(solved) => {
            let scored = score(problem, &solved.plan).expect("methods return whole plans");
            answer.status = if solved.ended == Ended::Optimal {
                Status::Optimal
            } else {
                Status::Feasible
            };
            answer.T = Some(scored.total);
            answer.bound = solved.bound;
            answer.gap = solved
                .bound
                .map(|bound| (scored.total - bound) / scored.total);
            answer.gain_vs_best_pct = Some(gain_pct(best_total, scored.total));
            answer.timeline = Some(scored.timeline);
            answer.plan = Some(solved.plan);
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

/// Gain over a baseline in percent: 100 (T_base - T) / T_base. Section 7 of the method's description.
#[must_use]
pub fn gain_pct(base: f64, total: f64) -> f64 {
    100.0 * (base - total) / base
}

fn timed(problem: &ColdStart, plan: Pipeline) -> BaselineAnswer {
    let scored = score(problem, &plan).expect("a baseline covers every layer once");
    BaselineAnswer {
        T: scored.total,
        plan,
        mem_ok: scored.mem_ok,
    }
}

/// A baseline as an answer of its own; a split that overflows a device is no plan.
fn of_baseline(
    problem: &ColdStart,
    baseline: &BaselineAnswer,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    if baseline.mem_ok {
        return Ok(finished(problem, baseline));
    }
    let scored = score(problem, &baseline.plan).expect("a baseline covers every layer once");
    let (stage, row) = scored
        .timeline
        .iter()
        .enumerate()
        .find(|(_, row)| !row.mem_ok)
        .expect("one stage does not fit, or the plan would");
    let have = problem.machines()[row.device].memory.get();
    let cause = Cause::Split {
        stage,
        device: row.device,
        need: row.mem,
        have,
    };
    Err(NoPlan::Infeasible(Infeasible {
        cause,
        room: None,
        layers: problem.layers().len(),
    }))
}

fn finished(problem: &ColdStart, baseline: &BaselineAnswer) -> Solved<Pipeline> {
    // The single device waives the memory limit, so it may undercut a bound that assumes the limit.
    let bound = baseline.mem_ok.then(|| bound::lower(problem));
    Solved {
        plan: baseline.plan.clone(),
        claimed: baseline.T,
        bound,
        ended: Ended::Finished,
    }
}

/// A given plan, scored. Nothing is searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub struct Evaluation {
    /// Time to the first answer [s].
    pub T: f64,
    /// The plan in time.
    pub timeline: Vec<StageTiming>,
    /// Whether every stage fits its device.
    pub mem_ok: bool,
}

/// Scores a given plan.
///
/// # Errors
/// A plan that is none for this problem is bad input at `plan[i]`.
pub fn evaluate(problem: &ColdStart, plan: &[Stage]) -> Result<Evaluation, Invalid> {
    match score(problem, plan) {
        Ok(Scored {
            total,
            timeline,
            mem_ok,
        }) => Ok(Evaluation {
            T: total,
            timeline,
            mem_ok,
        }),
        Err(misfit) => Err(refused(plan, &misfit)),
    }
}

fn refused(plan: &[Stage], misfit: &Misfit) -> Invalid {
    let path = misfit
        .stage()
        .map_or_else(|| "plan".to_owned(), |stage| format!("plan[{stage}]"));
    let value = match misfit.stage().and_then(|stage| plan.get(stage)) {
        Some(stage) => serde_json::json!([stage.device, stage.first, stage.last]),
        None => serde_json::json!([]),
    };
    let message = format!("{path} is {value}: {misfit}");
    Invalid::new(Code::Plan, path, value, message)
}

/// The answers over several prompt lengths, and what they add up to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Least gain over all lengths and usable baselines, in percent.
    pub gain_min_pct: Option<f64>,
    /// Greatest gain over all lengths and usable baselines, in percent.
    pub gain_max_pct: Option<f64>,
    /// Mean over the lengths of the gain against the best baseline, in percent.
    pub gain_vs_best_mean_pct: Option<f64>,
}

/// Sums up answers; lengths without a plan are left out.
#[must_use]
pub fn summary<'a>(answers: impl Iterator<Item = &'a Answer>) -> Summary {
    let (mut gains, mut best) = (Vec::new(), Vec::new());
    for answer in answers {
        if let Some(total) = answer.T {
            gains.extend(answer.baselines.usable().map(|(_, b)| gain_pct(b.T, total)));
            best.extend(answer.gain_vs_best_pct);
        }
    }
    let mean = best.iter().sum::<f64>() / best.len() as f64;
    Summary {
        gain_min_pct: gains.iter().copied().reduce(f64::min),
        gain_max_pct: gains.iter().copied().reduce(f64::max),
        gain_vs_best_mean_pct: (!best.is_empty()).then_some(mean),
    }
}
