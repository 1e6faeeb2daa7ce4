//! The handlers of tasks, in bundles: the solvers of a question are loaded with its first request, so that a request never waits
//! for the solvers of another question.

use crate::blob::BlobReader;
use crate::wire::{Js, Messages};
use engine::scenario::{self, dispatch, heads, operators, tiers};
use presenters::presenting::SummaryOnly;
use presenters::worker::{HandlerFn, TaskHandler, of};
use protocol::AnswerTask;
use protocol::onnx::OnnxTask;
use protocol::request_kinds::WorldTask;
use protocol::worker::{SAME_BUILD, WorkerTask};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// A file that a request is about.
pub type WorkerFile = BlobReader<Box<dyn FnMut(u64, u64)>>;

/// The handler of a kind of task.
pub type HandlerOf = HandlerFn<Js, WorkerFile>;

type LoadedHandler = Result<HandlerOf, SplitLoaderError>;

macro_rules! handlers {
    (questions { $($task:ty: $first:ident $later:ident;)* } others { $($other:ty: $handler:ident;)* }) => {
        /// Returns the handler of a kind of task. Loads its bundle first where necessary: tasks after the first answer of a
        /// question are in a bundle of their own.
        ///
        /// # Errors
        /// The bundle cannot be loaded.
        ///
        /// # Panics
        /// If this build has no such kind: page and worker are always of one build.
        pub async fn handler(kind: &str, is_first: bool) -> LoadedHandler {
            match (kind, is_first) {
                $((<$task as WorkerTask>::KIND, true) => $first().await,
                (<$task as WorkerTask>::KIND, false) => $later().await,)*
                $((<$other as WorkerTask>::KIND, _) => $handler().await,)*
                _ => panic!("{SAME_BUILD}"),
            }
        }

        $(#[wasm_split($first, fallible)]
        fn $first() -> LoadedHandler {
            run::<SummaryOnly<$task>>()
        }

        #[wasm_split($later, fallible)]
        fn $later() -> LoadedHandler {
            run::<$task>()
        })*

        $(#[wasm_split($handler, fallible)]
        fn $handler() -> LoadedHandler {
            run::<$other>()
        })*
    };
}

presenters::worker_tasks!(handlers);

fn run<E: TaskHandler>() -> LoadedHandler {
    Ok(of::<E, Messages, WorkerFile>().1)
}
