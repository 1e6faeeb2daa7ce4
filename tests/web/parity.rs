//! A browser computes what this machine computes: both compare with the same golden file.

use crate::golden;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn answers_are_those_of_the_golden_file_to_the_last_bit() {
    assert!(golden::lines().len() > 30);
    let differences = golden::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
