//! Plans for several intervals together, beside every sequence of placements there is.

use crate::cases::cases;
use crate::heads_made::{Case, small};
use crate::instances::Draw;
use engine::evaluate::heads::score;
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;
use methods::heads::ahead::{Path, horizon};
use methods::heads::exact::HeadSolver;

/// Intervals that follow one another, with other resources each.
fn intervals(draw: &mut Draw, count: usize) -> Vec<HeadPlacement> {
    let case = small(draw);
    let mut n = case.interval.n_prev;
    (0..count)
        .map(|at| {
            let mut next = case.clone();
            next.interval.n_prev = n;
            next.interval.n = n + case.interval.tokens as u32;
            n = next.interval.n;
            for memory in &mut next.interval.memory {
                *memory *= draw.between(0.8, 2.0);
            }
            for compute in &mut next.interval.compute {
                *compute *= [0.05, 1.0, 1.0, 5.0][draw.below(4)];
            }
            if at > 0 {
                next.interval.prev = None;
            }
            next.problem()
        })
        .collect()
}

/// The sum of the objectives of a sequence, by the referee; infinite where it is not feasible.
fn along(problems: &[HeadPlacement], path: &[Placement]) -> f64 {
    let mut prev = problems[0].prev().map(<[usize]>::to_vec);
    let mut sum = 0.0;
    for (problem, placement) in problems.iter().zip(path) {
        let here = problem.clone().with_prev(prev).expect("a placement");
        let scored = score(&here, placement).expect("a placement");
        sum += if scored.feasible {
            scored.j
        } else {
            f64::INFINITY
        };
        prev = Some(placement.clone());
    }
    sum
}

/// Myopic choices, one after the other.
fn myopic(problems: &[HeadPlacement]) -> f64 {
    let mut solver = HeadSolver::new();
    let mut prev = problems[0].prev().map(<[usize]>::to_vec);
    let mut path = Vec::new();
    for problem in problems {
        let here = problem.clone().with_prev(prev).expect("a placement");
        let Some(found) = solver.solve(&here) else {
            return f64::INFINITY;
        };
        prev = Some(found.placement.clone());
        path.push(found.placement);
    }
    along(problems, &path)
}

#[test]
fn a_plan_ahead_is_feasible_and_never_worse_than_the_myopic_one() {
    let mut draw = Draw::new(4);
    let mut solver = HeadSolver::new();
    let (mut found, mut better, mut rescued, mut stays) = (0, 0, 0, 0);
    for round in 0..cases(400) {
        let problems = intervals(&mut draw, 2 + round % 4);
        let myopic = myopic(&problems);
        let Some(path) = horizon(&problems, 1 + round % 3, &mut solver) else {
            assert!(myopic.is_infinite(), "round {round}");
            continue;
        };
        let Path {
            placements,
            value,
            myopic: told,
        } = &path;
        assert_eq!(placements.len(), problems.len());
        assert!(
            (value - along(&problems, placements)).abs() <= 1e-9 * value,
            "round {round}"
        );
        assert!(*value <= myopic, "round {round}: {value} {myopic}");
        assert_eq!(told.is_infinite(), myopic.is_infinite(), "round {round}");
        found += 1;
        better += usize::from(*value < myopic * (1.0 - 1e-6) && myopic.is_finite());
        rescued += usize::from(myopic.is_infinite());
        stays += usize::from(placements.windows(2).any(|pair| pair[0] == pair[1]));
        assert_eq!(
            horizon(&problems, 1 + round % 3, &mut solver),
            Some(path),
            "it repeats"
        );
    }
    assert!(
        found > 100 && better > 20 && stays > 50,
        "{found} {better} {rescued} {stays}"
    );
}

/// All placements of so many blocks.
fn all(blocks: usize, devices: usize) -> Vec<Placement> {
    let mut list = vec![Vec::new()];
    for _ in 0..blocks {
        list = list
            .iter()
            .flat_map(|start: &Placement| {
                (0..devices).map(move |device| [&start[..], &[device]].concat())
            })
            .collect();
    }
    list
}

#[test]
fn a_plan_ahead_is_near_the_best_sequence_and_never_below_it() {
    let mut draw = Draw::new(12);
    let mut solver = HeadSolver::new();
    let (mut count, mut hit) = (0, 0);
    while count < 60 {
        let problems = intervals(&mut draw, 3);
        if problems[0].devices().pow(problems[0].blocks() as u32) > 300 {
            continue;
        }
        let Some(path) = horizon(&problems, 6, &mut solver) else {
            continue;
        };
        // The least cost to be in each placement after each interval.
        let list = all(problems[0].blocks(), problems[0].devices());
        let cost = |problem: &HeadPlacement, prev: Option<&Placement>, to: &Placement| {
            let here = problem
                .clone()
                .with_prev(prev.cloned())
                .expect("a placement");
            let scored = score(&here, to).expect("a placement");
            if scored.feasible {
                scored.j
            } else {
                f64::INFINITY
            }
        };
        let first = problems[0].prev().map(<[usize]>::to_vec);
        let mut least: Vec<f64> = list
            .iter()
            .map(|to| cost(&problems[0], first.as_ref(), to))
            .collect();
        for problem in &problems[1..] {
            least = list
                .iter()
                .map(|to| {
                    let each = list
                        .iter()
                        .zip(&least)
                        .filter(|(_, so_far)| so_far.is_finite());
                    each.map(|(from, so_far)| so_far + cost(problem, Some(from), to))
                        .fold(f64::INFINITY, f64::min)
                })
                .collect();
        }
        let best = least.into_iter().fold(f64::INFINITY, f64::min);
        assert!(path.value >= best * (1.0 - 1e-9), "{} {best}", path.value);
        count += 1;
        hit += usize::from(path.value <= best * (1.0 + 1e-9));
    }
    assert!(
        hit * 4 >= count * 3,
        "{hit} of {count} are the best there is"
    );
}

#[test]
fn no_intervals_or_no_memory_is_no_plan() {
    assert_eq!(horizon(&[], 3, &mut HeadSolver::new()), None);
    let mut draw = Draw::new(1);
    let mut case: Case = small(&mut draw);
    case.interval.memory.fill(0.0);
    assert_eq!(horizon(&[case.problem()], 3, &mut HeadSolver::new()), None);
}
