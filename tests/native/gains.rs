//! What would help most: every figure against a second way to it, and what must hold of all of them.

use crate::cases::cases;
use engine::network::Channel;
use engine::plan::Pipeline;
use engine::problem::{ColdStart, HeuristicReading, LayerNumbers, MachineNumbers};
use engine::scenario::improve::Obstacle;
use engine::scenario::rows::free_name;
use engine::scenario::{ChannelPart, Model, Scenario, Span, presets};
use engine::sim::Draw;
use engine::solve::{Limits, NoProgress, SearchEvent};
use engine::units::TimeFormat;
use methods::cold_start::{brute, program};
use planner::Status;
use planner::cold_start::{Answer, ColdStartMethod, answer};
use planner::cold_start_gains::{
    ColdStartChange, ColdStartGain, GainEffect, GainRequest, GainVerdict, Known, LEAST_PCT,
    MOST_PCT, Resource, ResourceChange, changes, checked_share, gains, improvements, in_places,
    limits, losses, measure_gain, open_requests, prepared,
};
use planner::cold_start_shorter::{Length, Shorter, shorter};
use presenters::cold_start::gains::{Row, foot, in_order, shorter_words, sooner, table};
use std::ops::ControlFlow;

/// The exact answer of a scenario.
pub(crate) fn solved(scenario: &Scenario) -> Answer {
    let problem = scenario.problem().expect("a valid scenario");
    answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &Limits::default(),
        &mut NoProgress,
    )
}

fn all_gains(scenario: &Scenario, by_pct: f64) -> (Known, Vec<ColdStartGain>) {
    let before = solved(scenario);
    let limits = Limits::default();
    let found =
        gains(scenario, &before, by_pct, &limits, &mut NoProgress).expect("it can be solved");
    (Known::of(&before), found)
}

/// A small random fleet with a short model; one device in three has a link of its own, one in five is off.
fn fleet(draw: &mut Draw, seed: u32) -> Scenario {
    let count = 2 + draw.integer_below(3);
    let spread = ["alike", "mixed", "wild"][draw.integer_below(3)];
    let name = format!("random-{seed}-{count}-{spread}");
    let mut scenario = presets::scenario_named(&name).expect("a random fleet");
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = (5 + draw.integer_below(10)) as f64;
    }
    for device in &mut scenario.devices {
        // Memories so that small models sometimes fit on few devices only, and sometimes nowhere.
        device.m_gb = 0.5 + 6.0 * draw.unit();
        if draw.integer_below(3) == 0 {
            device.link = Some(ChannelPart {
                mu: Some(0.1 + 0.4 * draw.unit()),
                B_mhz: Some(10.0 + 90.0 * draw.unit()),
                zeta: Some(2.0 + 2.0 * draw.unit()),
                ..ChannelPart::default()
            });
        }
        device.off = draw.integer_below(5) == 0;
    }
    scenario.devices[0].off = false;
    scenario
}

/// The bare numbers of a problem.
fn numbers(problem: &ColdStart) -> (Vec<LayerNumbers>, Vec<MachineNumbers>) {
    let layer = |l: &engine::model::Layer| LayerNumbers {
        work: l.work.get(),
        activation: l.activation.get(),
        weights: l.weights.get(),
    };
    let machine = |m: &engine::problem::ColdMachine| MachineNumbers {
        name: m.name.clone(),
        compute: m.compute.get(),
        peak: Some(m.peak.get()),
        disk: m.disk.get(),
        up: m.up.get(),
        down: m.down.get(),
        memory: m.memory.get(),
    };
    (
        problem.layers().iter().map(layer).collect(),
        problem.machines().iter().map(machine).collect(),
    )
}

