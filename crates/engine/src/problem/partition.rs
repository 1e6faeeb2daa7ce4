//! The devices that operators are cut over, and how long operators take on them: what `operator-partition` takes beside
//! the graph.
//!
//! Source: MemoriaNova (ACM TACO 22(1), 3, 2025), sections 3.2 to 3.4, Table 3 and equations (2) to (18).
//!
//! # Where this departs from the paper
//!
//! CFLOPS is a factor of *time*, despite its name: the slow Raspberry Pi 3 has 1.00 in Table 3, the PC 0.24, and latency
//! falls with it in Fig. 11. Section 4.5 gives the bandwidth as 2000 MB/s where Table 3 has Mbps; it is Mbit/s here. Times
//! of operators are nowhere printed: [`Profile::FITTED`] is a fit, and a table of measured times can take its place.

use super::Invalid;
use serde::{Deserialize, Serialize};

/// The most devices of a problem.
pub const MOST_DEVICES: usize = 64;

/// The most that a factor, a rate or a time may be, and one over it the least that a factor or a rate may be: with these no
/// sum over a graph leaves the numbers.
const MOST: f64 = 1e100;

const ABOVE_0: &str = "a number above 0, from 1e-100 to 1e100";
const NOT_NEGATIVE: &str = "a number, 0 or above and at most 1e100";
const LIMIT: &str = "a number of bytes, 0 or above";

/// How long an operator takes whole on a device of factor 1, by what it does and what it moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Of every part of an operator, however small [ms]; from 0 to 1e100.
    pub op_ms: f64,
    /// Operations [10^9 a second]; from 1e-100 to 1e100.
    pub gflops: f64,
    /// Output and weights [10^9 bytes a second]; from 1e-100 to 1e100.
    pub gbs: f64,
}

impl Profile {
    /// A least-squares fit of the eight convolutional "Local" entries of Table 8, read as means over devices of factor 0.9;
    /// it leaves 18 % (root mean square).
    pub const FITTED: Self = Self {
        op_ms: 0.5,
        gflops: 270.0,
        gbs: 0.43,
    };

    /// Returns the time of a whole operator beside `op_ms`, from its operations and the bytes of output and weights, on a device
    /// of factor 1 [ms].
    #[must_use]
    pub fn whole_ms(&self, flops: f64, bytes: u64) -> f64 {
        flops / (self.gflops * 1e6) + bytes as f64 / (self.gbs * 1e6)
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// Names the first field at fault.
    pub fn check(&self) -> Result<(), Invalid> {
        not_negative("op_ms", self.op_ms)?;
        positive("gflops", self.gflops)?;
        positive("gbs", self.gbs)
    }
}

/// How long operators take.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeModel {
    /// By a formula.
    Profile(Profile),
    /// As measured: for each operator what every part takes, and what the whole takes besides, on a device of factor 1
    /// [ms].
    Table(Vec<[f64; 2]>),
}

/// Whose capacity a transfer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Every device has the bandwidth for itself, as Algorithm 2 has it.
    #[default]
    Own,
    /// All share it: every receiver waits for all that is sent.
    Shared,
}

/// How the paper's rule for convolutions is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// Channels where more copies of the input fit than of the weights, as Table 6 has it.
    #[default]
    MoreCopies,
    /// Channels where fewer do, as printed twice.
    Printed,
}

/// Validated devices.
#[derive(Debug, Clone, PartialEq)]
pub struct Fleet {
    factors: Vec<f64>,
    /// Time of a part of an operator that no rate explains, on each device [ms].
    launches: Vec<f64>,
    limits: Vec<f64>,
    mbps: f64,
    link: Link,
}

