//! The number that the answer to a question is led by: what it is, in which unit, which way it is better, and what it comes to
//! for a scenario. Whatever asks what a change or a range does to an answer asks it here, and knows no question.
//!
//! The plan is one that the page shows, by the same method. Where the page goes on searching for longer, the number is that of
//! a search with few steps, which is the same on every machine: `note` of its reader says so.

use super::cold_start::{ColdStartMethod, answer_alone};
use super::{Status, cold_start_gains, dispatch, heads, operators, tiers};
use engine::problem::Invalid;
use engine::scenario::levers::Better;
use engine::scenario::{Any, Goal, Scenario, tiers as t};
use engine::sim::Background;
use engine::solve::NoProgress;
use methods::heads::run::HeadRunner;
use serde::{Deserialize, Serialize};

/// Name, unit and direction of an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headline {
    /// Its name: "First answer".
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which way it is better.
    pub better: Better,
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Rate per second.
    PerSecond,
}

impl Unit {
    /// Its symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::PerSecond => "1/s",
        }
    }
}

/// Value of an objective.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Reading {
    /// Proof status.
    pub status: Status,
    /// The number, where there is an answer.
    pub value: Option<f64>,
    /// Why there is none.
    pub why: Option<String>,
}

impl Reading {
    const fn with_value(value: f64, is_proved: bool) -> Self {
        Self {
            status: if is_proved {
                Status::Optimal
            } else {
                Status::Feasible
            },
            value: Some(value),
            why: None,
        }
    }

    fn none(status: Status, why: impl Into<String>) -> Self {
        Self {
            status,
            value: None,
            why: Some(why.into()),
        }
    }
}

/// A scenario whose answer is led by a number.
pub trait HeadlineScenario {
    /// Returns the objective.
    fn headline(&self) -> Headline;

    /// Returns a note on differences between two values of the objective.
    fn note(&self) -> Option<&'static str> {
        None
    }

    /// Returns a note on differences between scenarios with different numbers of machines.
    fn note_of_machines(&self) -> Option<&'static str> {
        None
    }
}

/// A scenario of which that number can be computed. Code that only names it does not link the solvers.
pub trait MeasuredScenario {
    /// Evaluates the objective.
    ///
    /// # Errors
    /// The first field at fault.
    fn reading(&self) -> Result<Reading, Invalid>;
}

/// Implements a trait for the scenarios of all questions.
macro_rules! every {
    ($name:ident, $of:ident) => {
        /// The scenario, whichever question it is of.
        #[must_use]
        pub fn $name(any: &Any) -> &dyn $of {
            match any {
                Any::ColdStart(scenario) => &**scenario,
                Any::HeadPlacement(scenario) => &**scenario,
                Any::Dispatch(scenario) => &**scenario,
                Any::Tiers(scenario) => &**scenario,
                Any::Operators(scenario) => &**scenario,
            }
        }
    };
}
every!(led, HeadlineScenario);
every!(measured, MeasuredScenario);

const fn time(what: &'static str) -> Headline {
    Headline {
        name: what,
        unit: Unit::Seconds,
        better: Better::Less,
    }
}

impl HeadlineScenario for Scenario {
    fn headline(&self) -> Headline {
        match self.decode.map(|decode| decode.goal) {
            Some(Goal::WholeAnswer) => time("Whole answer"),
            _ => time("First answer"),
        }
    }
}

/// The goal of a cold start, by the exact method with the limits of a point of a sweep.
///
/// # Complexity
/// One run of the exact method, or of a search with few steps where there are many devices.
impl MeasuredScenario for Scenario {
    fn reading(&self) -> Result<Reading, Invalid> {
        let problem = self.problem()?;
        let limits = cold_start_gains::limits();
        let found = answer_alone(
            &problem,
            ColdStartMethod::Exact,
            self.heuristic,
            &limits,
            &mut NoProgress,
        );
        Ok(Reading {
            status: found.status,
            value: found.objective,
            why: found.reason,
        })
    }
}

impl HeadlineScenario for engine::scenario::heads::Scenario {
    fn headline(&self) -> Headline {
        time("All tokens")
    }

