//! Attention heads on devices: one decoder layer over an interval of tokens in which nothing changes.
//!
//! Source: Kafetzis, Khalili, Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! section III. A placement names a device for every block: heads from 0, then proj, then ffn. Memory [B], compute
//! [operations/s] and link rates [B/s] are those of the interval; what blocks need is taken at its last token n, and what
//! a move carries at the token n0 before it. See [`super::head_sizes`] for what blocks need and what is wrong with it.

use super::head_sizes::{HeadLayer, Sizes};
use super::{Code, Invalid};
use serde_json::{Value, json};
use std::sync::Arc;

/// Slack of the memory rule: `use <= M (1 + 1e-9)`.
pub const SLACK: f64 = 1e-9;

/// Link rates among devices, in both directions [B/s]. A run shares one between all of its intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRates {
    devices: usize,
    /// Row j holds the rates from j. The diagonal is never read.
    rate: Vec<f64>,
}

impl LinkRates {
    /// Checks the rates `rates[j][k]` from j to k. What is in the diagonal is ignored.
    ///
    /// # Errors
    /// No device at all, a row of another length (`R[j]`), a rate below zero or not finite (`R[j][k]`).
    pub fn new(rates: &[Vec<f64>]) -> Result<Self, Invalid> {
        let devices = rates.len();
        if devices == 0 {
            let none: Vec<f64> = Vec::new();
            return Err(Invalid::range(
                "R",
                none,
                "a list with a row for every device",
            ));
        }
        let mut rate = Vec::with_capacity(devices * devices);
        for (j, row) in rates.iter().enumerate() {
            if row.len() != devices {
                let message = format!(
                    "R[{j}] must hold a rate to each of {devices} devices, as R has rows; it holds {}",
                    row.len()
                );
                let path = format!("R[{j}]");
                return Err(Invalid::new(Code::Range, path, row.len(), message));
            }
            for (k, r) in row.iter().enumerate() {
                if j != k && !(r.is_finite() && *r >= 0.0) {
                    return Err(Invalid::range(format!("R[{j}][{k}]"), *r, NOT_NEGATIVE));
                }
            }
            rate.extend_from_slice(row);
        }
        Ok(Self { devices, rate })
    }

    /// Number of devices, V.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.devices
    }

    /// Rate from `from` to `to` [B/s]; infinite where both are the same device.
    #[must_use]
    pub fn rate(&self, from: usize, to: usize) -> f64 {
        if from == to {
            f64::INFINITY
        } else {
            self.rate[from * self.devices + to]
        }
    }

    /// Seconds that `bytes` take from one device to another: none for no bytes or no way, for ever without a link.
    #[must_use]
    pub fn transfer(&self, bytes: f64, from: usize, to: usize) -> f64 {
        if bytes == 0.0 || from == to {
            0.0
        } else {
            // A rate of 0 gives infinity.
            bytes / self.rate[from * self.devices + to]
        }
    }
}

/// Seconds of `work` operations at `speed` operations/s: none for no work, for ever at no speed.
#[must_use]
pub fn compute_time(work: f64, speed: f64) -> f64 {
    if work == 0.0 { 0.0 } else { work / speed }
}

/// Inputs of one interval, besides layer and links.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// Its last token, n.
    pub n: u32,
    /// The token before its first, n0, at which `prev` was in force.
    pub n_prev: u32,
    /// Weight of the delay of a token, w: as many tokens as the interval has, times any number of intervals that a
    /// placement is expected to last.
    pub tokens: f64,
    /// The device that holds the input.
    pub controller: usize,
    /// Free memory of each device, M [B].
    pub memory: Vec<f64>,
    /// Free compute of each device, C [operations/s].
    pub compute: Vec<f64>,
    /// The placement in force before.
    pub prev: Option<Vec<usize>>,
    /// Compute budget per token of Algorithm 1 [s]; `None` is twice the whole layer on the fastest device.
    pub t_tok: Option<f64>,
}

