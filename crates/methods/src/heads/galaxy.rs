//! Galaxy, a baseline of another kind: tensor parallelism over a group of devices.
//!
//! Heads are dealt in proportion to compute, and the columns of proj and ffn are split in the same proportion, which no
//! placement of whole blocks can do; so it has its own referee here, and may beat the best placement. Two synchronisations
//! a token, each a ring of reduce-scatter and all-gather. The group is chosen once and stays: nothing ever moves.

use engine::problem::head_sizes::{Delay, Sizes};
use engine::problem::heads::{HeadPlacement, compute_time};

/// Devices in a group unless told otherwise.
pub const GROUP: usize = 4;

/// A group with its shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Galaxy {
    /// The devices, in order.
    pub devices: Vec<usize>,
    /// The share of each, by compute; equal where none computes.
    pub share: Vec<f64>,
    /// The heads of each, by largest remainder.
    pub heads: Vec<usize>,
}

/// What a group costs and needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// Delay of a token [s].
    pub d_t: f64,
    /// Memory in use on every device of the problem [B].
    pub memory_use: Vec<f64>,
    /// Whether that fits everywhere.
    pub memory_ok: bool,
}

impl Galaxy {
    /// The group of the `size` devices with the most compute, or of all if there are fewer; of equals the first. O(V log V).
    #[must_use]
    pub fn of(problem: &HeadPlacement, size: usize) -> Self {
        let compute = problem.compute();
        let mut devices: Vec<usize> = (0..problem.devices()).collect();
        devices.sort_by(|a, b| compute[*b].total_cmp(&compute[*a]).then(a.cmp(b)));
        devices.truncate(size.max(1));
        devices.sort_unstable();
        let all: f64 = devices.iter().map(|j| compute[*j]).sum();
        let equal = 1.0 / devices.len() as f64;
        let share: Vec<f64> = devices
            .iter()
            .map(|j| if all > 0.0 { compute[*j] / all } else { equal })
            .collect();
        let heads = dealt(&share, problem.heads());
        Self {
            devices,
            share,
            heads,
        }
    }

    /// Delay and memory with demands `sizes`, on the devices and links of `problem`. O(V).
    #[must_use]
    pub fn score(&self, problem: &HeadPlacement, sizes: &Sizes) -> Scored {
        let links = problem.links();
        let members = || self.devices.iter().copied().enumerate();
        let slowest = |time: &dyn Fn(usize, usize) -> f64| {
            members().fold(0.0, |most, (k, j)| f64::max(most, time(k, j)))
        };
        let runs = |work: f64, j: usize| compute_time(work, problem.compute()[j]);
        let input = slowest(&|_, j| links.transfer(sizes.w_in, problem.controller(), j));
        let heads = slowest(&|k, j| runs(self.heads[k] as f64 * sizes.b_head, j));
        let rest = match problem.layer().delay() {
            Delay::Eq6 => 0.0,
            Delay::Full => {
                slowest(&|k, j| runs(self.share[k] * sizes.b_proj, j))
                    + slowest(&|k, j| runs(self.share[k] * sizes.b_ffn, j))
            }
        };
        let mut memory_use = vec![0.0; problem.devices()];
        for (k, j) in members() {
            let split = self.share[k] * (sizes.m_proj + sizes.m_ffn);
            memory_use[j] = self.heads[k] as f64 * sizes.m_head + split;
        }
        let memory_ok = (0..memory_use.len()).all(|j| problem.holds(j, memory_use[j]));
        Scored {
            d_t: input + heads + 2.0 * self.synchronisation(problem, sizes) + rest,
            memory_use,
            memory_ok,
        }
    }

    /// One ring around the group, as slow as its slowest link [s].
    fn synchronisation(&self, problem: &HeadPlacement, sizes: &Sizes) -> f64 {
        let size = self.devices.len();
        if size == 1 {
            return 0.0;
        }
        let bytes = 2.0 * (size - 1) as f64 / size as f64 * sizes.w_pf;
        let next = |k: usize| self.devices[(k + 1) % size];
        let around = (0..size).map(|k| problem.links().transfer(bytes, self.devices[k], next(k)));
        around.fold(0.0, f64::max)
    }
}

/// Whole heads by the largest remainder; of equals the first.
fn dealt(share: &[f64], heads: usize) -> Vec<usize> {
    let exact: Vec<f64> = share.iter().map(|share| share * heads as f64).collect();
    let mut dealt: Vec<usize> = exact.iter().map(|heads| heads.floor() as usize).collect();
    let mut order: Vec<usize> = (0..share.len()).collect();
    let rest = |k: usize| exact[k] - exact[k].floor();
    order.sort_by(|a, b| rest(*b).total_cmp(&rest(*a)).then(a.cmp(b)));
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
