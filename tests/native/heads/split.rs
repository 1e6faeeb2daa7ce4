//! Plans that may split the layer over a group of devices: the search against every plan there is, Galaxy's plan as one of
//! them, whole blocks as the special case, and a search that is ended.

use super::{near, tiny};
use crate::cases::cases;
use crate::heads_made::{Case, network, sized, small};
use crate::instances::Draw;
use engine::evaluate::heads::score;
use engine::evaluate::heads_split::score_layout;
use engine::plan::{HeadSplit, Layout, column_moves};
use engine::problem::heads::HeadPlacement;
use methods::heads::split::{SplitSearch, SplitSolver};
use methods::heads::{brute, exact, galaxy};

fn search(problem: &HeadPlacement, before: Option<&HeadSplit>) -> SplitSearch {
    SplitSolver::new().search(problem, before, &mut |_| true)
}

/// Any small problem, its links mostly quick enough for rings.
fn quick(draw: &mut Draw) -> Case {
    let mut case = small(draw);
    if !draw.one_in(4) {
        let rates = case.rates.iter_mut().flatten();
        rates.for_each(|rate| *rate *= 100.0);
        let memory = case.interval.memory.iter_mut();
        memory.for_each(|memory| *memory *= 1.5);
    }
    case
}

/// Some split that could have been in force: any heads, and shares that are those of no compute.
fn any_split(draw: &mut Draw, problem: &HeadPlacement) -> HeadSplit {
    let mut devices: Vec<usize> = (0..problem.devices()).filter(|_| !draw.one_in(3)).collect();
    if devices.is_empty() {
        devices.push(0);
    }
    let weights: Vec<f64> = devices.iter().map(|_| draw.whole(1, 4) as f64).collect();
    let all: f64 = weights.iter().sum();
    let on = (0..problem.heads()).map(|_| devices[draw.below(devices.len())]);
    HeadSplit {
        on: on.collect(),
        share: weights.iter().map(|weight| weight / all).collect(),
        devices,
    }
}

#[track_caller]
fn same_as_brute(problem: &HeadPlacement, before: Option<&HeadSplit>) -> Option<bool> {
    let found = search(problem, before);
    assert!(found.complete);
    let best = brute::best_layout(problem, before);
    let Some((layout, value)) = found.best else {
        assert!(best.is_infinite() && found.bound.is_infinite(), "{best}");
        return None;
    };
    near(value, best);
    near(found.bound, best);
    let scored = score_layout(problem, before, &layout).expect("a plan");
    assert!(scored.feasible);
    near(scored.j, best);
    Some(layout.split().is_some())
}

#[test]
fn the_search_finds_what_trying_all_plans_finds() {
    let (mut split, mut whole, mut none) = (0, 0, 0);
    for seed in 0..cases(1500) {
        let mut draw = Draw::new(70_000 + seed);
        let problem = quick(&mut draw).problem();
        match same_as_brute(&problem, None) {
            Some(true) => split += 1,
            Some(false) => whole += 1,
            None => none += 1,
        }
    }
    assert!(
        split > 100 && whole > 300 && none > 100,
        "{split} {whole} {none}"
    );
}

#[test]
fn after_a_split_the_search_finds_what_trying_all_plans_finds() {
    let (mut split, mut whole, mut stay) = (0, 0, 0);
    for seed in 0..cases(1500) {
        let mut draw = Draw::new(80_000 + seed);
        let mut case = quick(&mut draw);
        case.interval.prev = None;
        let problem = case.problem();
        let before = any_split(&mut draw, &problem);
        match same_as_brute(&problem, Some(&before)) {
            Some(true) => split += 1,
            Some(false) => whole += 1,
            None => {}
        }
        let stays = |layout: &Layout| layout.split().is_some_and(|new| new.share == before.share);
        stay += usize::from(
            search(&problem, Some(&before))
                .best
                .is_some_and(|best| stays(&best.0)),
        );
    }
    assert!(
        split > 150 && whole > 200 && stay > 30,
        "{split} {whole} {stay}"
    );
}

#[test]
fn it_is_no_slower_than_the_best_placement_and_than_galaxy_of_any_size() {
    let mut gained = 0;
    for seed in 0..cases(60) {
        let mut draw = Draw::new(90_000 + seed);
        let devices = draw.whole(5, 12);
        let case = match draw.one_in(2) {
            true => network(&mut draw, devices, 32, 400),
            false => sized(&mut draw, devices, 16),
        };
        let problem = case.problem();
        let found = search(&problem, None);
        assert!(found.complete);
        let value = found.best.map_or(f64::INFINITY, |(_, value)| value);
        let placed = exact::HeadSolver::new().solve(&problem);
        let placed = placed.map_or(f64::INFINITY, |found| found.value);
        assert!(value <= placed);
        for size in 1..=devices {
            let layout = Layout::Split(galaxy::group(&problem, size));
            let scored = score_layout(&problem, None, &layout).expect("a split");
            if scored.feasible {
                assert!(value <= scored.j * (1.0 + 1e-12), "seed {seed}, {size}");
            }
        }
        gained += usize::from(value < 0.999 * placed);
    }
    assert!(gained > 25, "{gained}");
}

