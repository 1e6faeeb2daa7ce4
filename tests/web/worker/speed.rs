//! How long solvers take in a browser: printed, never asserted. docs/development.md has the command that shows it, built
//! as the page's worker is; in the profile of the other browser tests they take longer.

use engine::evaluate::operators::trace;
use engine::graph::{Objective, catalogue};
use engine::problem::{Mode, Order, PerOne, Scheduler};
use engine::problem::{RunTierNumbers, TaskNumbers, TierPartition, TierRun, TierRunNumbers};
use engine::scenario::heads::presets;
use engine::sim::law::LogNormal;
use engine::sim::{RecordWindow, poisson};
use engine::solve::{Limits, NoProgress};
use methods::dispatch::fit;
use methods::operators::arena::arena;
use methods::operators::order;
use methods::operators::split::{Annealer, bound};
use planner::dispatch;
use planner::heads::{self, HeadsRequest, HeadsResult, Strategy, rules};
use planner::tiers_partition::{TiersPartitionOptions, answer};
use planner::tiers_run::{events, run};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

/// Every rule over the paper's 25 devices and 1000 tokens, as the page asks for them.
#[wasm_bindgen_test]
fn a_thousand_tokens_on_25_devices_under_every_rule() {
    let scenario = presets::paper();
    let mut all = 0.0;
    for rule in rules(&scenario) {
        let ask = match rule {
            Strategy::Exact => HeadsRequest::Plan,
            other => HeadsRequest::Track(other),
        };
        let start = now_ms();
        let answer = heads::answer(&scenario, &ask, &mut |_, _, _| ());
        let millis = now_ms() - start;
        let seconds = match answer.expect("the preset is valid") {
            HeadsResult::Plan(planned) => planned.summary.seconds,
            HeadsResult::Track(track) => track.summary.seconds,
            other => panic!("{other:?}"),
        };
        all += millis;
        console_log!("{rule:?}: {seconds:.1} s in {millis} ms");
    }
    console_log!("all rules: {all} ms, distances from the optimum at 250 tokens included");
}

/// Milliseconds of a clock.
fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// 200 unlike blocks over six unlike tiers with room enough.
fn partition() -> TierPartition {
    let f: Vec<f64> = (0..200)
        .map(|i| 1.0 + f64::from((i * 37) % 101) / 50.0)
        .collect();
    let m: Vec<f64> = (0..200)
        .map(|i| 1.0 + f64::from((i * 53) % 97) / 90.0)
        .collect();
    let speed = [1.0, 1.7, 2.3, 3.1, 0.8, 4.9];
    let memory = [90.0, 120.0, 150.0, 200.0, 80.0, 260.0];
    TierPartition::new(&f, &m, &speed, &memory).expect("a valid problem")
}

#[wasm_bindgen_test]
fn an_exact_partition_of_200_blocks_over_6_tiers() {
    const RUNS: u32 = 300;
    let (problem, options) = (partition(), TiersPartitionOptions::default());
    assert!(answer(&problem, &options, &mut NoProgress).feasible);
    let start = now_ms();
    for _ in 0..RUNS {
        assert!(answer(&problem, &options, &mut NoProgress).feasible);
    }
    let each = (now_ms() - start) / f64::from(RUNS);
    console_log!("exact partition, 200 blocks over 6 tiers: {each:.3} ms each, of {RUNS}");
}

#[wasm_bindgen_test]
fn a_thousand_requests_through_three_tiers() {
    let tasks = poisson(0.2, 1000, 1)
        .into_iter()
        .map(|arrival| TaskNumbers {
            arrival,
            out_tokens: 128.0,
            memory: PerOne::All(0.0),
        });
    let numbers = TierRunNumbers {
        mode: Mode::Token,
        scheduler: Scheduler::HypSched,
        order: Order::Fifo,
        batch: 1.0,
        tiers: vec![
            RunTierNumbers::plain(3, 0.053, 0.053),
            RunTierNumbers::plain(3, 0.064, 0.064),
            RunTierNumbers::plain(2, 0.072, 0.072),
        ],
        hop_prefill: vec![0.004, 0.004],
        hop_decode: vec![0.0001, 0.0001],
        return_delay: 0.0,
        tasks: tasks.collect(),
        down: Vec::new(),
    };
    let problem = TierRun::new(&numbers).expect("a valid run");
    let start = now_ms();
    let ran = run::<()>(
        &problem,
        RecordWindow::none(),
        &Limits::default(),
        &mut NoProgress,
    );
    let millis = (now_ms() - start).max(1.0);
    assert!(ran.is_ok_and(|ran| ran.outcome.completion.len() == 1000));
    let events = events(&problem) as f64;
    console_log!(
        "1000 requests: {events} events in {millis} ms, {:.1} million a second",
        events / millis / 1e3
    );
}

