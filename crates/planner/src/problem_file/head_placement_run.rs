//! Problem files of a run over many intervals: `{"model","controller","R","steps":[{"n","M","C"}…],"method","variant"?,
//! "t_tok"?}`. The method is a field, since it is part of what is run; a step covers the tokens after that of the step
//! before, from 0, and its previous placement is the one that was in force there.
//!
//! `seconds` is what a stopwatch shows: the moves once a step and every token with its own length, so with more than one
//! token a step it is not the sum of J, which weighs the last one. Besides the fixed form a step holds its `n`, and the
//! `remedy` where the method had no placement: `kept`, `without_budget` or `failed`. A run that fails ends with that
//! step, and so do its totals. Where a method that never moves has run out of memory, the step is `infeasible` with its
//! values beside the reason.

use super::Answered;
use crate::Status;
use crate::head_placement::{Method, Variant};
use crate::heads_run::{
    Due, MOST_RUN_TOKENS, RunSetting, StepAnswer, Stepper, Strategy, Total, strategy,
};
use engine::problem::head_sizes::{HeadLayer, LayerForm};
use engine::problem::heads::LinkRates;
use engine::problem::{Code, Invalid, json};
use engine::sim::{Free, Supply};
use engine::solve::{Progress, SearchEvent};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The most steps of a run: one a token.
const MOST_STEPS: usize = MOST_RUN_TOKENS as usize;

/// A run of many intervals while an answer grows.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The decoder layer.
    model: LayerForm,
    /// The device that holds the input, from 0.
    #[serde(default)]
    controller: usize,
    /// Rates from each device (row) to each [B/s], 0 or above, 0 where there is no link; the diagonal is ignored.
    R: Vec<Vec<f64>>,
    /// The intervals.
    steps: json::AtMost<Step, MOST_STEPS>,
    /// Method that places the blocks.
    method: Method,
    /// How Algorithm 1 scores devices; only with `algorithm1` and `static`.
    variant: Option<Variant>,
    /// Compute budget per token of Algorithm 1 [s], `null` for its default; above 0.
    t_tok: Option<f64>,
}

/// An interval.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Step {
    /// Last token of the interval, above that of the one before [tokens]; 1 or above.
    n: u32,
    /// Free memory of each device [B]; each 0 or above.
    M: Vec<f64>,
    /// Free compute of each device [operations/s]; each 0 or above.
    C: Vec<f64>,
}

/// A finished run; all is null where a limit came first.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Output {
    /// The `id` of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    /// The answer to each interval; `null` where a limit came first, as the next two.
    steps: Option<Vec<StepAnswer>>,
    /// Totals of the run.
    total: Option<Total>,
    /// Intervals without a plan.
    infeasible_steps: Option<usize>,
    /// Last token of the interval at which the run failed; `null` where it did not.
    failed_at: Option<u32>,
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        match (&self.steps, self.failed_at) {
            (None, _) => Some(Status::Stopped),
            (Some(_), Some(_)) => Some(Status::Infeasible),
            (Some(_), None) => None,
        }
    }
}

/// Runs one document. `progress` is called at every step.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(text: &str, progress: &mut impl Progress<()>) -> Result<Output, Invalid> {
    let document: Document = json::read(text, &["", "model", "steps[]"])?;
    let strategy = method(&document)?;
    let setting = setting(&document)?;
    let steps = &document.steps.0;
    if steps.is_empty() {
        let none: Vec<f64> = Vec::new();
        return Err(Invalid::range(
            "steps",
            none,
            "a list with at least one step",
        ));
    }
    let mut before = 0;
    for (at, step) in steps.iter().enumerate() {
        if step.n <= before || step.n > MOST_RUN_TOKENS {
            let allowed = format!("a whole number above {before}, at most {MOST_RUN_TOKENS}");
            return Err(Invalid::range(format!("steps[{at}].n"), step.n, &allowed));
        }
        before = step.n;
    }
    let mut stepper = Stepper::new(setting, strategy)?;
    let mut answers = Vec::with_capacity(steps.len());
    let mut output = Output {
        id: document.id,
        steps: None,
        total: None,
        infeasible_steps: None,
        failed_at: None,
    };
    for (at, step) in document.steps.0.into_iter().enumerate() {
        let due = Due {
            n: step.n,
            free: Free {
                memory: step.M,
                compute: step.C,
            },
        };
        let stepped = stepper
            .step(&due, &[])
            .map_err(|fault| fault.within(&format!("steps[{at}]")))?;
        // A fault in any step is a fault of the document, so they are all looked at before the run may end.
        if stepper.run().failed_at.is_none_or(|n| n == step.n) {
            answers.push(StepAnswer::of(&stepped, &strategy));
        }
        let done = SearchEvent::Step {
            done: at as u64 + 1,
            of: None,
        };
        if progress.report(done).is_break() {
            return Ok(output);
        }
    }
    let run = stepper.run();
    output.steps = Some(answers);
    output.total = Some(Total::of(run));
    output.infeasible_steps = Some(run.without_plan.len());
    output.failed_at = run.failed_at;
    Ok(output)
}

/// A variant without a method that has one would change nothing.
fn method(document: &Document) -> Result<Strategy, Invalid> {
    let method = document.method;
    if document.variant.is_some() && !matches!(method, Method::Algorithm1 | Method::Static) {
        let message = format!(
            "variant is not a field with the method {}: it applies to algorithm1, and to static, which starts from it",
            method.name()
        );
        let shown = document.variant.map(Variant::name);
        return Err(Invalid::new(Code::Unknown, "variant", shown, message));
    }
    Ok(strategy(method, document.variant.unwrap_or_default()))
}

/// All that does not change from step to step.
fn setting(document: &Document) -> Result<RunSetting, Invalid> {
    let layer = HeadLayer::new(document.model).map_err(|fault| fault.within("model"))?;
    let links = Arc::new(LinkRates::new(&document.R)?);
    // What is free comes with each step.
    let nothing = Free {
        memory: vec![0.0; links.devices()],
        compute: vec![0.0; links.devices()],
    };
    let supply = Supply::recorded(nothing, Vec::new())?;
    let t_tok = document.t_tok;
    RunSetting::new(layer, links, document.controller, supply, (1, 1), t_tok)
}
