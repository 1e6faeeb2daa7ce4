//! Decoding: the referee against the equations written a second time, every solver against every plan there is, and what
//! must hold whatever the numbers are.

use crate::cases::cases;
use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::{consolidate, score, score_decode};
use engine::network::Relay;
use engine::plan::{Binds, Stage};
use engine::problem::cold_decode::{
    DecodeGoal, DecodeNumbers, TokenLayerNumbers, TokenMachineNumbers, mean_context,
};
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoPlan, NoProgress};
use methods::cold_start::decode::{Greatest, brute, front, greatest_rate, steady};
use methods::cold_start::{Cause, solve};
use planner::cold_start_front::front_of;
use std::ops::ControlFlow;

const READING: HeuristicReading = HeuristicReading::Rate;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Decode numbers of about the size of the instance: reading a layer takes a hundredth of its load, or a tenth.
pub fn decode(draw: &mut Draw, instance: &Instance, goal: DecodeGoal) -> DecodeNumbers {
    let alike = instance.layers.iter().all(|l| *l == instance.layers[0]);
    let prompt = draw.between(1.0, 500.0);
    let layers: Vec<TokenLayerNumbers> = instance
        .layers
        .iter()
        .map(|layer| TokenLayerNumbers {
            work: layer.work / prompt * draw.between(0.5, 2.0),
            weights_read: draw
                .one_in(3)
                .then(|| layer.weights * draw.between(0.05, 1.0)),
            kv: if draw.one_in(4) {
                0.0
            } else {
                draw.between(1e3, 2e5)
            },
            window: draw.one_in(3).then(|| draw.between(1.0, 600.0)),
        })
        .collect();
    let first = layers[0];
    let mut devices: Vec<TokenMachineNumbers> = instance
        .devices
        .iter()
        .map(|device| TokenMachineNumbers {
            bandwidth: draw.between(1e10, 4e11),
            compute: draw
                .one_in(3)
                .then(|| device.compute * draw.between(0.01, 1.0)),
            layer_overhead: [0.0, 1e-4, 2e-3][draw.below(3)],
            token_overhead: [0.0, 5e-3][draw.below(2)],
        })
        .collect();
    for k in 1..devices.len() {
        if instance.devices[k].compute == instance.devices[k - 1].compute {
            devices[k] = devices[k - 1];
        }
    }
    DecodeNumbers {
        layers: if alike {
            vec![first; layers.len()]
        } else {
            layers
        },
        devices,
        prompt,
        answer: [1.0, 10.0, 100.0, 1000.0][draw.below(4)],
        requests: [1.0, 1.0, 2.0, 7.0][draw.below(4)],
        hop: [0.0, 0.002, 0.05][draw.below(3)],
        goal,
    }
}

/// An instance of a kind with an answer to plan for.
fn posed(kind: Kind, draw: &mut Draw, devices: usize, layers: usize) -> (Instance, DecodeNumbers) {
    let mut made = instance(kind, draw, devices, layers);
    let numbers = decode(draw, &made, DecodeGoal::WholeAnswer);
    // Room for about the keys and values, so that a kind stays what it is.
    let all: f64 = (0..layers).map(|j| kept(&numbers, j)).sum();
    let more = 1.0 + all / made.weights();
    for device in &mut made.devices {
        device.memory *= more * draw.between(0.9, 1.3);
    }
    (made, numbers)
}

/// Rounds of small instances, one of every kind but the widest, each with what it is for a message.
fn of_every_kind(
    seed: u64,
    rounds: usize,
    most_layers: usize,
) -> impl Iterator<Item = (Instance, DecodeNumbers, String)> {
    let mut draw = Draw::new(seed);
    let kinds = move |round| Kind::ALL.map(|kind| (round, kind));
    let all = (0..rounds).flat_map(kinds);
    all.filter(|(_, kind)| *kind != Kind::Wide)
        .map(move |(round, kind)| {
            let (devices, layers) = (draw.whole(1, 4), draw.whole(1, most_layers));
            let (made, numbers) = posed(kind, &mut draw, devices, layers);
            let what = format!("round {round}, {kind:?}: {made:?} {numbers:?}");
            (made, numbers, what)
        })
}

