//! Operator graphs out of ONNX files.
//!
//! Source: MemoriaNova (ACM TACO 22(1), article 3), section 2: what is kept, what is transparent, whose sources a
//! tensor has, and what its bytes are; the file format is ONNX (onnx.proto). Only the graph is read: weights are sought
//! over, those in other files never opened, so a file costs memory for its graph alone.
//!
//! Decisions where the text is silent:
//! * A tensor that comes out of Shape depends on a graph input, so it is data, as the rule says; the notes tell of it.
//! * Lengths that an option gives win over what follows from the operators; lengths that nothing gives are taken from
//!   the operators, and are 1 where these do not tell, which a note says.
//! * A convolution turned round (ConvTranspose) and one along a single axis need all of what they read, whichever rows
//!   are asked for: their sources are in `full`.
//! * Of five axes the last but one is the height, of three none: a pooling of three keeps its channels row by row.
//! * Quantised operators count with the bits that they store, and pairs of QuantizeLinear and DequantizeLinear are folded into what
//!   stands between them, weights too; the paper has float32 alone.
//! * The file’s own functions are inlined. Graphs inside nodes (If, Loop, Scan) are refused: they hide operators.

mod functions;
mod import;
mod model;
mod operator_figures;
mod operators;
mod quantised;
mod reader;
mod shapes;
mod sources;
mod symbols;
mod tensor;
mod values;
mod window;

pub use import::import;

use crate::graph::Graph;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a file is read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Lengths for symbolic and missing axes by name, each at least 1; a missing one is called `<tensor>[<axis>]`.
    #[serde(default)]
    pub dims: BTreeMap<String, u64>,
    /// True to keep Gemm nodes although there are convolutions.
    #[serde(default)]
    pub classifier: bool,
}

/// The length of an axis that the file leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Dim {
    /// Its name in the file, or `<tensor>[<axis>]`.
    pub name: String,
    /// Length.
    pub value: u64,
    /// True if it comes from an option.
    pub given: bool,
}

/// Content of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedOnnx {
    /// Its operators.
    pub graph: Graph,
    /// Lengths that the file leaves open, in order of appearance.
    pub dims: Vec<Dim>,
    /// Sentences about what was not counted.
    pub notes: Vec<String>,
    /// Nodes of the file.
    pub nodes: usize,
}
