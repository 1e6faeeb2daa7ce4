//! Every errand that the page sends its worker on, a line each: the worker knows no other list of them.

use super::worker::{Run, Wire, of};
use super::{
    cold_start, cold_start_hunt, cold_start_more, dispatch, heads, measure, operators, tiers,
};
use std::io::{Read, Seek};

/// What is done about errands of a kind, by its name.
pub(super) fn errand<W: Wire, F: Read + Seek>(kind: &str) -> Option<Run<W::Value, F>> {
    let all = [
        of::<cold_start::Ask, W, F>(),
        of::<cold_start_hunt::Share, W, F>(),
        of::<cold_start_more::Ask, W, F>(),
        of::<heads::Ask, W, F>(),
        of::<measure::Measure, W, F>(),
        of::<dispatch::Ask, W, F>(),
        of::<tiers::Ask, W, F>(),
        of::<operators::Ask, W, F>(),
        of::<operators::Onnx, W, F>(),
    ];
    all.into_iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, run)| run)
}
