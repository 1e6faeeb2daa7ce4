//! Decoding with a pipeline after the first token: one row per stage, and the totals.

use serde::{Deserialize, Serialize};

/// Cause of a stage's waiting while a token is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Binds {
    /// Its arithmetic.
    Compute,
    /// Reading weights, keys and values from memory.
    Memory,
}

/// A stage and one token. Times in seconds, at the mean context of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct StageDecode {
    /// Index of the device, from 0.
    pub device: usize,
    /// First layer, from 1.
    pub s: usize,
    /// Last layer, from 1.
    pub e: usize,
    /// Until its arithmetic is done [s].
    pub compute: f64,
    /// Until all it needs is read [s].
    pub memory: f64,
    /// Which of the two is longer.
    pub binds: Binds,
    /// Fixed time of its layers, and of output head and sampling where it has the last layer [s].
    pub overhead: f64,
    /// Until weights that have no room in memory are read again [s].
    #[serde(default, skip_serializing_if = "crate::plan::is_zero")]
    pub reread: f64,
    /// Until the token is there [s]; for the first stage of several, the return from the last.
    pub receive: f64,
    /// All together [s]: a stage does not receive while it works.
    pub time: f64,
    /// Weights that it reads [B].
    pub weights: f64,
    /// Keys and values that it reads [B].
    pub kv_read: f64,
    /// Keys and values that it holds for all requests at the end of the answer [B].
    pub kv_held: f64,
}

/// Decoding with a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub struct Decoding {
    /// One row per stage, in running order.
    pub stages: Vec<StageDecode>,
    /// Time from token to token of one request, D [s].
    pub D: f64,
    /// The longest stage [s].
    pub busiest: f64,
    /// Tokens a second of a pipeline that is always full: 1 / busiest.
    pub rate: f64,
    /// Tokens a second of one request: 1 / D.
    pub rate_one_request: f64,
    /// Tokens a second of the requests that run at once: R / D, at most `rate`.
    pub rate_requests: f64,
    /// T + G D: until the last token of the answer [s].
    pub total: f64,
    /// Keys and values of whole answers, all stages and requests [B].
    pub kv_held: f64,
}
