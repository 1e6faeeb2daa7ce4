//! Cold start and the answer after it: three goals for one pipeline.
//!
//! * **Whole answer**: the least T + G D, exact, by [`whole`]: a search over labels with pairs (t, D) that never takes away
//!   a pair that could still win. The same search with D alone finds the plan of the steady state ([`steady`]).
//! * **Throughput**: the least T among plans whose busiest stage lets enough tokens pass. A stage that is too slow is
//!   forbidden like one that does not fit, so the search of [`super::search`] needs no new state ([`within_rate`]). The rate
//!   is that of a full pipeline; that few requests at once do not fill it is said beside the plan, not asked of it.
//! * **The front** between T and that rate, [`front`]: the least T of all, then again and again the least T of the plans
//!   whose busiest stage is shorter than that of the plan before, until there is none.
//!
//! Source: section 12 of the method's description. Different from it: dominance of pairs weighs a later start against a
//! cheaper token instead of comparing each alone, the bound fills the devices that are left instead of adding a knapsack to
//! the fluid bound, and the sweep goes from plan to plan, not over all distinct stage times.
//! `docs/cold-start-decode.md` has what it takes.

mod bottleneck;
pub mod brute;
mod completion_bound;
pub mod costs;
mod front;
mod whole_answer;

pub use bottleneck::{Greatest, greatest_rate};
pub use front::{RateFront, RatePoint, front};

use super::search::costs::StageCosts;
use super::{Infeasible, baseline, bound, dp, infeasible, no_plan, ordered, packing};
use costs::TokenCosts;
use engine::evaluate::{score, score_decode};
use engine::plan::{Decoding, Pipeline, Stage};
use engine::problem::cold_decode::{DecodeGoal, TokenMachine};
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoPlan, NoProgress, Progress, Solved, StopReason};
use engine::units::InOrder;
use whole_answer::{Aim, StartingPoint, search};

/// A slack for rounding in D, relative, when ties in D are broken by T.
const SAME: f64 = 1e-12;

/// The plan with the least T + G D: proved when it says so, otherwise the best so far with a proven bound.
///
/// # Errors
/// [`NoPlan::Infeasible`] with a proved cause; [`NoPlan::Stopped`] when neither a plan nor a proof was found.
///
/// # Complexity
/// One run of [`whole`], and O(K² L² 2^K) for the least T where that is quick.
pub fn whole_answer(
    problem: &ColdStart,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    let tokens = problem.decode().map_or(0.0, |terms| terms.answer());
    let aim = Aim {
        time: 1.0,
        token: tokens,
        most_token: f64::INFINITY,
    };
    least(problem, reading, aim, limits, progress)
}

/// The plan of the steady state: the least D, of those the least T. `claimed` and `bound` are D [s].
///
/// # Errors
/// As [`whole_answer`].
pub fn steady(
    problem: &ColdStart,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    let aim = Aim {
        time: 0.0,
        token: 1.0,
        most_token: f64::INFINITY,
    };
    let found = least(problem, reading, aim, limits, progress)?;
    if found.ended != Ended::Optimal {
        return Ok(found);
    }
    let tied = Aim {
        time: 1.0,
        token: 0.0,
        most_token: found.claimed * (1.0 + SAME),
    };
    let plan = least(problem, reading, tied, limits, progress).map_or(found.plan, |tied| tied.plan);
    let claimed = decoding(problem, &plan).map_or(found.claimed, |decode| decode.D);
    Ok(Solved {
        plan,
        claimed,
        bound: found.bound,
        ended: found.ended,
    })
}

/// The plan with the least T among those whose busiest stage lets the rate of the goal pass.
///
/// # Errors
/// As [`whole_answer`]; the proof names the greatest rate that is possible where that was solved.
///
/// # Complexity
/// One run of [`super::search`].
pub fn within_rate(
    problem: &ColdStart,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    if StageCosts::are_affordable(problem.machines().len(), problem.layers().len()) {
        super::bounded(problem, reading, limits, progress)
    } else {
        super::fallback(problem, reading, StopReason::Size)
    }
}

/// Evaluates a plan in decoding; `None` if no answer is generated.
pub(super) fn decoding(problem: &ColdStart, plan: &[Stage]) -> Option<Decoding> {
    score_decode(problem, plan).expect("methods return whole plans")
}

/// Returns true if a plan keeps the rate that the goal requires.
pub(super) fn meets_rate(problem: &ColdStart, plan: &[Stage]) -> bool {
    !matches!(problem.goal(), DecodeGoal::Throughput { .. })
        || problem
            .decode()
            .zip(decoding(problem, plan))
            .is_none_or(|(terms, decode)| decode.busiest <= terms.period())
}

