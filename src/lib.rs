//! Edgewise: how should a neural network be cut, placed, ordered and scheduled on the machines you
//! have, and what will it cost in seconds, bytes and money?
//!
//! This crate holds the two faces of one answer, the page and the command line. What they show is made in the crates
//! below: a scenario (what a person edits) compiles to a problem (numbers in a paper's notation); a method
//! searches a plan; the referee in [`engine::evaluate`] scores every plan again, whatever made it.
//!
//! | crate | what it holds |
//! |---|---|
//! | [`engine`] | units, machines, networks, models, scenarios, problems, plans, the referee |
//! | `methods` | the solvers, one room per paper |
//! | [`job`] | requests and answers: problem files, the worker's protocol, the command line's verbs |
//! | [`report`] | an answer in words |
//! | [`chart`] | charts as marks, and one painter for canvas and SVG |
//! | `ui` | the page (browser only), a room of this crate |
//! | `cli` | the command line (native only), a room of this crate |
//! | `service` | the command line's answers over HTTP (native only) |
//! | `worker` | the solvers in a Web Worker of the page |
//!
//! A crate uses only crates above it in this table; `tests/native/source_rules.rs` checks that.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(target_arch = "wasm32")]
pub mod ui;
