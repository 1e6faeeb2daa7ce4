//! What MemoriaNova's split and its baselines come to on the ten graphs whose figures are known.

use document::Cell;
use engine::evaluate::slices::Slices;
use engine::graph::{Graph, Objective, catalogue};
use engine::papers::MEMORIANOVA;
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::solve::{Limits, NoProgress};
use methods::operators::order;
use methods::operators::split::baseline::{coedge, deepthings, local};
use methods::operators::split::{DimPolicy, SplitTask, proportional};
use planner::operators::{SCALED, SplitCase};
use presenters::published::memorianova_split;

const MIB: f64 = 1_048_576.0;

/// The devices of Table 3 with this limit each [MiB], under the paper's rule in the order of least sum.
fn task(graph: &Graph, limit: f64) -> SplitTask<'_> {
    let order = order::solve(
        graph,
        Objective::Sum,
        None,
        &Limits::default(),
        &mut NoProgress,
    );
    let fleet = Fleet::new(
        vec![1.0, 1.0, 0.8, 0.8],
        vec![limit * MIB; 4],
        2000.0,
        Link::Own,
    );
    let times = TimeModel::Profile(Profile::FITTED);
    let slices = Slices::new(graph, fleet.expect("devices"), &times, true).expect("a model");
    let order = order.expect("an order").order;
    SplitTask::new(slices, order, DimPolicy::Rule(Reading::MoreCopies)).expect("a task")
}

/// Mean of the devices by themselves, fused tiles, CoEdge, in proportion to speed [ms].
const KNOWN: [(&str, [f64; 4]); 10] = [
    ("vgg13", [276.0, 209.2, 78.8, 91.7]),
    ("mobilenetv3", [51.0, 56.0, 42.6, 45.4]),
    ("squeezenet", [70.5, 59.4, 32.1, 37.4]),
    ("googlenet", [127.7, 127.0, 64.9, 78.5]),
    ("resnet50", [396.8, 383.9, 137.6, 187.3]),
    ("inceptionv3", [366.8, 363.7, 149.9, 197.0]),
    ("efficientnet_b0", [142.4, 153.1, 110.1, 117.0]),
    ("regnet", [852.6, 812.0, 262.9, 439.1]),
    ("gpt2", [1058.0, 1122.9, 418.1, 416.0]),
    ("bert", [1030.7, 1091.3, 357.2, 357.2]),
];

#[test]
fn the_baselines_come_out_as_they_are_known_to() {
    for (name, known) in KNOWN {
        let graph = catalogue::graph(name).expect("a model");
        let task = task(&graph, 5000.0);
        let tiles = deepthings(&task);
        let subsets = coedge(&task).expect("four devices");
        assert!(subsets.fits && tiles.violation == 0.0, "{name}");
        let everybody = proportional(&task, task.dims(), 0b1111);
        let found = [
            local(&task).mean_ms,
            tiles.latency_ms,
            task.score(&subsets.plan).latency_ms,
            task.score(&everybody).latency_ms,
        ];
        println!("{name}: {found:.2?}");
        for (found, known) in found.iter().zip(known) {
            assert!(
                (found - known).abs() <= 0.05 + 1e-9,
                "{name}: {found} is not {known}"
            );
        }
    }
}