/// The instance: a layer, links, and one valid interval.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadPlacement {
    layer: HeadLayer,
    links: Arc<LinkRates>,
    interval: Interval,
    sizes: Sizes,
    before: Sizes,
}

impl HeadPlacement {
    /// Checks an interval. The links have been checked when they were made, so a run pays O(V + h) an interval.
    ///
    /// # Errors
    /// Names the first field at fault as problem files call it: `M[j]`, `C`, `n_prev`, `tokens`, `controller`, `prev[i]`,
    /// `t_tok`. Memory, compute and rates of zero are valid.
    pub fn new(
        layer: HeadLayer,
        links: Arc<LinkRates>,
        interval: Interval,
    ) -> Result<Self, Invalid> {
        let devices = links.devices();
        each("M", &interval.memory, devices)?;
        each("C", &interval.compute, devices)?;
        if interval.n_prev > interval.n {
            let allowed = format!("at most n = {}, the last token of the interval", interval.n);
            return Err(Invalid::range("n_prev", interval.n_prev, &allowed));
        }
        if !(interval.tokens.is_finite() && interval.tokens > 0.0) {
            return Err(Invalid::range(
                "tokens",
                interval.tokens,
                "a finite number above 0",
            ));
        }
        if interval.controller >= devices {
            return Err(Invalid::range(
                "controller",
                interval.controller,
                &a_device(devices),
            ));
        }
        if let Some(prev) = &interval.prev {
            check_placement("prev", prev, layer.blocks(), devices, Code::Range)?;
        }
        if let Some(t_tok) = interval.t_tok
            && !(t_tok.is_finite() && t_tok > 0.0)
        {
            return Err(Invalid::range("t_tok", t_tok, "a finite number above 0"));
        }
        Ok(Self {
            sizes: layer.sizes(interval.n),
            before: layer.sizes(interval.n_prev),
            layer,
            links,
            interval,
        })
    }

    /// Returns the problem with another previous placement.
    ///
    /// # Errors
    /// `prev` as in [`HeadPlacement::new`].
    pub fn with_prev(mut self, prev: Option<Vec<usize>>) -> Result<Self, Invalid> {
        if let Some(prev) = &prev {
            check_placement("prev", prev, self.blocks(), self.devices(), Code::Range)?;
        }
        self.interval.prev = prev;
        Ok(self)
    }

    /// Returns the problem with another weight of the delay of a token.
    ///
    /// # Errors
    /// `tokens` as in [`HeadPlacement::new`].
    pub fn with_tokens(mut self, tokens: f64) -> Result<Self, Invalid> {
        if !(tokens.is_finite() && tokens > 0.0) {
            return Err(Invalid::range("tokens", tokens, "a finite number above 0"));
        }
        self.interval.tokens = tokens;
        Ok(self)
    }

    /// Returns the problem with another budget of Algorithm 1, `None` for the default.
    ///
    /// # Errors
    /// `t_tok` as in [`HeadPlacement::new`].
    pub fn with_t_tok(mut self, t_tok: Option<f64>) -> Result<Self, Invalid> {
        if let Some(t_tok) = t_tok
            && !(t_tok.is_finite() && t_tok > 0.0)
        {
            return Err(Invalid::range("t_tok", t_tok, "a finite number above 0"));
        }
        self.interval.t_tok = t_tok;
        Ok(self)
    }

    /// Returns the problem with another memory on one device. An invalid memory counts as 0.
    ///
    /// # Panics
    /// When there is no such device.
    #[must_use]
    pub fn with_memory(mut self, device: usize, memory: f64) -> Self {
        self.interval.memory[device] = if memory.is_finite() {
            memory.max(0.0)
        } else {
            0.0
        };
        self
    }

    /// The layer.
    #[must_use]
    pub fn layer(&self) -> &HeadLayer {
        &self.layer
    }

    /// The links.
    #[must_use]
    pub fn links(&self) -> &Arc<LinkRates> {
        &self.links
    }

