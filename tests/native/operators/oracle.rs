//! The exact order and the paper's search against every order there is.

use crate::cases::cases;
use crate::operator_graphs::{lanes, small};
use engine::evaluate::operators::trace;
use engine::graph::{Graph, Objective};
use engine::solve::{Ended, Limits, NoPlan, NoProgress, SearchEvent, StopReason};
use methods::operators::order::{
    ExactOrder, SearchMemory, baseline, bound, brute, btsearch, cuts::cuts, solve, solve_within,
    value,
};
use std::ops::ControlFlow;

fn exact(graph: &Graph, objective: Objective) -> ExactOrder {
    solve(graph, objective, None, &Limits::default(), &mut NoProgress).expect("there is no limit")
}

fn replayed(graph: &Graph, found: &ExactOrder, objective: Objective) -> u64 {
    value(&trace(graph, &found.order).expect("an order"), objective)
}

/// Every set that can have run, by trying all of them.
fn sets(graph: &Graph) -> (u64, u64) {
    let n = graph.len();
    let made = |v: usize| graph.src(v).iter().filter(|t| (**t as usize) < n);
    let needs: Vec<u32> = (0..n)
        .map(|v| made(v).fold(0, |set, t| set | 1 << t))
        .collect();
    let closed = |set: u32| (0..n).all(|v| set >> v & 1 == 0 || needs[v] & !set == 0);
    let all: Vec<u32> = (0..1u32 << n).filter(|set| closed(*set)).collect();
    let next = |set: u32| {
        (0..n)
            .filter(move |v| set >> v & 1 == 0)
            .filter(|v| needs[*v] & !set == 0)
            .count()
    };
    (
        all.len() as u64,
        all.iter().map(|set| next(*set) as u64).sum(),
    )
}

#[test]
fn no_order_is_better_than_the_exact_one() {
    for seed in 0..cases(400) {
        let n = 1 + seed as usize % 7;
        let graph = small(seed, n);
        let (states, transitions) = sets(&graph);
        for objective in Objective::ALL {
            let (_, least) = brute::best(&graph, objective, None).expect("no limit");
            let found = exact(&graph, objective);
            let what = format!("seed {seed}, {objective:?}");
            assert_eq!(found.value, least, "{what}");
            assert_eq!(replayed(&graph, &found, objective), least, "{what}");
            assert_eq!(
                (found.bound, found.ended),
                (least, Ended::Optimal),
                "{what}"
            );
            assert_eq!(
                (found.states, found.transitions),
                (states, transitions),
                "{what}"
            );

            let searched = btsearch::search(&graph, objective, &Limits::default(), &mut NoProgress);
            assert_eq!(
                (searched.value, searched.ended),
                (least, Ended::Optimal),
                "{what}"
            );
            let replayed = trace(&graph, &searched.order).expect("an order");
            assert_eq!(value(&replayed, objective), least, "{what}");
            assert_eq!(
                (searched.states, searched.transitions),
                (states, transitions),
                "{what}"
            );
        }
    }
}

#[test]
fn a_limit_is_kept_or_proved_to_be_too_low() {
    let mut over = 0;
    for seed in 400..600 {
        let graph = small(seed, 7);
        let (_, least) = brute::best(&graph, Objective::Peak, None).expect("no limit");
        for (limit, objective) in [(least, Objective::Sum), (least + 3, Objective::Table4)] {
            let best = brute::best(&graph, objective, Some(limit)).expect("the limit can be kept");
            let found = solve(
                &graph,
                objective,
                Some(limit),
                &Limits::default(),
                &mut NoProgress,
            );
            let found = found.expect("the limit can be kept");
            assert_eq!(found.value, best.1, "seed {seed}");
            assert!(trace(&graph, &found.order).expect("an order").peak() <= limit);
        }
        if let Some(below) = least.checked_sub(1) {
            let found = solve(
                &graph,
                Objective::Sum,
                Some(below),
                &Limits::default(),
                &mut NoProgress,
            );
            assert!(
                matches!(found, Err(NoPlan::Infeasible(_))),
                "seed {seed}: {found:?}"
            );
            over += 1;
        }
    }
    assert!(over > 100, "{over}");
}

#[test]
fn without_memory_the_gap_is_proved() {
    let (mut gaps, mut met) = (0, 0);
    for seed in 0..cases(300) {
        let graph = small(seed, 8);
        for objective in Objective::ALL {
            let (_, least) = brute::best(&graph, objective, None).expect("no limit");
            for (states, beam) in [(1, 0), (2, 8), (4, 24), (1, 1000)] {
                let room = SearchMemory {
                    states,
                    memory: usize::MAX,
                    beam,
                };
                let found = solve_within(
                    &graph,
                    objective,
                    None,
                    room,
                    &Limits::default(),
                    &mut NoProgress,
                );
                let found = found.expect("there is no limit");
                assert_eq!(found.value, replayed(&graph, &found, objective));
                assert!(
                    found.bound <= least && least <= found.value,
                    "seed {seed}: {found:?} {least}"
                );
                assert_eq!(found.ended == Ended::Optimal, found.bound == found.value);
                gaps += usize::from(found.bound < found.value);
                met += usize::from(found.value == least);
            }
        }
    }
    assert!(gaps > 300 && met > 1500, "{gaps} gaps, {met} optima");
}

