//! Scenarios of the head-placement question: presets, links, faults by name, devices that come, go and move with their
//! rates; and the answers of the page about them.

use crate::cli::{edgewise, file};
use crate::heads_compared::compared;
use engine::problem::head_sizes::{Delay, Memory};
use engine::scenario::heads::{Scenario, difference, presets};
use engine::scenario::rows::Shift;
use engine::scenario::{Any, Question, link};
use engine::sim::Background;
use planner::heads::{
    HeadsPlan, HeadsRequest, HeadsResult, HeadsVariant, Strategy, answer, changed, comparison,
    ours, rules,
};
use presenters::heads as presenter;

pub(crate) fn preset(name: &str) -> Scenario {
    presets::named(name).expect("a preset").scenario
}

/// A scenario that is answered in a blink.
pub(crate) fn small() -> Scenario {
    Scenario {
        new_tokens: 30.0,
        ..preset("heads-small")
    }
}

pub(crate) fn ask(scenario: &Scenario, ask: &HeadsRequest) -> HeadsResult {
    answer(scenario, ask, &mut |_, _, _| ()).expect("an answer")
}

pub(crate) fn plan(scenario: &Scenario) -> HeadsPlan {
    match ask(scenario, &HeadsRequest::Plan) {
        HeadsResult::Plan(planned) => *planned,
        other => panic!("{other:?}"),
    }
}

#[test]
fn presets_are_valid_and_survive_files_and_links() {
    for preset in presets::all() {
        let s = preset.scenario;
        s.validate().expect("valid");
        let again = Scenario::from_json(&s.to_json()).expect("a file");
        assert_eq!(again, s, "{}", preset.name);
        let fragment = link::of(&s);
        assert!(fragment.starts_with("#head-placement/4."), "{fragment}");
        match link::decode(&fragment).expect("a link") {
            Any::HeadPlacement(again) => assert_eq!(*again, s),
            other => panic!("{other:?}"),
        }
        assert!(!preset.about.is_empty());
    }
    assert_eq!(preset("heads-paper"), presets::paper());
    assert_eq!(preset("heads-physical"), presets::physical());
    assert_eq!(
        Question::find("head-placement"),
        Some(Question::HeadPlacement)
    );
}

/// The fleet of the paper's preset is that of the draw, but for its rounding.
#[test]
fn the_papers_fleet_is_that_of_its_seed() {
    let s = presets::paper();
    let drawn = engine::sim::FleetRanges::default()
        .draw(25, 1)
        .expect("a draw");
    for (device, (memory, compute)) in s
        .devices
        .iter()
        .zip(drawn.memory.iter().zip(&drawn.compute))
    {
        assert!((device.memory_gb - memory / 1e9).abs() <= 5.1e-4);
        assert!((device.compute_gops - compute / 1e9).abs() <= 5.1e-4);
    }
    assert!((s.links.rate(3, 7) * 1.25e8 - drawn.rates[3][7]).abs() <= 6.3e4);
    assert_eq!(s.links.rate(3, 7), s.links.rate(7, 3));
    // The background of the run is the one that belongs to the draw.
    let own = s.network(1).expect("a network");
    let mut of_own = own.supply;
    let mut of_draw = s.drawn_network(1).expect("a network").supply;
    let (a, b) = (of_own.next(1).clone(), of_draw.next(1).clone());
    for (a, b) in a.compute.iter().zip(&b.compute) {
        assert!((a - b).abs() <= 1e6, "{a} {b}");
    }
}

