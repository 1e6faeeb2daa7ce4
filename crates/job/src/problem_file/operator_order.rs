//! Problem files of an order of operators: a graph, `{"name","inputs":[bytes],"outputs":[op],"ops":[…]}`.

use super::Answered;
use crate::Status;
use crate::operator_order::{Answer, answer};
use engine::graph::{Document, Graph, OpDocument};
use engine::plan::Order;
use engine::problem::{Invalid, json};
use engine::solve::Progress;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::operator_order::{Method, Options};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Problem {
    id: Option<Value>,
    #[serde(default)]
    name: String,
    inputs: Vec<u64>,
    #[serde(default)]
    outputs: Vec<u32>,
    ops: Vec<OpDocument>,
}

/// A finished document.
#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: Answer,
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        Some(self.answer.status)
    }
}

/// Solves one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &Options,
    progress: &mut impl Progress<Order>,
) -> Result<Output, Invalid> {
    let problem: Problem = json::read(text, &["", "ops[]"])?;
    let graph = Graph::new(Document {
        name: problem.name,
        inputs: problem.inputs,
        outputs: problem.outputs,
        ops: problem.ops,
    })?;
    Ok(Output {
        id: problem.id,
        ..of_graph(&graph, options, progress)
    })
}

/// Solves a graph that came from elsewhere.
pub fn of_graph(graph: &Graph, options: &Options, progress: &mut impl Progress<Order>) -> Output {
    Output {
        id: None,
        answer: answer(graph, options, progress),
    }
}
