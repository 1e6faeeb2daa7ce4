//! Documents of the operator graphs of the catalogue, with a short search for a split.

use crate::cli::edgewise;
use crate::document_checks::{check_figures, check_forms, story, sum_of_parts, value};
use document::{Patch, Quantity, Section, Story, Trigger};
use engine::plan::OperatorOrder;
use engine::scenario::Any;
use engine::scenario::operators::{Scenario, presets};
use planner::operator_order::draws;
use planner::operators::{
    AnnealChain, DeviceChange, DeviceVariant, OperatorsRequest, OperatorsResult, answer, best,
};
use presenters::operators::charts::DeviceRange;
use presenters::operators::sections::{self, OperatorsFacts, SplitFacts};
use presenters::presenting::{AggregateResult, AnswerPresenter};
use protocol::AnswerDocument;
use protocol::SubtaskResult;

fn asked(scenario: &Scenario, ask: &OperatorsRequest) -> OperatorsResult {
    answer(scenario, ask, &mut |_, _, _| ()).expect("presets are valid")
}

/// The first chain of the search, and splits over fewer devices.
fn split(scenario: &Scenario, order: OperatorOrder) -> (SplitFacts, Vec<DeviceVariant>) {
    let splits = OperatorsRequest::Splits {
        order: order.clone(),
    };
    let chain = OperatorsRequest::Chain {
        order: order.clone(),
        chain: 0,
    };
    let (OperatorsResult::Splits(splits), OperatorsResult::Chain(chain)) =
        (asked(scenario, &splits), asked(scenario, &chain))
    else {
        panic!("answers to what was asked");
    };
    let variant = |devices| {
        let change = DeviceChange::Devices(devices);
        let order = order.clone();
        match asked(scenario, &OperatorsRequest::Variant { order, change }) {
            OperatorsResult::Variant(variant) => *variant,
            other => panic!("a variant was asked for, not {other:?}"),
        }
    };
    let chains: Vec<AnnealChain> = vec![*chain];
    let all = chains.iter().map(|chain| &chain.best);
    let best = best(all.chain([&splits.start])).expect("one").clone();
    let variants = [1, 2].map(variant).to_vec();
    let cuts = SplitFacts {
        order,
        splits: *splits,
        best,
        chains,
    };
    (cuts, variants)
}

fn whole(mut scenario: Scenario) -> Story {
    scenario.split.search.moves = 1000.0;
    let graph = scenario.graph().expect("a graph");
    let OperatorsResult::Plan(plan) = asked(&scenario, &OperatorsRequest::Plan) else {
        panic!("a plan was asked for");
    };
    let drawn = draws(&graph, 5, 1);
    let order = plan.ours.as_ref().or(plan.others.first());
    let (cuts, variants) = split(&scenario, order.expect("an order").order.clone());
    let told = AnswerDocument {
        about: sections::about(&graph),
        sections: sections::sections(&OperatorsFacts {
            scenario: &scenario,
            graph: &graph,
            plan: &plan,
            drawn: Some(&drawn),
            cuts: Ok(Some(&cuts)),
            variants: &[(DeviceRange::Devices, variants)],
        }),
    };
    story(&Any::from(scenario), told)
}

fn quantity<'a>(story: &'a Story, key: &str) -> &'a Quantity {
    let found = story.quantities().find(|one| one.key == key);
    found.unwrap_or_else(|| panic!("no {key}"))
}

#[test]
fn every_preset_is_written_in_every_format() {
    for preset in presets::all() {
        let story = whole(preset.scenario);
        check_figures(&story, &["states"]);
        check_forms(&story);
        let name = preset.name;
        assert_eq!(sum_of_parts(&story), value(&story, "peak"), "{name}");
        let [size, bound, gap] =
            ["arena", "arena_bound", "arena_gap"].map(|key| value(&story, key));
        assert_eq!(size - bound, gap, "{name}");
        let [time, bound] = ["split_time", "split_bound"].map(|key| value(&story, key));
        assert!(bound <= time, "{name}: {bound} of {time}");
        let gap = story.quantities().find(|one| one.key == "split_gap");
        if let Some(gap) = gap {
            assert!((gap.value - (time - bound) / time).abs() < 1e-12, "{name}");
        }
        let charts: Vec<&str> = story.charts().map(|chart| chart.id).collect();
        assert_eq!(
            charts[..4],
            ["memory", "graph", "arena", "slices"],
            "{name}"
        );
        assert_eq!(charts.last(), Some(&"variants"), "{name}");
    }
}

#[test]
fn sections_are_in_the_order_of_the_page() {
    let story = whole(presets::paper());
    let sections: Vec<&str> = story.sections.iter().map(|section| section.id).collect();
    let order = [
        "answer",
        "memory",
        "steps",
        "arena",
        "tensors",
        "comparison",
        "methods",
        "cuts",
        "slices",
        "operators",
        "cuts-comparison",
        "makers",
        "convergence",
        "variants",
    ];
    assert_eq!(sections, order);
    assert!(quantity(&story, "states").formula.is_none());
    assert_eq!(quantity(&story, "states").note, "search complete");
}