#[test]
fn faults_name_the_field_the_value_and_what_is_allowed() {
    let fault = |change: fn(&mut Scenario)| {
        let mut s = presets::paper();
        change(&mut s);
        let fault = s.validate().expect_err("a fault");
        let read = Scenario::from_json(&s.to_json()).expect_err("the same fault");
        assert_eq!(read.path, fault.path);
        (fault.path, fault.message)
    };
    type Change = fn(&mut Scenario);
    let cases: [(Change, &str, &str); 14] = [
        (
            |s| s.model.heads = 30.0,
            "model.width",
            "a multiple of the 30 heads",
        ),
        (|s| s.model.heads = 0.0, "model.heads", "from 1"),
        (|s| s.model.value_bytes = 0.0, "model.value_bytes", "0.125"),
        (|s| s.controller = 25, "controller", "25"),
        (|s| s.devices[0].off = true, "controller", "that is on"),
        (
            |s| s.devices[3].compute_gops = -1.0,
            "devices[3].compute_gops",
            "-1",
        ),
        (|s| s.links.gbit_s = -0.5, "links.gbit_s", "-0.5"),
        (|s| s.links.own[4].to = 99, "links.own[4][1]", "99"),
        (|s| s.links.own[4].gbit_s = -2.0, "links.own[4][2]", "-2"),
        (|s| s.links.own.swap(0, 1), "links.own[1]", "ascending"),
        (
            |s| s.background = Background::Independent { most: 1.5 },
            "background.most",
            "1.5",
        ),
        (
            |s| s.recorded = Some(vec![(0, 0, 1.0, 1.0)]),
            "recorded[0][0]",
            "1 or above",
        ),
        (
            |s| s.recorded = Some(vec![(1, 77, 1.0, 1.0)]),
            "recorded[0][1]",
            "25 devices",
        ),
        (
            |s| (s.new_tokens, s.interval_tokens) = (10_001.0, 1.0),
            "new_tokens",
            "10000",
        ),
    ];
    for (change, path, part) in cases {
        let (got, message) = fault(change);
        assert_eq!(got, path, "{message}");
        assert!(message.contains(part), "{message}");
    }
    let text = presets::paper()
        .to_json()
        .replace("\"ahead\":1.0", "\"ahead\":1.0,\"behind\":2");
    let unknown = Scenario::from_json(&text).expect_err("an unknown field");
    assert_eq!(unknown.path, "behind");
    let all_off = {
        let mut s = small();
        s.devices.iter_mut().for_each(|d| d.off = true);
        s
    };
    assert_eq!(all_off.validate().expect_err("nothing on").path, "devices");
    assert!(all_off.validate_fields().is_ok() && all_off.is_empty());
}

/// Numbers that mean "no link", "never done" and "nothing fits" are valid and planned around.
#[test]
fn devices_without_compute_memory_or_link_are_planned_around() {
    let mut s = small();
    s.background = Background::Quiet;
    s.devices[1].compute_gops = 0.0;
    s.devices[2].memory_gb = 0.0;
    s.links.set(0, 3, Some(0.0));
    let planned = plan(&s);
    assert_eq!(planned.failed_at, None);
    for segment in &planned.segments {
        let placement = segment.layout.placement().expect("a placement");
        assert!(placement.iter().all(|device| *device == 0), "{placement:?}");
    }
    assert!(planned.summary.seconds.is_finite());
}

#[test]
fn steps_are_named() {
    let old = presets::paper();
    let ids: Vec<u32> = (0..25).collect();
    let words = |change: fn(&mut Scenario)| {
        let mut new = old.clone();
        change(&mut new);
        difference((&old, &ids), (&new, &ids))
    };
    assert_eq!(words(|s| s.new_tokens = 200.0), "answer 1000 to 200 tokens");
    assert_eq!(words(|s| s.demands = presets::PHYSICAL), "physical demands");
    assert_eq!(words(|s| s.controller = 3), "D4 is the controller");
    assert_eq!(words(|s| s.links.set(2, 5, Some(3.0))), "link D3 to D6");
    assert_eq!(words(|s| s.devices[2].off = true), "switched D3 off");
    assert_eq!(words(|_| ()), "no change");
    assert_eq!(
        words(|s| s.devices[1].compute_gops = 9.0),
        format!("D2 compute {} to 9 Gop/s", old.devices[1].compute_gops)
    );
}

/// No rule's choice beats the optimum from the same placement, and all rules of a draw meet the same tokens.
#[test]
fn rules_are_held_against_the_optimum() {
    let s = small();
    let planned = plan(&s);
    let HeadsResult::Draw(drawn) = ask(&s, &HeadsRequest::Draw { seed: 1 }) else {
        panic!("no draw");
    };
    let rules = rules(&s);
    assert_eq!(rules[0], Strategy::Exact);
    assert_eq!(drawn.sums.len(), rules.len());
    assert_eq!(drawn.sums[0], planned.summary, "the same run whoever asks");
    for (rule, sum) in rules.iter().zip(&drawn.sums).skip(1) {
        let HeadsResult::Track(track) = ask(&s, &HeadsRequest::Track(*rule)) else {
            panic!("no track");
        };
        assert_eq!(track.summary, *sum, "{rule:?}");
        assert_eq!(track.at.last(), Some(&30));
        if !rule.splits_blocks() {
            assert!(!track.gaps.is_empty());
            assert!(
                track.gaps.iter().all(|gap| gap.ratio >= 1.0 - 1e-9),
                "{rule:?}"
            );
        }
    }
    let mut all = comparison(&s);
    assert!(presenter::comparison(&all).rows.is_empty());
    all.add(drawn.seed, drawn.sums);
    let table = presenter::comparison(&all);
    assert_eq!(table.rows.len(), rules.len());
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
}

