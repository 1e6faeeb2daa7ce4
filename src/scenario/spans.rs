//! Inputs that are known as a range only: the least and the greatest value that somebody would not be surprised by.
//!
//! A range stands with the owner of its field, so that it moves, is copied and goes with its device.

use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The range of one input. In JSON `[low, high]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, f64)", into = "(f64, f64)")]
pub struct Span {
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

impl From<(f64, f64)> for Span {
    fn from((low, high): (f64, f64)) -> Self {
        Self { low, high }
    }
}

impl From<Span> for (f64, f64) {
    fn from(span: Span) -> Self {
        (span.low, span.high)
    }
}

/// Ranges by the field they are of.
pub type Ranges = BTreeMap<String, Span>;

/// Checks that the ends of every range are in order; `owner` is where the ranges stand.
///
/// # Errors
/// The first range whose ends are not.
pub(super) fn check_order(owner: &str, ranges: &Ranges) -> Result<(), Invalid> {
    for (field, span) in ranges {
        if !(span.low <= span.high && span.low.is_finite() && span.high.is_finite()) {
            let path = format!("{owner}ranges.{field}");
            let message = format!(
                "{path} must be [low, high] with low at most high, it is [{}, {}]",
                span.low, span.high
            );
            let value = serde_json::json!([span.low, span.high]);
            return Err(Invalid::new(Code::Range, path, value, message));
        }
    }
    Ok(())
}
