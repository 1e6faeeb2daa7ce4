//! Scenarios: what a person edits, keeps in a file and sends as a link. The one schema of the page and of
//! `edgewise run`; it compiles to a [`crate::problem`].

mod blocks;
pub mod catalogue;
mod decode;
mod difference;
pub mod dispatch;
pub mod fields;
mod format1;
pub mod heads;
pub mod import;
pub mod improve;
pub mod lengths;
pub mod levers;
pub mod library;
pub mod link;
mod loading;
mod memory;
mod model;
pub mod open;
pub mod operators;
pub mod paste;
mod prefill;
mod preset;
pub mod presets;
mod questions;
pub mod random;
pub mod ranges;
pub mod rows;
mod schema;
mod shared;
mod steps;
pub mod tiers;
mod typed_span;
pub mod world;

pub use blocks::{BlockHeads, BlockModel, BlockRun};
pub use decode::{Decode, Goal};
pub use difference::difference;
pub use loading::{FileAccess, Loading, WeightSource};
pub use memory::Memory;
pub use model::{Dimensions, FIXED_TABLE, LayerRow, LayerTable, Model};
pub use preset::Preset;
pub use questions::{Any, Question, QuestionOps, learn, learn_all};
pub use ranges::{Ranges, Span};
pub use schema::{Channel, ChannelPart, Device, FORMAT, Scenario};
