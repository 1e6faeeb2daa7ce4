//! Operator graphs: what ONNX files become, hostile ones too, and the catalogue that is made of them.

mod catalogue;
mod functions;
mod hostile;
mod inferred;
mod onnx;
mod quantised;
mod written;
