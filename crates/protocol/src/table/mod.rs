//! The tables of layers and of the catalogue of machines.

mod catalogue;
mod layers;

pub use catalogue::catalogue;
pub use layers::layers;
