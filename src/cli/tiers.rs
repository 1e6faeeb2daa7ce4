//! `run` for the tiers question.

use super::args::Format;
use crate::scenario::tiers::Scenario;
use std::io;

/// Answers a scenario.
pub fn run(_scenario: &Scenario, _format: Format) -> io::Result<u8> {
    Ok(super::ANSWERED)
}
