//! All weights resident: the best order by that rule against every order there is, and how scenarios say it.

use crate::cases::cases;
use crate::operator_graphs::small;
use engine::evaluate::operators::trace;
use engine::graph::{Document, Graph, Objective, Weights};
use engine::problem::partition::{Fleet, Link, Profile, TimeModel};
use engine::scenario::operators::{Scenario, difference, presets};
use engine::scenario::{Any, link};
use engine::solve::{Ended, Limits, NoProgress};
use methods::operators::order::{
    ExactOrder, SearchMemory, brute, btsearch, solve, solve_within, value,
};
use methods::operators::split::{DimPolicy, SplitTask};
use planner::operators::{OperatorsRequest, OperatorsResult, Plan, answer};
use presenters::operators::verdict;

fn resident(graph: &Graph) -> Graph {
    let graph = graph.clone().with_weights(Weights::Resident);
    graph.expect("a few bytes")
}

/// The same graph without weights, of which only tensors are held.
fn bare(graph: &Graph) -> Graph {
    let mut document: Document = graph.document();
    document.ops.iter_mut().for_each(|op| op.w = 0);
    Graph::new(document).expect("a graph")
}

fn exact(graph: &Graph, objective: Objective) -> ExactOrder {
    solve(graph, objective, None, &Limits::default(), &mut NoProgress).expect("there is no limit")
}

#[test]
fn the_least_peak_is_all_weights_and_the_least_of_the_tensors() {
    let mut other_orders = 0;
    for seed in 0..cases(300) {
        let graph = small(seed, 1 + seed as usize % 7);
        let (all, n) = (graph.weights(), graph.len() as u64);
        let (stays, tensors) = (resident(&graph), bare(&graph));
        let least = |graph: &Graph, objective| {
            let best = brute::best(graph, objective, None);
            best.expect("no limit").1
        };
        for (objective, known) in [
            (Objective::Peak, all + least(&tensors, Objective::Peak)),
            (Objective::Sum, n * all + least(&tensors, Objective::Sum)),
            // The paper's table counts each operator's weights once.
            (Objective::Table4, least(&graph, Objective::Table4)),
        ] {
            let what = format!("seed {seed}, {objective:?}");
            let found = exact(&stays, objective);
            assert_eq!(
                (found.value, found.bound, found.ended),
                (known, known, Ended::Optimal),
                "{what}"
            );
            let replayed = trace(&stays, &found.order).expect("an order");
            assert_eq!(value(&replayed, objective), known, "{what}");
            let searched = btsearch::search(&stays, objective, &Limits::default(), &mut NoProgress);
            assert_eq!(searched.value, known, "{what}");
            let room = SearchMemory {
                states: 2,
                memory: usize::MAX,
                beam: 8,
            };
            let narrow = solve_within(
                &stays,
                objective,
                None,
                room,
                &Limits::default(),
                &mut NoProgress,
            );
            let narrow = narrow.expect("there is no limit");
            assert!(
                narrow.bound <= known && known <= narrow.value,
                "{what}: {narrow:?}"
            );
        }
        // Step by step: the tensors of the order, and all weights beside them.
        let order: Vec<u32> = (0..n as u32).collect();
        let (held, alone) = (trace(&stays, &order), trace(&tensors, &order));
        let (held, alone) = (held.expect("an order"), alone.expect("an order"));
        let plus = |bytes: &[u64]| bytes.iter().map(|bytes| bytes + all).collect::<Vec<_>>();
        assert_eq!(held.running, plus(&alone.running));
        assert_eq!(held.interval, plus(&alone.interval));
        let loaded = exact(&graph, Objective::Peak).order;
        let loaded = trace(&stays, &loaded).expect("an order").peak();
        other_orders += u32::from(loaded > exact(&stays, Objective::Peak).value);
    }
    assert!(other_orders > 0, "the rule never asks for another order");
}

fn plan(scenario: &Scenario) -> Plan {
    match answer(scenario, &OperatorsRequest::Plan, &mut |_, _, _| ()).expect("a scenario") {
        OperatorsResult::Plan(plan) => *plan,
        other => panic!("asked for a plan: {other:?}"),
    }
}

fn told(scenario: &Scenario) -> [String; 3] {
    let graph = scenario.graph().expect("a graph");
    let said = verdict(scenario, &graph, &plan(scenario));
    [said.headline, said.summary, said.reason].map(|text| text.to_string().replace('\u{202f}', " "))
}

fn resnet(weights: Weights) -> Scenario {
    Scenario {
        weights,
        objective: Objective::Peak,
        ..presets::named("resnet50").expect("a preset").scenario
    }
}

