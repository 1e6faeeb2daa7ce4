//! Runs of attention heads over tokens, as the command line and the page ask for them.

pub use methods::heads::ahead::{Path, horizon};
pub use methods::heads::layers::{
    LayerStack, MOST_STACKED, StackBound, StackPlan, Stacked, bound, descend, solve as solve_layers,
};
pub use methods::heads::run::{
    Comparison, Distribution, Due, Ensemble, Forecast, HeadRunner, Init, Intervals, MOST_AHEAD,
    MOST_RUN_TOKENS, ResourceSource, RunSetting, Stepped, Stepper, Strategy, one_seed, run,
};

use super::head_placement::{Answer, Method, Pick, Variant};
use engine::plan::{HeadRun, Remedy};
use methods::heads::galaxy::GROUP;
use serde::Serialize;

/// The strategy of a run that a method of single placements stands for.
#[must_use]
pub const fn strategy(method: Method, variant: Variant) -> Strategy {
    match method {
        Method::Exact => Strategy::Exact,
        Method::Algorithm1 => Strategy::Algorithm1 { variant },
        Method::Greedy => Strategy::Greedy,
        Method::RoundRobin => Strategy::RoundRobin,
        Method::Static => Strategy::Static {
            init: Init::Algorithm1(variant),
        },
        Method::Dynamic => Strategy::Dynamic,
        Method::EdgeShard => Strategy::EdgeShard { pick: Pick::Best },
        Method::Galaxy => Strategy::Galaxy { devices: GROUP },
        Method::ExactSplit => Strategy::ExactSplit,
    }
}

/// An interval of a run, as problem files answer it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct StepAnswer {
    /// Its last token.
    pub n: u32,
    /// The placement in force, scored.
    #[serde(flatten)]
    pub answer: Answer,
    /// Fallback where the method had no placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
}

impl StepAnswer {
    /// Of an interval that was stepped through by a strategy.
    #[must_use]
    pub fn of(step: &Stepped, strategy: &Strategy) -> Self {
        let optimal = strategy.is_exact() && step.remedy.is_none() && step.complete;
        Self {
            n: step.problem.interval().n,
            answer: Answer::of_step(
                &step.problem,
                step.before.as_ref(),
                step.layout.as_ref(),
                optimal,
            ),
            remedy: step.remedy,
        }
    }
}

/// Totals of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Total {
    /// Every token and all moves [s].
    pub seconds: f64,
    /// All moves [s].
    #[serde(rename = "D_mig")]
    pub d_mig: f64,
    /// How many blocks moved.
    pub migrations: u32,
}

impl Total {
    /// Of a run, as far as it came.
    #[must_use]
    pub fn of(run: &HeadRun) -> Self {
        let summary = run.summary();
        Self {
            seconds: summary.seconds,
            d_mig: summary.moving,
            migrations: summary.moves,
        }
    }
}
