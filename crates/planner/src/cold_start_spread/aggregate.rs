//! Aggregation of draws. Every draw has a fixed index, so the result does not depend on the order or the grouping in which draws
//! were solved.

use super::{
    DrawOutcome, DrawResult, EQUAL, MOST_PLANS, SOLVED, SpreadRequest, Weighed, check, thinned,
    units,
};
use crate::cold_start::evaluate;
use engine::plan::{Pipeline, Stage};
use engine::problem::Invalid;
use engine::scenario::Scenario;
use engine::scenario::ranges::SpanDraws;
use engine::sim::{Worth, quantile, wilson};
use engine::units::InOrder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An input that explains less than this of whether the plan fits does not decide it.
const LEAST_FIT_SHARE: f64 = 0.01;

/// All that is known so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Spread {
    /// The time of the plan shown with the numbers as they stand [s].
    pub at_values: f64,
    /// Solved draws.
    pub draws: usize,
    /// Of these, those in which the plan shown does not fit a device.
    pub unfit: usize,
    /// Draws in which a link has no rate.
    pub broken: usize,
    /// Draws in which no plan fits.
    pub impossible: usize,
    /// Draws whose search did not finish: the best plan may be faster than the one found.
    pub unproved: usize,
    /// Draws in which no plan was found that is faster than the shown one.
    pub stays: usize,
    /// The 95 % interval of their share.
    pub stays_between: Option<(f64, f64)>,
    /// Mean of how far the plan shown came behind the best, over the draws in which it fits [s].
    pub mean_regret: Option<f64>,
    /// The draw or corner in which it came farthest behind.
    pub worst: Option<Worst>,
    /// Solved corners of the box.
    pub corners: usize,
    /// Corners in which the plan shown does not fit, or that pose no problem.
    pub corners_unfit: usize,
    /// The least and the greatest time of the plan shown over all corners [s].
    pub corner_times: Option<(f64, f64)>,
    /// The times of the plan shown as quantiles at equal steps [s]: of many scored draws once they are there.
    pub times: Vec<f64>,
    /// Times of the best plan of each solved draw [s].
    pub best_times: Vec<f64>,
    /// How many draws `times` are of.
    pub times_of: usize,
    /// Plans, the one shown first, then those that were best most often.
    pub plans: Vec<PlanRow>,
    /// Results for each number with a range, in the order of the scenario.
    pub inputs: Vec<InputRow>,
    /// True once plans have been compared; no input is evaluated before that.
    pub is_weighed: bool,
}

/// Where the plan shown came farthest behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Worst {
    /// How far [s].
    pub regret: f64,
    /// Its time there [s].
    pub ours: f64,
    /// The time of the best plan there [s].
    pub best: f64,
    /// The plan.
    pub plan: Pipeline,
    /// The numbers there, in the order of the scenario's ranges.
    pub numbers: Vec<f64>,
    /// True for a corner of the ranges.
    pub is_corner: bool,
}

/// A plan among those that were best somewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct PlanRow {
    /// The plan.
    pub plan: Pipeline,
    /// In how many solved draws it was best; ties with the plan shown count for that one.
    pub best_in: usize,
    /// In which share of the weighed draws it fits.
    pub fits: Option<f64>,
    /// Its mean time over the weighed draws [s], where it fits in all.
    pub mean: Option<f64>,
    /// The most that it came behind the best plan of a solved draw or corner [s], where it fits in all.
    pub worst: Option<f64>,
}

/// A number that carries a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct InputRow {
    /// The share of whether the plan fits that it explains on its own; `None` where that does not vary.
    pub fit_share: Option<f64>,
    /// The share of the variance of the plan's time that it explains on its own.
    pub share: Option<f64>,
    /// Value of knowing the number before choosing [s].
    pub worth: Option<Worth>,
}

impl InputRow {
    /// The share of whether the plan fits that this number decides; 0 for what chance would give.
    #[must_use]
    pub fn decides_fit(&self) -> f64 {
        self.fit_share
            .filter(|share| *share >= LEAST_FIT_SHARE)
            .unwrap_or(0.0)
    }
}

impl Spread {
    /// The input that decides most of whether the plan fits; `None` where none does.
    #[must_use]
    pub fn most_fitting(&self) -> Option<usize> {
        let each = self.inputs.iter().enumerate();
        let each = each.map(|(at, input)| (at, input.decides_fit()));
        greatest(each.filter(|(_, share)| *share > 0.0))
    }

    /// The time of the plan shown that a share of the draws stay within [s].
    #[must_use]
    pub fn time_at(&self, share: f64) -> Option<f64> {
        (!self.times.is_empty()).then(|| quantile(&self.times, share))
    }

