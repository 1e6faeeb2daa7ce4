//! `cargo run --package edgewise-calibration`: fits the terms, and writes the engine's table and the document.
#![deny(unsafe_code)]

use calibration::outputs;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    for output in outputs()? {
        fs::write(&output.path, output.text)?;
        println!("{}", output.path.display());
    }
    Ok(())
}
