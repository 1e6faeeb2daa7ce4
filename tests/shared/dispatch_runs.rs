//! The four services and three devices of DiSCo's evaluation, with what is assumed of them, and policies for them.
#![allow(dead_code)] // Shared by tests and a benchmark.

use engine::plan::dispatch::Scarce;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use engine::problem::dispatch_terms::{Charging, Outputs, Terms};
use engine::problem::migration::End;
use engine::sim::law::LogNormal;
use methods::dispatch::migration::moves;
use methods::dispatch::simulate::{Contender, RunSettings};
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};

/// A service: name, law of its time to the first token, price of a prompt token and of a generated one.
#[derive(Debug, Clone, Copy)]
pub struct Service {
    pub name: &'static str,
    pub law: LogNormal,
    pub prices: [f64; 2],
}

const fn service(name: &'static str, log_mean: f64, log_sd: f64, prices: [f64; 2]) -> Service {
    Service {
        name,
        law: LogNormal { log_mean, log_sd },
        prices,
    }
}

pub const SERVICES: [Service; 4] = [
    service("GPT", -0.869, 0.273, [0.15, 0.60]),
    service("LLaMA", -0.161, 0.426, [0.40, 0.40]),
    service("DeepSeek", 0.396, 0.304, [0.14, 0.28]),
    service("Command", -1.405, 0.404, [1.25, 2.00]),
];

/// A phone with a model: name, prompt tokens and generated tokens per second, GFLOP a token of a prompt of 32 tokens and of a
/// generated one.
#[derive(Debug, Clone, Copy)]
pub struct Phone {
    pub name: &'static str,
    pub rates: [f64; 2],
    pub work: [f64; 2],
}

pub const PHONES: [Phone; 3] = [
    Phone {
        name: "Bloom-1.1B",
        rates: [31.32, 13.93],
        work: [0.85, 0.82],
    },
    Phone {
        name: "Bloom-560M",
        rates: [51.80, 20.14],
        work: [0.45, 0.42],
    },
    Phone {
        name: "Qwen-0.5B",
        rates: [79.90, 21.47],
        work: [0.39, 0.37],
    },
];

/// Prompts as they are assumed.
pub fn prompts() -> PromptLengths {
    let law = LogNormal {
        log_mean: 2.7156,
        log_sd: 0.70,
    };
    PromptLengths::new(&law.integer_weights(4, 512)).expect("weights of a law")
}

/// The instance of a service and a phone with so many samples of its law.
pub fn instance(service: &Service, phone: &Phone, samples: usize, b: f64) -> DispatchProblem {
    let times = ServerTimes::of_samples(service.law.samples(samples)).expect("samples of a law");
    let device = DispatchDevice {
        prefill_rate: phone.rates[0],
        constant: 0.0,
    };
    DispatchProblem::new(prompts(), times, vec![device], b, 0.1).expect("an instance")
}

/// What they charge where this endpoint is scarce: energy is dear where the device is.
pub fn terms(service: &Service, phone: &Phone, scarce: Scarce, outputs: Outputs) -> Terms {
    let money = match scarce {
        Scarce::Device => 5.0,
        Scarce::Server => 0.3,
    };
    Terms {
        devices: vec![End {
            rate: phone.rates[1],
            prefill: phone.work[0] * money,
            decode: phone.work[1] * money,
        }],
        server: End {
            rate: 60.0,
            prefill: service.prices[0],
            decode: service.prices[1],
        },
        reader: 4.78,
        net: 0.0,
        expected: 128.0,
        estimate: service.law.mean(),
        extra: 0.0,
        guard: false,
        charging: Charging::Full,
        outputs,
    }
    .checked()
    .expect("terms")
}

/// DiSCo's policy of an instance, with its hand-overs.
pub fn disco(problem: &DispatchProblem, terms: &Terms, scarce: Scarce) -> Contender {
    Contender {
        policy: match scarce {
            Scarce::Device => waits(problem, Residual::Corrected).policy(),
            Scarce::Server => threshold(problem).policy(),
        },
        scarce,
        moves: moves(problem, terms),
    }
}

/// A run of a service and a phone, and DiSCo's policy.
pub fn run(service: usize, phone: usize, scarce: Scarce, b: f64) -> (RunSettings, Contender) {
    let (service, phone) = (&SERVICES[service], &PHONES[phone]);
    let problem = instance(service, phone, 600, b);
    let outputs = LogNormal {
        log_mean: 3.8,
        log_sd: 0.7,
    };
    let outputs = Outputs::new(&outputs.integer_weights(1, 128)).expect("weights of a law");
    let terms = terms(service, phone, scarce, outputs);
    let contender = disco(&problem, &terms, scarce);
    (RunSettings::plain(problem, terms), contender)
}
