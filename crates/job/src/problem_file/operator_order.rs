//! Problem files of an order of operators: a graph, `{"name","inputs":[bytes],"outputs":[op],"ops":[…]}`, and for `evaluate`
//! that graph, or `"onnx":path` in its place, with the `"order":[op…]`.
//!
//! Beyond that a document may have `"weights":"resident"`, where all weights lie in memory from the first step to the last;
//! `"per-operator"`, where each lies there only while its operator runs, is the usual rule.

use super::{Answered, Open};
use crate::Status;
use crate::operator_order::{Answer, Evaluation, answer, evaluate};
use engine::graph::{Document, Graph, OpDocument, Weights};
use engine::plan::Order;
use engine::problem::{Code, Invalid, json};
use engine::solve::Progress;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::operator_order::{Method, Options};

/// The places where an object stands, for [`json::read`].
const OBJECTS: [&str; 2] = ["", "ops[]"];

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
    #[serde(default)]
    weights: Weights,
    order: Option<Order>,
}

/// A document for `evaluate` whose graph is an ONNX file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    id: Option<Value>,
    onnx: String,
    #[serde(default)]
    weights: Weights,
    order: Option<Order>,
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
    Evaluated(Box<Evaluation>),
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        match &self.body {
            Body::Solved(answer) => Some(answer.status),
            Body::Evaluated(_) => None,
        }
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
    options: &Options,
    progress: &mut impl Progress<Order>,
) -> Result<Output, Invalid> {
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
pub fn of_graph(graph: &Graph, options: &Options, progress: &mut impl Progress<Order>) -> Output {
    Output {
        id: None,
        body: Body::Solved(Box::new(answer(graph, options, progress))),
    }
}

/// Scores the order that a document gives; `open` reads the ONNX file that it names in place of a graph.
///
/// # Errors
/// As [`solve`]; an order that is none is bad input at `order[i]`.
///
/// # Complexity
/// O(operators + operands).
pub fn score(text: &str, open: Open<'_>) -> Result<Output, Invalid> {
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
        body: Body::Evaluated(Box::new(evaluate(&graph, order)?)),
    })
}
