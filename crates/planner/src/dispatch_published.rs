//! Computations for the published figures of device or server: the paper's four services on its three phones at every budget, in
//! subtasks that a worker runs one by one.
//!
//! Source: DiSCo (arXiv 2502.11417), sections 5.1 to 5.3, Tables 2, 3, 5 and 8, Appendix. Its traces are not public: first tokens
//! are log-normal laws fitted to the errors of the moving average in Table 5, prompts a log-normal law with the mean of
//! Alpaca (19.3 tokens). Everything is an exact expectation over these laws, taken at [`TIMES`] mid-point quantiles; nothing
//! is fitted to what it is compared with, but for the moving averages of Table 5.
//!
//! Complexity: 24 pairs of 21 budgets, each O(n + D) for n times and D prompt lengths; a pair takes some hundredths of a
//! second.

use engine::evaluate::dispatch::outcome;
use engine::evaluate::dispatch_cost::bill;
use engine::plan::dispatch::{Policy, Scarce};
use engine::plan::moves::Moves;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use engine::problem::dispatch_terms::{Charging, Outputs, Terms};
use engine::problem::migration::End;
use engine::sim::SplitMix as Draws;
use engine::sim::law::LogNormal;
use methods::dispatch::baseline::{RandomPolicy, stochastic};
use methods::dispatch::flops::PROFILES;
use methods::dispatch::migration::moves;
use methods::dispatch::predict::{Predictor, Score, score};
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A service of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperService {
    /// Name in the paper.
    pub name: &'static str,
    /// Price of prompts [USD per 10^6 tokens]. Table 8.
    pub prefill: f64,
    /// Price of answers [USD per 10^6 tokens]. Table 8.
    pub decode: f64,
    /// How its first tokens are assumed to be distributed.
    pub law: LogNormal,
}

const fn service(
    name: &'static str,
    prices: [f64; 2],
    [log_mean, log_sd]: [f64; 2],
) -> PaperService {
    PaperService {
        name,
        prefill: prices[0],
        decode: prices[1],
        law: LogNormal { log_mean, log_sd },
    }
}

/// The services, in the order of Table 2.
pub const SERVICES: [PaperService; 4] = [
    service("GPT", [0.15, 0.60], [-0.869, 0.273]),
    service("LLaMA", [0.40, 0.40], [-0.161, 0.426]),
    service("DeepSeek", [0.14, 0.28], [0.396, 0.304]),
    service("Command", [1.25, 2.00], [-1.405, 0.404]),
];

/// The phones' rates of prefill and decode [tokens/s], in the order of [`PROFILES`]: a Pixel 7 Pro with two models, a
/// Xiaomi 14 with the third. Each is faster than the one before.
pub const PHONES: [(f64, f64); 3] = [(31.32, 13.93), (51.80, 20.14), (79.90, 21.47)];

/// The share of the budget that Algorithm 2 keeps for the tail; the paper gives none.
pub const ALPHA: f64 = 0.1;
/// Quantiles that stand for a law of first tokens.
pub const TIMES: usize = 600;
/// Steps of the budget from nothing to all.
pub const STEPS: usize = 20;
/// The budgets over which Table 3 is averaged, as steps: 0.3, 0.6 and 0.9.
pub const TABLE3: [usize; 3] = [6, 12, 18];
/// Tokens of every answer: the cap of the paper.
pub const ANSWER: u32 = 128;
/// Reading speed [tokens/s]: the inverse of the paper's P99 of 0.209 s between tokens.
pub const READER: f64 = 4.78;
/// Generation rate of every server [tokens/s]; the paper only says that it is above the reading speed.
const SERVER_RATE: f64 = 60.0;
/// Prompts: 4 to 512 tokens.
const PROMPTS: LogNormal = LogNormal {
    log_mean: 2.7156,
    log_sd: 0.70,
};
/// Prompt length at which Table 6 is taken for prices [tokens].
const PRICED_AT: f64 = 32.0;
/// Quantiles that stand for a law where a single residual length is asked.
const FINE_TIMES: usize = 5000;
/// Budgets of the residual wait: with prompts of one length, and with all.
pub const RESIDUAL_BUDGETS: [f64; 3] = [0.2, 0.5, 0.9];
/// Budgets for prompts of every length.
pub const WIDE_BUDGETS: [f64; 2] = [0.3, 0.5];
/// Traces of first tokens that forecasts are scored on, their length, and the first seed.
pub const TRACES: u64 = 20;
const TRACE_LENGTH: usize = 1000;
const TRACE_SEED: u64 = 1000;

