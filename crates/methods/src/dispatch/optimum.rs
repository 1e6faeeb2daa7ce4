//! The least mean time to the first token under a budget of prompt tokens for the device: exact, for every budget at once.
//!
//! A device that may start after the wait w brings a prompt of length l, in the mean, h_l(w) = E[(T_s - w - T_d(l))+] and
//! costs q_l P(T_s > w) of the budget. Between samples only the smallest wait is worth having, so each length has the
//! samples, 0 and never to choose from, and mixtures of them: the upper concave hull of the points (P(T_s > w), h_l(w)).
//! Lengths share nothing but the budget; so the best policy walks along all hulls at once, the steepest gain per token
//! first, until the budget is spent. At most one length ends between two waits. This solves the linear program over all
//! randomised policies to optimality; [`bound`] proves it without hulls, by its dual.
//!
//! Differs from Algorithm 2, which spends a part of the budget on a late start for every length: that guards the tail but
//! is not the least mean.

use super::priced;
use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::{DispatchProblem, ServerTimes};

/// A gain of at most this [s] is none: budget is left unspent rather than bought for it.
const NOTHING: f64 = 1e-15;

/// A wait and what it comes to for one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Vertex {
    /// The wait [s]; infinite is never.
    pub(super) wait: f64,
    /// P(T_s > wait).
    pub(super) start: f64,
    /// Gain [s].
    pub(super) gain: f64,
}

/// The device never starts.
pub(super) const NEVER: Vertex = Vertex {
    wait: f64::INFINITY,
    start: 0.0,
    gain: 0.0,
};

/// Adds a point with a larger start to an upper concave hull.
pub(super) fn push(hull: &mut Vec<Vertex>, point: Vertex) {
    while let [.., a, b] = hull[..] {
        let turn = (b.gain - a.gain) * (point.start - a.start)
            - (point.gain - a.gain) * (b.start - a.start);
        if turn > 0.0 {
            break;
        }
        hull.pop();
    }
    hull.push(point);
}

/// All waits that are worth a look, the latest first, each with what it comes to on a device that takes `d` [s].
pub(super) fn each_wait(times: &ServerTimes, d: f64, mut visit: impl FnMut(Vertex)) {
    let values = times.values();
    let mut above = values.len();
    for at in (0..=values.len()).rev() {
        let wait = at.checked_sub(1).map_or(0.0, |below| values[below]);
        let first = wait + d;
        while above > 0 && values[above - 1] > first {
            above -= 1;
        }
        visit(Vertex {
            wait,
            start: times.tail_at(at),
            gain: times.excess_from(above, first),
        });
    }
}

