//! Requests through tiers: the simulator and everything that rests on it.

mod laws;
mod parity;
mod published;
mod reference;
mod tables;
mod trials;
mod vectors;

use crate::tier_runs::built;
use engine::plan::TierOutcome;
use engine::problem::TierRunNumbers;
use engine::sim::RecordWindow;
use engine::solve::{Limits, NoProgress};
use methods::tiers::simulate::simulate;

/// A run with everything recorded.
#[track_caller]
fn run(numbers: &TierRunNumbers) -> TierOutcome {
    seeded(numbers, 0)
}

#[track_caller]
fn seeded(numbers: &TierRunNumbers, seed: u64) -> TierOutcome {
    let limits = Limits {
        seed,
        ..Limits::default()
    };
    let all = RecordWindow::all(usize::MAX);
    simulate::<()>(&built(numbers), all, &limits, &mut NoProgress).expect("nothing limits it")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6
}
