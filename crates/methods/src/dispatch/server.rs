//! The best policies where the server is scarce: the least mean, the least P99, and the least mean under a cap on P99.
//!
//! The device starts at once and for sure, so a request waits T_d(l) at most. The server beside it saves
//! G(l) = E[(T_d(l) - T_s)+] and costs q_l; a server that starts later saves less and adds nothing, as the device's time is
//! known. So each length has one probability, and the best policy serves lengths by G(l)/l. Without a constant part in T_d
//! that ratio never falls with l: a threshold is best, and Algorithm 3 with its theta finds it. For the tail only lengths
//! with T_d(l) > tau need help, the shortest of them first.

use super::optimum::OptimalPolicy;
use super::tail_cap::{Capped, LeastTail, tail_share};
use super::tail_mixture::{Meeting, MixturePoint, meet};
use engine::plan::dispatch::{Policy, Starts};
use engine::problem::dispatch::DispatchProblem;
use engine::units::InOrder;

/// Tolerance of a budget.
const SLACK: f64 = 1e-12;

/// Lengths with what the server saves each, in the order in which they are served.
struct Served {
    order: Vec<usize>,
    firsts: Vec<f64>,
    /// Reduction of the mean by length [s].
    gain: Vec<f64>,
}

impl Served {
    fn new(problem: &DispatchProblem, bonus: impl Fn(f64) -> f64) -> Self {
        let (times, lengths) = (problem.times(), problem.prompts().lengths());
        let firsts = problem.first_tokens(0);
        let gain: Vec<f64> = firsts
            .iter()
            .map(|d| (d - times.capped_mean(*d)).max(0.0))
            .collect();
        let worth: Vec<f64> = (0..firsts.len())
            .map(|i| (gain[i] + bonus(firsts[i])) / f64::from(lengths[i]))
            .collect();
        let mut order: Vec<usize> = (0..firsts.len()).filter(|i| worth[*i] > 0.0).collect();
        // Of equals the longer one first, as a threshold has it.
        order.in_order_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(b.cmp(a)));
        Self {
            order,
            firsts,
            gain,
        }
    }

    /// Serves lengths in order until the budget is spent, and says how much of each.
    fn fill(&self, problem: &DispatchProblem) -> (Vec<f64>, f64, Option<usize>) {
        let q = problem.prompts().q();
        let mut parts = vec![0.0; q.len()];
        let mut left = problem.budget();
        for i in &self.order {
            if left + SLACK >= q[*i] {
                parts[*i] = 1.0;
                left = (left - q[*i]).max(0.0);
            } else {
                parts[*i] = left / q[*i];
                return (parts, problem.budget(), Some(*i));
            }
        }
        (parts, problem.budget() - left, None)
    }

    fn mean(&self, problem: &DispatchProblem, parts: &[f64]) -> f64 {
        let p = problem.prompts().p();
        let each = (0..parts.len()).map(|i| p[i] * (self.firsts[i] - parts[i] * self.gain[i]));
        each.sum()
    }
}

fn policy(parts: &[f64]) -> Policy {
    let (both, alone) = (Starts::race(0, Some(0.0)), Starts::device(0));
    let mixture = |part: &f64| {
        let both = [(*part, both), (1.0 - part, alone)];
        both.into_iter().filter(|(share, _)| *share > 0.0).collect()
    };
    Policy {
        acts: parts.iter().map(mixture).collect(),
    }
}

/// The least mean under the problem's budget of server tokens, for the first device. Proved by its price: no length that is
/// left out saves more a token.
///
/// # Complexity
/// O(L log(n L)).
#[must_use]
pub fn solve(problem: &DispatchProblem) -> OptimalPolicy {
    let served = Served::new(problem, |_| 0.0);
    let (parts, share, next) = served.fill(problem);
    let prompts = problem.prompts();
    OptimalPolicy {
        mean: served.mean(problem, &parts),
        policy: policy(&parts),
        share,
        price: next.map_or(0.0, |i| served.gain[i] * prompts.p()[i] / prompts.q()[i]),
    }
}