/// T after a change, made to the bare rates instead of the fields of the page; `None` where nothing fits or the change
/// leaves no device.
fn on_bare_numbers(scenario: &Scenario, change: ColdStartChange, by_pct: f64) -> Option<f64> {
    let problem = scenario.problem().expect("a valid scenario");
    let (layers, mut machines) = numbers(&problem);
    let on: Vec<usize> = scenario.switched_on().map(|(place, _)| place).collect();
    let at = on.iter().position(|place| *place == change.device)?;
    let factor = 1.0 + by_pct / 100.0;
    let device = &scenario.devices[change.device];
    let channel: Channel = scenario
        .channel
        .with(&device.link.unwrap_or_default())
        .into();
    let machine = &mut machines[at];
    match change.what {
        ResourceChange::More(Resource::Compute) => machine.compute *= factor,
        ResourceChange::More(Resource::Disk) => machine.disk *= factor,
        ResourceChange::More(Resource::Memory) => machine.memory *= factor,
        ResourceChange::More(Resource::Uplink) => machine.up *= factor,
        ResourceChange::More(Resource::Downlink) => machine.down *= factor,
        ResourceChange::More(Resource::Distance) => {
            machine.up = channel.rate(device.pu_dbm, device.d_m / factor);
            machine.down = channel.rate(device.pd_dbm, device.d_m / factor);
        }
        ResourceChange::More(Resource::Bandwidth) => {}
        ResourceChange::Another => {
            let copy = machines[at].clone();
            machines.push(copy);
        }
        ResourceChange::Without => drop(machines.remove(at)),
    }
    let changed = ColdStart::new(&layers, &machines, problem.relay()).ok()?;
    let found = program(
        &changed,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    );
    found.ok().map(|solved| solved.claimed)
}

#[test]
fn power_is_what_its_rate_needs() {
    let mut draw = Draw::new(160, 1);
    let mut checked = 0;
    for _ in 0..cases(2000) {
        let between = |draw: &mut Draw, low: f64, high: f64| low + (high - low) * draw.unit();
        let channel = Channel {
            efficiency: between(&mut draw, 0.001, 1.0),
            bandwidth_mhz: between(&mut draw, 0.01, 400.0),
            noise_dbm_hz: between(&mut draw, -190.0, -150.0),
            reference_m: between(&mut draw, 0.1, 10.0),
            path_loss: between(&mut draw, 0.0, 4.0),
            gain_db: between(&mut draw, -80.0, -20.0),
        };
        let (power, distance) = (
            between(&mut draw, -20.0, 40.0),
            between(&mut draw, 0.1, 100.0),
        );
        let rate = channel.rate(power, distance);
        let bandwidth = channel.efficiency * channel.bandwidth_mhz * 1e6;
        // Where nearly nothing arrives, 1 + s has already lost the digits of s.
        if rate < 1e-3 * bandwidth {
            continue;
        }
        checked += 1;
        let back = channel.power_for(rate, distance);
        assert!(
            (back - power).abs() <= 1e-9,
            "{power} dBm, {back} dBm: {channel:?}"
        );
        for factor in [1.01, 1.25, 2.0, 10.0] {
            let more = channel.power_for(factor * rate, distance);
            let reached = channel.rate(more, distance);
            let off = (reached / (factor * rate) - 1.0).abs();
            assert!(
                off <= 1e-11,
                "{factor}: off by {off}: {channel:?} at {distance}"
            );
            assert!(more > power, "{channel:?}");
        }
    }
    assert!(checked > 1500, "{checked}");
    let channel = Channel {
        efficiency: 0.5,
        bandwidth_mhz: 160.0,
        noise_dbm_hz: -174.0,
        reference_m: 1.0,
        path_loss: 3.0,
        gain_db: -47.2,
    };
    // Nothing overflows on the way, and what no power gives is no number.
    assert!((channel.power_for(1e12, 1.0) - 37_584.0).abs() < 1.0);
    assert!(channel.power_for(-1.0, 1.0).is_nan());
    assert!(channel.power_for(0.0, 1.0).is_infinite());
}

