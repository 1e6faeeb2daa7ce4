//! The plan whose slowest stage is quickest once everything is loaded, exactly, by the program over (set of devices, layer,
//! last device) that finds cold starts too, with another value: the largest of the transfers and computations so far.
//!
//! Many plans share the least period, for only its slowest stage counts. A second run of the program takes the one that
//! answers first from them, with every stage slower than the period forbidden: the kindest reading of the rule.

use super::NoRule;
use crate::cold_start::dp::{Segments, hops, is_quick};
use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;

/// The plan, and its period [s].
#[derive(Debug, Clone, PartialEq)]
pub struct BestState {
    /// The plan.
    pub plan: Pipeline,
    /// The longest of its stages' transfer and computation [s].
    pub period: f64,
}

/// Finds it.
///
/// # Errors
/// No plan fits, or the problem is too large to be solved within a frame.
///
/// # Complexity
/// O(K² L² 2^K) time, O(K L 2^K) memory.
pub fn best(problem: &ColdStart) -> Result<BestState, NoRule> {
    if !is_quick(problem.machines().len(), problem.layers().len()) {
        return Err(NoRule::TooLarge);
    }
    let slowest = |before: f64, _load: f64, hop: f64, comp: f64| before.max(hop + comp);
    let (period, _) = program(problem, slowest).ok_or(NoRule::NothingFits)?;
    let soonest = |before: f64, load: f64, hop: f64, comp: f64| {
        if hop + comp > period {
            return f64::INFINITY;
        }
        load.max(before) + hop + comp // (17), (18)
    };
    let (_, plan) = program(problem, soonest).ok_or(NoRule::NothingFits)?;
    Ok(BestState { plan, period })
}

/// Predecessor of a state: the last layer before its stage, and the device that ran it.
type Choice = (u32, u32);

/// The least value of all plans that fit, and the first plan with it; `stage` makes a plan's value from what it was before
/// a stage, never decreasing in it, and from the stage's load, hop and computation.
fn program(
    problem: &ColdStart,
    stage: impl Fn(f64, f64, f64, f64) -> f64,
) -> Option<(f64, Pipeline)> {
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let at = |set: usize, layer: usize, last: usize| (set * devices + last) * (layers + 1) + layer;
    let states = (devices << devices) * (layers + 1);
    let mut values = vec![f64::INFINITY; states];
    let mut choices: Vec<Choice> = vec![(0, 0); states];
    let mut segments = Segments::new(devices, layers);
    let hops = hops(problem);
    for j in 1..=layers {
        segments.extend_to(problem, j);
        for set in 1..1_usize << devices {
            let stages = set.count_ones() as usize;
            if stages > j {
                continue;
            }
            for last in (0..devices).filter(|k| set >> k & 1 == 1) {
                let (load, comp) = (&segments.load[last], &segments.comp[last]);
                let fits_from = segments.first_fit[last];
                let here = at(set, j, last);
                if stages == 1 {
                    if fits_from == 0 {
                        values[here] = stage(0.0, load[0], 0.0, comp[0]);
                    }
                    continue;
                }
                let rest = set & !(1 << last);
                for previous in (0..devices).filter(|k| rest >> k & 1 == 1) {
                    let before = at(rest, 0, previous);
                    let hop = &hops[previous * devices + last];
                    for i in fits_from.max(stages - 1)..j {
                        let value = stage(values[before + i], load[i], hop[i], comp[i]);
                        if value < values[here] {
                            values[here] = value;
                            choices[here] = (i as u32, previous as u32);
                        }
                    }
                }
            }
        }
    }
    let mut found = None;
    let mut least = f64::INFINITY;
    for set in 1..1_usize << devices {
        for last in (0..devices).filter(|k| set >> k & 1 == 1) {
            let value = values[at(set, layers, last)];
            if value < least {
                (least, found) = (value, Some((set, last)));
            }
        }
    }
    let (mut set, mut last) = found?;
    let mut plan = Pipeline::new();
    let mut end = layers;
    loop {
        let (cut, previous) = choices[at(set, end, last)];
        plan.push(Stage {
            device: last,
            first: cut as usize + 1,
            last: end,
        });
        set &= !(1 << last);
        if set == 0 {
            break;
        }
        (end, last) = (cut as usize, previous as usize);
    }
    plan.reverse();
    Some((least, plan))
}
