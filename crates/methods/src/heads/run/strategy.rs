//! Strategies of a run: the method that places blocks, and how often.

use crate::heads::algorithm1::Variant;
use crate::heads::baseline::Pick;
use engine::problem::Invalid;
use serde::{Deserialize, Serialize};

/// Method of the single placement of [`Strategy::Static`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Init {
    /// Algorithm 1. Its variants differ only in the load that they see: nothing has been placed before.
    Algorithm1(Variant),
    /// The first device with room.
    Greedy,
    /// The exact solver.
    Exact,
}

/// Forecast of the coming intervals for look-ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Forecast {
    /// Each will be like this one.
    Persist,
    /// Their actual values: an upper limit of any forecast.
    Known,
}

/// A strategy of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The exact placement, interval by interval.
    Exact,
    /// The exact plan, interval by interval, where the layer may be split over a group of devices as well.
    ExactSplit,
    /// The exact placement for a delay that is expected to last so many intervals, 1 or more.
    ExactAhead {
        /// K_a.
        intervals: f64,
    },
    /// The cheapest path through the best placements of this and the next intervals, planned again in each.
    Horizon {
        /// How many intervals are planned together, this one included.
        intervals: u32,
        /// How many of the best placements of an interval are kept.
        keep: u32,
        /// Forecast of the next intervals.
        forecast: Forecast,
    },
    /// Algorithm 1.
    Algorithm1 {
        /// Which score.
        variant: Variant,
    },
    /// The first device with room, largest blocks first.
    Greedy,
    /// One device after the other.
    RoundRobin,
    /// One placement for ever.
    Static {
        /// Method of the placement.
        init: Init,
    },
    /// The whole layer on one device, chosen again.
    Dynamic,
    /// The whole layer on one device for ever.
    EdgeShard {
        /// Which device.
        pick: Pick,
    },
    /// Tensor parallelism over the fastest devices for ever.
    Galaxy {
        /// How many devices, G.
        devices: usize,
    },
}

/// The most intervals that are planned together, and the most placements that are kept of one.
pub const MOST_AHEAD: u32 = 64;

impl Strategy {
    /// The strategies that the paper compares, with the variants of Algorithm 1 and the sizes of the others that its
    /// figures need, the exact one first.
    #[must_use]
    pub fn usual() -> Vec<Self> {
        let algorithm1 = |variant| Self::Algorithm1 { variant };
        vec![
            Self::Exact,
            algorithm1(Variant::WithMigration),
            algorithm1(Variant::Published),
            algorithm1(Variant::LoadAware),
            Self::Greedy,
            Self::RoundRobin,
            Self::Static {
                init: Init::Algorithm1(Variant::WithMigration),
            },
            Self::Dynamic,
            Self::EdgeShard { pick: Pick::Best },
            Self::EdgeShard { pick: Pick::First },
            Self::Galaxy { devices: 2 },
            Self::Galaxy { devices: 4 },
        ]
    }

    /// Returns true if it places once only.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        matches!(
            self,
            Self::Static { .. } | Self::EdgeShard { .. } | Self::Galaxy { .. }
        )
    }

    /// Returns true if it places heads one by one, so that Algorithm 1 can be its fallback.
    #[must_use]
    pub const fn is_of_heads(&self) -> bool {
        !matches!(
            self,
            Self::Dynamic | Self::EdgeShard { .. } | Self::Galaxy { .. }
        )
    }

    /// Returns true if its plan is the best of its class for its interval: proven, unless the run marks it as unproven.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact | Self::ExactSplit)
    }

    /// Returns true if it may split projection and FFN over devices: another class of plans, which cannot be compared with
    /// placements of whole blocks on equal terms.
    #[must_use]
    pub const fn splits_blocks(&self) -> bool {
        matches!(self, Self::Galaxy { .. } | Self::ExactSplit)
    }

    /// How many intervals after this one it wants to see as they will be.
    pub(super) fn foresight(&self) -> usize {
        match self {
            Self::Horizon {
                intervals,
                forecast: Forecast::Known,
                ..
            } => intervals.saturating_sub(1) as usize,
            _ => 0,
        }
    }

    /// Refuses numbers that are none.
    ///
    /// # Errors
    /// [`Invalid`] at `intervals`, `keep` or `devices`.
    pub fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::ExactAhead { intervals } if !(1.0..=1e6).contains(intervals) => Err(
                Invalid::range("intervals", *intervals, "a number from 1 to 1000000"),
            ),
            Self::Horizon {
                intervals, keep, ..
            } => {
                for (path, value) in [("intervals", *intervals), ("keep", *keep)] {
                    if !(1..=MOST_AHEAD).contains(&value) {
                        let allowed = format!("a whole number from 1 to {MOST_AHEAD}");
                        return Err(Invalid::range(path, value, &allowed));
                    }
                }
                Ok(())
            }
            Self::Galaxy { devices: 0 } => {
                Err(Invalid::range("devices", 0, "a whole number above 0"))
            }
            _ => Ok(()),
        }
    }
}
