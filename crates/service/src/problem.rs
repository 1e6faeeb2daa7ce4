//! Refusals as RFC 9457 has them, with the code, the path, the value and the sentence that the command line has.

use crate::routes::PROBLEM;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::problem::{Code, Invalid};
use serde::Serialize;
use serde_json::Value;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Problem {
    /// `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The status.
    pub status: u16,
    /// One sentence for people.
    pub detail: String,
    /// The kind of fault, for programs. Of an input: syntax, type, missing, unknown, range, plan, option, link or io, as on the
    /// command line. Of a request: type, unknown, method, too_long, io, host, origin or token. Of the service: busy, stopping,
    /// memory, time, length, process or bug.
    pub code: String,
    /// The field (as in `devices[2].r`), option or header at fault; empty for the document itself.
    pub path: String,
    /// The value itself; `null` if there is none to show.
    pub value: Box<Value>,
}

impl Problem {
    /// A refusal.
    #[must_use]
    pub fn new(status: StatusCode, code: &str, path: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_owned(),
            path: path.to_owned(),
            value: Box::default(),
        }
    }

    /// Creates a problem from an error of the command line.
    #[must_use]
    pub fn of(status: StatusCode, fault: Invalid) -> Self {
        let code = serde_json::to_value(fault.code).unwrap_or_default();
        let code = code.as_str().unwrap_or_default();
        Self::new(status, code, &fault.path, fault.message).with(*fault.value)
    }

    /// Returns the problem with the value that was found.
    #[must_use]
    pub fn with(self, value: impl Into<Value>) -> Self {
        Self {
            value: Box::new(value.into()),
            ..self
        }
    }

    /// Returns the problem as a line of a stream.
    #[must_use]
    pub fn line(&self, id: &Value) -> Vec<u8> {
        let error = serde_json::json!({
            "code": self.code, "path": self.path, "value": self.value, "message": self.detail,
        });
        let mut line = serde_json::json!({ "id": id, "error": error }).to_string();
        line.push('\n');
        line.into_bytes()
    }
}

impl From<Invalid> for Problem {
    fn from(fault: Invalid) -> Self {
        let status = match fault.code {
            Code::Syntax => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::of(status, fault)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let mut response = (status, [(header::CONTENT_TYPE, PROBLEM)], body).into_response();
        let headers = response.headers_mut();
        match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::UNAUTHORIZED => {
                let scheme = HeaderValue::from_static("Bearer");
                headers.insert(header::WWW_AUTHENTICATE, scheme);
            }
            _ => {}
        }
        response
    }
}
