//! How long a partition of blocks over tiers takes: the exact bisection beside the paper's HypSplit-DP and the plain
//! program of O(T N squared), in the same run on the same problems. `cargo bench -p edgewise-bench --bench tiers` measures for half a minute.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use engine::problem::TierPartition;
use engine::solve::{Limits, NoProgress};
use methods::tiers::partition::{Objective, dp, front, hypsplit, least_bottleneck, solve};
use std::hint::black_box;
use std::time::Duration;

#[path = "../shared/instances.rs"]
mod instances;
#[path = "../shared/tier_partitions.rs"]
mod tier_partitions;

use instances::Draw;
use tier_partitions::{Make, numbers};

/// Unlike blocks with memory to spare, as many as models have and more; and blocks that are alike.
fn problems() -> Vec<(String, TierPartition)> {
    let mut draw = Draw::new(7);
    let mut made = Vec::new();
    for (blocks, tiers) in [(32, 3), (80, 6), (200, 6)] {
        for (name, make) in [("unlike", Make::Roomy), ("tight", Make::Tight)] {
            let mut problem = numbers(make, &mut draw, tiers, blocks).problem();
            while solve(&problem, Objective::Max).is_err() {
                problem = numbers(make, &mut draw, tiers, blocks).problem();
            }
            made.push((format!("{name}/blocks_{blocks}_tiers_{tiers}"), problem));
        }
        let ones = vec![1.0; blocks];
        let speeds: Vec<f64> = (0..tiers).map(|_| draw.between(0.5, 4.0)).collect();
        let room = vec![blocks as f64; tiers];
        let problem = TierPartition::new(&ones, &ones, &speeds, &room).expect("valid");
        made.push((format!("alike/blocks_{blocks}_tiers_{tiers}"), problem));
    }
    made
}

fn partitions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tiers_partition");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    for (name, problem) in &problems() {
        let best = least_bottleneck(problem).expect("a partition");
        let (_, plain) = dp::best(problem, Objective::Max).expect("a partition");
        assert!((best - plain).abs() <= 1e-9 * plain, "{best} and {plain}");
        group.bench_with_input(BenchmarkId::new("exact", name), problem, |b, problem| {
            b.iter(|| solve(black_box(problem), Objective::Max));
        });
        group.bench_with_input(
            BenchmarkId::new("exact_value", name),
            problem,
            |b, problem| {
                b.iter(|| least_bottleneck(black_box(problem)));
            },
        );
        group.bench_with_input(BenchmarkId::new("hypsplit", name), problem, |b, problem| {
            b.iter(|| {
                hypsplit(
                    black_box(problem),
                    1e-3,
                    &Limits::default(),
                    &mut NoProgress,
                )
            });
        });
        group.bench_with_input(BenchmarkId::new("plain", name), problem, |b, problem| {
            b.iter(|| dp::best(black_box(problem), Objective::Max));
        });
        group.bench_with_input(BenchmarkId::new("front", name), problem, |b, problem| {
            b.iter(|| front(black_box(problem), usize::MAX));
        });
    }
    group.finish();
}

criterion_group!(benches, partitions);
criterion_main!(benches);
