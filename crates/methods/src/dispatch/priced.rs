//! The least mean for so many lengths and samples that no one can look at every pair: by the price of the budget alone.
//!
//! At a price every length takes the wait with the largest E[(T_s - w - T_d(l))+] - price l P(T_s > w). The first term is
//! convex in w + T_d(l), and the second falls in w the more the longer l: so the best wait never falls with l, and the best
//! waits of all lengths are found by halves, each within what its neighbours leave. The price is found as a cap on the tail
//! is: two policies on either side of the budget define the next one.

use super::optimum::OptimalPolicy;
use super::tail_mixture::{MixturePoint, meet};
use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::DispatchProblem;

struct Search<'a> {
    problem: &'a DispatchProblem,
    firsts: Vec<f64>,
    /// Seconds a token of prompt.
    price: f64,
    /// For every length how many samples are at or below its wait.
    waits: Vec<usize>,
}

impl Search<'_> {
    fn wait(&self, at: usize) -> f64 {
        let below = at.checked_sub(1);
        below.map_or(0.0, |below| self.problem.times().values()[below])
    }

    /// Finds the waits of the lengths `from..to` among `low..=high`.
    fn halve(&mut self, (from, to): (usize, usize), (low, high): (usize, usize)) {
        if from >= to {
            return;
        }
        let middle = usize::midpoint(from, to);
        let times = self.problem.times();
        let (values, d) = (times.values(), self.firsts[middle]);
        let paid = self.price * f64::from(self.problem.prompts().lengths()[middle]);
        let mut above = times.until(self.wait(low) + d);
        let mut best = (f64::NEG_INFINITY, low);
        for at in low..=high {
            let first = self.wait(at) + d;
            while above < values.len() && values[above] <= first {
                above += 1;
            }
            let worth = times.excess_from(above, first) - paid * times.tail_at(at);
            // Of equals the latest, which costs least.
            if worth >= best.0 {
                best = (worth, at);
            }
        }
        self.waits[middle] = best.1;
        self.halve((from, middle), (low, best.1));
        self.halve((middle + 1, to), (best.1, high));
    }
}

/// The best policy for the first device under the problem's budget.
///
/// # Complexity
/// O((n + L) log L) for every price that is tried, a few dozen at most.
#[must_use]
pub fn solve(problem: &DispatchProblem) -> OptimalPolicy {
    let (prompts, times) = (problem.prompts(), problem.times());
    let firsts = problem.first_tokens(0);
    let n = times.values().len();
    let mut search = Search {
        problem,
        waits: vec![n; firsts.len()],
        firsts,
        price: 0.0,
    };
    let never = MixturePoint {
        policy: Policy::same(&[(1.0, Starts::SERVER)], search.firsts.len()),
        mean: times.mean(),
        tail: 0.0,
    };
    let meeting = meet(problem.budget(), never, |price| {
        search.price = price / prompts.mean();
        search.halve((0, search.firsts.len()), (0, n));
        let (mut gain, mut share) = (0.0, 0.0);
        for (i, at) in search.waits.iter().enumerate() {
            gain += prompts.p()[i] * times.excess(search.wait(*at) + search.firsts[i]);
            share += prompts.q()[i] * times.tail_at(*at);
        }
        let act = |at: &usize| Starts::race(0, (*at < n).then(|| search.wait(*at)));
        MixturePoint {
            policy: Policy::of(search.waits.iter().map(act)),
            mean: times.mean() - gain,
            tail: share,
        }
    });
    OptimalPolicy {
        policy: meeting.point.policy,
        mean: meeting.point.mean,
        share: meeting.point.tail,
        price: meeting.price,
    }
}
