//! Problem files of one request that may move to the other end: `{"l","n_out","n_exp","winner":"device|server","r_dev",
//! "r_srv","r_c","k","c","srv_ttft_est","srv_ttft_actual","net","cost":{"dev_p","dev_d","srv_p","srv_d"}}`. The answer
//! carries no status: nothing is searched.

use super::Answered;
use crate::Status;
use engine::evaluate::migration::timeline;
use engine::problem::migration::{CaseNumbers, MigrationCase, Prices, Winner};
use engine::problem::{Invalid, json};
use methods::dispatch::migration::decide;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One request that may move between device and server.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// Length of the prompt [tokens]; whole, from 0 to 4294967295.
    l: f64,
    /// Length of the answer [tokens]; whole, from 1 to 1000000.
    n_out: f64,
    /// Length of the answer as it is expected [tokens]; 0 or above.
    n_exp: f64,
    /// Where the request runs.
    winner: Winner,
    /// Rate at which the device generates [tokens/s]; above 0.
    r_dev: f64,
    /// Rate at which the server generates [tokens/s]; above 0.
    r_srv: f64,
    /// Rate at which the answer is read [tokens/s]; above 0.
    r_c: f64,
    /// Time of a prompt token on the device [s/token]; 0 or above.
    k: f64,
    /// Time of a first token on the device besides its prompt [s]; 0 or above.
    c: f64,
    /// The server's time to first token as it is expected [s]; 0 or above.
    srv_ttft_est: f64,
    /// Actual TTFT of the server [s]; 0 or above.
    srv_ttft_actual: f64,
    /// Additional time of every migration [s]; 0 or above.
    net: f64,
    /// Prices of tokens.
    cost: Prices,
}

/// One request, ready to print. The fields of a hand-over are null without one.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Output {
    /// The `id` of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    /// True if the answer moves.
    migrate: bool,
    /// Tokens generated before it moves; `null` without a move, as the next four.
    handoff_tokens: Option<u32>,
    /// Tokens that wait for the reader then, rounded up.
    buffer_tokens: Option<u32>,
    /// Buffer before rounding.
    buffer_real: Option<f64>,
    /// When the other side is asked, from the first token [s].
    handoff_time: Option<f64>,
    /// When its first token comes, from the first token [s].
    target_first_token_time: Option<f64>,
    /// Tokens that come later than they are read.
    delayed_tokens: u32,
    /// The longest wait of the reader [s].
    max_stall: f64,
    /// 99th percentile of the time between tokens [s].
    tbt_p99: f64,
    /// Cost of the request [10^-6 USD].
    total_cost: f64,
    /// Cost of the request without migration [10^-6 USD].
    cost_no_migration: f64,
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        None
    }
}

/// Decides for the request of one document, and plays it out.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(text: &str) -> Result<Output, Invalid> {
    let (id, case) = read(text)?;
    let played = timeline(&case, decide(&case));
    let handover = played.handover;
    Ok(Output {
        id,
        migrate: handover.is_some(),
        handoff_tokens: handover.map(|h| h.tokens),
        // A buffer that was filled has at most as many tokens as the answer.
        buffer_tokens: handover.map(|h| h.buffer_tokens as u32),
        buffer_real: handover.map(|h| h.buffer),
        handoff_time: handover.map(|h| h.from),
        target_first_token_time: handover.map(|h| h.first),
        delayed_tokens: played.late,
        max_stall: played.max_stall,
        tbt_p99: played.tbt_p99,
        total_cost: played.cost,
        cost_no_migration: played.cost_without,
    })
}

/// Reads and validates one document: its id and the request.
///
/// # Errors
/// As [`solve`].
pub fn read(text: &str) -> Result<(Option<Value>, MigrationCase), Invalid> {
    let document: Document = json::read(text, &["", "cost"])?;
    let case = MigrationCase::new(CaseNumbers {
        l: document.l,
        n_out: document.n_out,
        n_exp: document.n_exp,
        winner: document.winner,
        r_dev: document.r_dev,
        r_srv: document.r_srv,
        r_c: document.r_c,
        k: document.k,
        c: document.c,
        srv_ttft_est: document.srv_ttft_est,
        srv_ttft_actual: document.srv_ttft_actual,
        net: document.net,
        cost: document.cost,
    })?;
    Ok((document.id, case))
}
