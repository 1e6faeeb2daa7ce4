//! One request that may change ends after its first token: who won, how fast both ends are, what they charge.
//!
//! Source: DiSCo (arXiv:2502.11417), section 4.3, equations (4)-(6) and (8). The reader takes tokens at a steady rate; the
//! source generates faster, so tokens pile up, and once they last for the time that the other end needs to get ready,
//! it can take over unnoticed. The paper leaves open what its overhead is: here it is the target's prefill of prompt and
//! generated tokens. Its equation (5) takes an absolute value, which would also move requests to the dearer end; the
//! difference has a sign here.
//!
//! Seconds count from the first token, prices are USD per 10^6 tokens, so that price times tokens is millionths of a USD.

use super::Invalid;
use serde::{Deserialize, Serialize};

/// The most tokens of an answer: a timeline keeps every one.
pub const MOST_OUTPUT: u32 = 1_000_000;

/// Slack when a number of tokens is rounded, and when a token [s] counts as late.
pub const SLACK: f64 = 1e-9;

/// Where a request runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// On the device.
    Device,
    /// On the server.
    Server,
}

/// Price of a token, USD per 10^6 tokens; the device's prices are its energy in money.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// A token of the prompt on the device [USD per 10^6 tokens]; 0 or above.
    pub dev_p: f64,
    /// A generated token on the device [USD per 10^6 tokens]; 0 or above.
    pub dev_d: f64,
    /// A token of the prompt on the server [USD per 10^6 tokens]; 0 or above.
    pub srv_p: f64,
    /// A generated token on the server [USD per 10^6 tokens]; 0 or above.
    pub srv_d: f64,
}

impl Prices {
    /// Checks that every price is finite and not below zero.
    ///
    /// # Errors
    /// Names the first price at fault, as `dev_p`.
    pub fn check(&self) -> Result<(), Invalid> {
        for (name, price) in [
            ("dev_p", self.dev_p),
            ("dev_d", self.dev_d),
            ("srv_p", self.srv_p),
            ("srv_d", self.srv_d),
        ] {
            not_negative(name, price)?;
        }
        Ok(())
    }
}

/// One end of a hand-over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// Tokens generated a second.
    pub rate: f64,
    /// Price of a token of the prompt.
    pub prefill: f64,
    /// Price of a generated token.
    pub decode: f64,
}

/// How long a target takes from being asked to its first token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TargetReady {
    /// A device: `k` s a token of prompt and what has been generated, and `c` s.
    Device {
        /// Seconds a token.
        k: f64,
        /// Seconds besides.
        c: f64,
    },
    /// A server: so many seconds, whatever the prompt.
    Server(f64),
}

/// Inputs of the decision to move a request. All finite and not below zero, rates above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Migration {
    /// Where the request runs.
    pub source: End,
    /// Where it may go.
    pub target: End,
    /// Expected speed and latency of the target.
    pub ready: TargetReady,
    /// Seconds that every hand-over takes besides.
    pub net: f64,
    /// Tokens a second that the reader takes, r_c.
    pub reader: f64,
    /// Tokens that an answer is expected to have, N_exp.
    pub expected: f64,
    /// Saving that a migration must exceed beyond its prefill, in millionths of a USD. 0 in the paper.
    pub extra: f64,
    /// True to refuse targets slower than the reader. Not in the paper.
    pub guard: bool,
}

impl Migration {
    /// Expected seconds from the end of the source's work to the target's first token, t_m, for a prompt of `l` tokens
    /// after `g` generated ones. Section 8.2.
    #[must_use]
    #[inline]
    pub fn handover(&self, l: f64, g: f64) -> f64 {
        self.net
            + match self.ready {
                TargetReady::Device { k, c } => k * (l + g) + c,
                TargetReady::Server(estimate) => estimate,
            }
    }

    /// Tokens that the reader takes in that time, B.
    #[must_use]
    #[inline]
    pub fn buffer(&self, l: f64, g: f64) -> f64 {
        self.reader * self.handover(l, g)
    }

    /// Returns the buffer as a whole number, with [`SLACK`].
    #[must_use]
    #[inline]
    pub fn buffer_tokens(&self, l: f64, g: f64) -> f64 {
        // A buffer of less than the slack is none, and none is not written with a sign.
        libm::ceil(self.buffer(l, g) - SLACK).max(0.0) + 0.0
    }
}

