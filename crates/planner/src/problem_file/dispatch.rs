//! Problem files of device or server: `{"lengths":[[length,count]…],"ttft":[samples, s],"b","alpha","prefill_rate",
//! "device_const"}`, answered by the paper's two policies in both versions, its baselines, and the policy of least mean.
//!
//! A wait or threshold of `null` means never. Nothing is searched, so there is no status; every figure is exact for the
//! given lengths and samples.

use super::{Answered, Output};
use crate::Status;
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::{Policy, Scarce};
use engine::problem::dispatch::{
    DispatchDevice, DispatchProblem, PROMPT_LENGTH_RULE, PromptLengths, ServerTimes,
};
use engine::problem::json::AtMost;
use engine::problem::{Invalid, json};
use methods::dispatch::baseline::{RandomPolicy, all_device, all_server, stochastic};
use methods::dispatch::optimum;
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;

/// The most rows of a list. More samples say no more, and a compact histogram of lengths has few rows.
const MOST_ROWS: usize = 2_000_000;

/// Prompts that go to a device, to a server, or to both.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// Prompt lengths in any order, each with its weight: `[[length, count], …]`.
    lengths: AtMost<Row, MOST_ROWS>,
    /// Samples of the server's time to first token, in any order [s]; each above 0 and at most 1e12.
    ttft: AtMost<f64, MOST_ROWS>,
    /// Share of all prompt tokens that the scarce side may process; from 0 to 1.
    b: f64,
    /// Share of the budget's time that the tail wait lets through; above 0 and below 1.
    alpha: f64,
    /// Prefill rate of the device [tokens/s]; above 0.
    prefill_rate: f64,
    /// Time of a first token on the device besides its prompt [s]; 0 or above.
    device_const: f64,
}

/// A length with its weight.
#[derive(Debug)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Row(f64, f64);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Two;

        impl<'de> Visitor<'de> for Two {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of two numbers [length, count]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Row, A::Error> {
                let length = list.next_element()?;
                let count = list.next_element()?;
                let more: Option<IgnoredAny> = list.next_element()?;
                match (length, count, more) {
                    (Some(length), Some(count), None) => Ok(Row(length, count)),
                    (_, None, _) => Err(A::Error::invalid_length(1, &self)),
                    _ => Err(A::Error::invalid_length(3, &self)),
                }
            }
        }

        reader.deserialize_seq(Two)
    }
}

impl Answered for Answer {
    fn status(&self) -> Option<Status> {
        None
    }
}

/// The policies of an instance, for its first device.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// The device is scarce: waits for the server by prompt length.
    disco_d: DeviceScarce,
    /// The server is scarce: a length from which prompts go to it.
    disco_s: ServerScarce,
    /// Results of simple rules.
    baselines: Baselines,
    /// The policy of the least mean where the device is scarce.
    optimal_d: Optimal,
}

/// The device is scarce.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
struct DeviceScarce {
    /// The wait that the tail keeps [s]; `null`: for ever.
    w_tail: Option<f64>,
    /// Share of the budget's time that the tail gets.
    a_eff: f64,
    /// The length at which the budget ends [tokens]; `null` where there is none.
    residual_length: Option<u32>,
    /// How long the device waits at each length, as `[tokens, s]`; a wait of `null`: for ever.
    W: Vec<(u32, Option<f64>)>,
    /// Share of all prompt tokens that the device processes.
    device_token_share: f64,
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// 99th percentile of it [s].
    p99_ttft: f64,
    /// Algorithm 2 with the wait at the residual length randomised, so that the budget is met exactly.
    exact: Blended,
}

/// A policy with one wait drawn from two.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Blended {
    /// Probability of the earlier wait.
    rho: f64,
    /// The earlier wait [s]; `null` where there is none.
    w_prev: Option<f64>,
    /// Share of all prompt tokens that the device processes.
    device_token_share: f64,
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// 99th percentile of it [s].
    p99_ttft: f64,
}

/// The server is scarce.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct ServerScarce {
    /// The length from which prompts go to the server [tokens]; `null`: none does.
    l_th: Option<u32>,
    /// Share of all prompt tokens that the server processes.
    server_token_share: f64,
    /// The length of which a share goes to the server [tokens]; `null` where there is none.
    boundary_length: Option<u32>,
    /// Share of prompts at the threshold that are sent.
    theta: f64,
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// 99th percentile of it [s].
    p99_ttft: f64,
    /// The threshold with that share sent.
    randomised: Randomised,
}

/// A policy that draws at one length.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Randomised {
    /// Share of all prompt tokens that the server processes.
    server_token_share: f64,
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// 99th percentile of it [s].
    p99_ttft: f64,
}

/// Results of simple rules.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
struct Baselines {
    /// Every prompt to the server.
    all_server: Figures,
    /// Every prompt to the device.
    all_device: Figures,
    /// The server for a share of the prompts.
    stoch_s: Figures,
    /// The device for a share of the prompts.
    stoch_d: Figures,
}

