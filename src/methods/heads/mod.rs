//! Attention heads on devices: which device hosts each head of a decoder layer with its cache, and which proj and ffn.
pub mod brute;
pub mod costs;
pub mod exact;
mod sweep;