    /// The input most worth measuring, by what it is worth to know it; `None` where no input changes the choice beyond what
    /// chance does.
    #[must_use]
    pub fn most_worth(&self) -> Option<usize> {
        let each = self.inputs.iter().enumerate();
        let worth = each.filter_map(|(at, input)| {
            let worth = input.worth.filter(|w| w.is_something(self.at_values))?;
            Some((at, worth.mean))
        });
        greatest(worth)
    }

    /// The input that explains most of the spread, and its share.
    #[must_use]
    pub fn most_spread(&self) -> Option<(usize, f64)> {
        let each = self.inputs.iter().enumerate();
        let share = each.filter_map(|(at, input)| Some((at, input.share?)));
        let at = greatest(share)?;
        Some((at, self.inputs[at].share?))
    }

    /// How many of the plans found fit in all weighed draws: only among these is it said what knowing an input is worth.
    #[must_use]
    pub fn always_fit(&self) -> usize {
        self.plans.iter().filter(|plan| plan.mean.is_some()).count()
    }

    /// The plan with the least mean among those weighed, and the one that is least behind at worst, by their place in the list.
    #[must_use]
    pub fn sturdiest(&self) -> (Option<usize>, Option<usize>) {
        let least = |value: fn(&PlanRow) -> Option<f64>| {
            let each = self.plans.iter().enumerate();
            greatest(each.filter_map(|(at, plan)| Some((at, -value(plan)?))))
        };
        (least(|plan| plan.mean), least(|plan| plan.worst))
    }
}

/// The first of the greatest.
fn greatest(values: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let found = values.fold(None, |best: Option<(usize, f64)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    });
    found.map(|(at, _)| at)
}

/// A plan that can be put in order.
type Key = Vec<(usize, usize, usize)>;

