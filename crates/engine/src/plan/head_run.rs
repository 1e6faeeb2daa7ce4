//! A run of attention heads on devices while an answer grows: what every token took, where the blocks were, what moved.
//!
//! The record is compact: placements stand once for all tokens they lasted, so a run of a thousand tokens on 25 devices
//! is some ten thousand numbers. Nothing in it is infinite: a run ends before a token that would never come.

use super::{HeadSplit, Placement};
use serde::{Deserialize, Serialize};

/// Time of one token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TokenTime {
    /// Input, heads and their outputs on the slowest device [s].
    pub head_stage: f64,
    /// proj computes [s].
    pub proj: f64,
    /// proj to ffn, or the synchronisations of tensor parallelism [s].
    pub transfer: f64,
    /// ffn computes [s].
    pub ffn: f64,
    /// Blocks move before this token: not 0 for the first token of an interval only [s].
    pub moving: f64,
    /// From the beginning to this token, moves included [s].
    pub elapsed: f64,
    /// Memory of the device that uses most [B].
    pub peak_memory: f64,
    /// Memory of all devices together [B]. It does not depend on the placement.
    pub total_memory: f64,
}

impl TokenTime {
    /// Delay of the token, without what moves before it [s].
    #[must_use]
    pub fn delay(&self) -> f64 {
        self.head_stage + self.proj + self.transfer + self.ffn
    }
}

/// Where the layer is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Every block on one device.
    Blocks(Placement),
    /// Tensor parallelism: heads are shared out, proj and ffn are split by columns.
    Split(HeadSplit),
}

impl Layout {
    /// Heads on each of so many devices. O(h + V).
    #[must_use]
    pub fn heads_on(&self, devices: usize) -> Vec<usize> {
        let mut on = vec![0; devices];
        self.heads().iter().for_each(|device| on[*device] += 1);
        on
    }

    /// The device of each head.
    #[must_use]
    pub fn heads(&self) -> &[usize] {
        match self {
            Self::Blocks(placement) => &placement[..placement.len().saturating_sub(2)],
            Self::Split(split) => &split.on,
        }
    }

    /// The placement, where every block is on one device.
    #[must_use]
    pub fn placement(&self) -> Option<&Placement> {
        match self {
            Self::Blocks(placement) => Some(placement),
            Self::Split(_) => None,
        }
    }

    /// The split, where the layer is split over a group.
    #[must_use]
    pub fn split(&self) -> Option<&HeadSplit> {
        match self {
            Self::Blocks(_) => None,
            Self::Split(split) => Some(split),
        }
    }
}

/// Tokens through which the layer stayed where it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadSegment {
    /// First token, from 1.
    pub from: u32,
    /// Last token, inclusive.
    pub to: u32,
    /// Where it was.
    pub layout: Layout,
}

/// A block that moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeadMove {
    /// The first token after the move.
    pub token: u32,
    /// The block: heads from 0, then proj, then ffn.
    pub block: usize,
    /// The device it left.
    pub from: usize,
    /// The device it went to.
    pub to: usize,
    /// Bytes moved with it [B].
    pub bytes: f64,
    /// How long that took [s].
    pub seconds: f64,
}

/// Fallback in an interval for which a method had no placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// The placement before still fitted and was kept.
    Kept,
    /// Algorithm 1 without its limit on compute found one.
    WithoutBudget,
    /// No placement was found: the run ended.
    Failed,
}

/// An interval for which a method had no placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithoutPlan {
    /// The last token of the interval, n.
    pub n: u32,
    /// Fallback.
    pub remedy: Remedy,
}

/// Use of a device in a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct HeadDeviceUse {
    /// Time in which it computed [s].
    pub busy: f64,
    /// The most memory that it held [B].
    pub peak_memory: f64,
}

