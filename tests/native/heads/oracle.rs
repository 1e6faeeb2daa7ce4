//! The exact placement against every placement there is, on thousands of small problems with everything that can be
//! missing: links, compute, memory, a previous placement.

use crate::heads_made::small;
use crate::instances::Draw;
use edgewise::evaluate::heads::score;
use edgewise::methods::heads::brute;
use edgewise::methods::heads::exact::Solver;

#[track_caller]
fn near(found: f64, wanted: f64, what: &str) {
    let hair = 1e-9 * wanted.abs();
    assert!(
        (found - wanted).abs() <= hair,
        "{what}: {found}, not {wanted}"
    );
}

#[test]
fn counting_finds_what_trying_all_placements_finds() {
    let mut solver = Solver::new();
    let (mut with, mut without, mut none) = (0, 0, 0);
    for seed in 0..3000 {
        let case = small(&mut Draw::new(seed));
        let problem = case.problem();
        let found = solver.solve(&problem);
        match (found, brute::best(&problem)) {
            (Some(found), Some((_, best))) => {
                near(found.value, best, &format!("seed {seed}"));
                let scored = score(&problem, &found.placement).expect("a placement");
                assert!(scored.feasible, "seed {seed}");
                near(scored.j, best, &format!("seed {seed}, scored"));
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
    println!("{with} with a previous placement, {without} without, {none} infeasible");
    assert!(
        with > 700 && without > 400 && none > 400,
        "{with} {without} {none}"
    );
}
