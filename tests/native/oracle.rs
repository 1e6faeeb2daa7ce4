//! The exact program against every plan there is, on hundreds of random tiny problems of every kind; and the
//! referee against the equations written a second time.

use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::score;
use engine::network::Relay;
use engine::plan::{Pipeline, Stage};
use engine::problem::HeuristicReading;
use engine::solve::{Ended, Limits, NoPlan, NoProgress, Solved};
use methods::cold_start::{Cause, Infeasible, baseline, brute, ordered, repairs, solve};

type Found = Result<Solved<Pipeline>, NoPlan<Infeasible>>;

fn solved(instance: &Instance) -> Found {
    solve(
        &instance.problem(),
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    )
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// T of a plan from equations (17)-(23), on bare numbers and with nothing of the referee in it.
fn by_the_equations(instance: &Instance, plan: &[Stage]) -> f64 {
    let mut finish = 0.0_f64; // finish of the stage before
    for (n, stage) in plan.iter().enumerate() {
        let device = &instance.devices[stage.device];
        let (mut load, mut comp) = (0.0, 0.0);
        for j in stage.first..=stage.last {
            load += instance.layers[j - 1].weights / device.disk;
            comp += instance.layers[j - 1].work / device.compute;
        }
        let comm = if n == 0 {
            0.0
        } else {
            // Layers count from 1, so this is the output of the last layer of the stage before.
            let bits = 8.0 * instance.layers[stage.first - 2].activation;
            let up = instance.devices[plan[n - 1].device].up;
            match instance.relay {
                Relay::SlowerHop => bits / up.min(device.down),
                Relay::StoreAndForward => bits / up + bits / device.down,
            }
        };
        finish = load.max(finish) + comm + comp;
    }
    finish
}

/// How often each outcome occurred, so that no class is only believed to be tested.
#[derive(Debug, Default)]
struct Seen {
    optimal: usize,
    layer: usize,
    total: usize,
    packing: usize,
    stored: usize,
    several_stages: usize,
}

impl Seen {
    /// Compares one instance with the oracle.
    fn check(&mut self, what: &str, instance: &Instance) {
        let problem = instance.problem();
        self.stored += usize::from(instance.relay == Relay::StoreAndForward);
        match (solved(instance), brute::best(&problem)) {
            (Ok(found), Some((_, least))) => {
                let scored = score(&problem, &found.plan).expect("a whole plan");
                assert_eq!(found.ended, Ended::Optimal, "{what}");
                assert!(scored.mem_ok, "{what}: the plan does not fit");
                assert_eq!(
                    found.claimed.to_bits(),
                    scored.total.to_bits(),
                    "{what}: claimed {}, scored {}",
                    found.claimed,
                    scored.total
                );
                assert_eq!(found.bound, Some(found.claimed), "{what}");
                assert!(
                    close(found.claimed, least),
                    "{what}: {} instead of {least}",
                    found.claimed
                );
                assert!(
                    close(by_the_equations(instance, &found.plan), least),
                    "{what}: the equations say {}",
                    by_the_equations(instance, &found.plan)
                );
                self.optimal += 1;
                self.several_stages += usize::from(found.plan.len() > 1);
            }
            (Err(NoPlan::Infeasible(proof)), None) => self.check_proof(what, instance, &proof),
            (found, oracle) => panic!("{what}: found {found:?}, the oracle {oracle:?}"),
        }
    }

    /// Whether the cause that is named is one.
    fn check_proof(&mut self, what: &str, instance: &Instance, proof: &Infeasible) {
        let memory = |k: usize| instance.devices[k].memory;
        let mut memories: Vec<f64> = (0..instance.devices.len()).map(memory).collect();
        memories.sort_by(|a, b| b.total_cmp(a));
        let layers = instance.layers.len();
        assert_eq!(proof.layers, layers, "{what}");
        match proof.cause {
            Cause::Layer {
                layer,
                need,
                largest,
            } => {
                let fits = |n: usize| instance.need(n, n) <= memories[0] * (1.0 + 1e-9);
                assert!(
                    !fits(layer) && (1..layer).all(fits),
                    "{what}: layer {layer}"
                );
                assert_eq!(need, instance.need(layer, layer), "{what}");
                assert_eq!(largest, memories[0], "{what}");
                self.layer += 1;
            }
            Cause::TotalMemory { need, have } => {
                let usable: f64 = memories.iter().take(layers).sum();
                assert!(close(have, usable), "{what}: {have} instead of {usable}");
                assert!(close(need, instance.weights()), "{what}: {need}");
                assert!(need > have, "{what}: {need} would fit into {have}");
                self.total += 1;
            }
            Cause::Packing { first_unplaced } => {
                assert_eq!(proof.room, Some(first_unplaced - 1), "{what}");
                self.packing += 1;
            }
            Cause::Search => panic!("{what}: so few devices are packed exactly"),
            Cause::Split { .. } | Cause::Rate { .. } | Cause::Slow { .. } => {
                panic!("{what}: nobody asked for that")
            }
        }
        if let Some(room) = proof.room {
            let placed = |count: usize| brute::best(&instance.prefix(count).problem()).is_some();
            assert!(room == 0 || placed(room), "{what}: no room for {room}");
            assert!(!placed(room + 1), "{what}: room for {room} and one more");
        }
    }
}

/// Instances of each kind.
const EACH: usize = 150;

#[test]
fn the_exact_program_finds_the_least_of_all_plans() {
    let mut draw = Draw::new(1);
    for kind in Kind::ALL {
        let mut seen = Seen::default();
        for n in 0..EACH {
            let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 7));
            let made = instance(kind, &mut draw, devices, layers);
            seen.check(&format!("{kind:?} {n}: {made:?}"), &made);
        }
        assert!(
            (EACH / 8..EACH).contains(&seen.stored),
            "{kind:?}: {seen:?}"
        );
        match kind {
            Kind::Roomy | Kind::Wide | Kind::FullBySum | Kind::FullByPrefix => {
                assert_eq!(seen.optimal, EACH, "{kind:?}: {seen:?}");
                assert!(seen.several_stages >= 10, "{kind:?}: {seen:?}");
            }
            Kind::JustTooSmall => {
                assert_eq!(seen.optimal, 0, "{kind:?}: {seen:?}");
                assert!(seen.packing + seen.total + seen.layer == EACH, "{seen:?}");
            }
            _ => {
                assert!(seen.optimal >= 20, "{kind:?}: {seen:?}");
                assert!(
                    seen.layer + seen.total + seen.packing >= 5,
                    "{kind:?}: {seen:?}"
                );
            }
        }
    }
}

