//! The scenario of all questions: what one question says comes back from it to the last bit, and every question can be asked of
//! what another one said.

use crate::token_costs::alone;
use engine::scenario::world::{FactOrigin, QuestionView, World};
use engine::scenario::{Any, Device, Question, Scenario, link, presets};
use engine::scenario::{dispatch, heads, operators, tiers};

/// All presets of all questions.
fn all() -> Vec<(String, Any)> {
    let mut all = Vec::new();
    let mut add = |name: &str, any: Any| all.push((name.to_owned(), any));
    for preset in presets::all() {
        add(preset.name, preset.scenario.into());
    }
    for preset in heads::presets::all() {
        add(preset.name, preset.scenario.into());
    }
    for preset in dispatch::presets::all() {
        add(preset.name, preset.scenario.into());
    }
    for preset in tiers::presets::all() {
        add(preset.name, preset.scenario.into());
    }
    for preset in operators::presets::all() {
        add(preset.name, preset.scenario.into());
    }
    all
}

/// The fleet of a preset of cold start under other numbers.
fn cold(change: impl FnOnce(&mut Scenario)) -> Any {
    let mut scenario = presets::paper();
    change(&mut scenario);
    scenario.into()
}

/// Takes an edit over; the question then sees what was shown.
fn absorb(world: &mut World, view: &QuestionView, after: &Any, rows: &[u32]) {
    let seen = world.absorb(view, after, rows).expect("it can be seen");
    assert_eq!(seen.scenario.to_json(), after.to_json());
    assert_eq!(seen.rows, rows);
}

fn scenario_of(world: &World, question: Question) -> Any {
    let view = world.view(question);
    view.unwrap_or_else(|fault| panic!("{}: {fault}", question.name()))
        .scenario
}

#[test]
fn a_scenario_of_one_question_comes_back_to_the_last_bit() {
    for (name, any) in all() {
        let world = World::of(&any);
        let view = world.view(any.question()).expect(&name);
        assert_eq!(view.scenario.to_json(), any.to_json(), "{name}");
        assert_eq!(view.assumed, [], "{name}: everything is given");
        let text = world.to_json();
        let read = World::read(&text).expect(&name);
        assert_eq!(read, world, "{name}");
        assert_eq!(read.to_json(), text, "{name}");
    }
}