/// The worth of 10^15 operations of a device [USD]: it makes the device scarce, or the server.
const fn worth(scarce: Scarce) -> f64 {
    match scarce {
        Scarce::Device => 5.0,
        Scarce::Server => 0.3,
    }
}

/// A subtask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DispatchSubtask {
    /// One service and one phone under every budget.
    Pair(Pair),
    /// Share that the wait at the residual length spends, corrected and as printed.
    Residual,
    /// Forecasts of the first tokens of a service, by place in [`SERVICES`].
    Forecasts(usize),
}

/// A service beside a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Place in [`SERVICES`].
    pub service: usize,
    /// Place in [`PHONES`].
    pub phone: usize,
    /// The scarce side.
    pub scarce: Scarce,
}

impl Pair {
    /// All pairs: for both scarce sides every service beside every phone.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let services = 0..SERVICES.len();
        let both = [Scarce::Device, Scarce::Server];
        let pairs = both.into_iter().flat_map(|scarce| {
            services.clone().flat_map(move |service| {
                (0..PHONES.len()).map(move |phone| Self {
                    service,
                    phone,
                    scarce,
                })
            })
        });
        pairs.collect()
    }
}

/// A pair under one budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Point {
    /// The share of prompt tokens that the scarce side may process.
    pub budget: f64,
    /// By how much the mean time to the first token is below that of chance, as a share.
    pub mean_gain: f64,
    /// Relative gain in P99.
    pub tail_gain: f64,
    /// Share of the cost that migration saves, if a migration to the server is counted with its mean TTFT.
    pub saved: f64,
    /// Share of the cost that migration saves, if a migration to the server is counted with the P99 of TTFT, as for the figures
    /// below.
    pub saved_by_p99: f64,
    /// Tokens that pass while a hand-over runs, mean over requests that change ends; none if none does.
    pub buffer_mean: Option<f64>,
    /// Buffer that 99 % of migrations do not exceed.
    pub buffer_p99: Option<f64>,
    /// Tokens that come late in a request that changes ends.
    pub late_of_moved: f64,
    /// 99 % of the gaps between shown tokens are at most this [s].
    pub tbt_p99: f64,
}

/// Share of tokens on the device for each budget, under each reading of the residual wait.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Prompts of one length, corrected, for [`RESIDUAL_BUDGETS`].
    pub corrected: [f64; 3],
    /// Shares with the line as printed.
    pub published: [f64; 3],
    /// Shares with the comparison of the line reversed, but the tokens of the tail left out.
    pub increment: [f64; 3],
    /// Prompts of every length with the line as printed, for [`WIDE_BUDGETS`].
    pub wide: [f64; 2],
}

/// Result of a subtask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DispatchSubtaskResult {
    /// A pair, budgets ascending.
    Pair(Pair, Vec<Point>),
    /// Shares that the residual wait spends.
    Residual(Spent),
    /// Errors of the moving average and of exponential smoothing, mean over [`TRACES`] traces: as a share, and [s].
    Forecasts(usize, [(f64, f64); 2]),
}

impl DispatchSubtask {
    /// Computes the pair.
    #[must_use]
    pub fn run(self) -> DispatchSubtaskResult {
        match self {
            Self::Pair(pair) => DispatchSubtaskResult::Pair(pair, points(pair, TIMES)),
            Self::Residual => DispatchSubtaskResult::Residual(spent()),
            Self::Forecasts(service) => {
                DispatchSubtaskResult::Forecasts(service, forecasts(service))
            }
        }
    }
}

/// The prompts of every piece.
fn prompts() -> PromptLengths {
    PromptLengths::new(&PROMPTS.integer_weights(4, 512)).expect("lengths of a law are valid")
}

fn times(service: &PaperService, count: usize) -> ServerTimes {
    ServerTimes::of_samples(service.law.samples(count)).expect("samples of a law are valid")
}

