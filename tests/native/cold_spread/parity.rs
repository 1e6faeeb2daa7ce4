//! Spreads are those of their golden file to the last bit; the browser tests compare with the same file.

use crate::golden_file::assert_kept;
use crate::golden_spread;

#[test]
fn spreads_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_spread.json",
        golden_spread::lines,
        golden_spread::differences,
    );
    assert!(golden_spread::FILE.matches("\"case\"").count() == 3);
}
