//! A default for a number that is not given.

use crate::units::rounded;

/// Default, its likely range, and the reason.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Guess {
    pub value: f64,
    pub range: Option<(f64, f64)>,
    pub why: String,
}

/// A default.
pub(super) fn guess(value: f64, range: Option<(f64, f64)>, why: impl Into<String>) -> Guess {
    Guess {
        value,
        range,
        why: why.into(),
    }
}

/// A number that follows from others: to three digits, because it is known no better.
pub(super) fn about(value: f64, [low, high]: [f64; 2], why: &str) -> Guess {
    let [low, value, high] = [low * value, value, high * value].map(|n| rounded(n, 3));
    guess(value, Some((low, high)), why)
}
