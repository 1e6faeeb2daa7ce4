//! The golden files hold what this machine computes. The browser tests compare with the same files.
//!
//! To write them anew after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden`

use crate::{golden, golden_dispatch, golden_heads, golden_partitions};
use std::path::Path;

#[test]
fn answers_are_those_of_the_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden.json");
        let text = format!("[\n{}\n]\n", golden::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden::differences();
    assert!(
        differences.is_empty(),
        "{}\nIf the numbers are meant to move: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden",
        differences.join("\n")
    );
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
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_partitions.json");
        let text = format!("[\n{}\n]\n", golden_partitions::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_partitions::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let of = |status: &str| golden_partitions::FILE.matches(status).count();
    assert!(of("\"status\":\"optimal\"") >= 30 && of("\"status\":\"infeasible\"") >= 10);
}

#[test]
fn placements_of_heads_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_heads.json");
        let text = format!("[\n{}\n]\n", golden_heads::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_heads::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let of = |status: &str| golden_heads::FILE.matches(status).count();
    assert!(of("\"status\":\"optimal\"") >= 15 && of("\"status\":\"feasible\"") >= 60);
    assert!(of("\"status\":\"infeasible\"") >= 30);
}

#[test]
fn policies_of_device_or_server_are_those_of_their_golden_file_to_the_last_bit() {
    if std::env::var_os("EDGEWISE_WRITE_GOLDEN").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden_dispatch.json");
        let text = format!("[\n{}\n]\n", golden_dispatch::lines().join(",\n"));
        std::fs::write(&path, text).expect("the golden file can be written");
        panic!(
            "{} is written; run the tests again without EDGEWISE_WRITE_GOLDEN",
            path.display()
        );
    }
    let differences = golden_dispatch::differences();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let of = |text: &str| golden_dispatch::FILE.matches(text).count();
    assert!(of("\"residual_length\":null") < 30 && of("\"l_th\":null") < 30);
    assert!(of("\"boundary_length\":null") >= 3 && of("\"w_tail\":null") >= 3);
}
