//! Baselines of the paper: equal counts, first fit, and shares of the memory.
//!
//! Source: Hyperion, section V, with its gaps filled. GPipe's partition is equal counts, blind to speed and memory;
//! HEFT's is first fit in the order of tiers. Memory in proportion is neither's: it is shown because it gives the
//! published split of Llama-3-8B without looking at a speed. None of them is repaired unless its name says so: the referee scores
//! the cuts regardless, and a tier that overflows is flagged.

use super::spans::TierSpans;
use engine::plan::{TierCuts, cuts};
use engine::problem::TierPartition;
use engine::units::InOrder;

/// Equal numbers of blocks; the first N mod T tiers have one more.
#[must_use]
pub fn gpipe(problem: &TierPartition) -> TierCuts {
    let (blocks, tiers) = (problem.blocks(), problem.tiers());
    let count = |tier: usize| blocks / tiers + usize::from(tier < blocks % tiers);
    cuts(&(0..tiers).map(count).collect::<Vec<_>>())
}

/// Equal counts, then what a tier cannot hold is pushed to the next, and what the last cannot hold back to those with
/// room. May still overflow: then nothing was found.
///
/// # Complexity
/// O(T N).
#[must_use]
pub fn gpipe_repaired(problem: &TierPartition) -> TierCuts {
    let spans = TierSpans::new(problem);
    let mut ends = gpipe(problem);
    ends.push(spans.blocks);
    let mut start = 0;
    for (tier, end) in ends.iter_mut().enumerate().take(spans.tiers - 1) {
        *end = (*end).max(start + spans.min_blocks).min(spans.blocks);
        while *end > start + spans.min_blocks && !spans.fits(tier, start, *end) {
            *end -= 1;
        }
        start = *end;
    }
    for tier in (1..spans.tiers).rev() {
        let end = ends[tier];
        let mut start = ends[tier - 1].min(end.saturating_sub(spans.min_blocks));
        while start + spans.min_blocks < end && !spans.fits(tier, start, end) {
            start += 1;
        }
        ends[tier - 1] = start;
    }
    ends.pop();
    ends
}

/// First fit: in their order tiers take as many blocks as they hold, leaving one for each tier behind them where none
/// may be empty. The last tier takes the rest, whether it fits or not.
///
/// # Complexity
/// O(T + N).
#[must_use]
pub fn heft(problem: &TierPartition) -> TierCuts {
    let spans = TierSpans::new(problem);
    let mut ends = TierCuts::new();
    let mut start = 0;
    for tier in 0..spans.tiers - 1 {
        let most = (spans.blocks).saturating_sub(spans.min_blocks * (spans.tiers - 1 - tier));
        let mut end = (start + spans.min_blocks).min(spans.blocks);
        while end < most && spans.fits(tier, start, end + 1) {
            end += 1;
        }
        ends.push(end);
        start = end;
    }
    ends
}

/// Blocks in proportion to memory by largest remainder, ties to the earlier tier; where no tier may be empty, those
/// with nothing take one from the largest share.
#[must_use]
pub fn memory_proportional(problem: &TierPartition) -> TierCuts {
    let (blocks, tiers) = (problem.blocks(), problem.tiers());
    let total: f64 = problem.memory().iter().sum();
    let share = |memory: &f64| {
        if total > 0.0 {
            blocks as f64 * (memory / total)
        } else {
            blocks as f64 / tiers as f64
        }
    };
    let shares: Vec<f64> = problem.memory().iter().map(share).collect();
    let mut counts: Vec<usize> = shares
        .iter()
        .map(|share| libm::floor(*share) as usize)
        .collect();
    // Compared after rounding to twelve decimals, so that equal memories tie.
    let fraction = |tier: usize| libm::round((shares[tier] - libm::floor(shares[tier])) * 1e12);
    let mut by_fraction: Vec<usize> = (0..tiers).collect();
    by_fraction.in_order_by(|&a, &b| fraction(b).total_cmp(&fraction(a)).then(a.cmp(&b)));
    let left_over = blocks.saturating_sub(counts.iter().sum());
    for &tier in by_fraction.iter().cycle().take(left_over) {
        counts[tier] += 1;
    }
    if !problem.empty_tiers() && tiers <= blocks {
        while let Some(empty) = counts.iter().position(|count| *count == 0) {
            let largest = (0..tiers).max_by_key(|tier| (counts[*tier], usize::MAX - tier));
            counts[largest.unwrap_or(0)] -= 1;
            counts[empty] += 1;
        }
    }
    cuts(&counts)
}
