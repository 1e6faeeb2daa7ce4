//! Problems far beyond the exact program: an answer comes in time, claims no more than was proved, and memory stays bounded.

use crate::instances::{Draw, Instance, Kind, instance};
use engine::network::Relay;
use engine::problem::{HeuristicReading, LayerNumbers, MachineNumbers};
use engine::solve::{Limits, NoProgress};
use methods::cold_start::{Cause, bound};
use planner::cold_start::{Answer, ColdStartMethod, Status, answer};

fn answered(made: &Instance) -> Answer {
    answer(
        &made.problem(),
        ColdStartMethod::Exact,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    )
}

/// The same after so many sets of devices.
fn answered_after(made: &Instance, steps: u64) -> Answer {
    let limits = Limits {
        steps: Some(steps),
        ..Limits::default()
    };
    answer(
        &made.problem(),
        ColdStartMethod::Exact,
        HeuristicReading::Rate,
        &limits,
        &mut NoProgress,
    )
}

/// A plan that fits, with a bound that says how good it is.
#[track_caller]
fn assert_searched(made: &Instance, answer: &Answer) {
    let (total, bound) = (answer.T.expect("a plan"), answer.bound.expect("a bound"));
    assert_eq!(answer.status == Status::Optimal, bound == total);
    assert!(bound <= total, "{bound}, {total}");
    assert!(bound >= bound::lower(&made.problem()));
    let rows = answer.timeline.as_ref().expect("a timeline");
    assert!(rows.iter().all(|row| row.mem_ok));
    assert_eq!(rows.last().map(|row| row.e), Some(made.layers.len()));
}

/// A plan with an honest bound.
#[track_caller]
fn assert_feasible(made: &Instance, answer: &Answer) {
    assert_eq!(answer.status, Status::Feasible, "{:?}", answer.reason);
    let (total, bound) = (answer.T.expect("a plan"), answer.bound.expect("a bound"));
    assert!(bound > 0.0 && bound <= total, "{bound}, {total}");
    assert_eq!(answer.gap, Some((total - bound) / total));
    assert_eq!(bound, bound::lower(&made.problem()));
    let rows = answer.timeline.as_ref().expect("a timeline");
    assert!(rows.iter().all(|row| row.mem_ok));
    assert_eq!(rows.last().map(|row| row.e), Some(made.layers.len()));
}

#[test]
fn a_search_that_is_cut_short_has_a_plan_and_a_bound() {
    for (seed, devices, layers) in [(1, 20, 100), (2, 12, 60)] {
        let made = instance(Kind::Roomy, &mut Draw::new(seed), devices, layers);
        for steps in [0, 100, 1000] {
            assert_searched(&made, &answered_after(&made, steps));
        }
    }
}

#[test]
fn more_devices_than_are_searched_get_a_plan_and_a_bound_but_no_proof() {
    for (seed, devices, layers) in [(3, 40, 100), (4, 64, 1000)] {
        for kind in [Kind::Roomy, Kind::IdenticalLayers] {
            let mut made = instance(kind, &mut Draw::new(seed), devices, layers);
            if kind == Kind::IdenticalLayers {
                let share = made.weights() / devices as f64;
                for device in &mut made.devices {
                    device.memory = device.memory.max(share * 1.4);
                }
            }
            assert_feasible(&made, &answered(&made));
        }
    }
}

#[test]
fn many_devices_without_memory_are_proved_infeasible() {
    // Too little memory in all.
    let mut starved = instance(Kind::Roomy, &mut Draw::new(5), 40, 100);
    let share = starved.weights() / 41.0;
    for device in &mut starved.devices {
        device.memory = share;
    }
    let answer = answered(&starved);
    assert_eq!(answer.status, Status::Infeasible);
    let proof = answer.infeasible.expect("a proof");
    assert!(matches!(proof.cause, Cause::TotalMemory { .. }), "{proof}");
    assert_eq!((answer.T, answer.plan), (None, None));

    // Identical layers: whole layers that do not pack are counted, however many devices there are.
    let mut rigid = instance(Kind::IdenticalLayers, &mut Draw::new(6), 40, 100);
    let need = rigid.need(1, 2);
    for device in &mut rigid.devices {
        device.memory = need * 1.3; // two layers, and more than half a third
    }
    let answer = answered(&rigid);
    assert_eq!(answer.status, Status::Infeasible);
    let proof = answer.infeasible.expect("a proof");
    assert_eq!(proof.cause, Cause::Packing { first_unplaced: 81 });
    assert_eq!(proof.room, Some(80));

    // One layer that no device holds.
    let mut blocked = instance(Kind::Roomy, &mut Draw::new(7), 20, 100);
    blocked.layers[41].weights *= 1e6;
    let answer = answered(&blocked);
    assert_eq!(answer.status, Status::Infeasible);
    let proof = answer.infeasible.expect("a proof");
    assert!(
        matches!(proof.cause, Cause::Layer { layer: 42, .. }),
        "{proof}"
    );
}

#[test]
fn twenty_devices_that_just_fit_are_packed_by_search() {
    let mut draw = Draw::new(8);
    for _ in 0..5 {
        let made = instance(Kind::FullBySum, &mut draw, 18, 60);
        assert_searched(&made, &answered_after(&made, 500));
        let made = instance(Kind::JustTooSmall, &mut draw, 18, 60);
        assert_eq!(answered(&made).status, Status::Infeasible);
    }
}

/// A million small layers on four devices; memory for `share` of them on each.
fn million(share: f64) -> Instance {
    let layer = LayerNumbers {
        work: 1e9,
        activation: 1e4,
        weights: 1e6,
    };
    let device = |k: usize| MachineNumbers {
        name: String::new(),
        compute: [10e12, 8e12, 6e12, 4e12][k],
        peak: None,
        disk: [3e9, 2e9, 4e9, 1e9][k],
        up: 1e9,
        down: 1e9,
        memory: 1e12 * share,
    };
    Instance {
        layers: vec![layer; 1_000_000],
        devices: (0..4).map(device).collect(),
        relay: Relay::SlowerHop,
    }
}

#[test]
fn a_million_layers_are_answered_whether_they_fit_or_not() {
    let made = million(0.5);
    assert_feasible(&made, &answered(&made));
    let answer = answered(&million(0.2));
    assert_eq!(answer.status, Status::Infeasible);
    assert!(
        answer
            .reason
            .is_some_and(|reason| reason.contains("too little"))
    );
}

#[test]
fn the_bound_survives_the_rounding_of_a_million_additions() {
    // Two equal devices, hardly any work, no outputs: the even split is as good as the bound allows.
    let mut made = million(1.0);
    made.devices.truncate(2);
    for layer in &mut made.layers {
        *layer = LayerNumbers {
            work: 1e-9,
            activation: 0.0,
            weights: 0.1,
        };
    }
    let twin = made.devices[0].clone();
    made.devices[1] = twin;
    assert_feasible(&made, &answered(&made));
}

#[test]
fn ten_devices_and_sixty_layers_are_solved_to_the_end() {
    let made = instance(Kind::Roomy, &mut Draw::new(9), 10, 60);
    let answer = answered(&made);
    assert_eq!(answer.status, Status::Optimal);
    assert_eq!(answer.bound, answer.T);
    assert_eq!(answer.gap, Some(0.0));
    assert!(answer.bound.expect("a bound") >= bound::lower(&made.problem()));
}
