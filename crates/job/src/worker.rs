//! The worker's protocol: what the page asks, what the worker says, and the one function between.
//!
//! Every request carries its whole scenario, so the worker keeps no state and a replacement knows as much.
//! It may ask for several things about it: they are answered in order, each as soon as it is known.
//! Every reply carries the number of its request, so that a late one is told apart.

use super::cold_start::{Answer, Method, answer};
use super::cold_start_hunt::{Done, FIRST_STEPS, Piece, Share, done};
use super::{cold_start_more, dispatch, heads, operators, tiers};
use engine::graph::onnx;
use engine::problem::{Code, Invalid};
use engine::scenario::{self, Scenario};
use engine::solve::{Event, Limits};
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek};
use std::ops::ControlFlow;

/// Sets of devices between two looks at whether anybody wants to know how far a search is.
const SETS: u64 = 256;

/// Where the message of a request has the file that it is about, if there is one.
pub const FILE: &str = "file";

/// What the page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Number of the request.
    pub id: u32,
    /// What is to be done.
    pub work: Work,
}

/// What is to be done: one scenario, and one or more things to find out about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Cold starts.
    ColdStart {
        /// The scenario.
        scenario: Box<Scenario>,
        /// Prompt lengths to answer for [tokens]; a sweep asks for others than the scenario's own.
        tokens: Vec<f64>,
    },
    /// A piece of a search for a cold start.
    ColdStartHunt {
        /// The scenario.
        scenario: Box<Scenario>,
        /// The piece.
        piece: Box<Piece>,
        /// The shares of it.
        shares: Vec<Share>,
    },
    /// What can be found out about a cold start besides its plan.
    ColdStartMore {
        /// The scenario.
        scenario: Box<Scenario>,
        /// What to find out.
        asks: Vec<cold_start_more::Ask>,
    },
    /// Attention heads on devices.
    HeadPlacement {
        /// The scenario.
        scenario: Box<scenario::heads::Scenario>,
        /// What to find out.
        asks: Vec<heads::Ask>,
    },
    /// Device or server.
    Dispatch {
        /// The scenario.
        scenario: Box<scenario::dispatch::Scenario>,
        /// What to find out.
        asks: Vec<dispatch::Ask>,
    },
    /// Blocks over tiers.
    Tiers {
        /// The scenario.
        scenario: Box<scenario::tiers::Scenario>,
        /// What to find out.
        asks: Vec<tiers::Ask>,
    },
    /// Operator graphs.
    Operators {
        /// The scenario.
        scenario: Box<scenario::operators::Scenario>,
        /// What to find out.
        asks: Vec<operators::Ask>,
    },
    /// The graph of an ONNX file, which comes beside the request ([`handle_file`]).
    Onnx {
        /// Name of the file.
        name: String,
        /// How it is read.
        options: onnx::Options,
    },
}

