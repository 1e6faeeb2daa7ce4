//! Every sensible compromise between throughput and latency: the exact Pareto front of (largest load, sum of loads).
//!
//! Not in the paper, which takes the largest load for a latency. From the least sum downwards: with loads capped just
//! below the largest load of one point, the least sum is that of the next. Every step finds a point of the front, so
//! the work is O(T N) a point, where trying every load as a cap would take O(T N squared) of them.

use super::spans::TierSpans;
use super::window::{NodeWindow, ROUNDING};
use engine::plan::TierCuts;
use engine::problem::TierPartition;

/// A partition that no other beats in both.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontEntry {
    /// The largest load [s].
    pub bottleneck: f64,
    /// All loads together [s].
    pub sum: f64,
    /// p_1 .. p_{T-1}.
    pub cuts: TierCuts,
}

/// The front, from the least largest load to the least sum; empty when nothing fits. At most `most` points: those
/// with the least sums. A front has at most T N points where blocks are alike, T N squared / 2 otherwise.
///
/// # Complexity
/// O(T N) a point.
#[must_use]
pub fn front(problem: &TierPartition, most: usize) -> Vec<FrontEntry> {
    let spans = TierSpans::new(problem);
    let mut window = NodeWindow::new(&spans);
    let mut points: Vec<FrontEntry> = Vec::new();
    let mut cap = f64::INFINITY;
    while points.len() < most
        && let Some((sum, bottleneck)) = window.next_point(cap)
    {
        let mut cuts = window.ends.clone();
        cuts.pop();
        points.push(FrontEntry {
            bottleneck,
            sum,
            cuts,
        });
        cap = bottleneck * (1.0 - ROUNDING);
    }
    points.reverse();
    points
}
