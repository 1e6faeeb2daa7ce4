//! Several layers together, beside every placement of all of them.

use crate::cases::cases;
use crate::heads_made::small;
use crate::instances::Draw;
use engine::evaluate::heads::score;
use engine::plan::Placement;
use engine::problem::Code;
use engine::problem::head_sizes::{HeadLayer, Input, LayerForm};
use engine::problem::heads::{Interval, LinkRates};
use methods::heads::layers::{LayerStack, bound, descend, solve};
use std::ops::ControlFlow;
use std::sync::Arc;

const GO_ON: fn(f64) -> ControlFlow<()> = |_| ControlFlow::Continue(());

/// A few layers on two or three devices, small enough for every placement of all blocks.
fn stack(draw: &mut Draw) -> LayerStack {
    loop {
        let mut case = small(draw);
        let devices = case.rates.len();
        case.layer.h = draw.whole(1, 2) as u32;
        case.layer.D = case.layer.h * draw.whole(1, 5) as u32;
        let blocks = case.layer.h as usize + 2;
        let layers = draw.whole(1, 3);
        let many = devices.pow((blocks * layers) as u32);
        if !(16..=20_000).contains(&many) {
            continue;
        }
        let (all, _) = case.needs();
        let total = all * layers as f64;
        let tight = draw.below(3);
        for memory in &mut case.interval.memory {
            *memory = match tight {
                0 => 3.0 * total,
                1 => draw.between(0.3, 1.4) * total / devices as f64 * 1.5,
                _ => draw.between(0.6, 1.2) * total,
            };
        }
        let prev = (0..layers).map(|_| {
            let known = draw.one_in(2);
            known.then(|| (0..blocks).map(|_| draw.below(devices)).collect())
        });
        let prev: Vec<Option<Placement>> = prev.collect();
        let interval = Interval {
            prev: None,
            ..case.interval
        };
        let layer = HeadLayer::new(case.layer).expect("valid");
        let links = Arc::new(LinkRates::new(&case.rates).expect("valid"));
        return LayerStack::new(layer, links, interval, prev).expect("valid");
    }
}

/// The least objective over all placements of all layers.
fn least(stack: &LayerStack) -> f64 {
    let devices = stack.devices();
    let blocks = stack.layer(0, 0).expect("valid").blocks();
    let count = blocks * stack.layers();
    let mut flat = vec![0; count];
    let mut best = f64::INFINITY;
    loop {
        let placements: Vec<Placement> = flat.chunks(blocks).map(<[usize]>::to_vec).collect();
        let scored = stack.score(&placements).expect("placements");
        if scored.feasible {
            best = best.min(scored.j);
        }
        let Some(at) = flat.iter().rposition(|device| device + 1 < devices) else {
            return best;
        };
        flat[at] += 1;
        flat[at + 1..].fill(0);
    }
}

#[test]
fn the_bound_is_below_the_best_and_the_descent_above_it() {
    let mut draw = Draw::new(6);
    let (mut count, mut best_found, mut infeasible, mut tight, mut close) = (0, 0, 0, 0, 0);
    let mut improved = 0;
    for round in 0..cases(250) {
        let stack = stack(&mut draw);
        let best = least(&stack);
        let plan = descend(&stack, None, 50, &mut { GO_ON }).expect("valid");
        let value = plan.as_ref().map_or(f64::INFINITY, |plan| plan.value);
        let below = bound(&stack, value, 200, &mut { GO_ON }).expect("valid");
        assert!(
            below.value <= best * (1.0 + 1e-9),
            "round {round}: {} {best}",
            below.value
        );
        assert!(
            best <= value * (1.0 + 1e-9),
            "round {round}: {best} {value}"
        );
        assert!(below.prices.iter().all(|price| *price >= 0.0));
        let (both, beside) = solve(&stack, 200, &mut { GO_ON }).expect("valid");
        let both = both.map_or(f64::INFINITY, |plan| plan.value);
        assert!(
            both <= value && best <= both * (1.0 + 1e-9),
            "round {round}: {both} {value}"
        );
        assert!(beside.value <= best * (1.0 + 1e-9), "round {round}");
        improved += usize::from(both < value * (1.0 - 1e-9));
        if best.is_infinite() {
            infeasible += 1;
            continue;
        }
        count += 1;
        tight += usize::from(below.prices.iter().any(|price| *price > 0.0));
        best_found += usize::from(value <= best * (1.0 + 1e-9));
        close += usize::from(below.value >= 0.95 * best);
        if let Some(plan) = plan {
            let scored = stack.score(&plan.placements).expect("placements");
            assert!(scored.feasible && scored.j == plan.value, "round {round}");
        }
    }
    let seen = (count, best_found, infeasible, tight, close, improved);
    assert!(
        count > 150 && infeasible > 5 && tight > 10 && improved > 0,
        "{seen:?}"
    );
    assert!(best_found * 2 > count && close * 3 > count * 2, "{seen:?}");
}

