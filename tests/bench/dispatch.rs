//! How long policies of device or server take: fits from raw logs beside sorting all of it, the best policies, and a sweep of
//! budgets. `cargo bench -p edgewise-bench --bench dispatch` first prints the best and the median of many runs, then measures for half a minute.

use criterion::{Criterion, criterion_group, criterion_main};
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::Scarce;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use methods::dispatch::optimum::{self, GainFrontier};
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use methods::dispatch::{devices, fit, priced, server, tail_cap};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../shared/dispatch.rs"]
mod dispatch_made;
#[path = "../shared/instances.rs"]
mod instances;

use dispatch_made::{DEVICES, SERVICES, alpaca, bursty, service};
use instances::Draw;

/// Raw logs: one time and one prompt length for every request, in random order.
fn logs(n: usize) -> (Vec<f64>, Vec<u32>) {
    let mut draw = Draw::new(n as u64);
    let (_, mu, sigma) = SERVICES[1];
    let mut samples = service(mu, sigma, n);
    draw.shuffle(&mut samples);
    let mut sum = 0.0;
    let until: Vec<(f64, u32)> = alpaca()
        .into_iter()
        .map(|(length, share)| {
            sum += share;
            (sum, length)
        })
        .collect();
    let length = |u: f64| until[until.partition_point(|row| row.0 < u).min(508)].1;
    let lengths = (0..n).map(|_| length(draw.unit())).collect();
    (samples, lengths)
}

/// The plain way: everything is sorted first.
fn sorted(samples: &[f64], lengths: &[u32], b: f64) -> DispatchProblem {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    let rows: Vec<(u32, f64)> = lengths.iter().map(|length| (*length, 1.0)).collect();
    let prompts = PromptLengths::new(&rows).expect("lengths");
    let times = ServerTimes::of_samples(samples.to_vec()).expect("samples");
    DispatchProblem::new(prompts, times, vec![qwen()], b, 0.1).expect("a problem")
}

fn qwen() -> DispatchDevice {
    DispatchDevice {
        prefill_rate: DEVICES[2].1,
        constant: 0.0,
    }
}

/// Prints the best and the median time of a call.
fn print<T>(name: &str, runs: usize, mut call: impl FnMut() -> T) {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            black_box(call());
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (best, median) = (times[0], times[runs / 2]);
    println!("{name}: best {best:.4} ms, median {median:.4} ms of {runs}");
}

fn policies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dispatch");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    for n in [1_000, 10_000, 100_000] {
        let (samples, lengths) = logs(n);
        let runs = 2_000_000 / n;
        let device = || fit::device_scarce(&samples, &lengths, 0.3, 0.1);
        let plain = || waits(&sorted(&samples, &lengths, 0.3), Residual::Corrected);
        print(&format!("fit of DiSCo-D, {n} samples"), runs, device);
        print(&format!("the same by sorting, {n} samples"), runs, plain);
        let server = || fit::server_scarce(&lengths, 0.3);
        print(&format!("fit of DiSCo-S, {n} lengths"), runs, server);
        let plain = || {
            let mut lengths = lengths.clone();
            lengths.sort_unstable();
            let rows: Vec<(u32, f64)> = lengths.iter().map(|length| (*length, 1.0)).collect();
            PromptLengths::new(&rows)
        };
        print(&format!("the same by sorting, {n} lengths"), runs, plain);
        let problem = sorted(&samples, &lengths, 0.3);
        let best = || priced::solve(&problem).mean;
        print(&format!("least mean by prices, {n} samples"), 9, best);
        let all = || GainFrontier::new(&problem, 0).enough();
        print(&format!("least mean for all budgets, {n} samples"), 5, all);
        let coarse = || GainFrontier::compressed(&problem, 0, 256).mean(0.3);
        print(&format!("the same from 256 times, {n} samples"), 9, coarse);
        group.bench_function(format!("fit_device/{n}"), |b| b.iter(device));
        group.bench_function(format!("fit_server/{n}"), |b| b.iter(server));
    }
    let (_, mu, sigma) = SERVICES[2];
    for (name, samples) in [
        ("log-normal", service(mu, sigma, 256)),
        ("bursty", bursty(mu, sigma, 256)),
    ] {
        let problem = dispatch_made::paper(samples, DEVICES[2].1, 0.3, 0.1);
        let named = |what: &str| format!("{what}, 256 {name} times, 509 lengths");
        print(&named("least mean"), 50, || optimum::solve(&problem).mean);
        print(&named("least P99"), 50, || {
            tail_cap::least_tail(&problem, 0.99)
        });
        print(&named("least mean under a cap"), 20, || {
            tail_cap::recommended(&problem).map(|found| found.mean)
        });
        print(&named("mean against P99, 20 caps"), 5, || {
            tail_cap::trade(&problem, 0.99, 20).len()
        });
        print(&named("scarce server, least mean"), 50, || {
            server::solve(&problem).mean
        });
        print(&named("21 budgets, least mean for all"), 20, || {
            let frontier = GainFrontier::new(&problem, 0);
            (0..=20)
                .map(|k| frontier.mean(f64::from(k) / 20.0))
                .sum::<f64>()
        });
        print(&named("21 budgets, both algorithms scored"), 20, || {
            let scored = (0..=20).map(|k| {
                let at = problem.with_budget(f64::from(k) / 20.0).expect("a budget");
                let ours = waits(&at, Residual::Corrected).policy();
                let theirs = threshold(&at).policy();
                outcome(&at, &ours, Scarce::Device).p99 + outcome(&at, &theirs, Scarce::Server).p99
            });
            scored.sum::<f64>()
        });
        let fleet = DEVICES.map(|(_, rate)| DispatchDevice {
            prefill_rate: rate,
            constant: 0.0,
        });
        let (prompts, times) = (problem.prompts().clone(), problem.times().clone());
        let several =
            DispatchProblem::new(prompts, times, fleet.to_vec(), 0.3, 0.1).expect("a problem");
        print(&named("three devices"), 9, || {
            devices::solve(&several, &[0.1, 0.1, 0.1]).map(|found| found.mean)
        });
        group.bench_function(format!("recommended/{name}"), |b| {
            b.iter(|| tail_cap::recommended(&problem));
        });
    }
    group.finish();
}

criterion_group!(benches, policies);
criterion_main!(benches);
