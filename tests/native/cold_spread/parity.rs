//! Spreads are those of their golden file to the last bit; the browser tests compare with the same file.
//!
//! To write it anew after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden`

use crate::golden_spread;
use std::path::Path;

#[test]
fn spreads_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_spread.json");
        let text = format!("[\n{}\n]\n", golden_spread::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_spread::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(golden_spread::FILE.matches("\"case\"").count() == 3);
}
