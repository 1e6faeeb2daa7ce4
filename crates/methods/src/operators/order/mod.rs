//! The order of operators that holds least.
//!
//! Source: MemoriaNova, sections 2 and 3.1, Algorithm 1 ([`btsearch`]). What an operator costs depends only on the set of
//! operators that have run before it, and such a set is closed under predecessors. So the best order is a shortest path
//! over these sets ([`exact`]), each of which is looked at once; the paper's depth-first search comes to the same order by
//! way of the same sets, most of them many times over.
//!
//! # Where this departs from the paper
//!
//! * Its metric is memory left free, to be made most; here it is memory held, to be made least. Algorithm 1 starts from a
//!   best of 0, which works for free memory only; here from nothing.
//! * Table 4 is not the sum of what is held but of another cost ([`engine::evaluate::operators`]): both are objectives, and
//!   the peak is a third.
//! * PEFT ranks operators by times that the paper does not give; [`baseline::peft`] takes the default times of this
//!   program, so its column of Table 4 cannot be reproduced.

pub mod baseline;
pub mod bound;
pub mod brute;
pub mod btsearch;
mod costs;
pub mod cuts;
pub mod exact;
mod layers;
mod sets;

pub use exact::{BeyondLimit, ExactOrder, MOST_STATES, SearchMemory, solve, solve_within};

use engine::evaluate::operators::Trace;
use engine::graph::Objective;

/// The value of an order by an objective [bytes].
#[must_use]
pub fn value(trace: &Trace, objective: Objective) -> u64 {
    match objective {
        Objective::Sum => trace.sum(),
        Objective::Peak => trace.peak(),
        Objective::Table4 => trace.table4_sum(),
    }
}
