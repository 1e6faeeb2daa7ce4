//! Problem files of the front between first answer and rate: the same documents as those of a cold start, with a `decode`
//! whose own goal does not matter.

use super::Answered;
use super::cold_start::{Options, Problems, unplanned};
use crate::Status;
use crate::cold_start_front::{Front, front_of};
use engine::problem::{ColdStart, Invalid};
use serde::Serialize;
use serde_json::Value;
use std::ops::ControlFlow;

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
    One(Box<Front>),
    Rows { rows: Vec<Row> },
}

#[derive(Debug, Serialize)]
struct Row {
    t: f64,
    #[serde(flatten)]
    front: Front,
}

impl Answered for Output {
    /// Rows count as infeasible only when all are.
    fn status(&self) -> Option<Status> {
        match &self.body {
            Body::One(front) => Some(front.status),
            Body::Rows { rows } => {
                let first = rows.first().map(|row| row.front.status);
                let alike = rows.iter().all(|row| Some(row.front.status) == first);
                if alike { first } else { Some(Status::Feasible) }
            }
        }
    }
}

/// The front of one document; `heard` is told how many problems were solved so far and may break off.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &Options,
    heard: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Output, Invalid> {
    let document = unplanned(text, options.relay)?;
    let mut one =
        |problem: &ColdStart| front_of(problem, options.heuristic, &options.limits, heard);
    let body = match &document.problems {
        Problems::One(problem) => Body::One(Box::new(one(problem)?)),
        Problems::Many(lengths) => {
            let row = |t, problem: &ColdStart| {
                let front = one(problem)?;
                Ok(Row { t, front })
            };
            Body::Rows {
                rows: lengths.rows(row)?,
            }
        }
    };
    Ok(Output {
        id: document.id,
        body,
    })
}
