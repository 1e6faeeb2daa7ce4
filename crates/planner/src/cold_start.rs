//! Answers to cold-start problems: the plan, scored by the referee, beside the paper's baselines.

pub use crate::Status;
use crate::cold_start_decode::{BaselineDecode, DecodeAnswer, DecodeGoal};
use crate::cold_start_search::FIRST_STEPS;
use crate::cold_start_whole_answer::{Whole, fastest_full_answer};
use engine::evaluate::{InvalidStages, ScoredStages, score, score_decode};
use engine::plan::{Pipeline, Stage, StageTiming};
use engine::problem::{Code, ColdStart, HeuristicReading, Invalid};
use engine::scenario::Scenario;
use engine::solve::{Ended, Limits, NoPlan, NoProgress, Progress, SearchEvent, Solved, StopReason};
use engine::units::bytes;
pub use methods::cold_start::Repair;
use methods::cold_start::{
    Cause, Infeasible, baseline, decode, is_searched, ordered, program_alone, repairs, solve,
    table_bytes, table_room,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Devices times layers squared that prices are found for in about 50 ms.
const BLINK: usize = 40_000;

/// Method that makes the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColdStartMethod {
    /// The exact method that suits the size.
    #[default]
    Exact,
    /// The dynamic program of the paper, and nothing in its place.
    Dp,
    /// Everything on the strongest device.
    Single,
    /// Equal numbers of layers.
    Even,
    /// Layers in proportion to speed.
    Heuristic,
}

impl ColdStartMethod {
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
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct BaselineAnswer {
    /// Time to the first answer [s].
    pub T: f64,
    /// The plan.
    pub plan: Pipeline,
    /// True if every stage fits its device.
    pub mem_ok: bool,
    /// The tokens after the first one; absent where no answer is planned for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decode: Option<BaselineDecode>,
}

impl BaselineAnswer {
    /// A baseline, scored.
    pub(crate) fn of(problem: &ColdStart, plan: Pipeline) -> Self {
        let scored = score(problem, &plan).expect("a baseline covers every layer once");
        let decoding = score_decode(problem, &plan).expect("a baseline covers every layer once");
        Self {
            T: scored.total,
            mem_ok: scored.mem_ok,
            decode: decoding.and_then(|d| BaselineDecode::of(problem, scored.total, &d)),
            plan,
        }
    }

    /// The value of the problem's goal [s]: T, or T + G D for a whole answer.
    #[must_use]
    pub fn objective(&self) -> f64 {
        self.decode.map_or(self.T, |decode| decode.objective)
    }

    /// Returns true if the plan fits and keeps the required rate.
    fn is_plan(&self) -> bool {
        self.mem_ok && self.decode.is_none_or(|decode| decode.rate_ok)
    }
}

/// The paper's three baselines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Baselines {
    /// Everything on the strongest device, its memory limit waived.
    pub single: BaselineAnswer,
    /// Equal numbers of layers.
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

    /// The baselines that could be run: they fit, and keep the rate that was asked for.
    pub fn fitting(&self) -> impl Iterator<Item = (&'static str, &BaselineAnswer)> {
        self.named().into_iter().filter(|(_, b)| b.is_plan())
    }

    /// The baselines that the paper counts: the single device whether it fits or not, the others where they fit.
    pub fn of_the_paper(&self) -> impl Iterator<Item = (&'static str, &BaselineAnswer)> {
        self.named()
            .into_iter()
            .filter(|(name, b)| b.is_plan() || *name == "single")
    }

    /// The best baseline that could be run, by the problem's goal; `None` where none fits.
    #[must_use]
    pub fn best(&self) -> Option<(&'static str, &BaselineAnswer)> {
        best_of(self.fitting())
    }

    /// The best baseline as the paper counts them.
    #[must_use]
    pub fn best_of_the_paper(&self) -> Option<(&'static str, &BaselineAnswer)> {
        best_of(self.of_the_paper())
    }
}

