//! The worker's side: receives requests, answers them, reports progress and failures.

use crate::blob::BlobReader;
use crate::handlers::{WorkerFile, handler};
use crate::wire::{Js, Messages};
use protocol::worker::{Codec, FILE, WorkerRequest, WorkerResponse};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// The least time between two progress messages [ms]: a page repaints no faster.
const PROGRESS_EVERY_MS: f64 = 100.0;

/// Starts listening and says that it does.
pub fn run() {
    std::panic::set_hook(Box::new(|info| {
        post(&WorkerResponse::Panic {
            message: info.to_string(),
        });
        console_error_panic_hook::hook(info);
    }));
    let listen =
        Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| on_message(event.data()));
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget(); // it listens as long as the worker lives
    post(&WorkerResponse::Ready {
        version: env!("CARGO_PKG_VERSION").into(),
    });
}

fn on_message(message: JsValue) {
    let file = js_sys::Reflect::get(&message, &FILE.into()).ok();
    let file = file.and_then(|file| file.dyn_into::<Blob>().ok());
    // A page of another version may send messages that this worker does not understand: a panic reports it.
    let request: WorkerRequest<Js> =
        Messages::read(Js(message)).expect("page and worker come from the same build");
    // The position in the file is the progress of its request.
    let (id, mut is_due) = (request.id, clock());
    let mut file: Option<WorkerFile> = file.map(|file| {
        let on_progress = move |done: u64, of: u64| {
            if is_due() {
                let (done, of) = (done as f64, Some(of as f64));
                post(&WorkerResponse::Progress { id, done, of });
            }
        };
        BlobReader::new(file, Box::new(on_progress) as Box<_>).expect("a worker can read files")
    });
    // The page sends nothing before its last message was answered, so requests do not overtake each other.
    spawn_local(async move {
        let run = match handler(&request.kind, request.first).await {
            Ok(run) => run,
            Err(fault) => {
                // The page replaces this worker, and the next one asks for the piece again.
                let message = format!("part of the solver could not be loaded: {fault}");
                return post(&WorkerResponse::Panic { message });
            }
        };
        let mut is_due = clock();
        run(request, &mut file, &mut |reply| {
            let passes = !matches!(reply, WorkerResponse::Progress { .. }) || is_due();
            if passes {
                post(&reply);
            }
            passes
        });
    });
}

/// Returns a function that is true when the next progress message is due.
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

fn post(reply: &WorkerResponse<Js>) {
    if let Ok(message) = Messages::write(reply) {
        // Fails only when the worker is being terminated, and then no one listens.
        let _ = scope().post_message(&message.0);
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
