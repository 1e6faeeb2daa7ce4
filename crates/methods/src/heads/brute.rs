//! Every placement there is, scored one by one: the oracle of the other solvers' tests.

use engine::evaluate::heads::{Shape, delay, memory_on};
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;

/// The best placement and its objective [s], the first of equals; `None` if no placement is feasible.
///
/// # Complexity
/// O(V^(h+2) (V + h)).
#[must_use]
pub fn best(problem: &HeadPlacement) -> Option<(Placement, f64)> {
    let mut best: Option<(Placement, f64)> = None;
    let mut placement = vec![0; problem.blocks()];
    loop {
        let value = value(problem, &placement);
        if value < best.as_ref().map_or(f64::INFINITY, |(_, best)| *best) {
            best = Some((placement.clone(), value));
        }
        let last = problem.devices() - 1;
        let Some(at) = placement.iter().rposition(|device| *device < last) else {
            return best;
        };
        placement[at] += 1;
        placement[at + 1..].fill(0);
    }
}

/// J of a placement; infinite where it is not feasible.
fn value(problem: &HeadPlacement, placement: &[usize]) -> f64 {
    let shape = Shape::of(placement, problem.devices());
    let fits = |j| problem.holds(j, memory_on(problem.sizes(), &shape, j));
    if !(0..problem.devices()).all(fits) {
        return f64::INFINITY;
    }
    let mut moves = 0.0;
    for (block, from) in problem.prev().into_iter().flatten().enumerate() {
        let bytes = problem.before().memory(block, problem.heads());
        moves += problem.links().transfer(bytes, *from, placement[block]);
    }
    problem.tokens() * delay(problem, problem.sizes(), &shape) + moves
}
