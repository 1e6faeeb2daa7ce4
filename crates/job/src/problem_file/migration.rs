//! Problem files of one request that may move to the other end: `{"l","n_out","n_exp","winner":"device|server","r_dev",
//! "r_srv","r_c","k","c","srv_ttft_est","srv_ttft_actual","net","cost":{"dev_p","dev_d","srv_p","srv_d"}}`. The answer
//! carries no status: nothing is searched.

use super::Answered;
use crate::Status;
use engine::evaluate::migration::timeline;
use engine::problem::migration::{Case, CaseNumbers, Prices, Winner};
use engine::problem::{Invalid, json};
use methods::dispatch::migration::decide;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    id: Option<Value>,
    l: f64,
    n_out: f64,
    n_exp: f64,
    winner: Winner,
    r_dev: f64,
    r_srv: f64,
    r_c: f64,
    k: f64,
    c: f64,
    srv_ttft_est: f64,
    srv_ttft_actual: f64,
    net: f64,
    cost: Prices,
}

/// One request, ready to print. The fields of a hand-over are null without one.
#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    migrate: bool,
    handoff_tokens: Option<u32>,
    buffer_tokens: Option<u32>,
    buffer_real: Option<f64>,
    handoff_time: Option<f64>,
    target_first_token_time: Option<f64>,
    delayed_tokens: u32,
    max_stall: f64,
    tbt_p99: f64,
    total_cost: f64,
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
pub fn read(text: &str) -> Result<(Option<Value>, Case), Invalid> {
    let document: Document = json::read(text, &["", "cost"])?;
    let case = Case::new(CaseNumbers {
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
