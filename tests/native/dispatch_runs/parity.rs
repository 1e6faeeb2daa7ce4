//! Hand-overs, bills, runs and forecasts are today what they were yesterday, and what they are in a browser.

use crate::golden_dispatch_runs;
use crate::golden_file::assert_kept;

#[test]
fn runs_of_requests_are_those_of_their_golden_file_to_the_last_bit() {
    assert_kept(
        "golden_dispatch_runs.json",
        golden_dispatch_runs::lines,
        golden_dispatch_runs::differences,
    );
    assert!(golden_dispatch_runs::FILE.matches("\"case\"").count() > 45);
}
