//! The golden file of orders holds what this machine computes; the browser tests compare with the same file.
//!
//! To write it anew after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden`

use crate::{golden_operators, golden_split};
use std::path::Path;

#[test]
fn orders_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_operators.json");
        let text = format!("[\n{}\n]\n", golden_operators::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_operators::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let of = |text: &str| golden_operators::FILE.matches(text).count();
    assert!(of("\"beam\"") == 28 && of("\"status\":\"optimal\"") == 24);
    assert!(of("\"draws\"") == 12 && of("\"document\"") == 2);
}

#[test]
fn splits_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_split.json");
        let text = format!("[\n{}\n]\n", golden_split::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_split::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let of = |text: &str| golden_split::FILE.matches(text).count();
    assert!(of("\"room\":null") > 4 && of("\"room\":[") > 4);
}
