//! The search over bounded labels finds what the plain dynamic program finds, to the last bit; what it tells on its way
//! is true, also when it is ended early; its answer does not depend on threads.

use crate::cases::cases;
use crate::cold_families_made::{Family, Member};
use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::score;
use engine::network::Relay;
use engine::plan::Pipeline;
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoPlan, NoProgress, Progress, SearchEvent, Solved, StopReason};
use methods::cold_start::search::costs::StageCosts;
use methods::cold_start::search::extend::{LevelShare, extend};
use methods::cold_start::search::frontier::LabelFrontier;
use methods::cold_start::search::relax::{Prices, Relaxation};
use methods::cold_start::search::tune;
use methods::cold_start::{Cause, Infeasible, bounded, program, solve};
use std::ops::ControlFlow;

type Answer = Result<Solved<Pipeline>, NoPlan<Infeasible>>;

const READING: HeuristicReading = HeuristicReading::Rate;

fn searched(problem: &ColdStart, limits: &Limits) -> Answer {
    bounded(problem, READING, limits, &mut NoProgress)
}

fn programmed(problem: &ColdStart) -> Answer {
    program(problem, READING, &Limits::default(), &mut NoProgress)
}

fn with_threads(threads: u32) -> Limits {
    Limits {
        threads,
        ..Limits::default()
    }
}

fn member(family: Family, devices: usize, layers: usize, identical: bool, seed: u64) -> ColdStart {
    let member = Member {
        family,
        devices,
        layers,
        identical,
        seed,
    };
    member.problem()
}

/// The plan fits and takes as long as is said, and no shorter than the bound.
#[track_caller]
fn assert_honest(problem: &ColdStart, solved: &Solved<Pipeline>) {
    let scored = score(problem, &solved.plan).expect("a whole plan");
    assert!(scored.mem_ok);
    assert_eq!(scored.total.to_bits(), solved.claimed.to_bits());
    let bound = solved.bound.expect("a search has a bound");
    assert!(bound <= solved.claimed, "{bound} > {}", solved.claimed);
    if solved.ended == Ended::Optimal {
        assert_eq!(bound, solved.claimed);
    }
}

/// Both prove the same T, to the last bit, or both that there is no plan. Whether there is one.
#[track_caller]
fn assert_same_proof(problem: &ColdStart, what: &str) -> bool {
    match (programmed(problem), searched(problem, &Limits::default())) {
        (Ok(plain), Ok(found)) => {
            assert_honest(problem, &found);
            assert_eq!((plain.ended, found.ended), (Ended::Optimal, Ended::Optimal));
            let (by_program, by_search) = (plain.claimed, found.claimed);
            assert_eq!(
                by_program.to_bits(),
                by_search.to_bits(),
                "{what}: {by_program} by the program, {by_search} by the search"
            );
            true
        }
        (Err(NoPlan::Infeasible(_)), Err(NoPlan::Infeasible(_))) => false,
        (plain, found) => panic!("{what}: {plain:?}, {found:?}"),
    }
}

#[test]
fn the_search_finds_what_the_program_finds() {
    let mut draw = Draw::new(41);
    let (mut store_and_forward, mut several_stages) = (0, 0);
    for kind in Kind::ALL {
        let (mut feasible, mut infeasible) = (0, 0);
        for round in 0..70 {
            let (devices, layers) = (draw.whole(1, 7), draw.whole(1, 14));
            let made = instance(kind, &mut draw, devices, layers);
            let problem = made.problem();
            let what = format!("{kind:?} {round}, {devices} x {layers}");
            if assert_same_proof(&problem, &what) {
                feasible += 1;
                let found = searched(&problem, &Limits::default()).expect("a plan");
                several_stages += usize::from(found.plan.len() > 2);
            } else {
                infeasible += 1;
            }
            store_and_forward += usize::from(made.relay == Relay::StoreAndForward);
        }
        let expected = match kind {
            Kind::Roomy | Kind::Wide | Kind::FullBySum | Kind::FullByPrefix => infeasible == 0,
            Kind::JustTooSmall => infeasible > 10,
            _ => feasible > 10 && infeasible > 3,
        };
        assert!(expected, "{kind:?}: {feasible} feasible, {infeasible} not");
    }
    assert!(
        (100..600).contains(&store_and_forward),
        "{store_and_forward}"
    );
    assert!(several_stages > 150, "{several_stages}");
}

#[test]
fn members_of_all_families_are_proved_to_the_last_bit() {
    for family in Family::ALL {
        for identical in [false, true] {
            for (devices, layers) in [(4, 30), (6, 20), (7, 24), (8, 16), (8, 30)] {
                let problem = member(family, devices, layers, identical, 1);
                let what = format!("{} {devices} x {layers}, same {identical}", family.name());
                assert!(assert_same_proof(&problem, &what));
            }
        }
    }
}

