//! Our own policy for the goal of a scenario, with what is proved of it.

use super::Several;
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::{Policy, Scarce};
use engine::problem::Invalid;
use engine::problem::dispatch::DispatchProblem;
use engine::scenario::dispatch::{Goal, Scenario};
use methods::dispatch::hulls::HullCache;
use methods::dispatch::optimum::{self, GainFrontier};
use methods::dispatch::tail_cap::{self, Capped, LeastTail};
use methods::dispatch::threshold::threshold;
use methods::dispatch::{devices, server, waits};
use std::cell::OnceCell;

/// The quantile that goals are about.
const TAIL: f64 = 0.99;

/// A policy for a goal.
pub(super) struct Reached {
    /// The policy.
    pub policy: Policy,
    /// Value of the goal [s].
    pub value: f64,
    /// No policy under the budget comes to less [s].
    pub bound: f64,
    /// The limit of P99 that was to be kept [s].
    pub cap: Option<f64>,
    /// True if no policy keeps the limit. This one then has the least P99.
    pub missed: bool,
}

/// Finds policies for a goal, budget by budget.
pub(super) struct GoalSolver {
    goal: Goal,
    scarce: Scarce,
    /// Every budget at once, where the goal is the mean alone.
    frontier: Option<GainFrontier>,
    /// Convex hulls from which policies under a limit of P99 are built, for any limit and budget.
    hulls: HullCache,
}

impl GoalSolver {
    /// For a goal; `problem` at any budget.
    pub fn new(goal: Goal, problem: &DispatchProblem, scarce: Scarce) -> Self {
        let is_frontier = scarce == Scarce::Device && goal == Goal::Mean;
        Self {
            goal,
            scarce,
            frontier: is_frontier.then(|| GainFrontier::new(problem, 0)),
            hulls: HullCache::new(problem),
        }
    }

    /// Solves at the problem's budget.
    ///
    /// # Complexity
    /// O(n L) for n times and L prompt lengths where the goal is the mean alone, for its proof. Otherwise O(n L) the first time
    /// and then O(n) for every length whose waits the limit of P99 distinguishes differently than the one before, with a few dozen
    /// steps of O(L log n) every time. Where the server is scarce, as [`server::solve`] and [`server::capped`].
    pub fn solve(&mut self, problem: &DispatchProblem) -> Reached {
        match self.goal {
            Goal::Mean => self.mean(problem),
            Goal::MeanKeptTail => {
                let disco = match self.scarce {
                    Scarce::Device => waits::waits(problem, waits::Residual::Corrected).policy(),
                    Scarce::Server => threshold(problem).policy(),
                };
                let cap = outcome(problem, &disco, self.scarce).p99;
                self.under(problem, cap)
            }
            Goal::MeanUnder(cap) => self.under(problem, cap),
            Goal::Tail => {
                let least = self.least_tail(problem);
                // Of all policies with the least P99, the one of least mean.
                let policy = self.capped(problem, least.tau).map(|found| found.policy);
                Reached {
                    policy: policy.unwrap_or(least.policy),
                    value: least.tau,
                    bound: least.tau,
                    cap: None,
                    missed: false,
                }
            }
        }
    }

    /// The policy of [`GoalSolver::solve`] alone. A sweep has no use for the proof of a least mean, which takes longer than to find it.
    ///
    /// # Complexity
    /// As [`GoalSolver::solve`]; where the goal is the mean alone and the device is scarce, as [`GainFrontier::policy`].
    pub fn policy(&mut self, problem: &DispatchProblem) -> Policy {
        match (self.goal, &self.frontier) {
            (Goal::Mean, Some(frontier)) => frontier.policy(problem.budget()).policy,
            (Goal::Mean, None) => server::solve(problem).policy,
            _ => self.solve(problem).policy,
        }
    }

    fn mean(&self, problem: &DispatchProblem) -> Reached {
        let (found, bound) = match &self.frontier {
            Some(frontier) => {
                let found = frontier.policy(problem.budget());
                let bound = optimum::bound(problem, 0, found.price);
                (found, bound)
            }
            None => {
                let found = server::solve(problem);
                let bound = server::bound(problem, found.price);
                (found, bound)
            }
        };
        Reached {
            policy: found.policy,
            value: found.mean,
            bound,
            cap: None,
            missed: false,
        }
    }

    fn under(&mut self, problem: &DispatchProblem, cap: f64) -> Reached {
        match self.capped(problem, cap) {
            Some(found) => Reached {
                policy: found.policy,
                value: found.mean,
                bound: found.bound,
                cap: Some(cap),
                missed: false,
            },
            None => {
                let least = self.least_tail(problem);
                Reached {
                    policy: least.policy,
                    value: least.tau,
                    bound: least.tau,
                    cap: Some(cap),
                    missed: true,
                }
            }
        }
    }

    fn capped(&mut self, problem: &DispatchProblem, cap: f64) -> Option<Capped> {
        match self.scarce {
            Scarce::Device => tail_cap::capped_on(problem, &mut self.hulls, cap, TAIL),
            Scarce::Server => server::capped(problem, cap, TAIL),
        }
    }

    fn least_tail(&self, problem: &DispatchProblem) -> LeastTail {
        match self.scarce {
            Scarce::Device => tail_cap::least_tail(problem, TAIL),
            Scarce::Server => server::least_tail(problem, TAIL),
        }
    }
}

/// All devices that are on, the first with the shared budget and each other one with its own or else the shared one; none where there is only one, or where the
/// server is scarce.
///
/// # Complexity
/// As [`devices::solve`]; `hulls` keeps what does not depend on budgets.
pub(super) fn several(
    scenario: &Scenario,
    problem: &DispatchProblem,
    scarce: Scarce,
    hulls: &OnceCell<devices::DeviceHulls>,
) -> Result<Option<Several>, Invalid> {
    let on = scenario.devices_in_order();
    if on.len() < 2 || scarce == Scarce::Server {
        return Ok(None);
    }
    // The first is the device of the policies: the shared budget is its own.
    let budgets: Vec<f64> = (on.iter().enumerate())
        .map(|(at, (_, device))| match device.own_budget {
            Some(own) if at > 0 => own,
            _ => scenario.budget,
        })
        .collect();
    let hulls = hulls.get_or_init(|| devices::hulls(problem));
    let Some(found) = devices::solve_on(problem, hulls, &budgets) else {
        return Ok(None);
    };
    let mut scored = outcome(problem, &found.policy, scarce);
    scored.curve = super::thinned(&scored.curve, scored.p99);
    Ok(Some(Several {
        places: on.iter().map(|(place, _)| *place).collect(),
        outcome: scored,
        budgets,
        shares: found.shares,
        prices: found.prices,
        bound: found.bound,
    }))
}
