//! Where nothing fits: the longest prompt, the longest answer and the most requests with which something does.
//!
//! The memory of a plan grows with all three, so the values of each one that fit are an interval from 1 on. Its end is found by
//! bisection: each value is packed exactly, and the plan at the end is solved. Nothing is estimated.

use super::Status;
use super::cold_start::{ColdStartMethod, answer_alone};
use engine::plan::Pipeline;
use engine::problem::Invalid;
use engine::scenario::Scenario;
use engine::solve::{Limits, Progress};
use methods::cold_start::fits;
use serde::{Deserialize, Serialize};

/// A whole number of the scenario that may become smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// Tokens of the prompt.
    Prompt,
    /// Tokens of the answer.
    Answer,
    /// Answers under way at once.
    Requests,
}

impl Length {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Prompt, Self::Answer, Self::Requests];

    /// The field that is edited.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Prompt => "prompt_tokens",
            Self::Answer => "decode.answer_tokens",
            Self::Requests => "decode.requests",
        }
    }

    /// Returns the value in a scenario; `None` if the scenario generates no answer.
    #[must_use]
    pub fn of(self, scenario: &Scenario) -> Option<f64> {
        match self {
            Self::Prompt => Some(scenario.prompt_tokens),
            Self::Answer => scenario.decode.map(|decode| decode.answer_tokens),
            Self::Requests => scenario.decode.map(|decode| decode.requests),
        }
    }

    /// Puts another number in its place.
    pub fn set(self, scenario: &mut Scenario, to: f64) {
        match (self, &mut scenario.decode) {
            (Self::Prompt, _) => scenario.prompt_tokens = to,
            (Self::Answer, Some(decode)) => decode.answer_tokens = to,
            (Self::Requests, Some(decode)) => decode.requests = to,
            (Self::Answer | Self::Requests, None) => {}
        }
    }
}

/// A smaller number with which a plan exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Shorter {
    /// Which number.
    pub what: Length,
    /// Value in the scenario.
    pub from: f64,
    /// The largest with which a plan exists.
    pub to: f64,
    /// Time to the first answer then [s]; `None` where the search found no plan within its limits.
    pub T: Option<f64>,
    /// True if the plan at that value is proven optimal.
    pub is_proved: bool,
}

/// Returns, one quantity at a time, the largest value that fits; empty if the scenario fits as it is.
///
/// # Errors
/// A scenario that poses no problem.
///
/// # Complexity
/// O(p log n + s) for each number n, with p for one packing and s for one exact solve.
pub fn shorter(
    scenario: &Scenario,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Result<Vec<Shorter>, Invalid> {
    if fits(&scenario.problem()?) != Some(false) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for what in Length::ALL {
        let with = |to: f64| {
            let mut changed = scenario.clone();
            what.set(&mut changed, to);
            changed
        };
        let holds = |to: f64| -> Result<Option<bool>, Invalid> { Ok(fits(&with(to).problem()?)) };
        let Some(from) = what.of(scenario).filter(|from| *from > 1.0) else {
            continue;
        };
        if holds(1.0)? != Some(true) {
            continue;
        }
        let (mut good, mut bad) = (1.0, from);
        while bad - good > 1.0 {
            let middle = libm::floor(good + (bad - good) / 2.0);
            match holds(middle)? {
                Some(true) => good = middle,
                // What cannot be decided is not claimed.
                Some(false) | None => bad = middle,
            }
        }
        let changed = with(good);
        let answer = answer_alone(
            &changed.problem()?,
            ColdStartMethod::Exact,
            changed.heuristic,
            limits,
            progress,
        );
        found.push(Shorter {
            what,
            from,
            to: good,
            T: answer.T,
            is_proved: answer.status == Status::Optimal,
        });
    }
    Ok(found)
}
