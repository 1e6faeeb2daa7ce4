//! What can be found out about a cold start besides its plan: what is asked, what is told, and the one function between.
//!
//! Every ask stands on its own, so that the page can share them out among its workers in any order.

use crate::problem::Invalid;
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// Something to find out about a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {}

/// Finds out what is asked; `progress` hears how many steps are done, and of how many.
///
/// # Errors
/// A scenario that cannot be answered.
pub fn answer(
    _scenario: &Scenario,
    ask: &Ask,
    _progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Told, Invalid> {
    match *ask {}
}
