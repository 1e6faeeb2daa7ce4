//! What blocks need and what a placement costs, against numbers worked out by hand.

use super::{TINY, near, tiny};
use crate::heads_made::Case;
use engine::evaluate::heads::{BlockMigration, HeadsShape, delay, score};
use engine::problem::head_sizes::{Delay, HeadLayer, Input, LayerForm, Memory, Operations, Sizes};
use engine::problem::heads::{HeadPlacement, Interval, LinkRates, compute_time};
use serde_json::json;
use std::sync::Arc;

/// The worked example: two devices, C = (100, 50), all rates 10, the first token.
fn example(prev: Option<Vec<usize>>, delay: Delay) -> Case {
    let mut case = tiny(&[100.0, 50.0], &[1e3; 2], prev);
    case.layer.delay = delay;
    case
}

#[test]
fn the_example_costs_what_it_does_by_hand() {
    let placement = [0, 1, 0, 1];
    let first = score(&example(None, Delay::Full).problem(), &placement).expect("a placement");
    assert_eq!(first.stages.len(), 2);
    near(first.stages[0].total(), 0.56);
    let slow = &first.stages[1];
    assert_eq!((slow.device, slow.heads, first.slowest), (1, 1, 1));
    near(slow.input, 0.8);
    near(slow.compute, 1.12);
    near(slow.output, 0.4);
    near(first.head_stage, 2.32);
    near(first.proj, 0.32);
    near(first.transfer, 0.8);
    near(first.ffn, 5.12);
    near(first.d_t, 8.56);
    assert_eq!((first.d_mig, first.moves.len()), (0.0, 0));
    assert_eq!(first.memory_use, [40.0 + 8.0, 40.0 + 32.0]);
    assert!(first.feasible && first.memory_ok);

    let printed = score(&example(None, Delay::Eq6).problem(), &placement).expect("a placement");
    assert_eq!((printed.proj, printed.ffn), (0.0, 0.0));
    near(printed.d_t, 3.12);

    let moved = example(Some(vec![0; 4]), Delay::Full).problem();
    let scored = score(&moved, &placement).expect("a placement");
    let carried = |block, bytes, seconds| BlockMigration {
        block,
        from: 0,
        to: 1,
        bytes,
        seconds,
    };
    assert_eq!(scored.moves, [carried(1, 30.0, 3.0), carried(3, 16.0, 1.6)]);
    near(scored.d_mig, 4.6);
    near(scored.j, 13.16);
    let longer = moved.with_tokens(4.0).expect("a weight");
    near(
        score(&longer, &placement).expect("a placement").j,
        4.0 * 8.56 + 4.6,
    );
}

fn sizes(form: LayerForm, n: u32) -> Sizes {
    HeadLayer::new(form).expect("a layer").sizes(n)
}

