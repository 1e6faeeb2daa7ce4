//! The pieces of the program: what a question needs comes with its first request, so that nobody waits for the solvers of the
//! others.

use crate::blob::BlobReader;
use crate::wire::{Js, Messages};
use engine::scenario::{self, dispatch, heads, operators, tiers};
use report::presenting::SummaryOnly;
use report::worker::{HandlerFn, TaskHandler, of};
use tell::AnswerTask;
use tell::onnx::OnnxTask;
use tell::request_kinds::WorldTask;
use tell::worker::{SAME_BUILD, WorkerTask};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// A file that a request is about.
pub type WorkerFile = BlobReader<Box<dyn FnMut(u64, u64)>>;

/// The handler of a kind of task.
pub type HandlerOf = HandlerFn<Js, WorkerFile>;

type Piece = Result<HandlerOf, SplitLoaderError>;

macro_rules! pieces {
    (questions { $($errand:ty: $first:ident $later:ident;)* } others { $($other:ty: $piece:ident;)* }) => {
        /// Returns the handler of a kind of task. Loads its bundle first where necessary: tasks after the first answer of a
        /// question are in a bundle of their own.
        ///
        /// # Errors
        /// The bundle cannot be loaded.
        ///
        /// # Panics
        /// If the kind is none of this build's: page and worker belong together.
        pub async fn known(kind: &str, is_first: bool) -> Piece {
            match (kind, is_first) {
                $((<$errand as WorkerTask>::KIND, true) => $first().await,
                (<$errand as WorkerTask>::KIND, false) => $later().await,)*
                $((<$other as WorkerTask>::KIND, _) => $piece().await,)*
                _ => panic!("{SAME_BUILD}"),
            }
        }

        $(#[wasm_split($first, fallible)]
        fn $first() -> Piece {
            run::<SummaryOnly<$errand>>()
        }

        #[wasm_split($later, fallible)]
        fn $later() -> Piece {
            run::<$errand>()
        })*

        $(#[wasm_split($piece, fallible)]
        fn $piece() -> Piece {
            run::<$other>()
        })*
    };
}

report::errands!(pieces);

fn run<E: TaskHandler>() -> Piece {
    Ok(of::<E, Messages, WorkerFile>().1)
}
