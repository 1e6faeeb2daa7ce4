//! How weights arrive: every way against all plans there are, by both exact methods; what is read again for want of memory; and the
//! scenario's own words for it.

use crate::cases::cases;
use crate::cli::{edgewise, file};
use crate::cold_decode::decode;
use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::{score, score_decode};
use engine::problem::cold_decode::DecodeGoal;
use engine::problem::{ColdStart, HeuristicReading, LoadCost, LoadOrder};
use engine::scenario::{Decode, FileAccess, Loading, Scenario, WeightSource, presets};
use engine::solve::{Ended, Limits, NoPlan, NoProgress};
use methods::cold_start::{bound, bounded, brute, decode as tokens, program, solve};

const READING: HeuristicReading = HeuristicReading::Rate;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// A way for weights to arrive, of about the speed of the instance's disks.
fn loaded(draw: &mut Draw, made: &Instance, problem: ColdStart) -> (ColdStart, LoadOrder) {
    let order = [LoadOrder::Beside, LoadOrder::BeforeAll, LoadOrder::OnDemand][draw.below(3)];
    let price = |draw: &mut Draw, k: usize| match draw.one_in(6) {
        true => 0.0,
        false => draw.between(0.2, 3.0) / made.devices[k].disk,
    };
    let mut costs: Vec<LoadCost> = Vec::new();
    for k in 0..made.devices.len() {
        // Machines that are alike stay so now and then.
        let cost = match (k.checked_sub(1), order) {
            (Some(before), _) if draw.one_in(3) => costs[before],
            (_, LoadOrder::Beside) => LoadCost {
                ahead: price(draw, k),
                waiting: 0.0,
            },
            _ => LoadCost {
                ahead: 0.0,
                waiting: price(draw, k),
            },
        };
        costs.push(cost);
    }
    let with = match draw.one_in(3) {
        true => problem,
        false => problem.with_loading(costs, order),
    };
    let order = with.load_order();
    match draw.one_in(2) {
        true => (with.with_streaming(), order),
        false => (with, order),
    }
}

#[test]
fn every_way_of_loading_is_planned_exactly() {
    let mut draw = Draw::new(611);
    let (mut plans, mut none, mut streamed, mut cut) = (0, 0, 0, 0);
    for kind in Kind::ALL {
        for round in 0..cases(60) {
            let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 6));
            let made = instance(kind, &mut draw, devices, layers);
            let (problem, order) = loaded(&mut draw, &made, made.problem());
            let what = format!("{kind:?} {round}: {problem:?}");
            let least = brute::best(&problem);
            let exact = program(&problem, READING, &Limits::default(), &mut NoProgress);
            let searched = bounded(&problem, READING, &Limits::default(), &mut NoProgress);
            let (Ok(exact), Ok(searched)) = (&exact, &searched) else {
                assert!(matches!(exact, Err(NoPlan::Infeasible(_))), "{what}");
                assert!(matches!(searched, Err(NoPlan::Infeasible(_))), "{what}");
                assert!(least.is_none(), "{what}");
                none += 1;
                continue;
            };
            let (_, least) = least.expect("a plan");
            assert_eq!(
                (exact.ended, searched.ended),
                (Ended::Optimal, Ended::Optimal)
            );
            assert!(
                close(exact.claimed, least),
                "{what}: {} {least}",
                exact.claimed
            );
            assert_eq!(
                exact.claimed.to_bits(),
                searched.claimed.to_bits(),
                "{what}"
            );
            assert!(bound::lower(&problem) <= least * (1.0 + 1e-12), "{what}");
            let scored = score(&problem, &exact.plan).expect("a plan");
            assert_eq!(scored.total.to_bits(), exact.claimed.to_bits(), "{what}");
            let timeline = &scored.timeline;
            let parts: f64 = timeline.iter().map(|s| s.stall + s.comm + s.comp).sum();
            assert!(close(parts, scored.total), "{what}: {parts}");
            for row in timeline {
                let span = row.start + row.comm + row.comp;
                assert!(close(span, row.finish), "{what}");
                assert!(row.load_from <= row.load && row.load <= row.start * (1.0 + 1e-9));
                let room = problem.capacity(row.device);
                assert!(row.mem <= room * (1.0 + 1e-12), "{what}");
            }
            // Nothing is computed before all is there.
            if order == LoadOrder::BeforeAll {
                let all = timeline.iter().map(|row| row.load).fold(0.0, f64::max);
                assert!(close(timeline[0].start, all), "{what}");
            }
            let weights: f64 = problem.layers().iter().map(|l| l.weights.get()).sum();
            let held: f64 = timeline.iter().map(|row| row.mem).sum();
            streamed += usize::from(problem.streams() && held < weights);
            cut += usize::from(exact.plan.len() > 1);
            plans += 1;
        }
    }
    assert!(
        plans > 300 && none > 30 && streamed > 20 && cut > 100,
        "{plans} {none} {streamed} {cut}"
    );
}

