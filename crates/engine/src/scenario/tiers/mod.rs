//! Scenarios of the tiers question: a model over tiers of like nodes, the links between them, what a pass costs,
//! and the requests that arrive. They compile to the problems of the partition and of the simulator.

mod change;
mod compile;
mod model;
pub mod presets;
mod schema;
mod shared;

pub use change::difference;
pub use compile::Placed;
pub use model::{TierBlocks, TierDimensions, TierModel};
pub use schema::{
    Cost, FORMAT, Goal, Link, Load, MOST_REQUESTS, MOST_TIERS, Mode, Order, Precision, Requests,
    Scenario, Scheduler, Tier,
};
