//! What holds for every problem: laws that proptest tries to break.

use super::{close, exact, paper};
use crate::cases::properties;
use engine::evaluate::tiers::score;
use engine::problem::TierPartition;
use methods::tiers::partition::{Objective, front};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Costs, memories, speeds and capacities of up to 30 blocks and 5 tiers.
fn numbers() -> impl Strategy<Value = [Vec<f64>; 4]> {
    (1..30_usize, 1..5_usize).prop_flat_map(|(blocks, tiers)| {
        let list = |n, range: std::ops::Range<f64>| prop::collection::vec(range, n);
        (
            list(blocks, 0.1..5.0),
            list(blocks, 0.0..2.0),
            list(tiers, 0.1..4.0),
            list(tiers, 0.0..30.0),
        )
            .prop_map(|(f, m, c, capacity)| [f, m, c, capacity])
    })
}

fn problem([f, m, c, capacity]: &[Vec<f64>; 4]) -> TierPartition {
    TierPartition::new(f, m, c, capacity).expect("the ranges are those of the problem")
}

fn least(problem: &TierPartition) -> Option<f64> {
    exact(problem, Objective::Max).ok().map(|(_, value)| value)
}

/// The laws below say little of a problem without a valid partition, so enough of the drawn problems must have one.
#[test]
fn drawn_problems_are_feasible_and_infeasible() {
    let mut runner = TestRunner::deterministic();
    let drawn = (0..200).map(|_| {
        numbers()
            .new_tree(&mut runner)
            .expect("ranges are not empty")
    });
    let feasible = drawn
        .filter(|tree| least(&problem(&tree.current())).is_some())
        .count();
    assert!(
        (40..=180).contains(&feasible),
        "{feasible} of 200 are feasible"
    );
}

proptest! {
    #![proptest_config(properties(120))]

    #[test]
    fn the_least_largest_load_is_between_the_obvious_bounds(n in numbers()) {
        let problem = problem(&n);
        if let Ok((cuts, value)) = exact(&problem, Objective::Max) {
            let [f, _, c, _] = &n;
            let all: f64 = f.iter().sum();
            let slowest = c.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(value >= all / c.iter().sum::<f64>() * (1.0 - 1e-9));
            prop_assert!(value <= all / slowest * (1.0 + 1e-9));
            let scored = score(&problem, &cuts).expect("cuts of the problem");
            prop_assert!(scored.mem_ok && scored.counts.iter().all(|count| *count > 0));
            prop_assert_eq!(scored.counts.iter().sum::<usize>(), f.len());
        }
    }

    #[test]
    fn more_memory_or_leave_to_skip_tiers_never_hurts(n in numbers(), tier in 0..5_usize) {
        let problem = problem(&n);
        let tier = tier % problem.tiers();
        let before = least(&problem).unwrap_or(f64::INFINITY);
        let memory = problem.memory()[tier] * 1.5 + 1.0;
        let roomier = least(&problem.clone().with_memory(tier, memory));
        let freer = least(&problem.clone().with_empty_tiers(true));
        prop_assert!(roomier.unwrap_or(f64::INFINITY) <= before * (1.0 + 1e-12));
        prop_assert!(freer.unwrap_or(f64::INFINITY) <= before * (1.0 + 1e-12));
    }

    #[test]
    fn speeds_twice_as_high_halve_every_time(n in numbers()) {
        let [f, m, c, capacity] = &n;
        let faster: Vec<f64> = c.iter().map(|c| 2.0 * c).collect();
        let faster = problem(&[f.clone(), m.clone(), faster, capacity.clone()]);
        for objective in [Objective::Max, Objective::Sum] {
            match (exact(&problem(&n), objective), exact(&faster, objective)) {
                (Ok((cuts, a)), Ok((other, b))) => prop_assert!(cuts == other && a == 2.0 * b),
                (a, b) => prop_assert!(a.is_err() && b.is_err()),
            }
        }
    }

    #[test]
    fn read_from_the_other_end_a_problem_has_the_same_value(n in numbers()) {
        let turned = n.clone().map(|mut list| {
            list.reverse();
            list
        });
        for objective in [Objective::Max, Objective::Sum] {
            match (exact(&problem(&n), objective), exact(&problem(&turned), objective)) {
                (Ok((_, a)), Ok((_, b))) => prop_assert!(close(a, b), "{} and {}", a, b),
                (a, b) => prop_assert!(a.is_err() && b.is_err()),
            }
        }
    }

    #[test]
    fn the_front_begins_and_ends_with_the_two_optima(n in numbers()) {
        let problem = problem(&n);
        let points = front(&problem, usize::MAX);
        match exact(&problem, Objective::Max) {
            Ok((cuts, value)) => {
                prop_assert!(close(points[0].bottleneck, value));
                let own = score(&problem, &cuts).expect("cuts of the problem");
                prop_assert!(close(own.sum, points[0].sum), "ties go to the least sum");
                let (_, sum) = exact(&problem, Objective::Sum).expect("the same partitions");
                prop_assert!(close(points[points.len() - 1].sum, sum));
            }
            Err(_) => prop_assert!(points.is_empty()),
        }
    }

    #[test]
    fn a_smaller_eps_is_never_worse_than_its_promise(n in numbers(), digits in 1..9_i32) {
        let problem = problem(&n);
        let eps = 10_f64.powi(-digits);
        if let (Ok((cuts, tau)), Some(best)) = (paper(&problem, eps), least(&problem)) {
            let own = score(&problem, &cuts).expect("cuts of the problem").bottleneck;
            let hair = 1e-9 * best;
            prop_assert!(best <= own + hair && own <= tau + hair && tau <= best + eps + hair);
        }
    }
}
