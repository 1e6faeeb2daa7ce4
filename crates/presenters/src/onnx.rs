//! Graphs are read from files by the worker.

use super::worker::TaskHandler;
use engine::graph::onnx;
use engine::problem::{Code, Invalid};
use planner::Listener;
use protocol::onnx::{ImportedGraph, OnnxTask};
use std::io::{Read, Seek};

impl TaskHandler for OnnxTask {
    fn answer(
        &self,
        &(): &(),
        _on_progress: &mut Listener<'_, ImportedGraph>,
    ) -> Result<ImportedGraph, Invalid> {
        let name = &self.name;
        let message = format!("no file came with the request to read {name:?}");
        Err(Invalid::new(Code::Io, "", name.as_str(), message))
    }

    /// Reads it, in O(size of the graph): weights are passed over unread.
    fn answer_from(
        &self,
        file: &mut Option<impl Read + Seek>,
        &(): &(),
        on_progress: &mut Listener<'_, ImportedGraph>,
    ) -> Result<ImportedGraph, Invalid> {
        let Some(file) = file.take() else {
            return self.answer(&(), on_progress);
        };
        let stem = self.name.strip_suffix(".onnx").unwrap_or(&self.name);
        let found = onnx::import(file, stem, &self.options)?;
        Ok(ImportedGraph {
            graph: found.graph.document(),
            dims: found.dims,
            notes: found.notes,
            nodes: found.nodes,
        })
    }
}
