//! Problem files of the front between first answer and rate: the same documents as those of a cold start, with a `decode`
//! whose own goal does not matter.

use super::cold_start::{ColdStartOptions, Problems, unplanned};
use super::{Answered, Output};
use crate::Status;
use crate::cold_start_front::{Front, front_of};
use engine::problem::{ColdStart, Invalid};
use serde::Serialize;
use std::ops::ControlFlow;

/// Result of a problem file: one front, or one for each prompt length.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Fronts {
    /// For one prompt length.
    One(Box<Front>),
    /// For several.
    Rows {
        /// The fronts in the order of `tokens`.
        rows: Vec<Row>,
    },
}

/// The front for one of several prompt lengths.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Row {
    /// Prompt length [tokens].
    t: f64,
    #[serde(flatten)]
    front: Front,
}

impl Answered for Fronts {
    /// Rows count as infeasible only when all are.
    fn status(&self) -> Option<Status> {
        match self {
            Fronts::One(front) => Some(front.status),
            Fronts::Rows { rows } => {
                let first = rows.first().map(|row| row.front.status);
                let alike = rows.iter().all(|row| Some(row.front.status) == first);
                if alike { first } else { Some(Status::Feasible) }
            }
        }
    }
}

/// The front of one document; `on_progress` receives the number of problems solved so far and may cancel.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &ColdStartOptions,
    on_progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Output<Fronts>, Invalid> {
    let document = unplanned(text, options.relay)?;
    let mut one =
        |problem: &ColdStart| front_of(problem, options.heuristic, &options.limits, on_progress);
    let answer = match &document.problems {
        Problems::One(problem) => Fronts::One(Box::new(one(problem)?)),
        Problems::Many(lengths) => {
            let row = |t, problem: &ColdStart| {
                let front = one(problem)?;
                Ok(Row { t, front })
            };
            Fronts::Rows {
                rows: lengths.rows(row)?,
            }
        }
    };
    Ok(Output {
        id: document.id,
        answer,
    })
}
