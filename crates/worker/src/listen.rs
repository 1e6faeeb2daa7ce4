//! The worker's side: hears requests, answers them, reports how far it is, and says so when it fails.

use crate::blob::BlobReader;
use engine::problem::{Code, Invalid};
use job::worker::{FILE, Reply, Request, handle, handle_file};
use serde_json::Value as JsonValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

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
    let file = js_sys::Reflect::get(&message, &FILE.into()).ok();
    let file = file.and_then(|file| file.dyn_into::<Blob>().ok());
    // A page of another version may say things this worker does not understand: a panic tells it so.
    let request: Request =
        serde_wasm_bindgen::from_value(message).expect("page and worker come from the same build");
    let mut is_due = clock();
    let told = |reply: Reply| {
        let passes = !matches!(reply, Reply::Progress { .. }) || is_due();
        if passes {
            say(&reply);
        }
        passes
    };
    let Some(file) = file else {
        return handle(&request, told);
    };
    // How far a file is read tells how far its request is.
    let (id, mut is_due) = (request.id, clock());
    let reader = BlobReader::new(file, move |done, of| {
        if is_due() {
            let (done, of) = (done as f64, Some(of as f64));
            say(&Reply::Progress { id, done, of });
        }
    });
    handle_file(&request, reader.expect("a worker can read files"), told);
}

/// Whether it is time for another progress message.
fn clock() -> impl FnMut() -> bool {
    let mut last = js_sys::Date::now();
    move || {
        let now = js_sys::Date::now();
        let is_due = now - last >= PROGRESS_EVERY_MS;
        if is_due {
            last = now;
        }
        is_due
    }
}

fn say(reply: &Reply) {
    let message = match (serde_wasm_bindgen::to_value(reply), reply) {
        (Ok(message), _) => Ok(message),
        // Sums of a graph may be larger than a number of the browser's.
        (Err(fault), Reply::Answered { id, at, .. } | Reply::Part { id, at, .. }) => {
            let message = format!("the answer cannot be handed to the page: {fault}");
            serde_wasm_bindgen::to_value(&Reply::Refused {
                id: *id,
                at: *at,
                fault: Invalid::new(Code::Range, "", JsonValue::Null, message),
            })
        }
        (Err(fault), _) => Err(fault),
    };
    if let Ok(message) = message {
        // Fails only when the worker is being terminated, and then nobody listens.
        let _ = scope().post_message(&message);
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
