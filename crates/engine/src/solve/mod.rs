//! The contract of every solver: what limits it takes, what it reports, how it ends.
//!
//! `Ok` means there is a plan to draw; `Err` means there is none, and why. A reached limit with a plan in
//! hand is `Ok`. Infeasible is an answer, not a fault of the input: faults are refused before a
//! [`crate::problem`] exists. No clock is here: a deadline is a [`Progress`] that answers `Break`, made
//! by callers that have a clock.

use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How far a search may go. Steps stop it at the same place on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The most steps; what a step is, each method's header says.
    pub steps: Option<u64>,
    /// Seed of the one random stream, where a method has one.
    pub seed: u64,
    /// Threads that a search may use where it knows how, at least one; its answer does not depend on how many.
    pub threads: u32,
    /// The most bytes that a search may keep, about; its own default where none is said.
    pub memory: Option<u64>,
}

/// Event of a running search.
#[derive(Debug)]
pub enum SearchEvent<'a, P> {
    /// A better plan. Borrowed: a deaf listener costs nothing.
    Incumbent {
        /// The plan.
        plan: &'a P,
        /// Its value by the solver's own objective [s].
        claimed: f64,
    },
    /// No plan can be better than this [s].
    Bound(f64),
    /// Steps done, and how many there are if that is known.
    Step {
        /// Done.
        done: u64,
        /// Of how many.
        of: Option<u64>,
    },
}

/// Listens to a search and may end it.
pub trait Progress<P> {
    /// `Break` ends the search at once; what it has found so far is kept.
    fn report(&mut self, event: SearchEvent<'_, P>) -> ControlFlow<()>;
}

impl<P, F: FnMut(SearchEvent<'_, P>) -> ControlFlow<()>> Progress<P> for F {
    fn report(&mut self, event: SearchEvent<'_, P>) -> ControlFlow<()> {
        self(event)
    }
}

/// A listener that ignores all events and stops nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl<P> Progress<P> for NoProgress {
    fn report(&mut self, _: SearchEvent<'_, P>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A plan and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved<P> {
    /// The plan.
    pub plan: P,
    /// Its value by the solver's own objective [s]. The referee's value is beside it as *scored*.
    pub claimed: f64,
    /// No plan can be better than this [s].
    pub bound: Option<f64>,
    /// How the search ended.
    pub ended: Ended,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// Proved best for this problem's own objective. Only exact methods say so.
    Optimal,
    /// A heuristic ran its course.
    Finished,
    /// A limit came first.
    Stopped(StopReason),
}

/// Which limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The number of steps.
    Steps,
    /// The listener answered `Break`: cancelled by the user, or out of time.
    Cancelled,
    /// The tables of the exact method would not fit.
    Size,
}

/// No plan, and why. `I` is the method's own proof of infeasibility.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoPlan<I: std::fmt::Display + std::fmt::Debug> {
    /// Proved: no plan exists.
    #[error("{0}")]
    Infeasible(I),
    /// A limit came before any plan.
    #[error("stopped before a first plan was found")]
    Stopped(StopReason),
}