fn problem(instance: &Instance, numbers: &DecodeNumbers) -> ColdStart {
    instance
        .problem()
        .with_decode(numbers)
        .expect("numbers here are valid")
}

/// D and the longest stage, from section 12 on bare numbers.
fn by_the_equations(instance: &Instance, n: &DecodeNumbers, plan: &[Stage]) -> (f64, f64) {
    let (mut sum, mut longest) = (0.0, 0.0_f64);
    for (at, stage) in plan.iter().enumerate() {
        let device = &n.devices[stage.device];
        let (mut work, mut bytes) = (0.0, 0.0);
        for j in stage.first - 1..stage.last {
            work += n.layers[j].work;
            bytes += n.layers[j]
                .weights_read
                .unwrap_or(instance.layers[j].weights)
                + n.layers[j].kv * mean_context(n.prompt, n.answer, n.layers[j].window);
        }
        let rate = device
            .compute
            .unwrap_or(instance.devices[stage.device].compute);
        let wait = if at > 0 {
            let bits = 8.0 * instance.layers[stage.first - 2].activation / n.prompt;
            let up = instance.devices[plan[at - 1].device].up;
            let down = instance.devices[stage.device].down;
            n.hop
                + match instance.relay {
                    Relay::SlowerHop => bits / up.min(down),
                    Relay::StoreAndForward => bits / up + bits / down,
                }
        } else if plan.len() > 1 {
            n.hop
        } else {
            0.0
        };
        let has_last = stage.last == n.layers.len();
        let fixed = stage.len() as f64 * device.layer_overhead
            + if has_last { device.token_overhead } else { 0.0 };
        let time = (work / rate).max(bytes / device.bandwidth) + fixed + wait;
        sum += time;
        longest = longest.max(time);
    }
    (sum, longest)
}

/// Keys and values of whole answers, by layer.
fn kept(n: &DecodeNumbers, j: usize) -> f64 {
    let tokens = n.prompt + n.answer;
    n.requests
        * n.layers[j].kv
        * n.layers[j]
            .window
            .map_or(tokens, |window| window.min(tokens))
}

#[test]
fn the_referee_decodes_as_the_equations_do() {
    let (mut compute, mut memory, mut full) = (0, 0, 0);
    for (made, numbers, what) in of_every_kind(150, cases(60), 5) {
        let problem = problem(&made, &numbers);
        for tried in brute::all(&problem).iter().take(40) {
            let (token, longest) = by_the_equations(&made, &numbers, &tried.plan);
            assert!(close(tried.D, token), "{what}: {tried:?}");
            assert!(close(tried.busiest, longest), "{what}: {tried:?}");
            assert!(
                close(tried.total, tried.T + numbers.answer * token),
                "{what}"
            );
            let decode = score_decode(&problem, &tried.plan)
                .expect("a plan")
                .expect("decoding");
            let timeline = score(&problem, &tried.plan).expect("a plan").timeline;
            for (stage, row) in decode.stages.iter().zip(&timeline) {
                let kv: f64 = (stage.s - 1..stage.e).map(|j| kept(&numbers, j)).sum();
                assert!((stage.kv_held - kv).abs() <= 1e-6 * row.mem, "{what}");
                assert!(close(row.mem, made.need(row.s, row.e) + kv), "{what}");
                full += usize::from(kv > 0.1 * row.mem);
                match stage.binds {
                    Binds::Compute => compute += 1,
                    Binds::Memory => memory += 1,
                }
            }
            let most = numbers.requests / token;
            assert!(
                close(decode.rate_requests, most.min(1.0 / longest)),
                "{what}"
            );
            assert!(close(decode.rate_one_request * token, 1.0), "{what}");
        }
    }
    assert!(
        compute > 500 && memory > 500 && full > 500,
        "{compute} {memory} {full}"
    );
}