/// What other questions see rests on assumptions, each with a reason; a link holds them.
#[test]
fn every_question_can_be_asked_of_every_preset() {
    for (name, any) in all() {
        let mut world = World::of(&any);
        for question in Question::ALL {
            let view = world.view(question);
            let view = view.unwrap_or_else(|fault| panic!("{name}, {}: {fault}", question.name()));
            for one in &view.assumed {
                assert!(!one.why.is_empty(), "{name}: {one:?}");
            }
            world.question = question;
            let text = link::encode(&world);
            let opened = link::decode(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let shown = match view.scenario {
                Any::Operators(scenario) => scenario.for_link().into(),
                other => other,
            };
            assert_eq!(
                opened.to_json(),
                shown.to_json(),
                "{name}, {}",
                question.name()
            );
            assert!(text.starts_with(&format!("#{}/4.", question.name())));
        }
    }
}

/// What was edited in one question is there in the next, and only what was edited is given.
#[test]
fn an_edit_in_one_question_is_known_in_all() {
    let any = cold(|_| {});
    let mut world = World::of(&any);
    let view = world
        .view(Question::Tiers)
        .expect("tiers of the four devices");
    let Any::Tiers(mut after) = view.scenario.clone() else {
        panic!("not tiers")
    };
    after.tiers[1].usable_gb = 7.5;
    after.out_tokens = 300.0;
    absorb(&mut world, &view, &Any::Tiers(after), &view.rows);

    let Any::ColdStart(cold) = scenario_of(&world, Question::ColdStart) else {
        panic!("not cold start")
    };
    assert_eq!(cold.devices[1].m_gb, 7.5);
    assert_eq!(cold.devices[0].m_gb, presets::paper().devices[0].m_gb);
    let Any::HeadPlacement(heads) = scenario_of(&world, Question::HeadPlacement) else {
        panic!("not heads")
    };
    assert_eq!(heads.devices[1].memory_gb, 7.5);
    assert_eq!(heads.new_tokens, 300.0);
    let given = &world.machines[1].facts;
    assert_eq!(given["m_gb"].origin, FactOrigin::Given);
    // The view showed this machine's compute in TOPS, which nobody gave.
    assert!(matches!(given["tops"].origin, FactOrigin::Assumed(_)));
    assert!(!world.machines[0].facts.contains_key("tops"));
}

/// A row of several nodes is one machine elsewhere, and that is said; confirming what is assumed leaves the nodes alone.
#[test]
fn one_of_several_nodes_is_said_where_it_is_seen() {
    let mut paper = tiers::presets::paper();
    paper.tiers[1].nodes = 3.0;
    let mut world = World::of(&paper.clone().into());
    let view = world.view(Question::Tiers).expect("tiers");
    assert_eq!(view.one_of, []);
    for question in Question::ALL {
        if question == Question::Tiers {
            continue;
        }
        let view = world.view(question).expect("a view");
        assert!(view.one_of.contains(&(1, 3.0)), "{}", question.name());
        let groups = protocol::assumed::groups(&world, &view);
        let words: Vec<String> = groups.iter().map(|group| group.sentence()).collect();
        let name = &paper.tiers[1].name;
        let said = |line: &String| {
            line.contains(name) && line.contains("this question uses one of its 3 nodes")
        };
        assert!(words.iter().any(said), "{words:?}");
        world.fix_assumptions(&view.assumed, true);
    }
    let Any::Tiers(after) = scenario_of(&world, Question::Tiers) else {
        panic!("not tiers")
    };
    assert_eq!(after.tiers[1].nodes, 3.0);
}

/// Where a number shown is from, until it is typed over.
#[test]
fn an_origin_stays_until_the_number_is_changed() {
    let mut world = World::of(&cold(|_| {}));
    let view = world.view(Question::Tiers).expect("tiers");
    let Any::Tiers(seen) = &view.scenario else {
        panic!("not tiers")
    };
    let tops = seen.tiers[0].tops;
    let origin = |world: &World, view: &QuestionView, key: &str, value| {
        world.origin(view, Some(0), key, value)
    };
    assert!(matches!(
        origin(&world, &view, "tops", tops),
        Some(FactOrigin::Assumed(_))
    ));
    assert_eq!(origin(&world, &view, "tops", tops + 1.0), None);
    assert_eq!(origin(&world, &view, "m_gb", seen.tiers[0].usable_gb), None);
    let latency = seen.link.latency_ms;
    assert!(matches!(
        world.origin(&view, None, "latency_ms", latency),
        Some(FactOrigin::Assumed(_))
    ));
    // What somebody measured is marked, and what was assumed is not taken for measured.
    let how = FactOrigin::Measured("fio".into());
    world.machine_is_from(0, &how);
    world.model_is_from(&FactOrigin::File("config.json".into()));
    let memory = presets::paper().devices[0].m_gb;
    assert_eq!(origin(&world, &view, "m_gb", memory), Some(how.clone()));
    assert_eq!(origin(&world, &view, "limit_mib", memory), None);
    assert!(matches!(
        origin(&world, &view, "tops", tops),
        Some(FactOrigin::Assumed(_))
    ));
    assert_eq!(
        world.origin(&view, None, "layers", seen.model.blocks() as f64),
        Some(FactOrigin::File("config.json".into()))
    );
    let read = World::read(&world.to_json()).expect("the same");
    assert_eq!(read, world);
}

/// What is assumed follows what it rests on until it is confirmed.
#[test]
fn an_assumed_number_follows_its_rule_until_it_is_confirmed() {
    let mut world = World::of(&cold(|_| {}));
    let compute = |world: &World| match scenario_of(world, Question::Tiers) {
        Any::Tiers(tiers) => tiers.tiers[0].tops,
        _ => panic!("not tiers"),
    };
    let before = compute(&world);
    let double = |world: &mut World| {
        let view = world.view(Question::ColdStart).expect("a cold start");
        let Any::ColdStart(mut after) = view.scenario.clone() else {
            panic!("not cold start")
        };
        after.devices[0].c_peak_tflops *= 2.0;
        absorb(world, &view, &Any::ColdStart(after), &view.rows);
    };
    double(&mut world);
    assert_eq!(compute(&world), 2.0 * before);
    let view = world.view(Question::Tiers).expect("tiers");
    world.fix_assumptions(&view.assumed, true);
    double(&mut world);
    assert_eq!(compute(&world), 2.0 * before);
    let view = world.view(Question::Tiers).expect("tiers");
    assert_eq!(view.assumed, []);
    world.question = Question::Tiers;
    let opened = link::open(&link::encode(&world)).expect("a link");
    let again = opened.view(Question::Tiers).expect("tiers");
    assert_eq!(again, view);
}

/// Decoding waits for memory: that is what head placement takes a machine's operations from. It has the layer as the model has it;
/// what Table I has otherwise is said, and stays known.
#[test]
fn head_placement_takes_the_rate_of_decoding_and_says_what_its_layer_has_otherwise() {
    let machine = alone("RTX 4090", "Llama-3.1-8B", 512.0);
    let mut world = World::of(&heads::presets::paper().into());
    world.replace(&machine.clone().into(), 0);
    let view = world.view(Question::HeadPlacement).expect("heads");
    let Any::HeadPlacement(by_table) = &view.scenario else {
        panic!("not heads")
    };
    // Two bytes per three and a half multiply-adds in q4_K_M, at nine tenths of 1008 GB/s and with 0.11 ms a layer.
    let rate = by_table.devices[0].compute_gops;
    assert!((600.0..1700.0).contains(&rate), "{rate}");
    let taken = |key: &str| {
        view.replaced
            .iter()
            .find(|one| one.key == key)
            .map(|one| one.value)
    };
    assert_eq!((taken("h_k"), taken("d_ff")), (Some(32.0), Some(16_384.0)));
    let sentences: Vec<String> = protocol::assumed::groups(&world, &view)
        .iter()
        .map(|group| group.sentence())
        .collect();
    let said = sentences.join(" ");
    assert!(said.contains("32 heads of the model share 8"), "{said}");
    let mut confirmed = world.clone();
    confirmed.fix_assumptions(&view.assumed, true);
    let Any::ColdStart(cold) = confirmed
        .view(Question::ColdStart)
        .expect("a cold start")
        .scenario
    else {
        panic!("not a cold start")
    };
    assert_eq!(cold.model, machine.model);
    let physical = World::of(&machine.into());
    let view = physical.view(Question::HeadPlacement).expect("heads");
    assert_eq!(view.replaced, []);
}

/// Rows that come, go and move in one question take what goes by their places along in another.
#[test]
fn rows_move_in_all_questions() {
    let flat = heads::presets::named("heads-flat")
        .expect("a preset")
        .scenario;
    let mut world = World::of(&flat.clone().into());
    let view = world.view(Question::ColdStart).expect("a cold start");
    let Any::ColdStart(mut after) = view.scenario.clone() else {
        panic!("not cold start")
    };
    // The laptop, which holds the input and has a link of its own to the desktop, goes last; the phone goes; one comes.
    let phone = after.devices.remove(2);
    let laptop = after.devices.remove(0);
    after.devices.insert(
        1,
        Device {
            name: "New".to_owned(),
            ..phone
        },
    );
    after.devices.push(laptop);
    let rows = [view.rows[1], world.free_id(), view.rows[0]];
    absorb(&mut world, &view, &Any::ColdStart(after), &rows);
    let Any::HeadPlacement(heads) = scenario_of(&world, Question::HeadPlacement) else {
        panic!("not heads")
    };
    let names: Vec<&str> = heads.devices.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["Desktop", "New", "Laptop"]);
    assert_eq!(heads.controller, 2);
    assert_eq!(heads.links.rate(0, 2), 1.0);
    assert_eq!(heads.links.rate(0, 1), 0.3);
    assert_eq!(heads.devices[2].compute_gops, 400.0);
}