/// The baseline with the least objective, the first of equals.
fn best_of<'a>(
    baselines: impl Iterator<Item = (&'static str, &'a BaselineAnswer)>,
) -> Option<(&'static str, &'a BaselineAnswer)> {
    baselines.reduce(|best, next| {
        if next.1.objective() < best.1.objective() {
            next
        } else {
            best
        }
    })
}

/// The comparison as the paper makes it: one device alone counts although its memory limit is waived, so a gain may be over a
/// plan that cannot be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct PaperReading {
    /// The best baseline.
    pub best_baseline: String,
    /// 100 (T_best - T) / T_best, with T + G D in place of T for a whole answer; null without a plan.
    pub gain_vs_best_pct: Option<f64>,
}

/// The answer to a cold-start problem. Times in seconds, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Answer {
    /// Proof status of the plan.
    pub status: Status,
    /// Time to the first answer [s].
    pub T: Option<f64>,
    /// Value of the problem's goal [s]: T, or T + G D for a whole answer.
    pub objective: Option<f64>,
    /// No plan has a smaller objective [s].
    pub bound: Option<f64>,
    /// (objective - bound) / objective.
    pub gap: Option<f64>,
    /// The plan: `[device, first layer, last layer]`, devices from 0, layers from 1.
    pub plan: Option<Pipeline>,
    /// The plan in time.
    pub timeline: Option<Vec<StageTiming>>,
    /// Energy of reading the weights of the plan from disk [J]; absent unless every device in use states its energy per byte.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_energy_j: Option<f64>,
    /// Baselines of the paper.
    pub baselines: Baselines,
    /// The best cuts for devices that run strongest first, as the baselines do, none of which need take part:
    /// what the cuts alone gain, without the order. It counts as no baseline. Absent when nothing fits in this
    /// order, or when the problem is too large for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ordered: Option<BaselineAnswer>,
    /// The best baseline that fits; `None` where none does.
    pub best_baseline: Option<String>,
    /// 100 (objective of that baseline - objective) / objective of that baseline.
    pub gain_vs_best_pct: Option<f64>,
    /// The plan as the paper counts it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub paper_reading: Option<PaperReading>,
    /// The tokens after the first one; absent where no answer is planned for, or where there is no plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decode: Option<DecodeAnswer>,
    /// The fastest way known to give a whole answer, which may begin with one plan and go on with another; absent where no
    /// answer is planned for, for a rate, and where it takes longer than a blink to find.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub whole: Option<Box<Whole>>,
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
    /// Puts a plan and all that the referee says of it in place of the one it has.
    pub(crate) fn replace_plan(&mut self, problem: &ColdStart, plan: Pipeline, bound: Option<f64>) {
        let scored = score(problem, &plan).expect("methods return whole plans");
        let decoding = score_decode(problem, &plan).expect("methods return whole plans");
        self.T = Some(scored.total);
        self.decode = decoding.and_then(|d| DecodeAnswer::of(problem, scored.total, d));
        let objective = self
            .decode
            .as_ref()
            .map_or(scored.total, |decode| decode.objective);
        self.objective = Some(objective);
        self.bound = bound;
        self.gap = bound.map(|bound| (objective - bound) / objective);
        self.timeline = Some(scored.timeline);
        self.load_energy_j = scored.load_j;
        self.plan = Some(plan);
        self.compare();
    }

    /// Sets what the answer says of the best baseline.
    pub(crate) fn compare(&mut self) {
        let ours = self.objective;
        let gain = |best: &BaselineAnswer| ours.map(|ours| gain_pct(best.objective(), ours));
        let best = self.baselines.best();
        self.best_baseline = best.map(|(name, _)| name.to_owned());
        self.gain_vs_best_pct = best.and_then(|(_, best)| gain(best));
        let of_the_paper = self.baselines.best_of_the_paper();
        self.paper_reading = of_the_paper.map(|(name, best)| PaperReading {
            best_baseline: name.to_owned(),
            gain_vs_best_pct: gain(best),
        });
    }

    /// Returns the answer with device n called `places[n]`, the index in a longer list of devices. Baselines have a number in
    /// their proof only where they are asked for by name.
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
        for stage in moved.decode.iter_mut().flat_map(|d| &mut d.stages) {
            at(&mut stage.device);
        }
        if let Some(whole) = &mut moved.whole {
            whole.for_each_device(at);
        }
        for repair in &mut moved.repairs {
            at(&mut repair.device);
        }
        moved
    }
}

