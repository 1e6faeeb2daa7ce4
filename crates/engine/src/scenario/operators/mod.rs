//! Scenarios of the operator-graph question: a graph, what its order makes least, and the memory it has.

mod change;
pub mod presets;
mod schema;
mod shared;
mod split;
mod times;

pub use change::difference;
pub use schema::{
    Choice, Custom, Draws, FORMAT, LONGEST_IN_LINK, MOST_PAGE_OPS, Scenario, Source, Wanted,
};
pub use split::{Board, Dims, MOST_DEVICES, Search, Split};
pub use times::{read_times, times_text};
