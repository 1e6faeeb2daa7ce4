//! Blocks over tiers, and requests through them: Hyperion (arXiv:2511.14450).
//!
//! [`partition`] is HypSplit-DP and the exact cuts; [`schedule`] is HypSched-RT, the choice of a node; [`simulate`]
//! runs requests through tiers by that choice or by round robin or chance.

pub mod partition;
pub mod schedule;
pub mod simulate;