#[test]
fn every_figure_is_that_of_the_bare_numbers() {
    let mut draw = Draw::new(161, 1);
    let (mut solved, mut fits, mut fits_not) = (0, 0, 0);
    for seed in 0..40 {
        let scenario = fleet(&mut draw, seed);
        let by_pct = [1.0, 10.0, 25.0, 100.0][draw.integer_below(4)];
        let (before, found) = all_gains(&scenario, by_pct);
        assert_eq!(
            found.iter().map(|gain| gain.change).collect::<Vec<_>>(),
            changes(&scenario)
        );
        for gain in &found {
            let what = format!("{:?} by {by_pct} of {scenario:?}", gain.change);
            if gain.effect == GainEffect::Cannot {
                assert!(gain.obstacle.is_some(), "{what}");
                continue;
            }
            let expected = on_bare_numbers(&scenario, gain.change, by_pct);
            let after = gain.after.expect("it was solved");
            match (after.T, expected) {
                // Six digits of what is typed.
                (Some(total), Some(expected)) => {
                    assert!(
                        (total / expected - 1.0).abs() < 1e-4,
                        "{total} {expected}: {what}"
                    );
                }
                (total, expected) => assert_eq!(total, expected, "{what}"),
            }
            match (before.T, after.T, gain.effect) {
                (Some(was), Some(is), GainEffect::Moves { saved, least, most }) => {
                    let difference = if (was - is).abs() <= 1e-9 * was {
                        0.0
                    } else {
                        was - is
                    };
                    assert_eq!(saved, difference, "{what}");
                    assert_eq!((least, most), (saved, Some(saved)), "{what}");
                    solved += 1;
                }
                (None, Some(_), GainEffect::Fits) => fits += 1,
                (_, None, GainEffect::FitsNot) => fits_not += 1,
                other => panic!("{other:?}: {what}"),
            }
        }
    }
    assert!(
        solved > 300 && fits > 5 && fits_not > 20,
        "{solved}, {fits}, {fits_not}"
    );
}

