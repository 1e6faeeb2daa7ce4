//! The golden file of orders holds what this machine computes; the browser tests compare with the same file.

use crate::golden_file::assert_kept;
use crate::{golden_operators, golden_split};

#[test]
fn orders_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_operators.json",
        golden_operators::lines,
        golden_operators::differences,
    );
    let of = |text: &str| golden_operators::FILE.matches(text).count();
    assert!(of("\"beam\"") == 28 && of("\"status\":\"optimal\"") == 24);
    assert!(of("\"draws\"") == 12 && of("\"document\"") == 2);
}

#[test]
fn splits_of_operators_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_split.json",
        golden_split::lines,
        golden_split::differences,
    );
    let of = |text: &str| golden_split::FILE.matches(text).count();
    assert!(of("\"room\":null") > 4 && of("\"room\":[") > 4);
}
