//! The front between the first answer and the rate after it, the plan of the steady state, and the way from the one to the
//! other.

use super::cold_start::Status;
use engine::evaluate::{consolidate, score, score_decode};
use engine::plan::{Consolidation, Pipeline};
use engine::problem::cold_decode::DecodeGoal;
use engine::problem::{Code, ColdStart, HeuristicReading, Invalid};
use engine::scenario::Scenario;
use engine::solve::{Ended, Limits, NoPlan, Progress, SearchEvent};
use methods::cold_start::decode::{self, RatePoint};
use methods::cold_start::{Infeasible, decode::steady};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A point of the front, or another plan beside it. Times in seconds, rates in tokens per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Point {
    /// The plan: `[device, first layer, last layer]`, devices from 0, layers from 1.
    pub plan: Pipeline,
    /// Time to the first answer [s].
    pub T: f64,
    /// Time from token to token of one answer [s].
    pub D: f64,
    /// Tokens a second of a pipeline that is always full.
    pub rate: f64,
    /// T + G D [s].
    pub total: f64,
    /// On the front: no plan with this rate or more has a T below this [s]. Of the steady plan: no plan has a D below this
    /// [s].
    pub bound: f64,
    /// True if that proves the plan optimal.
    pub proved: bool,
}

/// The front and what belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Front {
    /// `optimal` where the front is whole and proved, `feasible` where it may lack points, `infeasible`, `stopped`.
    pub status: Status,
    /// The points, the least T first; T and rate both rise from one to the next.
    pub points: Vec<Point>,
    /// True if the front is complete and every plan of it is proven.
    pub is_complete: bool,
    /// How many problems were solved for the front.
    pub solves: u32,
    /// The plan with the least time from token to token.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub steady: Option<Point>,
    /// From the first point to the steady plan; absent where they are the same plan, or where one is missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub consolidation: Option<Consolidation>,
    /// Why there is no plan, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The proof that there is no plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub infeasible: Option<Infeasible>,
}

/// The front of a scenario; `on_progress` receives the number of problems solved so far and may cancel.
///
/// # Errors
/// A scenario that poses no problem, or one that does not plan for an answer.
pub fn front(
    scenario: &Scenario,
    limits: &Limits,
    on_progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Front, Invalid> {
    front_of(
        &scenario.problem()?,
        scenario.heuristic,
        limits,
        on_progress,
    )
}

/// The front of a problem, whatever its own goal is.
///
/// # Errors
/// A problem that does not plan for an answer.
pub fn front_of(
    problem: &ColdStart,
    reading: HeuristicReading,
    limits: &Limits,
    on_progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Front, Invalid> {
    if problem.decode().is_none() {
        let message =
            "decode is missing: without it there is no rate to weigh against the first answer";
        let nothing = serde_json::Value::Null;
        return Err(Invalid::new(Code::Missing, "decode", nothing, message));
    }
    let problem = &problem.with_goal(DecodeGoal::FirstAnswer);
    let found = decode::front(problem, reading, limits, on_progress);
    let solves = found.solves;
    let mut listener = Listener(on_progress, solves);
    let steady = match &found.infeasible {
        Some(_) => Err(NoPlan::Stopped(engine::solve::StopReason::Steps)),
        None => steady(problem, reading, limits, &mut listener),
    };
    let steady = steady.ok().and_then(|solved| {
        let scored = score(problem, &solved.plan).ok()?;
        let decode = score_decode(problem, &solved.plan).ok()??;
        Some(Point {
            T: scored.total,
            D: decode.D,
            rate: decode.rate,
            total: decode.total,
            bound: solved.bound.unwrap_or(0.0),
            proved: solved.ended == Ended::Optimal,
            plan: solved.plan,
        })
    });
    let points: Vec<Point> = found.points.iter().map(point).collect();
    let consolidation = points
        .first()
        .zip(steady.as_ref())
        .and_then(|(cold, steady)| {
            let differ = cold.plan != steady.plan;
            differ.then(|| consolidate(problem, &cold.plan, &steady.plan).ok()?)?
        });
    Ok(Front {
        status: match (&found.infeasible, points.is_empty(), found.is_complete) {
            (Some(_), _, _) => Status::Infeasible,
            (None, true, _) => Status::Stopped,
            (None, false, true) => Status::Optimal,
            (None, false, false) => Status::Feasible,
        },
        points,
        is_complete: found.is_complete && found.infeasible.is_none(),
        solves,
        steady,
        consolidation,
        reason: found.infeasible.map(|proof| proof.to_string()),
        infeasible: found.infeasible,
    })
}

fn point(found: &RatePoint) -> Point {
    Point {
        plan: found.plan.clone(),
        T: found.T,
        D: found.D,
        rate: found.rate,
        total: found.total,
        bound: found.bound,
        proved: found.is_proved(),
    }
}

/// Hands the steps of the last search on.
struct Listener<'a>(&'a mut dyn FnMut(u32) -> ControlFlow<()>, u32);

impl Progress<Pipeline> for Listener<'_> {
    fn report(&mut self, event: SearchEvent<'_, Pipeline>) -> ControlFlow<()> {
        match event {
            SearchEvent::Step { .. } => (self.0)(self.1),
            SearchEvent::Incumbent { .. } | SearchEvent::Bound(_) => ControlFlow::Continue(()),
        }
    }
}
