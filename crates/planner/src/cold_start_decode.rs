//! The part of an answer about the tokens after the first one.

use engine::plan::{Decoding, StageDecode};
use engine::problem::ColdStart;
pub use engine::problem::cold_decode::DecodeGoal;
use serde::{Deserialize, Serialize};

/// The name of a goal in files.
#[must_use]
pub const fn goal_name(goal: DecodeGoal) -> &'static str {
    match goal {
        DecodeGoal::FirstAnswer => "first-answer",
        DecodeGoal::WholeAnswer => "whole-answer",
        DecodeGoal::Throughput { .. } => "throughput",
    }
}

/// A plan after its first token. Times in seconds, rates in tokens per second, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct DecodeAnswer {
    /// Goal: "first-answer", "whole-answer" or "throughput".
    pub goal: String,
    /// The value of that goal [s]: T + G D for a whole answer, otherwise T.
    pub objective: f64,
    /// The rate that was asked for, if one was.
    pub least_rate: Option<f64>,
    /// Tokens that follow the first answer, G.
    pub answer_tokens: f64,
    /// Answers under way at once, R.
    pub requests: f64,
    /// Time from token to token of one answer [s].
    pub D: f64,
    /// Tokens a second of a pipeline that is always full: one over its busiest stage.
    pub rate: f64,
    /// Tokens a second of one answer alone: 1 / D.
    pub rate_one_request: f64,
    /// Tokens a second of all answers under way: R / D, at most `rate`.
    pub rate_requests: f64,
    /// T + G D: until the last token [s].
    pub total: f64,
    /// Keys and values of whole answers, on all devices [B].
    pub kv_bytes: f64,
    /// One row a stage, in running order.
    pub stages: Vec<StageDecode>,
}

impl DecodeAnswer {
    /// A scored plan; `first` is its T. `None` where the problem has no answer to plan for.
    #[must_use]
    pub fn of(problem: &ColdStart, first: f64, decoding: Decoding) -> Option<Self> {
        let terms = problem.decode()?;
        let goal = terms.goal();
        Some(Self {
            goal: goal_name(goal).to_owned(),
            objective: match goal {
                DecodeGoal::WholeAnswer => decoding.total,
                DecodeGoal::FirstAnswer | DecodeGoal::Throughput { .. } => first,
            },
            least_rate: match goal {
                DecodeGoal::Throughput { least } => Some(least),
                DecodeGoal::FirstAnswer | DecodeGoal::WholeAnswer => None,
            },
            answer_tokens: terms.answer(),
            requests: terms.requests(),
            D: decoding.D,
            rate: decoding.rate,
            rate_one_request: decoding.rate_one_request,
            rate_requests: decoding.rate_requests,
            total: decoding.total,
            kv_bytes: decoding.kv_held,
            stages: decoding.stages,
        })
    }

    /// Returns true if the plan keeps the required rate, or if none is required.
    #[must_use]
    pub fn meets_rate(&self) -> bool {
        self.least_rate
            .is_none_or(|least| self.rate >= least * (1.0 - 1e-12))
    }
}

/// A baseline after its first token, in short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct BaselineDecode {
    /// Time from token to token of one answer [s].
    pub D: f64,
    /// Tokens a second of a pipeline that is always full.
    pub rate: f64,
    /// T + G D [s].
    pub total: f64,
    /// The value of the problem's goal [s].
    pub objective: f64,
    /// True if it keeps the required rate.
    pub rate_ok: bool,
}

impl BaselineDecode {
    /// A scored baseline; `first` is its T. `None` where the problem has no answer to plan for.
    #[must_use]
    pub fn of(problem: &ColdStart, first: f64, decoding: &Decoding) -> Option<Self> {
        let terms = problem.decode()?;
        Some(Self {
            D: decoding.D,
            rate: decoding.rate,
            total: decoding.total,
            objective: match terms.goal() {
                DecodeGoal::WholeAnswer => decoding.total,
                DecodeGoal::FirstAnswer | DecodeGoal::Throughput { .. } => first,
            },
            rate_ok: decoding.busiest <= terms.period(),
        })
    }
}
