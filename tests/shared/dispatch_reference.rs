//! The simulator of device and server written a second time, plainly: requests one after the other, laws searched from their
//! beginning, answers played out token by token. Requests never meet here.
#![allow(dead_code)] // Shared by tests and a benchmark.

use engine::evaluate::migration::timeline;
use engine::plan::dispatch::Scarce;
use engine::problem::dispatch_terms::Charging;
use engine::problem::migration::{CaseNumbers, MigrationCase, Prices, Winner};
use engine::sim::Draw;
use methods::dispatch::simulate::{ArrivalProcess, Contender, RunSettings, TimeSource};

/// Sums over all requests.
#[derive(Debug, Default)]
pub struct Sums {
    pub ttft: Vec<f64>,
    pub cost: f64,
    pub moved: f64,
    pub late: f64,
    pub max_stall: f64,
    pub device_tokens: f64,
    pub tokens: f64,
    pub gaps: Vec<f64>,
}

impl Sums {
    pub fn mean(&self) -> f64 {
        self.ttft.iter().sum::<f64>() / self.ttft.len() as f64
    }

    /// The least time that a share of all is at most.
    pub fn quantile(values: &[f64], share: f64) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[((share * sorted.len() as f64).ceil() as usize).max(1) - 1]
    }
}

fn search(weights: impl Iterator<Item = f64> + Clone, u: f64) -> usize {
    let total: f64 = weights.clone().sum();
    let count = weights.clone().count();
    let mut sum = 0.0;
    for (index, weight) in weights.enumerate() {
        sum += weight;
        if sum / total > u {
            return index;
        }
    }
    count - 1
}

/// Runs one policy.
pub fn simulate(setting: &RunSettings, contender: &Contender, count: usize, seed: u64) -> Sums {
    assert!(matches!(setting.times, TimeSource::Same) && setting.correlation == 0.0);
    assert!(matches!(setting.arrivals, ArrivalProcess::Poisson { .. }));
    let (problem, terms) = (&setting.problem, &setting.terms);
    let mut draw = Draw::new(seed, 0);
    let mut sums = Sums::default();
    for _ in 0..count {
        let _arrival = draw.unit();
        let i = search(problem.prompts().p().iter().copied(), draw.unit());
        let times = problem.times();
        let time = |u: f64| times.values()[search(times.weights().iter().copied(), u)];
        let ts = time(draw.unit());
        let rows = terms.outputs.rows();
        let n = rows[search(rows.iter().map(|row| row.1), draw.unit())].0;
        let coin = draw.unit();
        let again = time(draw.unit());

        let l = problem.prompts().lengths()[i];
        let tokens = f64::from(l);
        let mut sum = 0.0;
        let mut act = None;
        for (probability, next) in &contender.policy.acts[i] {
            sum += probability;
            if act.is_none() && coin < sum {
                act = Some(*next);
            }
        }
        let act = act.expect("probabilities add up to 1");
        let starts = act.device.filter(|(_, wait)| !act.server || ts > *wait);
        let there = starts.map_or(f64::INFINITY, |(m, wait)| {
            wait + problem.devices()[m].first_token(l)
        });
        let server_wins =
            act.server && (ts < there || ts == there && contender.scarce == Scarce::Device);
        sums.ttft.push(if server_wins { ts } else { there });
        sums.tokens += tokens;
        if let Some((m, wait)) = starts {
            sums.device_tokens += tokens;
            if server_wins {
                let rate = problem.devices()[m].prefill_rate;
                let done = match terms.charging {
                    Charging::Full => tokens,
                    Charging::ProRata => ((ts - wait) * rate).floor().min(tokens),
                };
                sums.cost += terms.devices[m].prefill * done;
            }
        }
        if act.server && !server_wins {
            sums.cost += terms.server.prefill * tokens;
        }
        let (winner, m, g) = if server_wins {
            let to = contender.moves.from_server[i];
            (Winner::Server, to.map_or(0, |to| to.0), to.map(|to| to.1))
        } else {
            let m = starts.map_or(0, |(m, _)| m);
            (Winner::Device, m, contender.moves.from_device[m][i])
        };
        let device = &problem.devices()[m];
        let case = MigrationCase::new(CaseNumbers {
            l: tokens,
            n_out: f64::from(n),
            n_exp: terms.expected,
            winner,
            r_dev: terms.devices[m].rate,
            r_srv: terms.server.rate,
            r_c: terms.reader,
            k: 1.0 / device.prefill_rate,
            c: device.constant,
            srv_ttft_est: terms.estimate,
            srv_ttft_actual: again,
            net: terms.net,
            cost: Prices {
                dev_p: terms.devices[m].prefill,
                dev_d: terms.devices[m].decode,
                srv_p: terms.server.prefill,
                srv_d: terms.server.decode,
            },
        });
        let run = timeline(&case.expect("a valid setting"), g);
        sums.cost += run.cost;
        sums.late += f64::from(run.late);
        sums.moved += f64::from(u8::from(run.handover.is_some()));
        sums.max_stall = sums.max_stall.max(run.max_stall);
        let shown = run.displayed.windows(2);
        sums.gaps.extend(shown.map(|pair| pair[1] - pair[0]));
    }
    sums
}
