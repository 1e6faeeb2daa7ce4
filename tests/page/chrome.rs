//! Commands of chromedriver that the WebDriver standard does not define.

use axum::http::Method;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A command of chromedriver for the current session.
#[derive(Debug)]
pub enum ChromeCommand {
    /// Runs a command of the Chrome DevTools Protocol in the current tab and returns its result.
    DevTools {
        /// Domain and name, for example `Page.bringToFront`.
        method: String,
        /// A JSON object.
        parameters: Value,
    },
    /// Returns the entries of a log since the last time, and removes them from it. The session must have been
    /// created with this log in `goog:loggingPrefs`.
    TakeLog {
        /// `browser` is the console, `performance` the events of the DevTools protocol.
        kind: &'static str,
    },
}

impl WebDriverCompatibleCommand for ChromeCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.expect("a client has a session once it is connected");
        let path = match self {
            Self::DevTools { .. } => "goog/cdp/execute",
            Self::TakeLog { .. } => "se/log",
        };
        base.join(&format!("session/{session}/{path}"))
    }

    fn method_and_body(&self, _url: &Url) -> (Method, Option<String>) {
        let body = match self {
            Self::DevTools { method, parameters } => json!({ "cmd": method, "params": parameters }),
            Self::TakeLog { kind } => json!({ "type": kind }),
        };
        (Method::POST, Some(body.to_string()))
    }
}

/// One line of a log.
#[derive(Debug)]
pub struct LogEntry {
    /// Severity, for example `SEVERE`.
    pub level: String,
    /// Text, or the JSON of an event.
    pub message: String,
}

impl LogEntry {
    /// Reads the response to [`ChromeCommand::TakeLog`]; `None` if it has another form.
    pub fn list_from_json(response: &Value) -> Option<Vec<Self>> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let entries = response.as_array()?.iter().map(|entry| {
            Some(Self {
                level: text(&entry["level"])?,
                message: text(&entry["message"])?,
            })
        });
        entries.collect()
    }
}
