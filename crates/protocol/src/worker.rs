//! The protocol between the page and its workers.
//!
//! A [`WorkerRequest`] carries its whole scenario, so a worker keeps no state and can be replaced. It holds one or more tasks about
//! that scenario, which are answered in order, each as soon as it is done. A [`WorkerResponse`] carries the number of its request, so that
//! late replies are recognised. A task is an [`WorkerTask`]; the worker program has a handler for each.

use engine::problem::Invalid;
use engine::scenario::world::FileFormat;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;

/// Panic message where a value cannot be decoded: both sides are of one build.
pub const SAME_BUILD: &str = "page and worker come from the same build";

/// Key of the file that a request message may carry.
pub const FILE: &str = "file";

/// A task for the worker about a scenario.
pub trait WorkerTask: Clone + Serialize + DeserializeOwned + 'static {
    /// The payload that all tasks of a request share: the scenario.
    type Scenario: Payload;
    /// The result.
    type Answer: Serialize + DeserializeOwned;
    /// Tag of requests with this task. Unique among all tasks.
    const KIND: &'static str;

    /// Returns true if the task belongs to a first answer, for which the worker loads only a part of its program.
    fn is_first(&self) -> bool {
        false
    }
}

/// Encodes values for messages between page and worker.
pub trait Codec {
    /// An encoded value, which may be a part of another one.
    type Value: Serialize + DeserializeOwned;

    /// Encodes a value.
    ///
    /// # Errors
    /// The value cannot be encoded.
    fn write(it: &impl Serialize) -> Result<Self::Value, String>;

    /// Decodes a value.
    ///
    /// # Errors
    /// The value is not a `T`.
    fn read<T: DeserializeOwned>(value: Self::Value) -> Result<T, String>;
}

/// A payload that can be sent to the worker.
pub trait Payload: Clone + 'static {
    /// Encodes the payload.
    ///
    /// # Errors
    /// The payload cannot be encoded.
    fn send<W: Codec>(&self) -> Result<W::Value, String>;

    /// Decodes and validates a payload.
    ///
    /// # Errors
    /// The scenario is invalid. The page validates it before it sends it, so this does not happen in practice.
    ///
    /// # Panics
    /// The value was not encoded by this build.
    fn arrive<W: Codec>(value: W::Value) -> Result<Self, Invalid>;
}

/// The payload of tasks that need no scenario.
impl Payload for () {
    fn send<W: Codec>(&self) -> Result<W::Value, String> {
        W::write(self)
    }

    fn arrive<W: Codec>(value: W::Value) -> Result<Self, Invalid> {
        W::read::<()>(value).expect(SAME_BUILD);
        Ok(())
    }
}

/// A scenario that is sent in its file format, so that there is a single reader and a single writer.
#[derive(Debug, PartialEq)]
pub struct SharedPayload<S>(pub Arc<S>);

impl<S> Clone for SharedPayload<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> Deref for SharedPayload<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: FileFormat + 'static> Payload for SharedPayload<S> {
    fn send<W: Codec>(&self) -> Result<W::Value, String> {
        W::write(&self.0.to_file())
    }

    fn arrive<W: Codec>(value: W::Value) -> Result<Self, Invalid> {
        let file: String = W::read(value).expect(SAME_BUILD);
        S::of_file(&file).map(|scenario| Self(Arc::new(scenario)))
    }
}

/// A message from the page to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerRequest<V> {
    /// Number of the request.
    pub id: u32,
    /// Tag of its tasks, [`WorkerTask::KIND`].
    pub kind: String,
    /// True if all tasks belong to a first answer; see [`WorkerTask::is_first`].
    pub first: bool,
    /// The encoded payload.
    pub scenario: V,
    /// The encoded list of tasks.
    pub tasks: V,
}

/// A message from a worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerResponse<V> {
    /// The worker has started and reads requests.
    Ready {
        /// The version of the program, to catch a page and a worker that do not belong together.
        version: String,
    },
    /// Progress of a search.
    Progress {
        /// Number of the request.
        id: u32,
        /// Steps done.
        done: f64,
        /// Total number of steps, if it is known.
        of: Option<f64>,
    },
    /// A partial answer.
    Partial {
        /// Number of the request.
        id: u32,
        /// Index of the task in the request, from 0.
        at: u32,
        /// The encoded partial answer.
        answer: V,
    },
    /// The answer to a task.
    Answered {
        /// Number of the request.
        id: u32,
        /// Index of the task in the request, from 0.
        at: u32,
        /// The encoded answer.
        answer: V,
    },
    /// The scenario cannot be answered.
    Refused {
        /// Number of the request.
        id: u32,
        /// Index of the task in the request, from 0.
        at: u32,
        /// The reason, by field.
        fault: Invalid,
    },
    /// The worker has failed and must be replaced.
    Panic {
        /// Message of the panic.
        message: String,
    },
}
