//! Ranges in the place of points: how a cold start's plan does when its inputs are only known to be between two values.
//!
//! Every number that carries a range is drawn between its ends, uniformly and independently of the others; a draw is a real
//! scenario. The plan shown is scored in each draw by the referee, and each draw is solved again: the difference is the
//! regret of having planned with the numbers as they stand. With few ranges the corners of the box are solved as well. Then
//! all plans that were best somewhere are scored in many more draws, which needs no search, and from these follows what it
//! is worth to know one number before choosing ([`engine::sim::Strata`]).
//!
//! Draws come from one stream of a seed, in order: a draw is the same however draws are shared out, and the first draws of a
//! larger number are those of a smaller one. A plan that does not fit in a draw has no time there; such draws are counted
//! and enter no mean. A time is what the scenario's goal makes least: the first answer, or the whole one.

mod aggregate;
mod plan_scores;

pub use aggregate::{InputRow, PlanRow, Spread, Worst, plans, sum_up, weigh};

use super::cold_start::evaluate;
use super::cold_start_decode::BaselineDecode;
use super::cold_start_search::FIRST_STEPS;
use engine::evaluate::{score, score_decode};
use engine::plan::{Pipeline, Stage};
use engine::problem::{Code, ColdStart, HeuristicReading, Invalid};
use engine::scenario::Scenario;
use engine::scenario::ranges::{SpanDraws, SpanInput};
use engine::sim::{Draw, Worth, quantile};
use engine::solve::{Ended, Limits, NoPlan, NoProgress};
use methods::cold_start::solve;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How many draws are solved by default.
pub const DRAWS: u32 = 200;
/// The fewest draws that say something.
pub const LEAST_DRAWS: u32 = 50;
/// The most draws.
pub const MOST_DRAWS: u32 = 2000;
/// Draws of one ask, so that what is known grows as it comes.
pub const CHUNK: u32 = 20;
/// The most ranges of which all corners are solved: 256 of them.
pub const MOST_CORNER_INPUTS: usize = 8;
/// Draws in which plans are only scored.
const WEIGHED: usize = 4096;
/// Strata of an input among these.
pub(super) const STRATA: usize = 16;
/// The most plans that are weighed: the one shown, and those that were best most often.
const MOST_PLANS: usize = 24;
/// Times within this share of one another are equal.
const EQUAL: f64 = 1e-9;
/// Streams of a seed.
pub(super) const SOLVED: u64 = 71;
const SCORED: u64 = 72;
/// A distribution is kept as so many quantiles, the ends among them.
const QUANTILES: usize = 201;

/// A request to the analysis; plans name devices by index in the problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpreadRequest {
    /// Draws `from..to` of a seed, solved.
    Draws {
        /// The plan shown.
        plan: Pipeline,
        /// The seed.
        seed: u32,
        /// The first of them, counted from 0.
        from: u32,
        /// Behind the last of them.
        to: u32,
    },
    /// Corners `from..to` of the box, solved.
    Corners {
        /// The plan shown.
        plan: Pipeline,
        /// The first of them, counted from 0.
        from: u32,
        /// Behind the last of them.
        to: u32,
    },
    /// Plans over many draws that are not solved.
    Weigh {
        /// The plan shown, then others.
        plans: Vec<Pipeline>,
        /// The seed.
        seed: u32,
        /// The least time of each solved draw [s], where there is a plan at all.
        draws: Vec<Option<f64>>,
        /// Time at each corner of the ranges.
        corners: Vec<Option<f64>>,
    },
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpreadResult {
    /// Draws or corners, in order.
    Drawn(Vec<DrawResult>),
    /// Plans over many draws.
    Weighed(Box<Weighed>),
}

/// Feasibility of the shown plan in a draw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawOutcome {
    /// It fits; its time [s].
    Fits(f64),
    /// A device does not hold its part, or the plan falls short of the rate that was asked for.
    Unfit,
    /// The numbers pose no problem: a link without a rate.
    Broken,
}

