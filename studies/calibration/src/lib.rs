//! Fits the terms of prompts and tokens to published measurements.
//!
//! Data sheets state a memory rate and a peak; a runtime reaches a share of both, and spends a fixed time on each layer.
//! `data/localscore.csv` has rates of public LocalScore runs, `data/specs.csv` the data-sheet values of their accelerators.
//! The terms of each class and generation of machines are fitted to them, and every accelerator is predicted once by a fit
//! that has not seen it. `calibrate` writes the terms as a table that is compiled into the engine, and the errors as a document.
#![deny(unsafe_code)]
#![warn(missing_docs)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

pub mod fit;
pub mod groups;
pub mod measurements;
pub mod report;
pub mod statistics;

/// A file that is written.
#[derive(Debug)]
pub struct Output {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub text: String,
}

/// Fits everything and returns the files that follow from it: the engine's table, and the document.
///
/// # Errors
/// Data that cannot be read.
pub fn outputs() -> Result<[Output; 2], Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = |name: &str| fs::read_to_string(own.join("data").join(name));
    let all = measurements::read(&data("localscore.csv")?, &data("specs.csv")?)?;
    let classes = report::classes(&all);
    let root = own.join("../..");
    let table = root.join("crates/engine/src/hardware/calibration/table.rs");
    Ok([
        Output {
            path: table,
            text: report::table(&classes),
        },
        Output {
            path: root.join("docs/calibration.md"),
            text: report::document(&all, &classes),
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_document_are_those_of_the_fit() {
        for output in outputs().expect("the data can be read") {
            let found = fs::read_to_string(&output.path).expect("the file is there");
            assert!(
                found == output.text,
                "{}: run cargo run --package edgewise-calibration",
                output.path.display()
            );
        }
    }

    #[test]
    fn every_class_is_calibrated() {
        let calibrated = engine::hardware::calibration::ClassCalibration::all();
        assert_eq!(calibrated.len(), 11);
        let rows: u32 = calibrated.iter().map(|class| class.rows).sum();
        assert!(rows > 400, "{rows}");
        for class in calibrated {
            assert!(class.decode.range[0] < class.decode.range[1], "{class:?}");
            assert!(
                class.decode.median_error < 0.8 && class.prefill.median_error < 0.8,
                "{class:?}"
            );
        }
    }
}