/// A section that was replaced.
fn told_anew<'a>(fills: &'a [Patch], id: &str) -> &'a Section {
    let sections = fills.iter().filter_map(|fill| match fill {
        Patch::Section(section) => Some(section),
        _ => None,
    });
    let mut sections = sections.filter(|section| section.id == id);
    sections.next().unwrap_or_else(|| panic!("no {id}"))
}

/// What the pieces of something come to.
fn gathered(scenario: &Scenario, section: &Section, at: usize) -> Vec<Patch> {
    let more = &section.more[at];
    let piece = |piece: &String| {
        let piece = scenario.run_subtask(piece, &more.load, &mut |_, _| ());
        Some(SubtaskResult::from(piece.expect("a piece")))
    };
    let pieces: Vec<Option<SubtaskResult>> = more.subtasks.iter().map(piece).collect();
    match scenario.aggregate(&more.query, &more.load, &pieces) {
        Ok(AggregateResult::Fills(fills)) => fills,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_page_gets_the_order_then_a_split_then_what_searches_find() {
    let mut scenario = presets::paper();
    scenario.split.search.moves = 1000.0;
    scenario.split.search.population = 20.0;
    scenario.split.search.generations = 12.0;
    let telling = scenario.present(&mut |_, _, _| ()).expect("a story");
    let waiting = telling.section("cuts").expect("a place for the split");
    assert!(waiting.blocks.is_empty());
    assert!(matches!(waiting.more[0].when, Trigger::Now(_)));
    let quick = scenario.at_once(&waiting.more[0].query, &mut |_, _| ());
    let quick = quick.expect("a split");
    let first = told_anew(&quick, "cuts").verdict().expect("words").clone();
    // Two chains, and what they come to.
    let search = telling.section("convergence").expect("a search");
    assert_eq!(
        (search.more[0].when, search.more[0].subtasks.len()),
        (Trigger::Idle, 2)
    );
    let found = gathered(&scenario, search, 0);
    let then = told_anew(&found, "cuts").verdict().expect("words").clone();
    assert_ne!(first.headline, then.headline);
    let file = scenario.file("answer").expect("a file");
    let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let best = file["split"]["best"]["latency_ms"]
        .as_f64()
        .expect("a time");
    let said = document::quantity::millis(best);
    assert!(then.headline.to_string().contains(&said), "{said}");
    // The paper’s search goes on until it has ended, and can be run again then.
    let mut section = telling.section("genetic").expect("a search").clone();
    assert!(matches!(section.more[0].when, Trigger::Pressed(_)));
    let mut rounds = 0;
    loop {
        rounds += 1;
        section = told_anew(&gathered(&scenario, &section, 0), "genetic").clone();
        if matches!(section.more[0].when, Trigger::Pressed(_)) {
            break;
        }
    }
    assert!(rounds <= 2, "{rounds} rounds of ten generations for 12");
    let text = format!("{:?}", section.blocks);
    assert!(text.contains("Ended after generation "), "{text}");
    // Other devices, range by range.
    let devices = telling.section("variants").expect("a place");
    let tried: Vec<usize> = devices
        .more
        .iter()
        .map(|more| more.subtasks.len())
        .collect();
    assert_eq!(tried, [8, 10, 7]);
}

#[test]
fn a_graph_that_cannot_be_cut_says_why() {
    let scenario = Scenario {
        weights: engine::graph::Weights::Resident,
        ..presets::paper()
    };
    let telling = scenario.present(&mut |_, _, _| ()).expect("a story");
    let waiting = telling.section("cuts").expect("a place for the split");
    let fills = scenario.at_once(&waiting.more[0].query, &mut |_, _| ());
    let fills = fills.expect("a reason");
    let said = format!("{:?}", told_anew(&fills, "cuts").blocks);
    assert!(said.contains("No split over devices: "), "{said}");
    assert!(told_anew(&fills, "slices").blocks.is_empty());
}

#[test]
fn an_infeasible_order_has_no_figures() {
    let story = whole(Scenario {
        limit_mib: Some(2.0),
        ..presets::paper()
    });
    let keys: Vec<&str> = story.quantities().map(|one| one.key.as_str()).collect();
    assert_eq!(keys[0], "split_time", "{keys:?}");
    check_forms(&story);
}

#[test]
fn the_command_line_explains_a_figure_by_its_name() {
    let mut scenario = presets::named("operators-table2")
        .expect("a preset")
        .scenario;
    scenario.split.search.moves = 1000.0;
    let file = scenario.to_json();
    let told = edgewise(&["run", "-", "--explain", "peak"], &file);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let said = told.out.replace('\u{202f}', " ");
    for line in [
        "Peak, at step 2: 19.23 MiB",
        "Formula: peak = max Me; Me = Mi + w + out",
        "Here: 12.82 MiB kept in 2 tensors + 0.28 MiB of weights + 6.12 MiB of output = 19.23 MiB",
        "Source: MemoriaNova, section 2.2 and Table 2: the largest execution stage",
    ] {
        assert!(said.lines().any(|other| other == line), "{line} in {said}");
    }
    let refused = edgewise(&["run", "-", "--explain", "speed"], &file);
    assert_eq!(refused.code, 2, "{refused:?}");
    let names = "kept, new_output, weights, peak, sum, states, arena, arena_bound, arena_gap";
    assert!(refused.err.contains(names), "{refused:?}");
}
