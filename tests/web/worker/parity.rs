//! A browser computes what this machine computes: both compare with the same golden file.

use crate::{
    golden, golden_dispatch, golden_dispatch_runs, golden_heads, golden_operators,
    golden_partitions, golden_runs, golden_split, golden_spread,
};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn answers_are_those_of_the_golden_file_to_the_last_bit() {
    assert!(golden::lines().len() > 30);
    let differences = golden::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn partitions_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_partitions::lines().len() > 30);
    let differences = golden_partitions::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn runs_through_tiers_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_runs::lines().len() > 50);
    let differences = golden_runs::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn placements_of_heads_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_heads::lines().len() > 20);
    let differences = golden_heads::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn policies_of_device_or_server_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_dispatch::lines().len() > 40);
    let differences = golden_dispatch::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn runs_of_requests_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_dispatch_runs::lines().len() > 45);
    let differences = golden_dispatch_runs::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn orders_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_operators::lines().len() > 45);
    let differences = golden_operators::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn splits_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_split::lines().len() > 15);
    let differences = golden_split::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[wasm_bindgen_test]
fn spreads_over_ranges_are_those_of_their_golden_file_to_the_last_bit() {
    assert!(golden_spread::lines().len() >= 3);
    let differences = golden_spread::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
