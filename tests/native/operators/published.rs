//! The figures of MemoriaNova on its eleven graphs, and what they are known to come to here.

use engine::evaluate::operators::trace;
use engine::graph::{Graph, Objective, catalogue};
use engine::papers::MEMORIANOVA;
use engine::solve::{Ended, Limits, NoProgress};
use methods::operators::arena::arena;
use methods::operators::order::{btsearch, solve};
use planner::operators::OrderCase;
use presenters::published::memorianova;

const MIB: f64 = 1_048_576.0;

fn case(at: usize) -> OrderCase {
    planner::operators::case(at, &mut |_, _| ()).expect("a model of the catalogue")
}

/// Bytes as Table 4 prints them.
fn cut(bytes: u64) -> String {
    let hundredths = (bytes as f64 / MIB * 100.0).floor();
    format!("{:.2}", hundredths / 100.0)
}

/// Model; Table 4's least and greedy sums, cut, where they are not those of the paper; sum and its greedy order, peak and its greedy order [MiB]; sets and steps.
type Known = (
    &'static str,
    Option<[&'static str; 2]>,
    [f64; 4],
    Option<(u64, u64)>,
);

const KNOWN: [Known; 11] = [
    ("vgg13", None, [141.63, 141.63, 24.64, 24.64], None),
    (
        "resnet50",
        None,
        [262.23, 262.23, 9.86, 9.86],
        Some((84, 95)),
    ),
    (
        "inceptionv3",
        None,
        [245.15, 246.77, 7.98, 7.98],
        Some((1196, 3377)),
    ),
    ("mobilenetv3", None, [19.38, 19.38, 1.34, 1.34], None),
    ("squeezenet", None, [49.15, 49.15, 5.42, 5.42], None),
    ("efficientnet_b0", None, [99.34, 99.34, 5.75, 5.75], None),
    (
        "googlenet",
        None,
        [80.39, 83.67, 3.83, 3.83],
        Some((486, 1223)),
    ),
    (
        "regnet",
        None,
        [495.62, 498.68, 17.97, 19.50],
        Some((107, 118)),
    ),
    (
        "gpt2",
        Some(["896.30", "896.30"]),
        [577.92, 577.92, 12.75, 12.75],
        Some((160, 159)),
    ),
    (
        "bert",
        Some(["760.99", "760.99"]),
        [513.48, 513.48, 11.25, 11.25],
        Some((234, 305)),
    ),
    (
        "qwen2",
        Some(["7517.61", "7715.87"]),
        [6188.37, 6240.50, 62.75, 62.75],
        Some((814, 1317)),
    ),
];

#[test]
fn the_eleven_graphs_come_out_as_they_are_known_to() {
    let cases: Vec<OrderCase> = (0..KNOWN.len()).map(case).collect();
    for (case, (name, table4, held, lattice)) in cases.iter().zip(KNOWN) {
        assert_eq!(catalogue::MODELS[case.at].name, name);
        let row = MEMORIANOVA.row(&format!("table-4/{name}"));
        let table4 = table4.unwrap_or([row.printed(0), row.printed(1)]);
        assert_eq!([cut(case.table4), cut(case.greedy)], table4, "{name}");
        let ours = [case.sum, case.greedy_sum, case.peak, case.greedy_peak];
        for (ours, known) in ours.iter().zip(held) {
            let ours = *ours as f64 / MIB;
            assert!(
                (ours - known).abs() <= 0.005 + 1e-9,
                "{name}: {ours} is not {known}"
            );
        }
        assert!(
            lattice.is_none_or(|known| known == case.lattice),
            "{name}: {:?}",
            case.lattice
        );
        assert!(case.random.sum.least >= case.sum && case.random.table4.least >= case.table4);
        assert!(case.random.peak.least >= case.peak && case.peft >= case.table4);
    }
    let counters = |name: &str| {
        let at = KNOWN.iter().position(|known| known.0 == name);
        cases[at.expect("a model")].search
    };
    let others = [("bert", [72, 1]), ("qwen2", [263_896, 1125])];
    for row in MEMORIANOVA.group("table-5") {
        let other = others.iter().find(|(name, _)| *name == row.name());
        let [pruned, searched] = other.map_or(row.wholes(), |(_, known)| *known);
        let known = Some((pruned as u64, searched as u64));
        assert_eq!(counters(row.name()), known, "{}", row.key);
    }

    // What the page says of them.
    let claims = memorianova::claims(&cases);
    let words: Vec<(String, String)> = claims
        .iter()
        .map(|claim| (claim.ours.text(), claim.agreement.text()))
        .collect();
    let said = |at: usize| (words[at].0.as_str(), words[at].1.as_str());
    assert_eq!(said(0), ("26 of 27", "In part"));
    assert_eq!(said(1), ("16 of 16", "Agrees"));
    assert_eq!(said(2), ("0 of 6", "Not reproduced"));
    assert_eq!(said(3), ("5 of 7", "In part"));
    assert_eq!(said(4), ("12.49\u{202f}%", "Agrees"));
    let agreed = memorianova::table_4(&cases)
        .to_csv()
        .matches(",Agrees")
        .count();
    assert_eq!(agreed, 8);
    assert_eq!(
        memorianova::table_5(&cases)
            .to_csv()
            .matches(",Agrees")
            .count(),
        5
    );
    assert_eq!(memorianova::memory_table(&cases).rows.len(), 11);
    assert_eq!(memorianova::table_2().rows.len(), 6);

    // Before anything was computed.
    assert!(
        memorianova::claims(&[])[1..]
            .iter()
            .all(|claim| claim.agreement.text() == "Not run yet")
    );
    assert!(
        memorianova::table_4(&cases[..3])
            .to_csv()
            .contains("Not run yet")
    );
}

#[test]
fn the_search_counts_as_the_paper_does_under_what_is_held_too() {
    for (name, pruned, searched) in [
        ("resnet50", 20, 20),
        ("inceptionv3", 1_292_444, 1223),
        ("googlenet", 225_830, 1312),
        ("regnet", 28, 3),
    ] {
        let graph = catalogue::graph(name).expect("a model");
        let found = btsearch::search(&graph, Objective::Sum, &Limits::default(), &mut NoProgress);
        assert_eq!((found.pruned, found.searched), (pruned, searched), "{name}");
        assert_eq!(found.ended, Ended::Optimal);
    }
}

#[test]
fn an_order_of_each_graph_fits_where_it_says() {
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let peak = solve(
            &graph,
            Objective::Peak,
            None,
            &Limits::default(),
            &mut NoProgress,
        )
        .expect("an order");
        let all = |order: &[u32]| trace(&graph, order).expect("an order").peak();
        assert_eq!(all(&peak.order), peak.value, "{}", model.name);
        // The least sum under that limit is an order of the least peak.
        let tight = solve(
            &graph,
            Objective::Sum,
            Some(peak.value),
            &Limits::default(),
            &mut NoProgress,
        );
        let tight = tight.expect("the limit can be kept");
        assert_eq!(all(&tight.order), peak.value, "{}", model.name);
        let below = solve(
            &graph,
            Objective::Sum,
            Some(peak.value - 1),
            &Limits::default(),
            &mut NoProgress,
        );
        assert!(below.is_err(), "{}", model.name);
        let found = arena(&graph, &tight.order, 16).expect("an order");
        println!(
            "{}: arena {} bytes, at least {}",
            model.name, found.size, found.bound
        );
        assert!(
            found.size as f64 <= 1.1 * found.bound as f64,
            "{}",
            model.name
        );
    }
}

#[test]
fn a_graph_reads_back_as_it_was_written() {
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let text = serde_json::to_string(&graph.document()).expect("plain data");
        assert_eq!(
            Graph::from_json(&text).as_ref(),
            Ok(&graph),
            "{}",
            model.name
        );
    }
}
