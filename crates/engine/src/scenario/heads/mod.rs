//! Scenarios of the head-placement question: one decoder layer over devices that are linked each to each, the load that
//! they carry besides, and how the layer's demands are counted. They compile to the intervals of a run.

mod change;
mod compile;
mod follow;
mod links;
pub mod presets;
mod schema;
mod shared;

pub use change::difference;
pub use compile::DrawnNetwork;
pub use schema::{
    Demands, Draws, FORMAT, HeadDevice, HeadModel, Links, MOST_WORK, OwnRate, Scenario,
};