    /// The interval as it was given.
    #[must_use]
    pub fn interval(&self) -> &Interval {
        &self.interval
    }

    /// Returns the demands of blocks at token n, for planning.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the demands of blocks at token n0: the data that a move carries.
    #[must_use]
    pub fn before(&self) -> &Sizes {
        &self.before
    }

    /// Number of heads, h.
    #[must_use]
    pub fn heads(&self) -> usize {
        self.layer.heads()
    }

    /// Number of blocks, h + 2. Block h is proj, block h + 1 is ffn.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.layer.blocks()
    }

    /// Number of devices, V.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.links.devices()
    }

    /// Weight of the delay of a token, w.
    #[must_use]
    pub fn tokens(&self) -> f64 {
        self.interval.tokens
    }

    /// The device that holds the input.
    #[must_use]
    pub fn controller(&self) -> usize {
        self.interval.controller
    }

    /// Free memory of each device [B].
    #[must_use]
    pub fn memory(&self) -> &[f64] {
        &self.interval.memory
    }

    /// Free compute of each device [operations/s].
    #[must_use]
    pub fn compute(&self) -> &[f64] {
        &self.interval.compute
    }

    /// The placement in force before.
    #[must_use]
    pub fn prev(&self) -> Option<&[usize]> {
        self.interval.prev.as_deref()
    }

    /// Budget per token of Algorithm 1 [s]: as given, or twice the whole layer on the fastest device; 1 s if none computes.
    #[must_use]
    pub fn t_tok(&self) -> f64 {
        let auto = || {
            let fastest = self.compute().iter().copied().fold(0.0, f64::max);
            let all = self.sizes.all_operations(self.layer.form().h);
            let twice = 2.0 * compute_time(all, fastest);
            if twice.is_finite() && twice > 0.0 {
                twice
            } else {
                1.0
            }
        };
        self.interval.t_tok.unwrap_or_else(auto)
    }

    /// Returns true if a device can hold this much: inclusive, with [`SLACK`].
    #[must_use]
    pub fn fits(&self, device: usize, need: f64) -> bool {
        need <= self.interval.memory[device] * (1.0 + SLACK)
    }

    /// Checks that a placement names a device for every block.
    ///
    /// # Errors
    /// [`Code::Plan`] at `placement` or `placement[i]`.
    pub fn check(&self, placement: &[usize]) -> Result<(), Invalid> {
        check_placement(
            "placement",
            placement,
            self.blocks(),
            self.devices(),
            Code::Plan,
        )
    }
}

const NOT_NEGATIVE: &str = "a finite number, 0 or above";

fn a_device(devices: usize) -> String {
    format!("a device from 0 to {}", devices - 1)
}

fn each(path: &str, values: &[f64], devices: usize) -> Result<(), Invalid> {
    if values.len() != devices {
        let found = values.len();
        let message = format!("{path} must be a list as long as R, {devices}; it has {found}");
        return Err(Invalid::new(Code::Range, path, found, message));
    }
    match values.iter().position(|x| !(x.is_finite() && *x >= 0.0)) {
        Some(j) => Err(Invalid::range(
            format!("{path}[{j}]"),
            values[j],
            NOT_NEGATIVE,
        )),
        None => Ok(()),
    }
}

fn check_placement(
    path: &str,
    placement: &[usize],
    blocks: usize,
    devices: usize,
    code: Code,
) -> Result<(), Invalid> {
    let faulty = |path: String, value: Value, allowed: &str| {
        let fault = Invalid::range(path, value, allowed);
        Invalid { code, ..fault }
    };
    if placement.len() != blocks {
        let allowed = format!("a list of {blocks} devices: one for every head, proj and ffn");
        return Err(faulty(path.to_owned(), json!(placement), &allowed));
    }
    match placement.iter().position(|device| *device >= devices) {
        Some(i) => Err(faulty(
            format!("{path}[{i}]"),
            json!(placement[i]),
            &a_device(devices),
        )),
        None => Ok(()),
    }
}
