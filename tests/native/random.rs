//! Random fleets: the same recipe makes the same fleet everywhere, also in a browser, which compares with the
//! same file.

use crate::fleets;
use crate::golden_file::assert_kept;

#[test]
fn fleets_are_those_of_the_golden_file_to_the_last_bit() {
    assert_kept("fleets.json", fleets::lines, fleets::differences);
}
