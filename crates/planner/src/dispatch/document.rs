//! An answer with the scenario it belongs to: what `edgewise run --format json` prints and the page saves.

use super::{DispatchPlan, Several, WaitAt, waits_of};
use crate::problem_file::dispatch::Answer;
use crate::summary::{CalibrationError, RunSummary};
use engine::evaluate::dispatch_cost::Bill;
use engine::plan::dispatch::Scarce;
use engine::problem::Invalid;
use engine::problem::migration::Prices;
use engine::scenario::dispatch::Scenario;
use serde::Serialize;

/// The answer of `edgewise solve dispatch` for the first device, with our policy and what it costs beside it.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Document<'a> {
    scenario: &'a Scenario,
    #[serde(flatten)]
    answer: Answer,
    edgewise: Edgewise<'a>,
    /// Time to load, first token, rates and memory.
    summary: RunSummary,
}

/// A prompt length: the likelier wait, and the other one with its probability.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Row(u32, Option<f64>, Option<(Option<f64>, f64)>);

/// Our policy and what it costs.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Edgewise<'a> {
    /// Which side is scarce.
    scarce: Scarce,
    /// Prices of tokens.
    prices: Prices,
    /// Value of the goal: mean or 99th percentile of the TTFT [s].
    goal_value: f64,
    /// No policy does better [s].
    bound: f64,
    /// How far the policy may be from the best, as a share of the best.
    gap: f64,
    /// The limit on the 99th percentile [s]; `null` for none.
    p99_limit: Option<f64>,
    /// True if the limit is kept.
    limit_kept: bool,
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// 99th percentile of it [s].
    p99_ttft: f64,
    /// Share of all prompt tokens that the device processes.
    device_token_share: f64,
    /// Share of all prompt tokens that the server processes.
    server_token_share: f64,
    /// Waits of the device; 0 and null where the server is the scarce side and is asked or not.
    waits: Vec<Row>,
    /// Mean cost of a request [10^-6 USD].
    cost: f64,
    /// Mean cost of a request without migration [10^-6 USD].
    cost_no_migration: f64,
    /// Parts of the cost.
    bill: &'a Bill,
    /// All devices together, where several are on and the device is scarce.
    devices: Option<&'a Several>,
}

/// The document of an answer; `calibration` is that of the rates of the devices, where they are predicted.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// As a plan.
pub fn document<'a>(
    scenario: &'a Scenario,
    planned: &'a DispatchPlan,
    calibration: Option<CalibrationError>,
) -> Result<Document<'a>, Invalid> {
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
        summary: RunSummary::of_dispatch(scenario, planned, calibration),
    })
}

impl Document<'_> {
    /// The document as text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer is words and numbers")
    }
}