#[test]
fn whole_answers_are_the_least_of_all_plans() {
    let (mut plans, mut none, mut several) = (0, 0, 0);
    for (made, numbers, what) in of_every_kind(151, cases(60), 6) {
        let problem = problem(&made, &numbers);
        let all = brute::all(&problem);
        let least = all
            .iter()
            .map(|tried| tried.total)
            .fold(f64::INFINITY, f64::min);
        match solve(&problem, READING, &Limits::default(), &mut NoProgress) {
            Ok(found) => {
                let decode = score_decode(&problem, &found.plan)
                    .expect("a plan")
                    .expect("decoding");
                assert_eq!(found.ended, Ended::Optimal, "{what}");
                assert!(
                    score(&problem, &found.plan).expect("a plan").mem_ok,
                    "{what}"
                );
                assert_eq!(found.claimed.to_bits(), decode.total.to_bits(), "{what}");
                assert!(
                    close(decode.total, least),
                    "{what}: {} {least}",
                    decode.total
                );
                assert_eq!(found.bound, Some(found.claimed), "{what}");
                plans += 1;
                several += usize::from(found.plan.len() > 1);
            }
            Err(NoPlan::Infeasible(_)) => {
                assert!(all.is_empty(), "{what}");
                none += 1;
            }
            Err(other) => panic!("{what}: {other:?}"),
        }
        // The plan of the steady state: the least D, of those the least T.
        let Ok(found) = steady(&problem, READING, &Limits::default(), &mut NoProgress) else {
            assert!(all.is_empty(), "{what}");
            continue;
        };
        let token = all
            .iter()
            .map(|tried| tried.D)
            .fold(f64::INFINITY, f64::min);
        let tied = all.iter().filter(|tried| close(tried.D, token));
        let first = tied.map(|tried| tried.T).fold(f64::INFINITY, f64::min);
        let total = score(&problem, &found.plan).expect("a plan").total;
        assert!(
            close(found.claimed, token),
            "{what}: {} {token}",
            found.claimed
        );
        assert!(close(total, first), "{what}: {total} {first}");
    }
    assert!(
        plans > 250 && none > 60 && several > 100,
        "{plans} {none} {several}"
    );
}

#[test]
fn plans_within_a_rate_are_the_least_of_those_that_keep_it() {
    let mut draw = Draw::new(1520);
    let (mut plans, mut never, mut bent) = (0, 0, 0);
    for (made, numbers, what) in of_every_kind(152, cases(120), 6) {
        let whole = problem(&made, &numbers);
        let all = brute::all(&whole);
        let Some(some) = (!all.is_empty()).then(|| &all[draw.below(all.len())]) else {
            continue;
        };
        let shortest = all
            .iter()
            .map(|tried| tried.busiest)
            .fold(f64::INFINITY, f64::min);
        // A rate that some plan keeps exactly, or one that none does.
        let period = if draw.one_in(4) {
            shortest * 0.999
        } else {
            some.busiest
        };
        let problem = whole.with_goal(DecodeGoal::Throughput {
            least: 1.0 / period,
        });
        let kept = all
            .iter()
            .filter(|tried| tried.busiest <= period * (1.0 + 1e-12));
        let least = kept.map(|tried| tried.T).fold(f64::INFINITY, f64::min);
        let free = all
            .iter()
            .map(|tried| tried.T)
            .fold(f64::INFINITY, f64::min);
        match solve(&problem, READING, &Limits::default(), &mut NoProgress) {
            Ok(found) => {
                let decode = score_decode(&problem, &found.plan)
                    .expect("a plan")
                    .expect("decoding");
                assert_eq!(found.ended, Ended::Optimal, "{what}");
                assert!(decode.busiest <= period * (1.0 + 1e-11), "{what}");
                assert!(
                    close(found.claimed, least),
                    "{what}: {} {least}",
                    found.claimed
                );
                plans += 1;
                bent += usize::from(least > free * 1.001);
            }
            Err(NoPlan::Infeasible(proof)) => {
                assert_eq!(least, f64::INFINITY, "{what}");
                let Cause::Rate {
                    greatest: Some(greatest),
                    ..
                } = proof.cause
                else {
                    panic!("{what}: {proof:?}");
                };
                assert!(close(greatest, 1.0 / shortest), "{what}: {greatest}");
                never += 1;
            }
            Err(other) => panic!("{what}: {other:?}"),
        }
        let Greatest::Rate(greatest) = greatest_rate(&whole) else {
            panic!("{what}");
        };
        assert!(close(greatest, 1.0 / shortest), "{what}: {greatest}");
    }
    assert!(
        plans > 150 && never > 40 && bent > 40,
        "{plans} {never} {bent}"
    );
}