#[test]
fn whole_answers_with_every_way_of_loading_are_the_least_of_all_plans() {
    let mut draw = Draw::new(612);
    let (mut plans, mut reread) = (0, 0);
    for kind in Kind::ALL {
        for round in 0..cases(40) {
            let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 5));
            let made = instance(kind, &mut draw, devices, layers);
            let numbers = decode(&mut draw, &made, DecodeGoal::WholeAnswer);
            let posed = made.problem().with_decode(&numbers).expect("valid numbers");
            let (problem, _) = loaded(&mut draw, &made, posed);
            let what = format!("{kind:?} {round}: {problem:?}");
            let all = tokens::brute::all(&problem);
            let least = all
                .iter()
                .map(|tried| tried.total)
                .fold(f64::INFINITY, f64::min);
            let Ok(found) = solve(&problem, READING, &Limits::default(), &mut NoProgress) else {
                assert!(all.is_empty(), "{what}");
                continue;
            };
            assert_eq!(found.ended, Ended::Optimal, "{what}");
            assert!(
                close(found.claimed, least),
                "{what}: {} {least}",
                found.claimed
            );
            let scored = score_decode(&problem, &found.plan)
                .expect("a plan")
                .expect("tokens");
            assert_eq!(scored.total.to_bits(), found.claimed.to_bits(), "{what}");
            // A token waits for nothing but its own stages.
            for stage in &scored.stages {
                let own = stage.compute.max(stage.memory) + stage.overhead;
                assert!(
                    close(stage.time, own + stage.reread + stage.receive),
                    "{what}"
                );
                reread += usize::from(stage.reread > 0.0);
            }
            plans += 1;
        }
    }
    assert!(plans > 150 && reread > 40, "{plans} {reread}");
}

/// The blocks of a model of 32 billion parameters, 18.8 GB, over 941 Mbit/s, and from the cache of the other side: 4.15 times faster, as
/// measured for a model of this kind, whose bytes are not stated.
#[test]
fn a_first_start_over_a_network_takes_as_long_as_the_link_needs() {
    let mut scenario = presets::paper();
    scenario.devices.truncate(1);
    let device = &mut scenario.devices[0];
    (device.r_mb_s, device.m_gb) = (3500.0, 24.0);
    // Both directions of the link carry 941 Mbit/s.
    device.pu_dbm = device.pd_dbm;
    let dims = scenario.model.dimensions_mut().expect("a transformer");
    (dims.layers, dims.d_ff, dims.h_q) = (64.0, 27648.0, 40.0);
    dims.weights = Some(engine::model::precision::Precision::Q4KM);
    let link = scenario.problem().expect("valid").machines()[0].up.get();
    scenario.channel.mu *= 941e6 / link;
    let load = |loading: Loading| {
        let scenario = Scenario {
            loading: Some(loading),
            ..scenario.clone()
        };
        let problem = scenario.problem().expect("valid");
        let plan = [engine::plan::Stage {
            device: 0,
            first: 1,
            last: 64,
        }];
        score(&problem, &plan).expect("a plan").timeline[0].load
    };
    let own = load(Loading::of(WeightSource::Disk));
    let first = load(Loading::of(WeightSource::Host));
    let later = load(Loading {
        cached_pct: 100.0,
        ..Loading::of(WeightSource::HostCache)
    });
    assert!((5.0..6.0).contains(&own), "{own}");
    let problem = scenario.problem().expect("valid");
    let bytes: f64 = problem
        .layers()
        .iter()
        .map(|layer| layer.weights.get())
        .sum();
    assert!((8.0 * bytes / first / 941e6 - 1.0).abs() < 0.01, "{first}");
    assert!(
        (first / later / (103.777 / 24.977) - 1.0).abs() < 0.01,
        "{later}"
    );
    assert_eq!(load(Loading::of(WeightSource::Memory)), 0.0);
    // Half of the file is still there.
    let half = load(Loading {
        cached_pct: 50.0,
        ..Loading::of(WeightSource::Disk)
    });
    assert!(close(half, own / 2.0), "{half} {own}");
}

/// The host's uplink is shared: what it sends to two devices takes as long as both together.
#[test]
fn a_host_sends_one_stage_after_the_other_and_keeps_its_own() {
    let mut scenario = presets::paper();
    scenario.loading = Some(Loading {
        host: Some(1),
        ..Loading::of(WeightSource::Host)
    });
    assert_eq!(scenario.loading_host(), Some(&scenario.devices[1]));
    let problem = scenario.problem().expect("valid");
    assert_eq!(problem.load_order(), LoadOrder::BeforeAll);
    let own = 1.0 / problem.machines()[1].disk.get();
    assert_eq!(problem.load_cost(1).waiting, own);
    for k in [0, 2, 3] {
        let sent = problem.transfer(1, k, 1e9) / 1e9;
        assert_eq!(problem.load_cost(k).waiting, own.max(sent));
    }
    // The plan of the paper spreads the loads; this one leaves as much as it can with the host.
    let found = solve(&problem, READING, &Limits::default(), &mut NoProgress).expect("a plan");
    let at_host = found
        .plan
        .iter()
        .find(|stage| stage.device == 1)
        .expect("the host works");
    assert_eq!(at_host.last + 1 - at_host.first, 15);
}