impl Fleet {
    /// Checks the factors of time (1: a Raspberry Pi 3), the memory limits [bytes; infinite: none] and the bandwidth
    /// [10^6 bit/s].
    ///
    /// # Errors
    /// Names the first field at fault, as `cflops[2]`, `limits`, `mbps`.
    pub fn new(
        factors: Vec<f64>,
        limits: Vec<f64>,
        mbps: f64,
        link: Link,
    ) -> Result<Self, Invalid> {
        let count = factors.len();
        if count == 0 || count > MOST_DEVICES {
            let allowed = format!("a list of 1 to {MOST_DEVICES} factors, one for each device");
            return Err(Invalid::range("cflops", count, &allowed));
        }
        if limits.len() != count {
            let allowed = format!("a list of {count} limits, one for each factor in cflops");
            return Err(Invalid::range("limits", limits.len(), &allowed));
        }
        for (k, factor) in factors.iter().enumerate() {
            positive(&format!("cflops[{k}]"), *factor)?;
        }
        for (k, limit) in limits.iter().enumerate() {
            if limit.is_nan() || *limit < 0.0 {
                return Err(Invalid::range(format!("limits[{k}]"), *limit, LIMIT));
            }
        }
        positive("mbps", mbps)?;
        Ok(Self {
            launches: vec![0.0; count],
            factors,
            limits,
            mbps,
            link,
        })
    }

    /// Returns the devices with a time of every part of an operator that no rate explains, as starting it on a graphics chip [ms]. A
    /// factor does not scale it. None have one at first, as in the paper.
    ///
    /// # Errors
    /// Another number of times than devices, or a time that is none.
    pub fn with_launches(mut self, launches: Vec<f64>) -> Result<Self, Invalid> {
        let count = self.devices();
        if launches.len() != count {
            let allowed = format!("a list of {count} times, one for each factor in cflops");
            return Err(Invalid::range("launch_ms", launches.len(), &allowed));
        }
        for (k, launch) in launches.iter().enumerate() {
            not_negative(&format!("launch_ms[{k}]"), *launch)?;
        }
        self.launches = launches;
        Ok(self)
    }

    /// Time of a part on device `k` [ms]: `part_ms` on a device of factor 1, and what no rate explains.
    #[must_use]
    #[inline]
    pub fn compute_ms(&self, k: usize, part_ms: f64) -> f64 {
        self.factors[k] * part_ms + self.launches[k]
    }

    /// The least time of a part that no rate explains, over the devices [ms].
    #[must_use]
    pub fn least_launch(&self) -> f64 {
        self.launches.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many devices there are, n.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.factors.len()
    }

    /// Factors of time.
    #[must_use]
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// Memory limits [bytes]; infinite where there is none.
    #[must_use]
    pub fn limits(&self) -> &[f64] {
        &self.limits
    }

    /// Bytes a millisecond over a link, B.
    #[must_use]
    pub fn bytes_per_ms(&self) -> f64 {
        self.mbps * 1e6 / 8.0 / 1000.0
    }

    /// Whose capacity a transfer takes.
    #[must_use]
    pub const fn link(&self) -> Link {
        self.link
    }

    /// Returns the devices with as many other memory limits [bytes].
    #[must_use]
    pub fn with_limits(&self, limits: Vec<f64>) -> Self {
        debug_assert_eq!(limits.len(), self.factors.len());
        Self {
            limits,
            ..self.clone()
        }
    }
}

fn positive(path: &str, value: f64) -> Result<(), Invalid> {
    if (1.0 / MOST..=MOST).contains(&value) {
        return Ok(());
    }
    Err(Invalid::range(path, value, ABOVE_0))
}

fn not_negative(path: &str, value: f64) -> Result<(), Invalid> {
    if (0.0..=MOST).contains(&value) {
        return Ok(());
    }
    Err(Invalid::range(path, value, NOT_NEGATIVE))
}

impl TimeModel {
    /// Checks the numbers against how many operators there are.
    ///
    /// # Errors
    /// Names the first field at fault, as `profile.gbs` or `table[3][0]`.
    pub fn check(&self, operators: usize) -> Result<(), Invalid> {
        match self {
            Self::Profile(profile) => profile.check().map_err(|fault| fault.within("profile")),
            Self::Table(rows) => {
                if rows.len() != operators {
                    let allowed = format!("a list of {operators} pairs, one for each operator");
                    return Err(Invalid::range("table", rows.len(), &allowed));
                }
                for (v, row) in rows.iter().enumerate() {
                    for (at, value) in row.iter().enumerate() {
                        not_negative(&format!("table[{v}][{at}]"), *value)?;
                    }
                }
                Ok(())
            }
        }
    }
}
