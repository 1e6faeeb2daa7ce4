//! Problem files of an order of operators: a graph, `{"name","inputs":[bytes],"outputs":[op],"ops":[…]}`, and for `evaluate`
//! that graph, or `"onnx":path` in its place, with the `"order":[op…]`.
//!
//! Beyond that a document may have `"weights":"resident"`, where all weights are in memory from the first step to the last;
//! `"per-operator"`, where each is there only while its operator runs, is the usual rule.

use super::{Answered, Open, Output};
use crate::Status;
use crate::operator_order::{Answer, Evaluation, answer, evaluate};
use engine::graph::{Document, Graph, OpDocument, Weights};
use engine::plan::OperatorOrder;
use engine::problem::{Code, Invalid, json};
use engine::solve::Progress;
use serde::Deserialize;
use serde_json::Value;

pub use crate::operator_order::{Method, OrderOptions};

/// The places where an object stands, for [`json::read`].
const OBJECTS: [&str; 2] = ["", "ops[]"];

/// A graph of operators whose order is asked for.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// A label.
    #[serde(default)]
    name: String,
    /// Size of each input of the graph [B].
    inputs: Vec<u64>,
    /// Operators whose outputs are asked for; those that no operator reads are, whether they are here or not.
    #[serde(default)]
    outputs: Vec<u32>,
    /// The operators in a topological order.
    ops: Vec<OpDocument>,
    /// How long weights are in memory; left out: only while their operator runs.
    #[serde(default)]
    weights: Weights,
    /// An order to be scored, every operator once.
    order: Option<OperatorOrder>,
}

/// An order to be scored, on the graph of an ONNX file.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The ONNX file: its path, and over HTTP the name of a part of the same request.
    onnx: String,
    /// How long weights are in memory; left out: only while their operator runs.
    #[serde(default)]
    weights: Weights,
    /// An order to be scored, every operator once.
    order: Option<OperatorOrder>,
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

impl Problem {
    /// The graph, taken out of the document, with its weights in memory as that says.
    fn graph(&mut self) -> Result<Graph, Invalid> {
        let graph = Graph::new(Document {
            name: std::mem::take(&mut self.name),
            inputs: std::mem::take(&mut self.inputs),
            outputs: std::mem::take(&mut self.outputs),
            ops: std::mem::take(&mut self.ops),
        })?;
        graph.with_weights(self.weights)
    }
}

/// Solves one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &OrderOptions,
    progress: &mut impl Progress<OperatorOrder>,
) -> Result<Output<Answer>, Invalid> {
    let mut problem: Problem = json::read(text, &OBJECTS)?;
    if problem.order.is_some() {
        let message = "order is not a field here: a given order is scored by `evaluate`";
        return Err(Invalid::new(Code::Unknown, "order", Value::Null, message));
    }
    let graph = problem.graph()?;
    Ok(Output {
        id: problem.id,
        ..of_graph(&graph, options, progress)
    })
}

/// Solves a graph that came from elsewhere.
pub fn of_graph(
    graph: &Graph,
    options: &OrderOptions,
    progress: &mut impl Progress<OperatorOrder>,
) -> Output<Answer> {
    Output {
        id: None,
        answer: answer(graph, options, progress),
    }
}

/// Scores the order that a document gives; `open` reads the ONNX file that it names in place of a graph.
///
/// # Errors
/// As [`solve`]; an order that is none is bad input at `order[i]`.
///
/// # Complexity
/// O(operators + operands).
pub fn score(text: &str, open: Open<'_>) -> Result<Output<Evaluation>, Invalid> {
    let names_file = serde_json::from_str(text).is_ok_and(|document: Value| {
        document.get("onnx").is_some() && document.get("ops").is_none()
    });
    let (id, graph, order) = if names_file {
        let named: Named = json::read(text, &[""])?;
        let graph = open(&named.onnx)?.with_weights(named.weights)?;
        (named.id, graph, named.order)
    } else {
        let mut problem: Problem = json::read(text, &OBJECTS)?;
        (problem.id.take(), problem.graph()?, problem.order)
    };
    let Some(order) = order else {
        let message = "order is missing: `evaluate` scores a given order";
        return Err(Invalid::new(Code::Missing, "order", Value::Null, message));
    };
    Ok(Output {
        id,
        answer: evaluate(&graph, order)?,
    })
}
