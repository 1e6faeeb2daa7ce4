//! Tensor addresses: never two in one place, never above what was claimed, at the bound wherever that can be told.

use crate::cases::cases;
use crate::operator_graphs::{lanes, small};
use engine::evaluate::operators::lifetimes;
use engine::graph::{Graph, Objective};
use engine::plan::{Arena, OperatorOrder};
use engine::solve::{Limits, NoProgress};
use methods::operators::arena::arena;
use methods::operators::order::{baseline, solve};

/// Checks that no two tensors that are held at the same time overlap, but for a sum in the place of its operand.
fn check(graph: &Graph, order: &OperatorOrder, found: &Arena) {
    let held = lifetimes(graph, order).expect("an order");
    let end = |t: usize| found.offsets[t].expect("it is held") + graph.bytes(t);
    for (at, one) in held.iter().enumerate() {
        let t = one.tensor as usize;
        let offset = found.offsets[t].expect("it is held");
        assert_eq!(offset % found.align, 0);
        assert!(end(t) <= found.size);
        assert_eq!(found.steps[t], Some((one.from, one.to)));
        for other in &held[..at] {
            let u = other.tensor as usize;
            let (a, b) = (one.tensor, other.tensor);
            let share = found
                .shared
                .iter()
                .any(|pair| *pair == (a, b) || *pair == (b, a));
            let meet = one.from <= other.to && other.from <= one.to;
            let apart = end(u) <= offset || end(t) <= found.offsets[u].expect("it is held");
            assert!(!meet || share || apart, "{t} and {u}");
        }
    }
    assert!(found.bound <= found.size);
    let all: u64 = held
        .iter()
        .map(|one| graph.bytes(one.tensor as usize).div_ceil(found.align) * found.align)
        .sum();
    assert!(found.size <= all);
}

#[test]
fn no_two_tensors_share_a_place_at_the_same_time() {
    let mut met = 0;
    for seed in 0..cases(400) {
        let graph = small(seed, 1 + seed as usize % 14);
        for (draw, align) in [(0, 1), (1, 4), (2, 16)] {
            let order = baseline::random(&graph, draw);
            let found = arena(&graph, &order, align).expect("an order");
            check(&graph, &order, &found);
            met += usize::from(found.size == found.bound);
        }
    }
    assert!(met > 1100, "{met} of 1200 meet the bound");
    let graph = lanes(7, 6, 30, true);
    let order = baseline::greedy(&graph);
    let found = arena(&graph, &order, 16).expect("an order");
    check(&graph, &order, &found);
}

#[test]
fn an_order_for_little_memory_needs_a_small_arena() {
    for seed in 0..50 {
        let graph = small(seed, 12);
        let best = solve(
            &graph,
            Objective::Peak,
            None,
            &Limits::default(),
            &mut NoProgress,
        )
        .expect("an order");
        let found = arena(&graph, &best.order, 1).expect("an order");
        // Weights are no part of it, and a sum may keep the size of what it overwrites.
        check(&graph, &best.order, &found);
        let fault = arena(&graph, &best.order[1..], 1).expect_err("no order");
        assert_eq!(fault.path, "order");
    }
}