/// A solved draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DrawResult {
    /// The plan shown in it.
    pub ours: DrawOutcome,
    /// The best plan in it, where there is one.
    pub best: Option<BestInDraw>,
}

/// The best plan of a draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestInDraw {
    /// Its time [s].
    pub time: f64,
    /// No plan is faster than this [s].
    pub bound: f64,
    /// True if the plan is proven optimal.
    pub proved: bool,
    /// The plan.
    pub plan: Pipeline,
}

/// Plans over many draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// How many draws.
    pub draws: usize,
    /// The plans, the one shown first.
    pub plans: Vec<WeighedPlan>,
    /// Times of the plan shown [s], at equal steps of their share from least to greatest, of the draws in which it fits.
    pub times: Vec<f64>,
    /// The numbers that carry a range, in the order of the scenario.
    pub inputs: Vec<WeighedInput>,
}

/// A plan over many draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeighedPlan {
    /// The plan.
    pub plan: Pipeline,
    /// In how many draws it fits.
    pub fits: usize,
    /// Its mean time [s], where it fits in all of them.
    pub mean: Option<f64>,
    /// The most that it came behind the best plan of a solved draw or corner [s], where it fits in all of them.
    pub worst: Option<f64>,
}

/// A number that carries a range, over many draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WeighedInput {
    /// The share of whether the plan fits that it explains on its own; `None` where that does not vary.
    pub fit_share: Option<f64>,
    /// The share of the variance of the plan's time that it explains on its own.
    pub share: Option<f64>,
    /// Value of knowing the number before choosing among the plans that fit in all draws [s].
    pub worth: Option<Worth>,
}

/// The time of a plan by the scenario's goal [s], or what keeps it from having one.
fn plan_outcome(problem: &ColdStart, plan: &[Stage]) -> DrawOutcome {
    let Some(scored) = score(problem, plan).ok().filter(|scored| scored.mem_ok) else {
        return DrawOutcome::Unfit;
    };
    match score_decode(problem, plan) {
        Ok(None) => DrawOutcome::Fits(scored.total),
        Ok(Some(decoding)) => match BaselineDecode::of(problem, scored.total, &decoding) {
            Some(decode) if decode.rate_ok => DrawOutcome::Fits(decode.objective),
            _ => DrawOutcome::Unfit,
        },
        Err(_) => DrawOutcome::Unfit,
    }
}

/// The shares of the way between the ends of their ranges, draw by draw. O(draws · inputs).
pub(super) fn units(seed: u32, stream: u64, draws: usize, inputs: usize) -> Vec<Vec<f64>> {
    let mut draw = Draw::new(u64::from(seed), stream);
    (0..draws)
        .map(|_| (0..inputs).map(|_| draw.unit()).collect())
        .collect()
}

/// Solves one draw or corner.
fn solved(scenario: &Scenario, plan: &[Stage], reading: HeuristicReading) -> DrawResult {
    let Ok(problem) = scenario.problem() else {
        return DrawResult {
            ours: DrawOutcome::Broken,
            best: None,
        };
    };
    let ours = plan_outcome(&problem, plan);
    let limits = Limits {
        steps: Some(FIRST_STEPS),
        ..Limits::default()
    };
    let own = match ours {
        DrawOutcome::Fits(time) => Some(time),
        DrawOutcome::Unfit | DrawOutcome::Broken => None,
    };
    let best = match solve(&problem, reading, &limits, &mut NoProgress) {
        Ok(found) => match plan_outcome(&problem, &found.plan) {
            DrawOutcome::Fits(time) => {
                let proved = found.ended == Ended::Optimal;
                let bound = found.bound.unwrap_or(0.0);
                // A search that was not finished may have missed the very plan shown.
                let (time, plan) = match own {
                    Some(own) if !proved && own < time => (own, plan.to_vec()),
                    _ => (time, found.plan),
                };
                Some(BestInDraw {
                    time,
                    bound,
                    proved,
                    plan,
                })
            }
            DrawOutcome::Unfit | DrawOutcome::Broken => None,
        },
        Err(NoPlan::Infeasible(_)) => None,
        // Nothing was found, but the plan shown is a plan.
        Err(NoPlan::Stopped(_)) => own.map(|time| BestInDraw {
            time,
            bound: 0.0,
            proved: false,
            plan: plan.to_vec(),
        }),
    };
    DrawResult { ours, best }
}