/// The vertex of a hull that is worth most, where a second of gain is worth `p` and a start costs `price`, with that worth. Of
/// equals the latest. O(log n).
pub(super) fn best_on(hull: &[Vertex], p: f64, price: f64) -> (Vertex, f64) {
    // Worth rises along a hull while its slope is above the price.
    let (mut low, mut high) = (0, hull.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        let [from, to] = [hull[middle], hull[middle + 1]];
        if p * (to.gain - from.gain) > price * (to.start - from.start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (hull[low], p * hull[low].gain - price * hull[low].start)
}

/// The hull of one length, from never on.
fn hull(times: &ServerTimes, d: f64, candidates: Option<&[f64]>) -> Vec<Vertex> {
    let mut hull = vec![NEVER];
    let mut add = |point: Vertex| {
        if point.gain > 0.0 {
            push(&mut hull, point);
        }
    };
    match candidates {
        None => each_wait(times, d, add),
        Some(waits) => {
            for wait in waits {
                add(Vertex {
                    wait: *wait,
                    start: times.tail(*wait),
                    gain: times.excess(*wait + d),
                });
            }
        }
    }
    hull
}

/// A step along the hull of a length.
#[derive(Debug, Clone, Copy)]
struct Segment {
    length: usize,
    /// The vertex at its end, in the list of all vertices.
    to: usize,
    /// Seconds saved a token.
    slope: f64,
    /// Share of the budget.
    cost: f64,
    /// Gain in the mean [s].
    gain: f64,
}

/// The whole trade of mean against budget for one device.
#[derive(Debug, Clone)]
pub struct GainFrontier {
    device: usize,
    lengths: usize,
    all_server: f64,
    vertices: Vec<Vertex>,
    /// Best first.
    segments: Vec<Segment>,
    /// Cost and gain of all segments before each, and of all.
    sums: Vec<(f64, f64)>,
}

/// A policy with what its method claims for it.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimalPolicy {
    /// The policy.
    pub policy: Policy,
    /// Mean time to the first token [s].
    pub mean: f64,
    /// Share of the budget that it spends.
    pub share: f64,
    /// The price of the budget at its end, nu: seconds of mean a unit of budget; 0 where some is left.
    pub price: f64,
}

impl GainFrontier {
    /// The frontier of one device.
    ///
    /// # Complexity
    /// O(n L) for n times and L lengths, then sorting what the hulls keep: few waits a length unless the server's times
    /// have a heavy tail.
    #[must_use]
    pub fn new(problem: &DispatchProblem, device: usize) -> Self {
        let times = problem.times();
        let hulls = problem.first_tokens(device).into_iter();
        Self::of(problem, device, hulls.map(|d| hull(times, d, None)))
    }

    /// The frontier over waits that are best on a law of at most `most` times, scored on the full one, so that budgets hold.
    /// Close to the best, not the best.
    ///
    /// # Complexity
    /// O(most L), then O(log n) for every wait that is left.
    #[must_use]
    pub fn compressed(problem: &DispatchProblem, device: usize, most: usize) -> Self {
        let (full, coarse) = (problem.times(), problem.times().compressed(most));
        let hulls = problem.first_tokens(device).into_iter().map(|d| {
            let waits = hull(&coarse, d, None);
            let waits: Vec<f64> = waits[1..].iter().map(|vertex| vertex.wait).collect();
            hull(full, d, Some(&waits))
        });
        Self::of(problem, device, hulls)
    }

    /// The frontier of given hulls, one a length, each from never on. What gains nothing at their ends is left out.
    pub(super) fn of(
        problem: &DispatchProblem,
        device: usize,
        hulls: impl Iterator<Item = Vec<Vertex>>,
    ) -> Self {
        let prompts = problem.prompts();
        let mut vertices = Vec::new();
        let mut segments = Vec::new();
        for (length, mut hull) in hulls.enumerate() {
            while let [.., a, b] = hull[..]
                && b.gain - a.gain <= NOTHING
            {
                hull.pop();
            }
            let (p, q) = (prompts.p()[length], prompts.q()[length]);
            for (k, pair) in hull.windows(2).enumerate() {
                let [from, to] = [pair[0], pair[1]];
                let (start, gain) = (to.start - from.start, to.gain - from.gain);
                segments.push(Segment {
                    length,
                    to: vertices.len() + k,
                    slope: gain / (start * f64::from(prompts.lengths()[length])),
                    cost: q * start,
                    gain: p * gain,
                });
            }
            vertices.extend_from_slice(&hull[1..]);
        }
        // Slopes along a hull fall, if only just: the order of vertices keeps each length in its own order.
        segments.sort_by(|a, b| b.slope.total_cmp(&a.slope).then(a.to.cmp(&b.to)));
        let mut sums = vec![(0.0, 0.0)];
        for segment in &segments {
            let (cost, gain) = sums[sums.len() - 1];
            sums.push((cost + segment.cost, gain + segment.gain));
        }
        Self {
            device,
            lengths: prompts.lengths().len(),
            all_server: problem.times().mean(),
            vertices,
            segments,
            sums,
        }
    }

    /// How many segments a budget pays in full, and which part of the next.
    fn fill(&self, b: f64) -> (usize, f64) {
        if b >= 1.0 {
            // All that is worth having, whatever its costs round to.
            return (self.segments.len(), 0.0);
        }
        let full = self.sums[1..].partition_point(|(cost, _)| *cost <= b);
        let part = self.segments.get(full).map_or(0.0, |segment| {
            ((b - self.sums[full].0) / segment.cost).clamp(0.0, 1.0)
        });
        (full, part)
    }

    /// The least mean [s] under a budget. O(log).
    #[must_use]
    pub fn mean(&self, b: f64) -> f64 {
        let (full, part) = self.fill(b);
        let rest = self.segments.get(full).map_or(0.0, |next| part * next.gain);
        self.all_server - self.sums[full].1 - rest
    }

    /// The budget from which on nothing more is gained.
    #[must_use]
    pub fn enough(&self) -> f64 {
        self.sums[self.sums.len() - 1].0
    }

    /// The corners of the trade: budget and least mean [s]. Between two of them it is a straight line.
    pub fn corners(&self) -> impl Iterator<Item = (f64, f64)> {
        let mean = |(cost, gain): &(f64, f64)| (*cost, self.all_server - gain);
        self.sums.iter().map(mean)
    }

    /// The best policy under a budget. O(segments).
    #[must_use]
    pub fn policy(&self, b: f64) -> OptimalPolicy {
        let (full, part) = self.fill(b);
        let mut at = vec![NEVER.wait; self.lengths];
        for segment in &self.segments[..full] {
            at[segment.length] = self.vertices[segment.to].wait;
        }
        let act = |wait: f64| Starts::race(self.device, Some(wait).filter(|w| w.is_finite()));
        let mut policy = Policy::of(at.iter().map(|wait| act(*wait)));
        let next = self.segments.get(full);
        let mut share = self.sums[full].0;
        if let Some(next) = next
            && part > 0.0
        {
            let later = (1.0 - part, act(at[next.length]));
            policy.acts[next.length] = vec![(part, act(self.vertices[next.to].wait)), later];
            share += part * next.cost;
        }
        OptimalPolicy {
            policy,
            mean: self.mean(b),
            share,
            price: next.map_or(0.0, |next| next.gain / next.cost),
        }
    }
}

/// Pairs of a length and a time of which each is looked at; where there are more, prices find the policy sooner.
const MOST_PAIRS: usize = 100_000;

/// The best policy for the first device under the problem's budget.
///
/// # Complexity
/// As [`GainFrontier::new`], or as [`priced::solve`] for very many lengths and times.
#[must_use]
pub fn solve(problem: &DispatchProblem) -> OptimalPolicy {
    let times = problem.times().values().len();
    let pairs = times.saturating_mul(problem.prompts().lengths().len());
    if pairs > MOST_PAIRS {
        return priced::solve(problem);
    }
    GainFrontier::new(problem, 0).policy(problem.budget())
}

/// Lower bound of the mean of any policy under the problem's budget [s]: the dual at a price nu >= 0 of the budget. Takes the
/// best wait of every length at that price out of all of them, without hulls. At the price of [`OptimalPolicy`] it equals the least mean,
/// up to rounding.
///
/// # Complexity
/// O(n L).
#[must_use]
pub fn bound(problem: &DispatchProblem, device: usize, price: f64) -> f64 {
    let (prompts, times) = (problem.prompts(), problem.times());
    let mut worth = price * problem.budget();
    for (i, d) in problem.first_tokens(device).into_iter().enumerate() {
        let (p, q) = (prompts.p()[i], prompts.q()[i]);
        let mut best: f64 = 0.0;
        each_wait(times, d, |point| {
            best = best.max(p * point.gain - price * q * point.start);
        });
        worth += best;
    }
    times.mean() - worth
}
