//! Answers in words and tables, for the page's worker and the command line alike. What is said is read off the
//! scored timeline, never off a template alone.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod calibration;
pub mod chains;
pub mod cold_start;
pub mod dispatch;
pub mod heads;
mod onnx;
pub mod operators;
pub mod presenting;
pub mod published;
pub mod ranges;
pub mod requests;
pub mod sensitivity;
pub mod tiers;
pub mod worker;
pub mod worker_tasks;
