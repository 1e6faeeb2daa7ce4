//! Runs with several seeds, and policies fitted to one half of the samples and tried on the other.

use super::{Contender, DispatchRunner, Figures, RunSettings};
use engine::evaluate::dispatch::{Outcome, outcome};
use engine::plan::dispatch::{Policy, Scarce};
use engine::problem::Invalid;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use engine::sim::Spread;
use serde::{Deserialize, Serialize};

/// A policy in runs with several seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Figures of each run.
    pub runs: Vec<Figures>,
    /// Mean time to the first token [s].
    pub mean: Spread,
    /// Its 99th percentile [s].
    pub p99: Spread,
    /// Cost of a request, in millionths of a USD.
    pub cost: Spread,
    /// Share of prompt tokens on devices.
    pub device_share: Spread,
    /// Share of prompt tokens on the server.
    pub server_share: Spread,
}

/// Runs all policies on the requests of every seed.
///
/// # Errors
/// As [`DispatchRunner::new`]; no seed at all at `seeds`.
pub fn trials(
    setting: &RunSettings,
    contenders: &[Contender],
    count: usize,
    seeds: &[u64],
) -> Result<Vec<Trial>, Invalid> {
    let mut runs: Vec<Vec<Figures>> = vec![Vec::with_capacity(seeds.len()); contenders.len()];
    for seed in seeds {
        let mut runner = DispatchRunner::new(setting, contenders, count, *seed)?;
        while runner.advance(count.max(1)) {}
        for (all, figures) in runs.iter_mut().zip(runner.figures()) {
            all.push(figures);
        }
    }
    let none = || Invalid::range("seeds", 0, "a list with at least one seed");
    let trial = |runs: Vec<Figures>| {
        let spread = |figure: fn(&Figures) -> f64| {
            let values: Vec<f64> = runs.iter().map(figure).collect();
            Spread::of(&values).ok_or_else(none)
        };
        Ok(Trial {
            mean: spread(|figures| figures.mean)?,
            p99: spread(|figures| figures.p99)?,
            cost: spread(|figures| figures.cost)?,
            device_share: spread(|figures| figures.device_share)?,
            server_share: spread(|figures| figures.server_share)?,
            runs,
        })
    };
    runs.into_iter().map(trial).collect()
}

/// A policy on the samples that it was fitted to, and on the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Halves {
    /// Fitted to the first half.
    pub policy: Policy,
    /// Score on the first half.
    pub fitted: Outcome,
    /// Score on the second half.
    pub test_outcome: Outcome,
    /// How much of the budget it takes there more than it may; below 0 if it takes less.
    pub drift: f64,
}

/// Fits a policy to the first half of samples, in the order in which they were measured, and tries it on the second half, with
/// the same prompts.
///
/// # Errors
/// Fewer than two samples, or what is wrong with one of them.
///
/// # Complexity
/// O(n log n), and whatever the fit takes.
pub fn halves(
    prompts: &PromptLengths,
    samples: &[f64],
    (device, b, alpha): (DispatchDevice, f64, f64),
    scarce: Scarce,
    fit: impl FnOnce(&DispatchProblem) -> Policy,
) -> Result<Halves, Invalid> {
    if samples.len() < 2 {
        let allowed = "a list with at least two samples";
        return Err(Invalid::range("ttft", samples.len(), allowed));
    }
    // All at once, so that a fault is named by its place among all.
    ServerTimes::of_samples(samples.to_vec()).map_err(|fault| fault.within("ttft"))?;
    let (first, second) = samples.split_at(samples.len() / 2);
    let fitted = ServerTimes::of_samples(first.to_vec())?;
    let other = ServerTimes::of_samples(second.to_vec())?;
    let problem = DispatchProblem::new(prompts.clone(), fitted, vec![device], b, alpha)?;
    let policy = fit(&problem);
    let elsewhere = problem.with_times(other)?;
    let held_out = outcome(&elsewhere, &policy, scarce);
    let share = match scarce {
        Scarce::Device => held_out.device_share,
        Scarce::Server => held_out.server_share,
    };
    Ok(Halves {
        fitted: outcome(&problem, &policy, scarce),
        test_outcome: held_out,
        drift: share - b,
        policy,
    })
}