/// An answer to a piece of [`Work`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// A cold start.
    ColdStart(Box<Answer>),
    /// A share of a piece of a search.
    ColdStartHunt(Box<Done>),
    /// Something about a cold start besides its plan.
    ColdStartMore(Box<cold_start_more::Told>),
    /// Something about attention heads.
    HeadPlacement(Box<heads::Answer>),
    /// Something about device and server.
    Dispatch(Box<dispatch::Answer>),
    /// Something about tiers.
    Tiers(Box<tiers::Answer>),
    /// Something about an operator graph.
    Operators(Box<operators::Answer>),
    /// The graph of a file.
    Imported(Box<operators::Imported>),
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
    /// As much of an answer as is known yet.
    Part {
        /// Number of the request.
        id: u32,
        /// Which of its things to find out, from 0.
        at: u32,
        /// What is known.
        answer: Answered,
    },
    /// The answer.
    Answered {
        /// Number of the request.
        id: u32,
        /// Which of its things to find out, from 0.
        at: u32,
        /// The answer.
        answer: Answered,
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

/// Answers a request; `say` hears one answer or refusal for each thing to find out, in order, and progress between. It
/// answers whether it passed a reply on: who holds progress back is not bothered with parts of answers either.
pub fn handle(request: &Request, mut say: impl FnMut(Reply) -> bool) {
    let id = request.id;
    let mut each = |at: u32, find: &mut dyn FnMut(&mut Heard<'_>) -> Result<Answered, Invalid>| {
        let found = find(&mut Heard {
            id,
            at,
            say: &mut say,
        });
        say(match found {
            Ok(answer) => Reply::Answered { id, at, answer },
            Err(fault) => Reply::Refused { id, at, fault },
        });
    };
    match &request.work {
        Work::ColdStart { scenario, tokens } => {
            for (at, tokens) in (0..).zip(tokens) {
                each(at, &mut |heard| cold_start(scenario, *tokens, heard));
            }
        }
        Work::ColdStartHunt {
            scenario,
            piece,
            shares,
        } => {
            for (at, share) in (0..).zip(shares) {
                each(at, &mut |heard| {
                    let done = done(scenario, piece, *share, &mut |sets| {
                        if sets.is_multiple_of(SETS) {
                            heard.step(sets, None);
                        }
                    })?;
                    Ok(Answered::ColdStartHunt(Box::new(done)))
                });
            }
        }
        Work::ColdStartMore { scenario, asks } => {
            for (at, ask) in (0..).zip(asks) {
                each(at, &mut |heard| {
                    let told = cold_start_more::answer(scenario, ask, &mut |done, of| {
                        heard.step(done, of);
                    })?;
                    Ok(Answered::ColdStartMore(Box::new(told)))
                });
            }
        }
        Work::HeadPlacement { scenario, asks } => {
            for (at, ask) in (0..).zip(asks) {
                each(at, &mut |heard| {
                    let wrapped = |answer| Answered::HeadPlacement(Box::new(answer));
                    let answer = heads::answer(scenario, ask, &mut |done, of, so_far| {
                        if heard.step(done, of)
                            && let Some(part) = so_far()
                        {
                            heard.part(wrapped(part));
                        }
                    })?;
                    Ok(wrapped(answer))
                });
            }
        }
        Work::Dispatch { scenario, asks } => {
            for (at, ask) in (0..).zip(asks) {
                each(at, &mut |heard| {
                    let answer = dispatch::answer(scenario, ask, &mut |done, of| {
                        heard.step(done, of);
                    })?;
                    Ok(Answered::Dispatch(Box::new(answer)))
                });
            }
        }
        Work::Tiers { scenario, asks } => {
            for (at, ask) in (0..).zip(asks) {
                each(at, &mut |heard| {
                    let answer = tiers::answer(scenario, ask, &mut |done, of| {
                        heard.step(done, of);
                    })?;
                    Ok(Answered::Tiers(Box::new(answer)))
                });
            }
        }
        Work::Operators { scenario, asks } => {
            for (at, ask) in (0..).zip(asks) {
                each(at, &mut |heard| {
                    let wrapped = |answer| Answered::Operators(Box::new(answer));
                    let answer = operators::answer(scenario, ask, &mut |done, of, so_far| {
                        if heard.step(done, of)
                            && let Some(part) = so_far()
                        {
                            heard.part(wrapped(part));
                        }
                    })?;
                    Ok(wrapped(answer))
                });
            }
        }
        Work::Onnx { name, .. } => each(0, &mut |_| {
            let message = format!("no file came with the request to read {name:?}");
            Err(Invalid::new(Code::Io, "", name.as_str(), message))
        }),
    }
}

/// Answers a request that a file comes with; `say` as in [`handle`].
pub fn handle_file(request: &Request, file: impl Read + Seek, mut say: impl FnMut(Reply) -> bool) {
    let Work::Onnx { name, options } = &request.work else {
        return handle(request, say);
    };
    let (id, at) = (request.id, 0);
    say(match operators::imported(file, name, options) {
        Ok(imported) => {
            let answer = Answered::Imported(Box::new(imported));
            Reply::Answered { id, at, answer }
        }
        Err(fault) => Reply::Refused { id, at, fault },
    });
}

/// Whoever hears how far a search has come.
struct Heard<'a> {
    id: u32,
    at: u32,
    say: &'a mut dyn FnMut(Reply) -> bool,
}

impl Heard<'_> {
    /// Tells how far it is; whether that was passed on.
    fn step(&mut self, done: u64, of: Option<u64>) -> bool {
        (self.say)(Reply::Progress {
            id: self.id,
            done: done as f64,
            of: of.map(|n| n as f64),
        })
    }

    fn part(&mut self, answer: Answered) {
        let (id, at) = (self.id, self.at);
        (self.say)(Reply::Part { id, at, answer });
    }
}

fn cold_start(
    scenario: &Scenario,
    tokens: f64,
    heard: &mut Heard<'_>,
) -> Result<Answered, Invalid> {
    let problem = scenario.problem_at(tokens)?;
    let mut listen = |event: Event<'_, _>| {
        if let Event::Step { done, of } = event {
            heard.step(done, of);
        }
        ControlFlow::Continue(())
    };
    let reading = scenario.heuristic;
    // Beyond that, the page shares the search out; a program over few devices has fewer steps.
    let limits = Limits {
        steps: Some(FIRST_STEPS),
        ..Limits::default()
    };
    let answer = answer(&problem, Method::Exact, reading, &limits, &mut listen);
    Ok(Answered::ColdStart(Box::new(answer)))
}
