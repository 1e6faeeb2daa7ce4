//! The worker's side of the protocol: runs every task that the page sends, and returns the results.

use engine::problem::{Code, Invalid};
use planner::Listener;
use protocol::worker::{Codec, Payload, SAME_BUILD, WorkerRequest, WorkerResponse, WorkerTask};
use serde_json::Value as JsonValue;
use std::io::{Read, Seek};

/// A task that a worker can run.
pub trait TaskHandler: WorkerTask {
    /// Runs it; `on_progress` receives the progress.
    ///
    /// # Errors
    /// The first field at fault.
    fn answer(
        &self,
        scenario: &Self::Scenario,
        on_progress: &mut Listener<'_, Self::Answer>,
    ) -> Result<Self::Answer, Invalid>;

    /// Answers a task that reads the file attached to its request, which it takes.
    ///
    /// # Errors
    /// As [`Self::answer`]; what is wrong with the file.
    fn answer_from(
        &self,
        _file: &mut Option<impl Read + Seek>,
        scenario: &Self::Scenario,
        on_progress: &mut Listener<'_, Self::Answer>,
    ) -> Result<Self::Answer, Invalid> {
        self.answer(scenario, on_progress)
    }
}

/// Answers a request of a kind that `known` knows, with the file that came with it, if any; `say` receives one answer or refusal for each task
/// out, in order, and progress between. It answers whether it passed a reply on: who holds progress back is not bothered with
/// parts of answers either.
///
/// # Panics
/// If the request is none of this build's: page and worker belong together.
pub fn handle<W: Codec, F: Read + Seek>(
    request: WorkerRequest<W::Value>,
    mut file: Option<F>,
    known: impl FnOnce(&str) -> Option<HandlerFn<W::Value, F>>,
    mut say: impl FnMut(WorkerResponse<W::Value>) -> bool,
) {
    let run = known(&request.kind).expect(SAME_BUILD);
    run(request, &mut file, &mut say);
}

/// Runs all tasks of a request of one kind.
pub type HandlerFn<V, F> =
    fn(WorkerRequest<V>, &mut Option<F>, &mut dyn FnMut(WorkerResponse<V>) -> bool);

/// A kind of task by its name.
#[must_use]
pub fn of<E: TaskHandler, W: Codec, F: Read + Seek>() -> (&'static str, HandlerFn<W::Value, F>) {
    (E::KIND, run::<E, W, F>)
}

fn run<E: TaskHandler, W: Codec, F: Read + Seek>(
    request: WorkerRequest<W::Value>,
    file: &mut Option<F>,
    say: &mut dyn FnMut(WorkerResponse<W::Value>) -> bool,
) {
    let id = request.id;
    let asks: Vec<E> = W::read(request.tasks).expect(SAME_BUILD);
    let scenario = match E::Scenario::arrive::<W>(request.scenario) {
        Ok(scenario) => scenario,
        Err(fault) => {
            for (at, _) in (0..).zip(&asks) {
                let fault = fault.clone();
                say(WorkerResponse::Refused { id, at, fault });
            }
            return;
        }
    };
    let written = |answer: &E::Answer| W::write(answer).map_err(cannot_go);
    for (at, ask) in (0..).zip(&asks) {
        let refused = |fault| WorkerResponse::Refused { id, at, fault };
        let mut on_progress =
            |done: u64, of: Option<u64>, so_far: &mut dyn FnMut() -> Option<_>| {
                let progress = WorkerResponse::Progress {
                    id,
                    done: done as f64,
                    of: of.map(|n| n as f64),
                };
                if say(progress)
                    && let Some(part) = so_far()
                {
                    let known = |answer| WorkerResponse::Partial { id, at, answer };
                    say(written(&part).map_or_else(refused, known));
                }
            };
        let found = ask.answer_from(file, &scenario, &mut on_progress);
        let answered = |answer| WorkerResponse::Answered { id, at, answer };
        say(found
            .and_then(|answer| written(&answer))
            .map_or_else(refused, answered));
    }
}

/// Sums of a graph may be larger than a number of the browser's.
fn cannot_go(fault: String) -> Invalid {
    let message = format!("the answer cannot be handed to the page: {fault}");
    Invalid::new(Code::Range, "", JsonValue::Null, message)
}
