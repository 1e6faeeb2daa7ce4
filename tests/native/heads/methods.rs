//! Algorithm 1 and the baselines on problems small enough to follow by hand.

use super::{near, tiny};
use crate::heads_made::Case;
use engine::evaluate::heads::{ScoredHeads, score};
use engine::evaluate::heads_split::score_layout;
use engine::plan::{HeadSplit, Layout};
use engine::problem::head_sizes::{Delay, Input};
use engine::problem::heads::HeadPlacement;
use engine::solve::{NoProgress, SearchEvent};
use methods::heads::algorithm1::{self, Stuck, Variant, queue};
use methods::heads::baseline::{self, Pick};
use methods::heads::exact::HeadSolver;
use methods::heads::galaxy;
use std::ops::ControlFlow;

const ROOMY: [f64; 2] = [1e3; 2];

fn placed(case: &Case, variant: Variant) -> Result<Vec<usize>, Stuck> {
    algorithm1::solve(&case.problem(), variant, &mut NoProgress)
}

#[test]
fn blocks_with_most_work_come_first() {
    let case = tiny(&[100.0, 50.0], &ROOMY, None);
    assert_eq!(queue(&case.problem()), [3, 0, 1, 2]);
}

#[test]
fn a_score_that_sees_one_block_alone_puts_all_on_the_fastest_device() {
    // The budget is 8 s. ffn scores 0.32 and 0.64; a head 0.07 and 0.14, whatever is there already.
    let case = tiny(&[100.0, 50.0], &ROOMY, None);
    for variant in Variant::ALL {
        assert_eq!(placed(&case, variant), Ok(vec![0; 4]), "{variant:?}");
    }
}

#[test]
fn a_score_that_sees_the_load_spreads_equal_heads() {
    // Device 0 has ffn. The first head scores 0.072 there, by memory, and 0.07 on device 1; the second 0.072 and
    // 2 x 0.07; proj 0.05 + 0.04 beside ffn and 0.15 + 0.04 away from it.
    let mut case = tiny(&[100.0, 100.0], &ROOMY, None);
    case.layer.inp = Input::None;
    assert_eq!(placed(&case, Variant::LoadAware), Ok(vec![1, 0, 0, 0]));
    assert_eq!(placed(&case, Variant::WithMigration), Ok(vec![0; 4]));
    assert_eq!(placed(&case, Variant::Published), Ok(vec![0; 4]));
}

#[test]
fn only_the_published_score_ignores_what_a_move_costs() {
    // ffn goes to device 0 either way, 0.32 against 0.64. A head there: 0.07 as published, 0.05 + 0.375 with its move;
    // on device 1: 0.14.
    let case = tiny(&[100.0, 50.0], &ROOMY, Some(vec![1; 4]));
    assert_eq!(placed(&case, Variant::Published), Ok(vec![0; 4]));
    assert_eq!(placed(&case, Variant::WithMigration), Ok(vec![1, 1, 1, 0]));
}

#[test]
fn a_placement_is_found_where_only_one_packing_works() {
    // ffn takes device 1, the best by memory; the first head walks on to device 2; the second finds no room, so ffn
    // leaves for device 0; proj fits beside the second head alone.
    let case = tiny(&[100.0; 3], &[32.0, 48.0, 40.0], None);
    let found = placed(&case, Variant::Published);
    assert_eq!(found, Ok(vec![2, 1, 1, 0]));
    assert_eq!(
        score(&case.problem(), &[2, 1, 1, 0])
            .expect("a placement")
            .memory_use,
        [32.0, 48.0, 40.0]
    );
    let less = tiny(&[100.0; 3], &[32.0, 48.0, 39.9], None);
    for variant in Variant::ALL {
        assert!(placed(&less, variant).is_err());
    }
    assert_eq!(HeadSolver::new().solve(&less.problem()), None);
}

#[test]
fn too_small_a_budget_is_infeasible_for_the_method_only() {
    let mut case = tiny(&[100.0, 50.0], &ROOMY, None);
    case.interval.t_tok = Some(0.1);
    for variant in Variant::ALL {
        assert_eq!(placed(&case, variant), Err(Stuck::Memory { block: 3 }));
    }
    assert_eq!(
        baseline::greedy(&case.problem()),
        Err(Stuck::Memory { block: 3 })
    );
    assert!(baseline::round_robin(&case.problem()).is_ok());
    assert!(HeadSolver::new().solve(&case.problem()).is_some());
    // Without the limit of compute, memory rules the scores.
    case.interval.t_tok = Some(1e9);
    case.interval.memory = vec![900.0, 1e3];
    assert_eq!(placed(&case, Variant::Published), Ok(vec![1; 4]));
}

#[test]
fn one_device_takes_all_or_nothing() {
    let case = tiny(&[100.0], &[120.0], None);
    assert_eq!(placed(&case, Variant::Published), Ok(vec![0; 4]));
    let less = tiny(&[100.0], &[119.0], None);
    assert!(placed(&less, Variant::Published).is_err());
}