#[test]
fn every_cause_of_infeasibility_occurs_and_is_true() {
    let mut draw = Draw::new(2);
    let mut seen = Seen::default();
    for n in 0..400 {
        let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 7));
        let mut made = instance(Kind::Tight, &mut draw, devices, layers);
        for device in &mut made.devices {
            device.memory *= 0.8;
        }
        seen.check(&format!("{n}: {made:?}"), &made);
    }
    for (what, count) in [
        ("a layer too large", seen.layer),
        ("too little memory in all", seen.total),
        ("whole layers that do not pack", seen.packing),
        ("a plan", seen.optimal),
    ] {
        assert!(count >= 20, "{what}: {seen:?}");
    }
}

#[test]
fn five_devices_and_six_layers_agree_with_the_oracle_too() {
    let mut draw = Draw::new(3);
    let mut seen = Seen::default();
    for kind in Kind::ALL {
        for n in 0..4 {
            let made = instance(kind, &mut draw, 5, 6);
            seen.check(&format!("{kind:?} {n}: {made:?}"), &made);
        }
    }
    assert!(seen.optimal >= 20, "{seen:?}");
}

#[test]
fn a_device_that_is_full_to_the_last_byte_of_the_slack_is_used() {
    let mut draw = Draw::new(4);
    let mut seen = Seen::default();
    for n in 0..300 {
        let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 7));
        let mut made = instance(Kind::ZeroActivations, &mut draw, devices, layers);
        made.fill(&mut draw, 1.0 / (1.0 + 1e-9), Instance::need);
        seen.check(&format!("{n}: {made:?}"), &made);
    }
    eprintln!("{seen:?}");
    assert!(seen.optimal >= 50, "{seen:?}");
}

#[test]
fn the_referee_times_random_plans_as_the_equations_do() {
    let mut draw = Draw::new(5);
    for n in 0..400 {
        let kind = Kind::ALL[n % Kind::ALL.len()];
        let (devices, layers) = (draw.whole(1, 6), draw.whole(1, 12));
        let made = instance(kind, &mut draw, devices, layers);
        let plan = random_plan(&mut draw, devices, layers);
        let scored = score(&made.problem(), &plan).expect("a whole plan");
        let expected = by_the_equations(&made, &plan);
        assert!(close(scored.total, expected), "{plan:?} of {made:?}");
        for (stage, row) in plan.iter().zip(&scored.timeline) {
            let need = made.need(stage.first, stage.last);
            assert_eq!(row.mem, need, "{plan:?} of {made:?}");
            let fits = need <= made.devices[stage.device].memory * (1.0 + 1e-9);
            assert_eq!(row.mem_ok, fits, "{plan:?} of {made:?}");
        }
    }
}

