//! A sentence with some of its words in bold.

use super::wire::two_forms;
use engine::units::count;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// Pieces of text, each plain or strong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Sentence {
    /// The pieces in order; `true` marks a strong one.
    pub runs: Vec<(String, bool)>,
}

impl Sentence {
    /// Adds plain text.
    #[must_use]
    pub fn plain(mut self, text: impl Into<String>) -> Self {
        self.runs.push((text.into(), false));
        self
    }

    /// Adds strong text.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.runs.push((text.into(), true));
        self
    }

    /// Adds another sentence.
    #[must_use]
    pub fn followed(mut self, other: Self) -> Self {
        self.runs.extend(other.runs);
        self
    }

    /// Files have its text.
    fn as_file<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

two_forms!(Sentence);

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.runs.iter().try_for_each(|(text, _)| f.write_str(text))
    }
}

/// `1 pool`, `14 pools`.
#[must_use]
pub fn counted(n: usize, one: &str, several: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {several}", count(n as f64)),
    }
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list<T: fmt::Display>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(ToString::to_string).collect();
            format!("{} and {last}", head.join(", "))
        }
    }
}