#[test]
fn descent_never_rises_from_any_start() {
    let mut draw = Draw::new(9);
    let (mut started, mut lower) = (0, 0);
    for _ in 0..cases(300) {
        let stack = stack(&mut draw);
        let blocks = stack.layer(0, 0).expect("valid").blocks();
        let device = |draw: &mut Draw| draw.below(stack.devices());
        let start: Vec<Placement> = (0..stack.layers())
            .map(|_| (0..blocks).map(|_| device(&mut draw)).collect())
            .collect();
        let at_start = stack.score(&start).expect("placements");
        let mut heard = Vec::new();
        let plan = descend(&stack, Some(start), 50, &mut |value| {
            heard.push(value);
            ControlFlow::Continue(())
        });
        let Some(plan) = plan.expect("valid") else {
            assert!(!at_start.feasible);
            continue;
        };
        started += 1;
        assert!(at_start.feasible && heard[0] == at_start.j);
        assert!(heard.windows(2).all(|pair| pair[1] <= pair[0]));
        assert!(plan.value <= *heard.last().expect("it was asked"));
        lower += usize::from(plan.value < at_start.j);
        assert!(plan.rounds < 50, "it settles");
    }
    assert!(started > 50 && lower > 40, "{started} {lower}");
}

#[test]
fn one_layer_is_the_problem_of_one_layer_and_its_bound_is_the_optimum() {
    let mut draw = Draw::new(3);
    let mut solver = methods::heads::exact::HeadSolver::new();
    let mut count = 0;
    while count < 50 {
        let stack = stack(&mut draw);
        if stack.layers() > 1 {
            continue;
        }
        let problem = stack.layer(0, 0).expect("valid");
        let Some(found) = solver.solve(&problem) else {
            let below = bound(&stack, f64::INFINITY, 5, &mut { GO_ON }).expect("valid");
            assert!(below.value.is_infinite(), "a proof");
            continue;
        };
        let plan = descend(&stack, None, 5, &mut { GO_ON })
            .expect("valid")
            .expect("it fits");
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
        assert!(near(plan.value, found.value));
        assert!(near(
            plan.value,
            score(&problem, &plan.placements[0]).expect("valid").j
        ));
        let below = bound(&stack, plan.value, 5, &mut { GO_ON }).expect("valid");
        assert!(near(below.value, found.value) && below.rounds == 1);
        count += 1;
    }
}

/// Two layers with one head on two devices, everything by hand.
#[test]
fn the_ffn_of_a_layer_feeds_the_next() {
    let layer = LayerForm {
        h: 1,
        D: 4,
        b: 1.0,
        L0: 0,
        inp: Input::None,
        ..super::paper_layer()
    };
    let links = LinkRates::new(&[vec![0.0, 10.0], vec![5.0, 0.0]]).expect("valid");
    let interval = |prev| Interval {
        n: 2,
        n_prev: 1,
        tokens: 3.0,
        controller: 0,
        memory: vec![1e3, 1e3],
        compute: vec![8.0, 16.0],
        prev,
        t_tok: None,
    };
    let made = |prev: Vec<Option<Placement>>| {
        LayerStack::new(
            HeadLayer::new(layer).expect("valid"),
            Arc::new(links.clone()),
            interval(None),
            prev,
        )
    };
    let stack = made(vec![None, Some(vec![0, 0, 0])]).expect("valid");
    // L = 2: a head takes 3·2·16 + 4·4 = 112 operations, proj 32, ffn 256; 8 bytes go from step to step.
    let scored = stack
        .score(&[vec![0, 0, 1], vec![0, 1, 1]])
        .expect("placements");
    let first = 112.0 / 8.0 + 32.0 / 8.0 + 8.0 / 10.0 + 256.0 / 16.0;
    let second = 8.0 / 5.0 + 112.0 / 8.0 + 8.0 / 10.0 + 32.0 / 16.0 + 256.0 / 16.0;
    assert!(
        (scored.d_t - first - second).abs() < 1e-12,
        "{}",
        scored.d_t
    );
    // At n0 = 1, L = 1: proj holds 4 bytes and ffn 16, over the link of 10 bytes a second.
    assert!((scored.d_mig - 2.0).abs() < 1e-12);
    assert!((scored.j - 3.0 * scored.d_t - scored.d_mig).abs() < 1e-12);
    let sizes = HeadLayer::new(layer).expect("valid").sizes(2);
    assert_eq!(scored.memory_use[0], 2.0 * sizes.m_head + sizes.m_proj);

    assert_eq!(made(Vec::new()).expect_err("no layer").path, "prev");
    let fault = made(vec![None, Some(vec![0, 0, 2])]).expect_err("no device");
    assert_eq!(fault.path, "prev[1][2]");
    let fault = stack.score(&[vec![0, 0, 0]]).expect_err("one layer");
    assert_eq!(
        (fault.code, fault.path.as_str()),
        (Code::Plan, "placements")
    );
    let links = Arc::new(LinkRates::new(&[vec![0.0]]).expect("valid"));
    let one = Interval {
        memory: vec![1.0],
        compute: vec![1.0],
        ..interval(Some(vec![0, 0, 0]))
    };
    let fault = LayerStack::new(
        HeadLayer::new(layer).expect("valid"),
        links,
        one,
        vec![None],
    );
    assert_eq!(fault.expect_err("two say it").path, "interval.prev");
}
