//! The foundation: quantities, machines, networks, models and graphs, the scenario that a user edits, the validated problem built
//! from it, the plan that solves it, and the evaluator that scores every plan again.
//!
//! | room | what it holds |
//! |---|---|
//! | [`units`] | quantities with their units, and how they are printed |
//! | [`papers`] | what the five papers report, row by row, and how they are cited |
//! | [`model`] | transformer blocks: work, activations, weights; the model catalogue |
//! | [`hardware`] | devices and their effective speed; the device catalogue |
//! | [`network`] | wireless channel and link rates; the channel catalogue |
//! | [`problem`] | validated instances in the papers' notation, and what makes one invalid |
//! | [`graph`] | operator graphs: operators, tensors, bytes; ONNX files; the catalogue of graphs |
//! | [`sim`] | discrete events: queue, lines, stores, outages, random numbers, statistics |
//! | [`plan`] | what methods return: stages and timelines, plain data |
//! | [`scenario`] | what a person edits: versioned schema, link codec, presets |
//! | [`evaluate`] | the referee |
//! | [`solve`] | the contract of every solver: limits, progress, bound, how it ended |
//! | [`pool`] | jobs over a pool of workers, as a state machine |
//!
//! A room uses only rooms above it in this table; `tests/native/source_rules.rs` checks that.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod evaluate;
pub mod graph;
pub mod hardware;
pub mod model;
pub mod network;
pub mod papers;
pub mod plan;
pub mod pool;
pub mod problem;
pub mod scenario;
pub mod sim;
pub mod solve;
pub mod units;
