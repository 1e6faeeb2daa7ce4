//! Golden files hold what this machine computes, case by case; the browser tests compare with the same files.
//!
//! To write them again after a change that is meant to move numbers:
//! `EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden`

use std::env::var_os;
use std::fs::write;
use std::path::Path;

/// Whether files are to be written instead of compared with.
pub(crate) fn is_to_be_written() -> bool {
    var_os("EDGEWISE_WRITE_GOLDEN").is_some()
}

/// Holds a file of `tests/data` against what comes out here, or writes it.
#[track_caller]
pub(crate) fn assert_kept(
    name: &str,
    lines: fn() -> Vec<String>,
    differences: fn() -> Vec<String>,
) {
    if is_to_be_written() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let text = format!("[\n{}\n]\n", lines().join(",\n"));
        write(folder.join(name), text).expect("the golden file can be written");
        panic!("{name} is written; run the tests again without EDGEWISE_WRITE_GOLDEN");
    }
    let differences = differences();
    assert!(
        differences.is_empty(),
        "{}\nIf the numbers are meant to move: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native golden",
        differences.join("\n")
    );
}
