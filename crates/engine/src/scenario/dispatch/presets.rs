//! Scenarios to start from.

use super::profiles::{self, Tail};
use super::{
    Arrivals, Charge, Device, Estimate, FORMAT, FirstToken, Goal, Handover, Prompts, Replies, Runs,
    Scenario, Server, Side, Stochastic,
};
use crate::scenario::{Preset, Question};

/// Price of energy if the device is scarce, and if the server is [USD per 10^6 GFLOP].
pub const ENERGY_USD: [f64; 2] = [5.0, 0.3];

/// Prompts like those of Alpaca: mean 19.3 tokens as others report it, spread assumed.
pub const ALPACA: Prompts = Prompts::LogNormal {
    log_mean: 2.7156,
    log_sd: 0.7,
    least_tokens: 4.0,
    most_tokens: 512.0,
};

fn server(at: usize, tail: Tail) -> Server {
    let mut server = profiles::servers().swap_remove(at);
    if let FirstToken::LogNormal { log_mean, log_sd } = server.first_token {
        server.first_token = profiles::first_token((log_mean, log_sd), tail);
    }
    server
}

/// The three phones, one of them on.
fn phones(on: usize) -> Vec<Device> {
    let mut phones = profiles::devices();
    phones.swap(0, on);
    for phone in &mut phones[1..] {
        phone.off = true;
    }
    phones
}

/// The scenario that the page opens with.
#[must_use]
pub fn paper() -> Scenario {
    Scenario {
        format: FORMAT,
        question: Question::Dispatch,
        title: "LLaMA-3.1-70b and a Xiaomi 14".into(),
        server: server(1, Tail::Smooth),
        devices: phones(2),
        energy_usd: ENERGY_USD[0],
        scarce: Side::Dearer,
        budget: 0.2,
        tail_share: 0.1,
        goal: Goal::MeanKeptTail,
        prompts: ALPACA,
        replies: Replies::Alike(128.0),
        reader_tok_s: 4.78,
        handover: Handover {
            on: true,
            server_start: Estimate::Quantile(0.99),
            net_s: 0.0,
            guard: false,
        },
        stochastic: Stochastic::Exclusive,
        charge: Charge::Full,
        runs: Runs {
            requests: 100_000.0,
            seeds: 5.0,
            first_seed: 1.0,
            arrivals: Arrivals::Poisson(30.0),
            busy: false,
            correlation: 0.0,
        },
    }
}

/// All presets, the paper's own first.
#[must_use]
pub fn all() -> Vec<Preset<Scenario>> {
    let paper = paper();
    let gpt = Scenario {
        title: "GPT-4o-mini and a Pixel 7 Pro".into(),
        server: server(0, Tail::Smooth),
        devices: phones(0),
        ..paper.clone()
    };
    let bursty = Scenario {
        title: "DeepSeek with bursts, and a Xiaomi 14".into(),
        server: server(2, Tail::Bursty),
        budget: 0.3,
        ..paper.clone()
    };
    let server_scarce = Scenario {
        title: "Command as the scarce side, and a Pixel 7 Pro".into(),
        server: server(3, Tail::Smooth),
        devices: phones(1),
        energy_usd: ENERGY_USD[1],
        budget: 0.5,
        ..paper.clone()
    };
    let rows = Scenario {
        title: "The paper\u{2019}s device-constrained rows, as near as they come".into(),
        tail_share: 0.2,
        prompts: Prompts::LogNormal {
            log_mean: libm::log(15.0) - 0.5 * 0.4 * 0.4,
            log_sd: 0.4,
            least_tokens: 4.0,
            most_tokens: 512.0,
        },
        server: Server {
            first_token: FirstToken::Bursty {
                log_mean: -0.161,
                log_sd: 0.426,
                burst_share: 0.02,
                burst_times: 3.0,
                burst_sd: 0.426,
            },
            ..server(1, Tail::Smooth)
        },
        ..paper.clone()
    };
    let mut two = profiles::devices();
    two[0].own_budget = Some(0.3);
    two[1].off = true;
    two.swap(0, 2);
    let two = Scenario {
        title: "Two phones with a budget each".into(),
        server: server(2, Tail::Smooth),
        budget: 0.1,
        devices: two,
        ..paper.clone()
    };
    let named = |name, about, scenario| Preset {
        name,
        about,
        scenario,
    };
    vec![
        named(
            "dispatch-paper",
            "prices and rates of the paper; first tokens and prompt lengths follow assumed laws; energy is expensive, so the phone is scarce",
            paper,
        ),
        named(
            "dispatch-gpt",
            "a fast server and a slow phone: the phone wins only short prompts",
            gpt,
        ),
        named(
            "dispatch-bursty",
            "3 % of the answers start four times as late, so waiting pays",
            bursty,
        ),
        named(
            "dispatch-server",
            "energy is cheap, so the server is scarce: a threshold on the prompt length",
            server_scarce,
        ),
        named(
            "dispatch-rows",
            "prompts of 15 tokens, rare bursts and a fifth for the tail: closest to Table 2, chosen after the fact",
            rows,
        ),
        named(
            "dispatch-two",
            "one fast with a low battery, the other slow: each with its own price",
            two,
        ),
    ]
}

/// The preset with this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset<Scenario>> {
    Preset::named(all(), name)
}