/// A machine that a question does not show stays.
#[test]
fn fields_that_a_question_does_not_show_stay() {
    let many = cold(|scenario| {
        let device = scenario.devices[0].clone();
        let row = |n: usize| Device {
            name: format!("D{n}"),
            ..device.clone()
        };
        scenario.devices = (1..=9).map(row).collect();
        scenario.devices[2].off = true;
    });
    let mut world = World::of(&many);
    let view = world.view(Question::Tiers).expect("tiers");
    assert_eq!((view.rows.len(), view.left_out), (6, 3));
    let Any::Tiers(mut after) = view.scenario.clone() else {
        panic!("not tiers")
    };
    after.tiers.remove(0);
    let rows = &view.rows[1..];
    let seen = world.absorb(&view, &Any::Tiers(after), rows);
    // One that was left out comes in its place.
    assert_eq!(seen.expect("tiers").rows.len(), 6);
    assert_eq!(world.machines.len(), 8);
    // Operators know no device that is off.
    let view = world.view(Question::Operators).expect("operators");
    assert_eq!(view.rows.len(), 7);
    let Any::Operators(mut after) = view.scenario.clone() else {
        panic!("not operators")
    };
    after.split.devices[0].factor = 3.0;
    absorb(&mut world, &view, &Any::Operators(after), &view.rows);
    assert_eq!(world.machines.len(), 8);
    assert!(world.machines.iter().any(|machine| machine.off));
}

