//! Baselines: one endpoint for all, random routing, and equation (1) taken literally.
//!
//! Source: DiSCo (arXiv 2502.11417), section 5, and equation (1).

use engine::plan::dispatch::{Policy, Scarce, Starts};
use engine::problem::dispatch::DispatchProblem;

/// How chance is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RandomPolicy {
    /// Each request goes to one endpoint: with probability b to the scarce one.
    #[default]
    Exclusive,
    /// Every request goes to the endpoint that is not scarce, and with probability b to the scarce one as well.
    Additive,
}

/// The server for every request.
#[must_use]
pub fn all_server(problem: &DispatchProblem) -> Policy {
    Policy::same(&[(1.0, Starts::SERVER)], problem.prompts().lengths().len())
}

/// The first device for every request.
#[must_use]
pub fn all_device(problem: &DispatchProblem) -> Policy {
    Policy::same(
        &[(1.0, Starts::device(0))],
        problem.prompts().lengths().len(),
    )
}

/// Stoch-S and Stoch-D: chance, whatever the prompt, so that the share of the scarce endpoint is b.
#[must_use]
pub fn stochastic(problem: &DispatchProblem, scarce: Scarce, chance: RandomPolicy) -> Policy {
    let (server, device) = (Starts::SERVER, Starts::device(0));
    let both = Starts::race(0, Some(0.0));
    let (with, without) = match (scarce, chance) {
        (Scarce::Device, RandomPolicy::Exclusive) => (device, server),
        (Scarce::Server, RandomPolicy::Exclusive) => (server, device),
        (Scarce::Device, RandomPolicy::Additive) => (both, server),
        (Scarce::Server, RandomPolicy::Additive) => (both, device),
    };
    let b = problem.budget();
    let mixture = [(b, with), (1.0 - b, without)];
    let mixture: Vec<(f64, Starts)> = mixture.into_iter().filter(|(p, _)| *p > 0.0).collect();
    Policy::same(&mixture, problem.prompts().lengths().len())
}

/// Equation (1) without its threshold: every length waits min(beta l, w_tail), with the smallest beta [s/token] that keeps
/// the budget; `None` where nothing ever starts. A short wait costs nearly as much as none, so this spends its budget badly.
#[derive(Debug, Clone, PartialEq)]
pub struct Slope {
    /// Seconds of wait a token; `None` is infinite.
    pub beta: Option<f64>,
    /// The wait of every length [s]; `None` is never.
    pub waits: Vec<Option<f64>>,
}

impl Slope {
    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy::of(self.waits.iter().map(|wait| Starts::race(0, *wait)))
    }
}

/// Finds beta to the last bit.
///
/// # Complexity
/// 64 steps of O(L log n).
#[must_use]
pub fn slope(problem: &DispatchProblem) -> Slope {
    let (prompts, times) = (problem.prompts(), problem.times());
    let (lengths, q, b) = (prompts.lengths(), prompts.q(), problem.budget());
    let never = Slope {
        beta: None,
        waits: vec![None; lengths.len()],
    };
    if b <= 0.0 {
        return never;
    }
    let w_tail = times.quantile(1.0 - problem.alpha().min(b));
    let wait = |beta: f64, length: u32| {
        let wait = beta * f64::from(length);
        w_tail.map_or(wait, |most| wait.min(most))
    };
    let share = |beta: f64| -> f64 {
        let each = lengths.iter().zip(q);
        each.map(|(l, q)| q * times.tail(wait(beta, *l))).sum()
    };
    // Bits of numbers above zero are in their order. What no sample exceeds certainly keeps the budget.
    let last = times.values().last().copied().unwrap_or_default();
    let (mut low, mut high) = (0_u64, last.to_bits());
    while low < high {
        let middle = u64::midpoint(low, high);
        if share(f64::from_bits(middle)) <= b + 1e-12 {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let beta = f64::from_bits(low);
    Slope {
        beta: Some(beta),
        waits: lengths.iter().map(|l| Some(wait(beta, *l))).collect(),
    }
}
