//! Laws that hold on every problem: identities of a timeline, what more speed can do, what a bound promises.

use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::score;
use engine::plan::{Pipeline, StageTiming};
use engine::problem::{HeuristicReading, MachineNumbers};
use engine::solve::{Limits, NoProgress, Progress, SearchEvent};
use methods::cold_start::{baseline, bound, brute};
use planner::cold_start::{Answer, ColdStartMethod, Status, answer};
use std::ops::ControlFlow;

fn answered(made: &Instance) -> Answer {
    answered_with(made, &Limits::default(), &mut NoProgress)
}

fn answered_with(
    made: &Instance,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> Answer {
    answer(
        &made.problem(),
        ColdStartMethod::Exact,
        HeuristicReading::Rate,
        limits,
        progress,
    )
}

/// T, infinite where there is no plan.
fn least(made: &Instance) -> f64 {
    let answer = answered(made);
    assert!(matches!(
        answer.status,
        Status::Optimal | Status::Infeasible
    ));
    answer.T.unwrap_or(f64::INFINITY)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Instances of every kind, `rounds` of each.
fn of_every_kind(
    seed: u64,
    rounds: usize,
    most_devices: usize,
    most_layers: usize,
) -> impl Iterator<Item = (Kind, Instance)> {
    let mut draw = Draw::new(seed);
    (0..rounds).flat_map(move |_| {
        let made: Vec<_> = Kind::ALL
            .into_iter()
            .map(|kind| {
                let devices = draw.whole(1, most_devices);
                let layers = draw.whole(1, most_layers);
                (kind, instance(kind, &mut draw, devices, layers))
            })
            .collect();
        made
    })
}

/// Both identities, and what each column of a row is by its definition.
fn assert_consistent(total: f64, timeline: &[StageTiming], what: &str) {
    let sum: f64 = timeline.iter().map(|s| s.stall + s.comm + s.comp).sum();
    assert!(close(total, sum), "{what}: T {total}, parts {sum}");
    let work_from = |n: usize| timeline[n..].iter().map(|s| s.comm + s.comp).sum::<f64>();
    let deadlines = timeline
        .iter()
        .enumerate()
        .map(|(n, s)| s.load + work_from(n));
    let latest = deadlines.fold(0.0, f64::max);
    assert!(close(total, latest), "{what}: T {total}, loads {latest}");

    assert_eq!(timeline[0].comm, 0.0, "{what}");
    let mut before = 0.0;
    for s in timeline {
        assert_eq!(s.start, s.load.max(before), "{what}");
        assert_eq!(s.finish, s.start + s.comm + s.comp, "{what}");
        assert_eq!(s.wait, (before - s.load).max(0.0), "{what}");
        assert_eq!(s.stall, (s.load - before).max(0.0), "{what}");
        assert_eq!(s.idle_after, total - s.finish, "{what}");
        assert!(s.idle_after >= 0.0, "{what}");
        before = s.finish;
    }
    assert_eq!(before, total, "{what}");
}

#[test]
fn both_identities_hold_on_every_timeline() {
    let mut plans = 0;
    for (kind, made) in of_every_kind(11, 20, 6, 14) {
        let answer = answered(&made);
        if let (Some(total), Some(timeline)) = (answer.T, &answer.timeline) {
            assert_consistent(total, timeline, &format!("{kind:?} {made:?}"));
            plans += 1;
        }
        for (name, b) in answer.baselines.named() {
            let scored = score(&made.problem(), &b.plan).expect("a whole plan");
            assert_consistent(b.T, &scored.timeline, &format!("{name} of {made:?}"));
        }
    }
    assert!(plans >= 100, "{plans}");
}

/// One number of a device that is better when it is larger.
type Raise = (&'static str, fn(&mut MachineNumbers) -> &mut f64);

const RAISES: [Raise; 5] = [
    ("compute", |m| &mut m.compute),
    ("disk", |m| &mut m.disk),
    ("uplink", |m| &mut m.up),
    ("downlink", |m| &mut m.down),
    ("memory", |m| &mut m.memory),
];

#[test]
fn a_better_device_never_makes_the_answer_later() {
    let mut draw = Draw::new(12);
    let mut better = [0; RAISES.len()];
    for (kind, made) in of_every_kind(13, 12, 5, 9) {
        let before = least(&made);
        for (count, (what, field)) in better.iter_mut().zip(RAISES) {
            let mut raised = made.clone();
            let k = draw.below(raised.devices.len());
            let factor = draw.between(1.0, 3.0);
            *field(&mut raised.devices[k]) *= factor;
            let after = least(&raised);
            assert!(
                after <= before,
                "{kind:?}: {what} of {k} times {factor}: {made:?}"
            );
            *count += usize::from(after < before);
        }
    }
    assert!(better.iter().all(|count| *count >= 3), "{better:?}");
}

#[test]
fn one_more_device_never_makes_the_answer_later() {
    let mut draw = Draw::new(14);
    let mut better = 0;
    for (kind, made) in of_every_kind(15, 20, 5, 9) {
        let mut larger = made.clone();
        let mut more = instance(Kind::Roomy, &mut draw, 1, 1).devices.remove(0);
        more.memory = made.weights() * draw.unit();
        larger
            .devices
            .insert(draw.below(made.devices.len() + 1), more);
        let (before, after) = (least(&made), least(&larger));
        assert!(after <= before, "{kind:?}: {made:?}, then {larger:?}");
        better += usize::from(after < before);
    }
    assert!(better >= 30, "{better}");
}

#[test]
fn a_single_device_loads_and_then_computes() {
    let mut draw = Draw::new(16);
    for _ in 0..50 {
        let layers = draw.whole(1, 30);
        let made = instance(Kind::Roomy, &mut draw, 1, layers);
        let work: f64 = made.layers.iter().map(|l| l.work).sum();
        let device = &made.devices[0];
        let expected = made.weights() / device.disk + work / device.compute;
        assert!(close(least(&made), expected), "{made:?}");
    }
}

#[test]
fn without_outputs_the_links_do_not_matter() {
    let mut draw = Draw::new(17);
    let mut plans = 0;
    for _ in 0..60 {
        let (devices, layers) = (draw.whole(2, 5), draw.whole(2, 10));
        let made = instance(Kind::ZeroActivations, &mut draw, devices, layers);
        let mut other = made.clone();
        for device in &mut other.devices {
            device.up = draw.magnitude(-3, 12);
            device.down = draw.magnitude(-3, 12);
        }
        let (a, b) = (answered(&made), answered(&other));
        assert_eq!((&a.T, &a.plan), (&b.T, &b.plan), "{made:?}");
        plans += usize::from(a.plan.is_some_and(|plan| plan.len() > 1));
    }
    assert!(plans >= 20, "{plans}");
}

#[test]
fn no_baseline_that_fits_beats_the_optimum() {
    let (mut fitting, mut waived) = (0, 0);
    for (kind, made) in of_every_kind(18, 25, 6, 12) {
        let optimum = least(&made);
        let problem = made.problem();
        for reading in HeuristicReading::ALL {
            for plan in [
                baseline::single(&problem),
                baseline::even(&problem),
                baseline::heuristic(&problem, reading),
            ] {
                let scored = score(&problem, &plan).expect("a baseline is a whole plan");
                if scored.mem_ok {
                    assert!(optimum <= scored.total, "{kind:?}: {plan:?} of {made:?}");
                    fitting += 1;
                } else {
                    waived += usize::from(scored.total < optimum);
                }
            }
        }
    }
    // A split that overflows its memory may be faster, and then it is flagged.
    assert!(fitting >= 500 && waived >= 50, "{fitting}, {waived}");
}

#[test]
fn the_bound_is_never_above_the_best_plan() {
    let (mut plans, mut tight) = (0, 0);
    for (kind, made) in of_every_kind(19, 60, 4, 7) {
        let problem = made.problem();
        if let Some((plan, total)) = brute::best(&problem) {
            let bound = bound::lower(&problem);
            assert!(
                bound <= total,
                "{kind:?}: {bound} above {total} of {plan:?}: {made:?}"
            );
            assert!(bound > 0.0, "{kind:?}: {made:?}");
            plans += 1;
            tight += usize::from(bound > 0.7 * total);
        }
    }
    assert!(plans >= 300 && tight >= 50, "{plans}, {tight}");
}

#[test]
fn a_search_that_is_cut_short_has_a_bound_below_every_plan_known() {
    let (mut feasible, mut infeasible) = (0, 0);
    let limits = Limits {
        steps: Some(200),
        ..Limits::default()
    };
    for (kind, mut made) in of_every_kind(20, 4, 4, 30) {
        let mut draw = Draw::new(made.layers.len() as u64);
        let devices = draw.whole(12, 24);
        let layers = made.layers.len() + 60;
        made = instance(kind, &mut draw, devices, layers);
        let answer = answered_with(&made, &limits, &mut NoProgress);
        match answer.status {
            Status::Feasible | Status::Optimal => {
                let (total, bound) = (answer.T.expect("a plan"), answer.bound.expect("a bound"));
                assert!(bound > 0.0 && bound <= total, "{kind:?}: {bound}, {total}");
                assert_eq!(answer.gap, Some((total - bound) / total));
                for (name, b) in answer.baselines.named() {
                    assert!(!b.mem_ok || bound <= b.T, "{kind:?}: {name}");
                    assert!(!b.mem_ok || total <= b.T, "{kind:?}: {name}");
                }
                let plan = answer.plan.expect("a plan");
                let scored = score(&made.problem(), &plan).expect("a whole plan");
                assert!(scored.mem_ok, "{kind:?}: the plan does not fit");
                assert_eq!(scored.total, total);
                feasible += 1;
            }
            Status::Infeasible => infeasible += 1,
            Status::Stopped => assert!(devices > 20, "{kind:?} with {devices} devices"),
        }
    }
    assert!(
        feasible >= 15 && infeasible >= 2,
        "{feasible}, {infeasible}"
    );
}

#[test]
fn a_listener_that_ends_the_search_still_gets_a_plan_but_no_proof() {
    let mut ended = 0;
    for (kind, made) in of_every_kind(21, 15, 5, 10) {
        let whole = answered(&made);
        for stop_at in [1, 3] {
            let mut reports = 0;
            let mut listener = |_: SearchEvent<'_, Pipeline>| {
                reports += 1;
                if reports >= stop_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let cut = answered_with(&made, &Limits::default(), &mut listener);
            if reports < stop_at {
                assert_eq!(cut, whole, "{kind:?}: it had ended before: {made:?}");
                continue;
            }
            assert_eq!(reports, stop_at, "{kind:?}: reports after the end");
            assert_unproved(&cut, &whole, &format!("{kind:?}: {made:?}"));
            ended += 1;
        }
    }
    assert!(ended >= 150, "{ended}");
}

#[test]
fn a_limit_of_steps_ends_the_search_with_a_plan_but_no_proof() {
    for (kind, made) in of_every_kind(22, 15, 5, 10) {
        let whole = answered(&made);
        let limited = |steps: usize| {
            let limits = Limits {
                steps: Some(steps as u64),
                ..Limits::default()
            };
            answered_with(&made, &limits, &mut NoProgress)
        };
        let rows = made.layers.len(); // a step is a layer
        assert_eq!(limited(rows), whole, "{kind:?}: {made:?}");
        if rows > 1 && whole.status == Status::Optimal {
            assert_unproved(&limited(rows - 1), &whole, &format!("{kind:?}: {made:?}"));
        }
    }
}

/// A search that was cut short: whatever it says is true, and no more is claimed than is known.
fn assert_unproved(cut: &Answer, whole: &Answer, what: &str) {
    match whole.T {
        Some(optimum) => {
            assert_eq!(cut.status, Status::Feasible, "{what}");
            let (total, bound) = (cut.T.expect("a plan"), cut.bound.expect("a bound"));
            assert!(
                bound <= optimum && optimum <= total,
                "{what}: {bound}, {total}"
            );
            assert!(
                cut.timeline.iter().flatten().all(|row| row.mem_ok),
                "{what}"
            );
        }
        None => assert_eq!(cut.status, Status::Infeasible, "{what}"),
    }
}
