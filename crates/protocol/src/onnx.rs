//! The task of reading a graph from an ONNX file.

use super::worker::WorkerTask;
use engine::graph::Document;
use engine::graph::onnx::{self, Options};
use serde::{Deserialize, Serialize};

/// A graph read from a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportedGraph {
    /// The graph.
    pub graph: Document,
    /// Symbolic and missing dimensions with their lengths.
    pub dims: Vec<onnx::Dim>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Number of nodes in the file.
    pub nodes: usize,
}

/// A task that reads the ONNX file attached to its request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OnnxTask {
    /// Name of the file.
    pub name: String,
    /// Options of the reader.
    pub options: Options,
}

impl WorkerTask for OnnxTask {
    type Scenario = ();
    type Answer = ImportedGraph;
    const KIND: &'static str = "onnx";
}
