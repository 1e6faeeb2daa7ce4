//! Device or server: prompts by length, the law of the server's time to the first token, and devices.
//!
//! Source: "DiSCo: Device-Server Collaborative LLM-Based Text Streaming Services" (arXiv 2502.11417), sections 3 and 4. The
//! server answers after a random time T_s that does not depend on the prompt; a device after T_d(l) = l / rate + constant.
//! One of the two is scarce: of all prompt tokens only the share b may be processed there.

use super::Invalid;
use crate::units::InOrder;
use serde_json::Value;
use std::sync::Arc;

/// Tolerance of a quantile in counting samples: `x[ceil(n u - 1e-9)]`.
const RANK_SLACK: f64 = 1e-9;
/// From this share on, a quantile of the server's times is "never".
const NEVER: f64 = 1.0 - 1e-12;

const POSITIVE: &str = "a finite number above 0";

/// The latest first token of a server [s]: up to here 64-bit numbers tell tenths of a millisecond apart, beyond it they soon
/// lose the seconds that policies are compared by.
pub const LATEST: f64 = 1e12;
/// Allowed values of a time.
const TIME: &str = "a number of seconds above 0, at most 1000000000000";

/// Prompt lengths [tokens], ascending and distinct, with their shares of requests and of tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptLengths {
    lengths: Vec<u32>,
    p: Vec<f64>,
    q: Vec<f64>,
    mean: f64,
}

impl PromptLengths {
    /// Lengths with weights, in any order; equal lengths are added up. O(n log n).
    ///
    /// # Errors
    /// An empty list, a length of 0 (`[i][0]`), a weight that is not above 0 and finite (`[i][1]`), weights whose sum is not
    /// finite.
    pub fn new(rows: &[(u32, f64)]) -> Result<Self, Invalid> {
        if rows.is_empty() {
            let allowed = "a list with at least one length";
            return Err(Invalid::range("", Value::Array(Vec::new()), allowed));
        }
        for (i, (length, weight)) in rows.iter().enumerate() {
            if *length == 0 {
                let path = format!("[{i}][0]");
                return Err(Invalid::range(path, *length, PROMPT_LENGTH_RULE));
            }
            if !(weight.is_finite() && *weight > 0.0) {
                return Err(Invalid::range(format!("[{i}][1]"), *weight, POSITIVE));
            }
        }
        let mut rows = rows.to_vec();
        // Equal lengths by weight, so that the order of rows does not change their sum.
        rows.in_order_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut lengths: Vec<u32> = Vec::new();
        let mut p: Vec<f64> = Vec::new();
        for (length, weight) in rows {
            match (lengths.last(), p.last_mut()) {
                (Some(last), Some(sum)) if *last == length => *sum += weight,
                _ => {
                    lengths.push(length);
                    p.push(weight);
                }
            }
        }
        let total: f64 = p.iter().sum();
        if !total.is_finite() {
            let allowed = "weights whose sum 64-bit numbers can hold";
            return Err(Invalid::range("", Value::Null, allowed));
        }
        p.iter_mut().for_each(|p| *p /= total);
        let tokens = |(p, l): (&f64, &u32)| p * f64::from(*l);
        let mean: f64 = p.iter().zip(&lengths).map(tokens).sum();
        let q = p.iter().zip(&lengths).map(|row| tokens(row) / mean);
        let q = q.collect();
        Ok(Self {
            lengths,
            p,
            q,
            mean,
        })
    }

    /// The lengths [tokens], ascending.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Share of requests of each length, p.
    #[must_use]
    pub fn p(&self) -> &[f64] {
        &self.p
    }

    /// Share of prompt tokens of each length, q = p l / E.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Mean length, E [tokens].
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }
}

/// Allowed values of a prompt length.
pub const PROMPT_LENGTH_RULE: &str = "a whole number from 1 to 4294967295";

