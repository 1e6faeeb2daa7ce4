//! The tables of cold starts, of layers and of the catalogue of machines.

mod catalogue;
mod cold_decode;
mod cold_start;
mod layers;

pub use catalogue::catalogue;
pub use cold_decode::tokens;
pub use cold_start::{comparison, route, stage_cells, stage_columns, sweep, timeline};
pub use layers::layers;