#[test]
fn faults_of_a_file_are_named() {
    let text = World::of(&cold(|_| {})).to_json();
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        World::read(&text.replacen(from, to, 1)).expect_err(to)
    };
    for (from, to, path, part) in [
        ("\"format\":4", "\"format\":5", "format", "newer Edgewise"),
        (
            "\"c_peak_tflops\":",
            "\"c_peak\":",
            "machines[0].facts.c_peak",
            "not a field",
        ),
        ("\"mu\":0.5", "\"mu\":7.0", "network.mu", "from 0.001 to 1"),
        (
            "\"mu\":0.5",
            "\"mu\":\"x\"",
            "network.mu",
            "must be a number, or",
        ),
        (
            "\"mu\":0.5",
            "\"mu\":{\"value\":0.5,\"range\":[0.9,0.1]}",
            "network.mu.range",
            "[low, high]",
        ),
        (
            "\"id\":1",
            "\"id\":0",
            "machines[1].id",
            "no machine before it has",
        ),
        (
            "\"cold-start\":{",
            "\"warm-start\":{",
            "settings",
            "by question",
        ),
        ("\"relay\":", "\"relays\":", "settings.cold-start", "relays"),
        ("\"off\":false", "\"off\":0", "machines[0].off", "false"),
    ] {
        let fault = broken(from, to);
        assert!(fault.path.starts_with(path), "{to}: {fault:?}");
        assert!(fault.message.contains(part), "{to}: {fault}");
    }
}

/// What a hostile file says of places and sizes is refused before anything is made of it.
#[test]
fn places_and_sizes_that_nothing_has_are_refused() {
    let flat = heads::presets::named("heads-flat").expect("a preset");
    let text = World::of(&flat.scenario.into()).to_json();
    for (from, to, path) in [
        (
            "\"own\":[[0,1,1.0]]",
            "\"own\":[[0,18446744073709551615,1.0]]",
            "settings.head-placement.links.own",
        ),
        (
            "\"recorded\":null",
            "\"recorded\":[[1,18446744073709551615,1.0,1.0]]",
            "settings.head-placement.recorded[0][1]",
        ),
        (
            "\"body\":null",
            "\"body\":{\"name\":\"x\",\"token_bytes\":2.0,\"blocks\":[{\"repeat\":1e15,\"weight_bytes\":2.0,\
             \"token_flop\":2.0,\"pair_flop\":0.0,\"window\":null}]}",
            "model.body",
        ),
        ("\"id\":0", "\"id\":4294967295", "machines[0].id"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        for question in ["head-placement", "dispatch", "tiers"] {
            let wrong = text.replacen(from, to, 1);
            let named = "\"question\":\"head-placement\"";
            let wrong = wrong.replacen(named, &format!("\"question\":\"{question}\""), 1);
            if path.starts_with("settings") && question != "head-placement" {
                continue; // not looked at before the question is asked
            }
            let fault = World::read(&wrong).expect_err(to);
            assert!(fault.path.starts_with(path), "{question}: {fault:?}");
        }
    }
    // Rows that a question had and that are no machine any more take their links along.
    let gone = text.replacen("\"rows\":[0,1,2]", "\"rows\":[7,8,9]", 1);
    let world = World::read(&gone).expect("a scenario");
    let Any::HeadPlacement(heads) = scenario_of(&world, Question::HeadPlacement) else {
        panic!("not heads")
    };
    assert_eq!(heads.links.own, []);
}
