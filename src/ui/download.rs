//! Files for the user: made here, saved by the browser, sent nowhere.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// How long a browser may take to read what it saves [ms]: it may ask where to, and the machine may be busy.
const READ_WITHIN_MS: u32 = 120_000;

/// Offers a text as a file.
///
/// # Errors
/// The browser's message.
pub fn text(name: &str, kind: &str, content: &str) -> Result<(), JsValue> {
    bytes(name, kind, content.as_bytes())
}

/// Offers bytes as a file of this kind.
///
/// # Errors
/// The browser's message.
pub fn bytes(name: &str, kind: &str, content: &[u8]) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(content));
    let content = Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    blob(name, &content)
}

/// Offers a blob as a file.
///
/// # Errors
/// The browser's message.
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

/// Puts a text on the clipboard; `done` receives whether that worked.
pub fn copy(content: &str, done: impl FnOnce(bool) + 'static) {
    let promise = window().navigator().clipboard().write_text(content);
    leptos::task::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}
