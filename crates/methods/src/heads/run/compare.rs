//! Strategies compared over many seeds: each seed is one network and one background for all of them, so that what is left
//! of a difference is not the luck of one.

use super::{Ensemble, HeadRunner, Strategy};
use engine::plan::HeadRunSummary;
use engine::problem::Invalid;
use engine::sim::{Spread, quantile};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A figure over seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Mean, least, greatest, deviation and confidence.
    pub spread: Spread,
    /// Half of the seeds are at most this.
    pub median: f64,
}

impl Distribution {
    /// Of a figure of several runs; none for none. O(n log n).
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let spread = Spread::of(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            spread,
            median: quantile(&sorted, 0.5),
        })
    }
}

/// Strategies over seeds, as far as they have come: the same in whatever order they come.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Comparison {
    strategies: Vec<Strategy>,
    seeds: Vec<u64>,
    /// One a strategy and seed: `[seed][strategy]`.
    runs: Vec<Vec<HeadRunSummary>>,
}

impl Comparison {
    /// Without a seed yet.
    #[must_use]
    pub fn new(strategies: Vec<Strategy>) -> Self {
        Self {
            strategies,
            seeds: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Takes the runs of a seed in, one a strategy in their order; others than that are left out. O(s).
    pub fn add(&mut self, seed: u64, runs: Vec<HeadRunSummary>) {
        if runs.len() == self.strategies.len() {
            let at = self.seeds.partition_point(|before| *before <= seed);
            self.seeds.insert(at, seed);
            self.runs.insert(at, runs);
        }
    }

    /// The strategies.
    #[must_use]
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// The seeds so far, ascending.
    #[must_use]
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// The runs so far, `[seed][strategy]`.
    #[must_use]
    pub fn runs(&self) -> &[Vec<HeadRunSummary>] {
        &self.runs
    }

    /// How many runs of a strategy failed.
    #[must_use]
    pub fn failed(&self, strategy: usize) -> usize {
        self.of(strategy)
            .filter(|run| run.failed_at.is_some())
            .count()
    }

    /// A figure of a strategy over the seeds that it came through; `None` if there is none. O(s log s).
    #[must_use]
    pub fn figure(
        &self,
        strategy: usize,
        figure: impl Fn(&HeadRunSummary) -> f64,
    ) -> Option<Distribution> {
        let whole = self.of(strategy).filter(|run| run.failed_at.is_none());
        Distribution::of(&whole.map(figure).collect::<Vec<f64>>())
    }

    /// Total time [s].
    #[must_use]
    pub fn seconds(&self, strategy: usize) -> Option<Distribution> {
        self.figure(strategy, |run| run.seconds)
    }

    /// The most memory of any device [B].
    #[must_use]
    pub fn peak_memory(&self, strategy: usize) -> Option<Distribution> {
        self.figure(strategy, |run| run.peak_memory)
    }

    /// Blocks that moved.
    #[must_use]
    pub fn moves(&self, strategy: usize) -> Option<Distribution> {
        self.figure(strategy, |run| f64::from(run.moves))
    }

    /// Total time over that of another strategy, seed by seed, where both came through.
    #[must_use]
    pub fn ratio(&self, strategy: usize, to: usize) -> Option<Distribution> {
        self.paired(strategy, to, |a, b| a / b)
    }

    /// Total time minus that of another strategy, seed by seed, where both came through [s].
    #[must_use]
    pub fn difference(&self, strategy: usize, to: usize) -> Option<Distribution> {
        self.paired(strategy, to, |a, b| a - b)
    }

    fn of(&self, strategy: usize) -> impl Iterator<Item = &HeadRunSummary> {
        self.runs.iter().filter_map(move |runs| runs.get(strategy))
    }

    fn paired(
        &self,
        strategy: usize,
        to: usize,
        of: impl Fn(f64, f64) -> f64,
    ) -> Option<Distribution> {
        let whole = |run: &&HeadRunSummary| run.failed_at.is_none();
        let pairs = self.runs.iter().filter_map(|runs| {
            let one = runs.get(strategy).filter(whole)?;
            let other = runs.get(to).filter(whole)?;
            Some(of(one.seconds, other.seconds)).filter(|value| value.is_finite())
        });
        Distribution::of(&pairs.collect::<Vec<f64>>())
    }
}

/// All strategies with one seed. `share` receives after every interval which share of this seed is done, and may end it:
/// then there is nothing.
///
/// # Errors
/// [`Invalid`] as [`Ensemble::of`] and [`Strategy::check`].
pub fn one_seed(
    ensemble: &Ensemble,
    seed: u64,
    strategies: &[Strategy],
    share: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<Vec<HeadRunSummary>>, Invalid> {
    let setting = ensemble.of(seed)?;
    let whole = f64::from(setting.intervals()) * strategies.len() as f64;
    let mut done = 0.0;
    let mut runs = Vec::with_capacity(strategies.len());
    for strategy in strategies {
        let mut runner = HeadRunner::new(&setting, *strategy)?;
        while runner.advance()? {
            done += 1.0;
            if share(done / whole).is_break() {
                return Ok(None);
            }
        }
        runs.push(runner.run().summary());
    }
    Ok(Some(runs))
}
