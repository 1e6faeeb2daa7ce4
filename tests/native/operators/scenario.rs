//! Scenarios of operator graphs: what a file may hold, what a link carries, what a step is called.

use engine::graph::{Objective, catalogue};
use engine::problem::partition::Link;
use engine::scenario::operators::{
    Board, Choice, Dims, LONGEST_IN_LINK, MOST_PAGE_OPS, Scenario, Source, difference, presets,
    read_times, times_text,
};
use engine::scenario::world::World;
use engine::scenario::{Any, Question, link};
use planner::operators::{OperatorsRequest, OperatorsResult, Plan, answer};

use crate::operator_graphs::{lanes, small};

fn plan(scenario: &Scenario) -> Plan {
    match answer(scenario, &OperatorsRequest::Plan, &mut |_, _, _| ()).expect("a scenario") {
        OperatorsResult::Plan(plan) => *plan,
        other => panic!("asked for a plan: {other:?}"),
    }
}

#[test]
fn every_preset_is_valid_and_travels_whole() {
    let all = presets::all();
    assert_eq!(all.len(), 12);
    for preset in all {
        let scenario = preset.scenario;
        assert_eq!(scenario.validate(), Ok(()), "{}", preset.name);
        assert_eq!(
            Scenario::from_json(&scenario.to_json()).as_ref(),
            Ok(&scenario)
        );
        let opened = link::decode(&link::of(&scenario));
        assert_eq!(opened, Ok(Any::from(scenario)));
    }
    assert_eq!(Question::find("operators"), Some(Question::Operators));
    assert_eq!(Question::Operators.kind().opening().title(), "GoogLeNet");
}

#[test]
fn a_large_graph_is_named_in_a_link_and_shown_by_its_digest() {
    let source = Source {
        file: "lanes.onnx".to_owned(),
        dims: vec![("batch".to_owned(), 4)],
        classifier: true,
    };
    let graph = lanes(1, 40, 50, true).document();
    let scenario = presets::paper().with_graph(source.clone(), graph.clone());
    assert_eq!(scenario.title, "lanes.onnx");
    assert!(serde_json::to_string(&graph).expect("JSON").len() > LONGEST_IN_LINK);
    let opened = link::decode(&link::of(&scenario)).expect("a link");
    let Any::Operators(opened) = opened else {
        panic!("another question: {opened:?}");
    };
    let Choice::File(wanted) = &opened.graph else {
        panic!("the graph came along: {opened:?}");
    };
    assert_eq!((wanted.source.clone(), wanted.ops), (source.clone(), 2002));
    assert!(opened.is_empty() && opened.validate_fields().is_ok());
    assert!(
        opened
            .validate()
            .expect_err("no graph")
            .message
            .contains("lanes.onnx")
    );
    assert_eq!(opened.is_wanted(&graph), Some(true));
    let mut other = graph;
    other.ops[7].out += 1;
    assert_eq!(opened.is_wanted(&other), Some(false));
    assert_eq!(scenario.is_wanted(&other), None);

    let short = presets::paper().with_graph(source, small(3, 9).document());
    assert_eq!(link::decode(&link::of(&short)), Ok(Any::from(short)));
}

