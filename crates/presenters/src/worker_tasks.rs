//! Every kind of task that the page sends its worker, one line each; there is no other list of them.

use crate::worker::{self, HandlerFn, of};
use engine::scenario::{self, dispatch, heads, operators, tiers};
use protocol::AnswerTask;
use protocol::onnx::OnnxTask;
use protocol::request_kinds::WorldTask;
use protocol::worker::{Codec, WorkerRequest, WorkerResponse};
use std::io::{Read, Seek};

/// Passes the list to another macro: kinds of tasks, with the bundle of a question's first answer and that of all its later
/// results; for other tasks, their bundle.
#[macro_export]
macro_rules! worker_tasks {
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

/// Answers a request of any kind, as [`worker::handle`] does, in a program that is not split into bundles.
pub fn handle<W: Codec, F: Read + Seek>(
    request: WorkerRequest<W::Value>,
    file: Option<F>,
    say: impl FnMut(WorkerResponse<W::Value>) -> bool,
) {
    worker::handle::<W, F>(request, file, handler::<W, F>, say);
}

/// Returns the handler of a kind of task.
fn handler<W: Codec, F: Read + Seek>(kind: &str) -> Option<HandlerFn<W::Value, F>> {
    macro_rules! all {
        (questions { $($task:ty: $first:ident $later:ident;)* } others { $($other:ty: $handler:ident;)* }) => {
            [$(of::<$task, W, F>(),)* $(of::<$other, W, F>(),)*]
        };
    }
    let all = crate::worker_tasks!(all);
    all.into_iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, run)| run)
}