/// Plans that need no search: the baselines, every device alone, and devices filled one after the other by bandwidth.
pub(super) fn candidates(problem: &ColdStart, reading: HeuristicReading) -> Vec<Pipeline> {
    let mut plans = vec![
        baseline::single(problem),
        baseline::even(problem),
        baseline::heuristic(problem, reading),
    ];
    plans.extend(ordered(problem));
    let Some(terms) = problem.decode() else {
        return plans;
    };
    let last = problem.layers().len();
    plans.extend((0..problem.machines().len()).map(|device| {
        vec![Stage {
            device,
            first: 1,
            last,
        }]
    }));
    let mut order: Vec<usize> = (0..problem.machines().len()).collect();
    let rate = |k: usize| terms.machines()[k].bandwidth;
    order.in_order_by(|&a, &b| rate(b).cmp(&rate(a)).then(a.cmp(&b)));
    plans.extend(filled(problem, &order));
    order.reverse();
    plans.extend(filled(problem, &order));
    plans
}

/// Devices in this order, each with as many layers as it holds; `None` where some are left. O(K + L).
fn filled(problem: &ColdStart, order: &[usize]) -> Option<Pipeline> {
    let layers = problem.layers();
    let mut plan = Pipeline::new();
    let mut done = 0;
    for &device in order {
        let (mut held, mut widest, mut end) = (0.0, 0.0_f64, done);
        while let Some(layer) = layers.get(end) {
            held += layer.resident.get();
            widest = widest.max(layer.activation.get());
            if !problem.fits(device, widest + held) {
                break;
            }
            end += 1;
        }
        if end > done {
            plan.push(Stage {
                device,
                first: done + 1,
                last: end,
            });
        }
        done = end;
    }
    (done == layers.len()).then_some(plan)
}

/// The plan with the least value of an aim.
fn least(
    problem: &ColdStart,
    reading: HeuristicReading,
    aim: Aim,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Solved<Pipeline>, NoPlan<Infeasible>> {
    if let Some(cause) = infeasible::obvious(problem) {
        return Err(NoPlan::Infeasible(Infeasible::of(problem, cause)));
    }
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let mut plans = candidates(problem, reading);
    let mut least_time = bound::lower(problem);
    if dp::is_quick(devices, layers) {
        match dp::solve(problem, &Limits::default(), &mut NoProgress) {
            dp::DpOutcome::Optimal { plan, total } => {
                plans.push(plan);
                least_time = total;
            }
            dp::DpOutcome::Infeasible { room } => {
                return Err(NoPlan::Infeasible(Infeasible::packing(problem, room)));
            }
            dp::DpOutcome::Stopped(_) => {}
        }
    }
    let value = |plan: Pipeline| {
        let scored = score(problem, &plan).expect("candidates cover every layer once");
        let decode = decoding(problem, &plan)?;
        let value = aim.time * scored.total + aim.token * decode.D;
        (scored.mem_ok && decode.D <= aim.most_token).then_some((plan, value))
    };
    let mut best = None;
    for (plan, value) in plans.into_iter().filter_map(value) {
        if best.as_ref().is_none_or(|(_, least)| value < *least) {
            best = Some((plan, value));
        }
    }
    if best.is_none()
        && let packing::PackingResult::Never { room } = packing::pack(problem)
    {
        return Err(NoPlan::Infeasible(Infeasible::packing(problem, room)));
    }
    let tables = StageCosts::are_affordable(devices, layers)
        .then(|| TokenCosts::new(problem))
        .flatten();
    let Some(tokens) = tables else {
        let (plan, claimed) = best.ok_or(NoPlan::Stopped(StopReason::Size))?;
        let bound = aim.time * least_time + aim.token * least_token(problem);
        return Ok(Solved {
            plan,
            claimed,
            bound: Some(bound.min(claimed)),
            ended: Ended::Stopped(StopReason::Size),
        });
    };
    let known = StartingPoint { best, least_time };
    let costs = StageCosts::new(problem);
    let found = search(problem, (&costs, &tokens), aim, known, limits, progress);
    match (found.best, found.ended) {
        (Some((plan, claimed)), ended) => Ok(Solved {
            plan,
            claimed,
            bound: Some(found.bound),
            ended,
        }),
        (None, Ended::Stopped(stop)) => Err(NoPlan::Stopped(stop)),
        (None, _) => Err(NoPlan::Infeasible(no_plan(problem))),
    }
}

/// No token takes less than this [s]: everything is read at the greatest bandwidth, and layers and head have the least fixed
/// times. O(K + L).
fn least_token(problem: &ColdStart) -> f64 {
    problem.decode().map_or(0.0, |terms| {
        let fastest = terms.machines().iter().map(|m| m.bandwidth.get());
        let bytes: f64 = terms.layers().iter().map(|l| l.touched.get()).sum();
        let least = |fixed: fn(&TokenMachine) -> f64| {
            let each = terms.machines().iter().map(fixed);
            each.fold(f64::INFINITY, f64::min)
        };
        let layer = least(|machine| machine.layer_overhead.get());
        let head = least(|machine| machine.token_overhead.get());
        let read = bytes / fastest.fold(0.0, f64::max);
        (read + terms.layers().len() as f64 * layer + head) * (1.0 - SAME)
    })
}

/// A bound on the value of the problem's goal for any plan, without a search [s].
#[must_use]
pub fn lower(problem: &ColdStart) -> f64 {
    let first = bound::lower(problem);
    match (problem.goal(), problem.decode()) {
        (DecodeGoal::WholeAnswer, Some(terms)) => first + terms.answer() * least_token(problem),
        _ => first,
    }
}
