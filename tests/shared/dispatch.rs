//! Problems of device or server: small random ones, and the services, devices and prompts that are in for the paper's.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use super::instances::Draw;
use engine::plan::dispatch::{Policy, Scarce};
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};

/// A problem before it is checked, so that a test can change one number of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub lengths: Vec<(u32, f64)>,
    pub samples: Vec<f64>,
    pub devices: Vec<DispatchDevice>,
    pub b: f64,
    pub alpha: f64,
}

impl Case {
    /// The problem. Every case made here is valid.
    pub fn problem(&self) -> DispatchProblem {
        let prompts = PromptLengths::new(&self.lengths).expect("lengths here are valid");
        let times = ServerTimes::of_samples(self.samples.clone()).expect("samples here are valid");
        DispatchProblem::new(prompts, times, self.devices.clone(), self.b, self.alpha)
            .expect("cases here are valid")
    }
}

/// A small case: few lengths and samples, often in round numbers so that times, shares and ranks coincide, often at the
/// edges of the budget.
pub fn small(draw: &mut Draw) -> Case {
    let round = draw.one_in(2);
    let time = |draw: &mut Draw| match round {
        true => draw.whole(1, 12) as f64 * 0.25,
        false => draw.between(0.05, 3.0),
    };
    let rows = draw.whole(1, 6);
    let lengths = (0..rows).map(|_| {
        let weight = match round {
            true => draw.whole(1, 4) as f64,
            false => draw.between(0.1, 5.0),
        };
        (draw.whole(1, 30) as u32, weight)
    });
    let lengths = lengths.collect();
    let many = draw.whole(1, 12);
    let samples = (0..many).map(|_| time(draw)).collect();
    let device = |draw: &mut Draw| DispatchDevice {
        prefill_rate: if round { 8.0 } else { draw.between(4.0, 60.0) },
        constant: match draw.below(3) {
            0 => time(draw) * 0.5,
            _ => 0.0,
        },
    };
    let devices = (0..draw.whole(1, 3)).map(|_| device(draw)).collect();
    let b = match draw.below(8) {
        0 => 0.0,
        1 => 1.0,
        2..=4 => draw.whole(0, 20) as f64 * 0.05,
        _ => draw.unit(),
    };
    let alpha = match draw.below(3) {
        0 => 0.1,
        1 => draw.between(0.01, 0.99),
        _ => draw.whole(1, 9) as f64 * 0.1,
    };
    Case {
        lengths,
        samples,
        devices,
        b,
        alpha,
    }
}

/// The law of the first token, request by request: every length, act and sample on its own. What a scarce endpoint starts
/// counts in full. The mean, the share of tokens of device and of server, and all times with their shares, ascending.
pub fn by_hand(problem: &DispatchProblem, policy: &Policy) -> (f64, f64, f64, Vec<(f64, f64)>) {
    let (prompts, times) = (problem.prompts(), problem.times());
    let mut all: Vec<(f64, f64)> = Vec::new();
    let (mut device_share, mut server_share) = (0.0, 0.0);
    for (i, mixture) in policy.acts.iter().enumerate() {
        for (chance, act) in mixture {
            for (value, weight) in times.values().iter().zip(times.weights()) {
                let share = chance * weight / times.total();
                let started = act.device.filter(|(_, wait)| !act.server || value > wait);
                let device = started
                    .map(|(m, wait)| wait + problem.devices()[m].first_token(prompts.lengths()[i]));
                let server = act.server.then_some(*value);
                device_share += prompts.q()[i] * share * f64::from(u8::from(device.is_some()));
                server_share += prompts.q()[i] * share * f64::from(u8::from(act.server));
                let first = device
                    .into_iter()
                    .chain(server)
                    .fold(f64::INFINITY, f64::min);
                all.push((first, prompts.p()[i] * share));
            }
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = all.iter().map(|(time, share)| time * share).sum();
    (mean, device_share, server_share, all)
}

/// The smallest time by which the share `u` has its first token.
pub fn quantile(all: &[(f64, f64)], u: f64) -> f64 {
    let mut sum = 0.0;
    for (time, share) in all {
        sum += share;
        if sum >= u - 1e-9 {
            return *time;
        }
    }
    f64::INFINITY
}

/// The distribution function of the standard normal law.
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / 2.0_f64.sqrt())
}

/// Its inverse, by bisection to the last bits.
pub fn probit(u: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if normal(middle) < u {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Assumed services: the logarithm of their times is normal with this mean and deviation.
pub const SERVICES: [(&str, f64, f64); 4] = [
    ("GPT-4o-mini", -0.869, 0.273),
    ("LLaMA-3-70b", -0.161, 0.426),
    ("DeepSeek-V2.5", 0.396, 0.304),
    ("Command", -1.405, 0.404),
];

/// Measured devices: prompt tokens per second.
pub const DEVICES: [(&str, f64); 3] = [
    ("Bloom-1.1B", 31.32),
    ("Bloom-560M", 51.80),
    ("Qwen1.5-0.5B", 79.90),
];

/// The middle of each of `n` equal shares of a service's times.
pub fn service(mu: f64, sigma: f64, n: usize) -> Vec<f64> {
    let middle = |k: usize| (k as f64 + 0.5) / n as f64;
    (0..n)
        .map(|k| libm::exp(mu + sigma * probit(middle(k))))
        .collect()
}

/// The same where three in a hundred times are about four times as long.
pub fn bursty(mu: f64, sigma: f64, n: usize) -> Vec<f64> {
    let share = |t: f64| {
        let body = normal((libm::log(t) - mu) / (0.9 * sigma));
        let burst = normal((libm::log(t) - mu - libm::log(4.0)) / 0.4);
        0.97 * body + 0.03 * burst
    };
    let middle = |k: usize| (k as f64 + 0.5) / n as f64;
    let inverse = |u: f64| {
        let (mut low, mut high) = (1e-6_f64, 1e6_f64);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            if share(middle) < u {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    };
    (0..n).map(|k| inverse(middle(k))).collect()
}

/// Assumed prompts: log-normal lengths, rounded, 4 to 512 tokens, 19.3 in the mean.
pub fn alpaca() -> Vec<(u32, f64)> {
    let below = |l: f64| normal((libm::log(l) - 2.7156) / 0.70);
    let share = |l: u32| match l {
        4 => below(4.5),
        512 => 1.0 - below(511.5),
        l => below(f64::from(l) + 0.5) - below(f64::from(l) - 0.5),
    };
    (4..=512).map(|l| (l, share(l))).collect()
}

/// A service and a device under a budget.
pub fn paper(samples: Vec<f64>, rate: f64, b: f64, alpha: f64) -> DispatchProblem {
    let case = Case {
        lengths: alpaca(),
        samples,
        devices: vec![DispatchDevice {
            prefill_rate: rate,
            constant: 0.0,
        }],
        b,
        alpha,
    };
    case.problem()
}

/// Both kinds of scarcity.
pub const SCARCE: [Scarce; 2] = [Scarce::Device, Scarce::Server];
