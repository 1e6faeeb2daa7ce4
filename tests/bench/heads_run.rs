//! How long a run of attention heads takes: 25 devices, 1000 tokens, a new placement for every token, by each strategy of
//! the page; looking ahead; the distance from the best at every token; several layers with their bound. `cargo bench -p edgewise-bench
//! --bench heads_run` first prints one pass over all strategies, then measures for about half a minute.

use criterion::{Criterion, criterion_group, criterion_main};
use engine::problem::head_sizes::{HeadLayer, LayerForm};
use engine::problem::heads::Interval;
use engine::sim::{Background, FleetRanges};
use methods::heads::algorithm1::Variant;
use methods::heads::layers::{LayerStack, bound, descend, solve};
use methods::heads::run::{
    Ensemble, Forecast, HeadRunner, ResourceSource, RunSetting, Strategy, run,
};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The paper's largest network and layer.
fn setting(devices: usize) -> RunSetting {
    let form = LayerForm {
        h: 32,
        D: 2048,
        b: 4.0,
        L0: 64,
        mem: Default::default(),
        flops: Default::default(),
        delay: Default::default(),
        inp: Default::default(),
    };
    let ensemble = Ensemble {
        layer: HeadLayer::new(form).expect("a valid layer"),
        source: ResourceSource::Drawn {
            devices,
            ranges: FleetRanges::default(),
        },
        background: Background::default(),
        controller: 0,
        tokens: 1000,
        each: 1,
        t_tok: None,
    };
    ensemble.of(1).expect("valid")
}

fn a_pass(setting: &RunSetting) {
    let start = Instant::now();
    for strategy in Strategy::usual() {
        let begin = Instant::now();
        let one = run(setting, strategy).expect("valid");
        println!(
            "{strategy:?}: {:.1} s of tokens in {:?}",
            one.seconds(),
            begin.elapsed()
        );
    }
    println!(
        "all strategies, 25 devices, 1000 tokens: {:?}",
        start.elapsed()
    );
}

fn strategies(criterion: &mut Criterion) {
    let setting = setting(25);
    a_pass(&setting);
    let mut group = criterion.benchmark_group("heads_run_25_devices_1000_tokens");
    group.sample_size(10);
    let horizon = Strategy::Horizon {
        intervals: 5,
        keep: 4,
        forecast: Forecast::Known,
    };
    for (name, strategy) in [
        ("exact", Strategy::Exact),
        ("ahead_10", Strategy::ExactAhead { intervals: 10.0 }),
        ("horizon_5", horizon),
        (
            "load_aware",
            Strategy::Algorithm1 {
                variant: Variant::LoadAware,
            },
        ),
        ("dynamic", Strategy::Dynamic),
        ("galaxy", Strategy::Galaxy { devices: 4 }),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| run(black_box(&setting), strategy).expect("valid").seconds());
        });
    }
    let watched = Strategy::Algorithm1 {
        variant: Variant::Published,
    };
    group.bench_function("published_beside_the_best", |b| {
        b.iter(|| {
            let runner = HeadRunner::new(&setting, watched).expect("valid");
            runner.with_gaps(1).finish().expect("valid").gaps.len()
        });
    });
    group.finish();
}

fn layers(criterion: &mut Criterion) {
    let setting = setting(10);
    let problem = setting
        .problem_at(100, None)
        .expect("valid")
        .expect("generated");
    let interval = Interval {
        // Half of all layers fit on one device.
        memory: problem.memory().iter().map(|m| 0.1 * m).collect(),
        ..problem.interval().clone()
    };
    let links = problem.links().clone();
    let stack = LayerStack::new(*setting.layer(), links, interval, vec![None; 24]).expect("valid");
    let mut go_on = |_| ControlFlow::Continue(());
    let plan = descend(&stack, None, 50, &mut go_on)
        .expect("valid")
        .expect("it fits");
    println!(
        "24 layers on 10 devices: {:.3} s by descent from the layers in order",
        plan.value
    );
    for rounds in [20, 100, 300] {
        let start = Instant::now();
        let (found, below) = solve(&stack, rounds, &mut go_on).expect("valid");
        let found = found.expect("it fits").value;
        let (least, took) = (below.value, start.elapsed());
        println!("{rounds} rounds: {found:.3} s, no less than {least:.3} s, in {took:?}");
    }
    let mut group = criterion.benchmark_group("heads_layers_24_devices_10");
    group.sample_size(10);
    group.bench_function("descend", |b| {
        b.iter(|| {
            descend(black_box(&stack), None, 50, &mut |_| {
                ControlFlow::Continue(())
            })
        });
    });
    group.bench_function("bound_once", |b| {
        b.iter(|| {
            bound(black_box(&stack), plan.value, 1, &mut |_| {
                ControlFlow::Continue(())
            })
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = strategies, layers
}
criterion_main!(benches);
