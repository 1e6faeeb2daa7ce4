//! Every errand that the page sends its worker on, a line each; there is no other list of them.

use crate::worker::{self, HandlerFn, of};
use engine::scenario::{self, dispatch, heads, operators, tiers};
use std::io::{Read, Seek};
use tell::AnswerTask;
use tell::onnx::OnnxTask;
use tell::request_kinds::WorldTask;
use tell::worker::{Codec, WorkerRequest, WorkerResponse};

/// Hands the list to another macro: kinds of errands, for each question the piece of the worker for its first answer and that for
/// all it finds out later, for others theirs.
#[macro_export]
macro_rules! errands {
    ($take:ident) => {
        $take! {
            questions {
                AnswerTask<scenario::Scenario>: cold_start_first cold_start_more;
                AnswerTask<heads::Scenario>: head_placement_first head_placement_more;
                AnswerTask<dispatch::Scenario>: dispatch_first dispatch_more;
                AnswerTask<tiers::Scenario>: tiers_first tiers_more;
                AnswerTask<operators::Scenario>: operators_first operators_more;
            }
            others {
                AnswerTask<WorldTask>: world_besides;
                OnnxTask: onnx_besides;
            }
        }
    };
}

/// Answers a request of any kind, as [`worker::handle`] does, in a program that is not in pieces.
pub fn handle<W: Codec, F: Read + Seek>(
    request: WorkerRequest<W::Value>,
    file: Option<F>,
    say: impl FnMut(WorkerResponse<W::Value>) -> bool,
) {
    worker::handle::<W, F>(request, file, errand::<W, F>, say);
}

/// Returns the handler of a kind of task.
fn errand<W: Codec, F: Read + Seek>(kind: &str) -> Option<HandlerFn<W::Value, F>> {
    macro_rules! all {
        (questions { $($errand:ty: $first:ident $later:ident;)* } others { $($other:ty: $piece:ident;)* }) => {
            [$(of::<$errand, W, F>(),)* $(of::<$other, W, F>(),)*]
        };
    }
    let all = crate::errands!(all);
    all.into_iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, run)| run)
}
