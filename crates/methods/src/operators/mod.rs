//! Operator graphs on small devices: in which order the operators run, and where their tensors lie.
//!
//! Source: Zhang et al., "MemoriaNova: Optimizing Memory-Aware Model Inference for Edge Computing", ACM TACO 22(1),
//! article 3, 2025. Its first half is an order of the operators under which little memory is held ([`order`]); where the
//! tensors of an order are in one piece of memory ([`arena`]) is ours.
//!
//! Try: `edgewise solve operator-order googlenet.onnx --objective table4`; expect 146 496 448 bytes or, as the paper
//! prints it, 139.71 MB.

pub mod arena;
pub mod order;
pub mod split;