    fn note_of_machines(&self) -> Option<&'static str> {
        let is_drawn = self.recorded.is_none() && self.background != Background::Quiet;
        is_drawn.then_some(
            "With one device more or fewer, the background load is a different draw, so part of the difference can be down to the load.",
        )
    }
}

/// All tokens of our run with the background of the first draw. Each interval is planned for itself, so that more of anything can
/// make the whole later, and nothing is proved of it.
///
/// # Complexity
/// O(V² + h) an interval.
impl MeasuredScenario for engine::scenario::heads::Scenario {
    fn reading(&self) -> Result<Reading, Invalid> {
        self.validate()?;
        let setting = heads::setting(self, self.draws.first_seed as u64)?;
        let run = HeadRunner::new(&setting, heads::ours(self))?.finish()?;
        let found = run.summary();
        Ok(match found.failed_at {
            None => Reading::with_value(found.seconds, false),
            Some(token) => Reading::none(
                Status::Infeasible,
                format!("no placement holds the layer at token {token}"),
            ),
        })
    }
}

impl HeadlineScenario for engine::scenario::dispatch::Scenario {
    fn headline(&self) -> Headline {
        match self.goal {
            engine::scenario::dispatch::Goal::Tail => time("P99 time to first token"),
            _ => time("Mean time to first token"),
        }
    }
}

/// The goal of our policy: mean or 99th percentile of TTFT. With several devices on, the mean is that of all of them, as on the
/// page.
///
/// # Complexity
/// O(n L) for n first tokens and L prompt lengths, a few times that where P99 has a limit.
impl MeasuredScenario for engine::scenario::dispatch::Scenario {
    fn reading(&self) -> Result<Reading, Invalid> {
        let (value, is_proved) = dispatch::objective_value(self)?;
        Ok(Reading::with_value(value, is_proved))
    }
}

impl HeadlineScenario for t::Scenario {
    fn headline(&self) -> Headline {
        match self.goal {
            t::Goal::Bottleneck => time("Slowest stage"),
            t::Goal::Request => time("Single request"),
            t::Goal::Rate => Headline {
                name: "Requests per second",
                unit: Unit::PerSecond,
                better: Better::More,
            },
        }
    }
}

/// The goal of tiers: the slowest stage, the saturation rate, or the latency of a single request.
///
/// # Complexity
/// O(orders · T N) with at most 326 orders.
impl MeasuredScenario for t::Scenario {
    fn reading(&self) -> Result<Reading, Invalid> {
        self.validate()?;
        let found = tiers::split(self)?;
        let plan = found.plan.filter(|plan| plan.mem_ok);
        let Some(plan) = plan else {
            let why = found.reason;
            let why = why.unwrap_or_else(|| "the split does not fit".to_owned());
            return Ok(Reading::none(Status::Infeasible, why));
        };
        let value = match self.goal {
            t::Goal::Bottleneck => plan.value,
            t::Goal::Request => plan.request,
            t::Goal::Rate => plan.full_at,
        };
        Ok(Reading::with_value(value, found.status == Status::Optimal))
    }
}

impl HeadlineScenario for engine::scenario::operators::Scenario {
    fn headline(&self) -> Headline {
        time("Time over all devices")
    }

    fn note(&self) -> Option<&'static str> {
        Some(
            "Each figure, the unchanged one too, comes from a shorter search for a split than the answer\u{2019}s, so small differences can be down to the search.",
        )
    }
}

/// The graph once through, its operators cut over the devices, in the order of the plan: what machines and network change. The
/// order and its memory are the graph's own. The split is that of one short chain of the default search.
///
/// # Complexity
/// One run of the order's method, and at most 10⁵ moves of the split.
impl MeasuredScenario for engine::scenario::operators::Scenario {
    fn reading(&self) -> Result<Reading, Invalid> {
        Ok(match operators::quick(self)? {
            Ok(ms) => Reading::with_value(1e-3 * ms, false),
            Err((status, why)) => Reading::none(status, why),
        })
    }
}
