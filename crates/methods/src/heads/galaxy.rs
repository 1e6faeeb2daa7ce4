//! Galaxy, a baseline of another kind: tensor parallelism over a group of devices.
//!
//! Heads are dealt in proportion to compute, and the columns of proj and ffn are split in the same proportion, which no
//! placement of whole blocks can do, so it may beat the best of them; [`super::split`] finds the best of both classes. The
//! group is chosen once and stays: nothing ever moves.

use engine::plan::HeadSplit;
use engine::problem::heads::HeadPlacement;
use engine::units::InOrder;

/// Default number of devices in a group.
pub const GROUP: usize = 4;

/// Galaxy's split over the `size` devices with the most compute, or over all if there are fewer; of equals the first.
/// O(V log V + h).
#[must_use]
pub fn group(problem: &HeadPlacement, size: usize) -> HeadSplit {
    let compute = problem.compute();
    let mut devices: Vec<usize> = (0..problem.devices()).collect();
    devices.in_order_by(|a, b| compute[*b].total_cmp(&compute[*a]).then(a.cmp(b)));
    devices.truncate(size.max(1));
    devices.sort_unstable();
    let share = shares(problem, &devices);
    let heads = dealt(&share, problem.heads());
    let each = devices.iter().zip(heads);
    let on = each.flat_map(|(device, heads)| std::iter::repeat_n(*device, heads));
    HeadSplit {
        on: on.collect(),
        devices,
        share,
    }
}

/// The share of each of a group, by free compute; equal where none computes.
#[must_use]
pub fn shares(problem: &HeadPlacement, devices: &[usize]) -> Vec<f64> {
    let compute = problem.compute();
    let all: f64 = devices.iter().map(|j| compute[*j]).sum();
    let equal = 1.0 / devices.len() as f64;
    devices
        .iter()
        .map(|j| if all > 0.0 { compute[*j] / all } else { equal })
        .collect()
}

/// Whole heads by the largest remainder; of equals the first.
fn dealt(share: &[f64], heads: usize) -> Vec<usize> {
    let exact: Vec<f64> = share.iter().map(|share| share * heads as f64).collect();
    let mut dealt: Vec<usize> = exact.iter().map(|heads| heads.floor() as usize).collect();
    let mut order: Vec<usize> = (0..share.len()).collect();
    let rest = |k: usize| exact[k] - exact[k].floor();
    order.in_order_by(|a, b| rest(*b).total_cmp(&rest(*a)).then(a.cmp(b)));
    let mut left = heads.saturating_sub(dealt.iter().sum());
    for k in order.into_iter().cycle() {
        if left == 0 {
            break;
        }
        dealt[k] += 1;
        left -= 1;
    }
    dealt
}
