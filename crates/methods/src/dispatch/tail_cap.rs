//! The least mean time to the first token among policies that keep its tail short: the mean under a cap on P99, the least
//! P99 itself, the trade between the two, and CVaR. For a scarce device.
//!
//! A request of length l has its first token by tau if the server has, or if the device starts by tau - T_d(l). So the latest
//! such start is the cheapest, and it comes earlier for longer prompts; of all lengths the shortest are the cheapest to save.
//! [`least_tail`] finds the least P99. For the least mean under a cap there are two prices, one of the budget and one of
//! lateness, which raises the value of every start that meets tau; at given prices each length is optimised alone, as in
//! [`super::optimum`]. [`super::mixture`] finds the best mixture of such policies, and its prices prove it.

use super::hulls::{HullCache, HullSplit, latest};
use super::mixture::{MixtureColumn, best_mixture};
use super::optimum::{GainFrontier, NEVER, Vertex, best_on, each_wait, push};
use super::waits::{Residual, waits};
use engine::evaluate::dispatch::{SHARE_SLACK, outcome};
use engine::plan::dispatch::{Policy, Scarce, Starts};
use engine::problem::dispatch::DispatchProblem;

/// Tolerance of a budget.
const SLACK: f64 = 1e-12;
/// A proposal that is worth no more than this share of the server's mean is none.
const NOTHING: f64 = 1e-13;

/// The share of requests that may be later than the quantile u, with half of what a quantile forgives.
#[must_use]
pub fn tail_share(u: f64) -> f64 {
    1.0 - u + 0.5 * SHARE_SLACK
}

/// The shortest tail that a budget buys.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastTail {
    /// The least time [s] by which the share u of requests can have its first token.
    pub tau: f64,
    /// A policy that reaches it. It spends no more than that takes.
    pub policy: Policy,
    /// Share of the budget that it spends.
    pub share: f64,
}

/// The cheapest policy by which at most `room` requests have no first token at `tau`, whatever the budget, with the share of
/// the budget that it spends; `None` if there is none.
fn cheapest(
    problem: &DispatchProblem,
    firsts: &[f64],
    tau: f64,
    room: f64,
) -> Option<(Policy, f64)> {
    let (prompts, times) = (problem.prompts(), problem.times());
    let late = times.tail(tau);
    let mut policy = Policy::same(&[(1.0, Starts::SERVER)], firsts.len());
    let mut need = late - room;
    let mut share = 0.0;
    for (i, d) in firsts.iter().enumerate() {
        if need <= 0.0 {
            break;
        }
        // Longer prompts come later: none of them meets it either.
        let (wait, at) = latest(times, *d, tau)?;
        let relief = prompts.p()[i] * late;
        let part = (need / relief).min(1.0);
        share += part * prompts.q()[i] * times.tail_at(at);
        need -= relief;
        let start = Starts::race(0, Some(wait));
        policy.acts[i] = if part < 1.0 {
            vec![(part, start), (1.0 - part, Starts::SERVER)]
        } else {
            vec![(1.0, start)]
        };
    }
    (need <= SLACK).then_some((policy, share))
}

/// The least quantile u of the time to the first token under the problem's budget, for the first device. Proved: at the
/// next smaller number the cheapest policy costs more than the budget.
///
/// # Complexity
/// 64 steps of O(L log n).
#[must_use]
pub fn least_tail(problem: &DispatchProblem, u: f64) -> LeastTail {
    let firsts = problem.first_tokens(0);
    let room = tail_share(u);
    let within = |tau: f64| {
        let found = cheapest(problem, &firsts, tau, room);
        found.filter(|(_, share)| *share <= problem.budget() + SLACK)
    };
    // Bits of numbers above zero are in their order. At the last sample the server alone is in time.
    let last = problem.times().values().last().copied();
    let (mut low, mut high) = (0_u64, last.unwrap_or_default().to_bits());
    while low < high {
        let middle = u64::midpoint(low, high);
        if within(f64::from_bits(middle)).is_some() {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let tau = f64::from_bits(low);
    let (policy, share) = within(tau).unwrap_or_else(|| {
        let server = Policy::same(&[(1.0, Starts::SERVER)], firsts.len());
        (server, 0.0)
    });
    LeastTail { tau, policy, share }
}

/// A policy with the least mean under a cap on the tail.
#[derive(Debug, Clone, PartialEq)]
pub struct Capped {
    /// The policy.
    pub policy: Policy,
    /// The cap [s].
    pub tau: f64,
    /// Its mean time to the first token [s].
    pub mean: f64,
    /// Lower bound of the mean of any policy under the same budget and cap [s], proven by prices.
    pub bound: f64,
}

impl Capped {
    /// How far the mean may be from the least, as a share of it: 0 to rounding.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.mean - self.bound).max(0.0) / self.mean
    }
}

/// A policy that a price proposes, or the one that the search begins with.
#[derive(Debug, Clone)]
enum Plan {
    Waits(Vec<f64>),
    Given(Policy),
}

/// Everything a cap needs of one device: hulls of the starts that miss it and of those that meet it.
struct Prepared<'a> {
    problem: &'a DispatchProblem,
    firsts: &'a [f64],
    tau: f64,
    late: f64,
    hulls: Vec<&'a HullSplit>,
}

