//! What a run does when a strategy has no placement, worked by hand on a layer with two heads: 40, 50 and 60 bytes a head
//! after one, two and three tokens, 8, 12, 16 of proj and 32, 48, 64 of ffn.

use super::{replayed, tiny, tiny_layer};
use engine::plan::{HeadRun, Layout, Remedy};
use methods::heads::algorithm1::Variant;
use methods::heads::baseline::Pick;
use methods::heads::run::{HeadRunner, Init, RunSetting, Strategy, run};
use methods::heads::{Cause, Part};

const RA: Strategy = Strategy::Algorithm1 {
    variant: Variant::WithMigration,
};

/// (token, remedy) of every interval without a placement.
fn troubles(run: &HeadRun) -> Vec<(u32, Remedy)> {
    run.without_plan
        .iter()
        .map(|one| (one.n, one.remedy))
        .collect()
}

#[track_caller]
fn ran(setting: &RunSetting, strategy: Strategy) -> HeadRun {
    let run = run(setting, strategy).expect("the setting is valid");
    replayed(setting, &run);
    run
}

#[test]
fn sizes_are_those_that_the_cases_are_made_for() {
    let layer = tiny_layer();
    for (n, sizes) in [
        (1, [40.0, 8.0, 32.0]),
        (2, [50.0, 12.0, 48.0]),
        (3, [60.0, 16.0, 64.0]),
    ] {
        let s = layer.sizes(n);
        assert_eq!([s.m_head, s.m_proj, s.m_ffn], sizes);
    }
}

#[test]
fn the_placement_before_is_kept_while_it_fits() {
    // The ffn takes 256 operations at n = 1 and 384 at n = 2: 100 a second for 3 s are enough once only.
    let setting = tiny(&[1e3, 0.0], &[100.0, 100.0], 3, 1, Some(6.0), &[]);
    let first = setting.layer().sizes(1);
    assert!(first.all_operations(2) <= 600.0 && setting.layer().sizes(2).b_ffn <= 600.0);
    for strategy in [RA, Strategy::Greedy, Strategy::Dynamic] {
        let run = ran(&setting, strategy);
        assert_eq!(run.tokens.len(), 3, "{strategy:?}");
        assert_eq!(
            troubles(&run),
            [(2, Remedy::Kept), (3, Remedy::Kept)],
            "{strategy:?}"
        );
        assert_eq!(run.segments.len(), 1);
        assert_eq!(run.segments[0].layout, Layout::Blocks(vec![0; 4]));
        assert!(run.moves.is_empty() && run.failed_at.is_none());
    }
}

#[test]
fn without_a_placement_before_algorithm_1_goes_without_its_limit() {
    let setting = tiny(&[1e3, 1e3], &[100.0, 100.0], 2, 1, Some(0.1), &[]);
    for strategy in [
        RA,
        Strategy::Greedy,
        Strategy::Static { init: Init::Greedy },
    ] {
        let run = ran(&setting, strategy);
        assert_eq!(run.tokens.len(), 2, "{strategy:?}");
        let fixed = strategy.is_fixed();
        let mut expected = vec![(1, Remedy::WithoutBudget)];
        expected.extend((!fixed).then_some((2, Remedy::Kept)));
        assert_eq!(troubles(&run), expected, "{strategy:?}");
    }
    // A layer that is kept whole has no such way out.
    let run = ran(&setting, Strategy::Dynamic);
    assert_eq!((run.failed_at, run.tokens.len()), (Some(1), 0));
    assert_eq!(troubles(&run), [(1, Remedy::Failed)]);
    // EdgeShard and round robin ask for no compute, the exact one neither.
    for strategy in [
        Strategy::EdgeShard { pick: Pick::Best },
        Strategy::RoundRobin,
        Strategy::Exact,
    ] {
        assert_eq!(troubles(&ran(&setting, strategy)), [], "{strategy:?}");
    }
}

#[test]
fn a_placement_that_never_ends_is_none() {
    // Round robin gives the second device a head, and it computes nothing.
    let setting = tiny(&[1e3, 1e3], &[100.0, 0.0], 2, 1, None, &[]);
    let run = ran(&setting, Strategy::RoundRobin);
    assert_eq!(
        troubles(&run),
        [(1, Remedy::WithoutBudget), (2, Remedy::Kept)]
    );
    assert_eq!(run.segments[0].layout, Layout::Blocks(vec![0; 4]));
    for strategy in Strategy::usual() {
        let run = ran(&setting, strategy);
        let galaxy = matches!(strategy, Strategy::Galaxy { .. });
        if galaxy || strategy == (Strategy::EdgeShard { pick: Pick::First }) {
            continue;
        }
        assert_eq!(run.tokens.len(), 2, "{strategy:?}");
        assert_eq!(run.busy_share(1), 0.0, "{strategy:?}");
    }
}

