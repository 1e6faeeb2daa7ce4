//! ONNX files on the command line.

use super::args::OnnxArgs;
use super::console::Console;
use engine::graph::onnx::{self, ImportedOnnx, Options};
use engine::problem::Invalid;
use std::path::Path;

/// Returns true if a path names an ONNX file.
pub fn is_onnx(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("onnx"))
}

impl OnnxArgs {
    /// Returns true if no option was given.
    pub fn is_empty(&self) -> bool {
        self.dims.is_empty() && !self.classifier
    }

    /// Converts to the options of the reader.
    pub fn options(&self) -> Options {
        Options {
            dims: self.dims.iter().cloned().collect(),
            classifier: self.classifier,
        }
    }
}

/// Reads a file; what a person should know about it goes to standard error.
///
/// # Errors
/// A file that cannot be read, or what is wrong with it.
pub fn import(con: &Console<'_>, path: &Path, how: &OnnxArgs) -> Result<ImportedOnnx, Invalid> {
    let place = path.display().to_string();
    let file = con.open(path)?;
    let name = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let imported = onnx::import(file, &name.unwrap_or_default(), &how.options())?;
    for note in &imported.notes {
        con.note(&format!("{place}: {note}"));
    }
    Ok(imported)
}
