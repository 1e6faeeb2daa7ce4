//! Parts in proportion to speed, over any subset of the devices.

use super::SplitTask;
use engine::plan::{Dim, Marks, Partition};

/// Marks of an operator of this length, in proportion to 1 / factor, of the devices whose bit is set in `among`; the others
/// get nothing. The last one that takes part ends at the length.
///
/// # Complexity
/// O(devices).
pub fn marks(length: u32, factors: &[f64], among: u64, into: &mut [u32]) {
    let takes_part = |k: usize| among >> k & 1 == 1;
    let share = |k: usize| if takes_part(k) { 1.0 / factors[k] } else { 0.0 };
    let all: f64 = (0..factors.len()).map(share).sum();
    let mut sum = 0.0;
    into[0] = 0;
    for k in 0..factors.len() {
        sum += share(k);
        // Exact halves occur: the product comes before the quotient.
        let mark = libm::floor(f64::from(length) * sum / all + 0.5);
        into[k + 1] = (mark as u32).min(length);
    }
    into[factors.len()] = length;
}

/// The proportional split of every operator along these dimensions, over some of the devices (at least one).
///
/// # Complexity
/// O(operators × devices).
#[must_use]
pub fn proportional(task: &SplitTask<'_>, dims: Vec<Dim>, among: u64) -> Partition {
    let lengths = task.slices.lengths(&dims);
    let factors = task.slices.fleet().factors();
    let mut cuts = Marks::on_one(&lengths, factors.len(), 0);
    for (v, length) in lengths.iter().enumerate() {
        marks(*length, factors, among, cuts.of_mut(v));
    }
    Partition { dims, cuts }
}