#[test]
fn no_plan_costs_less_than_its_bound() {
    for seed in 0..cases(100) {
        let graph = small(seed, 8);
        for objective in Objective::ALL {
            let least = bound::of_graph(&graph, objective);
            for draw in 0..20 {
                let order = baseline::random(&graph, draw);
                let trace = trace(&graph, &order).expect("an order");
                let steps = match objective {
                    Objective::Table4 => &trace.table4,
                    Objective::Sum | Objective::Peak => &trace.running,
                };
                for (step, v) in order.iter().enumerate() {
                    assert!(
                        least[*v as usize] <= steps[step],
                        "seed {seed}, {objective:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn articulation_points_are_where_one_set_alone_has_its_size() {
    for seed in 0..cases(300) {
        let graph = small(seed, 1 + seed as usize % 10);
        let n = graph.len();
        let made = |v: usize| graph.src(v).iter().filter(|t| (**t as usize) < n);
        let needs: Vec<u32> = (0..n)
            .map(|v| made(v).fold(0, |set, t| set | 1 << t))
            .collect();
        let closed = |set: u32| (0..n).all(|v| set >> v & 1 == 0 || needs[v] & !set == 0);
        let mut of_size = vec![0; n + 1];
        for set in (0..1u32 << n).filter(|set| closed(*set)) {
            of_size[set.count_ones() as usize] += 1;
        }
        let expected: Vec<usize> = (0..=n).filter(|size| of_size[*size] == 1).collect();
        assert_eq!(cuts(&graph), expected, "seed {seed}");
    }
}

#[test]
fn the_order_of_a_graph_s_list_does_not_matter() {
    // Listed lane by lane a set reaches beyond 64 operators, so that it needs a bit for each; mixed it does not.
    for objective in Objective::ALL {
        let found = [false, true].map(|mixed| exact(&lanes(3, 2, 90, mixed), objective));
        assert_eq!(found[0].value, found[1].value, "{objective:?}");
        assert_eq!(found[0].states, found[1].states);
        assert_eq!(found[0].states, 91 * 91 + 2);
        assert_eq!(found[0].transitions, found[1].transitions);
    }
    let searched = [false, true].map(|mixed| {
        let limits = Limits {
            steps: Some(100_000),
            ..Limits::default()
        };
        btsearch::search(
            &lanes(3, 2, 90, mixed),
            Objective::Sum,
            &limits,
            &mut NoProgress,
        )
    });
    assert!(
        searched
            .iter()
            .all(|one| one.ended == Ended::Stopped(StopReason::Steps))
    );
}

#[test]
fn a_search_that_is_ended_has_an_order_and_a_bound() {
    let graph = lanes(1, 3, 30, true);
    let mut calls = 0;
    let mut end = |_: SearchEvent<'_, Vec<u32>>| {
        calls += 1;
        if calls > 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let found =
        solve(&graph, Objective::Sum, None, &Limits::default(), &mut end).expect("an order");
    assert_eq!(found.ended, Ended::Stopped(StopReason::Cancelled));
    let best = exact(&graph, Objective::Sum);
    assert!(found.bound <= best.value && best.value <= found.value);
    let limits = Limits {
        steps: Some(20_000),
        ..Limits::default()
    };
    let stopped = solve(&graph, Objective::Sum, None, &limits, &mut NoProgress).expect("an order");
    assert_eq!(stopped.ended, Ended::Stopped(StopReason::Steps));
    assert!(stopped.bound <= best.value && best.value <= stopped.value);
}

#[test]
fn a_search_without_memory_for_one_path_answers_with_the_order_of_the_file() {
    // Of 6000 independent operators the steps of the first state alone are more than memory takes.
    let graph = lanes(5, 6000, 1, true);
    let found = btsearch::search(&graph, Objective::Sum, &Limits::default(), &mut NoProgress);
    assert_eq!(found.ended, Ended::Stopped(StopReason::Size));
    assert!(found.order.iter().copied().eq(0..6002));
    let replayed = trace(&graph, &found.order).expect("an order");
    assert_eq!((found.value, found.searched), (replayed.sum(), 0));
    let limits = Limits {
        steps: Some(3),
        ..Limits::default()
    };
    let few = btsearch::search(
        &lanes(1, 2, 9, true),
        Objective::Peak,
        &limits,
        &mut NoProgress,
    );
    assert_eq!(few.ended, Ended::Stopped(StopReason::Steps));
    assert!(few.order.iter().copied().eq(0..20));
}

#[test]
fn a_graph_that_no_search_holds_is_answered_all_the_same() {
    // Independent operators: 2^700 sets.
    let graph = lanes(5, 700, 1, true);
    let room = SearchMemory {
        states: 1000,
        memory: 1 << 20,
        beam: 2000,
    };
    for objective in Objective::ALL {
        let found = solve_within(
            &graph,
            objective,
            None,
            room,
            &Limits::default(),
            &mut NoProgress,
        );
        let found = found.expect("there is no limit");
        assert_eq!(found.value, replayed(&graph, &found, objective));
        assert!(found.bound <= found.value);
        assert!(
            matches!(found.ended, Ended::Stopped(StopReason::Size)) || found.bound == found.value
        );
    }
}