/// A pair under every budget, with so many quantiles of the service's law.
#[must_use]
pub fn points(pair: Pair, quantiles: usize) -> Vec<Point> {
    let service = &SERVICES[pair.service];
    let (prefill_rate, rate) = PHONES[pair.phone];
    let times = Arc::new(times(service, quantiles));
    let devices = vec![DispatchDevice {
        prefill_rate,
        constant: 0.0,
    }];
    let problem = DispatchProblem::new(prompts(), times.clone(), devices, 0.0, ALPHA)
        .expect("the paper's setting is valid");
    let [prefill, decode] = PROFILES[pair.phone].prices(worth(pair.scarce), PRICED_AT);
    let terms = |estimate: f64| {
        Terms {
            devices: vec![End {
                rate,
                prefill,
                decode,
            }],
            server: End {
                rate: SERVER_RATE,
                prefill: service.prefill,
                decode: service.decode,
            },
            reader: READER,
            net: 0.0,
            expected: f64::from(ANSWER),
            estimate,
            extra: 0.0,
            guard: false,
            charging: Charging::Full,
            outputs: Outputs::fixed(ANSWER).expect("a length above 0"),
        }
        .checked()
        .expect("the paper's prices and rates are valid")
    };
    let by_mean = terms(times.mean());
    let by_p99 = terms(times.quantile(0.99).unwrap_or(f64::INFINITY));
    let moved = [&by_mean, &by_p99].map(|terms| moves(&problem, terms));
    let stay = Moves::none(problem.prompts().lengths().len(), 1);
    let at = |step: usize| {
        let budget = step as f64 / STEPS as f64;
        let problem = problem.with_budget(budget).expect("budgets go from 0 to 1");
        let policy = rule(&problem, pair.scarce);
        let ours = outcome(&problem, &policy, pair.scarce);
        let chance = stochastic(&problem, pair.scarce, RandomPolicy::Exclusive);
        let chance = outcome(&problem, &chance, pair.scarce);
        let bill = |terms, moves| bill(&problem, &policy, pair.scarce, terms, moves);
        let without = bill(&by_mean, &stay).total;
        let cheapest = bill(&by_mean, &moved[0]).total;
        let with = bill(&by_p99, &moved[1]);
        Point {
            budget,
            mean_gain: 1.0 - ours.mean / chance.mean,
            tail_gain: 1.0 - ours.p99 / chance.p99,
            saved: 1.0 - cheapest / without,
            saved_by_p99: 1.0 - with.total / without,
            buffer_mean: with.buffer_mean,
            buffer_p99: with.buffer_p99,
            late_of_moved: with.late_of_moved,
            tbt_p99: with.tbt_p99,
        }
    };
    (0..=STEPS).map(at).collect()
}

/// The paper's own policy: Algorithm 2 or 3.
fn rule(problem: &DispatchProblem, scarce: Scarce) -> Policy {
    match scarce {
        Scarce::Device => waits(problem, Residual::Corrected).policy(),
        Scarce::Server => threshold(problem).policy(),
    }
}

/// Computes the shares that the residual wait spends under each reading.
fn spent() -> Spent {
    let device = || {
        vec![DispatchDevice {
            prefill_rate: PHONES[2].0,
            constant: 0.0,
        }]
    };
    let times = Arc::new(times(&SERVICES[0], FINE_TIMES));
    let one = PromptLengths::new(&[(16, 1.0)]).expect("one length is valid");
    let share = |prompts: &Arc<PromptLengths>, budget: f64, residual: Residual| {
        let problem = DispatchProblem::new(prompts.clone(), times.clone(), device(), budget, ALPHA)
            .expect("the setting is valid");
        let policy = waits(&problem, residual).policy();
        outcome(&problem, &policy, Scarce::Device).device_share
    };
    let (one, wide) = (Arc::new(one), Arc::new(prompts()));
    let each = |residual| RESIDUAL_BUDGETS.map(|b| share(&one, b, residual));
    Spent {
        corrected: each(Residual::Corrected),
        published: each(Residual::Published),
        increment: each(Residual::Increment),
        wide: WIDE_BUDGETS.map(|b| share(&wide, b, Residual::Published)),
    }
}

/// Errors of the two simple forecasts on independent first tokens of a service.
fn forecasts(service: usize) -> [(f64, f64); 2] {
    let law = SERVICES[service].law;
    let mut sums = [(0.0, 0.0); 2];
    for seed in 0..TRACES {
        let mut draws = Draws::new(TRACE_SEED + seed);
        let mut trace = Vec::with_capacity(TRACE_LENGTH);
        while trace.len() < TRACE_LENGTH {
            let (a, b) = draws.normals();
            trace.extend([a, b].map(|z| libm::exp(law.log_mean + law.log_sd * z)));
        }
        let both = [Predictor::MovingAverage, Predictor::Smoothing];
        for (sum, predictor) in sums.iter_mut().zip(both) {
            let Score { mape, mae, .. } =
                score(&trace, predictor).expect("times of a law are above 0");
            *sum = (sum.0 + mape, sum.1 + mae);
        }
    }
    sums.map(|(share, seconds)| (share / TRACES as f64, seconds / TRACES as f64))
}