#[test]
fn the_limit_of_time_is_the_listeners() {
    let problem = tiny(&[100.0, 50.0], &ROOMY, None).problem();
    let mut steps = Vec::new();
    let mut listen = |event: SearchEvent<'_, Vec<usize>>| {
        if let SearchEvent::Step { done, of } = event {
            steps.push((done, of));
        }
        match steps.len() {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let stopped = algorithm1::solve(&problem, Variant::Published, &mut listen);
    assert_eq!(stopped, Err(Stuck::Stopped));
    assert_eq!(steps, [(1, Some(4)), (2, Some(4))]);
}

#[test]
fn greedy_takes_the_first_device_with_enough_memory() {
    let of = |memory: &[f64]| baseline::greedy(&tiny(&[100.0, 50.0], memory, None).problem());
    assert_eq!(of(&ROOMY), Ok(vec![0; 4]));
    assert_eq!(of(&[72.0, 1e3]), Ok(vec![0, 1, 1, 0]));
    assert_eq!(of(&[72.0, 47.0]), Err(Stuck::Memory { block: 2 }));
    // ffn fills the compute of device 0: 256 of 260 operations.
    let mut case = tiny(&[100.0, 100.0], &ROOMY, None);
    case.interval.t_tok = Some(2.6);
    assert_eq!(baseline::greedy(&case.problem()), Ok(vec![1, 1, 1, 0]));
}

#[test]
fn round_robin_goes_around_past_devices_without_memory() {
    let of = |memory: &[f64]| baseline::round_robin(&tiny(&[1.0; 3], memory, None).problem());
    assert_eq!(of(&[1e3; 3]), Ok(vec![0, 1, 2, 0]));
    assert_eq!(of(&[1e3, 10.0, 1e3]), Ok(vec![0, 2, 0, 2]));
    assert_eq!(of(&[40.0, 40.0, 31.0]), Err(Stuck::Memory { block: 3 }));
}

#[test]
fn methods_of_whole_layers_choose_one_device() {
    let dynamic = |case: &Case| baseline::dynamic(&case.problem());
    let case = tiny(&[100.0, 50.0], &ROOMY, None);
    assert_eq!(dynamic(&case), Ok(vec![0; 4]));
    // Leaving takes all of the budget, staying all of the compute: a tie, and the layer stays.
    assert_eq!(
        dynamic(&tiny(&[100.0, 50.0], &ROOMY, Some(vec![1; 4]))),
        Ok(vec![1; 4])
    );
    assert_eq!(
        dynamic(&tiny(&[100.0, 50.0], &[119.0, 1e3], None)),
        Ok(vec![1; 4])
    );
    assert_eq!(
        dynamic(&tiny(&[100.0, 50.0], &[119.0; 2], None)),
        Err(Stuck::Layer)
    );

    let pick = |case: &Case, pick| baseline::edgeshard(&case.problem(), pick);
    let late = tiny(&[50.0, 100.0], &ROOMY, None);
    assert_eq!(pick(&late, Pick::Best), Ok(vec![1; 4]));
    assert_eq!(pick(&late, Pick::First), Ok(vec![0; 4]));
    let small = tiny(&[100.0, 50.0], &[119.0, 120.0], None);
    assert_eq!(pick(&small, Pick::First), Ok(vec![1; 4]));
    assert_eq!(
        pick(&tiny(&[1.0; 2], &[119.0; 2], None), Pick::Best),
        Err(Stuck::Layer)
    );
    assert_eq!(baseline::stay(&late.problem()), None);
}

#[test]
fn galaxy_splits_what_no_placement_can() {
    let case = tiny(&[100.0, 50.0], &ROOMY, None);
    let problem = case.problem();
    let group = galaxy::group(&problem, 4);
    assert_eq!(
        (&group.devices[..], &group.heads()[..]),
        (&[0, 1][..], &[1, 1][..])
    );
    near(group.share[0], 2.0 / 3.0);
    let scored = of_group(&problem, &group);
    // Input 0.8, heads 1.12, two rings of 0.8, proj 32/150 and ffn 256/150.
    near(scored.d_t, 0.8 + 1.12 + 1.6 + 288.0 / 150.0);
    near(scored.memory_use[0], 40.0 + 40.0 * 2.0 / 3.0);
    assert!(scored.memory_ok);
    // Over quick links that beats the best placement, which leaves ffn whole.
    let mut quick = case.clone();
    quick.rates = vec![vec![1e3; 2]; 2];
    let quick = quick.problem();
    let best = HeadSolver::new().solve(&quick).expect("a placement").value;
    assert!(of_group(&quick, &group).d_t < 0.9 * best);
    let mut printed = case.clone();
    printed.layer.delay = Delay::Eq6;
    near(of_group(&printed.problem(), &group).d_t, 0.8 + 1.12 + 1.6);

    // Half the proj and ffn and one head are 60 bytes; a ring without a link back never closes.
    let equal = tiny(&[0.0; 2], &[60.0, 59.0], None).problem();
    let group = galaxy::group(&equal, 2);
    let scored = of_group(&equal, &group);
    assert_eq!((scored.memory_ok, scored.d_t), (false, f64::INFINITY));
    let mut open = case.clone();
    open.rates[1][0] = 0.0;
    let open = open.problem();
    assert!(of_group(&open, &galaxy::group(&open, 2)).d_t.is_infinite());
    let alone = galaxy::group(&open, 1);
    assert_eq!(alone.devices, [0]);
    near(of_group(&open, &alone).d_t, 4.0);
    // Three devices of which the two fastest form the group, in order; of equals the first.
    let three = tiny(&[50.0, 10.0, 50.0], &[1e3; 3], None).problem();
    assert_eq!(galaxy::group(&three, 2).devices, [0, 2]);
}

/// A group that was never anywhere else.
fn of_group(problem: &HeadPlacement, group: &HeadSplit) -> ScoredHeads {
    let layout = Layout::Split(group.clone());
    score_layout(problem, Some(group), &layout).expect("a split of the problem")
}
