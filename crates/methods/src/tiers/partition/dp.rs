//! The direct dynamic programs, O(T N squared): the least largest load, and the least sum.
//!
//! `B_j(n) = min over k of max(B_{j-1}(k), load_j(k, n))`, or of `B_{j-1}(k) + load_j(k, n)`, over the k whose span fits
//! the memory of tier j. Written down plainly, they are the witnesses of the faster methods and the measure of their speed.

use super::Objective;
use super::spans::TierSpans;
use engine::plan::TierCuts;
use engine::problem::TierPartition;

/// The best cuts and the objective's value [s]; `None` when nothing fits. Of equal choices the least k stands.
///
/// # Complexity
/// O(T N squared) time, O(T N) memory.
#[must_use]
pub fn best(problem: &TierPartition, objective: Objective) -> Option<(TierCuts, f64)> {
    let spans = TierSpans::new(problem);
    let (width, own) = (spans.blocks + 1, spans.min_blocks);
    let mut from = vec![f64::INFINITY; width];
    from[0] = 0.0;
    let mut before = vec![0_usize; spans.tiers * width];
    for tier in 0..spans.tiers {
        let mut row = vec![f64::INFINITY; width];
        for n in own..width {
            for (k, reached) in from.iter().enumerate().take(n - own + 1) {
                if *reached == f64::INFINITY || !spans.fits(tier, k, n) {
                    continue;
                }
                let load = spans.load(tier, k, n);
                let value = match objective {
                    Objective::Max => reached.max(load),
                    Objective::Sum => reached + load,
                };
                if value < row[n] {
                    row[n] = value;
                    before[tier * width + n] = k;
                }
            }
        }
        from = row;
    }
    let value = from[spans.blocks];
    if value == f64::INFINITY {
        return None;
    }
    let mut cuts = TierCuts::new();
    let mut end = spans.blocks;
    for tier in (0..spans.tiers).rev() {
        cuts.push(end);
        end = before[tier * width + end];
    }
    cuts.reverse();
    cuts.pop();
    Some((cuts, value))
}
