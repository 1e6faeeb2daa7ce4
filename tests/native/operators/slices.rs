//! The cost model of slicing against the worked example: the graph of Table 2 over three devices.

use edgewise::evaluate::slices::Slices;
use edgewise::graph::Graph;
use edgewise::methods::operators::split::{Task, Wish, proportional};
use edgewise::plan::Dim;
use edgewise::problem::partition::{Fleet, Link, Profile, Reading, Times};
use edgewise::scenario::operators::presets::table_2;

const MIB: f64 = 1_048_576.0;

#[test]
fn the_worked_example_comes_out_to_the_byte() {
    let graph = Graph::new(table_2()).expect("a graph");
    let fleet = Fleet::new(vec![1.0, 1.0, 0.8], vec![50.0 * MIB; 3], 2000.0, Link::Own);
    let times = Times::Profile(Profile::FITTED);
    let slices = Slices::new(&graph, fleet.expect("devices"), &times, true).expect("a model");
    let wish = Wish::Rule(Reading::MoreCopies);
    let task = Task::new(slices, vec![0, 1, 2, 3], wish).expect("a task");
    let copies: Vec<(f64, f64)> = task.rules.iter().map(|rule| (rule.k1, rule.k2)).collect();
    assert_eq!(
        copies[..3],
        [(239.0, 20810.0), (11.0, 465.0), (239.0, 10405.0)]
    );
    assert!(task.dims().iter().all(|dim| *dim == Dim::Fmh));

    let plan = proportional(&task, task.dims(), 0b111);
    let rows: Vec<&[u32]> = plan.cuts.rows().collect();
    assert_eq!(rows[0], [0, 69, 138, 224]);
    for row in &rows[1..] {
        assert_eq!(*row, [0, 34, 69, 112]);
    }
    let score = task.score(&plan);
    for (found, known) in score.op_ms.iter().zip([9.9045, 7.9815, 5.2779, 5.1694]) {
        assert!((found - known).abs() < 5e-5, "{found} is not {known}");
    }
    assert!((score.latency_ms - 28.3333).abs() < 5e-5);
    assert!((score.comm_ms - 0.458_752).abs() < 1e-9);
    assert_eq!(score.comm_bytes, 172_032.0);
    let received: Vec<f64> = (task.slices.shares(1, &plan.dims, &plan.cuts).iter())
        .map(|share| share.received)
        .collect();
    assert_eq!(received, [0.0, 114_688.0, 57_344.0]);
    assert!(score.is_feasible());
}
