//! Baselines of MemoriaNova: one device for everything, fused tiles (DeepThings), and the best subset of devices for each
//! operator in turn (CoEdge).
//!
//! Source: MemoriaNova, section 4.1.3. Their settings are not given there; each file here says how it reads them. All of
//! them go by the cost model of [`engine::evaluate::slices`].

mod coedge;
mod deepthings;
mod local;

pub use coedge::{CoEdge, MOST_DEVICES, coedge, coedge_until};
pub use deepthings::{Tiles, deepthings};
pub use local::{Local, local};