/// Times to first token.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Figures {
    /// Mean time to first token [s].
    mean: f64,
    /// 99th percentile of it [s].
    p99: f64,
}

/// The policy of the least mean.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Optimal {
    /// Mean time to first token [s].
    mean_ttft: f64,
    /// Share of all prompt tokens that the device processes.
    device_token_share: f64,
}

/// Answers one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
///
/// # Complexity
/// O(n L) for n samples and L lengths, all of it for the policy of least mean.
pub fn solve(text: &str) -> Result<Output<Answer>, Invalid> {
    let document: Document = json::read(text, &[""])?;
    let rows = rows(&document.lengths.0).map_err(|fault| fault.within("lengths"))?;
    let prompts = PromptLengths::new(&rows).map_err(|fault| fault.within("lengths"))?;
    let times = ServerTimes::of_samples(document.ttft.0).map_err(|fault| fault.within("ttft"))?;
    let device = DispatchDevice {
        prefill_rate: document.prefill_rate,
        constant: document.device_const,
    };
    device.check(&prompts, &times)?;
    let problem = DispatchProblem::new(prompts, times, vec![device], document.b, document.alpha)?;
    Ok(Output {
        id: document.id,
        answer: Answer::of(&problem),
    })
}

impl Answer {
    /// Answers an instance.
    ///
    /// # Complexity
    /// As [`solve`].
    #[must_use]
    pub fn of(problem: &DispatchProblem) -> Self {
        Self {
            disco_d: device_scarce(problem),
            disco_s: server_scarce(problem),
            baselines: baselines(problem),
            optimal_d: optimal(problem),
        }
    }
}

fn rows(rows: &[Row]) -> Result<Vec<(u32, f64)>, Invalid> {
    let row = |(i, Row(length, count)): (usize, &Row)| {
        let whole = *length as u32;
        if f64::from(whole) == *length {
            Ok((whole, *count))
        } else {
            Err(Invalid::range(
                format!("[{i}][0]"),
                *length,
                PROMPT_LENGTH_RULE,
            ))
        }
    };
    rows.iter().enumerate().map(row).collect()
}

fn device_scarce(problem: &DispatchProblem) -> DeviceScarce {
    let lengths = problem.prompts().lengths();
    let found = waits(problem, Residual::Corrected);
    let plain = outcome(problem, &found.policy(), Scarce::Device);
    let exact = outcome(problem, &found.exact(), Scarce::Device);
    DeviceScarce {
        w_tail: found.w_tail,
        a_eff: found.a_eff,
        residual_length: found.residual.map(|i| lengths[i]),
        W: lengths
            .iter()
            .copied()
            .zip(found.waits.iter().copied())
            .collect(),
        device_token_share: plain.device_share,
        mean_ttft: plain.mean,
        p99_ttft: plain.p99,
        exact: Blended {
            rho: found.blend.map_or(0.0, |blend| blend.rho),
            w_prev: found.blend.map(|blend| blend.earlier),
            device_token_share: exact.device_share,
            mean_ttft: exact.mean,
            p99_ttft: exact.p99,
        },
    }
}

fn server_scarce(problem: &DispatchProblem) -> ServerScarce {
    let lengths = problem.prompts().lengths();
    let found = threshold(problem);
    let plain = outcome(problem, &found.policy(), Scarce::Server);
    let exact = outcome(problem, &found.exact(), Scarce::Server);
    ServerScarce {
        l_th: found.from.map(|i| lengths[i]),
        server_token_share: plain.server_share,
        boundary_length: found.boundary.map(|i| lengths[i]),
        theta: found.theta,
        mean_ttft: plain.mean,
        p99_ttft: plain.p99,
        randomised: Randomised {
            server_token_share: exact.server_share,
            mean_ttft: exact.mean,
            p99_ttft: exact.p99,
        },
    }
}

fn baselines(problem: &DispatchProblem) -> Baselines {
    let figures = |policy: &Policy| {
        let outcome = outcome(problem, policy, Scarce::Device);
        Figures {
            mean: outcome.mean,
            p99: outcome.p99,
        }
    };
    Baselines {
        all_server: figures(&all_server(problem)),
        all_device: figures(&all_device(problem)),
        stoch_s: figures(&stochastic(
            problem,
            Scarce::Server,
            RandomPolicy::Exclusive,
        )),
        stoch_d: figures(&stochastic(
            problem,
            Scarce::Device,
            RandomPolicy::Exclusive,
        )),
    }
}

fn optimal(problem: &DispatchProblem) -> Optimal {
    let found = optimum::solve(problem);
    let scored = outcome(problem, &found.policy, Scarce::Device);
    Optimal {
        mean_ttft: scored.mean,
        device_token_share: scored.device_share,
    }
}
