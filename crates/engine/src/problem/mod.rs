//! Problems: validated instances in the papers' own notation. If one exists, it is valid, so neither a
//! solver nor the referee has anything left to check.

pub mod cold_decode;
mod cold_start;
mod device_input;
pub mod dispatch;
pub mod dispatch_terms;
pub mod head_sizes;
pub mod heads;
mod invalid;
pub mod json;
mod loading;
pub mod migration;
pub mod partition;
mod reading;
pub mod tier_costs;
mod tier_decoder;
mod tier_run;
mod tier_schedule;
mod tiers;

pub use cold_start::{
    ColdMachine, ColdStart, LayerNumbers, MOST_LAYERS, MachineNumbers, PhysicalDevice, device_name,
};
pub use invalid::{Code, Invalid};
pub use loading::{LoadCost, LoadOrder, StageSums};
pub use reading::HeuristicReading;
pub use tier_decoder::TierDecoder;
pub use tier_run::{
    MOST_NODES, MOST_TASKS, MOST_TIERS, MOST_TOKENS, Mode, Order, Outage, PerOne, RunTier,
    RunTierNumbers, Scheduler, TaskNumbers, TierRun, TierRunNumbers, TierTask,
};
pub use tier_schedule::{ScheduleNode, TierSchedule};
pub use tiers::{MEMORY_SLACK, TierPartition};
