//! Random fleets: the same recipe makes the same fleet everywhere, also in a browser, which compares with the
//! same file.
//!
//! To write it anew after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native random`

use crate::fleets;
use std::path::Path;

#[test]
fn fleets_are_those_of_the_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fleets.json");
        let text = format!("[\n{}\n]\n", fleets::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = fleets::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