/// Lower bound of the mean of any policy under the problem's budget of server tokens [s], for a price >= 0 of that budget.
///
/// # Complexity
/// O(L log n).
#[must_use]
pub fn bound(problem: &DispatchProblem, price: f64) -> f64 {
    let (prompts, times) = (problem.prompts(), problem.times());
    let mut bound = -price * problem.budget();
    for (i, d) in problem.first_tokens(0).into_iter().enumerate() {
        let alone = prompts.p()[i] * d;
        let both = prompts.p()[i] * times.capped_mean(d) + price * prompts.q()[i];
        bound += alone.min(both);
    }
    bound
}

/// The cheapest way to have at most `room` requests later than `tau`, whatever the budget; `None` if there is none.
fn cheapest(
    problem: &DispatchProblem,
    firsts: &[f64],
    tau: f64,
    room: f64,
) -> Option<(Vec<f64>, f64)> {
    let prompts = problem.prompts();
    let saves = problem.times().cdf(tau);
    let first = firsts.partition_point(|d| *d <= tau);
    let mut parts = vec![0.0; firsts.len()];
    let mut need = prompts.p()[first..].iter().sum::<f64>() - room;
    let mut share = 0.0;
    for (i, part) in parts.iter_mut().enumerate().skip(first) {
        if need <= 0.0 || saves == 0.0 {
            break;
        }
        let relief = prompts.p()[i] * saves;
        *part = (need / relief).min(1.0);
        share += *part * prompts.q()[i];
        need -= relief;
    }
    (need <= SLACK).then_some((parts, share))
}

/// The least quantile u under the problem's budget of server tokens, for the first device. Proved: at the next smaller number
/// the cheapest policy costs more than the budget.
///
/// # Complexity
/// 64 steps of O(L + log n).
#[must_use]
pub fn least_tail(problem: &DispatchProblem, u: f64) -> LeastTail {
    let firsts = problem.first_tokens(0);
    let room = tail_share(u);
    let within = |tau: f64| {
        let found = cheapest(problem, &firsts, tau, room);
        found.filter(|(_, share)| *share <= problem.budget() + SLACK)
    };
    let longest = firsts.last().copied().unwrap_or_default();
    let (mut low, mut high) = (0_u64, longest.to_bits());
    while low < high {
        let middle = u64::midpoint(low, high);
        if within(f64::from_bits(middle)).is_some() {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let tau = f64::from_bits(low);
    let (parts, share) = within(tau).unwrap_or_else(|| (vec![0.0; firsts.len()], 0.0));
    LeastTail {
        tau,
        policy: policy(&parts),
        share,
    }
}

/// The least mean under the problem's budget of server tokens with at most 1 - u of all requests later than `tau`, for the
/// first device. `None` if there is no such policy: `tau` is below [`least_tail`].
///
/// # Complexity
/// O(L log(n L)) for every multiplier that is tried, usually fewer than ten.
#[must_use]
pub fn capped(problem: &DispatchProblem, tau: f64, u: f64) -> Option<Capped> {
    let room = tail_share(u);
    let plain = Served::new(problem, |_| 0.0);
    let saves = problem.times().cdf(tau);
    let p = problem.prompts().p();
    let point = |parts: &[f64]| {
        let late = |i: usize| {
            if plain.firsts[i] > tau {
                p[i] * (1.0 - parts[i] * saves)
            } else {
                0.0
            }
        };
        MixturePoint {
            policy: policy(parts),
            mean: plain.mean(problem, parts),
            tail: (0..parts.len()).map(late).sum(),
        }
    };
    let (parts, share) = cheapest(problem, &plain.firsts, tau, room)?;
    if share > problem.budget() + SLACK {
        return None;
    }
    let Meeting { point, bound, .. } = meet(room, point(&parts), |mu| {
        let bonus = |d: f64| if d > tau { mu * saves } else { 0.0 };
        point(&Served::new(problem, bonus).fill(problem).0)
    });
    Some(Capped {
        policy: point.policy,
        tau,
        mean: point.mean,
        bound,
    })
}