/// How many corners are solved for so many ranges.
#[must_use]
pub fn corners(inputs: usize) -> u32 {
    if (1..=MOST_CORNER_INPUTS).contains(&inputs) {
        1 << inputs
    } else {
        0
    }
}

/// The asks that solve so many draws and the corners, some at a time.
#[must_use]
pub fn spread_requests(
    scenario: &Scenario,
    plan: &[Stage],
    draws: u32,
    seed: u32,
) -> Vec<SpreadRequest> {
    chunked(scenario, plan, (draws, seed), CHUNK)
}

/// Returns the requests for all draws, `chunk` draws in each.
fn chunked(
    scenario: &Scenario,
    plan: &[Stage],
    (draws, seed): (u32, u32),
    chunk: u32,
) -> Vec<SpreadRequest> {
    let chunks = |count: u32| {
        let begin = move |at: u32| at * chunk;
        (0..count.div_ceil(chunk)).map(move |at| (begin(at), begin(at + 1).min(count)))
    };
    let plan = || plan.to_vec();
    let solved = chunks(draws).map(|(from, to)| SpreadRequest::Draws {
        plan: plan(),
        seed,
        from,
        to,
    });
    let corners =
        chunks(corners(scenario.spanned().len())).map(|(from, to)| SpreadRequest::Corners {
            plan: plan(),
            from,
            to,
        });
    solved.chain(corners).collect()
}

