//! The protocol between the page and its workers, and the labels that editor, answer and report share.
//!
//! The page links this crate and the document model, but no solver, no problem and no plan. Begin with `ask.rs`.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod about;
mod ask;
pub mod assumed;
pub mod columns;
mod edits;
pub mod flags;
mod gatherings;
pub mod glossary;
pub mod import;
pub mod inputs;
pub mod names;
pub mod onnx;
pub mod papers;
pub mod request_kinds;
pub mod table;
mod telling;
mod told;
pub mod worker;

pub use ask::{
    AnswerRequest, AnswerResponse, AnswerTask, Answerable, SubtaskResult, packed, read, unpacked,
    written,
};
pub use edits::{changed, difference, three_digits, with_number};
pub use gatherings::{AggregateState, ScatterGather, SubtaskOutcome, SubtaskRef};
pub use telling::{AnswerView, FileSource, FileSpec};
pub use told::{AnswerDocument, cited};
