//! The simulator of requests: against a plain second version, against exact expectations, and where requests meet.

use crate::cases::cases;
use crate::dispatch_reference::{self, Sums};
use crate::dispatch_runs_made::{PHONES, SERVICES, instance, run, terms};
use engine::evaluate::dispatch::outcome;
use engine::evaluate::dispatch_cost::bill;
use engine::plan::dispatch::{Policy, Scarce};
use engine::plan::moves::Moves;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use engine::problem::dispatch_terms::{Charging, Outputs};
use engine::sim::law::BurstyLaw;
use methods::dispatch::baseline::{RandomPolicy, all_device, all_server, stochastic};
use methods::dispatch::simulate::{
    ArrivalProcess, Cold, Contender, DispatchRunner, Figures, RunSettings, TimeSource, halves,
    trials,
};
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use std::sync::Arc;

#[track_caller]
fn ran(setting: &RunSettings, contenders: &[Contender], count: usize, seed: u64) -> Vec<Figures> {
    let mut runner = DispatchRunner::new(setting, contenders, count, seed).expect("a valid run");
    while runner.advance(1000) {}
    runner.figures()
}

fn without_moves(problem: &DispatchProblem, policy: Policy, scarce: Scarce) -> Contender {
    let moves = Moves::none(problem.prompts().lengths().len(), problem.devices().len());
    Contender {
        policy,
        scarce,
        moves,
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

#[test]
fn every_request_is_as_in_the_plain_version() {
    let mut seen = [0, 0, 0];
    for (seed, (service, phone, scarce, b)) in [
        (0, 0, Scarce::Device, 0.3),
        (1, 2, Scarce::Device, 0.6),
        (2, 1, Scarce::Device, 0.9),
        (3, 1, Scarce::Server, 0.7),
        (0, 2, Scarce::Server, 1.0),
    ]
    .into_iter()
    .enumerate()
    {
        let (mut setting, mut contender) = run(service, phone, scarce, b);
        if seed % 2 == 0 {
            setting.terms.charging = Charging::ProRata;
        }
        if seed == 2 {
            // A reader who is faster than the device, and a policy with coins.
            setting.terms.reader = 25.0;
            contender.policy = stochastic(&setting.problem, scarce, RandomPolicy::Additive);
        }
        let ours = ran(
            &setting,
            std::slice::from_ref(&contender),
            3000,
            seed as u64,
        )[0];
        let theirs = dispatch_reference::simulate(&setting, &contender, 3000, seed as u64);
        assert_eq!(ours.requests, 3000.0);
        for (what, a, b) in [
            ("mean", ours.mean, theirs.mean()),
            ("cost", ours.cost, theirs.cost / 3000.0),
            ("moved", ours.moved, theirs.moved / 3000.0),
            ("late", ours.late, theirs.late / 3000.0),
            ("stall", ours.max_stall, theirs.max_stall),
            (
                "share",
                ours.device_share,
                theirs.device_tokens / theirs.tokens,
            ),
        ] {
            assert!(close(a, b), "{what}: {a}, plainly {b}, case {seed}");
        }
        for (what, a, b) in [
            ("p50", ours.p50, Sums::quantile(&theirs.ttft, 0.5)),
            ("p99", ours.p99, Sums::quantile(&theirs.ttft, 0.99)),
            ("gap", ours.tbt_p99, Sums::quantile(&theirs.gaps, 0.99)),
        ] {
            assert!(
                (a / b - 1.0).abs() < 1e-3,
                "{what}: {a}, plainly {b}, case {seed}"
            );
        }
        seen[0] += usize::from(theirs.moved > 100.0);
        seen[1] += usize::from(theirs.late > 0.0);
        seen[2] += usize::from(ours.tbt_p99 > 1.001 / setting.terms.reader);
    }
    assert!(seen[0] >= 3 && seen[1] >= 2 && seen[2] >= 1, "{seen:?}");
}

#[test]
fn runs_agree_with_exact_expectations() {
    for (service, phone, scarce, b) in [
        (0, 2, Scarce::Device, 0.3),
        (2, 0, Scarce::Device, 0.7),
        (3, 1, Scarce::Server, 0.6),
        (1, 2, Scarce::Server, 0.9),
    ] {
        let (setting, contender) = run(service, phone, scarce, b);
        let problem = &setting.problem;
        let moves = &contender.moves;
        let exact = outcome(problem, &contender.policy, scarce);
        let paid = bill(problem, &contender.policy, scarce, &setting.terms, moves);
        let random = Contender {
            policy: stochastic(problem, scarce, RandomPolicy::Exclusive),
            ..contender.clone()
        };
        let exact_random = outcome(problem, &random.policy, scarce);
        let seeds: Vec<u64> = (0..12).collect();
        let tried = trials(&setting, &[contender, random], 20_000, &seeds).expect("a valid run");
        let near = |what: &str, spread: engine::sim::Spread, exact: f64| {
            let error = spread.deviation / (spread.runs as f64).sqrt();
            // The buckets of a run's quantiles are half a thousandth wide.
            let slack = 4.0 * error + 5e-4 * exact + 1e-12;
            assert!(
                (spread.mean - exact).abs() <= slack,
                "{what}: {} +- {error}, exactly {exact}",
                spread.mean
            );
        };
        let whole = |what: &str, f: fn(&Figures) -> f64, exact: f64| {
            let values: Vec<f64> = tried[0].runs.iter().map(f).collect();
            near(what, engine::sim::Spread::of(&values).expect("runs"), exact);
        };
        near("mean", tried[0].mean, exact.mean);
        near("p99", tried[0].p99, exact.p99);
        near("device share", tried[0].device_share, exact.device_share);
        near("server share", tried[0].server_share, exact.server_share);
        near("cost", tried[0].cost, paid.total);
        whole("moved", |f| f.moved, paid.moved);
        whole("lost", |f| f.lost_prefill, paid.lost_prefill);
        whole("late", |f| f.late, paid.late);
        whole("tbt", |f| f.tbt_p99, paid.tbt_p99);
        whole("device first", |f| f.device_wins, exact.device_wins);
        whole("server first", |f| f.server_wins, exact.server_wins);
        whole(
            "buffer",
            |f| f.buffer_mean.unwrap_or(0.0),
            paid.buffer_mean.unwrap_or(0.0),
        );
        near("random mean", tried[1].mean, exact_random.mean);
        near(
            "random share",
            tried[1].device_share,
            exact_random.device_share,
        );
        let runs = &tried[0].runs;
        let spread = tried[0].mean.deviation;
        let told = runs.iter().map(|run| run.error).sum::<f64>() / runs.len() as f64;
        assert!(
            (0.5..2.0).contains(&(spread / told)),
            "{spread}, told {told}"
        );
    }
}

#[test]
fn budgets_hold_when_everything_is_drawn_afresh() {
    // Section 13.5 of the specification: 20 000 requests there, with a standard error of up to 0.005.
    for (b, device, server) in [
        (0.05, 0.049, 0.047),
        (0.2, 0.201, 0.195),
        (0.5, 0.505, 0.477),
        (0.8, 0.806, 0.773),
    ] {
        let problem = instance(&SERVICES[0], &PHONES[2], 600, b);
        let outputs = Outputs::fixed(128).expect("a length");
        let terms = terms(&SERVICES[0], &PHONES[2], Scarce::Device, outputs);
        let law = SERVICES[0].law;
        let setting = RunSettings {
            times: TimeSource::Law(BurstyLaw {
                body: law,
                burst: law,
                share: 0.0,
            }),
            ..RunSettings::plain(problem.clone(), terms)
        };
        let contenders = [
            without_moves(
                &problem,
                waits(&problem, Residual::Corrected).policy(),
                Scarce::Device,
            ),
            without_moves(&problem, threshold(&problem).policy(), Scarce::Server),
        ];
        let figures = ran(&setting, &contenders, 200_000, 7);
        let apart = figures[0].device_share - device;
        assert!(apart.abs() < 0.0175, "{b}: {apart}");
        assert!(figures[0].device_share <= b + 0.006, "{b}");
        let apart = figures[1].server_share - server;
        assert!(apart.abs() < 0.0175, "{b}: {apart}");
        assert!(figures[1].server_share <= b + 0.006, "{b}");
    }
}

#[test]
fn each_single_request_is_as_early_as_without_the_scarce_endpoint() {
    let problem = instance(&SERVICES[1], &PHONES[1], 300, 0.5);
    let outputs = Outputs::fixed(16).expect("a length");
    let terms = terms(&SERVICES[1], &PHONES[1], Scarce::Device, outputs);
    let setting = RunSettings::plain(problem.clone(), terms);
    let contenders = [
        without_moves(
            &problem,
            waits(&problem, Residual::Corrected).policy(),
            Scarce::Device,
        ),
        without_moves(&problem, all_server(&problem), Scarce::Device),
        without_moves(&problem, threshold(&problem).policy(), Scarce::Server),
        without_moves(&problem, all_device(&problem), Scarce::Server),
    ];
    let (mut earlier, mut than_device) = (0, 0);
    for seed in 0..cases(400) {
        let figures = ran(&setting, &contenders, 1, seed);
        assert!(figures[0].mean <= figures[1].mean, "{seed}");
        assert!(figures[2].mean <= figures[3].mean, "{seed}");
        earlier += usize::from(figures[0].mean < figures[1].mean);
        than_device += usize::from(figures[2].mean < figures[3].mean);
    }
    assert!(
        earlier > 100 && than_device > 30,
        "{earlier}, {than_device}"
    );
}

#[test]
fn pieces_make_the_same_whole() {
    let (setting, contender) = run(0, 1, Scarce::Device, 0.4);
    let contenders = [contender];
    for setting in [
        setting.clone(),
        RunSettings {
            queueing: true,
            ..setting
        },
    ] {
        let whole = ran(&setting, &contenders, 2500, 3);
        let mut runner = DispatchRunner::new(&setting, &contenders, 2500, 3).expect("a valid run");
        let mut pieces = 0;
        while runner.advance(100) {
            pieces += 1;
            assert_eq!(runner.arrived().min(2500) / 100, pieces.min(25));
        }
        assert!((24..=25).contains(&pieces), "{pieces}");
        assert_eq!(runner.figures(), whole);
        assert_eq!(whole[0].requests, 2500.0);
    }
}

#[test]
fn requests_that_never_meet_are_the_same_whether_devices_queue_or_not() {
    for scarce in [Scarce::Device, Scarce::Server] {
        let (mut setting, contender) = run(3, 0, scarce, 0.6);
        setting.arrivals = ArrivalProcess::Poisson { gap: 1e7 };
        let contenders = [contender];
        let plain = ran(&setting, &contenders, 4000, 9)[0];
        setting.queueing = true;
        let queued = ran(&setting, &contenders, 4000, 9)[0];
        assert!(close(plain.mean, queued.mean) || (plain.mean - queued.mean).abs() < 1e-6);
        // Some ten thousand years on, a time is known to a few microseconds.
        assert!((plain.p99 / queued.p99 - 1.0).abs() < 1e-3);
        assert_eq!((queued.waited, queued.held_back), (0.0, 0.0));
        assert_eq!(plain.moved, queued.moved);
        assert!((plain.cost - queued.cost).abs() < 1e-6 * plain.cost);
        assert_eq!(plain.device_wins, queued.device_wins);
        assert!(plain.moved > 0.0 || scarce == Scarce::Device);
    }
}

/// Prompts of ten tokens, a device that needs a second for them, and answers of eleven at ten a second.
fn meeting(
    server: f64,
    policy: impl Fn(&DispatchProblem) -> Policy,
    arrivals: &[f64],
) -> (RunSettings, Contender) {
    let device = DispatchDevice {
        prefill_rate: 10.0,
        constant: 0.0,
    };
    let problem = DispatchProblem::new(
        PromptLengths::new(&[(10, 1.0)]).expect("a length"),
        ServerTimes::of_samples(vec![server]).expect("a time"),
        vec![device],
        0.5,
        0.1,
    )
    .expect("an instance");
    let outputs = Outputs::fixed(11).expect("a length");
    let mut terms = terms(&SERVICES[0], &PHONES[0], Scarce::Device, outputs);
    terms.devices[0].rate = 10.0;
    let contender = without_moves(&problem, policy(&problem), Scarce::Device);
    let setting = RunSettings {
        arrivals: ArrivalProcess::Trace(Arc::from(arrivals)),
        queueing: true,
        ..RunSettings::plain(problem, terms)
    };
    (setting, contender)
}

fn one(setting: &RunSettings, contender: &Contender, count: usize) -> Figures {
    ran(setting, std::slice::from_ref(contender), count, 0)[0]
}

#[test]
fn a_busy_device_serves_in_order() {
    // The first has its token at 1 s and its last at 2 s; the second asks at 0.5 s and begins then: 2.5 s. The third, at 5 s,
    // finds the device free again.
    let (setting, contender) = meeting(9.0, all_device, &[0.0, 0.5, 5.0]);
    let figures = one(&setting, &contender, 9);
    assert_eq!(figures.requests, 3.0);
    assert!(close(figures.mean, (1.0 + 2.5 + 1.0) / 3.0), "{figures:?}");
    assert!(close(figures.waited, 1.0 / 3.0));
    // In a race the second leaves the line when the server's token comes, and is not charged.
    use engine::plan::dispatch::Starts;
    let both = |_: &DispatchProblem| Policy::of([Starts::race(0, Some(0.0))]);
    let (setting, contender) = meeting(1.2, both, &[0.0, 0.5, 5.0]);
    let figures = one(&setting, &contender, 9);
    assert!(close(figures.mean, (1.0 + 1.2 + 1.0) / 3.0), "{figures:?}");
    assert!(close(figures.device_share, 2.0 / 3.0), "{figures:?}");
    assert!(close(figures.server_only, 1.0 / 3.0));
    let price = setting.terms.server.prefill * 10.0;
    assert!(close(figures.lost_prefill, price * 2.0 / 3.0));
    // A device that loses is free at once: at 0.4 s, for the one who asked at 0.1 s.
    let late = |_: &DispatchProblem| Policy::of([Starts::race(0, Some(0.0))]);
    let (setting, contender) = meeting(0.4, late, &[0.0, 0.1]);
    let figures = one(&setting, &contender, 2);
    assert!(
        close(figures.mean, 0.4) && close(figures.device_share, 1.0),
        "{figures:?}"
    );
    assert!(close(figures.server_wins, 1.0) && close(figures.waited, 0.5));
}

#[test]
fn a_cold_device_loads_first() {
    for queueing in [false, true] {
        let (mut setting, contender) = meeting(99.0, all_device, &[0.0, 10.0, 30.0]);
        setting.queueing = queueing;
        setting.cold = Some(Cold {
            load: 3.0,
            idle: 6.0,
        });
        // At 3 s it is loaded, at 5 s the first is done, at 12 s the second: the third comes 18 s later.
        let figures = one(&setting, &contender, 9);
        assert!(close(figures.mean, (4.0 + 1.0 + 4.0) / 3.0), "{figures:?}");
        assert!(close(figures.loaded, 2.0 / 3.0));
        setting.cold = Some(Cold {
            load: 3.0,
            idle: 18.0,
        });
        assert!(close(one(&setting, &contender, 9).loaded, 1.0 / 3.0));
    }
}

#[test]
fn a_hand_over_to_a_busy_device_does_not_take_place() {
    use engine::plan::dispatch::Starts;
    let only_server = |_: &DispatchProblem| Policy::of([Starts::SERVER]);
    let (mut setting, mut contender) = meeting(0.5, only_server, &[0.0, 0.1, 9.0]);
    contender.moves.from_server[0] = Some((0, 3));
    let figures = one(&setting, &contender, 9);
    assert!(close(figures.moved, 2.0 / 3.0) && close(figures.held_back, 1.0 / 3.0));
    assert!(
        close(figures.device_share, 0.0),
        "no prompt was dispatched there"
    );
    setting.queueing = false;
    let figures = one(&setting, &contender, 9);
    assert!(close(figures.moved, 1.0) && close(figures.held_back, 0.0));
}

#[test]
fn correlated_times_keep_their_law_and_come_in_runs() {
    let problem = instance(&SERVICES[1], &PHONES[1], 600, 0.5);
    let outputs = Outputs::fixed(16).expect("a length");
    let terms = terms(&SERVICES[1], &PHONES[1], Scarce::Device, outputs);
    let contenders = [without_moves(
        &problem,
        all_server(&problem),
        Scarce::Device,
    )];
    let spread = |correlation: f64| {
        let setting = RunSettings {
            correlation,
            ..RunSettings::plain(problem.clone(), terms.clone())
        };
        let seeds: Vec<u64> = (0..40).collect();
        trials(&setting, &contenders, 2000, &seeds).expect("a valid run")[0].mean
    };
    let (apart, together) = (spread(0.0), spread(0.9));
    // A mean over a chain of correlation r varies (1 + r)/(1 - r) times as much, by variance.
    let ratio = together.deviation / apart.deviation;
    assert!((2.5..6.5).contains(&ratio), "{ratio}");
    let mean = problem.times().mean();
    assert!((apart.mean - mean).abs() < 4.0 * apart.deviation / 40_f64.sqrt());
    assert!((together.mean - mean).abs() < 4.0 * together.deviation / 40_f64.sqrt());
}

#[test]
fn arrivals_change_nothing_where_requests_do_not_meet() {
    let (setting, contender) = run(0, 0, Scarce::Device, 0.5);
    let plain = one(&setting, &contender, 500);
    let times: Vec<f64> = (0..800).map(f64::from).collect();
    for arrivals in [
        ArrivalProcess::Sessions,
        ArrivalProcess::Trace(Arc::from(times)),
        ArrivalProcess::Poisson { gap: 1.0 },
    ] {
        let setting = RunSettings {
            arrivals,
            ..setting.clone()
        };
        assert_eq!(one(&setting, &contender, 500), plain);
    }
    let crowded = RunSettings {
        queueing: true,
        arrivals: ArrivalProcess::Poisson { gap: 2.0 },
        ..setting
    };
    assert!(one(&crowded, &contender, 500).waited > 0.1);
}

#[test]
fn a_policy_is_tried_on_what_it_was_not_fitted_to() {
    let problem = instance(&SERVICES[2], &PHONES[2], 2000, 0.3);
    let mut samples = problem.times().values().to_vec();
    crate::instances::Draw::new(3).shuffle(&mut samples);
    let device = problem.devices()[0];
    let fit = |problem: &DispatchProblem| waits(problem, Residual::Corrected).policy();
    let rest = (device, 0.3, 0.1);
    let tried = halves(problem.prompts(), &samples, rest, Scarce::Device, fit).expect("samples");
    assert!(tried.fitted.device_share <= 0.3 + 1e-9);
    assert!((tried.test_outcome.device_share - 0.3 - tried.drift).abs() < 1e-12);
    // About one over the root of a thousand samples.
    assert!(
        tried.drift.abs() < 0.04 && tried.drift != 0.0,
        "{}",
        tried.drift
    );
    samples[1500] = -1.0;
    let fault = halves(problem.prompts(), &samples, rest, Scarce::Device, fit);
    assert_eq!(fault.expect_err("a time below 0").path, "ttft[1500]");
    let fault = halves(problem.prompts(), &[1.0], rest, Scarce::Device, fit);
    assert_eq!(fault.expect_err("one sample").path, "ttft");
}

#[test]
fn an_invalid_run_is_refused_by_name() {
    let (setting, contender) = run(0, 0, Scarce::Device, 0.5);
    let fault = |change: &dyn Fn(&mut RunSettings, &mut Contender)| {
        let (mut setting, mut contender) = (setting.clone(), contender.clone());
        change(&mut setting, &mut contender);
        DispatchRunner::new(&setting, &[contender], 9, 0)
            .expect_err("no run")
            .path
    };
    assert_eq!(
        fault(&|s, _| s.arrivals = ArrivalProcess::Poisson { gap: 0.0 }),
        "arrivals.gap"
    );
    assert_eq!(
        fault(&|s, _| s.arrivals = ArrivalProcess::Trace(Arc::from([1.0, 0.5]))),
        "arrivals[1]"
    );
    assert_eq!(fault(&|s, _| s.correlation = 1.0), "correlation");
    assert_eq!(
        fault(&|s, _| s.cold = Some(Cold {
            load: -1.0,
            idle: 0.0
        })),
        "cold.load"
    );
    assert_eq!(
        fault(&|s, _| s.cold = Some(Cold {
            load: 1.0,
            idle: f64::NAN
        })),
        "cold.idle"
    );
    assert_eq!(fault(&|s, _| s.terms.devices.clear()), "terms.devices");
    assert_eq!(fault(&|_, c| c.policy.acts.truncate(3)), "policies[0]");
    assert_eq!(fault(&|_, c| c.moves.from_device.clear()), "policies[0]");
    assert_eq!(
        fault(&|_, c| c.moves.from_server[0] = Some((1, 1))),
        "policies[0]"
    );
    let none = DispatchRunner::new(&setting, &[], 9, 0).expect_err("no policy");
    assert_eq!(none.path, "policies");
    let many = DispatchRunner::new(&setting, std::slice::from_ref(&contender), usize::MAX, 0);
    assert_eq!(many.expect_err("too many").path, "requests");
    let no_seed = trials(&setting, &[contender], 9, &[]);
    assert_eq!(no_seed.expect_err("no seed").path, "seeds");
}
