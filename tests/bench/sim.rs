//! How many events a second the simulator of requests through tiers processes, beside the same simulator written
//! down plainly, in the same run. `cargo bench -p edgewise-bench --bench sim` measures for about twenty seconds and prints events a
//! second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::problem::{Mode, Order, Scheduler, TierRun, TierRunNumbers};
use engine::sim::{RecordWindow, poisson};
use engine::solve::{Limits, NoProgress};
use methods::tiers::simulate::{events, simulate};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../shared/instances.rs"]
mod instances;
#[path = "../shared/tier_reference.rs"]
mod tier_reference;
#[path = "../shared/tier_runs.rs"]
mod tier_runs;

use tier_runs::{built, paper};

/// Requests of 128 tokens over the paper's three tiers, 0.2 a second.
fn requests(count: usize, mode: Mode) -> TierRunNumbers {
    paper(mode, &poisson(0.2, count, 1))
}

fn run(problem: &TierRun, record: RecordWindow) -> f64 {
    let outcome = simulate::<()>(problem, record, &Limits::default(), &mut NoProgress);
    outcome.expect("nothing limits it").mean_latency
}

/// The size that the plain simulator can do, too: it searches all of a list for every event.
fn beside_the_plain_one(criterion: &mut Criterion) {
    let problem = built(&requests(60, Mode::Token));
    let plain = tier_reference::simulate(&problem, 0);
    let arrivals = problem.tasks().iter().map(|task| task.arrival);
    let latencies = plain
        .completion
        .iter()
        .zip(arrivals)
        .map(|(done, came)| done - came);
    let mean = latencies.sum::<f64>() / 60.0;
    assert!((mean - run(&problem, RecordWindow::none())).abs() <= 1e-9 * mean);
    let mut group = criterion.benchmark_group("tiers_simulate_60_requests");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(events(&problem)));
    group.bench_function("fast", |b| {
        b.iter(|| run(black_box(&problem), RecordWindow::none()))
    });
    group.bench_function("plain", |b| {
        b.iter(|| {
            tier_reference::simulate(black_box(&problem), 0)
                .completion
                .len()
        });
    });
    group.finish();
}

fn a_thousand_requests(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tiers_simulate_1000_requests");
    group.sample_size(20);
    let mut bench = |name: &str, numbers: &TierRunNumbers, record: RecordWindow| {
        let problem = built(numbers);
        group.throughput(Throughput::Elements(events(&problem)));
        group.bench_function(name, |b| b.iter(|| run(black_box(&problem), record)));
    };
    for mode in Mode::ALL {
        bench(mode.name(), &requests(1000, mode), RecordWindow::none());
    }
    let token = || requests(1000, Mode::Token);
    bench("token_recorded", &token(), RecordWindow::all(1_000_000));
    bench(
        "token_overloaded",
        &paper(Mode::Token, &poisson(2.0, 1000, 1)),
        RecordWindow::none(),
    );
    bench(
        "token_batches_of_4",
        &TierRunNumbers {
            batch: 4.0,
            ..token()
        },
        RecordWindow::none(),
    );
    bench(
        "token_by_rank",
        &TierRunNumbers {
            order: Order::Rank,
            ..token()
        },
        RecordWindow::none(),
    );
    bench(
        "token_round_robin",
        &TierRunNumbers {
            scheduler: Scheduler::RoundRobin,
            ..token()
        },
        RecordWindow::none(),
    );
    group.finish();
}

/// Once, by the clock: ten thousand requests, and the figure that is promised.
fn ten_thousand_requests(_: &mut Criterion) {
    let problem = built(&requests(10_000, Mode::Token));
    let start = Instant::now();
    black_box(run(&problem, RecordWindow::none()));
    let seconds = start.elapsed().as_secs_f64();
    let rate = events(&problem) as f64 / seconds;
    println!(
        "10 000 requests: {} events in {seconds:.2} s, {:.1} million a second\n",
        events(&problem),
        rate / 1e6
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = beside_the_plain_one, a_thousand_requests, ten_thousand_requests
}
criterion_main!(benches);