#[test]
fn the_front_is_that_of_all_plans() {
    let (mut fronts, mut points) = (0, 0);
    for (made, numbers, what) in of_every_kind(153, cases(60), 6) {
        let problem = problem(&made, &numbers);
        let mut all = brute::all(&problem);
        all.sort_by(|a, b| a.busiest.total_cmp(&b.busiest).then(a.T.total_cmp(&b.T)));
        // From the greatest rate on: whoever is sooner than all before is on the front.
        let mut expected: Vec<(f64, f64)> = Vec::new();
        for tried in &all {
            if expected
                .last()
                .is_none_or(|(first, _)| tried.T < first * (1.0 - 1e-9))
            {
                expected.push((tried.T, tried.busiest));
            }
        }
        expected.reverse();
        let found = front(&problem, READING, &Limits::default(), &mut |_| {
            ControlFlow::Continue(())
        });
        assert!(found.is_complete, "{what}");
        assert_eq!(found.infeasible.is_some(), all.is_empty(), "{what}");
        assert_eq!(
            found.points.len(),
            expected.len(),
            "{what}: {found:?} {expected:?}"
        );
        for (point, (first, busiest)) in found.points.iter().zip(&expected) {
            assert!(
                close(point.T, *first) && close(point.rate, 1.0 / busiest),
                "{what}"
            );
            assert!(point.is_proved(), "{what}");
        }
        assert!(found.solves as usize >= found.points.len(), "{what}");
        fronts += usize::from(found.points.len() > 1);
        points += found.points.len();
    }
    assert!(fronts > 40 && points > 200, "{fronts} {points}");
}

#[test]
fn more_bandwidth_never_delays_and_longer_answers_never_hurry() {
    let mut draw = Draw::new(154);
    for _ in 0..60 {
        let (devices, layers) = (draw.whole(2, 5), draw.whole(2, 12));
        let (made, numbers) = posed(Kind::Roomy, &mut draw, devices, layers);
        let total = |numbers: &DecodeNumbers| {
            let found = solve(
                &problem(&made, numbers),
                READING,
                &Limits::default(),
                &mut NoProgress,
            );
            found.map_or(f64::INFINITY, |solved| solved.claimed)
        };
        let before = total(&numbers);
        let mut faster = numbers.clone();
        faster.devices[draw.below(devices)].bandwidth *= 1.7;
        assert!(total(&faster) <= before * (1.0 + 1e-12));
        let mut longer = numbers.clone();
        longer.answer *= 2.0;
        assert!(total(&longer) >= before * (1.0 - 1e-12));
        let mut slower = numbers.clone();
        slower.hop += 0.01;
        assert!(total(&slower) >= before * (1.0 - 1e-12));
        // A whole answer needs no less than its first token and G times the least token there is.
        let posed = problem(&made, &numbers);
        let first = solve(
            &posed.with_goal(DecodeGoal::FirstAnswer),
            READING,
            &Limits::default(),
            &mut NoProgress,
        );
        let token = steady(&posed, READING, &Limits::default(), &mut NoProgress);
        let (first, token) = (first.expect("a plan"), token.expect("a plan"));
        assert!(before >= (first.claimed + numbers.answer * token.claimed) * (1.0 - 1e-12));
        let other = score_decode(&posed, &first.plan)
            .expect("a plan")
            .expect("decoding");
        assert!(before <= other.total * (1.0 + 1e-12));
    }
}