/// The page opens with demands that hold, and the paper's table is a choice.
#[test]
fn the_question_opens_with_physical_demands() {
    let Any::HeadPlacement(opening) = Question::HeadPlacement.kind().opening() else {
        panic!("another question");
    };
    assert_eq!(*opening, presets::physical());
    assert!(presenter::table_notes(&opening).is_empty());
    assert_eq!(presets::all()[0].scenario, *opening);
    assert!(!presenter::table_notes(&preset("heads-paper")).is_empty());
}

#[test]
fn parts_of_an_answer_come_in_order_and_end_in_it() {
    let s = small();
    let mut lengths = Vec::new();
    let last = answer(&s, &HeadsRequest::Plan, &mut |done, of, so_far| {
        assert_eq!(of, Some(30));
        if let Some(HeadsResult::Plan(part)) = so_far() {
            assert_eq!(part.times.elapsed.len() as u64, done);
            lengths.push(done);
            let words = presenter::verdict(&s, &part, false);
            assert!(words.proof.contains("of 30 tokens"), "{}", words.proof);
        }
    });
    assert_eq!(lengths, (1..=30).collect::<Vec<_>>());
    assert_eq!(
        last.expect("an answer"),
        HeadsResult::Plan(Box::new(plan(&s)))
    );
}

#[test]
fn changes_are_scenarios_of_their_own() {
    let s = small();
    let twice = changed(&s, HeadsVariant::Links { times: 2.0 }).expect("a scenario");
    assert_eq!(twice.links.rate(1, 2), 2.0 * s.links.rate(1, 2));
    let fault = changed(&s, HeadsVariant::Without { device: 0 }).expect_err("the controller goes");
    assert_eq!(fault.path, "controller");
    let HeadsResult::Instead(sum) = ask(
        &s,
        &HeadsRequest::Instead(HeadsVariant::Compute {
            device: 1,
            times: 1e5,
        }),
    ) else {
        panic!("no answer");
    };
    assert!(sum.seconds < plan(&s).summary.seconds);
    let words = presenter::change_words(&s, HeadsVariant::Without { device: 2 });
    assert_eq!(words, "without D3");
}

#[test]
fn faults_of_the_table_are_noted_where_its_numbers_are_shown() {
    let s = presets::paper();
    let notes = presenter::table_notes(&s);
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(
        notes[0].contains("8.19") && notes[0].contains("545"),
        "{}",
        notes[0]
    );
    let honest = preset("heads-physical");
    assert!(presenter::table_notes(&honest).is_empty());
    let mut printed = s.clone();
    printed.demands.delay = Delay::Eq6;
    assert_eq!(presenter::table_notes(&printed).len(), 4);
    let mut memory = s;
    memory.demands.memory = Memory::NoCache;
    assert_eq!(presenter::table_notes(&memory).len(), 2);
}

#[test]
fn looking_ahead_claims_no_proof() {
    let mut s = small();
    let words = presenter::verdict(&s, &plan(&s), true);
    assert_eq!(
        words.proof,
        "Optimal for whole blocks at each token, proven"
    );
    assert!(
        words.headline.to_string().contains("30 tokens take"),
        "{}",
        words.headline
    );
    s.ahead = 10.0;
    assert_eq!(ours(&s), Strategy::ExactAhead { intervals: 10.0 });
    let words = presenter::verdict(&s, &plan(&s), true);
    assert!(
        !words.proof.to_lowercase().contains("optimal"),
        "{}",
        words.proof
    );
    assert!(rules(&s).contains(&Strategy::Exact));
}

