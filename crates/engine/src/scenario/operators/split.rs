//! The part of an operator-graph scenario that cuts operators over devices.

use crate::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use crate::problem::{Code, Invalid};
use crate::scenario::fields::{self, NumberFields, numbers};
use serde::{Deserialize, Serialize};

/// The most devices on the page: some baselines look at every subset of them.
pub const MOST_DEVICES: usize = 12;
/// Bytes of a MiB.
const MIB: f64 = 1_048_576.0;

/// Devices, what their links carry, how long operators take, and how a split is looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The devices, in the order of their parts.
    pub devices: Vec<Board>,
    /// Bandwidth of a link [10^6 bit/s].
    pub mbps: f64,
    /// Whose capacity a transfer takes.
    pub link: Link,
    /// Along what convolutions are cut.
    pub dims: Dims,
    /// How long operators take by a formula; not looked at where there is a table.
    pub profile: Profile,
    /// Measured times of the operators, if there are any: what every part takes, what the whole takes besides [ms].
    pub table: Option<Vec<[f64; 2]>>,
    /// True if products of matrices hold all their weights on every device that computes rows of them.
    pub gemm_weights: bool,
    /// How a split is looked for.
    pub search: Search,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Its name.
    pub name: String,
    /// How many times as long it takes as a Raspberry Pi 3.
    pub factor: f64,
    /// Its memory [MiB]; `null` for no limit.
    pub limit_mib: Option<f64>,
    /// Time of every part of an operator that no rate explains [us]; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op_us: Option<f64>,
}

/// Along what convolutions are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Dims {
    /// Whatever is best for each.
    #[default]
    Free,
    /// By the paper's rule, as its Table 6 has it.
    Rule,
    /// By the rule as it is printed.
    Printed,
}

impl Dims {
    /// The reading of the rule; `None` if the search is free.
    #[must_use]
    pub const fn reading(self) -> Option<Reading> {
        match self {
            Self::Free => None,
            Self::Rule => Some(Reading::MoreCopies),
            Self::Printed => Some(Reading::Printed),
        }
    }
}

/// How a split is looked for. The same numbers give the same split on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Moves of each of the chains of the default search.
    pub moves: f64,
    /// How many chains there are, and islands of the paper's search.
    pub islands: f64,
    /// The seed of the first.
    pub seed: f64,
    /// Plans on each island of the paper's search.
    pub population: f64,
    /// The most generations of the paper's search.
    pub generations: f64,
    /// Generations in which the best plan of the paper's search does not get better until it ends; left out: ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<f64>,
    /// True if the first plans of the paper's search are all random; left out: plans known without a search are among them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub random_start: bool,
}

numbers!(Split: mbps);
numbers!(Board: factor, [limit_mib], [op_us]);
numbers!(Profile: op_ms, gflops, gbs);
numbers!(Search: moves, islands, seed, population, generations, [patience]);

impl Split {
    /// The devices as the cost model takes them.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn fleet(&self) -> Result<Fleet, Invalid> {
        let limits = self.devices.iter().map(|board| {
            let mib = board.limit_mib;
            mib.map_or(f64::INFINITY, |mib| libm::floor(mib * MIB))
        });
        let launches = self
            .devices
            .iter()
            .map(|board| 1e-3 * board.op_us.unwrap_or(0.0));
        Fleet::new(
            self.devices.iter().map(|board| board.factor).collect(),
            limits.collect(),
            self.mbps,
            self.link,
        )?
        .with_launches(launches.collect())
    }

    /// How long operators take.
    #[must_use]
    pub fn times(&self) -> TimeModel {
        match &self.table {
            Some(table) => TimeModel::Table(table.clone()),
            None => TimeModel::Profile(self.profile),
        }
    }

    /// Checks every field against the ranges of the page.
    ///
    /// # Errors
    /// The first field at fault, seen from the scenario.
    pub fn check(&self) -> Result<(), Invalid> {
        let count = self.devices.len();
        if count == 0 || count > MOST_DEVICES {
            let message =
                format!("split.devices must be a list of 1 to {MOST_DEVICES}, it has {count}");
            return Err(Invalid::new(Code::Range, "split.devices", count, message));
        }
        for (k, board) in self.devices.iter().enumerate() {
            let owner = format!("split.devices[{k}]");
            fields::text(&format!("{owner}.name"), &board.name, fields::LONGEST_NAME)?;
            board.check_numbers(&owner)?;
        }
        self.check_numbers("split")?;
        self.profile.check_numbers("split.profile")?;
        for (v, row) in self.table.iter().flatten().enumerate() {
            for (at, ms) in row.iter().enumerate() {
                if !(0.0..=1e9).contains(ms) {
                    let path = format!("split.table[{v}][{at}]");
                    return Err(Invalid::range(
                        path,
                        *ms,
                        "a number of milliseconds from 0 to 10^9",
                    ));
                }
            }
        }
        self.search.check_numbers("split.search")
    }
}
