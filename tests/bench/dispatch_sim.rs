//! How many requests a second the simulator of device and server runs, beside the same simulator written down plainly, and
//! how long the bill of a policy takes. `cargo bench -p edgewise-bench --bench dispatch_sim` measures for about twenty seconds.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::evaluate::dispatch_cost::bill;
use engine::plan::dispatch::Scarce;
use engine::problem::dispatch::DispatchProblem;
use engine::problem::dispatch_terms::{Charging, Outputs, Terms};
use engine::sim::law::exponential_whole;
use methods::dispatch::migration::moves;
use methods::dispatch::simulate::{ArrivalProcess, Contender, DispatchRunner, RunSettings};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../shared/dispatch_reference.rs"]
mod dispatch_reference;
#[path = "../shared/dispatch_runs.rs"]
mod dispatch_runs_made;

use dispatch_runs_made::{PHONES, SERVICES, disco, instance, run, terms};

fn mean_of_run(setting: &RunSettings, contenders: &[Contender], count: usize) -> f64 {
    let mut runner = DispatchRunner::new(setting, contenders, count, 1).expect("a valid run");
    while runner.advance(100_000) {}
    runner.figures()[0].mean
}

/// A size that the plain simulator can do, too.
fn beside_the_plain_one(criterion: &mut Criterion) {
    let (setting, contender) = run(0, 1, Scarce::Device, 0.5);
    let contenders = [contender];
    let plain = dispatch_reference::simulate(&setting, &contenders[0], 2000, 1);
    assert!((plain.mean() / mean_of_run(&setting, &contenders, 2000) - 1.0).abs() < 1e-9);
    let mut group = criterion.benchmark_group("dispatch_simulate_2000_requests");
    group.sample_size(10).throughput(Throughput::Elements(2000));
    group.bench_function("fast", |b| {
        b.iter(|| mean_of_run(black_box(&setting), &contenders, 2000))
    });
    group.bench_function("plain", |b| {
        b.iter(|| dispatch_reference::simulate(black_box(&setting), &contenders[0], 2000, 1).cost);
    });
    group.finish();
}

/// What a live page asks for: 1000 times, some 150 prompt lengths, a fixed output length or 128 of them.
fn bills(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch_bill_1000_times");
    group.sample_size(20);
    for scarce in [Scarce::Device, Scarce::Server] {
        for outputs in [1, 128] {
            let law = if outputs == 1 {
                Outputs::fixed(128)
            } else {
                Outputs::new(&exponential_whole(67.2, 128))
            };
            let problem: DispatchProblem = instance(&SERVICES[0], &PHONES[1], 1000, 0.5);
            let terms = Terms {
                charging: Charging::ProRata,
                ..terms(&SERVICES[0], &PHONES[1], scarce, law.expect("lengths"))
            };
            let policy = disco(&problem, &terms, scarce).policy;
            group.bench_function(format!("{scarce:?}_{outputs}_outputs"), |b| {
                b.iter(|| {
                    let moves = moves(black_box(&problem), &terms);
                    bill(&problem, &policy, scarce, &terms, &moves).total
                });
            });
        }
    }
    group.finish();
}

/// Once, by the clock: a million requests, and the figure that is promised.
fn a_million_requests(_: &mut Criterion) {
    const COUNT: usize = 1_000_000;
    let time = |what: &str, setting: &RunSettings, contenders: &[Contender]| {
        let start = Instant::now();
        black_box(mean_of_run(setting, contenders, COUNT));
        let seconds = start.elapsed().as_secs_f64();
        let rate = COUNT as f64 / seconds / 1e6;
        println!("1 000 000 requests, {what}: {seconds:.3} s, {rate:.1} million a second");
    };
    let (setting, contender) = run(0, 1, Scarce::Device, 0.5);
    let one = [contender.clone()];
    time("one policy", &setting, &one);
    let four = vec![contender; 4];
    time("four policies", &setting, &four);
    let correlated = RunSettings {
        correlation: 0.5,
        ..setting.clone()
    };
    time("correlated times", &correlated, &one);
    let queueing = RunSettings {
        queueing: true,
        arrivals: ArrivalProcess::Sessions,
        ..setting.clone()
    };
    time("devices that are busy", &queueing, &one);
    let (setting, contender) = (&setting, &one[0]);
    let start = Instant::now();
    black_box(dispatch_reference::simulate(setting, contender, 20_000, 1).cost);
    let seconds = 50.0 * start.elapsed().as_secs_f64();
    println!("the plain version, from 20 000 of them: {seconds:.1} s\n");
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = beside_the_plain_one, bills, a_million_requests
}
criterion_main!(benches);
