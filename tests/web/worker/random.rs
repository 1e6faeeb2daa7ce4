//! A browser makes the random fleets that this machine makes: both compare with the same file.

use crate::fleets;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn fleets_are_those_of_the_golden_file_to_the_last_bit() {
    let differences = fleets::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
