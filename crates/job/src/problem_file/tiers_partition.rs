//! Problem files of a partition: `{"f":[..N],"m":[..N],"C":[..T],"M":[..T]}`, with transfer times as `"hops":[..T-1]` if
//! they are to be added up, and for `evaluate` the cuts as `"p":[..T-1]`.

use super::Answered;
use crate::Status;
use crate::tiers_partition::{Answer, Evaluation, Objective, answer, evaluate};
use engine::plan::Cuts;
use engine::problem::{Code, Invalid, TierPartition, json};
use engine::solve::Progress;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::tiers_partition::{EPS, Method, Options};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct Document {
    id: Option<Value>,
    f: Vec<f64>,
    m: Vec<f64>,
    C: Vec<f64>,
    M: Vec<f64>,
    hops: Option<Vec<f64>>,
    p: Option<Cuts>,
}

/// A finished document.
#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    body: Body,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Body {
    Solved(Box<Answer>),
    Evaluated(Evaluation),
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        match &self.body {
            Body::Solved(answer) => Some(answer.status),
            Body::Evaluated(_) => None,
        }
    }
}

/// What the options say that cannot be.
///
/// # Errors
/// HypSplit-DP asked for the least sum, which it does not know.
pub fn check(options: &Options) -> Result<(), Invalid> {
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
    options: &Options,
    empty_tiers: bool,
    progress: &mut impl Progress<Cuts>,
) -> Result<Output, Invalid> {
    let (document, problem) = read(text, empty_tiers)?;
    if document.p.is_some() {
        let message = "p is not a field here: given cuts are scored by `evaluate`";
        return Err(Invalid::new(Code::Unknown, "p", Value::Null, message));
    }
    Ok(Output {
        id: document.id,
        body: Body::Solved(Box::new(answer(&problem, options, progress))),
    })
}

/// Scores the cuts that a document gives.
///
/// # Errors
/// As [`solve`]; cuts that are none are bad input at `p[i]`.
pub fn score(text: &str, empty_tiers: bool) -> Result<Output, Invalid> {
    let (document, problem) = read(text, empty_tiers)?;
    let Some(cuts) = document.p else {
        let message = "p is missing: `evaluate` scores given cuts";
        return Err(Invalid::new(Code::Missing, "p", Value::Null, message));
    };
    Ok(Output {
        id: document.id,
        body: Body::Evaluated(evaluate(&problem, &cuts)?),
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
