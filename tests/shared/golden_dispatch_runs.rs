//! Hand-overs, bills, runs of requests and forecasts that must be the same to the last bit on every machine, in
//! `tests/data/golden_dispatch_runs.json`, a case a line.

use super::dispatch_runs_made::{SERVICES, run};
use super::golden::compared;
use super::instances::Draw;
use engine::evaluate::dispatch_cost::bill;
use engine::evaluate::migration::timeline;
use engine::plan::dispatch::Scarce;
use engine::problem::migration::{CaseNumbers, MigrationCase, Prices, Winner};
use engine::sim::law::{BurstyLaw, LogNormal};
use engine::sim::{Sessions, compact};
use methods::dispatch::migration::decide;
use methods::dispatch::predict::{Predictor, score};
use methods::dispatch::simulate::{ArrivalProcess, Cold, DispatchRunner, RunSettings, TimeSource};
use serde::Serialize;

/// The file.
pub const FILE: &str = include_str!("../data/golden_dispatch_runs.json");

/// One case. Numbers are printed so that they read back to the same bits.
fn line(name: &str, answer: &impl Serialize) -> String {
    let answer = serde_json::to_string(answer).expect("plain data serialises");
    format!(r#"{{"case":{name:?},"answer":{answer}}}"#)
}

/// A law with bursts around that of a service.
fn bursty(body: LogNormal) -> BurstyLaw {
    BurstyLaw {
        body: LogNormal {
            log_sd: 0.9 * body.log_sd,
            ..body
        },
        burst: LogNormal {
            log_mean: body.log_mean + libm::log(4.0),
            log_sd: 0.4,
        },
        share: 0.03,
    }
}

/// All cases, as the lines of the file have them.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    let mut draw = Draw::new(17);
    for round in 0..30 {
        let numbers = CaseNumbers {
            l: 1.0 + draw.below(200) as f64,
            n_out: 1.0 + draw.below(200) as f64,
            n_exp: 1.0 + draw.below(200) as f64,
            winner: [Winner::Device, Winner::Server][draw.below(2)],
            r_dev: draw.between(4.0, 30.0),
            r_srv: draw.between(4.0, 90.0),
            r_c: draw.between(2.0, 9.0),
            k: draw.between(0.0, 0.03),
            c: draw.between(0.0, 0.2),
            srv_ttft_est: draw.between(0.1, 2.0),
            srv_ttft_actual: draw.between(0.1, 4.0),
            net: draw.between(0.0, 0.2),
            cost: Prices {
                dev_p: draw.between(0.0, 1.0),
                dev_d: draw.between(0.0, 4.0),
                srv_p: draw.between(0.0, 1.0),
                srv_d: draw.between(0.0, 4.0),
            },
        };
        let case = MigrationCase::new(numbers).expect("a request");
        let played = timeline(&case, decide(&case));
        let told = (
            played
                .handover
                .map(|h| (h.tokens, h.buffer, h.from, h.first)),
            (played.late, played.max_stall, played.tbt_p99),
            (played.cost, played.cost_without),
            played.displayed.last().copied(),
        );
        lines.push(line(&format!("hand-over {round}"), &told));
    }
    for (service, phone, scarce, b) in [
        (0, 0, Scarce::Device, 0.3),
        (2, 2, Scarce::Device, 0.8),
        (3, 1, Scarce::Server, 0.6),
        (1, 2, Scarce::Server, 0.9),
    ] {
        let (setting, contender) = run(service, phone, scarce, b);
        let name = format!("service {service} with phone {phone} at {b}");
        let (problem, terms) = (&setting.problem, &setting.terms);
        let paid = bill(problem, &contender.policy, scarce, terms, &contender.moves);
        lines.push(line(&format!("bill of {name}"), &paid));
        let law = bursty(SERVICES[service].law);
        for (kind, setting) in [
            ("plain", setting.clone()),
            (
                "queued",
                RunSettings {
                    queueing: true,
                    arrivals: ArrivalProcess::Sessions,
                    cold: Some(Cold {
                        load: 1.3,
                        idle: 60.0,
                    }),
                    ..setting.clone()
                },
            ),
            (
                "bursty and correlated",
                RunSettings {
                    times: TimeSource::Law(law),
                    correlation: 0.5,
                    ..setting.clone()
                },
            ),
        ] {
            let contenders = [contender.clone()];
            let mut runner =
                DispatchRunner::new(&setting, &contenders, 3000, 1).expect("a valid run");
            while runner.advance(1000) {}
            lines.push(line(&format!("{kind} run of {name}"), &runner.figures()));
        }
    }
    let arrivals: Vec<f64> = Sessions::new(2).take(40).collect();
    lines.push(line("arrivals in sessions", &arrivals));
    let mut log = logged(SERVICES[1].law, 400);
    for predictor in Predictor::ALL {
        let found = score(&log, predictor).expect("a log");
        lines.push(line(predictor.name(), &found));
    }
    log.sort_by(f64::total_cmp);
    let small = compact(&log, 64).expect("a log");
    let told = (small.rows, small.largest_shift, small.mean_shift);
    lines.push(line("compact histogram", &told));
    lines
}

/// A log of independent times of a law.
pub fn logged(law: LogNormal, count: usize) -> Vec<f64> {
    let mut draw = Draw::new(count as u64);
    let time = |_| law.quantile((draw.bits() >> 12) as f64 / (1_u64 << 52) as f64 + 1e-17);
    (0..count).map(time).collect()
}

/// Where the file and this machine differ: a sentence a case.
pub fn differences() -> Vec<String> {
    compared(&lines(), FILE)
}
