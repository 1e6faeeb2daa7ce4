//! Is there a partition whose every load is at most tau? Two answers that need no table of N squared cells.
//!
//! **Scan**, O(T N), always exact. Let R_j be the possible ends of tier j. An end n is possible exactly if the span from
//! the largest element of R_{j-1} before n fits: any smaller one gives a longer span, so if this one is too long all
//! are. One pass a tier replaces the inner loop of the paper's check.
//!
//! **Greedy**, O(T log N): every tier takes as much as it can. Its ends are never behind those of any partition, so with
//! empty tiers it is exact. Where every tier needs a block it may get stuck behind a block that the next tier cannot
//! take; it cannot when every single block fits every tier within tau, and only then it is used.
//!
//! A failed probe also returns the smallest load above tau that it refused for its time: below that value it would run
//! exactly the same way, so the optimum is at least that.

use super::spans::TierSpans;

const NONE: u32 = u32::MAX;

/// Result of a probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ProbeResult {
    /// There is a partition; its ends are in [`Probe::ends`].
    Fits,
    /// There is none, nor for any tau below `next`; infinite where memory alone forbids.
    Fails {
        /// The smallest load that was refused for its time [s].
        next: f64,
    },
}

/// The buffers of all probes of a problem, so that a probe allocates nothing.
pub(super) struct Probe<'a> {
    spans: &'a TierSpans<'a>,
    /// Where the tier before ended, by tier and end; made at the first scan.
    before: Vec<u32>,
    /// p_1 .. p_T of the last probe that succeeded.
    pub(super) ends: Vec<usize>,
    /// From which tau on greed is exact.
    greedy_from: f64,
}

impl<'a> Probe<'a> {
    /// O(T N), for the condition of greed.
    pub(super) fn new(spans: &'a TierSpans<'a>) -> Self {
        Self {
            spans,
            before: Vec::new(),
            ends: vec![0; spans.tiers],
            greedy_from: greedy_from(spans),
        }
    }

    /// Asks by the quickest way that is exact.
    pub(super) fn is_feasible(&mut self, tau: f64) -> ProbeResult {
        // Infinite where it never is, and so is the first tau of a search.
        if self.greedy_from < f64::INFINITY && tau >= self.greedy_from {
            self.greedy(tau)
        } else {
            self.scan(tau)
        }
    }

    /// O(T log N); exact from `greedy_from` on.
    pub(super) fn greedy(&mut self, tau: f64) -> ProbeResult {
        let spans = self.spans;
        let mut next = f64::INFINITY;
        let mut s = 0;
        for tier in 0..spans.tiers {
            let allowance = spans.allowance(tier, tau);
            // Later tiers keep one block each where none may be empty.
            let most = (spans.blocks).saturating_sub(spans.min_blocks * (spans.tiers - 1 - tier));
            let takes =
                |n: usize| spans.within(tier, allowance, tau, s, n) && spans.fits(tier, s, n);
            let (mut end, mut beyond) = (s, most + 1);
            while beyond > end + 1 {
                let middle = end + (beyond - end) / 2;
                if takes(middle) {
                    end = middle;
                } else {
                    beyond = middle;
                }
            }
            if end < most && spans.fits(tier, s, end + 1) {
                next = next.min(spans.load(tier, s, end + 1));
            }
            if end < s + spans.min_blocks {
                return ProbeResult::Fails { next };
            }
            self.ends[tier] = end;
            s = end;
        }
        if s == spans.blocks {
            ProbeResult::Fits
        } else {
            ProbeResult::Fails { next }
        }
    }

    /// O(T N), always exact.
    pub(super) fn scan(&mut self, tau: f64) -> ProbeResult {
        let spans = self.spans;
        let (blocks, tiers, own) = (spans.blocks, spans.tiers, spans.min_blocks);
        let width = blocks + 1;
        self.before.resize((tiers + 1) * width, NONE);
        self.before.fill(NONE);
        self.before[0] = 0; // before the first tier, no block is placed
        let mut next = f64::INFINITY;
        if own * tiers > blocks {
            return ProbeResult::Fails { next };
        }
        for tier in 0..tiers {
            let (earlier, later) = self.before.split_at_mut((tier + 1) * width);
            let (from, row) = (&earlier[tier * width..], &mut later[..width]);
            let allowance = spans.allowance(tier, tau);
            let most = blocks - own * (tiers - 1 - tier);
            let first = if tier + 1 == tiers { blocks } else { own };
            let mut s = NONE;
            // The largest possible start before the first end that is asked for.
            for at in (0..(first + 1).saturating_sub(own).min(width)).rev() {
                if from[at] != NONE {
                    s = at as u32;
                    break;
                }
            }
            for n in first..=most {
                if from[n - own] != NONE {
                    s = (n - own) as u32;
                }
                if s == NONE {
                    continue;
                }
                let start = s as usize;
                if start == n {
                    row[n] = s;
                } else if spans.fits(tier, start, n) {
                    if spans.within(tier, allowance, tau, start, n) {
                        row[n] = s;
                    } else {
                        next = next.min(spans.load(tier, start, n));
                    }
                }
            }
        }
        if self.before[tiers * width + blocks] == NONE {
            return ProbeResult::Fails { next };
        }
        let mut end = blocks;
        for tier in (0..tiers).rev() {
            self.ends[tier] = end;
            end = self.before[(tier + 1) * width + end] as usize;
        }
        ProbeResult::Fits
    }
}

/// The tau from which every single block fits every tier, infinite where its memory does not; 0 with empty tiers.
fn greedy_from(spans: &TierSpans) -> f64 {
    if spans.min_blocks == 0 {
        return 0.0;
    }
    let problem = spans.problem;
    let largest = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    let need = largest(problem.need());
    if spans.min_blocks * spans.tiers > spans.blocks
        || !(0..spans.tiers).all(|j| problem.fits(j, need))
    {
        return f64::INFINITY;
    }
    // Prefix differences may be off by their rounding: a hair above the largest block itself.
    let hair = 1.0 + 4.0 * f64::EPSILON * spans.blocks as f64;
    (0..spans.tiers)
        .map(|j| {
            let sums = spans.work(j)[spans.blocks] * f64::EPSILON * spans.blocks as f64;
            problem.fixed(j) * hair + (largest(problem.work(j)) * hair + sums) / problem.speed(j)
        })
        .fold(0.0, f64::max)
}