/// Results so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DispatchMeasurements {
    all: Vec<DispatchSubtaskResult>,
}

impl DispatchMeasurements {
    /// Every pair.
    #[must_use]
    pub fn subtasks() -> Vec<DispatchSubtask> {
        let mut all: Vec<DispatchSubtask> =
            Pair::all().into_iter().map(DispatchSubtask::Pair).collect();
        all.push(DispatchSubtask::Residual);
        all.extend((0..SERVICES.len()).map(DispatchSubtask::Forecasts));
        all
    }

    /// Takes a piece in.
    pub fn add(&mut self, found: DispatchSubtaskResult) {
        self.all.push(found);
    }

    /// A pair under every budget, where it has been computed.
    #[must_use]
    pub fn pair(&self, pair: Pair) -> Option<&[Point]> {
        self.all.iter().find_map(|found| match found {
            DispatchSubtaskResult::Pair(known, points) if *known == pair => Some(points.as_slice()),
            _ => None,
        })
    }

    /// Returns the shares that the residual wait spends.
    #[must_use]
    pub fn spent(&self) -> Option<&Spent> {
        self.all.iter().find_map(|found| match found {
            DispatchSubtaskResult::Residual(spent) => Some(spent),
            _ => None,
        })
    }

    /// Errors of the moving average and of exponential smoothing.
    #[must_use]
    pub fn forecasts(&self, service: usize) -> Option<[(f64, f64); 2]> {
        self.all.iter().find_map(|found| match found {
            DispatchSubtaskResult::Forecasts(known, errors) if *known == service => Some(*errors),
            _ => None,
        })
    }

    /// Returns the cost of a request that the server of a pair wins and that moves after `g` tokens, as a share of its cost
    /// without migration.
    #[must_use]
    pub fn moved_cost(pair: Pair, prompt: f64, g: f64) -> f64 {
        let service = &SERVICES[pair.service];
        let [prefill, decode] = PROFILES[pair.phone].prices(worth(pair.scarce), PRICED_AT);
        let answer = f64::from(ANSWER);
        let before = service.prefill * prompt + service.decode * g;
        let after = prefill * (prompt + g) + decode * (answer - g);
        (before + after) / (service.prefill * prompt + service.decode * answer)
    }

    /// Mean gains of a pair over all budgets: of the mean and of the tail, as shares.
    #[must_use]
    pub fn gains(&self, pair: Pair) -> Option<(f64, f64)> {
        let points = self.pair(pair)?;
        let mean = |of: fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        Some((mean(|p| p.mean_gain), mean(|p| p.tail_gain)))
    }

    /// The most that hand-overs save where a side is scarce, and where that is; none until all pairs are there.
    #[must_use]
    pub fn most_saved(&self, scarce: Scarce) -> Option<(Pair, Point)> {
        let mut best: Option<(Pair, Point)> = None;
        for pair in Pair::all().into_iter().filter(|pair| pair.scarce == scarce) {
            for point in self.pair(pair)? {
                if best.is_none_or(|(_, best)| point.saved > best.saved) {
                    best = Some((pair, *point));
                }
            }
        }
        best
    }

    /// A row of Table 3: tokens that pass during a hand-over, mean and P99, late tokens of a request that moves, and P99
    /// between tokens [s]. Averages over phones and three budgets; none until all phones are there.
    #[must_use]
    pub fn handover(&self, service: usize, scarce: Scarce) -> Option<[f64; 4]> {
        let mut rows: Vec<[Option<f64>; 4]> = Vec::new();
        for phone in 0..PHONES.len() {
            let points = self.pair(Pair {
                service,
                phone,
                scarce,
            })?;
            rows.extend(TABLE3.iter().filter_map(|step| points.get(*step)).map(|p| {
                let late = p.buffer_mean.map(|_| p.late_of_moved);
                [p.buffer_mean, p.buffer_p99, late, Some(p.tbt_p99)]
            }));
        }
        let mean = |k: usize| {
            let values = || rows.iter().filter_map(|row| row[k]);
            let count = values().count();
            (count > 0).then(|| values().sum::<f64>() / count as f64)
        };
        Some([mean(0)?, mean(1)?, mean(2)?, mean(3)?])
    }
}