#[test]
fn figures_are_those_of_the_edited_scenario_to_the_last_bit_and_of_all_plans_there_are() {
    let mut draw = Draw::new(162, 1);
    let mut compared = 0;
    for seed in 100..112 {
        let mut scenario = fleet(&mut draw, seed);
        scenario.devices.truncate(3);
        if let Model::Dimensions(dims) = &mut scenario.model {
            dims.layers = 5.0;
        }
        let (_, found) = all_gains(&scenario, 25.0);
        for gain in found
            .iter()
            .filter(|gain| gain.effect != GainEffect::Cannot)
        {
            let edited = gain
                .change
                .applied(&scenario, 25.0)
                .expect("it was applied");
            let total = gain.after.and_then(|after| after.T);
            assert_eq!(total, solved(&edited.scenario).T, "{:?}", gain.change);
            let least = brute::best(&edited.scenario.problem().expect("valid"));
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
            match (total, least) {
                (Some(total), Some((_, least))) => assert!(close(total, least)),
                (total, least) => assert_eq!((total, least), (None, None)),
            }
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn more_never_hurts_and_less_never_helps() {
    let mut draw = Draw::new(163, 1);
    for seed in 200..240 {
        let scenario = fleet(&mut draw, seed);
        let (before, found) = all_gains(&scenario, 40.0);
        for gain in &found {
            if let GainEffect::Moves { saved, .. } = gain.effect {
                let holds = if gain.is_loss() {
                    saved <= 0.0
                } else {
                    saved >= 0.0
                };
                assert!(holds, "{gain:?} of {before:?}");
            }
            let impossible = match gain.effect {
                GainEffect::Fits => gain.is_loss(),
                GainEffect::FitsNot => !gain.is_loss() && before.T.is_some(),
                _ => false,
            };
            assert!(!impossible, "{gain:?} of {before:?}");
        }
        let by_effect: Vec<f64> = improvements(&found)
            .iter()
            .filter_map(|gain| match gain.effect {
                GainEffect::Moves { saved, .. } => Some(saved),
                _ => None,
            })
            .collect();
        assert!(by_effect.is_sorted_by(|a, b| a >= b), "{by_effect:?}");
    }
}

#[test]
fn changes_settled_by_bounds_have_the_same_verdict_when_solved() {
    let mut draw = Draw::new(164, 1);
    let mut settled = [0; 3];
    for seed in 300..360 {
        let mut scenario = fleet(&mut draw, seed);
        if draw.integer_below(3) == 0 {
            scenario.devices[0].m_gb = 30.0;
        }
        let before = solved(&scenario);
        let known = before.plan.as_ref().map(|plan| in_places(&scenario, plan));
        for gain in prepared(&scenario, &before, 25.0) {
            let Some(after) = gain.after else {
                continue;
            };
            let ask = GainRequest {
                change: gain.change,
                by_pct: 25.0,
                known: known.clone(),
            };
            let told =
                measure_gain(&scenario, &ask, &Limits::default(), &mut NoProgress).expect("solved");
            let outcome = |known: Known| (known.status, known.T, known.objective);
            assert_eq!(
                outcome(told),
                outcome(after),
                "{:?} of {scenario:?}",
                gain.change
            );
            let kind = match (before.T, gain.change.what) {
                (None, _) => 0,
                (Some(_), ResourceChange::Without) => 1,
                (Some(_), _) => 2,
            };
            settled[kind] += 1;
        }
    }
    assert!(settled.iter().all(|count| *count >= 5), "{settled:?}");
}

#[test]
fn a_cancelled_search_returns_the_changes_that_were_computed_by_then() {
    let scenario = presets::scenario_named("random-3-5").expect("a random fleet");
    let (before, whole) = all_gains(&scenario, 25.0);
    let answer = solved(&scenario);
    assert_eq!(Known::of(&answer), before);
    let asked = open_requests(
        &scenario,
        &answer,
        25.0,
        &prepared(&scenario, &answer, 25.0),
    )
    .len() as u64;
    for last in [0, 1, asked / 2, asked] {
        let mut heard = Vec::new();
        let mut until = |event: SearchEvent<'_, Pipeline>| {
            let SearchEvent::Step { done, of } = event else {
                panic!("changes are counted");
            };
            assert_eq!(of, Some(asked));
            heard.push(done);
            match done < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let cut = gains(&scenario, &answer, 25.0, &Limits::default(), &mut until);
        let cut = cut.expect("it can be solved");
        let open = cut.iter().filter(|gain| gain.effect == GainEffect::Pending);
        assert_eq!(open.count() as u64, asked - last);
        for (cut, whole) in cut.iter().zip(&whole) {
            assert!(cut.effect == GainEffect::Pending || cut == whole, "{cut:?}");
        }
        assert!(heard.is_sorted());
        assert_eq!(heard.last().copied(), Some(last.min(asked - 1)));
    }
}

#[test]
fn a_search_that_does_not_end_reports_an_interval_that_holds_the_truth() {
    let mut scenario = presets::scenario_named("random-4-7-mixed").expect("a random fleet");
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = 40.0;
    }
    let few = Limits {
        steps: Some(5),
        ..Limits::default()
    };
    let problem = scenario.problem().expect("valid");
    let exact = ColdStartMethod::Exact;
    let open = answer(&problem, exact, scenario.heuristic, &few, &mut NoProgress);
    assert_eq!(open.status, Status::Feasible, "the search must not end");
    let rough = gains(&scenario, &open, 50.0, &few, &mut NoProgress).expect("it can be solved");
    let (_, proved) = all_gains(&scenario, 50.0);
    let mut intervals = 0;
    for (rough, proved) in rough.iter().zip(&proved) {
        let GainEffect::Moves { saved: truth, .. } = proved.effect else {
            continue;
        };
        match rough.effect {
            GainEffect::Moves { saved, least, most } => {
                let most = most.expect("a search has a bound");
                let hair = 1e-9;
                assert!(
                    least <= truth + hair && truth <= most + hair,
                    "{least} {truth} {most}: {:?}",
                    rough.change
                );
                assert!(rough.is_loss() || saved >= 0.0, "{:?}", rough.change);
                intervals += usize::from(least < most);
                assert!(least < most || rough.verdict() != GainVerdict::Unsettled);
            }
            GainEffect::Open => assert!(rough.is_loss()),
            other => panic!("{other:?} of {:?}", rough.change),
        }
    }
    assert!(intervals > 40, "{intervals}");
    let told = foot(&scenario, &Known::of(&open), &rough).join(" ");
    assert!(told.contains("none ruled out"), "{told}");
    assert!(
        sooner(in_order(&rough)[0], TimeFormat::of_largest(1.0)).contains("; proved: "),
        "{told}"
    );
}

#[test]
fn a_field_that_cannot_change_says_what_would_be_needed() {
    let scenario = presets::paper();
    let up = |by: f64| {
        let change = ColdStartChange {
            device: 1,
            what: ResourceChange::More(Resource::Uplink),
        };
        change.applied(&scenario, by)
    };
    let Err(Obstacle::Range {
        field: "pu_dbm",
        from,
        needed,
    }) = up(MOST_PCT)
    else {
        panic!("{:?}", up(MOST_PCT));
    };
    assert_eq!(from, 18.0);
    let channel = Channel::from(scenario.channel);
    let reached = channel.rate(needed, 3.0) / channel.rate(18.0, 3.0);
    assert!((reached - 10.0).abs() < 1e-4, "{reached}");
    assert!(needed > 80.0);
    let told = up(MOST_PCT)
        .map(drop)
        .expect_err("out of range")
        .to_string();
    assert!(
        told.contains(&needed.to_string()) && told.contains("from -60 to 80 dBm"),
        "{told}"
    );
    let small = up(LEAST_PCT).expect("one percent is little");
    let (from, to) = small.values.expect("a field");
    assert!(from == 18.0 && to > 18.0 && to < 19.0, "{to}");
    // Nothing else differs.
    let mut same = small.scenario.clone();
    same.devices[1].pu_dbm = 18.0;
    assert_eq!(same, scenario);

    let change = |scenario: &Scenario, device: usize, what: ResourceChange| {
        let change = ColdStartChange { device, what };
        change.applied(scenario, 25.0).map(|edited| edited.scenario)
    };
    let mut one = scenario.clone();
    one.devices.truncate(1);
    assert_eq!(
        change(&one, 0, ResourceChange::Without),
        Err(Obstacle::OnlyOne)
    );
    one.devices[0].m_gb = 0.0;
    let nothing = change(&one, 0, ResourceChange::More(Resource::Memory));
    assert!(
        matches!(nothing, Err(Obstacle::Nothing { from: 0.0, .. })),
        "{nothing:?}"
    );
    let mut full = scenario.clone();
    full.devices = scenario.devices.iter().cycle().take(64).cloned().collect();
    assert_eq!(
        change(&full, 3, ResourceChange::Another),
        Err(Obstacle::Full)
    );
    assert!(matches!(
        change(&one, 7, ResourceChange::Another),
        Err(Obstacle::Refused(_))
    ));

    // A copy is on, last, and has a name of its own.
    let more = change(&scenario, 2, ResourceChange::Another).expect("a fifth device");
    assert_eq!(more.devices.len(), 5);
    assert_eq!(more.devices[4].name, "D5");
    assert_eq!(more.devices[4].r_mb_s, scenario.devices[2].r_mb_s);
    assert_eq!(free_name("", &[]), "D1");

    for by_pct in [0.0, 0.99, 900.1, -25.0, f64::NAN, f64::INFINITY] {
        let fault = checked_share(by_pct).expect_err("not allowed");
        assert!(
            fault.message.contains("from 1 to 900 %"),
            "{}",
            fault.message
        );
        let ask = GainRequest {
            change: ColdStartChange {
                device: 0,
                what: ResourceChange::More(Resource::Disk),
            },
            by_pct,
            known: None,
        };
        assert!(measure_gain(&scenario, &ask, &limits(), &mut NoProgress).is_err());
    }
    assert_eq!(checked_share(1.0).ok(), Some(1.0));
    assert_eq!(checked_share(900.0).ok(), Some(900.0));
}

#[test]
fn a_range_moves_with_its_number() {
    let mut scenario = presets::paper();
    let spans = [
        (
            "r_mb_s",
            Span {
                low: 4000.0,
                high: 6000.0,
            },
        ),
        (
            "pu_dbm",
            Span {
                low: 17.0,
                high: 22.0,
            },
        ),
    ];
    for (field, span) in spans {
        scenario.devices[0].ranges.insert(field.to_owned(), span);
    }
    let applied = |resource| {
        let change = ColdStartChange {
            device: 0,
            what: ResourceChange::More(resource),
        };
        change.applied(&scenario, 25.0).expect("it is possible")
    };
    let disk = applied(Resource::Disk).scenario;
    assert_eq!(
        disk.devices[0].ranges["r_mb_s"],
        Span {
            low: 5000.0,
            high: 7500.0
        }
    );
    assert_eq!(
        disk.devices[0].ranges["pu_dbm"],
        Span {
            low: 17.0,
            high: 22.0
        }
    );
    let up = applied(Resource::Uplink);
    let (from, to) = up.values.expect("a field");
    let span = up.scenario.devices[0].ranges["pu_dbm"];
    assert!(
        (span.low - 17.0 - (to - from)).abs() < 1e-3 && span.high > to,
        "{span:?}"
    );
}

#[test]
fn alike_changes_keep_their_order_and_the_paper_has_its_figures() {
    let (before, found) = all_gains(&presets::paper(), 25.0);
    let scenario = presets::paper();
    let rows: Vec<Row> = in_order(&found)
        .into_iter()
        .map(|gain| Row::of(&scenario, &before, gain))
        .collect();
    let first = (rows[0].name.as_str(), rows[0].change);
    assert_eq!(first, ("D1", "another"));
    let disk = rows.iter().find(|row| row.change == "disk").expect("disks");
    assert_eq!(
        (disk.name.as_str(), disk.from, disk.to),
        ("D1", Some(5000.0), Some(6250.0))
    );
    let told = foot(&scenario, &before, &found);
    assert_eq!(told[1], "Without D1 the model does not fit.");
    assert!(
        told[2]
            .starts_with("Without one device: D2 0.829\u{202f}s slower, D3 0.519\u{202f}s slower"),
        "{told:?}"
    );
    let table = table(&scenario, &before, &found);
    assert_eq!(table.rows.len(), changes(&scenario).len());
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );

    // Twins: whatever helps one helps the other as much, and the first is named first.
    let mut twins = scenario.clone();
    twins.devices[1] = twins.devices[0].clone();
    let (_, found) = all_gains(&twins, 25.0);
    let list = improvements(&found);
    let pairs: Vec<usize> = list
        .iter()
        .filter(|gain| gain.change.what == ResourceChange::Another && gain.change.device < 2)
        .map(|gain| gain.change.device)
        .collect();
    assert_eq!(pairs, [0, 1]);
    assert_eq!(losses(&found).len(), 4);
}

#[test]
fn an_infeasible_scenario_says_what_would_fit() {
    let scenario = presets::named("csgo-too-big").expect("a preset").scenario;
    let (before, found) = all_gains(&scenario, 25.0);
    assert_eq!(before.status, Status::Infeasible);
    let first = improvements(&found)[0];
    assert_eq!(
        (first.change.device, first.change.what),
        (0, ResourceChange::Another)
    );
    assert_eq!(first.effect, GainEffect::Fits);
    // A share that is large enough is enough memory.
    let (_, found) = all_gains(&scenario, 100.0);
    let memory = |device: usize| {
        let change = ColdStartChange {
            device,
            what: ResourceChange::More(Resource::Memory),
        };
        found
            .iter()
            .find(|gain| gain.change == change)
            .map(|gain| gain.effect)
    };
    assert_eq!(memory(0), Some(GainEffect::Fits));
    assert_eq!(memory(3), Some(GainEffect::FitsNot));
}

#[test]
fn the_suggested_shorter_prompt_is_the_longest_that_fits() {
    // Six layers of 661 MB fit to the last byte but for the activations of the prompt.
    let mut scenario = presets::paper();
    scenario.devices.truncate(2);
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = 12.0;
    }
    scenario.prompt_tokens = 4096.0;
    for device in &mut scenario.devices {
        device.m_gb = (6.0 * 660_602_880.0 + 1000.0 * 2.0 * 5120.0) / 1e9;
    }
    let found = shorter(&scenario, &limits(), &mut NoProgress).expect("it poses a problem");
    assert_eq!(found.len(), 1);
    let Shorter {
        what,
        from,
        to,
        T: total,
        is_proved,
    } = found[0];
    assert_eq!((what, from), (Length::Prompt, 4096.0));
    // A billionth of 4 GB is room for less than one token.
    assert_eq!(to, 1000.0);
    assert!(is_proved);
    let mut edited = scenario.clone();
    what.set(&mut edited, to);
    assert_eq!(solved(&edited).T, total);
    what.set(&mut edited, to + 1.0);
    assert_eq!(solved(&edited).T, None);
    // What fits needs nothing shorter, and where weights alone are too large nothing shorter helps.
    assert_eq!(
        shorter(&presets::paper(), &limits(), &mut NoProgress),
        Ok(vec![])
    );
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    assert_eq!(shorter(&too_big, &limits(), &mut NoProgress), Ok(vec![]));
    let told = shorter_words(&found).concat();
    assert!(
        told.starts_with("A prompt of 1000 tokens instead of 4096 fits"),
        "{told}"
    );
}
