//! Evaluator of a policy of device or server: the distribution of TTFT, and the tokens that each side processes.
//!
//! Source: DiSCo (arXiv 2502.11417), section 4; every figure is exact for the given lengths and times. A device that may start
//! after the wait w comes to its first token at w + T_d. Where the server starts too, the first token comes at
//! min(T_s, w + T_d): the server's token at or before w is also before w + T_d. So a length's law is that of T_s, cut off at
//! one time, and the law of all lengths takes one walk along samples and cuts.

use crate::plan::dispatch::{Policy, Scarce};
use crate::problem::dispatch::DispatchProblem;
use crate::units::InOrder;
use serde::{Deserialize, Serialize};

/// Tolerance of a share: P99 is the smallest time with a share of at least 0.99 - 1e-9.
pub const SHARE_SLACK: f64 = 1e-9;

/// A scored policy. The last four shares are of requests and add up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Outcome {
    /// Mean time to the first token [s].
    pub mean: f64,
    /// Its 99th percentile [s].
    pub p99: f64,
    /// Share of prompt tokens that devices process, cancelled prompts counted in full.
    pub device_share: f64,
    /// Share of prompt tokens that the server processes.
    pub server_share: f64,
    /// Requests that only the server starts.
    pub server_only: f64,
    /// Requests that only a device starts.
    pub device_only: f64,
    /// Requests that both start, and the device comes first.
    pub device_wins: f64,
    /// Requests that both start, and the server comes first.
    pub server_wins: f64,
    /// The law: times [s], ascending, and the share of requests that have their first token by then.
    pub curve: Vec<(f64, f64)>,
}

impl Outcome {
    /// The smallest time [s] by which the share `u` of requests has its first token. O(log n).
    #[must_use]
    pub fn quantile(&self, u: f64) -> f64 {
        quantile(&self.curve, u)
    }
}

fn quantile(curve: &[(f64, f64)], u: f64) -> f64 {
    let at = curve.partition_point(|(_, share)| *share < u - SHARE_SLACK);
    curve.get(at).map_or(f64::INFINITY, |(time, _)| *time)
}

/// Scores a policy. Of a first token at the same time the endpoint that is not scarce counts as first.
///
/// # Panics
/// When the policy names a device that does not exist.
///
/// # Complexity
/// O(n + A log n) for n times and A acts.
#[must_use]
pub fn outcome(problem: &DispatchProblem, policy: &Policy, scarce: Scarce) -> Outcome {
    let (prompts, times) = (problem.prompts(), problem.times());
    let mut outcome = Outcome {
        mean: 0.0,
        p99: 0.0,
        device_share: 0.0,
        server_share: 0.0,
        server_only: 0.0,
        device_only: 0.0,
        device_wins: 0.0,
        server_wins: 0.0,
        curve: Vec::new(),
    };
    // When the device has its first token, share of requests, whether the server runs too.
    let mut cuts: Vec<(f64, f64, bool)> = Vec::new();
    for (i, mixture) in policy.acts.iter().enumerate() {
        let (length, p, q) = (prompts.lengths()[i], prompts.p()[i], prompts.q()[i]);
        for (probability, act) in mixture {
            let (share, tokens) = (p * probability, q * probability);
            let cut = act.device.map_or(f64::INFINITY, |(device, wait)| {
                wait + problem.devices()[device].first_token(length)
            });
            cuts.push((cut, share, act.server));
            if !act.server {
                outcome.mean += share * cut;
                outcome.device_only += share;
                outcome.device_share += tokens;
                continue;
            }
            outcome.mean += share * times.capped_mean(cut);
            outcome.server_share += tokens;
            let started = act.device.map_or(0.0, |(_, wait)| times.tail(wait));
            let wins = match scarce {
                Scarce::Device => times.tail(cut),
                Scarce::Server => times.from(cut),
            };
            outcome.device_share += tokens * started;
            outcome.server_only += share * (1.0 - started);
            outcome.device_wins += share * wins;
            outcome.server_wins += share * (started - wins);
        }
    }
    outcome.curve = law(problem, cuts);
    outcome.p99 = outcome.quantile(0.99);
    outcome
}

/// The law of the first token. At t the share without one is S(t) of the races cut off later, and all that have only a
/// device whose first token comes later.
fn law(problem: &DispatchProblem, mut cuts: Vec<(f64, f64, bool)>) -> Vec<(f64, f64)> {
    let times = problem.times();
    cuts.in_order_by(|a, b| a.0.total_cmp(&b.0));
    // Shares from each cut on, so that nothing is left over by rounding at the end.
    let mut later = vec![(0.0, 0.0); cuts.len() + 1];
    for (k, (_, share, server)) in cuts.iter().enumerate().rev() {
        let (races, alone) = later[k + 1];
        later[k] = match server {
            true => (races + share, alone),
            false => (races, alone + share),
        };
    }
    let all = later[0].0 + later[0].1;
    let mut curve: Vec<(f64, f64)> = Vec::new();
    let (mut j, mut k) = (0, 0);
    loop {
        let value = times.values().get(j).copied().unwrap_or(f64::INFINITY);
        let cut = cuts.get(k).map_or(f64::INFINITY, |cut| cut.0);
        let t = value.min(cut);
        if t == f64::INFINITY {
            return curve;
        }
        j += usize::from(value == t);
        while cuts.get(k).is_some_and(|cut| cut.0 == t) {
            k += 1;
        }
        let (races, alone) = later[k];
        let share = 1.0 - (times.tail_at(j) * races + alone) / all;
        if share > curve.last().map_or(0.0, |(_, share)| *share) {
            curve.push((t, share));
        }
        if races + alone == 0.0 {
            return curve;
        }
    }
}
