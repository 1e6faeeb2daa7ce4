//! Repairs of an infeasible problem: for each device alone, the least memory with which a plan exists, and the time of its first
//! answer.
//!
//! More memory never makes a plan impossible, so for one device the memories that suffice are an interval
//! without an upper end, and its lower end is what some run of consecutive layers needs. The search halves the
//! interval and jumps down to what the packing found really puts on the device. Every repair is packed again
//! and solved exactly; none is estimated.

use super::{dp, packing};
use engine::evaluate::score;
use engine::problem::ColdStart;
use engine::solve::{Limits, NoProgress};
use engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// A change of one number with which a plan exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Repair {
    /// The device, from 0.
    pub device: usize,
    /// The memory it needs [B]: the least that suffices, rounded up to four digits.
    pub memory: f64,
    /// How much more that is than it has [B].
    pub more: f64,
    /// Time to the first answer then [s], proved least; `None` beyond the sizes that are solved at once.
    pub T: Option<f64>,
}

/// Problems up to this many devices times layers times devices are looked at; the others get no repairs.
const MOST_WORK: usize = 1_000_000;
/// Unlike layers are packed over all sets of devices, so only with few of them.
const MOST_DEVICES: usize = 10;
/// The interval is halved until it is this small, relative to its end: the slack of the memory rule.
const FINE: f64 = 1e-9;

/// One repair a device, in the order of the fleet; empty where the problem is too large to look.
///
/// # Complexity
/// O(K (p + s)) with p for some thirty packings and s for one exact solve.
#[must_use]
pub fn repairs(problem: &ColdStart) -> Vec<Repair> {
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let small = devices.saturating_mul(devices).saturating_mul(layers) <= MOST_WORK;
    if !small || (devices > MOST_DEVICES && !problem.identical_layers()) {
        return Vec::new();
    }
    (0..devices)
        .filter_map(|device| {
            let memory = rounded_up(least_memory(problem, device)?);
            let repaired = problem.with_memory(device, Bytes::new(memory)?);
            let total = if dp::is_quick(devices, layers) {
                match dp::solve(&repaired, &Limits::default(), &mut NoProgress) {
                    dp::DpOutcome::Optimal { plan, .. } => {
                        Some(score(&repaired, &plan).ok()?.total)
                    }
                    // A repair that does not repair would be a fault of the packing: it is not shown.
                    dp::DpOutcome::Infeasible { .. } | dp::DpOutcome::Stopped(_) => return None,
                }
            } else {
                None
            };
            Some(Repair {
                device,
                memory,
                more: memory - problem.machines()[device].memory.get(),
                T: total,
            })
        })
        .collect()
}

/// The least memory of a device with which the layers can be placed [B]; at most what all of them need.
fn least_memory(problem: &ColdStart, device: usize) -> Option<f64> {
    let all = |size: fn(&engine::model::Layer) -> f64| problem.layers().iter().map(size);
    let widest = all(|l| l.activation.get()).fold(0.0, f64::max);
    let mut high = widest + all(|l| l.resident.get()).sum::<f64>();
    let mut low = problem.machines()[device].memory.get();
    while high - low > FINE * high {
        let middle = low + (high - low) / 2.0;
        let tried = problem.with_memory(device, Bytes::new(middle)?);
        match packing::pack(&tried) {
            packing::PackingResult::Fits(plan) => {
                let scored = score(&tried, &plan).ok()?;
                let own = scored.timeline.iter().find(|stage| stage.device == device);
                high = own.map_or(middle, |stage| stage.mem).min(middle);
            }
            packing::PackingResult::Never { .. } => low = middle,
            packing::PackingResult::Unknown => return None,
        }
    }
    Some(high)
}

/// The next number up with four digits, so that it can be read and typed; a number that has no more stays.
fn rounded_up(bytes: f64) -> f64 {
    let digits = libm::floor(libm::log10(bytes)) - 3.0;
    if !digits.is_finite() {
        return bytes;
    }
    // Powers of ten above one are exact, so the result is the very number that would be typed.
    let up = |x: f64| libm::ceil(x * (1.0 - 1e-12));
    if digits >= 0.0 {
        let unit = libm::pow(10.0, digits);
        up(bytes / unit) * unit
    } else {
        let parts = libm::pow(10.0, -digits);
        up(bytes * parts) / parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_upwards() {
        for (bytes, rounded) in [
            (12_555_163_648.0, 12_560_000_000.0),
            (12_560_000_000.0, 12_560_000_000.0),
            (100.0, 100.0),
            (1_234.5, 1_235.0),
            (0.5, 0.5),
            (0.0, 0.0),
        ] {
            assert_eq!(rounded_up(bytes), rounded, "{bytes}");
        }
    }
}