/// Devices that are the same in everything, many of them, and layers alike or not: what may be left out of a search
/// because it has a twin is left out, and nothing else.
#[test]
fn twins_and_triplets_are_distinguished_from_near_twins() {
    let mut draw = Draw::new(42);
    for round in 0..60 {
        let kind = [Kind::Roomy, Kind::Tight, Kind::IdenticalLayers][round % 3];
        let layers = draw.whole(4, 14);
        let mut made = instance(kind, &mut draw, 7, layers);
        let share = made.weights() / 7.0;
        for device in &mut made.devices {
            device.memory = device.memory.max(2.0 * share);
        }
        for (twin, of) in [(1, 0), (2, 0), (4, 3), (6, 5)] {
            made.devices[twin] = made.devices[of].clone();
        }
        // Alike in all but one number.
        let near = &mut made.devices[6];
        match round % 5 {
            0 => near.compute *= 1.5,
            1 => near.disk *= 0.5,
            2 => near.up *= 2.0,
            3 => near.down *= 0.5,
            _ => near.memory *= 1.5,
        }
        assert_same_proof(&made.problem(), &format!("{kind:?} {round}"));
    }
}

/// Problems whose labels are so many that levels have several shares.
fn wide() -> Vec<ColdStart> {
    vec![
        member(Family::FastCompute, 12, 40, false, 1),
        member(Family::FastCompute, 12, 40, true, 2),
    ]
}

#[test]
fn threads_change_nothing() {
    for problem in wide() {
        for steps in [None, Some(0), Some(1), Some(700), Some(3000)] {
            let run = |threads| {
                let limits = Limits {
                    steps,
                    ..with_threads(threads)
                };
                let mut told = Vec::new();
                let mut listen = |event: SearchEvent<'_, Pipeline>| {
                    match event {
                        SearchEvent::Incumbent { claimed, .. } => told.push((0, claimed)),
                        SearchEvent::Bound(bound) => told.push((1, bound)),
                        SearchEvent::Step { .. } => {}
                    }
                    ControlFlow::Continue(())
                };
                let found = bounded(&problem, READING, &limits, &mut listen).expect("a plan");
                assert_honest(&problem, &found);
                (found, told)
            };
            let one = run(1);
            for threads in [0, 2, 3, 5] {
                assert_eq!(run(threads), one, "{threads} threads, {steps:?} steps");
            }
            let is_ended = one.0.ended == Ended::Stopped(StopReason::Steps);
            assert_eq!(is_ended, steps.is_some(), "{steps:?}: {:?}", one.0.ended);
        }
    }
}

#[test]
fn partial_results_are_true() {
    let mut draw = Draw::new(43);
    let mut improved = 0;
    for round in 0..60 {
        let problem = match round % 3 {
            0 => member(
                Family::ALL[round / 3 % 4],
                8,
                20,
                round % 2 == 0,
                round as u64,
            ),
            1 => instance(Kind::Roomy, &mut draw, 7, 14).problem(),
            _ => instance(Kind::FullBySum, &mut draw, 7, 14).problem(),
        };
        let best = programmed(&problem).expect("a plan").claimed;
        let (mut least, mut most, mut steps, mut plans) = (f64::INFINITY, 0.0, 0, 0);
        let mut listen = |event: SearchEvent<'_, Pipeline>| {
            match event {
                SearchEvent::Incumbent { plan, claimed } => {
                    assert!(claimed < least && claimed >= best && most <= claimed);
                    let scored = score(&problem, plan).expect("a whole plan");
                    assert!(scored.mem_ok && scored.total == claimed);
                    least = claimed;
                    plans += 1;
                }
                SearchEvent::Bound(bound) => {
                    assert!(
                        bound >= most && bound <= best * (1.0 + 1e-9),
                        "{bound} > {best}"
                    );
                    most = bound;
                }
                SearchEvent::Step { done, of } => {
                    assert!(done >= steps && of.is_none());
                    assert!(done == 0 || plans > 0, "a step before the first plan");
                    steps = done;
                }
            }
            ControlFlow::Continue(())
        };
        let found = bounded(&problem, READING, &Limits::default(), &mut listen).expect("a plan");
        assert_eq!(found.ended, Ended::Optimal);
        assert_eq!((found.claimed, found.bound), (best, Some(best)));
        assert_eq!(least, best);
        improved += usize::from(plans > 1);
    }
    assert!(improved > 15, "{improved}");
}

/// Ends a search at its n-th event.
struct Impatient(u32);

