//! Which device holds how many attention heads while tokens come, one after another.
//!
//! One row per device, tokens from left to right. A run of tokens with one number of heads is a cell: a step of grey,
//! never a hue, with the number on it where it fits. Blocks that move are amber, as all that crosses a link: a full
//! tick where a head arrives, a short one where it leaves. Under a device that ever holds projection or FFN a strip
//! says for which share of the tokens it does: a bar for the FFN, a line for the projection. Where the line of one token
//! stands, arrows lead from device to device for what moved just before the interval it belongs to. Below stands what each token takes, by
//! phase, on the same axis ([`TimesIndex`]); beside them the small bars of a comparison over draws ([`range_bars`]).
//!
//! The axis counts tokens where other charts count seconds: token t takes the span from t - 1 to t, so that
//! [`TimeView::until`] the number of tokens is all of it. What would be slimmer than a few pixels is merged and says of how
//! many it is made.

mod arrows;
mod axis;
mod head;
mod hits;
mod index;
mod key;
mod layout;
mod range;
mod rows;
mod times;

pub use hits::HeadMarks;
pub use index::{HeadIndex, interval_begin};
pub use key::{head_map_legend, times_legend};
pub use range::{RangeBar, RangeChart, RangeRole, RangeRow, layout_ranges, range_bars};
pub use times::{PhaseTimes, TimesIndex, TimesMarks, TokenTimes};

pub(super) use axis::{token_from_px, token_range_label};

use super::gantt::TimeView;
use serde::{Deserialize, Serialize};

/// Heads on devices over tokens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeadMap {
    /// Title of the figures beside the names, with unit: `Gop/s`.
    pub note_title: String,
    /// The devices, a row each.
    pub devices: Vec<DeviceRow>,
    /// How many tokens there are; they count from 1.
    pub tokens: usize,
    /// How many heads a device holds, in any order. Tokens that no span names are without a head; spans of devices or
    /// tokens that are not there are left out.
    pub spans: Vec<HeadSpan>,
    /// Where the projection is.
    pub projection: Vec<HostedBlock>,
    /// Where the FFN is.
    pub ffn: Vec<HostedBlock>,
    /// Migrations.
    pub moves: Vec<BlockMove>,
    /// For how many tokens a placement stays before blocks may move again; 0 counts as 1.
    pub interval: usize,
    /// The token that has the line.
    pub at: Option<usize>,
}

impl HeadMap {
    /// How many heads the device of a shade has at a token; `None` where there is no such device.
    #[must_use]
    pub fn heads_on(&self, shade: usize, token: usize) -> Option<usize> {
        let device = self.devices.iter().position(|row| row.shade == shade)?;
        let holds =
            |span: &&HeadSpan| span.device == device && (span.from..=span.to).contains(&token);
        Some(self.spans.iter().find(holds).map_or(0, |span| span.heads))
    }
}

/// A device: one row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DeviceRow {
    /// Its name, in full.
    pub name: String,
    /// Its place in the fleet, from 0: its shade.
    pub shade: usize,
    /// A figure beside the name, without its unit: `8.9`.
    pub note: String,
    /// True for the controller.
    pub is_controller: bool,
}

/// A device holding so many heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadSpan {
    /// The device, by place in [`HeadMap::devices`].
    pub device: usize,
    /// First token, from 1.
    pub from: usize,
    /// Last token.
    pub to: usize,
    /// How many heads.
    pub heads: usize,
}

/// A device holding a block that is there once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedBlock {
    /// The device, by place in [`HeadMap::devices`].
    pub device: usize,
    /// First token, from 1.
    pub from: usize,
    /// Last token.
    pub to: usize,
}

/// A block that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MovedBlock {
    /// A head with its cache, from 0; shown from 1.
    Head(usize),
    /// The projection.
    Projection,
    /// The feed-forward network.
    Ffn,
}

/// A block that goes from one device to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BlockMove {
    /// The first token that is computed after it, from 1.
    pub token: usize,
    /// Block.
    pub block: MovedBlock,
    /// Where it was, by place in [`HeadMap::devices`].
    pub from: usize,
    /// Where it is then.
    pub to: usize,
    /// Bytes sent over the link.
    pub bytes: f64,
    /// How long that takes [s].
    pub seconds: f64,
}

/// The fewest tokens that a hand can zoom to.
pub const LEAST_TOKENS: f64 = 8.0;

/// How many steps of grey there are for numbers of heads.
pub(crate) const STEPS: usize = 5;

/// The step of grey of a number of heads, from 0, where no device holds more than `most`: each number its own as far as
/// there are steps, else equal parts.
pub(crate) fn step_of_heads(heads: usize, most: usize) -> Option<usize> {
    let heads = heads.min(most).checked_sub(1)?;
    if most <= STEPS {
        return Some(heads);
    }
    // Step k holds the numbers above k / 5 of the most, up to (k + 1) / 5 of it.
    let step = heads as u128 * STEPS as u128 / most as u128;
    Some((step as usize).min(STEPS - 1))
}

/// The numbers of heads of each step, first and last.
pub(crate) fn steps_of_heads(most: usize) -> Vec<(usize, usize)> {
    let mut steps: Vec<(usize, usize)> = Vec::new();
    for step in 0..STEPS.min(most) {
        let from = if most <= STEPS {
            step + 1
        } else {
            (step as u128 * most as u128).div_ceil(STEPS as u128) as usize + 1
        };
        if let Some(last) = steps.last_mut() {
            last.1 = from - 1;
        }
        steps.push((from, most));
    }
    steps
}

#[cfg(test)]
mod tests;