/// How far a placement was from the best one, both coming from the same placement before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeadGap {
    /// The last token of the interval, n.
    pub n: u32,
    /// J over the least J; 1 is the best, and below 1 is only what the placements of the optimum may not do.
    pub ratio: f64,
}

/// A sum that begins with 0: that of nothing would else be -0.
fn total(parts: impl Iterator<Item = f64>) -> f64 {
    parts.fold(0.0, |sum, part| sum + part)
}

/// A run, whole or so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeadRun {
    /// One a generated token, from token 1.
    pub tokens: Vec<TokenTime>,
    /// Where the layer was, in order; they follow one another without a gap.
    pub segments: Vec<HeadSegment>,
    /// Migrations, in order of tokens, then of blocks.
    pub moves: Vec<HeadMove>,
    /// Intervals for which the method had no placement.
    pub without_plan: Vec<WithoutPlan>,
    /// Intervals in which the placement did not fit into memory and was kept all the same: their last tokens, n.
    pub violations: Vec<u32>,
    /// Intervals in which an exact strategy ran into its limit, so that its choice is not proved best: their last tokens, n.
    #[serde(default)]
    pub unproved: Vec<u32>,
    /// The last token of the interval that could not be begun.
    pub failed_at: Option<u32>,
    /// Use of each device.
    pub devices: Vec<HeadDeviceUse>,
    /// How far from the best, where that was asked for.
    pub gaps: Vec<HeadGap>,
}

/// Left out where there are none.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_none(many: &u32) -> bool {
    *many == 0
}

/// A run in a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeadRunSummary {
    /// Tokens that were generated.
    pub tokens: u32,
    /// Time from the beginning to the last of them, moves included [s].
    pub seconds: f64,
    /// Of it, moves [s].
    pub moving: f64,
    /// Blocks that moved.
    pub moves: u32,
    /// Bytes moved with them [B].
    pub moved_bytes: f64,
    /// The most memory that any device held [B].
    pub peak_memory: f64,
    /// Intervals for which the method had no placement.
    pub without_plan: u32,
    /// Intervals in which the placement did not fit.
    pub violations: u32,
    /// Intervals in which an exact strategy ran into its limit.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unproved: u32,
    /// The last token of the interval that could not be begun.
    pub failed_at: Option<u32>,
}

/// The segment of a token, from 1, among segments in order; none for a token that none holds. O(log segments).
#[must_use]
pub fn segment_at(segments: &[HeadSegment], token: u32) -> Option<&HeadSegment> {
    let place = segments.partition_point(|one| one.to < token);
    segments.get(place).filter(|one| one.from <= token)
}

impl HeadRun {
    /// Time from the beginning to the last token [s].
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.tokens.last().map_or(0.0, |token| token.elapsed)
    }

    /// Where the layer was at a token, from 1. O(log segments).
    #[must_use]
    pub fn at(&self, token: u32) -> Option<&HeadSegment> {
        segment_at(&self.segments, token)
    }

    /// Share of the run in which a device computed, from 0 to 1.
    #[must_use]
    pub fn busy_share(&self, device: usize) -> f64 {
        let seconds = self.seconds();
        match self.devices.get(device) {
            Some(used) if seconds > 0.0 => used.busy / seconds,
            _ => 0.0,
        }
    }

    /// The run in a line. O(moves + devices).
    #[must_use]
    pub fn summary(&self) -> HeadRunSummary {
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        HeadRunSummary {
            tokens: count(self.tokens.len()),
            seconds: self.seconds(),
            moving: total(self.tokens.iter().map(|token| token.moving)),
            moves: count(self.moves.len()),
            moved_bytes: total(self.moves.iter().map(|one| one.bytes)),
            peak_memory: self
                .devices
                .iter()
                .map(|used| used.peak_memory)
                .fold(0.0, f64::max),
            without_plan: count(self.without_plan.len()),
            violations: count(self.violations.len()),
            unproved: count(self.unproved.len()),
            failed_at: self.failed_at,
        }
    }
}