#[test]
fn invalid_values_of_a_scenario_are_named() {
    let paper = presets::paper().to_json();
    for (old, new, path, part) in [
        (
            r#""preset":"googlenet""#,
            r#""preset":"alexnet""#,
            "graph.preset",
            "vgg13, resnet50",
        ),
        (
            r#"{"preset":"googlenet"}"#,
            r#"{"model":"googlenet"}"#,
            "graph",
            "preset",
        ),
        (
            r#""objective":"sum""#,
            r#""objective":"max""#,
            "objective",
            "sum",
        ),
        (
            r#""objective":"sum""#,
            r#""objective":"sum","weights":"none""#,
            "weights",
            "per-operator",
        ),
        (
            r#""limit_mib":null"#,
            r#""limit_mib":-1.0"#,
            "limit_mib",
            "from 0",
        ),
        (
            r#""orders":60.0"#,
            r#""orders":0.0"#,
            "draws.orders",
            "from 1 to 1000",
        ),
        (
            r#""align_bytes":16.0"#,
            r#""align_bytes":1.5"#,
            "align_bytes",
            "a whole number",
        ),
        (r#""format":1"#, r#""format":9"#, "format", "newer"),
        (
            r#"{"preset":"googlenet"}"#,
            r#"{"file":{"source":{"file":"x","dims":[["n",0]],"classifier":false},"ops":3,"digest":1}}"#,
            "graph.file.source.dims[0][1]",
            "from 1",
        ),
        (
            r#"{"preset":"googlenet"}"#,
            r#"{"custom":{"source":{"file":"","dims":[],"classifier":false},"graph":{"inputs":[],"ops":[{"kind":"conv","ins":[0],"out":1,"shape":[1]}]}}}"#,
            "graph.custom.graph.ops[0].ins[0]",
            "an operator before 0",
        ),
    ] {
        assert!(paper.contains(old), "{old} in {paper}");
        let fault = Scenario::from_json(&paper.replacen(old, new, 1)).expect_err(new);
        assert_eq!(fault.path, path, "{new}: {fault}");
        assert!(fault.message.contains(part), "{new}: {fault}");
    }
    let wide = presets::paper().with_graph(Source::default(), lanes(1, 60, 84, true).document());
    let fault = wide.validate().expect_err("too large for a page");
    assert!(
        fault.message.contains(&MOST_PAGE_OPS.to_string()),
        "{fault}"
    );
}

#[test]
fn a_step_is_called_what_it_changed() {
    let before = presets::paper();
    let between = |ids: &[u32], change: &dyn Fn(&mut Scenario)| {
        let mut after = before.clone();
        change(&mut after);
        difference((&before, &[1, 2, 3, 4]), (&after, ids))
    };
    let with = |change: fn(&mut Scenario)| between(&[1, 2, 3, 4], &change);
    assert_eq!(with(|_| ()), "no change");
    assert_eq!(
        with(|s| s.split.devices[2].factor = 0.5),
        "D3 time factor 0.8 to 0.5"
    );
    assert_eq!(
        with(|s| s.split.devices[0].limit_mib = None),
        "D1 no memory limit"
    );
    assert_eq!(
        with(|s| s.split.devices[1].name = "PC".to_owned()),
        "D2 renamed to PC"
    );
    assert_eq!(with(|s| s.split.mbps = 500.0), "link 2000 to 500 Mbit/s");
    assert_eq!(
        with(|s| s.split.dims = Dims::Rule),
        "cuts by the paper\u{2019}s rule"
    );
    assert_eq!(
        with(|s| s.split.link = Link::Shared),
        "one link for all devices"
    );
    assert_eq!(
        with(|s| s.split.profile.gflops = 100.0),
        "speed 270 to 100 GFLOP/s"
    );
    assert_eq!(
        with(|s| s.split.table = Some(vec![[1.0, 2.0]; 71])),
        "times as measured"
    );
    assert_eq!(with(|s| s.split.search.seed = 7.0), "seed 1 to 7");
    let gone = between(&[1, 2, 4], &|s| {
        s.split.devices.remove(2);
    });
    assert_eq!(gone, "removed D3");
    let more = between(&[1, 2, 3, 4, 5], &|s| {
        let last = s.split.devices[3].clone();
        s.split.devices.push(Board {
            name: "D5".to_owned(),
            ..last
        });
    });
    assert_eq!(more, "added D5");
    assert_eq!(
        between(&[1, 3, 2, 4], &|s| s.split.devices.swap(1, 2)),
        "moved a device"
    );
    assert_eq!(
        between(&[7, 8], &|s| s.split.devices.truncate(2)),
        "other devices, 2 of them"
    );
    assert_eq!(with(|s| s.limit_mib = Some(8.0)), "a memory limit");
    assert_eq!(with(|s| s.objective = Objective::Peak), "order by peak");
    assert_eq!(
        with(|s| s.graph = Choice::Preset("vgg13".to_owned())),
        "graph to VGG13"
    );
    assert_eq!(with(|s| s.draws.first_seed = 5.0), "first seed 1 to 5");
    assert_eq!(
        with(|s| {
            s.limit_mib = Some(8.0);
            s.align_bytes = 4.0;
        }),
        "2 changes"
    );
}

#[test]
fn measured_times_are_read_as_they_are_written() {
    let rows = vec![[0.5, 1.25], [0.0, 3e-3], [2.0, 0.0]];
    let names = ["conv1", "a,b", "last"].map(str::to_owned);
    assert_eq!(
        read_times(&times_text(names.into_iter(), &rows), 3).as_ref(),
        Ok(&rows)
    );
    assert_eq!(
        read_times("a,b\n1,2\n\n3,4\n", 2),
        Ok(vec![[1.0, 2.0], [3.0, 4.0]])
    );
    assert_eq!(
        read_times("x;1,5;2\ny;0;0", 2),
        Ok(vec![[1.5, 2.0], [0.0, 0.0]])
    );
    for (text, count, part) in [
        ("1,2\n", 2, "each of the 2 operators, it has 1"),
        ("1,2\n1,-2\n", 2, "row 2"),
        ("1,2\nconv,two,1\n", 2, "row 2"),
        ("1,2\n1,NaN\n", 2, "row 2"),
        ("", 1, "it has 0"),
    ] {
        let fault = read_times(text, count).expect_err(text);
        assert!(fault.message.contains(part), "{text:?}: {fault}");
        assert_eq!(fault.path, "split.table");
    }
}

#[test]
fn the_split_is_refused_by_field_and_stays_small_in_a_link() {
    let mut scenario = presets::paper();
    let link = link::of(&scenario);
    assert!(link.len() < 800, "{}: {link}", link.len());
    let opened = link::decode(&link).expect("a link");
    assert_eq!(opened, Any::Operators(Box::new(scenario.clone())));
    scenario.split.devices[3] = Board {
        name: "the last one".to_owned(),
        factor: 0.24,
        limit_mib: None,
        op_us: None,
    };
    scenario.split.link = Link::Shared;
    scenario.split.dims = Dims::Printed;
    scenario.split.gemm_weights = false;
    scenario.split.table = Some(vec![[0.25, 1.5]; 71]);
    let link = link::of(&scenario);
    assert_eq!(
        link::decode(&link).expect("a link"),
        Any::Operators(Box::new(scenario.clone()))
    );
    let refused = |path: &str, change: &dyn Fn(&mut Scenario)| {
        let mut wrong = scenario.clone();
        change(&mut wrong);
        let fault = wrong.validate().expect_err(path);
        assert_eq!(fault.path, path, "{fault}");
        assert!(Scenario::from_json(&wrong.to_json()).is_err(), "{path}");
    };
    refused("split.devices[1].factor", &|s| {
        s.split.devices[1].factor = 0.0
    });
    refused("split.devices[0].limit_mib", &|s| {
        s.split.devices[0].limit_mib = Some(-1.0);
    });
    refused("split.mbps", &|s| s.split.mbps = 0.0);
    refused("split.devices", &|s| s.split.devices.clear());
    refused("split.search.islands", &|s| s.split.search.islands = 1.5);
    refused("split.profile.gbs", &|s| s.split.profile.gbs = 0.0);
    refused("split.table[2][1]", &|s| {
        s.split.table.as_mut().expect("a table")[2][1] = -1.0;
    });
}

#[test]
fn a_plan_keeps_the_limit_or_says_which_one_would_do() {
    let regnet = presets::named("regnet").expect("a preset").scenario;
    let free = plan(&regnet);
    let ours = free.ours.as_ref().expect("an order");
    assert!(ours.peak >= free.least_peak && free.least_peak_is_proved);
    let mib = |bytes: u64| Some(bytes as f64 / 1_048_576.0);
    let at = Scenario {
        limit_mib: mib(free.least_peak),
        ..regnet.clone()
    };
    let tight = plan(&at);
    let kept = tight.ours.as_ref().expect("it can be kept");
    assert_eq!(kept.peak, free.least_peak);
    assert!(kept.sum >= ours.sum);
    let below = plan(&Scenario {
        limit_mib: mib(free.least_peak - 1),
        ..regnet.clone()
    });
    assert!(below.ours.is_none() && below.arena.is_none());
    assert_eq!(below.least_peak, free.least_peak);
    // Of the orders with the least peak it is one with the least sum.
    let peak = plan(&Scenario {
        objective: Objective::Peak,
        ..regnet
    });
    let least = peak.ours.expect("an order");
    assert_eq!((least.peak, least.sum), (kept.peak, kept.sum));
    assert_eq!(peak.gap, Some(0.0));
    assert_eq!(catalogue::MODELS.len(), 11);
}

#[test]
fn operators_on_machines_of_the_catalogue_take_time_to_start_and_those_of_the_paper_none() {
    let shown = |text: &str| {
        let world = World::read(text).expect("a scenario");
        let view = world.view(Question::Operators).expect("a view");
        let assumed = view.assumed.iter().any(|one| one.key == "op_us");
        let Any::Operators(scenario) = view.scenario else {
            panic!("operator graphs");
        };
        (scenario.split.devices[0].op_us, assumed)
    };
    let machine = |facts: &str| {
        let machine =
            format!(r#"{{"id":0,"name":"RTX 4090","off":false,"link":null,"facts":{{{facts}}}}}"#);
        format!(
            r#"{{"format":4,"question":"operators","title":"x","machines":[{machine}],"model":{{"name":"Qwen3-4B","facts":{{}},"tied":null,"body":null}},"network":{{}},"request":{{}},"settings":{{}}}}"#
        )
    };
    let (each, is_assumed) = shown(&machine(""));
    // A tenth of a millisecond for each layer, over twelve operators.
    assert!(
        is_assumed && each.is_some_and(|us| (5.0..20.0).contains(&us)),
        "{each:?}"
    );
    assert_eq!(shown(&machine(r#""op_us":3"#)), (Some(3.0), false));
    // A time factor that is given says all.
    assert_eq!(shown(&machine(r#""factor":0.24"#)), (None, false));
    for preset in presets::all() {
        let world = World::of(&Any::Operators(Box::new(preset.scenario.clone())));
        let view = world.view(Question::Operators).expect("a view");
        assert_eq!(view.scenario, Any::Operators(Box::new(preset.scenario)));
    }
}
