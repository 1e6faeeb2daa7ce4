//! The referee: scores a plan against its problem, from the equations alone.
//!
//! It shares nothing with any solver but the problem itself, sums layer by layer instead of by prefix
//! differences, and every plan that is shown has passed through it.

mod cold_decode;
mod cold_start;
mod consolidation;
pub mod dispatch;
pub mod dispatch_cost;
pub mod heads;
pub mod heads_split;
pub mod migration;
pub mod operators;
pub mod slices;
pub mod tiers;

pub use cold_decode::score_decode;
pub use cold_start::{InvalidStages, ScoredStages, score};
pub use consolidation::consolidate;