/// A discrete law of the server's time to the first token [s].
#[derive(Debug, Clone, PartialEq)]
pub struct ServerTimes {
    values: Vec<f64>,
    weights: Vec<f64>,
    /// Weight from value j on; 0 behind the last.
    above: Vec<f64>,
    /// Prefix sums of weight x value.
    area: Vec<f64>,
}

impl ServerTimes {
    /// Samples [s] in any order. O(n log n).
    ///
    /// # Errors
    /// An empty list, a sample that is not above 0 and at most [`LATEST`] (`[i]`).
    pub fn of_samples(mut samples: Vec<f64>) -> Result<Self, Invalid> {
        if let Some((i, bad)) = Self::first_bad(samples.iter().copied(), LATEST) {
            return Err(Invalid::range(format!("[{i}]"), bad, TIME));
        }
        samples.sort_unstable_by(f64::total_cmp);
        Self::of_sorted(samples.into_iter().map(|sample| (sample, 1.0)))
    }

    /// Values [s] with weights, in any order: a compact histogram. Equal values are added up. O(n log n).
    ///
    /// # Errors
    /// An empty list, a value that is not above 0 and at most [`LATEST`] (`[i][0]`), a weight that is not above 0 and finite
    /// (`[i][1]`), sums that are not finite.
    pub fn of_counts(rows: &[(f64, f64)]) -> Result<Self, Invalid> {
        if let Some((i, bad)) = Self::first_bad(rows.iter().map(|row| row.0), LATEST) {
            return Err(Invalid::range(format!("[{i}][0]"), bad, TIME));
        }
        if let Some((i, bad)) = Self::first_bad(rows.iter().map(|row| row.1), f64::MAX) {
            return Err(Invalid::range(format!("[{i}][1]"), bad, POSITIVE));
        }
        let mut rows = rows.to_vec();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        Self::of_sorted(rows.into_iter())
    }

    fn first_bad(numbers: impl Iterator<Item = f64>, most: f64) -> Option<(usize, f64)> {
        let mut numbers = numbers.enumerate();
        numbers.find(|(_, number)| !(*number > 0.0 && *number <= most))
    }

    fn of_sorted(rows: impl Iterator<Item = (f64, f64)>) -> Result<Self, Invalid> {
        let mut values: Vec<f64> = Vec::with_capacity(rows.size_hint().0);
        let mut weights: Vec<f64> = Vec::with_capacity(rows.size_hint().0);
        for (value, weight) in rows {
            match (values.last(), weights.last_mut()) {
                (Some(last), Some(sum)) if *last == value => *sum += weight,
                _ => {
                    values.push(value);
                    weights.push(weight);
                }
            }
        }
        if values.is_empty() {
            let allowed = "a list with at least one time";
            return Err(Invalid::range("", Value::Array(Vec::new()), allowed));
        }
        let mut above = vec![0.0; values.len() + 1];
        let mut area = vec![0.0; values.len() + 1];
        for j in (0..values.len()).rev() {
            above[j] = above[j + 1] + weights[j];
            area[j] = area[j + 1] + weights[j] * values[j];
        }
        if !(above[0].is_finite() && area[0].is_finite()) {
            let allowed = "times whose sum 64-bit numbers can hold";
            return Err(Invalid::range("", Value::Null, allowed));
        }
        Ok(Self {
            values,
            weights,
            above,
            area,
        })
    }