/// The plan of a scenario that is shown first, at its own prompt length. Where even the beginning of a search takes longer than a
/// blink, that is the best plan known without one, with its bound: the page shows it at once and goes on from it.
///
/// # Errors
/// A scenario that poses no problem.
///
/// # Complexity
/// For K devices and L layers with K L² above [`BLINK`], O(K L² + K² L) where a baseline fits the memories.
pub fn first(
    scenario: &Scenario,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Answer, Invalid> {
    let problem = scenario.problem()?;
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let takes_long = devices * layers * layers > BLINK;
    if takes_long && problem.goal() == DecodeGoal::FirstAnswer && is_searched(&problem) {
        let limits = Limits {
            steps: Some(0),
            ..Limits::default()
        };
        let reading = scenario.heuristic;
        let known = answer(
            &problem,
            ColdStartMethod::Exact,
            reading,
            &limits,
            &mut NoProgress,
        );
        if known.plan.is_some() || known.status == Status::Infeasible {
            return Ok(known);
        }
    }
    planned(scenario, scenario.prompt_tokens, on_progress)
}

/// The plan of a scenario at a prompt length, searched for no longer than a first answer may take; `on_progress` receives how many steps are done,
/// and of how many where that is known.
///
/// # Errors
/// A scenario that poses no problem.
pub fn planned(
    scenario: &Scenario,
    tokens: f64,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Answer, Invalid> {
    let problem = scenario.problem_at(tokens)?;
    let mut listen = |event: SearchEvent<'_, Pipeline>| {
        if let SearchEvent::Step { done, of } = event {
            on_progress(done, of);
        }
        ControlFlow::Continue(())
    };
    let reading = scenario.heuristic;
    // Beyond that, the page shares the search out; a program over few devices has fewer steps.
    let limits = Limits {
        steps: Some(FIRST_STEPS),
        ..Limits::default()
    };
    Ok(answer(
        &problem,
        ColdStartMethod::Exact,
        reading,
        &limits,
        &mut listen,
    ))
}

/// Solves a problem and scores everything that comes out.
pub fn answer(
    problem: &ColdStart,
    method: ColdStartMethod,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Answer {
    let mut answer = answer_alone(problem, method, reading, limits, progress);
    // A split that overflows its device leaves other plans; nothing needs to be bought for them. Memory does not help
    // against a rate.
    let needs_none = |proof: Infeasible| {
        matches!(
            proof.cause,
            Cause::Split { .. } | Cause::Rate { .. } | Cause::Slow { .. }
        )
    };
    if answer.infeasible.is_some_and(|proof| !needs_none(proof)) {
        answer.repairs = repairs(problem);
    }
    if method == ColdStartMethod::Exact
        && let Some(plan) = &answer.plan
    {
        answer.whole = fastest_full_answer(problem, plan, reading, limits, progress).map(Box::new);
    }
    answer
}

/// Answers without repairs and without alternatives for whole answers, for callers that solve variants of a problem.
pub fn answer_alone(
    problem: &ColdStart,
    method: ColdStartMethod,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Answer {
    let baselines = Baselines {
        single: BaselineAnswer::of(problem, baseline::single(problem)),
        even: BaselineAnswer::of(problem, baseline::even(problem)),
        heuristic: BaselineAnswer::of(problem, baseline::heuristic(problem, reading)),
    };
    let found = match method {
        ColdStartMethod::Exact => solve(problem, reading, limits, progress),
        ColdStartMethod::Dp => first_answer(problem, program_alone(problem, limits, progress)),
        ColdStartMethod::Single => of_baseline(problem, &baselines.single),
        ColdStartMethod::Even => of_baseline(problem, &baselines.even),
        ColdStartMethod::Heuristic => of_baseline(problem, &baselines.heuristic),
    }
    .and_then(|solved| fast_enough(problem, solved));
    let is_first = problem.goal() == DecodeGoal::FirstAnswer;
    let mut answer = Answer {
        status: Status::Stopped,
        T: None,
        objective: None,
        bound: None,
        gap: None,
        plan: None,
        timeline: None,
        load_energy_j: None,
        baselines,
        // What the order gains is a question about the first answer alone.
        ordered: is_first
            .then(|| ordered(problem).map(|plan| BaselineAnswer::of(problem, plan)))
            .flatten(),
        best_baseline: None,
        gain_vs_best_pct: None,
        paper_reading: None,
        decode: None,
        whole: None,
        reason: None,
        infeasible: None,
        repairs: Vec::new(),
    };
    answer.compare();
    match found {
        Ok(solved) => {
            answer.status = if solved.ended == Ended::Optimal {
                Status::Optimal
            } else {
                Status::Feasible
            };
            answer.replace_plan(problem, solved.plan, solved.bound);
        }
        Err(NoPlan::Infeasible(proof)) => {
            answer.status = Status::Infeasible;
            answer.reason = Some(proof.to_string());
            answer.infeasible = Some(proof);
        }
        Err(NoPlan::Stopped(StopReason::Size)) if method == ColdStartMethod::Dp => {
            let (devices, layers) = (problem.machines().len(), problem.layers().len());
            answer.reason = Some(format!(
                "the table of the dynamic program takes {} for {devices} devices and {layers} layers, and {} are allowed; \
                 --memory-limit allows more",
                bytes(table_bytes(devices, layers)),
                bytes(table_room(limits))
            ));
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

/// A baseline as an answer of its own; a split that overflows a device is no plan.
fn of_baseline(
    problem: &ColdStart,
    baseline: &BaselineAnswer,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    if baseline.mem_ok {
        return Ok(Solved {
            plan: baseline.plan.clone(),
            claimed: baseline.objective(),
            bound: Some(decode::lower(problem)),
            ended: Ended::Finished,
        });
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
        kept: None,
    }))
}

/// A method that knows nothing of a rate may miss it; its plan is none then.
fn fast_enough(
    problem: &ColdStart,
    solved: Solved<Pipeline>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    let decoding = score_decode(problem, &solved.plan).expect("methods return whole plans");
    match (problem.goal(), problem.decode().zip(decoding)) {
        (DecodeGoal::Throughput { least }, Some((terms, found)))
            if found.busiest > terms.period() =>
        {
            let rate = found.rate;
            Err(NoPlan::Infeasible(Infeasible {
                cause: Cause::Slow { least, rate },
                room: None,
                layers: problem.layers().len(),
                kept: None,
            }))
        }
        _ => Ok(solved),
    }
}

/// A plan for the first answer alone is none that is proved for another goal.
fn first_answer(
    problem: &ColdStart,
    found: Result<Solved<Pipeline>, NoPlan<Infeasible>>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    let mut solved = found?;
    if problem.goal() != DecodeGoal::FirstAnswer {
        solved.ended = Ended::Finished;
        solved.bound = Some(decode::lower(problem));
    }
    Ok(solved)
}

/// A given plan, scored. Nothing is searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Evaluation {
    /// Time to the first answer [s].
    pub T: f64,
    /// The plan in time.
    pub timeline: Vec<StageTiming>,
    /// True if every stage fits its device.
    pub mem_ok: bool,
    /// Energy of reading the weights of the plan from disk [J]; absent unless every device in use states its energy per byte.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_energy_j: Option<f64>,
    /// The tokens after the first one; absent where no answer is planned for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decode: Option<DecodeAnswer>,
}

impl Evaluation {
    /// Returns the value of the problem's goal [s]: T, or T + G D for a whole answer.
    #[must_use]
    pub fn objective(&self) -> f64 {
        self.decode
            .as_ref()
            .map_or(self.T, |decode| decode.objective)
    }

    /// Returns true if the plan fits and keeps the required rate.
    #[must_use]
    pub fn is_plan(&self) -> bool {
        self.mem_ok && self.decode.as_ref().is_none_or(DecodeAnswer::meets_rate)
    }
}

/// Scores a given plan.
///
/// # Errors
/// A plan that is none for this problem is bad input at `plan[i]`.
pub fn evaluate(problem: &ColdStart, plan: &[Stage]) -> Result<Evaluation, Invalid> {
    match score(problem, plan) {
        Ok(ScoredStages {
            total,
            timeline,
            mem_ok,
            load_j,
        }) => Ok(Evaluation {
            T: total,
            timeline,
            mem_ok,
            load_energy_j: load_j,
            decode: score_decode(problem, plan)
                .map_err(|misfit| refused(plan, &misfit))?
                .and_then(|decoding| DecodeAnswer::of(problem, total, decoding)),
        }),
        Err(misfit) => Err(refused(plan, &misfit)),
    }
}

fn refused(plan: &[Stage], misfit: &InvalidStages) -> Invalid {
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

/// The answers over several prompt lengths, and what they add up to: gains over baselines that fit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Summary {
    /// Least gain over all lengths and baselines, in percent.
    pub gain_min_pct: Option<f64>,
    /// Greatest gain over all lengths and baselines, in percent.
    pub gain_max_pct: Option<f64>,
    /// Mean over the lengths of the gain against the best baseline, in percent.
    pub gain_vs_best_mean_pct: Option<f64>,
    /// The summary as the paper counts it: with one device alone at every length, its memory limit waived.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub paper_reading: Option<Box<Summary>>,
}

/// Sums up answers; lengths without a plan are left out.
#[must_use]
pub fn summary<'a>(answers: impl Iterator<Item = &'a Answer> + Clone) -> Summary {
    let of_the_paper = summed(answers.clone(), |answer| {
        let reading = answer.paper_reading.as_ref();
        let best = reading.and_then(|reading| reading.gain_vs_best_pct);
        (gains(answer, answer.baselines.of_the_paper()), best)
    });
    Summary {
        paper_reading: Some(Box::new(of_the_paper)),
        ..summed(answers, |answer| {
            let all = gains(answer, answer.baselines.fitting());
            (all, answer.gain_vs_best_pct)
        })
    }
}

/// The gains of an answer over some baselines, in percent; none without a plan.
fn gains<'a>(
    answer: &Answer,
    over: impl Iterator<Item = (&'static str, &'a BaselineAnswer)>,
) -> Vec<f64> {
    let ours = answer.objective.into_iter();
    let over: Vec<f64> = over.map(|(_, b)| b.objective()).collect();
    ours.flat_map(|ours| over.iter().map(move |base| gain_pct(*base, ours)))
        .collect()
}

/// Adds up what is gained at each length: over every baseline, and over the best.
fn summed<'a>(
    answers: impl Iterator<Item = &'a Answer>,
    of: impl Fn(&Answer) -> (Vec<f64>, Option<f64>),
) -> Summary {
    let (mut all, mut best) = (Vec::new(), Vec::new());
    for answer in answers {
        let (over_all, over_best) = of(answer);
        all.extend(over_all);
        best.extend(over_best);
    }
    let mean = best.iter().sum::<f64>() / best.len() as f64;
    Summary {
        gain_min_pct: all.iter().copied().reduce(f64::min),
        gain_max_pct: all.iter().copied().reduce(f64::max),
        gain_vs_best_mean_pct: (!best.is_empty()).then_some(mean),
        paper_reading: None,
    }
}
