//! Charges and speeds of requests, for the cost of a policy of device or server.
//!
//! Source: DiSCo (arXiv:2502.11417), section 4.3 and equation (8). Prices are USD per 10^6 tokens, so that price times tokens
//! is millionths of a USD; a device's prices are its energy in money.

use super::Invalid;
use super::migration::{End, MOST_OUTPUT, Migration, TargetReady};
use crate::units::InOrder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const POSITIVE: &str = "a finite number above 0";
const NOT_NEGATIVE: &str = "a finite number, 0 or above";

/// Charge for a device's prefill that the server's first token ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Charging {
    /// All of the prompt.
    #[default]
    Full,
    /// The tokens that it had come to.
    ProRata,
}

/// A law of output lengths, from 1 token up.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs {
    rows: Vec<(u32, f64)>,
    /// P(N > j) for every j below the longest.
    more: Vec<f64>,
    /// E[min(N, j)], up to the longest.
    least: Vec<f64>,
}

impl Outputs {
    /// Lengths with weights, in any order; equal lengths are added up.
    ///
    /// # Errors
    /// An empty list, a length that is not from 1 to [`MOST_OUTPUT`] (`[i][0]`), a weight that is not above 0 and finite
    /// (`[i][1]`), weights whose sum is not finite.
    ///
    /// # Complexity
    /// O(n log n + longest).
    pub fn new(rows: &[(u32, f64)]) -> Result<Self, Invalid> {
        if rows.is_empty() {
            let allowed = "a list with at least one length";
            return Err(Invalid::range("", Value::Array(Vec::new()), allowed));
        }
        for (i, (length, weight)) in rows.iter().enumerate() {
            if !(1..=MOST_OUTPUT).contains(length) {
                let allowed = format!("a whole number from 1 to {MOST_OUTPUT}");
                return Err(Invalid::range(format!("[{i}][0]"), *length, &allowed));
            }
            if !(weight.is_finite() && *weight > 0.0) {
                return Err(Invalid::range(format!("[{i}][1]"), *weight, POSITIVE));
            }
        }
        let mut sorted = rows.to_vec();
        sorted.in_order_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let total: f64 = sorted.iter().map(|row| row.1).sum();
        if !total.is_finite() {
            let allowed = "weights whose sum 64-bit numbers can hold";
            return Err(Invalid::range("", Value::Null, allowed));
        }
        let mut rows: Vec<(u32, f64)> = Vec::new();
        for (length, weight) in sorted {
            match rows.last_mut() {
                Some((last, share)) if *last == length => *share += weight / total,
                _ => rows.push((length, weight / total)),
            }
        }
        let longest = rows.last().map_or(0, |row| row.0) as usize;
        let mut more = vec![0.0; longest + 1];
        // Summed from the end, so that nothing is left over there.
        for (length, share) in rows.iter().rev() {
            more[*length as usize - 1] += share;
        }
        for j in (0..longest).rev() {
            more[j] += more[j + 1];
        }
        more.truncate(longest);
        let mut least = Vec::with_capacity(longest + 1);
        let mut sum = 0.0;
        least.push(sum);
        for share in &more {
            sum += share;
            least.push(sum);
        }
        Ok(Self { rows, more, least })
    }

    /// Every answer as long as this.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn fixed(length: u32) -> Result<Self, Invalid> {
        Self::new(&[(length, 1.0)])
    }

    /// Lengths, ascending, with their shares.
    #[must_use]
    pub fn rows(&self) -> &[(u32, f64)] {
        &self.rows
    }

    /// The longest output [tokens].
    #[must_use]
    pub fn longest(&self) -> u32 {
        self.more.len() as u32
    }

    /// Mean length [tokens].
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.least[self.more.len()]
    }

    /// P(N > j): the share of answers with a token number j, from 0.
    #[must_use]
    pub fn more(&self, j: u32) -> f64 {
        self.more.get(j as usize).copied().unwrap_or(0.0)
    }

    /// E[min(N, j)]: tokens before number j [tokens].
    #[must_use]
    pub fn least(&self, j: u32) -> f64 {
        self.least[(j as usize).min(self.more.len())]
    }
}

/// All that the bill of a policy rests on, besides the instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Devices, in the order of the instance.
    pub devices: Vec<End>,
    /// The server.
    pub server: End,
    /// Tokens a second that a reader takes, r_c.
    pub reader: f64,
    /// Seconds that every hand-over takes besides.
    pub net: f64,
    /// Tokens that an answer is expected to have, N_exp: what the decision to move rests on.
    pub expected: f64,
    /// Seconds to the server's first token that size the buffer: a mean or a quantile.
    pub estimate: f64,
    /// Saving that a migration must exceed beyond its prefill, in millionths of a USD.
    pub extra: f64,
    /// True to refuse targets slower than the reader.
    pub guard: bool,
    /// Charge for a cancelled prefill of a device.
    pub charging: Charging,
    /// The law of output lengths.
    pub outputs: Outputs,
}

impl Terms {
    /// Checks every number.
    ///
    /// # Errors
    /// Names the first field at fault, as `devices[m].rate`. Rates must be above 0, all else 0 or above.
    pub fn checked(self) -> Result<Self, Invalid> {
        let ends = self.devices.iter().enumerate();
        let ends = ends.map(|(m, end)| (format!("devices[{m}]"), end));
        for (owner, end) in ends.chain([("server".to_owned(), &self.server)]) {
            let within = |fault: Invalid| fault.within(&owner);
            above("rate", end.rate).map_err(within)?;
            not_below("prefill", end.prefill).map_err(within)?;
            not_below("decode", end.decode).map_err(within)?;
        }
        above("reader", self.reader)?;
        for (path, value) in [
            ("net", self.net),
            ("expected", self.expected),
            ("estimate", self.estimate),
            ("extra", self.extra),
        ] {
            not_below(path, value)?;
        }
        Ok(self)
    }

    /// Returns the terms of moving a request from the server to device `m`, which prefills `rate` tokens per second after
    /// `constant` s.
    #[must_use]
    pub fn to_device(&self, m: usize, rate: f64, constant: f64) -> Migration {
        let ready = TargetReady::Device {
            k: 1.0 / rate,
            c: constant,
        };
        self.between(self.server, self.devices[m], ready)
    }

    /// Returns the terms of moving a request from device `m` to the server.
    #[must_use]
    pub fn to_server(&self, m: usize) -> Migration {
        self.between(
            self.devices[m],
            self.server,
            TargetReady::Server(self.estimate),
        )
    }

    fn between(&self, source: End, target: End, ready: TargetReady) -> Migration {
        Migration {
            source,
            target,
            ready,
            net: self.net,
            reader: self.reader,
            expected: self.expected,
            extra: self.extra,
            guard: self.guard,
        }
    }
}

fn above(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, POSITIVE))
}

fn not_below(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, NOT_NEGATIVE))
}
