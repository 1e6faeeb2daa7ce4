//! Every order there is, replayed by the referee: the oracle for tiny graphs.

use super::value;
use engine::evaluate::operators::trace;
use engine::graph::{Graph, Objective};
use engine::plan::OperatorOrder;

/// The least value of any order [bytes] that never holds more than `limit`, with the first order that has it; `None` if
/// none keeps the limit.
///
/// # Complexity
/// O(n!): for up to 9 operators.
#[must_use]
pub fn best(
    graph: &Graph,
    objective: Objective,
    limit: Option<u64>,
) -> Option<(OperatorOrder, u64)> {
    let mut best = None;
    let keep = |order: &OperatorOrder| {
        let trace = trace(graph, order).expect("only whole orders are replayed");
        let fits = limit.is_none_or(|limit| trace.peak() <= limit);
        fits.then(|| value(&trace, objective))
    };
    extend(graph, &mut OperatorOrder::new(), &keep, &mut best);
    best
}

fn extend(
    graph: &Graph,
    order: &mut OperatorOrder,
    keep: &impl Fn(&OperatorOrder) -> Option<u64>,
    best: &mut Option<(OperatorOrder, u64)>,
) {
    let n = graph.len();
    if order.len() == n {
        if let Some(value) = keep(order)
            && best.as_ref().is_none_or(|(_, least)| value < *least)
        {
            *best = Some((order.clone(), value));
        }
        return;
    }
    for v in 0..n as u32 {
        let waits = |t: &u32| (*t as usize) < n && !order.contains(t);
        if order.contains(&v) || graph.src(v as usize).iter().any(waits) {
            continue;
        }
        order.push(v);
        extend(graph, order, keep, best);
        order.pop();
    }
}