#[test]
fn one_number_for_all_tokens_is_a_little_too_little_at_most() {
    // A stage that computes longer at the end of the answer and reads longer at its beginning: the sum of the larger is
    // more than the larger of the sums, and never less.
    let mut draw = Draw::new(155);
    let (mut most, mut exact) = (0.0_f64, 0);
    for _ in 0..cases(500) {
        let (prompt, answer) = (draw.whole(1, 400) as f64, draw.whole(1, 400) as f64);
        let (work, read) = (draw.between(0.5, 2.0), draw.between(0.5, 2.0));
        let (per_work, per_read) = (draw.between(0.0, 1e-2), draw.between(0.0, 1e-2));
        let at = |s: f64| (work + per_work * s).max(read + per_read * s);
        let one_by_one: f64 = (1..=answer as u32).map(|g| at(prompt + f64::from(g))).sum();
        let at_once = answer * at(mean_context(prompt, answer, None));
        assert!(at_once <= one_by_one * (1.0 + 1e-12));
        most = most.max(1.0 - at_once / one_by_one);
        exact += usize::from(close(at_once, one_by_one));
    }
    assert!(most > 1e-3 && most < 0.1 && exact > 300, "{most} {exact}");
}

#[test]
fn consolidating_keeps_its_promises() {
    let mut draw = Draw::new(156);
    let (mut switches, mut blocked, mut sooner) = (0, 0, 0);
    for _ in 0..cases(400) {
        let (devices, layers) = (draw.whole(2, 4), draw.whole(2, 8));
        let kind = if draw.one_in(3) {
            Kind::Tight
        } else {
            Kind::Roomy
        };
        let (made, mut numbers) = posed(kind, &mut draw, devices, layers);
        numbers.answer = 1000.0;
        let problem = problem(&made, &numbers);
        let limits = Limits::default();
        let found = front_of(&problem, READING, &limits, &mut |_| {
            ControlFlow::Continue(())
        });
        let found = found.expect("an answer to plan for");
        let Some(way) = found.consolidation else {
            continue;
        };
        let (cold, steady) = (
            &found.points[0],
            found.steady.as_ref().expect("a steady plan"),
        );
        assert!(close(way.cold_only, cold.T + 1000.0 * cold.D));
        assert!(close(way.steady_only, steady.T + 1000.0 * steady.D));
        let holds = |plan: &[Stage], device: usize, j: usize| {
            plan.iter()
                .any(|s| s.device == device && s.first <= j && j <= s.last)
        };
        for device in 0..devices {
            let extra = (1..=layers)
                .filter(|j| holds(&way.steady, device, *j) && !holds(&way.cold, device, *j));
            let bytes: f64 = extra.map(|j| made.layers[j - 1].weights).sum();
            let load = way.loads.iter().find(|load| load.device == device);
            assert!(close(load.map_or(0.0, |load| load.bytes), bytes));
            if let Some(load) = load {
                let timeline = score(&problem, &way.cold).expect("a plan").timeline;
                let own = timeline.iter().find(|row| row.device == device);
                assert_eq!(load.from, own.map_or(0.0, |row| row.finish));
                assert!(close(
                    load.to - load.from,
                    bytes / made.devices[device].disk
                ));
            }
            let both = (1..=layers)
                .filter(|j| holds(&way.steady, device, *j) || holds(&way.cold, device, *j));
            let (mut need, mut widest) = (0.0, 0.0_f64);
            for j in both {
                need += made.layers[j - 1].weights + kept(&numbers, j - 1);
                widest = widest.max(made.layers[j - 1].activation);
            }
            let fits = need + widest <= made.devices[device].memory * (1.0 + 1e-9);
            assert_eq!(!fits, way.no_room.iter().any(|one| one.device == device));
        }
        assert_eq!(way.switch.is_none(), !way.no_room.is_empty());
        let Some(switch) = &way.switch else {
            blocked += 1;
            assert_eq!(way.consolidating, None);
            continue;
        };
        switches += 1;
        assert!(
            way.loads
                .iter()
                .all(|load| load.to <= switch.at * (1.0 + 1e-12))
        );
        assert!(switch.token == 0.0 || switch.at - cold.D <= switch.loaded * (1.0 + 1e-12));
        let moved: f64 = (1..=layers)
            .filter(|j| (0..devices).any(|k| holds(&way.steady, k, *j) && !holds(&way.cold, k, *j)))
            .map(|j| {
                let tokens = numbers.prompt + switch.token;
                let layer = &numbers.layers[j - 1];
                numbers.requests * layer.kv * layer.window.map_or(tokens, |w| w.min(tokens))
            })
            .sum();
        assert!((switch.bytes - moved).abs() <= 1e-9 * moved.max(1.0));
        // The lengths, tried one by one.
        let with = |g: f64| {
            if g > switch.token {
                switch.done + (g - switch.token) * steady.D
            } else {
                cold.T + g * cold.D
            }
        };
        let first = |holds: &dyn Fn(f64) -> bool| (1..20_000).map(f64::from).find(|g| holds(*g));
        let alone = |g: f64| steady.T + g * steady.D;
        let start = |g: f64| cold.T + g * cold.D;
        for (found, tried) in [
            (way.break_even, first(&|g| alone(g) < start(g))),
            (way.beats_cold_from, first(&|g| with(g) < start(g))),
            (way.steady_beats_from, first(&|g| alone(g) < with(g))),
        ] {
            let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() <= 1.0,
                (Some(a), None) => a >= 20_000.0,
                (None, b) => b.is_none(),
            };
            assert!(near(found, tried), "{found:?} {tried:?} {way:?}");
        }
        sooner += usize::from(
            way.consolidating
                .is_some_and(|t| t < way.cold_only.min(way.steady_only)),
        );
        let again = consolidate(&problem, &way.cold, &way.steady)
            .expect("plans")
            .expect("decoding");
        assert_eq!(again, way);
    }
    assert!(
        switches > 40 && blocked > 10 && sooner > 10,
        "{switches} {blocked} {sooner}"
    );
}

