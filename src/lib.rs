//! Edgewise: how should a neural network be cut, placed, ordered and scheduled on the machines you
//! have, and what will it cost in seconds, bytes and money?
//!
//! This crate is the whole engine: the page, its worker and the command line are thin shells over it.
//! A scenario (what a person edits) compiles to a problem (numbers in a paper's notation); a method
//! searches a plan; the referee in [`evaluate`] scores every plan again, whoever made it.
//!
//! | room | what it holds |
//! |---|---|
//! | [`units`] | quantities with their units, and how they are printed |
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
//! | [`methods`] | one room per paper |
//! | [`job`] | requests and answers: problem files, the worker's protocol, the command line's verbs |
//! | [`report`] | an answer in words |
//! | [`plot`] | charts as marks, and one painter for canvas and SVG |
//! | `ui` | the page (browser only) |
//! | `cli` | the command line (native only) |
//!
//! A room uses only rooms above it in this table; `tests/native/house.rs` checks that.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod evaluate;
pub mod graph;
pub mod hardware;
pub mod job;
pub mod methods;
pub mod model;
pub mod network;
pub mod plan;
pub mod plot;
pub mod pool;
pub mod problem;
pub mod report;
pub mod scenario;
pub mod sim;
pub mod solve;
#[cfg(target_arch = "wasm32")]
pub mod ui;
pub mod units;
