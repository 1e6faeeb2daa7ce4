//! Scenarios of the device-or-server question: a server behind a network, devices at hand, the requests, and the share of
//! them that the scarce side may take. They compile to a distribution of prompts, one of first tokens, and prices.

mod change;
mod compile;
pub mod log;
pub mod presets;
pub mod profiles;
mod schema;
mod shared;

pub use change::difference;
pub use schema::{
    Arrivals, Charge, Device, Estimate, FORMAT, FirstToken, Goal, Handover, LONGEST_PROMPT,
    MOST_BINS, Measured, Prompts, Replies, Runs, Scenario, Server, Side, Stochastic,
};
