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
pub mod hosts;
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
    let hosts = hosts::HostReport::of(&classes);
    let root = own.join("../..");
    let table = root.join("crates/engine/src/hardware/calibration/table.rs");
    Ok([
        Output {
            path: table,
            text: report::table(&classes, &hosts),
        },
        Output {
            path: root.join("docs/calibration.md"),
            text: report::document(&all, &classes, &hosts),
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

    /// A prediction rests on the same numbers as the fit did.
    #[test]
    fn the_catalogue_agrees_with_the_data_sheets_of_the_measured() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/specs.csv");
        let specs = fs::read_to_string(own).expect("the data can be read");
        let mut known = 0;
        let mut wrong = String::new();
        for spec in measurements::read_specs(&specs).expect("data sheets") {
            let (Some(rate), Some(peak)) = (spec.memory_gb_s, spec.peak_fp32_tflops) else {
                continue;
            };
            let Some(machine) = engine::hardware::machines::named(&spec.accelerator) else {
                continue;
            };
            known += 1;
            let peak = peak
                * spec
                    .fp32_flop_per_cycle
                    .map_or(1.0, measurements::used_width);
            let own = (machine.fact("bandwidth_gb_s").value, machine.fp32_tflops());
            if (own.0 / rate - 1.0).abs() > 0.03 || (own.1 / peak - 1.0).abs() > 0.06 {
                wrong += &format!("{}: {own:?}, not {rate} and {peak}\n", spec.accelerator);
            }
        }
        assert!(known > 175 && wrong.is_empty(), "{known} known\n{wrong}");
    }

    #[test]
    fn every_class_is_calibrated() {
        let calibrated = engine::hardware::calibration::ClassCalibration::all();
        assert_eq!(calibrated.len(), 12);
        let rows: u32 = calibrated.iter().map(|class| class.rows).sum();
        assert!(rows > 400, "{rows}");
        for class in calibrated {
            assert!(class.decode.range[0] < class.decode.range[1], "{class:?}");
            assert!(
                class.decode.median_error < 0.8 && class.prefill.median_error < 1.0,
                "{class:?}"
            );
        }
    }
}