/// Fields of a `migration` document, in its order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseNumbers {
    /// Tokens of the prompt.
    pub l: f64,
    /// Tokens of the answer, N.
    pub n_out: f64,
    /// Tokens that it is expected to have, N_exp.
    pub n_exp: f64,
    /// The side whose token came first.
    pub winner: Winner,
    /// Tokens a second on the device.
    pub r_dev: f64,
    /// Tokens a second on the server.
    pub r_srv: f64,
    /// Tokens a second that the reader takes.
    pub r_c: f64,
    /// Seconds a token of the device's prefill.
    pub k: f64,
    /// Seconds besides.
    pub c: f64,
    /// Seconds to the server's first token, as they are expected.
    pub srv_ttft_est: f64,
    /// Actual TTFT of the server.
    pub srv_ttft_actual: f64,
    /// Seconds that every hand-over takes besides.
    pub net: f64,
    /// Price of a token.
    pub cost: Prices,
}

/// A request of which everything is known: valid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MigrationCase {
    numbers: CaseNumbers,
    migration: Migration,
    actual: f64,
}

impl MigrationCase {
    /// Checks every number.
    ///
    /// # Errors
    /// Names the first field at fault as the form calls it, prices as `cost.dev_p`. Rates must be above 0; times, prices
    /// and expectations may be 0; `l` and `n_out` are whole, `n_out` from 1 to [`MOST_OUTPUT`].
    pub fn new(numbers: CaseNumbers) -> Result<Self, Invalid> {
        let most = f64::from(u32::MAX);
        check_integer("l", numbers.l, 0.0, most)?;
        check_integer("n_out", numbers.n_out, 1.0, f64::from(MOST_OUTPUT))?;
        not_negative("n_exp", numbers.n_exp)?;
        for (name, rate) in [
            ("r_dev", numbers.r_dev),
            ("r_srv", numbers.r_srv),
            ("r_c", numbers.r_c),
        ] {
            positive(name, rate)?;
        }
        for (name, seconds) in [
            ("k", numbers.k),
            ("c", numbers.c),
            ("srv_ttft_est", numbers.srv_ttft_est),
            ("srv_ttft_actual", numbers.srv_ttft_actual),
            ("net", numbers.net),
        ] {
            not_negative(name, seconds)?;
        }
        numbers.cost.check().map_err(|fault| fault.within("cost"))?;
        let Prices {
            dev_p,
            dev_d,
            srv_p,
            srv_d,
        } = numbers.cost;
        let device = End {
            rate: numbers.r_dev,
            prefill: dev_p,
            decode: dev_d,
        };
        let server = End {
            rate: numbers.r_srv,
            prefill: srv_p,
            decode: srv_d,
        };
        let (source, target, ready) = match numbers.winner {
            Winner::Device => (device, server, TargetReady::Server(numbers.srv_ttft_est)),
            Winner::Server => {
                let (k, c) = (numbers.k, numbers.c);
                (server, device, TargetReady::Device { k, c })
            }
        };
        Ok(Self {
            numbers,
            migration: Migration {
                source,
                target,
                ready,
                net: numbers.net,
                reader: numbers.r_c,
                expected: numbers.n_exp,
                extra: 0.0,
                guard: false,
            },
            actual: numbers.srv_ttft_actual,
        })
    }

    /// Returns the request with or without a guard against targets slower than the reader.
    #[must_use]
    pub fn with_guard(mut self, guard: bool) -> Self {
        self.migration.guard = guard;
        self
    }

    /// The numbers as they were given.
    #[must_use]
    pub fn numbers(&self) -> &CaseNumbers {
        &self.numbers
    }

    /// Returns the inputs of the decision.
    #[must_use]
    pub fn migration(&self) -> &Migration {
        &self.migration
    }

    /// Tokens of the prompt.
    #[must_use]
    pub fn prompt(&self) -> f64 {
        self.numbers.l
    }

    /// Tokens of the answer, N.
    #[must_use]
    pub fn output(&self) -> u32 {
        self.numbers.n_out as u32
    }

    /// Seconds that a hand-over after `g` tokens really takes.
    #[must_use]
    pub fn handover(&self, g: u32) -> f64 {
        match self.migration.ready {
            TargetReady::Device { .. } => self.migration.handover(self.numbers.l, f64::from(g)),
            TargetReady::Server(_) => self.numbers.net + self.actual,
        }
    }
}

fn check_integer(path: &str, value: f64, least: f64, most: f64) -> Result<(), Invalid> {
    if (least..=most).contains(&value) && libm::trunc(value) == value {
        return Ok(());
    }
    let allowed = format!("a whole number from {least} to {most}");
    Err(Invalid::range(path, value, &allowed))
}

fn not_negative(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, "a finite number, 0 or above"))
}

fn positive(path: &str, value: f64) -> Result<(), Invalid> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Invalid::range(path, value, "a finite number above 0"))
}
