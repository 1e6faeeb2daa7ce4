//! The best cuts for devices that keep their order of strength: how much of a gain comes from the cuts alone.
//!
//! The baselines run strongest first. Here, too, but the cuts are the best there are, and a device that does
//! not help is left out: a share of no layers, which the baselines know as well. What the exact program gains
//! beyond this, it gains by the order of devices. Section 10 of the method's description names it.
//!
//! The program of [`super::dp`] without its sets: the state is (last device, layer), and a stage before runs
//! on a stronger device. It shares that program's segments, hops and kernel, and so its memory rule.

use super::baseline::by_strength;
use super::dp::{Segments, cut_with_value, hops, least_finish};
use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;

/// K² L² up to which it is worth its time beside the exact program: a twentieth of a second or so.
const EASY: f64 = 1e8;

/// The plan with the least T of those that fit and run strongest first; `None` when none fits, or when the
/// problem is too large (K² L² beyond 10⁸).
///
/// # Complexity
/// O(K² L²) time and O(K L + K² L) memory.
#[must_use]
pub fn ordered(problem: &ColdStart) -> Option<Pipeline> {
    let order = by_strength(problem);
    let (devices, layers) = (order.len(), problem.layers().len());
    let size = devices as f64 * layers as f64;
    if size * size > EASY {
        return None;
    }
    let mut segments = Segments::new(devices, layers);
    let hops = hops(problem);
    // By rank and layer: the least time at which layers 1..=j are done, the last stage on that rank.
    let mut rows = vec![vec![f64::INFINITY; layers + 1]; devices];
    for j in 1..=layers {
        segments.extend_to(problem, j);
        for rank in 0..devices {
            let device = order[rank];
            let from = segments.first_fit[device];
            let mut least = if from == 0 {
                segments.load[device][0] + segments.comp[device][0]
            } else {
                f64::INFINITY
            };
            let from = from.max(1);
            if from < j {
                for before in 0..rank {
                    let value = least_finish(
                        &segments.load[device][from..j],
                        &rows[before][from..j],
                        &hops[order[before] * devices + device][from..j],
                        &segments.comp[device][from..j],
                    );
                    least = if value < least { value } else { least };
                }
            }
            rows[rank][j] = least;
        }
    }
    read_back(problem, &order, &rows)
}

/// Asks, from the last stage back, which choice gave each value; ties go to the strongest, then the first cut.
fn read_back(problem: &ColdStart, order: &[usize], rows: &[Vec<f64>]) -> Option<Pipeline> {
    let layers = problem.layers().len();
    let mut rank = (0..rows.len()).min_by(|&a, &b| rows[a][layers].total_cmp(&rows[b][layers]))?;
    if rows[rank][layers] == f64::INFINITY {
        return None;
    }
    let mut plan = Pipeline::new();
    let mut end = layers;
    loop {
        let (device, value) = (order[rank], rows[rank][end]);
        let found = (0..rank).find_map(|before| {
            let row = &rows[before];
            cut_with_value(problem, row, order[before], device, end, value).map(|cut| (before, cut))
        });
        let first = found.map_or(1, |(_, cut)| cut + 1);
        plan.push(Stage {
            device,
            first,
            last: end,
        });
        match found {
            Some((before, cut)) => (rank, end) = (before, cut),
            None => break,
        }
    }
    plan.reverse();
    Some(plan)
}