#[test]
fn a_layer_that_fits_nowhere_says_at_which_token_and_why() {
    let mut s = small();
    s.devices.iter_mut().for_each(|d| d.memory_gb = 0.02);
    let planned = plan(&s);
    let n = planned.failed_at.expect("too little memory");
    let words = presenter::verdict(&s, &planned, true);
    assert!(
        words.headline.to_string().contains(&format!("token {n}")),
        "{}",
        words.headline
    );
    assert!(words.proof.contains("Does not fit"));
    // The repair that is named is one: with so much more on that device the run goes on beyond the token.
    let proof = planned.proof.as_ref().expect("a proof");
    let repair = proof
        .repairs
        .iter()
        .min_by(|a, b| a.more.total_cmp(&b.more));
    let repair = repair.expect("a repair");
    let lead = words.summary.to_string();
    assert!(lead.contains("The smallest repair is "), "{lead}");
    let mut mended = s.clone();
    mended.background = Background::Quiet;
    mended.devices.iter_mut().for_each(|d| d.memory_gb = 0.015);
    let quiet = plan(&mended);
    let at = quiet.failed_at.expect("too little memory");
    let proof = quiet.proof.expect("a proof");
    let least = proof
        .repairs
        .iter()
        .min_by(|a, b| a.more.total_cmp(&b.more));
    let least = least.expect("a repair");
    mended.devices[least.device].memory_gb += least.more / 1e9 * (1.0 + 1e-6);
    assert!(plan(&mended).failed_at.is_none_or(|n| n > at));
    assert!(repair.more > 0.0);
}

/// A record takes the place of the drawn background.
#[test]
fn a_record_rules_what_is_free() {
    let mut s = small();
    let fast = plan(&s).summary.seconds;
    s.recorded = Some((0..4).map(|device| (1, device, 0.5, 4.0)).collect());
    let slow = plan(&s).summary.seconds;
    assert!(slow > 2.0 * fast, "{slow} {fast}");
    let again = Scenario {
        background: Background::Quiet,
        ..s.clone()
    };
    assert_eq!(
        plan(&again).summary,
        plan(&s).summary,
        "nothing is drawn beside a record"
    );
}

/// The command line answers what the page does, from a file and from a link, in every format.
#[test]
fn the_command_line_answers_as_the_page_does() {
    let s = small();
    let planned = plan(&s);
    let path = file("heads-small.json", s.to_json());
    let told = edgewise(&["run", &path], "");
    assert_eq!(told.code, 0, "{}", told.err);
    let headline = presenter::verdict(&s, &planned, true).headline.to_string();
    assert!(told.out.contains(&headline), "{}", told.out);
    assert!(
        told.out.contains("Table I of the paper adds a cache"),
        "{}",
        told.out
    );
    for rule in rules(&s) {
        let name = presenter::rule_name(rule);
        assert!(told.out.contains(&name), "{name}: {}", told.out);
    }
    let link = link::of(&s);
    let json = edgewise(&["run", &link, "--format", "json"], "");
    let document = planner::heads::document(&s, &planned, &compared(&s), None).expect("a document");
    assert_eq!(json.out.trim_end(), document.to_json());
    let csv = edgewise(&["run", &link, "--format", "csv"], "");
    assert_eq!(csv.out.lines().count(), 31);
    let trace = edgewise(&["run", &link, "--format", "trace"], "");
    assert_eq!(trace.code, 2);

    // The same intervals as a problem file give the same steps to the last bit.
    let mut supply = s.network(1).expect("a network").supply;
    let steps: Vec<_> = (1..=30)
        .map(|n| {
            let free = supply.next(n);
            serde_json::json!({ "n": n, "M": free.memory, "C": free.compute })
        })
        .collect();
    let rates: Vec<Vec<f64>> = (0..4)
        .map(|from| (0..4).map(|to| 1.25e8 * s.links.rate(from, to)).collect())
        .collect();
    let model = serde_json::json!({
        "h": 32, "D": 2048, "b": 4.0, "L0": 64, "mem": "table", "flops": "table", "delay": "full", "inp": "embed",
    });
    let problem = serde_json::json!({
        "model": model, "controller": 0, "R": rates, "steps": steps, "method": "exact",
    });
    let solved = edgewise(&["solve", "head-placement-run"], problem.to_string());
    assert_eq!(solved.code, 0, "{}", solved.err);
    let solved: serde_json::Value = serde_json::from_str(&solved.out).expect("JSON");
    let of_page: serde_json::Value = serde_json::from_str(&document.to_json()).expect("JSON");
    assert_eq!(solved["steps"], of_page["steps"]);
    assert_eq!(solved["total"], of_page["total"]);

    let mut none = s;
    none.devices.iter_mut().for_each(|d| d.memory_gb = 0.01);
    let told = edgewise(&["run", &link::of(&none)], "");
    assert_eq!(told.code, 3);
    assert!(
        told.out.contains("No placement on 4 devices"),
        "{}",
        told.out
    );
}

