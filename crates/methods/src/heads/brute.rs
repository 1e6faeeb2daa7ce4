//! Every placement there is, scored one by one: the oracle of the other solvers' tests.

use super::galaxy::shares;
use engine::evaluate::heads::{HeadsShape, delay, memory_on};
use engine::evaluate::heads_split::score_layout;
use engine::plan::{HeadSplit, Layout, Placement};
use engine::problem::heads::HeadPlacement;

/// The best placement and its objective [s], the first of equals; `None` if no placement is feasible.
///
/// # Complexity
/// O(V^(h+2) (V + h)).
#[must_use]
pub fn best(problem: &HeadPlacement) -> Option<(Placement, f64)> {
    let mut best: Option<(Placement, f64)> = None;
    dealt(problem.blocks(), problem.devices(), &mut |placement| {
        let value = value(problem, placement);
        if value < best.as_ref().map_or(f64::INFINITY, |(_, best)| *best) {
            best = Some((placement.to_vec(), value));
        }
    });
    best
}

/// The least J of all plans of [`super::split`], one by one, after `before` where the layer was split; infinite if none is
/// feasible.
///
/// # Complexity
/// O(V^(h+2) + 2^V V^h) plans, each scored by the referee.
#[must_use]
pub fn best_layout(problem: &HeadPlacement, before: Option<&HeadSplit>) -> f64 {
    let (devices, heads) = (problem.devices(), problem.heads());
    let mut best = f64::INFINITY;
    let mut offer = |layout: &Layout| {
        let scored = score_layout(problem, before, layout).expect("a plan of the problem");
        if scored.feasible {
            best = best.min(scored.j);
        }
    };
    dealt(heads + 2, devices, &mut |placement| {
        offer(&Layout::Blocks(placement.to_vec()));
    });
    let mut groups: Vec<(Vec<usize>, Vec<f64>)> = Vec::new();
    for members in 1_u64..1 << devices {
        let group: Vec<usize> = (0..devices).filter(|j| members >> j & 1 == 1).collect();
        let share = shares(problem, &group);
        groups.push((group, share));
    }
    groups.extend(before.map(|split| (split.devices.clone(), split.share.clone())));
    for (group, share) in groups {
        dealt(heads, group.len(), &mut |at| {
            offer(&Layout::Split(HeadSplit {
                on: at.iter().map(|at| group[*at]).collect(),
                devices: group.clone(),
                share: share.clone(),
            }));
        });
    }
    best
}

/// Every way to give each of so many blocks one of so many devices.
fn dealt(blocks: usize, devices: usize, hear: &mut dyn FnMut(&[usize])) {
    let mut placement = vec![0; blocks];
    loop {
        hear(&placement);
        let Some(at) = placement.iter().rposition(|device| device + 1 < devices) else {
            return;
        };
        placement[at] += 1;
        placement[at + 1..].fill(0);
    }
}

/// J of a placement; infinite where it is not feasible.
fn value(problem: &HeadPlacement, placement: &[usize]) -> f64 {
    let shape = HeadsShape::of(placement, problem.devices());
    let fits = |j| problem.fits(j, memory_on(problem.sizes(), &shape, j));
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
