//! Servers and devices to choose from: prices and rates as the paper prints them, first-token times as assumed.
//!
//! Source: Sun et al., "DiSCo: Device-Server Collaborative LLM-Based Text Streaming Services", Table 8 (prices of 28
//! October 2024), section 5.1 (rates), Table 6 (work per token, taken at 32 tokens). No trace of first tokens is public:
//! the log-normal laws are fitted to the errors of the moving average in Table 5, and every place that shows them says
//! that they are assumed.

use super::{Device, FirstToken, Server};

/// First tokens that Table 5 allows a guess at: mean and standard deviation of the logarithm, and the model that they are of.
type ListedLaw = ((f64, f64), &'static str);

/// Name, price of a prompt and of an answer, first tokens.
type Listed = (&'static str, f64, f64, Option<ListedLaw>);

/// Servers with a name, a vendor and two prices [USD per 10^6 tokens] of Table 8, and their first tokens. The two tables have
/// different models of a family.
const SERVERS: [Listed; 8] = [
    (
        "GPT-4o-mini",
        0.15,
        0.60,
        Some(((-0.869, 0.273), "GPT-4o-mini")),
    ),
    (
        "LLaMA-3.1-70b, Hyperbolic",
        0.40,
        0.40,
        Some(((-0.161, 0.426), "LLaMA-3-70b-Instruct")),
    ),
    (
        "DeepSeek-V2.5",
        0.14,
        0.28,
        Some(((0.396, 0.304), "DeepSeek-V2.5")),
    ),
    (
        "Command, Cohere",
        1.25,
        2.00,
        Some(((-1.405, 0.404), "Command")),
    ),
    ("LLaMA-3.1-70b, Amazon", 0.99, 0.99, None),
    ("GPT-4o", 2.50, 10.0, None),
    ("Claude-3.5-Sonnet", 3.00, 15.0, None),
    ("o1-preview", 15.0, 60.0, None),
];

/// Decode rate of every server [token/s]; the paper only says that it is above the rate of reading.
pub const SERVER_RATE: f64 = 60.0;

/// Devices: name, prefill and decode rate [token/s], work of a prompt token and of a generated one [GFLOP].
const DEVICES: [(&str, [f64; 4]); 3] = [
    ("Pixel 7 Pro, Bloom-1.1B", [31.32, 13.93, 0.85, 0.82]),
    ("Pixel 7 Pro, Bloom-560M", [51.80, 20.14, 0.45, 0.42]),
    ("Xiaomi 14, Qwen1.5-0.5B", [79.90, 21.47, 0.39, 0.37]),
];

/// How first tokens are assumed to be distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Log-normal throughout.
    Smooth,
    /// Three requests in a hundred take four times as long; the rest vary a little less.
    Bursty,
}

/// A guess at the first tokens of a server.
#[must_use]
pub fn first_token((log_mean, log_sd): (f64, f64), tail: Tail) -> FirstToken {
    match tail {
        Tail::Smooth => FirstToken::LogNormal { log_mean, log_sd },
        Tail::Bursty => FirstToken::Bursty {
            log_mean,
            log_sd: 0.9 * log_sd,
            burst_share: 0.03,
            burst_times: 4.0,
            burst_sd: 0.4,
        },
    }
}

/// All servers; one without a guess of its own starts as the second does.
#[must_use]
pub fn servers() -> Vec<Server> {
    SERVERS
        .into_iter()
        .map(|(name, input_usd, output_usd, law)| Server {
            name: name.into(),
            input_usd,
            output_usd,
            decode_tok_s: SERVER_RATE,
            first_token: first_token(law.map_or((-0.161, 0.426), |(law, _)| law), Tail::Smooth),
        })
        .collect()
}

/// Returns the model of Table 5 to whose figures the first tokens of the server with this name were fitted, if any.
#[must_use]
pub fn law_source(name: &str) -> Option<&'static str> {
    let mut all = SERVERS.iter();
    let found = all.find(|(known, ..)| *known == name)?;
    found.3.map(|(_, model)| model)
}

/// All devices.
#[must_use]
pub fn devices() -> Vec<Device> {
    DEVICES
        .into_iter()
        .map(
            |(name, [prefill, decode, prompt_work, token_work])| Device {
                name: name.into(),
                off: false,
                prefill_tok_s: prefill,
                decode_tok_s: decode,
                start_s: 0.0,
                prefill_gflop: prompt_work,
                decode_gflop: token_work,
                own_budget: None,
            },
        )
        .collect()
}
