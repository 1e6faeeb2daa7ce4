//! Operator graphs: what a network computes, operator by operator, with the bytes of every tensor.
//!
//! Source: MemoriaNova (ACM TACO 22(1), article 3), section 2. A graph comes as JSON ([`Document`]), from an ONNX file
//! or from the catalogue; a [`Graph`] is valid by construction.
//!
//! Tensors are numbered: the outputs of the operators first, by operator, then the inputs of the graph. In JSON input i
//! is written -1-i.

pub mod catalogue;
mod checked;
mod objective;
pub mod onnx;
mod operator;
mod text;
mod weights;

pub use checked::{Graph, MOST_BYTES, MOST_EDGES, MOST_INPUTS, MOST_OPS};
pub use objective::Objective;
pub use operator::{Kernel, Op, OperatorKind};
pub use text::{Document, OpDocument};
pub use weights::Weights;
