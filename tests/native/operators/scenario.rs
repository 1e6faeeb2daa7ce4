//! Scenarios of operator graphs: what a file may hold, what a link carries, what a step is called.

use edgewise::graph::{Objective, catalogue};
use edgewise::job::operators::{Answer, Ask, Plan, answer};
use edgewise::scenario::operators::{
    Choice, LONGEST_IN_LINK, MOST_PAGE_OPS, Scenario, Source, difference, presets,
};
use edgewise::scenario::{Any, Question, link};

use crate::operator_graphs::{lanes, small};

fn plan(scenario: &Scenario) -> Plan {
    match answer(scenario, &Ask::Plan, &mut |_, _, _| ()).expect("a scenario") {
        Answer::Plan(plan) => *plan,
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
        let opened = link::decode(&link::encode_operators(&scenario));
        assert_eq!(opened, Ok(Any::from(scenario)));
    }
    assert_eq!(Question::find("operators"), Some(Question::Operators));
    assert_eq!(Any::paper(Question::Operators).title(), "GoogLeNet");
}

#[test]
fn a_large_graph_is_named_in_a_link_and_told_by_its_digest() {
    let source = Source {
        file: "lanes.onnx".to_owned(),
        dims: vec![("batch".to_owned(), 4)],
        classifier: true,
    };
    let graph = lanes(1, 40, 50, true).document();
    let scenario = presets::paper().with_graph(source.clone(), graph.clone());
    assert_eq!(scenario.title, "lanes.onnx");
    assert!(serde_json::to_string(&graph).expect("JSON").len() > LONGEST_IN_LINK);
    let opened = link::decode(&link::encode_operators(&scenario)).expect("a link");
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
    assert_eq!(
        link::decode(&link::encode_operators(&short)),
        Ok(Any::from(short))
    );
}

#[test]
fn what_a_scenario_may_not_hold_is_named() {
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
    let with = |change: fn(&mut Scenario)| {
        let mut after = before.clone();
        change(&mut after);
        difference(&before, &after)
    };
    assert_eq!(with(|_| ()), "no change");
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
