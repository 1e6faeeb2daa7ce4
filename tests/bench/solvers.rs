//! How long a cold-start answer takes: the exact program beside the paper's recurrence written down plainly, the
//! referee, a sweep over prompt lengths, and a link. `cargo bench -p edgewise-bench` measures for about half a minute.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use engine::evaluate::score;
use engine::problem::{ColdStart, HeuristicReading};
use engine::scenario::lengths::SweepLengths;
use engine::scenario::{Scenario, link, presets};
use engine::solve::{Limits, NoProgress};
use methods::cold_start::{baseline, solve};
use presenters::cold_start::queries::at;
use protocol::worker::{SharedPayload, WorkerRequest, WorkerResponse};
use protocol::{AnswerRequest, AnswerTask};
use serde_json::Value;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

#[path = "../shared/cold_recurrence.rs"]
mod cold_recurrence;
#[path = "../shared/instances.rs"]
mod instances;
#[path = "../shared/wire.rs"]
mod wire;

use cold_recurrence::by_the_recurrence;
use instances::{Draw, Kind, instance};

/// The paper's size, its practical limit by devices, and the limit of the page by devices.
fn problems() -> Vec<(&'static str, ColdStart)> {
    let paper = presets::paper().problem().expect("presets are valid");
    let random = |seed, devices, layers| {
        instance(Kind::Roomy, &mut Draw::new(seed), devices, layers).problem()
    };
    vec![
        ("devices_4_layers_40", paper),
        ("devices_10_layers_60", random(1, 10, 60)),
        ("devices_12_layers_18", random(2, 12, 18)),
    ]
}

fn least(problem: &ColdStart) -> f64 {
    let found = solve(
        problem,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    );
    found.expect("these problems have plans").claimed
}

fn exact(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cold_start");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    for (name, problem) in &problems() {
        let (plain, plan) = by_the_recurrence(problem);
        let ours = least(problem);
        assert!((plain - ours).abs() <= 1e-9 * ours, "{plain} and {ours}");
        assert!(score(problem, &plan).is_ok());
        group.bench_with_input(BenchmarkId::new("exact", name), problem, |b, problem| {
            b.iter(|| least(black_box(problem)));
        });
        group.bench_with_input(BenchmarkId::new("plain", name), problem, |b, problem| {
            b.iter(|| by_the_recurrence(black_box(problem)));
        });
    }
    group.finish();
}

/// 64 prompt lengths with five strategies each: as one request, as a request a length, and as the two workers of a
/// page share them.
fn sweep(criterion: &mut Criterion) {
    let lengths = SweepLengths {
        count: 64,
        ..SweepLengths::default()
    }
    .values();
    let scenario = SharedPayload(Arc::new(presets::paper()));
    let request = |tokens: &[f64]| {
        let ask = |tokens: &f64| {
            AnswerTask::of(AnswerRequest::Subtask((0, 0), at(*tokens), Arc::default()))
        };
        let asks: Vec<AnswerTask<Scenario>> = tokens.iter().map(ask).collect();
        wire::request(1, &scenario, &asks)
    };
    let answers = |request: &WorkerRequest<Value>| {
        let answered = |reply: &WorkerResponse<_>| matches!(reply, WorkerResponse::Answered { .. });
        wire::replies(request).into_iter().filter(answered).count()
    };
    assert_eq!(answers(&request(&lengths)), 64);
    let mut group = criterion.benchmark_group("sweep_64");
    group.sample_size(20);
    let together = request(&lengths);
    group.bench_function("one_request", |b| b.iter(|| answers(black_box(&together))));
    let single: Vec<WorkerRequest<Value>> = lengths.iter().map(|t| request(&[*t])).collect();
    group.bench_function("one_by_one", |b| {
        b.iter(|| {
            single
                .iter()
                .map(|request| answers(black_box(request)))
                .sum::<usize>()
        });
    });
    let (left, right): (Vec<(usize, &f64)>, Vec<_>) =
        lengths.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let halves = [left, right].map(|half| {
        let tokens: Vec<f64> = half.into_iter().map(|(_, tokens)| *tokens).collect();
        request(&tokens)
    });
    group.bench_function("two_workers", |b| {
        b.iter(|| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| answers(black_box(&halves[1])));
                answers(black_box(&halves[0])) + other.join().unwrap_or_default()
            })
        });
    });
    group.finish();
}

fn referee(criterion: &mut Criterion) {
    let problem = presets::paper().problem().expect("presets are valid");
    let plan = baseline::even(&problem);
    criterion.bench_function("referee/devices_4_layers_40", |b| {
        b.iter(|| score(black_box(&problem), black_box(&plan)));
    });
}

fn links(criterion: &mut Criterion) {
    let scenario = presets::paper();
    let written = link::of(&scenario);
    criterion.bench_function("link/encode", |b| {
        b.iter(|| link::of(black_box(&scenario)));
    });
    criterion.bench_function("link/decode", |b| {
        b.iter(|| link::decode(black_box(&written)));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = exact, sweep, referee, links
}
criterion_main!(benches);
