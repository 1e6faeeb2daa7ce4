//! The protocol between the page and its workers, and the labels that editor, answer and report share.
//!
//! The page links this crate and the document model, but no solver, no problem and no plan. Begin with `requests.rs`.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod about;
mod answer_document;
mod answer_view;
pub mod assumed;
pub mod columns;
mod edits;
pub mod flags;
pub mod glossary;
pub mod import;
pub mod inputs;
pub mod names;
pub mod onnx;
pub mod papers;
pub mod request_kinds;
mod requests;
mod scatter_gather;
pub mod table;
pub mod worker;

pub use answer_document::{AnswerDocument, cited};
pub use answer_view::{AnswerView, FileSource, FileSpec};
pub use edits::{changed, difference, three_digits, with_number};
pub use requests::{
    AnswerRequest, AnswerResponse, AnswerTask, Answerable, SubtaskResult, packed, read, unpacked,
    written,
};
pub use scatter_gather::{AggregateState, ScatterGather, SubtaskOutcome, SubtaskRef};
