//! What MemoriaNova's split and its baselines come to on the ten graphs whose figures are known.

use edgewise::evaluate::slices::Slices;
use edgewise::graph::{Graph, Objective, catalogue};
use edgewise::methods::operators::order;
use edgewise::methods::operators::split::baseline::{coedge, deepthings, local};
use edgewise::methods::operators::split::{Task, Wish, proportional};
use edgewise::problem::partition::{Fleet, Link, Profile, Reading, Times};
use edgewise::solve::{Deaf, Limits};

const MIB: f64 = 1_048_576.0;

/// The devices of Table 3 with this limit each [MiB], under the paper's rule in the order of least sum.
fn task(graph: &Graph, limit: f64) -> Task<'_> {
    let order = order::solve(graph, Objective::Sum, None, &Limits::default(), &mut Deaf);
    let fleet = Fleet::new(
        vec![1.0, 1.0, 0.8, 0.8],
        vec![limit * MIB; 4],
        2000.0,
        Link::Own,
    );
    let times = Times::Profile(Profile::FITTED);
    let slices = Slices::new(graph, fleet.expect("devices"), &times, true).expect("a model");
    let order = order.expect("an order").order;
    Task::new(slices, order, Wish::Rule(Reading::MoreCopies)).expect("a task")
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