#[test]
fn answers_between_the_two_extremes_are_the_least_of_all_plans_too() {
    // Answers so long that the first token and the others matter alike: neither the plan of the least T nor that of the least
    // D is the best then.
    let mut draw = Draw::new(157);
    let mut between = 0;
    for round in 0..cases(400) {
        let kind = if round % 2 == 0 {
            Kind::Roomy
        } else {
            Kind::IdenticalLayers
        };
        let (made, mut numbers) = posed(kind, &mut draw, 4, 7);
        for layer in &mut numbers.layers {
            layer.kv = 0.0;
        }
        numbers.hop = 0.002;
        let all = brute::all(&problem(&made, &numbers));
        let Some(first) = all.iter().min_by(|a, b| a.T.total_cmp(&b.T)) else {
            continue;
        };
        numbers.answer = (first.T / first.D * draw.between(0.2, 2.0)).max(1.0);
        let posed = problem(&made, &numbers);
        let all = brute::all(&posed);
        let best = all.iter().min_by(|a, b| a.total.total_cmp(&b.total));
        let best = best.expect("keys and values take no room");
        let found = solve(&posed, READING, &Limits::default(), &mut NoProgress).expect("a plan");
        assert!(
            close(found.claimed, best.total),
            "round {round}: {} instead of {}",
            found.claimed,
            best.total
        );
        let token = all
            .iter()
            .map(|tried| tried.D)
            .fold(f64::INFINITY, f64::min);
        between += usize::from(best.T > first.T * 1.0001 && best.D > token * 1.0001);
    }
    assert!(between > 100, "{between}");
}
