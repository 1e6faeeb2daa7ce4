//! Hand-overs, bills, runs and forecasts are today what they were yesterday, and what they are in a browser.
//!
//! To write the file anew after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden`

use crate::golden_dispatch_runs;
use std::path::Path;

#[test]
fn runs_of_requests_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let path = folder.join("golden_dispatch_runs.json");
        let text = format!("[\n{}\n]\n", golden_dispatch_runs::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_dispatch_runs::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(golden_dispatch_runs::FILE.matches("\"case\"").count() > 45);
}
