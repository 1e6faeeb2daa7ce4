//! Jobs: a request in, an answer out, the same for the command line and for the page's worker.
//!
//! The command line reads problem files ([`problem_file`]); the page's worker gets scenarios. Both end
//! in [`cold_start::answer`], so that the same input gives the same bits everywhere.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod cold_start;
pub mod cold_start_decode;
pub mod cold_start_front;
pub mod cold_start_gains;
pub mod cold_start_rules;
pub mod cold_start_search;
pub mod cold_start_shorter;
pub mod cold_start_spread;
pub mod cold_start_whole_answer;
pub mod dispatch;
pub mod dispatch_published;
pub mod head_placement;
pub mod heads;
pub mod heads_compared;
pub mod heads_published;
pub mod heads_run;
pub mod measure;
pub mod operator_order;
pub mod operator_partition;
pub mod operators;
pub mod problem_file;
pub mod ranges;
pub mod readings;
pub mod sensitivity;
pub mod summary;
pub mod tiers;
mod tiers_load;
pub mod tiers_partition;
pub mod tiers_published;
pub mod tiers_run;

use cold_start::Answer;
use engine::scenario::Scenario;
use serde::{Deserialize, Serialize, Serializer};
use summary::RunSummary;

/// Receives the number of steps done, in total where known, and may request a partial answer.
pub type Listener<'a, A> = dyn FnMut(u64, Option<u64>, &mut dyn FnMut() -> Option<A>) + 'a;

/// Proof status of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A plan, proved best for this problem's own objective.
    Optimal,
    /// A plan, with a bound on what is left to gain.
    Feasible,
    /// No plan, proved; or a baseline whose split does not fit.
    Infeasible,
    /// A limit was hit before any plan.
    Stopped,
}

/// An answer with the scenario it belongs to: what `edgewise run --format json` prints and the page saves.
///
/// Devices are counted as the scenario lists them, those that are switched off included, so that an index
/// of the answer is an index of the `devices` beside it.
#[derive(Debug)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(from = "Document<'a>", into = "Document<'a>")
)]
pub struct Documented<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The answer to its problem; its fields are beside the scenario.
    pub answer: &'a Answer,
}

/// A plan with devices named as in the scenario.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Document<'a> {
    scenario: &'a Scenario,
    #[serde(flatten)]
    answer: &'a Answer,
    /// Time to load, first token, rates and memory.
    summary: RunSummary,
}

impl Serialize for Documented<'_> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        let places: Vec<usize> = self.scenario.switched_on().map(|(at, _)| at).collect();
        let all_on = places.len() == self.scenario.devices.len();
        let moved = (!all_on).then(|| self.answer.with_devices_at(&places));
        let document = Document {
            scenario: self.scenario,
            answer: moved.as_ref().unwrap_or(self.answer),
            summary: RunSummary::of_cold_start(self.scenario, self.answer),
        };
        document.serialize(writer)
    }
}
