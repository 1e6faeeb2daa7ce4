//! The worker's side of its protocol: every errand that the page sends it on is done, and what is found out is said.

use engine::problem::{Code, Invalid};
use job::Listener;
use serde_json::Value as JsonValue;
use std::io::{Read, Seek};
use tell::worker::{Carried, Errand, Reply, Request, SAME_BUILD, Wire};

/// An errand that a worker knows how to do.
pub trait Does: Errand {
    /// Finds it out; `heard` is told how far it is.
    ///
    /// # Errors
    /// The first field at fault.
    fn answer(
        &self,
        scenario: &Self::Scenario,
        heard: &mut Listener<'_, Self::Answer>,
    ) -> Result<Self::Answer, Invalid>;

    /// Answers a task that reads the file attached to its request, which it takes.
    ///
    /// # Errors
    /// As [`Self::answer`]; what is wrong with the file.
    fn answer_from(
        &self,
        _file: &mut Option<impl Read + Seek>,
        scenario: &Self::Scenario,
        heard: &mut Listener<'_, Self::Answer>,
    ) -> Result<Self::Answer, Invalid> {
        self.answer(scenario, heard)
    }
}

/// Answers a request of a kind that `known` knows, with the file that came with it, if one did; `say` hears one answer or refusal for each thing to find
/// out, in order, and progress between. It answers whether it passed a reply on: who holds progress back is not bothered with
/// parts of answers either.
///
/// # Panics
/// If the request is none of this build's: page and worker belong together.
pub fn handle<W: Wire, F: Read + Seek>(
    request: Request<W::Value>,
    mut file: Option<F>,
    known: impl FnOnce(&str) -> Option<Run<W::Value, F>>,
    mut say: impl FnMut(Reply<W::Value>) -> bool,
) {
    let run = known(&request.kind).expect(SAME_BUILD);
    run(request, &mut file, &mut say);
}

/// Runs all errands of a request of one kind.
pub type Run<V, F> = fn(Request<V>, &mut Option<F>, &mut dyn FnMut(Reply<V>) -> bool);

/// A kind of errand by its name.
#[must_use]
pub fn of<E: Does, W: Wire, F: Read + Seek>() -> (&'static str, Run<W::Value, F>) {
    (E::KIND, run::<E, W, F>)
}

fn run<E: Does, W: Wire, F: Read + Seek>(
    request: Request<W::Value>,
    file: &mut Option<F>,
    say: &mut dyn FnMut(Reply<W::Value>) -> bool,
) {
    let id = request.id;
    let asks: Vec<E> = W::read(request.asks).expect(SAME_BUILD);
    let scenario = match E::Scenario::arrive::<W>(request.scenario) {
        Ok(scenario) => scenario,
        Err(fault) => {
            for (at, _) in (0..).zip(&asks) {
                let fault = fault.clone();
                say(Reply::Refused { id, at, fault });
            }
            return;
        }
    };
    let written = |answer: &E::Answer| W::write(answer).map_err(cannot_go);
    for (at, ask) in (0..).zip(&asks) {
        let refused = |fault| Reply::Refused { id, at, fault };
        let mut heard = |done: u64, of: Option<u64>, so_far: &mut dyn FnMut() -> Option<_>| {
            let progress = Reply::Progress {
                id,
                done: done as f64,
                of: of.map(|n| n as f64),
            };
            if say(progress)
                && let Some(part) = so_far()
            {
                let known = |answer| Reply::Part { id, at, answer };
                say(written(&part).map_or_else(refused, known));
            }
        };
        let found = ask.answer_from(file, &scenario, &mut heard);
        let answered = |answer| Reply::Answered { id, at, answer };
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
