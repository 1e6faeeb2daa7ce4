//! Blocks over tiers, and requests through them: Hyperion (arXiv:2511.14450).
//!
//! [`partition`] is HypSplit-DP and the exact cuts; [`schedule`] is HypSched-RT, the choice of a node; [`simulate`]
//! runs requests through tiers by that choice or by round robin or chance; [`trials`] repeats runs and compares cuts
//! by them; [`queueing`] and [`energy`] are formulas beside the runs.

pub mod energy;
pub mod partition;
pub mod queueing;
pub mod schedule;
pub mod simulate;
pub mod trials;
