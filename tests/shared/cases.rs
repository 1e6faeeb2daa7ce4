//! How many random cases a property looks at: what is usual is with the property, and `EDGEWISE_CASES=10` asks
//! for ten times as many of all.

use proptest::test_runner::Config;
use std::env::var;
use std::ops::Mul;

/// The usual number of cases, or a multiple of it.
pub fn cases<N: Mul<Output = N> + TryFrom<u32>>(usual: N) -> N {
    let times = var("EDGEWISE_CASES").map_or(1, |text| {
        text.parse::<u32>()
            .expect("EDGEWISE_CASES is a whole number")
    });
    let Ok(times) = N::try_from(times) else {
        panic!("EDGEWISE_CASES={times} is too large for the way that a test counts");
    };
    usual * times
}

/// So many cases for proptest.
pub fn properties(usual: u32) -> Config {
    Config {
        cases: cases(usual),
        failure_persistence: None, // the seed is printed, and a clone is not written into
        ..Config::default()
    }
}
