//! The front between the time to the first answer and the rate of a full pipeline.
//!
//! First the least T of all plans; then the least T of the plans whose busiest stage is shorter than that of the plan
//! before, by more than a billionth; and so on until there is none. The last one has the greatest rate there is. A point
//! that the next one reaches at the same T is not on the front and goes: among plans of equal T the one with the greater
//! rate is kept. What is left is the whole front: between two neighbours no plan has both a T below the later one's and a
//! rate above the earlier one's.

use super::{DecodeGoal, decoding};
use crate::cold_start::{Infeasible, solve};
use engine::evaluate::score;
use engine::plan::Pipeline;
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoPlan, Progress, SearchEvent};
use std::ops::ControlFlow;

/// A point of the front.
#[derive(Debug, Clone, PartialEq)]
#[allow(non_snake_case)]
pub struct RatePoint {
    /// The plan.
    pub plan: Pipeline,
    /// Time to the first answer [s].
    pub T: f64,
    /// Time from token to token of one request [s].
    pub D: f64,
    /// Tokens a second of a full pipeline.
    pub rate: f64,
    /// T + G D [s].
    pub total: f64,
    /// No plan with this rate or more has a T below this [s].
    pub bound: f64,
}

impl RatePoint {
    /// Returns true if it is proven that no plan with at least this rate starts earlier.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.bound >= self.T * (1.0 - EQUAL)
    }
}

/// The front, the least T first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RateFront {
    /// The points.
    pub points: Vec<RatePoint>,
    /// True if the front is complete and all its points are proven.
    pub is_complete: bool,
    /// How many problems were solved for it.
    pub solves: u32,
    /// Why there is no point at all.
    pub infeasible: Option<Infeasible>,
}

/// Busiest stages nearer than this, relative, count as one rate; so do T.
const EQUAL: f64 = 1e-9;
/// The most points: a front of more is cut off there, and not complete.
const MOST_POINTS: u32 = 400;

/// The front of a problem with an answer to plan for; `limits` are those of each solve. The listener receives how many were
/// solved, before each and now and then within.
///
/// # Complexity
/// One solve a point, and one to prove that there are no more.
pub fn front(
    problem: &ColdStart,
    reading: HeuristicReading,
    limits: &Limits,
    on_progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> RateFront {
    let mut front = RateFront {
        is_complete: true,
        ..RateFront::default()
    };
    let mut goal = DecodeGoal::FirstAnswer;
    loop {
        let solves = front.solves;
        if on_progress(solves).is_break() || solves >= MOST_POINTS {
            front.is_complete = false;
            break;
        }
        let mut listener = Listener(&mut *on_progress, solves);
        let asked = problem.with_goal(goal);
        let solved = solve(&asked, reading, limits, &mut listener);
        front.solves += 1;
        let solved = match solved {
            Ok(solved) => solved,
            Err(NoPlan::Infeasible(proof)) => {
                front.infeasible = front.points.is_empty().then_some(proof);
                break;
            }
            Err(NoPlan::Stopped(_)) => {
                front.is_complete = false;
                break;
            }
        };
        let Some(decode) = decoding(problem, &solved.plan) else {
            front.is_complete = false;
            break;
        };
        let scored = score(problem, &solved.plan).expect("methods return whole plans");
        front.is_complete &= solved.ended == Ended::Optimal;
        goal = DecodeGoal::Throughput {
            least: decode.rate / (1.0 - EQUAL),
        };
        let point = RatePoint {
            plan: solved.plan,
            T: scored.total,
            D: decode.D,
            rate: decode.rate,
            total: decode.total,
            bound: solved.bound.unwrap_or(0.0),
        };
        // A search that was ended may find a later plan first and a sooner one with a greater rate.
        let is_beaten = |earlier: &RatePoint| earlier.T >= point.T * (1.0 - EQUAL);
        while front.points.last().is_some_and(is_beaten) {
            front.points.pop();
        }
        front.points.push(point);
    }
    front
}

/// Hands the steps of a solve on.
struct Listener<'a>(&'a mut dyn FnMut(u32) -> ControlFlow<()>, u32);

impl Progress<Pipeline> for Listener<'_> {
    fn report(&mut self, event: SearchEvent<'_, Pipeline>) -> ControlFlow<()> {
        match event {
            SearchEvent::Step { .. } => (self.0)(self.1),
            SearchEvent::Incumbent { .. } | SearchEvent::Bound(_) => ControlFlow::Continue(()),
        }
    }
}