/// Several layers at once come with a bound that no plan beats, and one layer is the myopic optimum itself.
#[test]
fn several_layers_come_with_a_bound() {
    let s = Scenario {
        background: Background::Quiet,
        ..small()
    };
    let of = |layers: u32| match ask(&s, &HeadsRequest::Layers { layers, token: 20 }) {
        HeadsResult::Layers(found) => found,
        other => panic!("{other:?}"),
    };
    let one = of(1);
    let seconds = one.seconds.expect("a plan");
    assert!((seconds - one.bound.expect("a bound")).abs() <= 1e-9 * seconds);
    let many = of(12);
    assert_eq!(many.placements.len(), 12);
    let (seconds, bound) = (many.seconds.expect("a plan"), many.bound.expect("a bound"));
    assert!(bound <= seconds * (1.0 + 1e-9), "{bound} {seconds}");
    let words = presenter::layers_words(&s, &many).to_string();
    assert!(words.contains("12 layers at token 20"), "{words}");
    let table = presenter::layers_table(&s, &plan(&s), &many);
    assert_eq!(table.rows.len(), 12);
    // So many layers that they cannot fit: the bound is the proof.
    let mut tight = s.clone();
    tight.devices.iter_mut().for_each(|d| d.memory_gb = 0.1);
    let HeadsResult::Layers(none) = ask(
        &tight,
        &HeadsRequest::Layers {
            layers: 60,
            token: 20,
        },
    ) else {
        panic!("no answer");
    };
    assert_eq!(none.seconds, None);
    assert!(
        !presenter::layers_words(&tight, &none)
            .to_string()
            .is_empty()
    );
    let fault = answer(
        &s,
        &HeadsRequest::Layers {
            layers: 2,
            token: 31,
        },
        &mut |_, _, _| (),
    );
    assert_eq!(fault.expect_err("no such token").path, "token");
}

#[test]
fn per_device_settings_follow_their_devices() {
    let mut s = presets::paper();
    s.devices.truncate(4);
    s.links.own.clear();
    let names =
        |s: &Scenario| -> Vec<String> { s.devices.iter().map(|d| d.name.clone()).collect() };
    for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        s.links.set(one, other, Some((10 * one + other) as f64));
    }
    s.controller = 2;
    s.recorded = Some((0..4).map(|at| (1, at, at as f64, 1.0)).collect());
    let before = s.clone();
    let rate = |s: &Scenario, one: &str, other: &str| {
        let at = |name: &str| {
            names(s)
                .iter()
                .position(|n| n == name)
                .expect("it is there")
        };
        s.links.rate(at(one), at(other))
    };
    let (first, holder) = (
        before.devices[0].name.clone(),
        before.devices[2].name.clone(),
    );

    let moved = s.devices.remove(0);
    s.devices.insert(3, moved);
    s.follow(Shift::Moved { from: 0, to: 3 });
    assert_eq!(s.devices[s.controller].name, holder);
    for one in &names(&before)[..3] {
        for other in &names(&before)[..3] {
            if one != other {
                assert_eq!(
                    rate(&s, one, other),
                    rate(&before, one, other),
                    "{one} to {other}"
                );
            }
        }
    }
    let recorded = s.recorded.clone().expect("all rows are left");
    let places: Vec<usize> = recorded.iter().map(|row| row.1).collect();
    assert_eq!(places, [3, 0, 1, 2]);
    assert_eq!(s.validate(), Ok(()));

    // The device that held the input goes: the first that is on takes over, and its rows of the record are gone.
    let at = s.controller;
    s.devices.remove(at);
    s.follow(Shift::Removed(at));
    assert_eq!(s.controller, 0);
    assert_eq!(s.recorded.as_ref().map(Vec::len), Some(3));
    assert_eq!(s.validate(), Ok(()));
    s.devices[0].off = true;
    s.follow(Shift::Switched);
    assert_eq!(s.controller, 1);

    // A copy has the links of its model.
    let like = names(&s)
        .iter()
        .position(|name| *name == first)
        .expect("it is there");
    let copy = s.devices[like].clone();
    s.devices.insert(like + 1, copy);
    s.follow(Shift::Inserted {
        at: like + 1,
        like: Some(like),
    });
    assert_eq!(s.links.rate(like + 1, 0), s.links.rate(like, 0));
    assert_eq!(s.validate(), Ok(()));
}
