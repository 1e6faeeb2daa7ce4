//! Requests from the page to its worker about one scenario, and the responses.
//!
//! The page knows neither the answer nor the problem behind it, only the [`AnswerView`] made of them. It requests the summary first, the
//! full view once the scenario has stopped changing, then the queries that the view lists. Begin with [`AnswerRequest`].

use super::answer_view::AnswerView;
use super::worker::{SharedPayload, WorkerTask};
use document::{Edit, PackedBytes, Patch, wire};
use engine::problem::Invalid;
use engine::scenario::world::FileFormat;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::sync::Arc;

/// A scenario that the worker can answer.
pub trait Answerable: FileFormat + 'static {
    /// Tag of requests about this type. Unique among all questions.
    const KIND: &'static str;

    /// Returns true if cached results for `before` ([`document::CacheScope`]) are valid for `self`.
    fn is_cache_valid_for(&self, _before: &Self) -> bool {
        false
    }
}

/// Serialized result of a subtask, or the context of one. Only the presenter reads it.
pub type SubtaskResult = serde_bytes::ByteBuf;

/// A request about a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AnswerRequest {
    /// The summary: the answer and its main chart. On the path of every drag.
    Summary,
    /// All sections.
    Full,
    /// A query of the view that belongs to the first answer.
    Immediate(String),
    /// A query of the view.
    Deferred(String),
    /// A subtask: number of the aggregation and index in it, name, context.
    Subtask((u32, u32), String, Arc<SubtaskResult>),
    /// Combines completed subtasks: number of the aggregation, query, context, results. A result is `None` while it is missing.
    Aggregate(u32, String, Arc<SubtaskResult>, Vec<Option<SubtaskResult>>),
    /// The sections of a slot for other values of its controls.
    WithControls(String, Vec<f64>),
    /// Content of a file that the view offers, by its id.
    File(String),
    /// Content of a file that is made of subtask results: id, results.
    FileFrom(String, Vec<Option<SubtaskResult>>),
    /// Reads a file of the user: slot that takes it, name of the file, text.
    Import(String, String, String),
}

/// The response to an [`AnswerRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AnswerResponse {
    /// The summary or the full view.
    View(AnswerView),
    /// Patches of the view.
    Patches(Vec<Patch>),
    /// Result of a subtask.
    Subtask(SubtaskResult),
    /// Content of a file.
    File(#[serde(with = "serde_bytes")] Vec<u8>),
    /// A message about the imported file, and the edit that it makes.
    Import(String, Edit),
}

/// A request about a scenario of type `S`, with the state of its presenter.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct AnswerTask<S> {
    /// The request.
    pub request: AnswerRequest,
    /// [State of the presenter](AnswerView::presenter_state) from the view that the request refers to; empty for a first request.
    pub presenter_state: Arc<SubtaskResult>,
    #[serde(skip)]
    of: PhantomData<fn() -> S>,
}

impl<S> AnswerTask<S> {
    /// Creates a request without presenter state.
    #[must_use]
    pub fn of(ask: AnswerRequest) -> Self {
        Self::about(ask, Arc::default())
    }

    /// Creates a request that refers to a view with the presenter state `noted`.
    #[must_use]
    pub const fn about(ask: AnswerRequest, noted: Arc<SubtaskResult>) -> Self {
        let of = PhantomData;
        Self {
            request: ask,
            presenter_state: noted,
            of,
        }
    }
}

impl<S> Clone for AnswerTask<S> {
    fn clone(&self) -> Self {
        Self::about(self.request.clone(), self.presenter_state.clone())
    }
}

impl<S: Answerable> WorkerTask for AnswerTask<S> {
    type Scenario = SharedPayload<S>;
    type Answer = PackedBytes<AnswerResponse>;
    const KIND: &'static str = S::KIND;

    fn is_first(&self) -> bool {
        matches!(
            self.request,
            AnswerRequest::Summary | AnswerRequest::Immediate(_)
        )
    }
}

/// Parses a query that [`written`] made.
///
/// # Errors
/// The text was not written by this build.
pub fn read<A: DeserializeOwned>(ask: &str) -> Result<A, Invalid> {
    serde_json::from_str(ask)
        .map_err(|_| Invalid::range("ask", ask, "what the story says is to be asked"))
}

/// Serializes a query as JSON; [`read`] parses it.
///
/// # Panics
/// `ask` cannot be written as JSON. Plain data always can.
#[must_use]
pub fn written(ask: &impl Serialize) -> String {
    serde_json::to_string(ask).expect("what is asked is plain data")
}

/// Encodes a subtask result or context as postcard bytes.
///
/// # Panics
/// `it` cannot be encoded. Plain data always can.
#[must_use]
pub fn packed(it: &impl Serialize) -> Vec<u8> {
    wire::pack(it).expect("what goes along is plain data")
}

/// Decodes bytes that [`packed`] made.
///
/// # Errors
/// The bytes were not encoded by this build.
pub fn unpacked<A: DeserializeOwned>(bytes: &[u8]) -> Result<A, Invalid> {
    wire::unpack(bytes).map_err(|_| {
        Invalid::range(
            "piece",
            bytes.len(),
            "what this build\u{2019}s worker has packed",
        )
    })
}
