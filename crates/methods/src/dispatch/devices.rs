//! Several devices, each with a budget of its own: which device follows the server, and when, so that the mean time to the
//! first token is least.
//!
//! Device times are known, so a second device for the same request can only cost: one device and one wait a length, or a
//! mixture. With a price for each device's tokens every length chooses for itself, the best wait out of the hulls of
//! [`super::optimum`], and prices are all that lengths share. So the linear program over all randomised policies has one row a
//! device; its optimum is found by [`super::mixture`], and its prices prove it.

use super::mixture::{MixtureColumn, best_mixture};
use super::optimum::{NEVER, Vertex, best_on, each_wait, push};
use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::DispatchProblem;

/// A proposal that is worth no more than this share of the server's mean is none.
const NOTHING: f64 = 1e-13;

/// The best mixture that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct DevicesPolicy {
    /// The policy.
    pub policy: Policy,
    /// Its mean time to the first token [s].
    pub mean: f64,
    /// Lower bound of the mean of any policy under the same budgets [s].
    pub bound: f64,
    /// Share of prompt tokens that each device processes.
    pub shares: Vec<f64>,
    /// The price of each device's budget [s a unit of it].
    pub prices: Vec<f64>,
}

impl DevicesPolicy {
    /// How far the mean may be from the least, as a share of it: 0 to rounding when the search ended by itself.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.mean - self.bound).max(0.0) / self.mean
    }
}

/// For every length a device and a wait, or neither.
type Choice = Vec<Option<(usize, f64)>>;

/// Hulls by length, then by device: all that is known of them but the budgets.
#[derive(Debug, Clone)]
pub struct DeviceHulls(Vec<Vec<Vec<Vertex>>>);

/// The hulls of an instance; they hold for it at any budgets.
///
/// # Complexity
/// O(n L M) for n times, L lengths and M devices.
#[must_use]
pub fn hulls(problem: &DispatchProblem) -> DeviceHulls {
    let hull = |d: f64| {
        let mut hull = vec![NEVER];
        each_wait(problem.times(), d, |point| {
            if point.gain > 0.0 {
                push(&mut hull, point);
            }
        });
        hull
    };
    let lengths = problem.prompts().lengths().iter();
    let hulls = lengths.map(|length| {
        let devices = problem.devices().iter();
        devices
            .map(|device| hull(device.first_token(*length)))
            .collect()
    });
    DeviceHulls(hulls.collect())
}

/// The policy that is worth most at these prices.
fn propose(
    problem: &DispatchProblem,
    hulls: &[Vec<Vec<Vertex>>],
    prices: &[f64],
) -> MixtureColumn<Choice> {
    let prompts = problem.prompts();
    let mut column = MixtureColumn {
        plan: Vec::with_capacity(hulls.len()),
        gain: 0.0,
        cost: vec![0.0; prices.len()],
    };
    for (i, hulls) in hulls.iter().enumerate() {
        let (p, q) = (prompts.p()[i], prompts.q()[i]);
        let mut best = (0.0, None);
        for (m, hull) in hulls.iter().enumerate() {
            let (vertex, worth) = best_on(hull, p, prices[m] * q);
            if worth > best.0 {
                best = (worth, Some((m, vertex)));
            }
        }
        if let Some((m, vertex)) = best.1 {
            column.gain += p * vertex.gain;
            column.cost[m] += q * vertex.start;
        }
        column.plan.push(best.1.map(|(m, vertex)| (m, vertex.wait)));
    }
    column
}

/// The least mean with at most the share `budgets[m]` of prompt tokens on device m; the problem's own budget is not looked at.
/// `None` when there is not one budget from 0 to 1 for every device.
///
/// # Complexity
/// O(n L M) for the hulls, then O(L M log n) for every proposal, a few dozen for a handful of devices.
#[must_use]
pub fn solve(problem: &DispatchProblem, budgets: &[f64]) -> Option<DevicesPolicy> {
    solve_on(problem, &hulls(problem), budgets)
}

/// Solves with hulls of this problem.
///
/// # Complexity
/// As [`solve`] without the hulls.
#[must_use]
pub fn solve_on(
    problem: &DispatchProblem,
    DeviceHulls(hulls): &DeviceHulls,
    budgets: &[f64],
) -> Option<DevicesPolicy> {
    let devices = problem.devices().len();
    if budgets.len() != devices || !budgets.iter().all(|b| (0.0..=1.0).contains(b)) {
        return None;
    }
    let all_server = problem.times().mean();
    let empty = MixtureColumn {
        plan: vec![None; hulls.len()],
        gain: 0.0,
        cost: vec![0.0; devices],
    };
    let found = best_mixture(budgets, empty, NOTHING * all_server, |prices| {
        propose(problem, hulls, prices)
    });
    let acts = |choice: &Choice| {
        Policy::of(choice.iter().map(|device| Starts {
            server: true,
            device: *device,
        }))
    };
    Some(DevicesPolicy {
        policy: found.policy(acts),
        mean: all_server - found.gain,
        bound: all_server - found.bound,
        shares: found.cost,
        prices: found.prices,
    })
}