impl Prepared<'_> {
    /// The best policy at a price of the budget, and one of every share of requests that is late.
    fn propose(&self, prices: &[f64]) -> MixtureColumn<Plan> {
        let prompts = self.problem.prompts();
        let (mut gain, mut share, mut tail) = (0.0, 0.0, 0.0);
        let mut waits = Vec::with_capacity(self.hulls.len());
        for (i, [late, early]) in self.hulls.iter().copied().enumerate() {
            let (p, q) = (prompts.p()[i], prompts.q()[i]);
            let mut best = (best_on(late, p, prices[0] * q), p * self.late);
            if !early.is_empty() {
                let (vertex, worth) = best_on(early, p, prices[0] * q);
                let worth = worth + prices[1] * p * self.late;
                if worth > best.0.1 {
                    best = ((vertex, worth), 0.0);
                }
            }
            let ((vertex, _), is_late) = best;
            gain += p * vertex.gain;
            share += q * vertex.start;
            tail += is_late;
            waits.push(vertex.wait);
        }
        MixtureColumn {
            plan: Plan::Waits(waits),
            gain,
            cost: vec![share, tail],
        }
    }

    /// A given policy, as the search sees it. O(L log n).
    fn column(&self, policy: Policy) -> MixtureColumn<Plan> {
        let (times, prompts) = (self.problem.times(), self.problem.prompts());
        let (mut gain, mut cost) = (0.0, vec![0.0, 0.0]);
        for (i, (mixture, d)) in policy.acts.iter().zip(self.firsts).enumerate() {
            let (p, q) = (prompts.p()[i], prompts.q()[i]);
            for (share, act) in mixture {
                let wait = act.device.map_or(f64::INFINITY, |(_, wait)| wait);
                gain += p * share * times.excess(wait + d);
                cost[0] += q * share * times.tail(wait);
                if wait + d > self.tau {
                    cost[1] += p * share * self.late;
                }
            }
        }
        MixtureColumn {
            plan: Plan::Given(policy),
            gain,
            cost,
        }
    }
}

/// The least mean under the problem's budget with at most 1 - u of all requests later than `tau`, for the first device.
/// `None` if there is no such policy: `tau` is below [`least_tail`].
///
/// # Complexity
/// O(n L) for the hulls, then O(L log n) for every pair of prices that is tried, a few dozen.
#[must_use]
pub fn capped(problem: &DispatchProblem, tau: f64, u: f64) -> Option<Capped> {
    capped_on(problem, &mut HullCache::new(problem), tau, u)
}

