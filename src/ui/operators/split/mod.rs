//! The second part of the question in the form: the devices that operators are cut over, along what, and how a cut is looked for.

mod panel;
mod rows;

pub use panel::{CutsPicker, Folds};
pub use rows::Fleet;
