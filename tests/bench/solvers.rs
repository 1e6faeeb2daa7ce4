//! How long a cold-start answer takes: the exact program beside the paper's recurrence written down plainly, the
//! referee, a sweep over prompt lengths, and a link. `cargo bench` measures for about half a minute.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use edgewise::evaluate::score;
use edgewise::job::worker::{Reply, Request, Work, handle};
use edgewise::methods::cold_start::{baseline, solve};
use edgewise::plan::Pipeline;
use edgewise::problem::{ColdStart, HeuristicReading};
use edgewise::scenario::lengths::Lengths;
use edgewise::scenario::{link, presets};
use edgewise::solve::{Deaf, Limits};
use std::hint::black_box;
use std::time::Duration;

#[path = "../shared/instances.rs"]
mod instances;

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
        &mut Deaf,
    );
    found.expect("these problems have plans").claimed
}

/// Equations (29)-(31) as they are printed: prefix sums, a scalar loop, and a table of the choices made.
fn by_the_recurrence(problem: &ColdStart) -> (f64, Pipeline) {
    let (k, l) = (problem.machines().len(), problem.layers().len());
    let mut weights = vec![0.0; l + 1];
    let mut work = vec![0.0; l + 1];
    for (j, layer) in problem.layers().iter().enumerate() {
        weights[j + 1] = weights[j] + layer.weights.get();
        work[j + 1] = work[j] + layer.work.get();
    }
    let mut widest = vec![vec![0.0_f64; l + 1]; l + 1]; // over layers i + 1 ..= j
    for (i, row) in widest.iter_mut().enumerate() {
        for j in i + 1..=l {
            let output = problem.layers()[j - 1].activation.get();
            row[j] = row[j - 1].max(output);
        }
    }
    let load =
        |i: usize, j: usize, d: usize| (weights[j] - weights[i]) / problem.machines()[d].disk.get();
    let comp =
        |i: usize, j: usize, d: usize| (work[j] - work[i]) / problem.machines()[d].compute.get();
    let fits =
        |i: usize, j: usize, d: usize| problem.holds(d, widest[i][j] + weights[j] - weights[i]);
    let at = |set: usize, j: usize, d: usize| (set * k + d) * (l + 1) + j;
    let mut least = vec![f64::INFINITY; (k << k) * (l + 1)];
    let mut choice = vec![(0_usize, 0_usize); least.len()];
    for set in 1..1_usize << k {
        for d in (0..k).filter(|d| set >> d & 1 == 1) {
            let rest = set & !(1 << d);
            for j in set.count_ones() as usize..=l {
                let here = at(set, j, d);
                if rest == 0 {
                    if fits(0, j, d) {
                        least[here] = load(0, j, d) + comp(0, j, d); // (30)
                    }
                    continue;
                }
                for before in (0..k).filter(|b| rest >> b & 1 == 1) {
                    for i in rest.count_ones() as usize..j {
                        if !fits(i, j, d) {
                            continue;
                        }
                        let output = problem.layers()[i - 1].activation;
                        let start = load(i, j, d).max(least[at(rest, i, before)]);
                        let finish = start + problem.hop(before, d, output).get() + comp(i, j, d);
                        if finish < least[here] {
                            least[here] = finish; // (29)
                            choice[here] = (i, before);
                        }
                    }
                }
            }
        }
    }
    let ends = (1..1_usize << k).flat_map(|set| (0..k).map(move |d| (set, d)));
    let best = ends.min_by(|a, b| least[at(a.0, l, a.1)].total_cmp(&least[at(b.0, l, b.1)])); // (31)
    let (mut set, mut d) = best.expect("there is a device");
    let total = least[at(set, l, d)];
    let mut plan = Pipeline::new();
    let mut last = l;
    loop {
        let (i, before) = choice[at(set, last, d)];
        plan.push((d, i + 1, last).into());
        if i == 0 {
            plan.reverse();
            return (total, plan);
        }
        (set, d, last) = (set & !(1 << d), before, i);
    }
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
    let lengths = Lengths {
        count: 64,
        ..Lengths::default()
    }
    .values();
    let request = |tokens: &[f64]| Request {
        id: 1,
        work: Work::ColdStart {
            scenario: Box::new(presets::paper()),
            tokens: tokens.to_vec(),
        },
    };
    let answers = |request: &Request| {
        let mut answers = 0;
        handle(request, |reply| {
            answers += usize::from(matches!(reply, Reply::Answered { .. }));
            true
        });
        answers
    };
    assert_eq!(answers(&request(&lengths)), 64);
    let mut group = criterion.benchmark_group("sweep_64");
    group.sample_size(20);
    let together = request(&lengths);
    group.bench_function("one_request", |b| b.iter(|| answers(black_box(&together))));
    let single: Vec<Request> = lengths.iter().map(|t| request(&[*t])).collect();
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
    let written = link::encode(&scenario);
    criterion.bench_function("link/encode", |b| {
        b.iter(|| link::encode(black_box(&scenario)));
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
