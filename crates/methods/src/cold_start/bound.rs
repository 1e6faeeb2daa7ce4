//! A time below which no plan can finish, for problems too large for the exact program.
//!
//! From the identity T = max over n of (load_n + all transfers and computations from n on), every load has
//! the deadline T minus the work that follows it. Drop transfers, memory and whole layers, and let every
//! byte cost the least work per byte there is: what is left is a fluid problem with a closed form, in which
//! devices are in order of speed, the fastest last. All that was dropped only makes plans slower, so its
//! answer is a bound. The same holds with the roles of bytes and work exchanged.

use engine::problem::{ColdStart, LoadCost};
use engine::units::InOrder;

/// Relative safety against rounding in the bound's own arithmetic.
const SAFETY: f64 = 1e-12;

/// No plan finishes before this [s].
///
/// # Complexity
/// O(L + K log K).
#[must_use]
pub fn lower(problem: &ColdStart) -> f64 {
    let layers = problem.layers();
    let weights: f64 = layers.iter().map(|l| l.weights.get()).sum();
    let work: f64 = layers.iter().map(|l| l.work.get()).sum();
    let least_ratio = |ratio: fn(f64, f64) -> f64| {
        layers
            .iter()
            .map(|l| ratio(l.work.get(), l.weights.get()))
            .fold(f64::INFINITY, f64::min)
    };

    // Only devices that hold at least one layer can be in a plan.
    let smallest = layers
        .iter()
        .map(|l| l.resident.get() + l.activation.get())
        .fold(f64::INFINITY, f64::min);
    // Of each device its compute rate, and what a byte of weights costs. What is read again later is not counted.
    let prices: Vec<(f64, LoadCost)> = problem
        .machines()
        .iter()
        .enumerate()
        .filter(|(k, _)| problem.fits(*k, smallest))
        .map(|(k, m)| (m.compute.get(), problem.least_load_cost(k)))
        .collect();
    let in_bytes = {
        let work_per_byte = least_ratio(|w, p| w / p);
        let costs = prices
            .iter()
            .map(|(c, load)| (load.ahead, work_per_byte / c + load.waiting));
        weights / fluid(costs)
    };
    let bytes_per_flop = least_ratio(|w, p| p / w);
    let of_work: Vec<(f64, f64)> = prices
        .iter()
        .map(|(c, load)| {
            (
                bytes_per_flop * load.ahead,
                1.0 / c + bytes_per_flop * load.waiting,
            )
        })
        .collect();
    let in_work = work / fluid(of_work.iter().copied());
    // The first stage loads at least its first layer before anything is computed.
    let least = |prices: &mut dyn Iterator<Item = f64>| prices.fold(f64::INFINITY, f64::min);
    let first_load = match problem.streams() {
        true => 0.0,
        false => layers[0].weights.get() * least(&mut prices.iter().map(|price| price.1.ahead)),
    };
    let fastest = least(&mut of_work.iter().map(|cost| cost.1));
    let one_after_the_other = first_load + work * fastest;

    let bound = in_bytes.max(in_work).max(one_after_the_other);
    if bound.is_finite() {
        // A plan's own sums over L layers may each be off by their rounding, too.
        bound * (1.0 - SAFETY - 2.0 * layers.len() as f64 * f64::EPSILON)
    } else {
        0.0
    }
}

/// How much all devices place per second of T, each with its (load, compute) time per unit: the fastest take the first share.
fn fluid(costs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut costs: Vec<(f64, f64)> = costs.collect();
    costs.in_order_by(|a, b| a.1.total_cmp(&b.1));
    let mut placed = 0.0;
    let mut left = 1.0; // of each second, before the work of the stages behind
    for (load, compute) in costs {
        let share = left / (load + compute);
        placed += share;
        left -= share * compute;
    }
    placed
}
