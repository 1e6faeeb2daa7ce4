//! The worker's protocol: what the page asks, and what the worker says.
//!
//! Every request carries its whole scenario, so the worker keeps no state and a replacement knows as much.
//! It may ask for several things about it: they are answered in order, each as soon as it is known.
//! Every reply carries the number of its request, so that a late one is told apart.
//!
//! What can be asked is an [`Errand`]; whoever runs the worker knows how each is done.

use engine::problem::Invalid;
use engine::scenario::world::Filed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;

/// Why what a page has sent is read without a doubt.
pub const SAME_BUILD: &str = "page and worker come from the same build";

/// Where the message of a request has the file that it is about, if there is one.
pub const FILE: &str = "file";

/// Something that a worker can be sent to find out about a scenario.
pub trait Errand: Clone + Serialize + DeserializeOwned + 'static {
    /// What it is asked about: a scenario, and what else all asks of a request have in common.
    type Scenario: Carried;
    /// What is found out.
    type Answer: Serialize + DeserializeOwned;
    /// What requests call it; no two have the same name.
    const KIND: &'static str;

    /// Whether it belongs to a first answer, which needs less of the worker than all that is asked after it.
    fn is_first(&self) -> bool {
        false
    }
}

/// How what is asked and answered crosses between page and worker.
pub trait Wire {
    /// A value on its way; it may stand in another one.
    type Value: Serialize + DeserializeOwned;

    /// Puts a value on its way.
    ///
    /// # Errors
    /// Why it cannot go.
    fn write(it: &impl Serialize) -> Result<Self::Value, String>;

    /// Takes a value off again.
    ///
    /// # Errors
    /// Why it is no such value.
    fn read<T: DeserializeOwned>(value: Self::Value) -> Result<T, String>;
}

/// What errands are about, on its way to the worker.
pub trait Carried: Clone + 'static {
    /// Puts it on its way.
    ///
    /// # Errors
    /// As [`Wire::write`].
    fn send<W: Wire>(&self) -> Result<W::Value, String>;

    /// Takes it off again.
    ///
    /// # Errors
    /// What is wrong with it: the page checks a scenario before it asks.
    ///
    /// # Panics
    /// If it is none of this build’s.
    fn arrive<W: Wire>(value: W::Value) -> Result<Self, Invalid>;
}

/// Of errands that are about nothing but themselves.
impl Carried for () {
    fn send<W: Wire>(&self) -> Result<W::Value, String> {
        W::write(self)
    }

    fn arrive<W: Wire>(value: W::Value) -> Result<Self, Invalid> {
        W::read::<()>(value).expect(SAME_BUILD);
        Ok(())
    }
}

/// A scenario that is sent as its file, so that page and worker know one way alone to write and to read it.
#[derive(Debug, PartialEq)]
pub struct Sent<S>(pub Arc<S>);

impl<S> Clone for Sent<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> Deref for Sent<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: Filed + 'static> Carried for Sent<S> {
    fn send<W: Wire>(&self) -> Result<W::Value, String> {
        W::write(&self.0.to_file())
    }

    fn arrive<W: Wire>(value: W::Value) -> Result<Self, Invalid> {
        let file: String = W::read(value).expect(SAME_BUILD);
        S::of_file(&file).map(|scenario| Self(Arc::new(scenario)))
    }
}

/// What the page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request<V> {
    /// Number of the request.
    pub id: u32,
    /// The kind of its errands.
    pub kind: String,
    /// Whether they all belong to a first answer, as [`Errand::is_first`] says.
    pub first: bool,
    /// What they are about.
    pub scenario: V,
    /// The errands, a list.
    pub asks: V,
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply<V> {
    /// The worker has started and reads requests.
    Ready {
        /// The version of the program, to catch a page and a worker that do not belong together.
        version: String,
    },
    /// How far a search has come.
    Progress {
        /// Number of the request.
        id: u32,
        /// Steps done.
        done: f64,
        /// Of how many.
        of: Option<f64>,
    },
    /// As much of an answer as is known yet.
    Part {
        /// Number of the request.
        id: u32,
        /// Which of its things to find out, from 0.
        at: u32,
        /// What is known.
        answer: V,
    },
    /// The answer.
    Answered {
        /// Number of the request.
        id: u32,
        /// Which of its things to find out, from 0.
        at: u32,
        /// The answer.
        answer: V,
    },
    /// The scenario cannot be answered.
    Refused {
        /// Number of the request.
        id: u32,
        /// Which of its things to find out, from 0.
        at: u32,
        /// What is wrong with it.
        fault: Invalid,
    },
    /// The worker has failed and must be replaced.
    Panic {
        /// What it said last.
        message: String,
    },
}