#[test]
fn presets_are_those_of_the_table() {
    // L = 5 tokens, d = 2.
    let form = LayerForm {
        b: 2.0,
        L0: 2,
        ..TINY
    };
    let table = sizes(form, 3);
    let expected = Sizes {
        m_head: 3.0 * 5.0 * 2.0 * 2.0 + 3.0 * 4.0 * 2.0 * 2.0 + 3.0 * 4.0 * 2.0,
        m_proj: 40.0,
        m_ffn: 160.0,
        b_head: 3.0 * 5.0 * 4.0 * 2.0 + 25.0 * 2.0,
        b_proj: 80.0,
        b_ffn: 640.0,
        w_in: 40.0,
        w_hp: 20.0,
        w_pf: 40.0,
    };
    assert_eq!(table, expected);
    let with = |form: LayerForm| sizes(form, 3);
    let no_cache = with(LayerForm {
        mem: Memory::NoCache,
        ..form
    });
    assert_eq!(
        no_cache,
        Sizes {
            m_head: 108.0,
            ..expected
        }
    );
    let physical = with(LayerForm {
        mem: Memory::Physical,
        ..form
    });
    let own = Sizes {
        m_head: 88.0,
        m_proj: 72.0,
        m_ffn: 416.0,
        ..expected
    };
    assert_eq!(physical, own);
    let small_ffn = with(LayerForm {
        flops: Operations::Ffn08,
        ..form
    });
    assert_eq!(
        small_ffn,
        Sizes {
            b_ffn: 64.0,
            ..expected
        }
    );
    let cached = with(LayerForm {
        flops: Operations::Cached,
        ..form
    });
    let one = Sizes {
        b_head: 24.0 + 20.0,
        b_proj: 16.0,
        b_ffn: 128.0,
        w_in: 8.0,
        w_hp: 4.0,
        w_pf: 8.0,
        ..expected
    };
    assert_eq!(cached, one);
    let ids = LayerForm {
        inp: Input::Ids,
        ..form
    };
    assert_eq!(with(ids).w_in, 20.0);
    assert_eq!(
        with(LayerForm {
            flops: Operations::Cached,
            ..ids
        })
        .w_in,
        4.0
    );
    assert_eq!(
        with(LayerForm {
            inp: Input::None,
            ..form
        })
        .w_in,
        0.0
    );
    // The published cache row is 8.2 MB a head where a cache would take 0.5 MB.
    let large = LayerForm {
        h: 32,
        D: 2048,
        b: 4.0,
        L0: 0,
        ..TINY
    };
    let row = sizes(large, 1000).m_head
        - sizes(
            LayerForm {
                mem: Memory::NoCache,
                ..large
            },
            1000,
        )
        .m_head;
    assert_eq!(row, 8_192_000.0);
}

#[test]
fn links_have_a_direction_and_nothing_takes_no_time() {
    let links =
        LinkRates::new(&[vec![-1.0, 10.0], vec![5.0, 0.0]]).expect("the diagonal is ignored");
    assert_eq!(links.transfer(20.0, 0, 1), 2.0);
    assert_eq!(links.transfer(20.0, 1, 0), 4.0);
    assert_eq!(links.transfer(20.0, 1, 1), 0.0);
    let none = LinkRates::new(&[vec![0.0, 0.0], vec![0.0, 0.0]]).expect("no link at all");
    assert_eq!(none.transfer(20.0, 0, 1), f64::INFINITY);
    assert_eq!(none.transfer(0.0, 0, 1), 0.0);
    assert_eq!(compute_time(3.0, 0.0), f64::INFINITY);
    assert_eq!(compute_time(0.0, 0.0), 0.0);
}

#[test]
fn a_missing_link_or_no_compute_makes_a_placement_infeasible() {
    let mut case = example(None, Delay::Full);
    case.rates[1][0] = 0.0;
    let apart = score(&case.problem(), &[0, 1, 0, 1]).expect("a placement");
    assert!(apart.memory_ok && !apart.feasible && apart.d_t.is_infinite());
    let together = score(&case.problem(), &[0, 0, 0, 1]).expect("a placement");
    assert!(together.feasible);
    let mut case = example(None, Delay::Full);
    case.interval.compute[1] = 0.0;
    assert!(
        !score(&case.problem(), &[0, 0, 0, 1])
            .expect("a placement")
            .feasible
    );
    case.layer.delay = Delay::Eq6;
    assert!(
        score(&case.problem(), &[0, 0, 0, 1])
            .expect("a placement")
            .feasible
    );
    assert!(
        !score(&case.problem(), &[1, 0, 0, 0])
            .expect("a placement")
            .feasible
    );
}

#[test]
fn memory_is_compared_with_a_hair_of_slack() {
    let mut case = example(None, Delay::Full);
    for (memory, fits) in [
        (112.0, true),
        (112.0 / (1.0 + 0.9e-9), true),
        (112.0 / (1.0 + 1.1e-9), false),
    ] {
        case.interval.memory[0] = memory;
        let scored = score(&case.problem(), &[0, 0, 1, 0]).expect("a placement");
        assert_eq!(scored.memory_use[0], 112.0);
        assert_eq!((scored.memory_ok, scored.fits), (fits, vec![fits, true]));
    }
}

