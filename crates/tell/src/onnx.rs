//! Graphs from files: what a worker is to read, and what it says of it.

use super::worker::Errand;
use engine::graph::Document;
use engine::graph::onnx::{self, Options};
use serde::{Deserialize, Serialize};

/// A graph from a file, on its way to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// The graph.
    pub graph: Document,
    /// Symbolic and missing dimensions with their lengths.
    pub dims: Vec<onnx::Dim>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// Nodes of the file.
    pub nodes: usize,
}

/// An ONNX file to read, which comes beside the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Onnx {
    /// Name of the file.
    pub name: String,
    /// How it is read.
    pub options: Options,
}

impl Errand for Onnx {
    type Scenario = ();
    type Answer = Imported;
    const KIND: &'static str = "onnx";
}