    /// The values [s], ascending and distinct.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The weight of each value: how many samples.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// All weights together, n.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.above[0]
    }

    /// How many values are at most `t`; the index of the first one above. O(log n).
    #[must_use]
    pub fn until(&self, t: f64) -> usize {
        self.values.partition_point(|value| *value <= t)
    }

    /// P(T_s > value j - 1): the share from value j on, 0 behind the last.
    #[must_use]
    pub fn tail_at(&self, j: usize) -> f64 {
        self.above[j] / self.above[0]
    }

    /// F(t) = P(T_s <= t). O(log n).
    #[must_use]
    pub fn cdf(&self, t: f64) -> f64 {
        (self.above[0] - self.above[self.until(t)]) / self.above[0]
    }

    /// S(t) = 1 - F(t) = P(T_s > t), 0 for an infinite time. O(log n).
    #[must_use]
    pub fn tail(&self, t: f64) -> f64 {
        self.tail_at(self.until(t))
    }

    /// P(T_s >= t). O(log n).
    #[must_use]
    pub fn from(&self, t: f64) -> f64 {
        self.tail_at(self.values.partition_point(|value| *value < t))
    }

    /// The smallest value with F >= u, to a hair of one sample; `None` (never) from u = 1 on. O(log n).
    #[must_use]
    pub fn quantile(&self, u: f64) -> Option<f64> {
        if u >= NEVER {
            return None;
        }
        let rank = self.above[0] * u - RANK_SLACK;
        let (mut low, mut high) = (0, self.values.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.above[0] - self.above[middle + 1] >= rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(self.values[low])
    }

    /// The next value below a wait, 0 if there is none; an infinite wait comes behind the last. O(log n).
    #[must_use]
    pub fn before(&self, wait: Option<f64>) -> f64 {
        let at = wait.map_or(self.values.len(), |wait| {
            self.values.partition_point(|value| *value < wait)
        });
        at.checked_sub(1).map_or(0.0, |below| self.values[below])
    }

    /// E[T_s] [s].
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.area[0] / self.above[0]
    }

    /// E[(T_s - t)+] [s], what a first token at `t` saves. O(log n).
    #[must_use]
    pub fn excess(&self, t: f64) -> f64 {
        self.excess_from(self.until(t), t)
    }

    /// Returns the same as [`Self::excess`], where `j` is [`Self::until`] of `t`, for a pointer that moves along. O(1).
    #[must_use]
    pub fn excess_from(&self, j: usize, t: f64) -> f64 {
        if j == self.values.len() {
            return 0.0;
        }
        // Never below zero, which rounding could make of t just under the last value.
        ((self.area[j] - t * self.above[j]) / self.above[0]).max(0.0)
    }

    /// E[min(T_s, t)] [s]. O(log n).
    #[must_use]
    pub fn capped_mean(&self, t: f64) -> f64 {
        let j = self.until(t);
        let below = self.area[0] - self.area[j];
        let rest = if self.above[j] == 0.0 {
            0.0
        } else {
            t * self.above[j]
        };
        (below + rest) / self.above[0]
    }

    /// A law of at most `most` values in the middle of as many equal shares; itself if it has no more. O(most log n).
    #[must_use]
    pub fn compressed(&self, most: usize) -> Self {
        if self.values.len() <= most || most == 0 {
            return self.clone();
        }
        let at = |i: usize| (i as f64 + 0.5) / most as f64;
        let rows = (0..most).filter_map(|i| Some((self.quantile(at(i))?, 1.0)));
        // Quantiles of an increasing share never fall, and values of a valid law stay valid.
        Self::of_sorted(rows).unwrap_or_else(|_| self.clone())
    }
}

/// How fast a device comes to its first token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DispatchDevice {
    /// Prompt tokens per second.
    pub prefill_rate: f64,
    /// Additional time [s].
    pub constant: f64,
}

impl DispatchDevice {
    /// T_d(l) = l / rate + constant [s].
    #[must_use]
    pub fn first_token(&self, length: u32) -> f64 {
        f64::from(length) / self.prefill_rate + self.constant
    }

    /// Checks rate and constant beside the prompts and times of a problem.
    ///
    /// # Errors
    /// A rate that is not above 0 or too small (`prefill_rate`), a constant below 0 (`device_const`).
    pub fn check(&self, prompts: &PromptLengths, times: &ServerTimes) -> Result<(), Invalid> {
        let rate = self.prefill_rate;
        if !(rate.is_finite() && rate > 0.0) {
            return Err(Invalid::range("prefill_rate", rate, POSITIVE));
        }
        if !(self.constant.is_finite() && self.constant >= 0.0) {
            let allowed = "a finite number, 0 or above";
            return Err(Invalid::range("device_const", self.constant, allowed));
        }
        let longest = prompts.lengths.last().copied().unwrap_or_default();
        let latest = times.values.last().copied().unwrap_or_default();
        if !(self.first_token(longest) + latest).is_finite() {
            let allowed = "a rate at which 64-bit numbers can hold the time of the longest prompt";
            return Err(Invalid::range("prefill_rate", rate, allowed));
        }
        Ok(())
    }
}