#[test]
fn a_run_ends_where_nothing_fits_and_the_repair_is_named() {
    // 120 bytes after the first token, 160 after the second, 200 after the third; 199 are left then.
    let rows = [(3, 0, 100.0, 199.0), (3, 1, 100.0, 0.0)];
    let setting = tiny(&[1e3, 0.0], &[100.0, 100.0], 5, 1, None, &rows);
    for strategy in [
        Strategy::Exact,
        RA,
        Strategy::Greedy,
        Strategy::RoundRobin,
        Strategy::Dynamic,
    ] {
        let run = ran(&setting, strategy);
        assert_eq!(
            (run.failed_at, run.tokens.len()),
            (Some(3), 2),
            "{strategy:?}"
        );
        assert_eq!(troubles(&run), [(3, Remedy::Failed)], "{strategy:?}");
        assert_eq!(run.summary().without_plan, 1);
        let mut runner = HeadRunner::new(&setting, strategy).expect("it is valid");
        while runner.advance().expect("it is valid") {
            assert_eq!(runner.proof(), None);
        }
        assert!(!runner.advance().expect("it is valid"), "it stays ended");
        let proof = runner.proof().expect("nothing fits");
        assert_eq!(
            proof.cause,
            Cause::TotalMemory {
                need: 200.0,
                have: 199.0
            }
        );
        let least = proof
            .repairs
            .iter()
            .min_by(|a, b| a.more.total_cmp(&b.more));
        let least = least.expect("more memory would do");
        assert_eq!((least.device, least.memory), (0, 200.0));
    }
    // What places once stays where it is: too little memory is counted, and nothing else.
    let fixed = [
        Strategy::Static { init: Init::Exact },
        Strategy::EdgeShard { pick: Pick::First },
        Strategy::Galaxy { devices: 1 },
    ];
    for strategy in fixed {
        let run = ran(&setting, strategy);
        assert_eq!(run.violations, [3, 4, 5], "{strategy:?}");
        assert_eq!((run.tokens.len(), run.failed_at), (5, None), "{strategy:?}");
        assert_eq!(run.summary().violations, 3);
    }
}

#[test]
fn an_interval_that_only_the_strategy_cannot_begin_has_no_proof() {
    let setting = tiny(&[72.0, 60.0], &[100.0, 100.0], 1, 1, None, &[]);
    let mut runner = HeadRunner::new(&setting, Strategy::Dynamic).expect("it is valid");
    runner.advance().expect("it is valid");
    assert_eq!(runner.run().failed_at, Some(1));
    assert_eq!(runner.proof(), None, "heads on both devices fit");
    assert_eq!(ran(&setting, Strategy::Exact).tokens.len(), 1);
    let setting = tiny(&[31.0, 31.0], &[100.0, 100.0], 1, 1, None, &[]);
    let mut runner = HeadRunner::new(&setting, Strategy::Greedy).expect("it is valid");
    runner.advance().expect("it is valid");
    let proof = runner.proof().expect("no block fits");
    assert_eq!(
        proof.cause,
        Cause::Block {
            part: Part::Ffn,
            need: 32.0,
            have: 31.0
        }
    );
}

#[test]
fn every_strategy_ends_where_a_token_would_never_come() {
    let rows = [(3, 0, 0.0, 1e3), (3, 1, 0.0, 1e3)];
    let setting = tiny(&[1e3, 1e3], &[100.0, 100.0], 4, 1, None, &rows);
    for strategy in Strategy::usual() {
        let run = ran(&setting, strategy);
        assert_eq!(
            (run.failed_at, run.tokens.len()),
            (Some(3), 2),
            "{strategy:?}"
        );
        assert!(run.seconds().is_finite());
    }
}

#[test]
fn a_move_is_paid_once_before_the_first_token_of_its_interval() {
    // From token 4 on the first device is slow, and the layer leaves it; intervals have three tokens.
    let rows = [(3, 0, 1.0, 1e4), (4, 0, 1.0, 1e4)];
    let setting = tiny(&[1e4, 1e4], &[1e6, 1e4], 8, 3, None, &rows);
    let run = ran(&setting, Strategy::Exact);
    assert_eq!(run.tokens.len(), 8);
    assert_eq!(run.segments.len(), 2);
    assert_eq!((run.segments[0].from, run.segments[0].to), (1, 3));
    assert_eq!((run.segments[1].from, run.segments[1].to), (4, 8));
    assert_eq!(run.at(3), run.segments.first());
    assert_eq!(run.at(4), run.segments.last());
    assert_eq!((run.at(0), run.at(9)), (None, None));
    assert_eq!(run.moves.len(), 4, "all four blocks");
    let before = setting.layer().sizes(3);
    for one in &run.moves {
        assert_eq!((one.token, one.from, one.to), (4, 0, 1));
        assert_eq!(
            one.bytes,
            before.memory(one.block, 2),
            "as it was after token 3"
        );
        assert_eq!(one.seconds, one.bytes / 10.0);
    }
    for (at, token) in (1..).zip(&run.tokens) {
        assert_eq!(token.moving > 0.0, at == 4, "token {at}");
    }
    let moved: f64 = run.moves.iter().map(|one| one.seconds).sum();
    assert_eq!(run.tokens[3].moving, moved);
    assert_eq!(run.summary().moved_bytes, before.all_memory(2));
}

#[test]
fn the_input_comes_from_the_controller() {
    // Links out of the second device are fast, those into it slow.
    let slow = super::Tiny {
        rates: vec![vec![0.0, 0.01], vec![1e6, 0.0]],
        ..super::Tiny::new(&[1e4, 1e4], &[100.0, 100.0], 2, 1)
    };
    let at = |controller| {
        let setting = super::Tiny {
            controller,
            ..slow.clone()
        }
        .setting();
        ran(&setting, Strategy::Static { init: Init::Exact })
    };
    let (first, second) = (at(0), at(1));
    assert_eq!(
        first.segments[0].layout,
        Layout::Blocks(vec![0; 4]),
        "nothing leaves it"
    );
    let heads = second.segments[0].layout.heads_on(2);
    assert_eq!(
        heads,
        [1, 1],
        "the input may go to the first, and outputs follow it"
    );
}
