//! Convex hulls of a device's best starts by prompt length, reused for all budgets and caps.
//!
//! A hull does not depend on the budget, and on a cap only by how many of its starts still meet it. Lengths that no start can
//! bring in time have the same hull under every such cap, and those are most; the others mostly have the split of the cap
//! before. So while a budget is swept or dragged few hulls are built again, and all have the bits that they would have alone.

use super::optimum::{NEVER, Vertex, each_wait, push};
use engine::problem::dispatch::{DispatchProblem, ServerTimes};

/// Hulls of the starts that miss a cap, from never on, and of those that meet it.
pub(super) type HullSplit = [Vec<Vertex>; 2];

/// The hulls of one prompt length.
#[derive(Debug, Clone, Default)]
struct Length {
    /// Where no start meets the cap.
    whole: Option<HullSplit>,
    /// The last split, and how many of the server's times were early enough to be a wait that meets its cap.
    last: Option<(usize, HullSplit)>,
}

/// The hulls of a device for all prompt lengths of an instance, as far as they have been asked for.
#[derive(Debug, Clone)]
pub struct HullCache {
    firsts: Vec<f64>,
    lengths: Vec<Length>,
}

impl HullCache {
    /// Creates the hulls of the first device, which are built on demand and hold for any budget.
    ///
    /// # Complexity
    /// O(L) for L lengths.
    #[must_use]
    pub fn new(problem: &DispatchProblem) -> Self {
        let firsts = problem.first_tokens(0);
        Self {
            lengths: vec![Length::default(); firsts.len()],
            firsts,
        }
    }

    /// When the device has its first token, by length [s].
    pub(super) fn firsts(&self) -> &[f64] {
        &self.firsts
    }

    /// The hulls under a cap `tau` [s], by length.
    ///
    /// # Complexity
    /// O(n) for every length whose split is not known, O(log n) for the others.
    pub(super) fn under(&mut self, times: &ServerTimes, tau: f64) -> Vec<&HullSplit> {
        let lengths = self.lengths.iter_mut().zip(&self.firsts);
        let under = lengths.map(|(length, d)| match latest(times, *d, tau) {
            None => &*length.whole.get_or_insert_with(|| split(times, *d, None)),
            Some((_, meet)) => {
                if length.last.as_ref().is_none_or(|(known, _)| *known != meet) {
                    length.last = None;
                }
                let made = || (meet, split(times, *d, Some(meet)));
                &length.last.get_or_insert_with(made).1
            }
        });
        under.collect()
    }
}

/// The latest wait, out of the samples and 0, with which a device that takes `d` meets `tau`; how many values are at or
/// below it.
pub(super) fn latest(times: &ServerTimes, d: f64, tau: f64) -> Option<(f64, usize)> {
    let at = times.values().partition_point(|wait| wait + d <= tau);
    match at.checked_sub(1) {
        Some(below) => Some((times.values()[below], at)),
        None => (d <= tau).then_some((0.0, 0)),
    }
}

/// The hulls of a length whose first token takes `d`, where starts after so many of the times and fewer meet the cap. O(n).
fn split(times: &ServerTimes, d: f64, meet: Option<usize>) -> HullSplit {
    let (mut late, mut early) = (vec![NEVER], Vec::new());
    let mut after = times.values().len();
    each_wait(times, d, |point| {
        let meets = meet.is_some_and(|meet| after <= meet);
        after = after.saturating_sub(1);
        if point.gain > 0.0 {
            push(if meets { &mut early } else { &mut late }, point);
        }
    });
    [late, early]
}