#[test]
fn published_splits_are_shown_next_to_ours() {
    let cases: Vec<SplitCase> = (0..catalogue::MODELS.len()).map(case).collect();
    for (case, model) in cases.iter().zip(catalogue::MODELS) {
        let methods = case.methods;
        println!("{} {methods:.2?} {:.1?}", model.name, case.space);
        println!(
            "  {:.2} {:.2} {:.1?} {:.1?} {:.1?}",
            case.peak as f64 / MIB,
            case.table4_peak as f64 / MIB,
            case.devices_own,
            case.devices_shared,
            case.mixes
        );
        assert!(
            methods.bound <= methods.free && methods.free <= methods.rule,
            "{}",
            model.name
        );
        assert!(methods.free <= methods.coedge, "{}", model.name);
        let list = if SCALED.contains(&model.name) { 8 } else { 0 };
        assert_eq!(case.devices_own.len(), list);
        // What is found on one shared link runs on links of their own, no later.
        let pairs = case.devices_own.iter().zip(&case.devices_shared);
        for (own, shared) in pairs {
            assert!(own <= shared, "{}: {own} {shared}", model.name);
        }
        // The genetic search has the proportional split among its first plans, and is no annealing.
        assert!(methods.genetic <= methods.proportional, "{}", model.name);
        assert!(methods.bound <= methods.genetic, "{}", model.name);
    }
    // Section 11 of what is known: height, channels, length.
    for (name, known) in [
        ("vgg13", [142.1, 74.9, 0.0]),
        ("mobilenetv3", [352.0, 393.6, 0.0]),
        ("efficientnet_b0", [537.1, 728.4, 0.0]),
        ("resnet50", [411.2, 576.3, 0.0]),
        ("squeezenet", [248.0, 116.8, 0.0]),
        ("inceptionv3", [576.2, 807.0, 0.0]),
        ("googlenet", [412.3, 366.8, 0.0]),
        ("regnet", [447.6, 1001.0, 0.0]),
        ("gpt2", MEMORIANOVA.row("table-6/gpt2").numbers()),
        ("bert", MEMORIANOVA.row("table-6/bert").numbers()),
    ] {
        for (found, known) in of(&cases, name).space.iter().zip(known) {
            assert!(
                (found - known).abs() <= 0.05 + 1e-9,
                "{name}: {found} is not {known}"
            );
        }
    }
    for (name, counted) in [
        ("vgg13", 36.89),
        ("resnet50", 15.31),
        ("inceptionv3", 11.85),
        ("mobilenetv3", 1.94),
        ("squeezenet", 9.77),
        ("efficientnet_b0", 19.53),
        ("googlenet", 6.89),
        ("regnet", 30.22),
        ("gpt2", 15.75),
    ] {
        let found = of(&cases, name).table4_peak as f64 / MIB;
        assert!(
            (found - counted).abs() <= 0.005 + 1e-9,
            "{name}: {found} is not {counted}"
        );
    }

    let claims = memorianova_split::claims(&cases);
    for claim in &claims {
        println!(
            "{}: {} | {} | {} | {}",
            claim.name,
            claim.published.text(),
            claim.ours.text(),
            claim.agreement.text(),
            claim.reason
        );
    }
    let said: Vec<(String, String)> = claims
        .iter()
        .map(|claim| (claim.ours.text(), claim.agreement.text()))
        .collect();
    let said: Vec<(&str, &str)> = said.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(said[0], ("4 of 5", "In part"), "Table 1");
    assert_eq!(said[1].1, "In part", "Table 6");
    assert_eq!(said[2].1, "Not reproduced", "GenEFlow and CoEdge");
    assert_eq!(said[3].1, "Not reproduced", "33.9 %");
    assert_eq!(
        said[4],
        ("\u{2013}", "Not comparable"),
        "Table 7: no hours of ours"
    );
    assert_eq!(said[5], ("8 of 8", "Agrees"), "Table 8");
    assert_eq!(said[6], ("0 of 4", "Not reproduced"), "Fig. 10");
    let falls =
        |case: &&SplitCase| !case.mixes.is_empty() && case.mixes.is_sorted_by(|a, b| a >= b);
    let falls = cases.iter().filter(falls).count();
    assert!(falls >= 3, "the search is that good");
    assert_eq!(said[7].0, format!("{falls} of 4"), "Fig. 11");

    assert_eq!(memorianova_split::table_6(&cases).rows.len(), 11);
    assert_eq!(memorianova_split::table_7().rows.len(), 11);
    assert_eq!(memorianova_split::table_8().rows.len(), 32);
    assert_eq!(memorianova_split::latencies(&cases).rows.len(), 11);
    assert_eq!(
        memorianova_split::thresholds(&cases)
            .to_csv()
            .matches(",Agrees")
            .count(),
        8
    );
    assert_eq!(memorianova_split::fig_10(&cases).rows.len(), 8);
    assert_eq!(memorianova_split::fig_11(&cases).rows.len(), 7);
    for table in [
        memorianova_split::latencies(&cases),
        memorianova_split::fig_10(&cases),
        memorianova_split::fig_11(&cases),
    ] {
        let wide = |row: &Vec<Cell>| row.len() == table.columns.len();
        assert!(table.rows.iter().all(wide), "{}", table.name);
    }
    // What is computed is what is claimed: a rise among the configurations of Fig. 11 is counted.
    let mut risen = cases.clone();
    let vgg = risen.iter_mut().find(|case| !case.mixes.is_empty());
    vgg.expect("a model of Fig. 11").mixes[3] *= 1.5;
    let claims = memorianova_split::claims(&risen);
    assert_eq!(
        claims[7].ours.text(),
        format!("{} of 4", falls - 1),
        "Fig. 11"
    );
    // Before anything was computed.
    let none = memorianova_split::claims(&[]);
    assert_eq!(none.len(), claims.len());
    let waiting = none
        .iter()
        .filter(|claim| claim.agreement.text() == "Not run yet");
    assert_eq!(waiting.count(), 6, "two need no model");
}

fn case(at: usize) -> SplitCase {
    planner::operators::split_case(at, &mut |_, _| ()).expect("a model of the catalogue")
}

fn of<'c>(cases: &'c [SplitCase], name: &str) -> &'c SplitCase {
    let at = catalogue::MODELS
        .iter()
        .position(|model| model.name == name);
    &cases[at.expect("a model")]
}