/// Answers a request; `on_progress` receives the number of draws done and in total.
///
/// # Errors
/// A scenario without ranges, or one that poses no problem; a plan that is none for it; more draws than there are.
///
/// # Complexity
/// A solve for each draw or corner; O(draws · (devices + plans · (layers + devices))) for weighing.
pub fn answer(
    scenario: &Scenario,
    ask: &SpreadRequest,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<SpreadResult, Invalid> {
    let problem = scenario.problem()?;
    check(scenario)?;
    let drawing = SpanDraws::new(scenario);
    match ask {
        SpreadRequest::Draws {
            plan,
            seed,
            from,
            to,
        } => {
            evaluate(&problem, plan)?;
            let (from, to) = span_of(*from, *to, MOST_DRAWS)?;
            let units = units(*seed, SOLVED, to, drawing.len());
            let mut each = |(done, unit): (usize, &Vec<f64>)| {
                on_progress(done as u64, Some((to - from) as u64));
                let drawn = drawing.scenario(&drawing.numbers(unit));
                solved(&drawn, plan, scenario.heuristic)
            };
            Ok(SpreadResult::Drawn(
                units[from..].iter().enumerate().map(&mut each).collect(),
            ))
        }
        SpreadRequest::Corners { plan, from, to } => {
            evaluate(&problem, plan)?;
            let (from, to) = span_of(*from, *to, corners(drawing.len()))?;
            let mut each = |corner: usize| {
                on_progress((corner - from) as u64, Some((to - from) as u64));
                let drawn = drawing.scenario(&drawing.corner(corner));
                solved(&drawn, plan, scenario.heuristic)
            };
            Ok(SpreadResult::Drawn((from..to).map(&mut each).collect()))
        }
        SpreadRequest::Weigh {
            plans,
            seed,
            draws,
            corners: ends,
        } => {
            for plan in plans {
                evaluate(&problem, plan)?;
            }
            let most = (MOST_DRAWS as usize, corners(drawing.len()) as usize);
            let is_too_much = plans.is_empty() || plans.len() > MOST_PLANS;
            if is_too_much || draws.len() > most.0 || ends.len() > most.1 {
                let message = format!(
                    "plans must be 1 to {MOST_PLANS}, for at most {} draws and {} corners",
                    most.0, most.1
                );
                return Err(Invalid::new(Code::Range, "plans", plans.len(), message));
            }
            let found = plan_scores::weighed(&drawing, plans, *seed, (draws, ends), on_progress);
            Ok(SpreadResult::Weighed(Box::new(found)))
        }
    }
}

/// Checks that there is something to draw.
///
/// # Errors
/// A scenario without ranges.
pub fn check(scenario: &Scenario) -> Result<(), Invalid> {
    if scenario.spanned().is_empty() {
        return Err(no_ranges(scenario));
    }
    Ok(())
}

/// Returns the error for a scenario without ranges.
fn no_ranges(scenario: &Scenario) -> Invalid {
    let off = if scenario.has_spans() {
        ", of a device that is not off"
    } else {
        ""
    };
    let message = format!(
        "ranges must hold at least one range{off}: \"ranges\": {{\"prompt_tokens\": [200, 400]}} in the scenario, or \
         \"ranges\": {{\"r_mb_s\": [2500, 3500]}} in one of its devices"
    );
    Invalid::new(Code::Missing, "ranges", serde_json::json!({}), message)
}

/// Draws that exist.
fn span_of(from: u32, to: u32, most: u32) -> Result<(usize, usize), Invalid> {
    if from <= to && to <= most {
        return Ok((from as usize, to as usize));
    }
    let message = format!("draws must be counted from 0 to {most}, they are {from} to {to}");
    Err(Invalid::new(Code::Range, "draws", to, message))
}

/// A distribution as quantiles at equal steps; nothing for no sample.
pub(super) fn thinned(sorted: &[f64]) -> Vec<f64> {
    if sorted.is_empty() {
        return Vec::new();
    }
    let share = |at: usize| at as f64 / (QUANTILES - 1) as f64;
    (0..QUANTILES)
        .map(|at| quantile(sorted, share(at)))
        .collect()
}

/// The numbers that carry a range, in the order in which [`Spread::inputs`] has them.
#[must_use]
pub fn inputs(scenario: &Scenario) -> Vec<SpanInput> {
    scenario.spanned()
}

/// Runs all draws and corners; `on_progress` receives the number done and in total. If it cancels, the spread is that of
/// the draws that were solved, and of no corner unless all of them were.
///
/// # Errors
/// As [`answer`].
pub fn spread(
    scenario: &Scenario,
    plan: &[Stage],
    (draws, seed): (u32, u32),
    on_progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Spread, Invalid> {
    let asks = chunked(scenario, plan, (draws, seed), 1);
    let all = asks.len() as u64 + 1;
    let (mut drawn, mut corners) = (Vec::new(), Vec::new());
    for (done, ask) in (0..).zip(&asks) {
        if on_progress(done, all).is_break() {
            corners.clear();
            break;
        }
        let SpreadResult::Drawn(found) = answer(scenario, ask, &mut |_, _| ())? else {
            continue;
        };
        let found = found.into_iter().map(Some);
        match ask {
            SpreadRequest::Corners { .. } => corners.extend(found),
            _ => drawn.extend(found),
        }
    }
    let known: Vec<&DrawResult> = drawn.iter().flatten().collect();
    let ends: Vec<&DrawResult> = corners.iter().flatten().collect();
    let result = answer(scenario, &weigh(plan, seed, &known, &ends), &mut |_, _| ())?;
    let weighed = match &result {
        SpreadResult::Weighed(weighed) => Some(&**weighed),
        SpreadResult::Drawn(_) => None,
    };
    sum_up(scenario, plan, seed, &drawn, &corners, weighed)
}