fn random_plan(draw: &mut Draw, devices: usize, layers: usize) -> Pipeline {
    let mut order: Vec<usize> = (0..devices).collect();
    draw.shuffle(&mut order);
    let mut plan = Pipeline::new();
    let mut first = 1;
    for device in order {
        if first > layers {
            break;
        }
        let last = draw.whole(first, layers);
        plan.push(Stage {
            device,
            first,
            last,
        });
        first = last + 1;
    }
    if let Some(end) = plan.last_mut() {
        end.last = layers;
    }
    plan
}

/// The least memory of one device with which a plan exists: every need of consecutive layers, tried upwards.
fn least_by_trying(instance: &Instance, device: usize) -> (f64, f64) {
    let layers = instance.layers.len();
    let mut needs: Vec<f64> = (1..=layers)
        .flat_map(|first| (first..=layers).map(move |last| (first, last)))
        .map(|(first, last)| instance.need(first, last))
        .filter(|need| *need > instance.devices[device].memory)
        .collect();
    needs.sort_by(f64::total_cmp);
    let with = |memory: f64| {
        let mut more = instance.clone();
        more.devices[device].memory = memory;
        brute::best(&more.problem()).map(|(_, total)| (memory, total))
    };
    let found = needs.into_iter().find_map(with);
    found.expect("a device that holds everything makes a plan")
}

#[test]
fn repairs_are_the_least_that_help_and_are_solved() {
    let mut draw = Draw::new(3);
    let (mut infeasible, mut rows) = (0, 0);
    for n in 0..120 {
        let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 6));
        let kind = if n % 2 == 0 {
            Kind::JustTooSmall
        } else {
            Kind::Tight
        };
        let mut made = instance(kind, &mut draw, devices, layers);
        for device in &mut made.devices {
            device.memory *= 0.7;
        }
        let what = format!("{n}: {made:?}");
        let problem = made.problem();
        if brute::best(&problem).is_some() {
            continue;
        }
        infeasible += 1;
        let found = repairs(&problem);
        assert_eq!(found.len(), devices, "{what}");
        for repair in found {
            let (least, _) = least_by_trying(&made, repair.device);
            assert!(
                repair.memory >= least * (1.0 - 1e-9) && repair.memory <= least * 1.001_1,
                "{what}: {repair:?}, but {least} suffices"
            );
            let mut more = made.clone();
            more.devices[repair.device].memory = repair.memory;
            let (_, total) = brute::best(&more.problem()).expect("a repair that repairs");
            let claimed = repair.T.expect("small problems are solved");
            assert!(
                close(claimed, total),
                "{what}: {repair:?} instead of {total}"
            );
            rows += 1;
        }
    }
    assert!(infeasible >= 60 && rows >= 100, "{infeasible}, {rows}");
}

#[test]
fn the_best_cuts_in_order_of_strength_are_those_of_the_oracle() {
    let mut draw = Draw::new(77);
    let (mut found, mut none, mut left_out) = (0, 0, 0);
    for round in 0..40 {
        for kind in Kind::ALL {
            let (devices, layers) = (draw.whole(1, 5), draw.whole(1, 6));
            let problem = instance(kind, &mut draw, devices, layers).problem();
            let order = baseline::by_strength(&problem);
            let oracle = brute::best_in_order(&problem, &order);
            let what = format!("round {round}, {kind:?}, {devices} devices, {layers} layers");
            match (ordered(&problem), oracle) {
                (Some(plan), Some((_, least))) => {
                    let scored = score(&problem, &plan).expect("a whole plan");
                    assert!(scored.mem_ok, "{what}: {plan:?}");
                    assert!(
                        close(scored.total, least),
                        "{what}: {} instead of {least}",
                        scored.total
                    );
                    let ranks = plan
                        .iter()
                        .map(|s| order.iter().position(|k| *k == s.device));
                    assert!(ranks.is_sorted(), "{what}: {plan:?}");
                    found += 1;
                    left_out += usize::from(plan.len() < devices.min(layers));
                }
                (None, None) => none += 1,
                (plan, oracle) => panic!("{what}: found {plan:?}, the oracle {oracle:?}"),
            }
        }
    }
    assert!(
        found > 100 && none > 5 && left_out > 20,
        "{found} plans, {none} without, {left_out} that leave a device out"
    );
}
