//! What the page asks about tiers, and the answers.

use crate::problem::Invalid;
use crate::scenario::tiers::Scenario;
use serde::{Deserialize, Serialize};

/// Something to find out about a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The split, and all it is compared with.
    Plan,
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The split.
    Plan,
}

/// Finds it out.
///
/// # Errors
/// A field out of range.
pub fn answer(
    scenario: &Scenario,
    ask: &Ask,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Answer, Invalid> {
    scenario.validate()?;
    progress(0, None);
    match ask {
        Ask::Plan => Ok(Answer::Plan),
    }
}
