//! The cost model of slicing against the worked example: the graph of Table 2 over three devices.

use engine::evaluate::slices::Slices;
use engine::graph::Graph;
use engine::plan::Dim;
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::scenario::operators::presets::table_2;
use methods::operators::split::{DimPolicy, SplitTask, proportional};

const MIB: f64 = 1_048_576.0;

#[test]
fn the_worked_example_comes_out_to_the_byte() {
    let graph = Graph::new(table_2()).expect("a graph");
    let fleet = Fleet::new(vec![1.0, 1.0, 0.8], vec![50.0 * MIB; 3], 2000.0, Link::Own);
    let times = TimeModel::Profile(Profile::FITTED);
    let slices = Slices::new(&graph, fleet.expect("devices"), &times, true).expect("a model");
    let wish = DimPolicy::Rule(Reading::MoreCopies);
    let task = SplitTask::new(slices, vec![0, 1, 2, 3], wish).expect("a task");
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
    let kib = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let row = |row: &Vec<f64>| row.iter().map(|bytes| bytes / 1024.0).collect();
        rows.iter().map(row).collect()
    };
    let held = [
        [4458.75, 4458.75, 5410.75],
        [6644.0, 6812.0, 8156.0],
        [4409.5, 4521.5, 5417.5],
        [3808.0, 3920.0, 4816.0],
    ];
    assert_eq!(kib(&score.mem), held.map(Vec::from));

    // The second convolution by channels.
    let mut dims = task.dims();
    dims[1] = Dim::Cout;
    let plan = proportional(&task, dims, 0b111);
    assert_eq!(plan.cuts.of(1), [0, 39, 79, 128]);
    let score = task.score(&plan);
    for (found, known) in score.op_ms.iter().zip([9.9045, 58.9029, 5.2779, 11.0768]) {
        assert!((found - known).abs() < 5e-5, "{found} is not {known}");
    }
    assert!((score.latency_ms - 85.1621).abs() < 5e-5);
    assert!((score.comm_bytes - 17_102_400.0).abs() < 1e-6);
    assert_eq!(score.op_comm_bytes[1], 12_845_056.0);
    let received = task.slices.shares(3, &plan.dims, &plan.cuts);
    let received: Vec<f64> = received
        .iter()
        .map(|share| share.received.round())
        .collect();
    assert_eq!(received, [1_355_648.0, 1_379_840.0, 1_521_856.0]);
    for (v, known) in [
        (1, [15130.75, 15182.0, 15643.25]),
        (3, [5138.88, 5267.5, 6295.19]),
    ] {
        for (found, known) in kib(&score.mem)[v].iter().zip(known) {
            assert!((found - known).abs() < 0.006, "{v}: {found} is not {known}");
        }
    }
}