/// Both of DiSCo's policies from raw samples, and what the page asks for with every edit.
#[wasm_bindgen_test]
fn policies_of_device_or_server_from_100_000_samples() {
    const SAMPLES: usize = 100_000;
    const RUNS: u32 = 20;
    let law = LogNormal {
        log_mean: -0.161,
        log_sd: 0.426,
    };
    // In an order that no sorting has touched; the step has no factor in common with the count.
    let sorted = law.samples(SAMPLES);
    let samples: Vec<f64> = (0..SAMPLES)
        .map(|at| sorted[at * 7_919 % SAMPLES])
        .collect();
    let lengths: Vec<u32> = (0..SAMPLES).map(|at| 4 + (at * 31 % 500) as u32).collect();
    let timed = |what: &str, work: &dyn Fn()| {
        let start = now_ms();
        (0..RUNS).for_each(|_| work());
        let each = (now_ms() - start) / f64::from(RUNS);
        console_log!("{what}: {each:.2} ms each, of {RUNS}");
    };
    timed("DiSCo-D from 100 000 samples", &|| {
        let (_, found) = fit::device_scarce(&samples, &lengths, 0.3, 0.1).expect("samples");
        assert!(found.w_tail.is_some());
    });
    timed("DiSCo-S from 100 000 samples", &|| {
        let (_, found) = fit::server_scarce(&lengths, 0.3).expect("lengths");
        assert!(found.from.is_some());
    });
    let scenario = engine::scenario::dispatch::presets::paper();
    for (what, ask) in [
        (
            "all policies of the opening scenario",
            dispatch::DispatchRequest::Plan,
        ),
        ("all its budgets", dispatch::DispatchRequest::Sweep),
        (
            "100 000 requests under six policies",
            dispatch::DispatchRequest::Run { seed: 1 },
        ),
    ] {
        let start = now_ms();
        let answer = dispatch::answer(&scenario, &ask, &mut |_, _| ());
        assert!(answer.is_ok());
        console_log!("{what}: {} ms", now_ms() - start);
    }
}

/// The best order of every model by each objective, and where its tensors lie.
#[wasm_bindgen_test]
fn the_best_order_of_every_model() {
    const RUNS: u32 = 20;
    let timed = |work: &dyn Fn()| {
        work();
        let start = now_ms();
        (0..RUNS).for_each(|_| work());
        (now_ms() - start) / f64::from(RUNS)
    };
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let solve = |objective| {
            order::solve(&graph, objective, None, &Limits::default(), &mut NoProgress)
                .expect("there is no limit")
        };
        let [sum, peak, table4] = Objective::ALL.map(|objective| {
            timed(&|| {
                solve(objective);
            })
        });
        let found = solve(Objective::Sum);
        let replay = timed(&|| {
            trace(&graph, &found.order).expect("an order");
        });
        let place = timed(&|| {
            arena(&graph, &found.order, 16).expect("an order");
        });
        console_log!(
            "{}: {} sets; sum {sum:.2} ms, peak {peak:.2} ms, Table 4 {table4:.2} ms; replayed {replay:.2} ms, placed {place:.2} ms",
            model.title,
            found.states
        );
    }
}

/// One chain of the default search for a split of every model: what a worker of the page does.
#[wasm_bindgen_test]
fn a_split_of_every_model() {
    for preset in engine::scenario::operators::presets::all() {
        let scenario = preset.scenario;
        let graph = scenario.graph().expect("the preset is valid");
        let found = order::solve(
            &graph,
            Objective::Sum,
            None,
            &Limits::default(),
            &mut NoProgress,
        );
        let order = found.expect("there is no limit").order;
        let task = planner::operators::task(&scenario, &graph, &order);
        let task = task.expect("the preset is valid");
        let moves = scenario.split.search.moves as u64;
        let start = now_ms();
        let mut chain = Annealer::new(&task, 1, 0, moves);
        while chain.advance(10_000) {}
        let millis = (now_ms() - start).max(1.0);
        console_log!(
            "{}: {:.2} ms, no split below {:.2}: {moves} moves in {millis} ms, {:.2} million operators a second",
            preset.name,
            chain.latency(),
            bound(&task),
            chain.evaluations() as f64 / millis / 1e3
        );
    }
}
