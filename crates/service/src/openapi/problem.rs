//! A fault as the service writes it (RFC 9457).

use engine::problem::Code;
use serde::Serialize;
use serde_json::Value;

/// What was refused, and why.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Problem {
    /// The kind of fault as an address; `about:blank` where the status says it all.
    pub r#type: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// One sentence for people: the field, the value, what is allowed.
    pub detail: String,
    /// The kind of fault, for programs; left out where no input is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The field at fault as in `devices[2].r`; empty for the document itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What the field holds; `null` where there is nothing to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}