#[test]
fn whole_blocks_are_scored_as_ever() {
    for seed in 0..cases(300) {
        let mut draw = Draw::new(95_000 + seed);
        let problem = small(&mut draw).problem();
        let placement: Vec<usize> = (0..problem.blocks())
            .map(|_| draw.below(problem.devices()))
            .collect();
        let layout = Layout::Blocks(placement.clone());
        assert_eq!(
            score_layout(&problem, None, &layout),
            score(&problem, &placement)
        );
        // A layer on one device, said as a split of one, comes to the same; so do moves from it.
        let one = draw.below(problem.devices());
        let alone = HeadSplit {
            devices: vec![one],
            share: vec![1.0],
            on: vec![one; problem.heads()],
        };
        let as_split = score_layout(&problem, None, &Layout::Split(alone.clone())).expect("valid");
        let as_blocks = score(&problem, &vec![one; problem.blocks()]).expect("valid");
        assert_eq!(as_split.j.to_bits(), as_blocks.j.to_bits());
        assert_eq!(as_split.moves, as_blocks.moves);
        assert_eq!(as_split.memory_ok, as_blocks.memory_ok);
        let from_one = problem.clone().with_prev(Some(vec![one; problem.blocks()]));
        let from_blocks = score(&from_one.expect("valid"), &placement).expect("valid");
        let fresh = problem.with_prev(None).expect("valid");
        let from_split = score_layout(&fresh, Some(&alone), &layout).expect("valid");
        assert_eq!(from_split, from_blocks);
    }
}

/// By hand: heads and columns on two devices, then on one.
#[test]
fn columns_that_move_are_those_that_change_devices() {
    assert_eq!(
        column_moves(&[0.5, 0.5, 0.0], &[0.25, 0.25, 0.5]),
        [(0, 2, 0.25), (1, 2, 0.25)]
    );
    assert_eq!(column_moves(&[0.0, 1.0], &[1.0, 0.0]), [(1, 0, 1.0)]);
    assert_eq!(column_moves(&[0.5, 0.5], &[0.5, 0.5]), []);
    let problem = tiny(&[100.0, 50.0], &[1e3; 2], None).problem();
    let before = HeadSplit {
        devices: vec![0, 1],
        share: vec![0.5, 0.5],
        on: vec![0, 1],
    };
    let layout = Layout::Blocks(vec![0; 4]);
    let scored = score_layout(&problem, Some(&before), &layout).expect("a placement");
    let moves: Vec<(usize, f64)> = scored
        .moves
        .iter()
        .map(|one| (one.block, one.bytes))
        .collect();
    // A head of 30 bytes, half of proj's 4 and half of ffn's 16.
    assert_eq!(moves, [(1, 30.0), (2, 2.0), (3, 8.0)]);
    near(scored.d_mig, 4.0);
    near(scored.d_t, 4.0);
    for (fault, path) in [
        (
            HeadSplit {
                devices: vec![1, 0],
                ..before.clone()
            },
            "split.devices[1]",
        ),
        (
            HeadSplit {
                share: vec![0.5, 0.4],
                ..before.clone()
            },
            "split.share",
        ),
        (
            HeadSplit {
                share: vec![1.5, -0.5],
                ..before.clone()
            },
            "split.share[0]",
        ),
        (
            HeadSplit {
                on: vec![0],
                ..before.clone()
            },
            "split.on",
        ),
        (
            HeadSplit {
                devices: vec![0],
                share: vec![1.0],
                on: vec![0, 1],
            },
            "split.on[1]",
        ),
        (HeadSplit::default(), "split.devices"),
    ] {
        let found = score_layout(&problem, None, &Layout::Split(fault));
        assert_eq!(found.expect_err("a fault").path, path);
    }
}

#[test]
fn a_search_that_is_ended_has_a_bound_that_holds() {
    let mut ended = 0;
    for seed in 0..cases(20) {
        let problem = network(&mut Draw::new(99_000 + seed), 14, 32, 300).problem();
        let best = search(&problem, None).best.expect("a plan").1;
        for most in [0, 1_000, 20_000] {
            let found = SplitSolver::new().search(&problem, None, &mut |looks| looks <= most);
            assert!(found.bound <= best * (1.0 + 1e-12), "{most}");
            if let Some((_, value)) = found.best {
                assert!(value >= best * (1.0 - 1e-12));
            }
            ended += usize::from(!found.complete);
        }
    }
    assert!(ended > 15, "{ended}");
}
