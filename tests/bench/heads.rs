//! How long a placement of attention heads takes: the exact one by counting, from a good previous placement as in a run and
//! from a random one, beside branch and bound where that ends, and Algorithm 1. `cargo bench -p edgewise-bench --bench heads` measures for
//! half a minute and first prints the median and the worst of many steps.

use criterion::{Criterion, criterion_group, criterion_main};
use engine::problem::heads::HeadPlacement;
use engine::solve::NoProgress;
use methods::heads::algorithm1::{self, Variant};
use methods::heads::branch_and_bound;
use methods::heads::exact::HeadSolver;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../shared/heads.rs"]
mod heads_made;
#[path = "../shared/instances.rs"]
mod instances;

use heads_made::network;
use instances::Draw;

/// Steps of runs: every token another background load, the best placement of the step before as the previous one, or a
/// random one.
fn steps(devices: usize, heads: u32, tokens: [u32; 2], random: bool) -> Vec<HeadPlacement> {
    let mut steps = Vec::new();
    for seed in 0..4 {
        let mut draw = Draw::new(seed);
        let base = network(&mut draw, devices, heads, 0);
        let mut solver = HeadSolver::new();
        let mut prev = None;
        for n in tokens[0]..=tokens[1] {
            let mut case = base.clone();
            for j in 0..devices {
                case.interval.compute[j] *= 1.0 - 0.3 * draw.unit();
                case.interval.memory[j] *= 1.0 - 0.3 * draw.unit();
            }
            (case.interval.n, case.interval.n_prev) = (n, n - 1);
            case.interval.prev = prev.clone();
            if random {
                let anywhere = (0..heads + 2).map(|_| draw.below(devices));
                case.interval.prev = Some(anywhere.collect());
            }
            let problem = case.problem();
            prev = solver.solve(&problem).map(|found| found.placement);
            steps.push(problem);
        }
    }
    steps
}

/// The same with memory that barely holds the layer: heads, proj and ffn have to share what there is.
fn tight(steps: &[HeadPlacement], room: f64) -> Vec<HeadPlacement> {
    let crammed = steps.iter().enumerate().map(|(seed, step)| {
        let mut draw = Draw::new(seed as u64);
        let all = step.sizes().all_memory(step.layer().form().h);
        let share = room * all / step.devices() as f64;
        (0..step.devices()).fold(step.clone(), |step, j| {
            step.with_memory(j, draw.between(0.2, 1.8) * share)
        })
    });
    crammed.collect()
}

/// Prints the median and the worst time of a step, each the best of five: the machine has other things to do.
fn print(name: &str, steps: &[HeadPlacement], mut solve: impl FnMut(&HeadPlacement)) {
    let mut times: Vec<f64> = steps
        .iter()
        .map(|step| {
            let mut once = || {
                let begun = Instant::now();
                solve(black_box(step));
                begun.elapsed().as_secs_f64() * 1e6
            };
            (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{name}: median {median:.0} us, worst {worst:.0} us of {} steps",
        times.len()
    );
}

fn placements(criterion: &mut Criterion) {
    let mut solver = HeadSolver::new();
    let good = steps(25, 32, [1, 100], false);
    let late = steps(25, 32, [900, 1000], false);
    let random = steps(25, 32, [400, 500], true);
    for (name, steps) in [
        (
            "exact, 25 devices, 32 heads, from the step before, early",
            &good,
        ),
        (
            "exact, 25 devices, 32 heads, from the step before, late",
            &late,
        ),
        (
            "exact, 25 devices, 32 heads, from a random placement",
            &random,
        ),
        ("exact, the same with little memory", &tight(&random, 3.0)),
        (
            "exact, the same with next to no memory",
            &tight(&random, 1.5),
        ),
        (
            "exact, 100 devices, 64 heads, random",
            &steps(100, 64, [400, 410], true),
        ),
        (
            "exact, 25 devices, 128 heads, random",
            &steps(25, 128, [400, 410], true),
        ),
        (
            "exact, 25 devices, 1024 heads, random",
            &steps(25, 1024, [40, 41], true),
        ),
    ] {
        print(name, steps, |step| {
            black_box(solver.solve(step));
        });
    }
    for variant in Variant::ALL {
        let name = format!("algorithm 1, {}, 25 devices, 32 heads", variant.name());
        print(&name, &late, |step| {
            black_box(algorithm1::solve(step, variant, &mut NoProgress).ok());
        });
    }
    for (devices, heads) in [(3, 8), (4, 8), (5, 8), (4, 32)] {
        let few = steps(devices, heads, [200, 204], true);
        print(
            &format!("exact, {devices} devices, {heads} heads"),
            &few,
            |step| {
                black_box(solver.solve(step));
            },
        );
        let name = format!("branch and bound, {devices} devices, {heads} heads");
        print(&name, &few, |step| {
            black_box(branch_and_bound::best(step, 20_000_000).ok());
        });
    }
    let mut group = criterion.benchmark_group("heads");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    for (name, step) in [("from_before", &late[50]), ("from_random", &random[50])] {
        group.bench_function(format!("exact/{name}"), |b| {
            b.iter(|| solver.solve(black_box(step)));
        });
        group.bench_function(format!("algorithm1/{name}"), |b| {
            b.iter(|| algorithm1::solve(black_box(step), Variant::default(), &mut NoProgress));
        });
    }
    group.finish();
}

criterion_group!(benches, placements);
criterion_main!(benches);