impl Progress<Pipeline> for Impatient {
    fn report(&mut self, _: SearchEvent<'_, Pipeline>) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn a_cancelled_search_keeps_its_plan_and_claims_no_more_than_it_proved() {
    let mut draw = Draw::new(44);
    let mut cancelled = 0;
    for round in 0..20 {
        let problem = match round % 2 {
            0 => member(
                Family::ALL[round / 2 % 4],
                8,
                24,
                round % 4 == 0,
                round as u64,
            ),
            _ => instance(Kind::FullBySum, &mut draw, 7, 14).problem(),
        };
        let best = programmed(&problem).expect("a plan").claimed;
        for at in [1, 2, 3, 5, 20, 100] {
            for threads in [1, 2] {
                let limits = with_threads(threads);
                let found = bounded(&problem, READING, &limits, &mut Impatient(at));
                let found = found.expect("a plan");
                assert_honest(&problem, &found);
                assert!(found.claimed >= best);
                assert!(found.bound.expect("a bound") <= best * (1.0 + 1e-9));
                cancelled += usize::from(found.ended == Ended::Stopped(StopReason::Cancelled));
            }
        }
    }
    assert!(cancelled > 80, "{cancelled}");
}

/// What the best plan still has to do after each stage is no less than the relaxation says, whatever it remembers.
#[test]
fn the_relaxation_is_never_longer_than_what_is_left() {
    let mut draw = Draw::new(45);
    let (mut proved, mut loose) = (0, 0);
    for round in 0..cases(150) {
        let kind = Kind::ALL[round % Kind::ALL.len()];
        let (devices, layers) = (draw.whole(1, 7), draw.whole(1, 14));
        let problem = instance(kind, &mut draw, devices, layers).problem();
        let Ok(best) = programmed(&problem) else {
            continue;
        };
        let costs = StageCosts::new(&problem);
        let mut order: Vec<u8> = (0..devices as u8).collect();
        draw.shuffle(&mut order);
        order.truncate(draw.whole(0, 3));
        let random = |draw: &mut Draw, exact: &[u8]| Prices {
            price: (0..devices).map(|_| draw.below(12) as u16).collect(),
            exact: exact.to_vec(),
        };
        let tuned = Prices {
            price: tune::integer_prices(&tune::first(&costs), 40.0),
            exact: order.clone(),
        };
        for prices in [random(&mut draw, &[]), random(&mut draw, &order), tuned] {
            for factor in [1.0 + 1e-12, 1.001, 1.3, 10.0] {
                let ceiling = best.claimed * factor;
                let relaxation = Relaxation::new(&costs, &prices, ceiling);
                assert!(relaxation.least_money().is_some(), "{kind:?}, {factor}");
                let mut rest = (1_u32 << devices) - 1;
                for (at, stage) in best.plan.iter().enumerate() {
                    rest &= !(1 << stage.device);
                    let left: f64 = best.plan[at..]
                        .windows(2)
                        .map(|pair| {
                            let (from, to) = (pair[0].device, &pair[1]);
                            costs.hops(from, to.device)[pair[0].last]
                                + costs.comp(to.device, to.first - 1)[to.last]
                        })
                        .sum();
                    let tails = relaxation.tails(stage.device, prices.state(rest));
                    let tail = relaxation.safe(tails[stage.last]);
                    // Far below the ceiling 32 bits have few digits, or none.
                    let most = left + 1e-30 * ceiling;
                    assert!(tail <= most, "{kind:?}: {tail} > {left} after {stage:?}");
                    loose += usize::from(tail < 0.999 * left);
                }
            }
            let below = Relaxation::new(&costs, &prices, best.claimed * 0.9);
            proved += usize::from(below.least_money().is_none());
        }
    }
    // It would be of no use if it were never close.
    assert!(proved > 50, "{proved}");
    assert!(loose > 50, "{loose}");
}

#[test]
fn little_memory_ends_a_search_and_not_a_program() {
    for problem in wide() {
        let best = searched(&problem, &Limits::default()).expect("a plan");
        assert_eq!(best.ended, Ended::Optimal);
        for memory in [0, 1, 12, 24, 1000, 9000] {
            let limits = Limits {
                memory: Some(memory),
                ..Limits::default()
            };
            let found = searched(&problem, &limits).expect("a plan");
            assert_honest(&problem, &found);
            assert_eq!(found.ended, Ended::Stopped(StopReason::Size), "{memory} B");
            assert!(found.bound < Some(found.claimed));
            assert!(found.bound.expect("a bound") <= best.claimed);
            assert!(found.claimed >= best.claimed);
        }
    }
}

#[test]
fn labels_survive_being_bytes_and_bytes_that_are_none_are_refused() {
    let problem = member(Family::Mixed, 8, 20, false, 1);
    let costs = StageCosts::new(&problem);
    let prices = Prices {
        price: tune::integer_prices(&tune::first(&costs), 60.0),
        exact: vec![1, 4],
    };
    let ceiling = 1.2 * programmed(&problem).expect("a plan").claimed;
    let relaxation = Relaxation::new(&costs, &prices, ceiling);
    let mut heard = |_| ControlFlow::Continue(());
    let mut level = LabelFrontier::first();
    for _ in 0..3 {
        let bytes = level.to_bytes();
        let mut read = bytes.as_slice();
        assert_eq!(LabelFrontier::from_bytes(&mut read).as_ref(), Some(&level));
        assert!(read.is_empty());
        // Every part of the shares together is the whole.
        let whole = extend(
            &costs,
            &relaxation,
            ceiling,
            &level,
            LevelShare::ALL,
            &mut heard,
        );
        let whole = whole.expect("nobody breaks off");
        for of in [2, 3, 7, 64] {
            let mut labels = LabelFrontier::default();
            for at in 0..of {
                let share = LevelShare { at, of };
                let part = extend(&costs, &relaxation, ceiling, &level, share, &mut heard);
                labels.append(&part.expect("nobody breaks off").labels);
            }
            assert_eq!(labels, whole.labels);
        }
        level = whole.labels;
    }
    assert!(level.len() > 50, "{}", level.len());

    let bytes = level.to_bytes();
    let step = (bytes.len() / 200).max(1);
    for end in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
        assert_eq!(LabelFrontier::from_bytes(&mut &bytes[..end]), None);
    }
    let mut refused = 0;
    for bit in (0..bytes.len() * 8).step_by(13).chain(0..96) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match LabelFrontier::from_bytes(&mut flipped.as_slice()) {
            None => refused += 1,
            Some(read) => {
                let rows: usize = (0..read.sets.len()).map(|at| read.rows(at).len()).sum();
                assert_eq!(rows, read.last.len());
            }
        }
    }
    assert!(refused >= 90, "{refused}");
}

