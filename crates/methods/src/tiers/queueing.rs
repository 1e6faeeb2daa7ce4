//! Mean latency and saturation by formula: what to expect of a network before anything is simulated.
//!
//! Source: our own; the paper has no queueing model. Tier j with K_j nodes and L_j seconds of work a request is a
//! queue M/D/K_j, whose wait is Cosmetatos' approximation (1976) of the exact one:
//! W = 1/2 W_MMc [1 + (1 - rho)(c - 1)(sqrt(4 + 5c) - 2) / (16 rho c)], W_MMc = ErlangC(c, a) S / (c (1 - rho)).
//! Only the largest W_j is added to the latency of a lone request: constant service smooths what arrives at later
//! tiers, and the sum over all tiers would count the same burst again.
//!
//! **Where it holds.** Poisson arrivals, equal requests, equal nodes within a tier, a long run, request mode (token
//! mode is a little faster). Up to rho = 0.9 it is within a few percent of simulations; beyond, it is that of an
//! endless run and is above any run that ends, by 16 % at rho = 0.93 and 60 requests; from rho = 1 on there is no
//! steady state and no estimate. It is for ranking and for sliders; the simulator decides.
//!
//! Complexity: O(nodes).

use engine::problem::{RunTier, TierRun};
use serde::Serialize;

/// Up to this load of the busiest tier the estimate is within a few percent of a long simulation.
pub const TRUSTED_LOAD: f64 = 0.9;

/// Expected latency of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Estimate {
    /// Mean latency [s]: that of a lone request and the largest wait.
    pub latency: f64,
    /// Latency of a lone request on nodes of mean speed [s].
    pub alone: f64,
    /// Mean wait for each tier on its own [s].
    pub waits: Vec<f64>,
    /// Share of the time that the nodes of each tier are busy, rho.
    pub load: Vec<f64>,
    /// True if the estimate is valid: the busiest tier at most at [`TRUSTED_LOAD`], nodes of a tier equal.
    pub trusted: bool,
}

/// The rate of requests of so many tokens at which the first tier is always busy [1/s]: min K_j / L_j, with the
/// speeds of a tier added up. A network answers any lower rate, and no higher one. Infinite if no tier takes time.
#[must_use]
pub fn saturation(problem: &TierRun, out_tokens: u32) -> f64 {
    let rates = problem.tiers().iter().map(|tier| {
        let work = tier.task_time(out_tokens);
        let speed: f64 = tier.speed.iter().sum();
        if work > 0.0 {
            speed / work
        } else {
            f64::INFINITY
        }
    });
    rates.fold(f64::INFINITY, f64::min)
}

/// Mean latency of equal requests that come at random, `rate` a second; nothing from saturation on. The tasks of
/// `problem` do not matter.
#[must_use]
pub fn estimate(problem: &TierRun, rate: f64, out_tokens: u32) -> Option<Estimate> {
    if !(rate.is_finite() && rate >= 0.0) || rate >= saturation(problem, out_tokens) {
        return None;
    }
    let tiers = problem.tiers();
    let service: Vec<f64> = tiers
        .iter()
        .map(|tier| tier.task_time(out_tokens) / mean_speed(tier))
        .collect();
    let load: Vec<f64> = tiers
        .iter()
        .zip(&service)
        .map(|(tier, service)| rate * service / tier.speed.len() as f64)
        .collect();
    let waits: Vec<f64> = tiers
        .iter()
        .zip(&service)
        .map(|(tier, service)| wait(tier.speed.len(), rate, *service))
        .collect();
    let hops: f64 = (1..tiers.len())
        .map(|j| problem.whole_hop(j - 1, out_tokens))
        .sum();
    let alone = service.iter().sum::<f64>() + hops + f64::from(out_tokens) * problem.return_delay();
    let busiest = load.iter().copied().fold(0.0, f64::max);
    let equal = tiers
        .iter()
        .all(|tier| tier.speed.iter().all(|speed| *speed == tier.speed[0]));
    Some(Estimate {
        latency: alone + waits.iter().copied().fold(0.0, f64::max),
        alone,
        waits,
        load,
        trusted: equal && busiest <= TRUSTED_LOAD,
    })
}

fn mean_speed(tier: &RunTier) -> f64 {
    tier.speed.iter().sum::<f64>() / tier.speed.len() as f64
}

/// Mean wait of a queue M/D/c below saturation [s], by Cosmetatos.
#[must_use]
pub fn wait(servers: usize, rate: f64, service: f64) -> f64 {
    let (c, offered) = (servers as f64, rate * service);
    let rho = offered / c;
    if rho <= 0.0 {
        return 0.0;
    }
    let exponential = erlang_c(servers, offered) * service / (c * (1.0 - rho));
    let correction = (1.0 - rho) * (c - 1.0) * (libm::sqrt(4.0 + 5.0 * c) - 2.0) / (16.0 * rho * c);
    0.5 * exponential * (1.0 + correction)
}

/// The probability that an arrival waits in a queue M/M/c with offered load a < c, by Erlang's recursion. O(c).
fn erlang_c(servers: usize, offered: f64) -> f64 {
    let mut blocked = 1.0; // Erlang B
    for n in 1..=servers {
        blocked = offered * blocked / (n as f64 + offered * blocked);
    }
    let rho = offered / servers as f64;
    blocked / (1.0 - rho * (1.0 - blocked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_waits_as_pollaczek_and_khinchine_have_it() {
        for rho in [0.1, 0.5, 0.9, 0.99] {
            let exact = rho / (2.0 * (1.0 - rho));
            assert!((wait(1, rho, 1.0) - exact).abs() < 1e-12 * exact);
        }
        assert_eq!(wait(3, 0.0, 1.0), 0.0);
    }

    #[test]
    fn the_chance_to_wait_is_erlangs() {
        // Two servers at a = 1: 1/3. Three at a = 2: 4/9.
        assert!((erlang_c(2, 1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!((erlang_c(3, 2.0) - 4.0 / 9.0).abs() < 1e-12);
        assert!((erlang_c(1, 0.7) - 0.7).abs() < 1e-12);
    }
}