/// Solves with hulls of this problem that are reused for any budget.
///
/// # Complexity
/// As [`capped`], with O(n) for every hull that is not known yet instead of O(n L).
#[must_use]
pub fn capped_on(
    problem: &DispatchProblem,
    hulls: &mut HullCache,
    tau: f64,
    u: f64,
) -> Option<Capped> {
    let room = tail_share(u);
    let (policy, share) = cheapest(problem, hulls.firsts(), tau, room)?;
    if share > problem.budget() + SLACK {
        return None;
    }
    let firsts = hulls.firsts().to_vec();
    let all_server = problem.times().mean();
    let prepared = Prepared {
        problem,
        firsts: &firsts,
        tau,
        late: problem.times().tail(tau),
        hulls: hulls.under(problem.times(), tau),
    };
    let first = prepared.column(policy);
    // The policy to begin with keeps both, if only to rounding.
    let budgets = [problem.budget().max(first.cost[0]), room.max(first.cost[1])];
    let found = best_mixture(&budgets, first, NOTHING * all_server, |prices| {
        prepared.propose(prices)
    });
    let acts = |plan: &Plan| match plan {
        Plan::Given(policy) => policy.clone(),
        Plan::Waits(waits) => {
            let act = |wait: &f64| Starts::race(0, Some(*wait).filter(|wait| wait.is_finite()));
            Policy::of(waits.iter().map(act))
        }
    };
    Some(Capped {
        policy: found.policy(acts),
        tau,
        mean: all_server - found.gain,
        bound: all_server - found.bound,
    })
}

/// The goal of the page: the least mean with a P99 no longer than that of Algorithm 2, in either of its versions, under the
/// same budget.
///
/// # Complexity
/// As [`capped`].
#[must_use]
pub fn recommended(problem: &DispatchProblem) -> Option<Capped> {
    let found = waits(problem, Residual::Corrected);
    let p99 = |policy: &Policy| outcome(problem, policy, Scarce::Device).p99;
    let tau = p99(&found.policy()).min(p99(&found.exact()));
    capped(problem, tau, 0.99)
}

/// The trade of mean against the quantile u: `points` caps, evenly spaced from the least possible to that of the least mean.
///
/// # Complexity
/// As [`capped`] for every point.
#[must_use]
pub fn trade(problem: &DispatchProblem, u: f64, points: usize) -> Vec<Capped> {
    let least = least_tail(problem, u).tau;
    let free = super::optimum::solve(problem);
    let most = outcome(problem, &free.policy, Scarce::Device).quantile(u);
    let step = |k: usize| k as f64 / (points.max(2) - 1) as f64;
    let caps = (0..points).map(|k| match k {
        0 => least,
        k if k + 1 == points => most.max(least),
        k => least + (most - least).max(0.0) * step(k),
    });
    caps.filter_map(|tau| capped(problem, tau, u)).collect()
}

/// A policy with the least CVaR: the mean of the latest share 1 - u of requests.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastCvar {
    /// The policy.
    pub policy: Policy,
    /// CVaR [s].
    pub cvar: f64,
    /// Where its tail begins [s].
    pub eta: f64,
}

/// The least CVaR under the problem's budget, for the first device: eta + E[(TTFT - eta)+] / (1 - u) is convex in eta, and for
/// each eta the best policy is as in [`super::optimum`] with what is before eta worth nothing. Eta is found by golden
/// section to a billionth of the longest time, which is also how near the value comes to the least.
///
/// # Complexity
/// About 50 steps of O(n L).
#[must_use]
pub fn least_cvar(problem: &DispatchProblem, u: f64) -> LeastCvar {
    let times = problem.times();
    let firsts = problem.first_tokens(0);
    let at = |eta: f64| {
        let late = times.excess(eta);
        let hulls = firsts.iter().map(|d| {
            let mut hull = vec![NEVER];
            each_wait(times, *d, |point| {
                let gain = point.gain.min(late);
                if gain > 0.0 {
                    push(&mut hull, Vertex { gain, ..point });
                }
            });
            hull
        });
        let found = GainFrontier::of(problem, 0, hulls).policy(problem.budget());
        // Frontiers count from the server's mean.
        let saved = times.mean() - found.mean;
        (eta + (late - saved) / (1.0 - u), found.policy)
    };
    let longest = times.values().last().copied().unwrap_or_default();
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, longest);
    let (mut left, mut right) = (high - golden * high, golden * high);
    let (mut at_left, mut at_right) = (at(left), at(right));
    while high - low > 1e-9 * longest {
        if at_left.0 <= at_right.0 {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = at(right);
        }
    }
    let (eta, (cvar, policy)) = if at_left.0 <= at_right.0 {
        (left, at_left)
    } else {
        (right, at_right)
    };
    LeastCvar { policy, cvar, eta }
}
