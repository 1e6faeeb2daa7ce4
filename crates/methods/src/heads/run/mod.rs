//! Runs over tokens: attention heads on devices, placed again in every interval while the answer grows.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! Algorithm 1's outer loop and section V. Intervals have λ tokens (the paper evaluates 1). A strategy plans with what is
//! free in the interval and with what the blocks need at its last token; the moves are paid once, before its first
//! token; then every token takes the delay of its own length.
//!
//! Choices where the paper leaves a point open:
//!
//! * A strategy without a placement: the one before stays if it still fits and comes to an end; otherwise Algorithm 1 is
//!   asked without its limit on compute (not for strategies that keep the layer whole); otherwise the run ends. All such
//!   intervals are counted. A placement that would take for ever is none.
//! * Static, EdgeShard and Galaxy place once. If memory does not suffice later, that is counted and nothing else; if a
//!   token would never come, the run ends there, since there is nothing that they could do.
//! * A layer that is split into parts (Galaxy) has to fit into memory in the first interval, like any other.
//! * The best plans that may split the layer ([`crate::heads::split`]) are the best of each interval, as those of whole blocks
//!   are: nothing is proved of the run as a whole.
//!
//! Complexity: that of the strategy an interval, and O(V) a token.

mod compare;
mod setting;
mod step;
mod strategy;

pub use compare::{Comparison, Distribution, one_seed};
pub use setting::{Due, Ensemble, Intervals, MOST_RUN_TOKENS, ResourceSource, RunSetting};
pub use step::{Stepped, Stepper};
pub use strategy::{Forecast, Init, MOST_AHEAD, Strategy};

use super::Infeasible;
use engine::plan::HeadRun;
use engine::problem::Invalid;
use std::collections::VecDeque;

/// A run in progress: interval by interval, so that the caller can show partial results and stop.
#[derive(Debug)]
pub struct HeadRunner {
    stepper: Stepper,
    /// Intervals that have been looked at, the next first.
    ahead: VecDeque<Due>,
    rest: Intervals,
}

impl HeadRunner {
    /// A run before its first interval.
    ///
    /// # Errors
    /// [`Invalid`] as [`Strategy::check`].
    pub fn new(setting: &RunSetting, strategy: Strategy) -> Result<Self, Invalid> {
        Ok(Self {
            stepper: Stepper::new(setting.clone(), strategy)?,
            ahead: VecDeque::new(),
            rest: setting.due(),
        })
    }

    /// Creates a run that compares, in every interval whose number from 1 is divided by `every`, its placement with the best one
    /// from the same placement before. Each comparison is an exact search.
    #[must_use]
    pub fn with_gaps(mut self, every: u32) -> Self {
        self.stepper.gaps_every(every);
        self
    }

    /// The next interval. `false` when there was none: all tokens have come, or the run has failed.
    ///
    /// # Errors
    /// [`Invalid`] for resources that are none, which a valid setting does not have.
    pub fn advance(&mut self) -> Result<bool, Invalid> {
        if self.stepper.run().failed_at.is_some() {
            return Ok(false);
        }
        let wanted = 1 + self.stepper.strategy().foresight();
        let missing = wanted.saturating_sub(self.ahead.len());
        self.ahead.extend(self.rest.by_ref().take(missing));
        let Some(due) = self.ahead.pop_front() else {
            return Ok(false);
        };
        self.stepper.step(&due, self.ahead.make_contiguous())?;
        Ok(self.stepper.run().failed_at.is_none())
    }

    /// Returns the run so far.
    #[must_use]
    pub fn run(&self) -> &HeadRun {
        self.stepper.run()
    }

    /// Why no method could have begun the interval at which the run failed: see [`Stepper::proof`].
    #[must_use]
    pub fn proof(&self) -> Option<Infeasible> {
        self.stepper.proof()
    }

    /// All the rest at once.
    ///
    /// # Errors
    /// As [`HeadRunner::advance`].
    pub fn finish(mut self) -> Result<HeadRun, Invalid> {
        while self.advance()? {}
        Ok(self.stepper.into_run())
    }
}

/// A whole run.
///
/// # Errors
/// As [`HeadRunner::new`] and [`HeadRunner::advance`].
pub fn run(setting: &RunSetting, strategy: Strategy) -> Result<HeadRun, Invalid> {
    HeadRunner::new(setting, strategy)?.finish()
}
