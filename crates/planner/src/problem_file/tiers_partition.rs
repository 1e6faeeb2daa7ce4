//! Problem files of a partition: `{"f":[..N],"m":[..N],"C":[..T],"M":[..T]}`, with transfer times as `"hops":[..T-1]` if
//! they are to be added up, and for `evaluate` the cuts as `"p":[..T-1]`.

use super::{Answered, Output};
use crate::Status;
use crate::tiers_partition::{Answer, Evaluation, Objective, answer, evaluate};
use engine::plan::TierCuts;
use engine::problem::{Code, Invalid, TierPartition, json};
use engine::solve::Progress;
use serde::Deserialize;
use serde_json::Value;

pub use crate::tiers_partition::{EPS, Method, TiersPartitionOptions};

/// Contiguous blocks on tiers in a fixed order.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// Work of each block [operations]; each above 0.
    f: Vec<f64>,
    /// Memory of each block, in any one unit; each 0 or above.
    m: Vec<f64>,
    /// Speed of each tier [operations/s]; each above 0.
    C: Vec<f64>,
    /// Memory of each tier, in the unit of `m`; each 0 or above.
    M: Vec<f64>,
    /// Transfer time from each tier to the next [s]; each 0 or above.
    hops: Option<Vec<f64>>,
    /// Cuts to be scored: how many blocks are before each border between tiers.
    p: Option<TierCuts>,
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

/// Checks the options, and names the first that is out of range.
///
/// # Errors
/// HypSplit-DP asked for the least sum, which it does not know.
pub fn check(options: &TiersPartitionOptions) -> Result<(), Invalid> {
    if options.method == Method::HypSplit && options.objective == Objective::Sum {
        let message =
            "--method hypsplit minimises the largest load: --objective sum needs --method exact";
        return Err(Invalid::new(Code::Option, "", Value::Null, message));
    }
    Ok(())
}

/// Solves one document. `empty_tiers` says whether a tier may hold no block.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &TiersPartitionOptions,
    empty_tiers: bool,
    progress: &mut impl Progress<TierCuts>,
) -> Result<Output<Answer>, Invalid> {
    let (document, problem) = read(text, empty_tiers)?;
    if document.p.is_some() {
        let message = "p is not a field here: given cuts are scored by `evaluate`";
        return Err(Invalid::new(Code::Unknown, "p", Value::Null, message));
    }
    Ok(Output {
        id: document.id,
        answer: answer(&problem, options, progress),
    })
}

/// Scores the cuts that a document gives.
///
/// # Errors
/// As [`solve`]; cuts that are none are bad input at `p[i]`.
pub fn score(text: &str, empty_tiers: bool) -> Result<Output<Evaluation>, Invalid> {
    let (document, problem) = read(text, empty_tiers)?;
    let Some(cuts) = document.p else {
        let message = "p is missing: `evaluate` scores given cuts";
        return Err(Invalid::new(Code::Missing, "p", Value::Null, message));
    };
    Ok(Output {
        id: document.id,
        answer: evaluate(&problem, &cuts)?,
    })
}

fn read(text: &str, empty_tiers: bool) -> Result<(Document, TierPartition), Invalid> {
    let document: Document = json::read(text, &[""])?;
    let Document { f, m, C, M, .. } = &document;
    let mut problem = TierPartition::new(f, m, C, M)?.with_empty_tiers(empty_tiers);
    if let Some(hops) = &document.hops {
        problem = problem.with_hops(hops)?;
    }
    Ok((document, problem))
}