/// The plan shown, and the others that were best in draws or corners: first those of most draws, then by when they first
/// were. O(draws log draws).
#[must_use]
pub fn plans(
    plan: &[Stage],
    drawn: &[&DrawResult],
    corners: &[&DrawResult],
) -> Vec<(Pipeline, usize)> {
    let mut seen: BTreeMap<Key, (usize, usize)> = BTreeMap::new();
    let key =
        |plan: &[Stage]| -> Key { plan.iter().map(|s| (s.device, s.first, s.last)).collect() };
    seen.insert(key(plan), (0, 0));
    let all = drawn
        .iter()
        .map(|d| (*d, 1))
        .chain(corners.iter().map(|d| (*d, 0)));
    for (at, (drawn, counts)) in all.enumerate() {
        let Some(best) = &drawn.best else { continue };
        let found = if stays(drawn) {
            key(plan)
        } else {
            key(&best.plan)
        };
        seen.entry(found).or_insert((0, at + 1)).0 += counts;
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    let ours = key(plan);
    all.in_order_by(|a, b| {
        let first = |plan: &Key| *plan != ours;
        first(&a.0)
            .cmp(&first(&b.0))
            .then(b.1.0.cmp(&a.1.0))
            .then(a.1.1.cmp(&b.1.1))
    });
    all.into_iter()
        .map(|(plan, (count, _))| (plan.into_iter().map(Stage::from).collect(), count))
        .collect()
}

/// Returns true if no plan was found in a draw that is faster than the shown one.
fn stays(drawn: &DrawResult) -> bool {
    match (drawn.ours, &drawn.best) {
        (DrawOutcome::Fits(ours), Some(best)) => ours - best.time <= EQUAL * best.time,
        _ => false,
    }
}

/// The ask that weighs the plans found, once all draws and corners are solved.
#[must_use]
pub fn weigh(
    plan: &[Stage],
    seed: u32,
    drawn: &[&DrawResult],
    corners: &[&DrawResult],
) -> SpreadRequest {
    let found = plans(plan, drawn, corners).into_iter().take(MOST_PLANS);
    let best = |all: &[&DrawResult]| {
        all.iter()
            .map(|d| d.best.as_ref().map(|b| b.time))
            .collect()
    };
    SpreadRequest::Weigh {
        plans: found.map(|(plan, _)| plan).collect(),
        seed,
        draws: best(drawn),
        corners: best(corners),
    }
}

/// Aggregates draws: `drawn` and `corners` hold a result at its index once it is there.
///
/// # Errors
/// A scenario without ranges or without a problem, or a plan that is none for it.
///
/// # Complexity
/// O(draws log draws).
pub fn sum_up(
    scenario: &Scenario,
    plan: &[Stage],
    seed: u32,
    drawn: &[Option<DrawResult>],
    corners: &[Option<DrawResult>],
    weighed: Option<&Weighed>,
) -> Result<Spread, Invalid> {
    check(scenario)?;
    let drawing = SpanDraws::new(scenario);
    let found = evaluate(&scenario.problem()?, plan)?;
    let at_values = found.decode.map_or(found.T, |decode| decode.objective);
    let known: Vec<&DrawResult> = drawn.iter().flatten().collect();
    let ends: Vec<&DrawResult> = corners.iter().flatten().collect();
    let count = |is: fn(&DrawResult) -> bool| known.iter().filter(|drawn| is(drawn)).count();
    let unfit = |d: &DrawResult| d.ours == DrawOutcome::Unfit;
    let stayed = known.iter().filter(|drawn| stays(drawn)).count();
    let time = |d: &&DrawResult| match d.ours {
        DrawOutcome::Fits(time) => Some(time),
        DrawOutcome::Unfit | DrawOutcome::Broken => None,
    };
    let regret = |d: &DrawResult| match (d.ours, &d.best) {
        (DrawOutcome::Fits(ours), Some(best)) => Some((ours - best.time).max(0.0)),
        _ => None,
    };
    let regrets: Vec<f64> = known.iter().filter_map(|d| regret(d)).collect();
    let mean_regret = regrets.iter().sum::<f64>() / regrets.len() as f64;
    // The worst, and where: the first of equals, draws before corners.
    let places = drawn.iter().enumerate().map(|(at, d)| (at, false, d));
    let places = places.chain(corners.iter().enumerate().map(|(at, d)| (at, true, d)));
    let mut worst: Option<(f64, usize, bool, &DrawResult)> = None;
    for (at, is_corner, drawn) in places {
        let Some((drawn, regret)) = drawn.as_ref().and_then(|d| Some((d, regret(d)?))) else {
            continue;
        };
        if worst.is_none_or(|(most, ..)| regret > most) {
            worst = Some((regret, at, is_corner, drawn));
        }
    }
    let worst = worst.and_then(|(regret, at, is_corner, drawn)| {
        let numbers = if is_corner {
            drawing.corner(at)
        } else {
            let units = units(seed, SOLVED, at + 1, drawing.len());
            drawing.numbers(units.last()?)
        };
        let (DrawOutcome::Fits(ours), Some(best)) = (drawn.ours, &drawn.best) else {
            return None;
        };
        Some(Worst {
            regret,
            ours,
            best: best.time,
            plan: best.plan.clone(),
            numbers,
            is_corner,
        })
    });
    let at_ends = ends.iter().filter_map(time);
    let corner_times = at_ends.fold(None, |ends: Option<(f64, f64)>, time| {
        let (least, most) = ends.unwrap_or((time, time));
        Some((least.min(time), most.max(time)))
    });
    let sorted = |values: &mut dyn Iterator<Item = f64>| {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        thinned(&values)
    };
    let best_times = sorted(&mut known.iter().filter_map(|d| d.best.as_ref().map(|b| b.time)));
    let (times, times_of) = match weighed {
        Some(weighed) => (weighed.times.clone(), weighed.draws),
        None => (sorted(&mut known.iter().filter_map(time)), known.len()),
    };
    let rows = plans(plan, &known, &ends)
        .into_iter()
        .map(|(plan, best_in)| {
            let own = weighed.and_then(|w| w.plans.iter().find(|row| row.plan == plan));
            let draws = weighed.map_or(1, |w| w.draws.max(1)) as f64;
            PlanRow {
                best_in,
                fits: own.map(|row| row.fits as f64 / draws),
                mean: own.and_then(|row| row.mean),
                worst: own.and_then(|row| row.worst),
                plan,
            }
        });
    let input = |at: usize| {
        let own = weighed.and_then(|w| w.inputs.get(at));
        InputRow {
            fit_share: own.and_then(|input| input.fit_share),
            share: own.and_then(|input| input.share),
            worth: own.and_then(|input| input.worth),
        }
    };
    Ok(Spread {
        at_values,
        draws: known.len(),
        unfit: count(unfit),
        broken: count(|d| d.ours == DrawOutcome::Broken),
        impossible: count(|d| d.ours != DrawOutcome::Broken && d.best.is_none()),
        unproved: count(|d| d.best.as_ref().is_some_and(|best| !best.proved)),
        stays: stayed,
        stays_between: wilson(stayed, known.len()),
        mean_regret: (!regrets.is_empty()).then_some(mean_regret),
        worst,
        corners: ends.len(),
        corners_unfit: ends.iter().filter(|d| time(d).is_none()).count(),
        corner_times,
        times,
        best_times,
        times_of,
        plans: rows.collect(),
        inputs: (0..drawing.len()).map(input).collect(),
        is_weighed: weighed.is_some(),
    })
}
