//! The golden files hold what this machine computes. The browser tests compare with the same files.

use crate::golden_file::assert_kept;
use crate::{golden, golden_dispatch, golden_heads, golden_partitions};

#[test]
fn answers_are_those_of_the_golden_file_to_the_last_bit() {
    assert_kept("golden.json", golden::lines, golden::differences);
}

#[test]
fn the_golden_file_has_plans_and_problems_without_one() {
    let cases: serde_json::Value = serde_json::from_str(golden::FILE).expect("the file is JSON");
    let status = |wanted: &str| {
        let cases = cases.as_array().expect("a list of cases");
        cases
            .iter()
            .filter(|case| case["answer"]["status"] == wanted)
            .count()
    };
    assert!(status("optimal") >= 20, "{} optimal", status("optimal"));
    assert!(
        status("infeasible") >= 3,
        "{} infeasible",
        status("infeasible")
    );
}

#[test]
fn partitions_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_partitions.json",
        golden_partitions::lines,
        golden_partitions::differences,
    );
    let of = |status: &str| golden_partitions::FILE.matches(status).count();
    assert!(of("\"status\":\"optimal\"") >= 30 && of("\"status\":\"infeasible\"") >= 10);
}

#[test]
fn placements_of_heads_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_heads.json",
        golden_heads::lines,
        golden_heads::differences,
    );
    let of = |status: &str| golden_heads::FILE.matches(status).count();
    assert!(of("\"status\":\"optimal\"") >= 15 && of("\"status\":\"feasible\"") >= 60);
    assert!(of("\"status\":\"infeasible\"") >= 30);
}

#[test]
fn policies_of_device_or_server_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_dispatch.json",
        golden_dispatch::lines,
        golden_dispatch::differences,
    );
    let of = |text: &str| golden_dispatch::FILE.matches(text).count();
    assert!(of("\"residual_length\":null") < 30 && of("\"l_th\":null") < 30);
    assert!(of("\"boundary_length\":null") >= 3 && of("\"w_tail\":null") >= 3);
}