#[test]
fn every_token_of_an_interval_can_be_scored_without_its_problem() {
    let problem = example(None, Delay::Full).problem();
    let shape = HeadsShape::of(&[0, 1, 0, 1], 2);
    near(delay(&problem, problem.sizes(), &shape), 8.56);
    // At L = 1: heads of 26 operations, W_in and W_pf 4, W_hp 2, proj 16, ffn 128.
    let earlier = delay(&problem, &problem.layer().sizes(0), &shape);
    near(earlier, (0.4 + 26.0 / 50.0 + 0.2) + 0.16 + 0.4 + 2.56);
}

#[test]
fn the_budget_is_twice_the_layer_on_the_fastest_device() {
    let problem = example(None, Delay::Full).problem();
    near(problem.t_tok(), 2.0 * (2.0 * 56.0 + 32.0 + 256.0) / 100.0);
    assert_eq!(
        problem
            .clone()
            .with_t_tok(Some(3.0))
            .expect("a budget")
            .t_tok(),
        3.0
    );
    let mut case = example(None, Delay::Full);
    case.interval.compute = vec![0.0; 2];
    assert_eq!(case.problem().t_tok(), 1.0);
}

#[test]
fn faults_name_their_field() {
    let layer = |form: LayerForm| HeadLayer::new(form).expect_err("refused").path;
    assert_eq!(layer(LayerForm { h: 0, ..TINY }), "h");
    assert_eq!(
        layer(LayerForm {
            h: 100_000,
            D: 100_000,
            ..TINY
        }),
        "h"
    );
    assert_eq!(layer(LayerForm { D: 0, ..TINY }), "D");
    assert_eq!(layer(LayerForm { D: 5, ..TINY }), "D");
    assert_eq!(layer(LayerForm { b: 0.0, ..TINY }), "b");
    assert_eq!(
        layer(LayerForm {
            b: f64::NAN,
            ..TINY
        }),
        "b"
    );
    assert_eq!(layer(LayerForm { b: 1e300, ..TINY }), "b");
    let links = |rates: &[Vec<f64>]| LinkRates::new(rates).expect_err("refused").path;
    assert_eq!(links(&[]), "R");
    assert_eq!(links(&[vec![0.0, 1.0], vec![0.0]]), "R[1]");
    assert_eq!(links(&[vec![0.0, 1.0], vec![-1.0, 0.0]]), "R[1][0]");
    assert_eq!(
        links(&[vec![0.0, f64::INFINITY], vec![1.0, 0.0]]),
        "R[0][1]"
    );
    let refused = |change: fn(&mut Interval)| {
        let mut case = example(Some(vec![0; 4]), Delay::Full);
        change(&mut case.interval);
        let layer = HeadLayer::new(case.layer).expect("a layer");
        let links = Arc::new(LinkRates::new(&case.rates).expect("links"));
        HeadPlacement::new(layer, links, case.interval).expect_err("refused")
    };
    for (change, path) in [
        ((|i| i.memory.truncate(1)) as fn(&mut Interval), "M"),
        (|i| i.memory[1] = -1.0, "M[1]"),
        (|i| i.compute.push(1.0), "C"),
        (|i| i.compute[0] = f64::NAN, "C[0]"),
        (|i| i.n_prev = 2, "n_prev"),
        (|i| i.tokens = 0.0, "tokens"),
        (|i| i.controller = 2, "controller"),
        (|i| i.prev = Some(vec![0; 3]), "prev"),
        (|i| i.prev = Some(vec![0, 0, 2, 0]), "prev[2]"),
        (|i| i.t_tok = Some(0.0), "t_tok"),
    ] {
        let fault = refused(change);
        assert_eq!(fault.path, path);
        assert!(fault.message.contains("must be"), "{}", fault.message);
    }
    let problem = example(None, Delay::Full).problem();
    let fault = score(&problem, &[0, 0, 0, 7]).expect_err("refused");
    assert_eq!(
        (fault.path.as_str(), *fault.value),
        ("placement[3]", json!(7))
    );
    assert_eq!(
        score(&problem, &[0, 0]).expect_err("refused").path,
        "placement"
    );
}
