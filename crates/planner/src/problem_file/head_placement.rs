//! Problem files of a placement of attention heads: `{"model":{"h","D","b","L0","mem","flops","delay","inp"},"n","n_prev",
//! "tokens","controller","M":[..V],"C":[..V],"R":[[..V]..V],"prev":[..h+2]|null,"t_tok":number|null}`, and for `evaluate`
//! the `"placement":[..h+2]`, or `"split":{"devices","share","on":[..h]}`: a layer split over a group. The four presets and the controller may be left out: they are those of the paper, and device 0.

use super::{Answered, Output};
use crate::Status;
use crate::head_placement::{Answer, Evaluation, Method, answer, evaluate};
use engine::plan::{HeadSplit, Layout, Placement};
use engine::problem::head_sizes::{HeadLayer, LayerForm};
use engine::problem::heads::{HeadPlacement, Interval, LinkRates};
use engine::problem::{Code, Invalid, json};
use engine::solve::Progress;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub use crate::head_placement::{HeadPlacementOptions, Variant};

/// Where attention heads, projection and FFN of a decoder layer are in one interval.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The decoder layer.
    model: LayerForm,
    /// Last token of the interval, n [tokens]; 0 or above.
    n: u32,
    /// The token at which `prev` was in force, at most `n` [tokens]; 0 or above.
    n_prev: u32,
    /// Weight of the delay of a token, w; above 0.
    tokens: f64,
    /// The device that holds the input, from 0.
    #[serde(default)]
    controller: usize,
    /// Free memory of each device [B]; each 0 or above.
    M: Vec<f64>,
    /// Free compute of each device [operations/s]; each 0 or above.
    C: Vec<f64>,
    /// Rates from each device (row) to each [B/s], 0 or above, 0 where there is no link; the diagonal is ignored.
    R: Vec<Vec<f64>>,
    /// The placement in force before, a device for each of heads 0 to h-1, proj, ffn; `null` for none.
    prev: Option<Placement>,
    /// Compute budget per token of Algorithm 1 [s], `null` for its default; above 0.
    t_tok: Option<f64>,
    /// A placement to be scored, a device for each of heads 0 to h-1, proj, ffn.
    placement: Option<Placement>,
    /// A layer split over a group, to be scored.
    split: Option<Group>,
}

/// A layer that is split over a group, as answers have it.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Group {
    /// The devices of the group, ascending, from 0.
    devices: Vec<usize>,
    /// The share of projection and FFN of each of them; each 0 or above, 1 in all.
    share: Vec<f64>,
    /// The device of each head.
    on: Vec<usize>,
    /// How many heads each device has: what `on` says, allowed since answers hold it.
    heads: Option<Vec<usize>>,
}

impl Answered for Answer {
    fn status(&self) -> Option<Status> {
        Some(self.status)
    }
}

impl Answered for Evaluation {
    fn status(&self) -> Option<Status> {
        None
    }
}

/// The options that flags make. A variant without a method that has one would change nothing.
///
/// # Errors
/// A variant for a method without Algorithm 1 in it.
pub fn options(
    method: Option<Method>,
    variant: Option<Variant>,
) -> Result<HeadPlacementOptions, Invalid> {
    let method = method.unwrap_or_default();
    if variant.is_some() && !matches!(method, Method::Algorithm1 | Method::Static) {
        let message = format!(
            "--variant is not an option of --method {}: it applies to algorithm1, and to static, which starts from it",
            method.name()
        );
        return Err(Invalid::new(Code::Option, "", Value::Null, message));
    }
    Ok(HeadPlacementOptions {
        method,
        variant: variant.unwrap_or_default(),
    })
}

/// Solves one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &HeadPlacementOptions,
    progress: &mut impl Progress<Placement>,
) -> Result<Output<Answer>, Invalid> {
    let (id, plan, problem) = read(text)?;
    if let Some(plan) = plan {
        let field = match plan {
            Layout::Blocks(_) => "placement",
            Layout::Split(_) => "split",
        };
        let message =
            format!("{field} is not a field here: a given {field} is scored by `evaluate`");
        return Err(Invalid::new(Code::Unknown, field, Value::Null, message));
    }
    Ok(Output {
        id,
        answer: answer(&problem, options, progress),
    })
}

/// Scores the plan that a document gives.
///
/// # Errors
/// As [`solve`]; a plan that is none is bad input at `placement[i]` or in `split`.
pub fn score(text: &str) -> Result<Output<Evaluation>, Invalid> {
    let (id, plan, problem) = read(text)?;
    let Some(plan) = plan else {
        let message = "placement is missing: `evaluate` scores a given placement";
        let fault = Invalid::new(Code::Missing, "placement", Value::Null, message);
        return Err(fault);
    };
    Ok(Output {
        id,
        answer: evaluate(&problem, &plan)?,
    })
}

fn read(text: &str) -> Result<(Option<Value>, Option<Layout>, HeadPlacement), Invalid> {
    let document: Document = json::read(text, &["", "model", "split"])?;
    let layer = HeadLayer::new(document.model).map_err(|fault| fault.within("model"))?;
    let links = LinkRates::new(&document.R)?;
    let interval = Interval {
        n: document.n,
        n_prev: document.n_prev,
        tokens: document.tokens,
        controller: document.controller,
        memory: document.M,
        compute: document.C,
        prev: document.prev,
        t_tok: document.t_tok,
    };
    let problem = HeadPlacement::new(layer, Arc::new(links), interval)?;
    let plan = match (document.placement, document.split) {
        (Some(_), Some(_)) => {
            let message = "split is not a field beside placement: a plan is one or the other";
            return Err(Invalid::new(Code::Unknown, "split", Value::Null, message));
        }
        (Some(placement), None) => Some(Layout::Blocks(placement)),
        (None, Some(group)) => {
            let split = HeadSplit {
                devices: group.devices,
                share: group.share,
                on: group.on,
            };
            if let Some(heads) = group.heads
                && heads != split.heads()
            {
                let allowed = format!("{:?}, as `on` says", split.heads());
                return Err(Invalid::range("split.heads", heads, &allowed));
            }
            Some(Layout::Split(split))
        }
        (None, None) => None,
    };
    Ok((document.id, plan, problem))
}
