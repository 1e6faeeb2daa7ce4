//! Tests that measure time. `tools/test.sh` runs them alone, one after the other, when all others have ended. Each visitor has a
//! new browser.

mod first_paint;
mod light;
pub(crate) mod speed;
mod sweep;

use std::io::{Write, stderr};

/// Prints past the test harness, which keeps the output of tests that pass to itself.
fn print(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}
