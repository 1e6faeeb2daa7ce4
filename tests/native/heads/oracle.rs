//! The exact placement against every placement there is, on thousands of small problems with everything that can be
//! missing: links, compute, memory, a previous placement.

use super::near;
use crate::cases::cases;
use crate::heads_made::{sized, small};
use crate::instances::Draw;
use engine::evaluate::heads::score;
use methods::heads::costs::HeadCosts;
use methods::heads::exact::HeadSolver;
use methods::heads::{branch_and_bound, brute};

#[test]
fn counting_finds_what_trying_all_placements_finds() {
    let mut solver = HeadSolver::new();
    let (mut with, mut without, mut none) = (0, 0, 0);
    for seed in 0..cases(3000) {
        let case = small(&mut Draw::new(seed));
        let problem = case.problem();
        let found = solver.solve(&problem);
        match (found, brute::best(&problem)) {
            (Some(found), Some((_, best))) => {
                near(found.value, best);
                let scored = score(&problem, &found.placement).expect("a placement");
                assert!(scored.feasible, "seed {seed}");
                near(scored.j, best);
                *(if problem.prev().is_some() {
                    &mut with
                } else {
                    &mut without
                }) += 1;
            }
            (None, None) => none += 1,
            (found, best) => panic!("seed {seed}: {found:?} and {best:?}, {case:?}"),
        }
    }
    assert!(
        with > 700 && without > 400 && none > 400,
        "{with} {without} {none}"
    );
}

#[test]
fn counting_and_branching_agree_on_more_devices_and_heads() {
    let mut solver = HeadSolver::new();
    let (mut plans, mut none) = (0, 0);
    for seed in 0..cases(400) {
        let mut draw = Draw::new(10_000 + seed);
        let (devices, heads) = (draw.whole(4, 6), draw.whole(5, 8));
        let problem = sized(&mut draw, devices, heads).problem();
        let Ok((best, _)) = branch_and_bound::best(&problem, 3_000_000) else {
            continue;
        };
        let found = solver.solve(&problem);
        match (found, best) {
            (Some(found), Some((placement, best))) => {
                near(found.value, best);
                near(
                    score(&problem, &found.placement).expect("a placement").j,
                    best,
                );
                near(score(&problem, &placement).expect("a placement").j, best);
                plans += 1;
            }
            (None, None) => none += 1,
            (found, best) => panic!("seed {seed}: {found:?} and {best:?}"),
        }
    }
    assert!(plans > 150 && none > 50, "{plans} {none}");
}

/// The least value of plain costs, by trying every device for every block.
fn least(costs: &HeadCosts) -> Option<f64> {
    let devices = costs.devices;
    let mut least: Option<f64> = None;
    for number in 0..devices.pow(costs.heads as u32 + 2) {
        let at = |block: usize| number / devices.pow(block as u32) % devices;
        let (p, f) = (at(costs.heads), at(costs.heads + 1));
        let held = |j: usize| (0..costs.heads).filter(|head| at(*head) == j).count();
        let fits = |j: usize| costs.use_of(j, held(j), p, Some(f)) <= costs.memory[j];
        if !(0..devices).all(fits) {
            continue;
        }
        let slowest = (0..devices).map(|j| costs.stage(p, j, held(j)));
        let slowest = slowest.fold(0.0, f64::max);
        let heads =
            (0..costs.heads).map(|head| costs.cost[costs.source[head] * devices + at(head)]);
        let value = costs.pair[p * devices + f] + costs.weight * slowest + heads.sum::<f64>();
        if value.is_finite() && least.is_none_or(|least| value < least) {
            least = Some(value);
        }
    }
    least
}

#[test]
fn prices_on_devices_and_pairs_are_searched_exactly() {
    let mut solver = HeadSolver::new();
    let mut plans = 0;
    for seed in 0..cases(600) {
        let mut draw = Draw::new(20_000 + seed);
        let (devices, heads) = (draw.whole(2, 3), draw.whole(2, 4));
        let problem = sized(&mut draw, devices, heads).problem();
        let mut costs = HeadCosts::of(&problem);
        for price in costs.cost.iter_mut().chain(&mut costs.pair) {
            // A bonus now and then: nothing keeps a price from being below zero.
            *price += draw.between(-2.0, 6.0);
        }
        let search = solver.search(&costs, 1, &mut || true);
        let found = solver.results().first();
        assert!(search.complete);
        match (found, least(&costs)) {
            (Some(found), Some(least)) => {
                let hair = 1e-9 * (1.0 + least.abs());
                assert!(
                    (found.value - least).abs() <= hair,
                    "{found:?}, not {least}"
                );
                let placement = costs.place(found);
                assert_eq!(placement[heads..], [found.proj, found.ffn]);
                for (device, held) in found.heads_on.iter().enumerate() {
                    let on = placement[..heads].iter().filter(|j| **j == device);
                    assert_eq!(on.count(), *held);
                }
                plans += 1;
            }
            (None, None) => {}
            (found, least) => panic!("seed {seed}: {found:?} and {least:?}"),
        }
    }
    assert!(plans > 200, "{plans}");
}

#[test]
fn many_placements_are_the_best_and_others_that_differ_in_counts() {
    let mut solver = HeadSolver::new();
    let mut several = 0;
    for seed in 0..cases(300) {
        let problem = small(&mut Draw::new(30_000 + seed)).problem();
        let many = solver.solve_many(&problem, 6);
        let best = solver.solve(&problem);
        assert_eq!(many.is_empty(), best.is_none());
        assert!(many.len() <= 6);
        several += usize::from(many.len() > 2);
        for (at, found) in many.iter().enumerate() {
            let scored = score(&problem, &found.placement).expect("a placement");
            assert!(scored.feasible);
            near(found.value, scored.j);
            assert!(at == 0 || many[at - 1].value <= found.value);
            let counts = |placement: &[usize]| {
                let (heads, rest) = placement.split_at(placement.len() - 2);
                let mut heads = heads.to_vec();
                heads.sort_unstable();
                (heads, rest.to_vec())
            };
            let alike = |other: &&_| counts(other) == counts(&found.placement);
            let before = many[..at].iter().map(|other| &other.placement);
            assert_eq!(before.filter(|other| alike(&other.as_slice())).count(), 0);
        }
        if let (Some(first), Some(best)) = (many.first(), best) {
            near(first.value, best.value);
        }
    }
    assert!(several > 80, "{several}");
}

#[test]
fn a_search_that_is_ended_keeps_what_it_has_and_a_bound_that_holds() {
    let mut solver = HeadSolver::new();
    let mut ended = 0;
    for seed in 0..cases(200) {
        let mut draw = Draw::new(40_000 + seed);
        let problem = sized(&mut draw, 6, 8).problem();
        let costs = HeadCosts::of(&problem);
        solver.search(&costs, 1, &mut || true);
        let Some(best) = solver.results().first().map(|best| best.value) else {
            continue;
        };
        for levels in 0..4 {
            let mut left = levels;
            let search = solver.search(&costs, 1, &mut || {
                left -= 1;
                left >= 0
            });
            assert!(search.bound <= best * (1.0 + 1e-12), "{search:?}, {best}");
            if let Some(found) = solver.results().first() {
                assert!(found.value >= best * (1.0 - 1e-12));
            }
            ended += usize::from(!search.complete);
        }
    }
    assert!(ended > 100, "{ended}");
}