#[test]
fn what_cannot_be_is_refused_with_what_is_allowed() {
    let refused = |loading: Loading| {
        let scenario = Scenario {
            loading: Some(loading),
            ..presets::paper()
        };
        let fault = scenario.validate().expect_err("refused");
        (fault.path, fault.message)
    };
    let host = |from| Loading {
        host: Some(4),
        ..Loading::of(from)
    };
    let (path, message) = refused(host(WeightSource::Host));
    assert_eq!(path, "loading.host");
    assert!(message.contains("0 to 3, it is 4"), "{message}");
    assert_eq!(refused(host(WeightSource::Memory)).0, "loading.host");
    let mapped = Loading {
        access: FileAccess::Mmap,
        ..Loading::of(WeightSource::Host)
    };
    assert_eq!(refused(mapped).0, "loading.access");
    let cached = Loading {
        cached_pct: 100.5,
        ..Loading::of(WeightSource::Disk)
    };
    assert_eq!(refused(cached).0, "loading.cached_pct");
    let hashed = Loading {
        hash_mb_s: Some(750.0),
        ..Loading::of(WeightSource::Host)
    };
    assert_eq!(refused(hashed).0, "loading.hash_mb_s");
    let own = Loading {
        host_mb_s: Some(750.0),
        ..Loading::of(WeightSource::Disk)
    };
    assert_eq!(refused(own).0, "loading.host_mb_s");
    let mut known = presets::paper();
    known.loading = Some(Loading::of(WeightSource::Memory));
    let text = known
        .to_json()
        .replace("\"from\":\"memory\"", "\"from\":\"cloud\"");
    let fault = Scenario::from_json(&text).expect_err("refused");
    assert!(fault.message.contains("host-cache"), "{}", fault.message);
}

/// The answer about a start from a host names the host, the pace of loading, and the number that would help most.
#[test]
fn an_answer_says_how_weights_arrive() {
    let path = file("from-host.json", presets::paper().to_json());
    let said = |options: &[&str]| {
        let arguments = [&["run", path.as_str()], options].concat();
        edgewise(&arguments, "").out.replace('\u{202f}', " ")
    };
    let host = said(&["--weights-from", "host", "--host", "D1"]);
    for part in [
        "First answer in 40.65 s, running D1",
        "Loading sets the pace. All weights arrive one stage after the other, in 39.83 s",
        "D1 sends every device its weights, one stage after the other, before the first layer is computed.",
        "Doubling the rate at which weights arrive helps this plan most: the answer is 19.91 s faster.",
    ] {
        assert!(host.contains(part), "{part} is not in {host}");
    }
    let memory = said(&["--weights-from", "memory"]);
    assert!(
        memory.contains("All weights are in memory already."),
        "{memory}"
    );
    let mapped = said(&["--mmap"]);
    let words = "Reading weights when they are needed sets the pace.";
    assert!(mapped.contains(words), "{mapped}");
    // Of 26.4 GB of weights, 20 have room on the only device that may be used.
    let mut alone = presets::paper();
    for device in &mut alone.devices {
        device.off = device.name != "D1";
        device.bandwidth_gb_s = Some(1000.0);
    }
    alone.decode = Some(Decode::USUAL);
    let alone = file("alone.json", alone.to_json());
    let refused = edgewise(&["run", &alone, "--format", "json"], "").json();
    assert_eq!(refused["summary"]["fits"], false);
    let streams = edgewise(&["run", &alone, "--stream", "--format", "json"], "").json();
    let summary = &streams["summary"];
    assert_eq!(summary["fits"], true);
    let held = summary["memory"][0]["weights_b"].as_f64().expect("bytes");
    assert!((19.5e9..20e9).contains(&held), "{held}");
    let rate = summary["decode_tok_s"].as_f64().expect("a rate");
    // 6.5 GB at 5 GB/s are the better part of every token.
    assert!((0.7..0.8).contains(&rate), "{rate}");
    let words = edgewise(&["run", &alone, "--stream"], "")
        .out
        .replace('\u{202f}', " ");
    assert!(
        words.contains("D1 has no room for all of its weights: it reads 6."),
        "{words}"
    );
    assert!(words.contains("read again for a token [ms]"), "{words}");
    let streamed = said(&["--stream"]);
    assert!(
        streamed.contains("read from its disk again in every pass"),
        "{streamed}"
    );
    for wrong in [
        &["--weights-from", "host", "--host", "D9"][..],
        &["--weights-from", "cloud"],
        &["--file-cache", "120"],
        &["--weights-from", "memory", "--mmap"],
    ] {
        let arguments = [&["run", path.as_str()], wrong].concat();
        let refused = edgewise(&arguments, "");
        assert_eq!(refused.code, 2, "{wrong:?}: {}", refused.err);
    }
}
