//! Problems: validated instances in the papers' own notation. If one exists, it is valid, so neither a
//! solver nor the referee has anything left to check.

mod cold_start;
mod invalid;
pub mod json;
mod reading;
mod tiers;

pub use cold_start::{
    ColdStart, LayerNumbers, MOST_LAYERS, Machine, MachineNumbers, PhysicalDevice,
};
pub use invalid::{Code, Invalid};
pub use reading::HeuristicReading;
pub use tiers::{MEMORY_SLACK, TierPartition};
