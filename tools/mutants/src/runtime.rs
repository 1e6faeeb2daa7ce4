//! The module that the copy is given to look up which mutant is on.

/// Names the number of the mutant that is on.
pub const ON: &str = "EDGEWISE_MUTANT";

/// Names the file to which the numbers of all switches are appended that are reached.
pub const TRACE: &str = "EDGEWISE_MUTANT_TRACE";

/// Declares the module at the end of the root of a crate.
pub const DECLARATION: &str = "\n#[allow(warnings, clippy::all)]\nmod mutant_switch;\n";

/// The module's text. Asking is a load and a comparison, for it happens in hot loops.
pub const MODULE: &str = include_str!("runtime/mutant_switch.rs");