#[test]
fn the_rule_travels_only_where_it_is_not_the_usual_one() {
    let usual = resnet(Weights::PerOperator);
    assert!(!usual.to_json().contains("weights\":\"per"));
    let chosen = resnet(Weights::Resident);
    let text = chosen.to_json();
    assert!(text.contains(r#""objective":"peak","weights":"resident","limit_mib""#));
    for scenario in [usual.clone(), chosen.clone()] {
        let opened = link::decode(&link::of(&scenario));
        assert_eq!(opened, Ok(Any::from(scenario)));
    }
    let ids = [1, 2, 3, 4];
    let step = difference((&usual, &ids), (&chosen, &ids));
    assert_eq!(step, "all weights resident");
    let back = difference((&chosen, &ids), (&usual, &ids));
    assert_eq!(back, "weights only while their operator runs");
}

#[test]
fn the_words_say_which_rule_counts() {
    let all = presets::named("resnet50").expect("a preset").scenario;
    let all = all.graph().expect("a graph").weights();
    let (usual, chosen) = (resnet(Weights::PerOperator), resnet(Weights::Resident));
    let [headline, lead, _] = told(&usual);
    assert!(
        headline.starts_with("ResNet50 runs in 9.86 MiB."),
        "{headline}"
    );
    let found = plan(&chosen);
    let ours = found.ours.as_ref().expect("an order");
    assert_eq!((ours.peak, found.gap), (found.least_peak, Some(0.0)));
    let tensors = ours.trace.running.iter().map(|bytes| bytes - all);
    assert_eq!(tensors.max(), Some(ours.peak - all));
    let size = engine::units::memory(ours.peak as f64).replace('\u{202f}', " ");
    let [own_headline, own_lead, reason] = told(&chosen);
    assert!(own_headline.starts_with(&format!("ResNet50 runs in {size}. All weights (")));
    assert!(
        own_headline.ends_with(") stay in memory."),
        "{own_headline}"
    );
    assert!(
        lead.contains("With all weights resident this order peaks at"),
        "{lead}"
    );
    let other = "With weights held only while their operator runs this order peaks at";
    assert!(own_lead.contains(other), "{own_lead}");
    assert!(reason.contains("all weights take"), "{reason}");
    // A limit below the weights is one that no order keeps.
    let tight = Scenario {
        limit_mib: Some(12.0),
        ..chosen.clone()
    };
    let [headline, _, reason] = told(&tight);
    assert!(headline.starts_with("No order fits into 12.00 MiB. All weights ("));
    assert!(
        reason.starts_with("The weights alone need more."),
        "{reason}"
    );
    let above = presenters::operators::least_limit(&plan(&tight));
    let kept = Scenario {
        limit_mib: Some(above),
        ..tight
    };
    assert_eq!(plan(&kept).ours.map(|ours| ours.peak), Some(ours.peak));
}

#[test]
fn a_split_refuses_resident_weights_by_name() {
    let chosen = resnet(Weights::Resident);
    let order = plan(&chosen).ours.expect("an order").order;
    let asked = answer(
        &chosen,
        &OperatorsRequest::Splits { order },
        &mut |_, _, _| (),
    );
    let fault = asked.expect_err("no split");
    assert_eq!(fault.path, "weights");
    assert!(
        fault
            .message
            .starts_with("weights must be \"per-operator\" for a split over devices"),
        "{fault}"
    );
    let graph = resident(&small(3, 4));
    let fleet = Fleet::new(vec![1.0], vec![1e9], 100.0, Link::Own).expect("a device");
    let times = TimeModel::Profile(Profile::FITTED);
    let slices = engine::evaluate::slices::Slices::new(&graph, fleet, &times, true);
    let task = SplitTask::new(slices.expect("a model"), vec![0, 1, 2, 3], DimPolicy::Free);
    assert_eq!(task.map(|_| ()), Err(fault));
}

#[test]
fn resident_weights_beyond_62_bits_are_refused() {
    let large = 1u64 << 53;
    let ops: Vec<String> = (0..300)
        .map(|v| {
            format!(
                r#"{{"kind":"x","ins":[{}],"out":1,"w":{large},"shape":[1]}}"#,
                v - 1
            )
        })
        .collect();
    let text = format!(r#"{{"inputs":[1],"ops":[{}]}}"#, ops.join(","));
    let graph = Graph::from_json(&text).expect("the sum of the weights fits");
    let fault = graph
        .with_weights(Weights::Resident)
        .expect_err("too many bytes");
    assert_eq!(fault.path, "weights");
    assert!(fault.message.contains("exceed 62 bits"), "{fault}");
}
