//! The worker's side: hears requests, answers them, reports how far it is, and says so when it fails.

use crate::job::worker::{Reply, Request, handle};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The least time between two progress messages [ms]: a page repaints no faster.
const PROGRESS_EVERY_MS: f64 = 100.0;

/// Starts listening and says that it does.
pub fn run() {
    std::panic::set_hook(Box::new(|info| {
        say(&Reply::Panic {
            message: info.to_string(),
        });
        console_error_panic_hook::hook(info);
    }));
    let listen = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| hear(event.data()));
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget(); // it listens as long as the worker lives
    say(&Reply::Ready {
        version: env!("CARGO_PKG_VERSION").into(),
    });
}

fn hear(message: JsValue) {
    // A page of another version may say things this worker does not understand: a panic tells it so.
    let request: Request =
        serde_wasm_bindgen::from_value(message).expect("page and worker come from the same build");
    let mut last = js_sys::Date::now();
    handle(&request, |reply| {
        if matches!(reply, Reply::Progress { .. }) {
            let now = js_sys::Date::now();
            if now - last < PROGRESS_EVERY_MS {
                return false;
            }
            last = now;
        }
        say(&reply);
        true
    });
}

fn say(reply: &Reply) {
    let message = serde_wasm_bindgen::to_value(reply);
    if let Ok(message) = message {
        // Fails only when the worker is being terminated, and then nobody listens.
        let _ = scope().post_message(&message);
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