#[test]
fn sixteen_devices_and_eighty_layers_are_proved() {
    for (family, seed) in Family::ALL.into_iter().zip([1, 6, 3, 4]) {
        let problem = member(family, 16, 80, false, seed);
        let found = searched(&problem, &with_threads(2)).expect("a plan");
        assert_eq!(found.ended, Ended::Optimal, "{}", family.name());
        assert_honest(&problem, &found);
    }
}

/// Beyond the devices that can be packed over all sets, with memories that nearly or just do not suffice.
fn crowded(draw: &mut Draw, devices: usize, layers: usize) -> Instance {
    let mut made = instance(Kind::Tight, draw, devices, layers);
    // One layer fits most devices, two fit none; the others hold nothing, but count as memory.
    for layer in &mut made.layers {
        layer.weights = draw.between(0.5, 1.0) * 1e9;
    }
    let useful = layers + draw.below(3);
    for (k, device) in made.devices.iter_mut().enumerate() {
        let size = if k < useful {
            0.6 + 0.5 * draw.unit()
        } else {
            0.4
        };
        device.memory = size * 1e9;
    }
    draw.shuffle(&mut made.devices);
    made
}

#[test]
fn more_devices_than_can_be_packed_are_proved_infeasible_by_the_search() {
    let mut draw = Draw::new(46);
    let (mut feasible, mut by_search) = (0, 0);
    for devices in 21..=24 {
        for layers in [4, 6, 8, 8, 9, 9] {
            let made = crowded(&mut draw, devices, layers);
            let problem = made.problem();
            match searched(&problem, &Limits::default()) {
                Ok(found) => {
                    assert_honest(&problem, &found);
                    feasible += 1;
                }
                Err(NoPlan::Infeasible(proof)) if proof.cause == Cause::Search => by_search += 1,
                Err(NoPlan::Infeasible(_)) => {}
                Err(NoPlan::Stopped(stop)) => panic!("{devices} x {layers}: {stop:?}"),
            }
        }
    }
    assert!(feasible > 0 && by_search > 0, "{feasible}, {by_search}");
}

#[test]
fn more_devices_than_a_word_has_bits_get_a_plan_and_a_bound() {
    for (devices, layers) in [(33, 12), (40, 60), (3, 3000)] {
        let made = instance(Kind::Roomy, &mut Draw::new(47), devices, layers);
        let problem = made.problem();
        assert!(!StageCosts::are_affordable(devices, layers));
        let found = solve(&problem, READING, &Limits::default(), &mut NoProgress).expect("a plan");
        assert_honest(&problem, &found);
        let is_proved = devices == 3;
        assert_eq!(found.ended == Ended::Optimal, is_proved);
    }
    // As many as there are bits.
    let made = instance(Kind::Roomy, &mut Draw::new(48), 32, 6);
    let problem = made.problem();
    let found = solve(&problem, READING, &Limits::default(), &mut NoProgress).expect("a plan");
    assert_honest(&problem, &found);
    assert_eq!(found.ended, Ended::Optimal);
}
