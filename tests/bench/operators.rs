//! How long orders of operators take: the best order of the eleven models beside the paper's search in the same run, wide
//! graphs of about a million sets, offsets in an arena, and reading a model file from memory. `cargo bench -p edgewise-bench --bench operators`
//! first prints the best and the median of many runs, then measures for half a minute.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use engine::graph::onnx::{Options, import};
use engine::graph::{Graph, Objective, catalogue};
use engine::solve::{Ended, Limits, NoProgress};
use methods::operators::arena::arena;
use methods::operators::order::{ExactOrder, btsearch, solve};
use std::hint::black_box;
use std::io::Cursor;
use std::time::{Duration, Instant};

#[path = "../shared/operator_graphs.rs"]
mod operator_graphs;

use operator_graphs::{lanes, layered};

/// States that the paper's search may enter before the comparison goes on without it.
const PATIENCE: u64 = 20_000_000;

fn best(graph: &Graph, objective: Objective) -> ExactOrder {
    solve(graph, objective, None, &Limits::default(), &mut NoProgress).expect("there is no limit")
}

fn depth_first(graph: &Graph, objective: Objective) -> btsearch::BtSearchResult {
    let limits = Limits {
        steps: Some(PATIENCE),
        ..Limits::default()
    };
    btsearch::search(graph, objective, &limits, &mut NoProgress)
}

/// The best and the median time of a call [ms].
fn timed<T>(runs: usize, mut call: impl FnMut() -> T) -> (f64, f64) {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            black_box(call());
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[runs / 2])
}

/// Graphs of about a million sets: chains side by side, which a window of 64 operators holds or, listed one after another,
/// does not; and lanes that wait for one another.
fn wide() -> Vec<(&'static str, Graph)> {
    vec![
        ("4 lanes of 31", lanes(1, 4, 31, true)),
        ("4 lanes of 31, lane by lane", lanes(1, 4, 31, false)),
        ("8 layers of 7", layered(0, 7, 8)),
    ]
}

fn models() -> Vec<(&'static str, Graph)> {
    let graph = |name| catalogue::graph(name).expect("a model");
    catalogue::MODELS
        .iter()
        .map(|model| (model.name, graph(model.name)))
        .collect()
}

fn orders(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("operators");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    let models = models();
    for (name, graph) in &models {
        for objective in Objective::ALL {
            let what = objective.name();
            let found = best(graph, objective);
            let (least, median) = timed(50, || best(graph, objective));
            println!(
                "{name}, {what}: {} sets, {} steps: best {least:.4} ms, median {median:.4} ms of 50",
                found.states, found.transitions
            );
            let once = Instant::now();
            let searched = depth_first(graph, objective);
            let once = once.elapsed().as_secs_f64() * 1e3;
            if searched.ended == Ended::Optimal {
                assert_eq!(searched.value, found.value, "{name}, {what}");
                println!(
                    "{name}, {what}: BTSearch: {} pruned, {} searched: {once:.4} ms, {:.1} times as long",
                    searched.pruned,
                    searched.searched,
                    once / median
                );
            } else {
                println!(
                    "{name}, {what}: BTSearch: not at its end after {PATIENCE} states, {once:.0} ms"
                );
            }
            let id = BenchmarkId::new(format!("exact_{what}"), name);
            group.bench_function(id, |b| b.iter(|| best(black_box(graph), objective)));
            if searched.ended == Ended::Optimal && once < 10.0 {
                let id = BenchmarkId::new(format!("btsearch_{what}"), name);
                group.bench_function(id, |b| b.iter(|| depth_first(black_box(graph), objective)));
            }
        }
    }
    for (name, graph) in &models {
        let order = best(graph, Objective::Sum).order;
        let found = arena(graph, &order, 16).expect("an order");
        let (least, median) = timed(20, || arena(graph, &order, 16));
        println!(
            "{name}, arena: {} bytes, at least {}: best {least:.4} ms, median {median:.4} ms of 20",
            found.size, found.bound
        );
        let id = BenchmarkId::new("arena", name);
        group.bench_function(id, |b| b.iter(|| arena(black_box(graph), &order, 16)));
    }
    for (name, _) in &models {
        let path = format!("{}/tests/models/{name}.onnx", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read(path).expect("the model file is there");
        let options = Options::default();
        let read = || import(Cursor::new(&file), name, &options).expect("a model");
        let (least, median) = timed(50, read);
        println!(
            "{name}, {} nodes from {} bytes: best {least:.4} ms, median {median:.4} ms of 50",
            read().nodes,
            file.len()
        );
        group.bench_function(BenchmarkId::new("import", name), |b| b.iter(read));
    }
    group.finish();
    for (name, graph) in wide() {
        for objective in Objective::ALL {
            let found = best(&graph, objective);
            let (least, median) = timed(3, || best(&graph, objective));
            println!(
                "{name}, {}: {:?}, {} sets, {} steps: best {least:.0} ms, median {median:.0} ms of 3, {:.2} million sets a second",
                objective.name(),
                found.ended,
                found.states,
                found.transitions,
                found.states as f64 / median / 1e3
            );
        }
    }
}

criterion_group!(benches, orders);
criterion_main!(benches);
