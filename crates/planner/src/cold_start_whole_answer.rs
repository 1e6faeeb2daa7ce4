//! The fastest way known to give a whole answer: one plan throughout, or one that starts and another that goes on.

use engine::evaluate::{consolidate, score, score_decode};
use engine::plan::{Consolidation, Pipeline};
use engine::problem::cold_decode::DecodeGoal;
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Limits, Progress};
use methods::cold_start::{decode, is_quick, solve};
use serde::{Deserialize, Serialize};

/// A way is another one only if it is sooner by more than this share: less is rounding.
const HAIR: f64 = 1e-9;

/// A way to give a whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Whole {
    /// Until the last token [s].
    pub total: f64,
    /// Until the first one [s].
    pub T: f64,
    /// The plan that starts: `[device, first layer, last layer]`, devices from 0, layers from 1.
    pub plan: Pipeline,
    /// How the answer moves to another plan; absent where one plan gives all of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub consolidation: Option<Consolidation>,
}

impl Whole {
    /// Hands out every index of a device, to be changed.
    pub(crate) fn for_each_device(&mut self, change: impl Fn(&mut usize)) {
        let mut plans = vec![&mut self.plan];
        if let Some(way) = &mut self.consolidation {
            plans.extend([&mut way.cold, &mut way.steady]);
            way.loads.iter_mut().for_each(|l| change(&mut l.device));
            way.no_room.iter_mut().for_each(|r| change(&mut r.device));
            for one in way.switch.iter_mut().flat_map(|s| &mut s.moves) {
                change(&mut one.from);
                change(&mut one.to);
            }
        }
        let stages = plans.into_iter().flatten();
        stages.for_each(|stage| change(&mut stage.device));
    }
}

/// The fastest way found among `plan`, the plan of the first answer, that of the whole answer and that of the steady state,
/// each alone or as the start or the end of a consolidation. It is the best found, not proved. `None` where no answer is
/// planned for, where a rate is asked for, and where the problem is more than a blink.
///
/// # Complexity
/// Three searches, each with the limits of the one for `plan`.
pub(crate) fn fastest_full_answer(
    problem: &ColdStart,
    plan: &Pipeline,
    reading: HeuristicReading,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Option<Whole> {
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let asks_for_rate = matches!(problem.goal(), DecodeGoal::Throughput { .. });
    if problem.decode().is_none() || asks_for_rate || !is_quick(devices, layers) {
        return None;
    }
    let mut plans = vec![plan.clone()];
    for goal in [DecodeGoal::FirstAnswer, DecodeGoal::WholeAnswer] {
        if goal != problem.goal() {
            let found = solve(&problem.with_goal(goal), reading, limits, progress);
            plans.extend(found.ok().map(|solved| solved.plan));
        }
    }
    let steady = decode::steady(problem, reading, limits, progress);
    plans.extend(steady.ok().map(|solved| solved.plan));

    let mut best: Option<Whole> = None;
    let mut offer = |way: Whole| {
        let is_sooner = |best: &Whole| way.total < best.total * (1.0 - HAIR);
        if best.as_ref().is_none_or(is_sooner) {
            best = Some(way);
        }
    };
    for plan in &plans {
        let (scored, decode) = (
            score(problem, plan).ok()?,
            score_decode(problem, plan).ok()??,
        );
        if scored.mem_ok {
            offer(Whole {
                total: decode.total,
                T: scored.total,
                plan: plan.clone(),
                consolidation: None,
            });
        }
    }
    for cold in &plans {
        for steady in plans.iter().filter(|steady| *steady != cold) {
            let first = score(problem, cold).ok()?;
            let way = consolidate(problem, cold, steady).ok()??;
            if let Some(total) = way.consolidating {
                offer(Whole {
                    total,
                    T: first.total,
                    plan: cold.clone(),
                    consolidation: Some(way),
                });
            }
        }
    }
    best
}
