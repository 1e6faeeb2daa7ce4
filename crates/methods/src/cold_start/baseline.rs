//! Baselines of the paper: everything on one device, an even split, a split by speed.
//!
//! Source: CSGO, section 5.2, with its gaps filled as the module says. None of them repairs a stage that
//! overflows its memory: the referee times the plan regardless and flags it.

use engine::plan::{Pipeline, Stage};
use engine::problem::{ColdStart, HeuristicReading};
use engine::units::InOrder;

/// Devices from strongest to weakest: by peak compute, then disk rate, then index.
#[must_use]
pub fn by_strength(problem: &ColdStart) -> Vec<usize> {
    let mut order: Vec<usize> = (0..problem.machines().len()).collect();
    let key = |k: usize| (problem.machines()[k].peak, problem.machines()[k].disk);
    order.in_order_by(|&a, &b| key(b).cmp(&key(a)).then(a.cmp(&b)));
    order
}

/// The strongest device takes everything; its memory limit is waived.
#[must_use]
pub fn single(problem: &ColdStart) -> Pipeline {
    vec![Stage {
        device: by_strength(problem)[0],
        first: 1,
        last: problem.layers().len(),
    }]
}

/// Every device takes the same number of layers, the strongest take the rest, one each.
#[must_use]
pub fn even(problem: &ColdStart) -> Pipeline {
    let order = by_strength(problem);
    let (layers, devices) = (problem.layers().len(), order.len());
    let counts: Vec<usize> = (0..devices)
        .map(|rank| layers / devices + usize::from(rank < layers % devices))
        .collect();
    in_order(&order, &counts)
}

/// Layers in proportion to the harmonic mean of compute and disk speed; `reading` fixes their common scale.
///
/// Largest remainder: floors first, then one layer each by descending fraction (compared after rounding to
/// twelve decimals), ties to the stronger device.
#[must_use]
pub fn heuristic(problem: &ColdStart, reading: HeuristicReading) -> Pipeline {
    let order = by_strength(problem);
    let layers = problem.layers().len();
    let weight = speeds(problem, reading);
    let total: f64 = weight.iter().sum();
    let shares: Vec<f64> = order
        .iter()
        .map(|&k| layers as f64 * weight[k] / total)
        .collect();
    in_order(&order, &largest_remainder(layers, &shares))
}

/// Divides `things` by `shares`, which sum to their number: floors first, then one each by descending fraction (compared
/// after rounding to twelve decimals), ties to the earlier.
pub(super) fn largest_remainder(things: usize, shares: &[f64]) -> Vec<usize> {
    let mut counts: Vec<usize> = shares
        .iter()
        .map(|share| libm::floor(*share) as usize)
        .collect();
    let fraction = |at: usize| libm::round((shares[at] - libm::floor(shares[at])) * 1e12);
    let mut by_fraction: Vec<usize> = (0..shares.len()).collect();
    by_fraction.in_order_by(|&a, &b| fraction(b).total_cmp(&fraction(a)).then(a.cmp(&b)));
    let left_over = things.saturating_sub(counts.iter().sum());
    for &at in by_fraction.iter().cycle().take(left_over) {
        counts[at] += 1;
    }
    counts
}

/// The harmonic mean 2xy / (x + y) of each device's compute speed x and disk speed y.
fn speeds(problem: &ColdStart, reading: HeuristicReading) -> Vec<f64> {
    use HeuristicReading as R;
    let machines = problem.machines();
    let compute: Vec<f64> = machines
        .iter()
        .map(|m| {
            if reading.uses_peak() {
                m.peak.get()
            } else {
                m.compute.get()
            }
        })
        .collect();
    let disk: Vec<f64> = (0..machines.len()).map(|k| problem.load_rate(k)).collect();
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let layers = problem.layers();
    let mean = |total: f64| total / layers.len() as f64;
    let (compute_unit, disk_unit) = match reading {
        R::Rate | R::RatePeak => (
            mean(layers.iter().map(|l| l.work.get()).sum()),
            mean(layers.iter().map(|l| l.weights.get()).sum()),
        ),
        R::Max | R::MaxPeak => (most(&compute), most(&disk)),
        R::Sum | R::SumPeak => (sum(&compute), sum(&disk)),
        R::RawGb | R::RawGbPeak => (1e12, 1e9),
        R::RawMb | R::RawMbPeak => (1e12, 1e6),
    };
    compute
        .iter()
        .zip(&disk)
        .map(|(c, r)| {
            // Weights that are in memory take no time, on whatever scale.
            let loads_at_once = r.is_infinite() && disk_unit.is_infinite();
            let y = if loads_at_once { 1.0 } else { r / disk_unit };
            let x = c / compute_unit;
            // 1 / (1/x + 1/y) instead of 2xy / (x + y): the same shares, and it cannot overflow.
            1.0 / (1.0 / x + 1.0 / y)
        })
        .collect()
}

/// Stages in the given order of devices; a device without layers has no stage.
pub(super) fn in_order(order: &[usize], counts: &[usize]) -> Pipeline {
    let mut next = 1;
    let mut plan = Pipeline::new();
    for (&device, &count) in order.iter().zip(counts).filter(|(_, count)| **count > 0) {
        plan.push(Stage {
            device,
            first: next,
            last: next + count - 1,
        });
        next += count;
    }
    plan
}
