//! What follows the first answer: how long an answer gets, how many are under way at once, and what a plan is to be best at.
//!
//! Source: the decode phase that CSGO names as future work. A scenario without it asks the paper's question, in which only
//! the first answer counts and no cache takes any memory.

use super::ranges;
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};

/// The decode phase of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decode {
    /// Tokens that follow the first answer, G.
    pub answer_tokens: f64,
    /// Answers under way at once; every one of them keeps a cache.
    pub requests: f64,
    /// What a hop takes besides its bytes [ms]: the round trip of the radio.
    pub hop_ms: f64,
    /// What a plan is to be best at.
    pub goal: Goal,
    /// The least rate that [`Goal::Throughput`] asks for [tokens/s]; `null` for the other goals.
    pub least_tok_s: Option<f64>,
}

/// What a plan is to be best at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The first answer: least T.
    #[default]
    FirstAnswer,
    /// The whole answer: least T + G D.
    WholeAnswer,
    /// The first answer among plans that generate at a rate: least T, a token every 1/X seconds or sooner.
    Throughput,
}

impl Goal {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::FirstAnswer, Self::WholeAnswer, Self::Throughput];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstAnswer => "first-answer",
            Self::WholeAnswer => "whole-answer",
            Self::Throughput => "throughput",
        }
    }
}

impl Decode {
    /// One answer of 200 tokens over a Wi-Fi whose round trip takes two milliseconds: what a page begins with.
    pub const USUAL: Self = Self {
        answer_tokens: 200.0,
        requests: 1.0,
        hop_ms: 2.0,
        goal: Goal::FirstAnswer,
        least_tok_s: None,
    };

    /// The numbers with their field names, in file order.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, f64); 3] {
        [
            ("answer_tokens", self.answer_tokens),
            ("requests", self.requests),
            ("hop_ms", self.hop_ms),
        ]
    }

    /// Checks every number against the ranges of the page.
    ///
    /// # Errors
    /// The first field out of range; a rate that is missing where the goal asks for one.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        for (key, value) in self.fields() {
            ranges::check("decode", key, value)?;
        }
        match (self.goal, self.least_tok_s) {
            (_, Some(rate)) => ranges::check("decode", "least_tok_s", rate),
            (Goal::Throughput, None) => {
                let message = "decode.least_tok_s is missing: the goal \"throughput\" asks for a rate in tokens per second";
                let (path, value) = ("decode.least_tok_s", serde_json::Value::Null);
                Err(Invalid::new(Code::Missing, path, value, message))
            }
            _ => Ok(()),
        }
    }
}
