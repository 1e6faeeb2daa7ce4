//! Problem files: the command line's JSON in the papers' own notation, one document or one a line. One file here a
//! kind of problem; each has options that a document does not carry, `solve`, and `score` where a plan can be given.

mod cold_decode;
mod kind;

pub mod cold_start;
pub mod cold_start_front;
pub mod dispatch;
pub mod head_placement;
pub mod head_placement_run;
pub mod migration;
pub mod operator_order;
pub mod operator_partition;
pub mod tiers_partition;
pub mod tiers_schedule;
pub mod tiers_simulate;

pub use crate::Status;
pub use kind::ProblemKind;

use engine::graph::Graph;
use engine::problem::Invalid;
use engine::problem::json;
use serde::Serialize;
use serde_json::Value;

/// A finished document: ready to print, with what decides the exit code.
pub trait Answered: Serialize {
    /// Returns the proof status; `None` where nothing was searched.
    fn status(&self) -> Option<Status>;
}

/// An answer with what its document adds to it.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Output<A> {
    /// The `id` of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: A,
}

impl<A: Answered> Answered for Output<A> {
    fn status(&self) -> Option<Status> {
        self.answer.status()
    }
}

/// Reads the graph of an ONNX file that a document names.
pub type Open<'o> = &'o mut dyn FnMut(&str) -> Result<Graph, Invalid>;

/// The `id` of a document that could not be answered, as far as it can be read.
#[must_use]
pub fn id_of(text: &str) -> Value {
    let document: Option<Value> = serde_json::from_str(json::unmarked(text)).ok();
    document
        .and_then(|document| document.get("id").cloned())
        .unwrap_or(Value::Null)
}
