//! An error in an input: the field, its value, and the allowed values.

use serde_json::Value;

/// The kind of fault, for programs that read the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Not JSON at all, or cut short, or with text behind it.
    Syntax,
    /// JSON of the wrong type.
    Type,
    /// A field that has to be there is not.
    Missing,
    /// A field that no one knows.
    Unknown,
    /// A number or list outside what is allowed.
    Range,
    /// A plan that breaks the rules of the problem.
    Plan,
    /// An option of the command line.
    Option,
    /// A link or scenario that cannot be opened.
    Link,
    /// A file that cannot be read.
    Io,
}

/// A refused input. `path` is in the notation `devices[2].r`, and empty for the document itself.
#[derive(Debug, Clone, PartialEq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct Invalid {
    /// The kind of fault.
    pub code: Code,
    /// The field at fault.
    pub path: String,
    /// The value; null if there is none to show.
    pub value: Box<Value>,
    /// One sentence for people: the field, the value, what is allowed.
    pub message: String,
}

impl Invalid {
    /// A fault with its sentence.
    #[must_use]
    pub fn new(
        code: Code,
        path: impl Into<String>,
        value: impl Into<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            path: cut(path.into()),
            value: Box::new(value.into()),
            message: cut(message.into()),
        }
    }

    /// A value outside `allowed` ("a number above 0").
    #[must_use]
    pub fn range(path: impl Into<String>, value: impl Into<Value>, allowed: &str) -> Self {
        let (path, value) = (path.into(), value.into());
        let message = format!("{path} must be {allowed}, it is {}", excerpt(&value));
        Self::new(Code::Range, path, value, message)
    }

    /// Returns the error with the field's owner in its path: `r` in `devices[2]`.
    #[must_use]
    pub fn within(mut self, owner: &str) -> Self {
        let path = match (owner.is_empty(), self.path.is_empty()) {
            (true, _) => return self,
            (false, true) => owner.to_owned(),
            (false, false) if self.path.starts_with('[') => format!("{owner}{}", self.path),
            (false, false) => format!("{owner}.{}", self.path),
        };
        if let Some(rest) = self.message.strip_prefix(&self.path) {
            self.message = format!("{path}{rest}");
        }
        self.path = path;
        self
    }
}

/// The longest word of a message: a name or a value that is longer was not typed by a person.
const LONGEST_WORD: usize = 200;
/// The longest message; the longest that is written here has a third of it.
const LONGEST: usize = 2000;

/// A text whose long words end after [`LONGEST_WORD`] characters, and the whole after [`LONGEST`].
fn cut(text: String) -> String {
    if text.len() <= LONGEST_WORD {
        return text;
    }
    let mut short = String::new();
    let (mut word, mut kept) = (0, 0);
    for c in text.chars() {
        word = if c.is_whitespace() { 0 } else { word + 1 };
        if word > LONGEST_WORD + 1 {
            continue;
        }
        if word == LONGEST_WORD + 1 || kept == LONGEST {
            short.push('\u{2026}');
        } else {
            short.push(c);
        }
        if kept == LONGEST {
            break;
        }
        kept += 1;
    }
    short
}

/// A value as a message shows it: short, on one line.
pub(super) fn excerpt(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_field_value_and_what_is_allowed() {
        let fault = Invalid::range("r", -3.0, "a number above 0").within("devices[2]");
        assert_eq!(fault.path, "devices[2].r");
        assert_eq!(
            fault.message,
            "devices[2].r must be a number above 0, it is -3.0"
        );
        let long = Invalid::range("name", "x".repeat(500), "shorter");
        assert!(long.message.chars().count() < 100, "{}", long.message);
    }

    #[test]
    fn long_words_and_long_messages_are_cut() {
        let name = "x".repeat(100_000);
        let fault = Invalid::new(
            Code::Unknown,
            name.as_str(),
            Value::Null,
            format!("{name} is not a field here"),
        );
        let shown = format!("{}\u{2026}", "x".repeat(200));
        assert_eq!(fault.path, shown);
        assert_eq!(fault.message, format!("{shown} is not a field here"));
        let many = Invalid::new(Code::Io, "", Value::Null, "word ".repeat(10_000));
        assert_eq!(many.message.chars().count(), 2001);
        let usual = "a message of a usual length ".repeat(20);
        assert_eq!(
            Invalid::new(Code::Io, "", Value::Null, usual.as_str()).message,
            usual
        );
    }
}
