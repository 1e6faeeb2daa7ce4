//! "Start spread, then consolidate": an answer that begins with one plan and ends with another.

use super::Pipeline;
use serde::{Deserialize, Serialize};

/// Layers that a device loads after its part of the first plan is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct ExtraLoad {
    /// Index of the device, from 0.
    pub device: usize,
    /// When it begins [s].
    pub from: f64,
    /// When it ends [s].
    pub to: f64,
    /// Bytes loaded [B].
    pub bytes: f64,
    /// Which layers: first and last, from 1.
    pub layers: Vec<(usize, usize)>,
}

/// Keys and values that go from one device to another at the switch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct KvMove {
    /// From this device.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// How much [B].
    pub bytes: f64,
    /// How long that takes [s].
    pub seconds: f64,
}

/// A device that cannot hold both plans at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct NoRoom {
    /// Index of the device, from 0.
    pub device: usize,
    /// Memory that both plans need on it [B].
    pub need: f64,
    /// Memory of the device [B].
    pub have: f64,
}

/// The switch from the first plan to the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Switch {
    /// When everything is loaded [s].
    pub loaded: f64,
    /// Tokens that the first plan makes after the first one, up to the switch.
    pub token: f64,
    /// When the switch begins [s]: the first boundary between tokens at which everything is loaded.
    pub at: f64,
    /// When it ends [s]: keys and values have moved.
    pub done: f64,
    /// Moves, one after the other.
    pub moves: Vec<KvMove>,
    /// Bytes moved [B].
    pub bytes: f64,
}

/// Three ways to give an answer of G tokens, and the way from the first plan to the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Consolidation {
    /// The plan that starts.
    pub cold: Pipeline,
    /// The plan that ends.
    pub steady: Pipeline,
    /// Extra loads, by device.
    pub loads: Vec<ExtraLoad>,
    /// The switch; `None` where a device has no room for both.
    pub switch: Option<Switch>,
    /// The devices without room for both plans.
    pub no_room: Vec<NoRoom>,
    /// The answer with the first plan alone [s].
    pub cold_only: f64,
    /// The answer with the second plan alone [s].
    pub steady_only: f64,
    /// The answer with the switch, where it comes before the end of the answer; otherwise as `cold_only` [s]. `None` where
    /// there is no room.
    pub consolidating: Option<f64>,
    /// The shortest answer from which the second plan alone is sooner than the first alone [token]; `None` if it never is.
    pub break_even: Option<f64>,
    /// The shortest answer from which consolidating is sooner than the first plan alone [token]; `None` if it never is.
    pub beats_cold_from: Option<f64>,
    /// The shortest answer from which the second plan alone is sooner than consolidating [token]; `None` if it never is.
    pub steady_beats_from: Option<f64>,
}
