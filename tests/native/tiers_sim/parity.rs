//! Runs are those of their golden file to the last bit; the browser tests compare with the same file.

use crate::golden_file::assert_kept;
use crate::golden_runs;

#[test]
fn runs_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_runs.json",
        golden_runs::lines,
        golden_runs::differences,
    );
    assert!(golden_runs::FILE.matches("\"case\"").count() > 50);
}
