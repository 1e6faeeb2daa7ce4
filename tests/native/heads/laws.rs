//! What has to hold of every problem: names of devices do not matter, more is never worse, and no heuristic breaks the
//! memory rule or beats the best.

use super::near;
use crate::cases::cases;
use crate::heads_made::{Case, sized, small};
use crate::instances::Draw;
use engine::evaluate::heads::score;
use engine::solve::NoProgress;
use methods::heads::algorithm1::{self, Variant};
use methods::heads::baseline::{self, Pick};
use methods::heads::exact::HeadSolver;

fn best(case: &Case) -> Option<f64> {
    HeadSolver::new()
        .solve(&case.problem())
        .map(|found| found.value)
}

#[test]
fn names_of_devices_and_heads_do_not_matter() {
    for seed in 0..cases(300) {
        let mut draw = Draw::new(60_000 + seed);
        let case = sized(&mut draw, 5, 6);
        let devices = case.rates.len();
        let mut to: Vec<usize> = (0..devices).collect();
        draw.shuffle(&mut to);
        let mut renamed = case.clone();
        for j in 0..devices {
            renamed.interval.memory[to[j]] = case.interval.memory[j];
            renamed.interval.compute[to[j]] = case.interval.compute[j];
            for k in 0..devices {
                renamed.rates[to[j]][to[k]] = case.rates[j][k];
            }
        }
        renamed.interval.controller = to[case.interval.controller];
        if let Some(prev) = &mut renamed.interval.prev {
            prev.iter_mut().for_each(|device| *device = to[*device]);
            draw.shuffle(&mut prev[..6]);
        }
        match (best(&case), best(&renamed)) {
            (Some(a), Some(b)) => near(b, a),
            (a, b) => assert_eq!(a, b, "seed {seed}"),
        }
    }
}

#[test]
fn more_memory_compute_or_bandwidth_is_never_worse() {
    let mut better = 0;
    for seed in 0..cases(600) {
        let mut draw = Draw::new(70_000 + seed);
        let case = sized(&mut draw, 5, 6);
        let mut more = case.clone();
        let (j, k) = (draw.below(5), draw.below(5));
        match seed % 3 {
            0 => more.interval.memory[j] = 1.5 * more.interval.memory[j] + 10.0,
            1 => more.interval.compute[j] = 2.0 * more.interval.compute[j] + 10.0,
            _ => more.rates[j][k] = 3.0 * more.rates[j][k] + 1.0,
        }
        let value = |case| best(case).unwrap_or(f64::INFINITY);
        let (before, after) = (value(&case), value(&more));
        assert!(
            after <= before * (1.0 + 1e-12),
            "seed {seed}: {after} after {before}"
        );
        better += usize::from(after < before);
    }
    assert!(better > 60, "{better}");
}

#[test]
fn where_moves_are_dear_nothing_moves() {
    let mut stayed = 0;
    for seed in 0..cases(600) {
        let mut draw = Draw::new(80_000 + seed);
        let mut case = sized(&mut draw, 4, 5);
        // Tokens that weigh next to nothing make every move dear.
        case.interval.tokens = 1e-12;
        let problem = case.problem();
        let Some(prev) = problem.prev() else { continue };
        let scored = score(&problem, prev).expect("a placement");
        if !scored.feasible || scored.d_t > 1e3 || problem.before().m_proj == 0.0 {
            continue;
        }
        let found = HeadSolver::new().solve(&problem).expect("the previous one");
        assert_eq!(found.placement, prev, "seed {seed}");
        stayed += 1;
    }
    assert!(stayed > 60, "{stayed}");
}

#[test]
fn no_heuristic_breaks_the_memory_rule_or_beats_the_best() {
    let mut found = [0; 8];
    for seed in 0..cases(1500) {
        let problem = small(&mut Draw::new(90_000 + seed)).problem();
        let best = HeadSolver::new().solve(&problem);
        let of = |variant| algorithm1::solve(&problem, variant, &mut NoProgress).ok();
        let made = [
            of(Variant::Published),
            of(Variant::WithMigration),
            of(Variant::LoadAware),
            baseline::greedy(&problem).ok(),
            baseline::round_robin(&problem).ok(),
            baseline::dynamic(&problem).ok(),
            baseline::edgeshard(&problem, Pick::Best).ok(),
            baseline::edgeshard(&problem, Pick::First).ok(),
        ];
        for (which, placement) in made.iter().enumerate() {
            let Some(placement) = placement else { continue };
            let scored = score(&problem, placement).expect("a placement");
            assert!(scored.memory_ok, "seed {seed}, method {which}");
            if scored.feasible {
                let best = best.as_ref().expect("there is one").value;
                assert!(
                    scored.j >= best * (1.0 - 1e-9),
                    "seed {seed}, method {which}"
                );
                found[which] += 1;
            }
        }
        // The best of the single devices is no worse than the first.
        if let [.., Some(best), Some(first)] = &made {
            let delay = |placement| score(&problem, placement).expect("a placement").d_t;
            assert!(delay(best) <= delay(first));
        }
        for variant in Variant::ALL {
            assert_eq!(of(variant), of(variant));
        }
    }
    assert!(found.iter().all(|plans| *plans > 150), "{found:?}");
}
