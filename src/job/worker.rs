//! The worker's protocol: what the page asks, what the worker says, and the one function between.
//!
//! Every request carries its whole scenario, so the worker keeps no state and a replacement knows as much.
//! It may ask for several prompt lengths: they are answered in order, each as soon as it is known.
//! Every reply carries the number of its request, so that a late one is told apart.

use super::cold_start::{Answer, Method, answer};
use crate::problem::Invalid;
use crate::scenario::Scenario;
use crate::solve::{Event, Limits};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// What the page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Number of the request.
    pub id: u32,
    /// The scenario.
    pub scenario: Scenario,
    /// Prompt lengths to answer for [tokens]; a sweep asks for others than the scenario's own.
    pub tokens: Vec<f64>,
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
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
    /// The answer.
    Answered {
        /// Number of the request.
        id: u32,
        /// Which of its prompt lengths, from 0.
        at: u32,
        /// The answer.
        answer: Box<Answer>,
    },
    /// The scenario cannot be answered.
    Refused {
        /// Number of the request.
        id: u32,
        /// Which of its prompt lengths, from 0.
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

/// Answers a request; `say` hears one answer or refusal for every prompt length, in order, and progress between.
pub fn handle(request: &Request, mut say: impl FnMut(Reply)) {
    for (at, tokens) in (0..).zip(&request.tokens) {
        let reply = one(request, at, *tokens, &mut say);
        say(reply);
    }
}

fn one(request: &Request, at: u32, tokens: f64, say: &mut impl FnMut(Reply)) -> Reply {
    let id = request.id;
    let problem = match request.scenario.problem_at(tokens) {
        Ok(problem) => problem,
        Err(fault) => return Reply::Refused { id, at, fault },
    };
    let mut listen = |event: Event<'_, _>| {
        if let Event::Step { done, of } = event {
            say(Reply::Progress {
                id,
                done: done as f64,
                of: of.map(|n| n as f64),
            });
        }
        ControlFlow::Continue(())
    };
    let reading = request.scenario.heuristic;
    let answer = answer(
        &problem,
        Method::Exact,
        reading,
        &Limits::default(),
        &mut listen,
    );
    Reply::Answered {
        id,
        at,
        answer: Box::new(answer),
    }
}
