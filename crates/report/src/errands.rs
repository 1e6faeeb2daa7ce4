//! Every errand that the page sends its worker on, a line each: the worker knows no other list of them.

use crate::worker::{self, Run, of};
use engine::scenario;
use std::io::{Read, Seek};
use tell::Tell;
use tell::asked::Asked;
use tell::onnx::Onnx;
use tell::worker::{Reply, Request, Wire};

/// Answers a request, as [`worker::handle`] does.
pub fn handle<W: Wire, F: Read + Seek>(
    request: Request<W::Value>,
    file: Option<F>,
    say: impl FnMut(Reply<W::Value>) -> bool,
) {
    worker::handle::<W, F>(request, file, errand::<W, F>, say);
}

/// What is done about errands of a kind, by its name.
fn errand<W: Wire, F: Read + Seek>(kind: &str) -> Option<Run<W::Value, F>> {
    let all = [
        of::<Tell<scenario::Scenario>, W, F>(),
        of::<Tell<scenario::heads::Scenario>, W, F>(),
        of::<Tell<Asked>, W, F>(),
        of::<Tell<scenario::dispatch::Scenario>, W, F>(),
        of::<Tell<scenario::tiers::Scenario>, W, F>(),
        of::<Tell<scenario::operators::Scenario>, W, F>(),
        of::<Onnx, W, F>(),
    ];
    all.into_iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, run)| run)
}
