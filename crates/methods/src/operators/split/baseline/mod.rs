//! What MemoriaNova compares its search with: one device for everything, fused tiles (DeepThings), and the best subset of
//! the devices for one operator after another (CoEdge).
//!
//! Source: MemoriaNova, section 4.1.3. Their settings are not given there; each file here says how it reads them. All of
//! them go by the cost model of [`engine::evaluate::slices`].

mod coedge;
mod deepthings;
mod local;

pub use coedge::{CoEdge, MOST_DEVICES, coedge, coedge_until};
pub use deepthings::{Tiles, deepthings};
pub use local::{Local, local};
