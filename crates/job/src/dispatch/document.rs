//! An answer with the scenario it belongs to: what `edgewise run --format json` prints and the page saves.

use super::{Planned, Several, WaitAt, waits_of};
use crate::problem_file::dispatch::Answer;
use engine::evaluate::dispatch_cost::Bill;
use engine::plan::dispatch::Scarce;
use engine::problem::Invalid;
use engine::problem::migration::Prices;
use engine::scenario::dispatch::Scenario;
use serde::Serialize;

/// The answer of `edgewise solve dispatch` for the first device, with our policy and what it costs beside it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document<'a> {
    scenario: &'a Scenario,
    #[serde(flatten)]
    answer: Answer,
    edgewise: Edgewise<'a>,
}

/// A prompt length: the likelier wait, and the other one with its probability.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Row(u32, Option<f64>, Option<(Option<f64>, f64)>);

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Edgewise<'a> {
    scarce: Scarce,
    prices: Prices,
    goal_value: f64,
    bound: f64,
    gap: f64,
    p99_limit: Option<f64>,
    limit_kept: bool,
    mean_ttft: f64,
    p99_ttft: f64,
    device_token_share: f64,
    server_token_share: f64,
    /// Waits of the device; 0 and null where the server is the scarce side and is asked or not.
    waits: Vec<Row>,
    cost: f64,
    cost_no_migration: f64,
    bill: &'a Bill,
    devices: Option<&'a Several>,
}

/// The document of an answer.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// As a plan.
pub fn document<'a>(scenario: &'a Scenario, planned: &'a Planned) -> Result<Document<'a>, Invalid> {
    let ours = planned.ours();
    let row = |at: WaitAt| Row(at.tokens, at.wait, at.other);
    Ok(Document {
        scenario,
        answer: Answer::of(&scenario.problem()?),
        edgewise: Edgewise {
            scarce: planned.scarce,
            prices: planned.prices,
            goal_value: planned.value,
            bound: planned.bound,
            gap: planned.gap(),
            p99_limit: planned.cap,
            limit_kept: !planned.missed,
            mean_ttft: ours.outcome.mean,
            p99_ttft: ours.outcome.p99,
            device_token_share: ours.outcome.device_share,
            server_token_share: ours.outcome.server_share,
            waits: waits_of(planned, ours).into_iter().map(row).collect(),
            cost: ours.cost.with,
            cost_no_migration: ours.cost.without,
            bill: &ours.cost.bill,
            devices: planned.several.as_ref(),
        },
    })
}

impl Document<'_> {
    /// The document as text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer is words and numbers")
    }
}