/// The instance. Clones share prompts and times.
#[derive(Debug, Clone, PartialEq)]
pub struct DispatchProblem {
    prompts: Arc<PromptLengths>,
    times: Arc<ServerTimes>,
    devices: Vec<DispatchDevice>,
    b: f64,
    alpha: f64,
}

impl DispatchProblem {
    /// Checks devices, the budget b and the share alpha that Algorithm 2 keeps for the tail.
    ///
    /// # Errors
    /// No device, a rate that is not above 0, a constant below 0 (`devices[m].prefill_rate`, `devices[m].device_const`), times
    /// that 64-bit numbers cannot hold, b outside [0, 1], alpha outside (0, 1).
    pub fn new(
        prompts: impl Into<Arc<PromptLengths>>,
        times: impl Into<Arc<ServerTimes>>,
        devices: Vec<DispatchDevice>,
        b: f64,
        alpha: f64,
    ) -> Result<Self, Invalid> {
        let (prompts, times) = (prompts.into(), times.into());
        if devices.is_empty() {
            let allowed = "a list with at least one device";
            return Err(Invalid::range("devices", Value::Array(Vec::new()), allowed));
        }
        for (m, device) in devices.iter().enumerate() {
            let within = |fault: Invalid| fault.within(&format!("devices[{m}]"));
            device.check(&prompts, &times).map_err(within)?;
        }
        if !(0.0..=1.0).contains(&b) {
            return Err(Invalid::range("b", b, "a number from 0 to 1"));
        }
        if !(alpha > 0.0 && alpha < 1.0) {
            let allowed = "a number above 0 and below 1";
            return Err(Invalid::range("alpha", alpha, allowed));
        }
        Ok(Self {
            prompts,
            times,
            devices,
            b,
            alpha,
        })
    }

    /// Returns the problem with another budget.
    ///
    /// # Errors
    /// A budget outside [0, 1].
    pub fn with_budget(&self, b: f64) -> Result<Self, Invalid> {
        let same = self.clone();
        Self::new(same.prompts, same.times, same.devices, b, same.alpha)
    }

    /// Returns the problem with another share kept for the tail.
    ///
    /// # Errors
    /// An alpha outside (0, 1).
    pub fn with_alpha(&self, alpha: f64) -> Result<Self, Invalid> {
        let same = self.clone();
        Self::new(same.prompts, same.times, same.devices, same.b, alpha)
    }

    /// Returns the problem with another distribution of the server's times.
    ///
    /// # Errors
    /// Times that together with the longest prompt 64-bit numbers cannot hold.
    pub fn with_times(&self, times: impl Into<Arc<ServerTimes>>) -> Result<Self, Invalid> {
        let same = self.clone();
        Self::new(same.prompts, times, same.devices, same.b, same.alpha)
    }

    /// Prompts by length.
    #[must_use]
    pub fn prompts(&self) -> &PromptLengths {
        &self.prompts
    }

    /// The server's times.
    #[must_use]
    pub fn times(&self) -> &ServerTimes {
        &self.times
    }

    /// The devices.
    #[must_use]
    pub fn devices(&self) -> &[DispatchDevice] {
        &self.devices
    }

    /// Share of prompt tokens that the scarce endpoint may process, b.
    #[must_use]
    pub fn budget(&self) -> f64 {
        self.b
    }

    /// Share of the budget that Algorithm 2 keeps for the tail.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// T_d of every length on a device [s], in the order of the prompts.
    #[must_use]
    pub fn first_tokens(&self, device: usize) -> Vec<f64> {
        let lengths = self.prompts.lengths.iter();
        let device = &self.devices[device];
        lengths.map(|length| device.first_token(*length)).collect()
    }
}
