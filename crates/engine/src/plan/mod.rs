//! Plans as methods return them: plain serialisable data without the state of a solver. A plan typed by hand has the same type as
//! one from a solver.

mod consolidation;
mod decode;
pub mod dispatch;
mod head_run;
pub mod moves;
mod order;
mod partition;
mod split;
mod tier_run;

pub use consolidation::{Consolidation, ExtraLoad, KvMove, NoRoom, Switch};
pub use decode::{Binds, Decoding, StageDecode};
pub use head_run::{
    HeadDeviceUse, HeadGap, HeadMove, HeadRun, HeadRunSummary, HeadSegment, Layout, Remedy,
    TokenTime, WithoutPlan, segment_at,
};
pub use order::{Arena, OperatorOrder};
pub use partition::{Dim, Marks, Partition};
pub use split::{HeadSplit, column_moves};
pub use tier_run::TierOutcome;

use serde::{Deserialize, Serialize};

/// Consecutive layers on one device. In JSON `[device, first, last]`, devices from 0, layers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(from = "(usize, usize, usize)", into = "(usize, usize, usize)")]
pub struct Stage {
    /// Index of the device, from 0.
    pub device: usize,
    /// First layer, from 1.
    pub first: usize,
    /// Last layer, from 1, inclusive.
    pub last: usize,
}

impl Stage {
    /// How many layers the stage holds.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.last + 1).saturating_sub(self.first)
    }

    /// Returns true if the stage has no layer, which no valid plan has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<(usize, usize, usize)> for Stage {
    fn from((device, first, last): (usize, usize, usize)) -> Self {
        Self {
            device,
            first,
            last,
        }
    }
}

impl From<Stage> for (usize, usize, usize) {
    fn from(stage: Stage) -> Self {
        (stage.device, stage.first, stage.last)
    }
}

/// A pipeline of stages in running order. `N` stages, N at most the number of devices and of layers.
pub type Pipeline = Vec<Stage>;

/// One stage in time, as the referee computes it. All times in seconds from the start of loading.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct StageTiming {
    /// Index of the device, from 0.
    pub device: usize,
    /// First layer, from 1.
    pub s: usize,
    /// Last layer, from 1.
    pub e: usize,
    /// When its weights are there [s]: all devices load from time 0, equation (19), unless they get them one after the other. 0 where
    /// they are read while the stage computes.
    pub load: f64,
    /// When they begin to arrive [s].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub load_from: f64,
    /// When the transfer into this stage starts [s]. Equation (17).
    pub start: f64,
    /// Transfer into this stage [s]; none for the first. Equation (20).
    pub comm: f64,
    /// Computation [s]. Equation (21).
    pub comp: f64,
    /// When the stage is done [s]. Equation (18).
    pub finish: f64,
    /// Idle after loading, waiting for the predecessor [s]: the obstructive bubble. Equation (24).
    pub wait: f64,
    /// How long the pipeline waits for this load [s].
    pub stall: f64,
    /// Idle from the end of its work to the end of the plan [s]: the non-obstructive bubble.
    pub idle_after: f64,
    /// Memory in use [B]: weights, keys and values of whole answers, and the largest activation. Equation (22).
    pub mem: f64,
    /// True if it fits the device.
    pub mem_ok: bool,
    /// Energy of reading its weights from disk [J]; absent if the device does not state its energy per byte.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_j: Option<f64>,
}

/// Returns true for a value that a document leaves out.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
pub(crate) fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Where the critical chain starts: the last stage whose load the pipeline waited for. From there to the end
/// everything runs without a gap, so nothing before it matters to the answer. 0 for an empty timeline.
#[must_use]
pub fn critical_stage(timeline: &[StageTiming]) -> usize {
    // Differences of equal sums are not always zero; a billionth of the plan is no stall.
    let hair = 1e-9 * timeline.last().map_or(0.0, |last| last.finish);
    timeline
        .iter()
        .rposition(|stage| stage.stall > hair)
        .unwrap_or(0)
}

/// Where blocks are cut among tiers: for every tier but the last, its last block, from 1 (p_1 .. p_{T-1}). A tier
/// without blocks repeats the number before it, the first tier's being 0.
pub type TierCuts = Vec<usize>;

/// How many blocks each tier holds: the differences of the cuts, N blocks in all. Cuts that go back count as none.
#[must_use]
pub fn counts(cuts: &[usize], blocks: usize) -> Vec<usize> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(std::iter::once(blocks));
    starts.zip(ends).map(|(a, b)| b.saturating_sub(a)).collect()
}

/// The cuts of tiers that hold so many blocks each.
#[must_use]
pub fn cuts(counts: &[usize]) -> TierCuts {
    let mut last = 0;
    let ends = counts.iter().map(|count| {
        last += count;
        last
    });
    let mut ends: TierCuts = ends.collect();
    ends.pop();
    ends
}

/// Where the blocks of a layer stand: a device for every attention head, then one for proj and one for ffn.
pub type Placement = Vec<usize>;
