//! Files for the user: made here, saved by the browser, sent nowhere.

use super::state::{Shown, State};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// How long a browser may take to read what it saves [ms]: it may ask where to, and the machine may be busy.
const READ_WITHIN_MS: u32 = 120_000;

/// Offers a text as a file.
///
/// # Errors
/// What the browser refuses, in its own words.
pub fn text(name: &str, kind: &str, content: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&content.into());
    blob(
        name,
        &Blob::new_with_str_sequence_and_options(&parts, &options)?,
    )
}

/// Offers bytes as a file.
///
/// # Errors
/// What the browser refuses, in its own words.
pub fn blob(name: &str, content: &Blob) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(content)?;
    let anchor: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.set_hidden(true);
    // Some browsers follow only an anchor that is in the document, and read its address later: both stay a while.
    let body = document().body();
    if let Some(body) = &body {
        body.append_child(&anchor)?;
    }
    anchor.click();
    gloo::timers::callback::Timeout::new(READ_WITHIN_MS, move || {
        anchor.remove();
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Ok(())
}

/// Puts a text on the clipboard; `done` hears whether that worked.
pub fn copy(content: &str, done: impl FnOnce(bool) + 'static) {
    let promise = window().navigator().clipboard().write_text(content);
    leptos::task::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

/// `edgewise-cold-start-qwen3-14b-2562ms-plan.json`.
#[must_use]
pub fn file_name(shown: &Shown, what: &str, ending: &str) -> String {
    let model: String = shown
        .scenario
        .model
        .name()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    let figure = shown.answer.T.map_or_else(
        || "no-plan".to_owned(),
        |total| format!("{:.0}ms", 1e3 * total),
    );
    format!("edgewise-cold-start-{model}-{figure}-{what}.{ending}")
}

impl State {
    /// Saves a text under a name made of the answer on show, `what` it holds and `ending`; says so if the browser
    /// refuses. Without an answer there is nothing to save.
    pub fn save(&self, what: &str, ending: &str, content: &str) {
        let kind = match ending {
            "csv" => "text/csv",
            "svg" => "image/svg+xml",
            _ => "application/json",
        };
        let name = self
            .shown
            .with_untracked(|shown| shown.as_ref().map(|shown| file_name(shown, what, ending)));
        if let Some(name) = name {
            self.say_saved(&name, &text(&name, kind, content));
        }
    }

    /// Says that a file could not be saved; that it was, the browser shows itself.
    pub fn say_saved(&self, name: &str, saved: &Result<(), JsValue>) {
        if saved.is_err() {
            self.say(format!(
                "{name} was not saved: the browser does not allow saving files here."
            ));
        }
    }

    /// Says whether something is on the clipboard.
    pub fn say_copied(&self, what: &str, copied: bool) {
        self.say(if copied {
            format!("{what} copied.")
        } else {
            "The browser does not allow copying here.".to_owned()
        });
    }
}
