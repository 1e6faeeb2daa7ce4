//! The least sum of loads with every load at most a cap, in O(T N).
//!
//! `B_j(n) = min over k of B_{j-1}(k) + load_j(k, n)` over those k whose span keeps cap and memory. The span grows with
//! n, so these k form a window that only moves to the right, and load_j(k, n) falls apart into a part of n and a part
//! of k: the minimum of a sliding window, kept in a queue of candidates with rising values. The textbook recurrence
//! with its inner loop, O(T N squared), is in [`super::dp`] as its witness.

use super::spans::TierSpans;

const NONE: u32 = u32::MAX;

/// The tables of the program, made once a problem.
pub(super) struct NodeWindow<'a> {
    spans: &'a TierSpans<'a>,
    /// B by end, of the tier before and of this one.
    from: Vec<f64>,
    row: Vec<f64>,
    /// Where the tier before ended, by tier and end.
    before: Vec<u32>,
    /// Candidates k, their values B(k) - work(k) / speed rising.
    queue: Vec<(u32, f64)>,
    /// p_1 .. p_T of the last search that succeeded.
    pub(super) ends: Vec<usize>,
}

impl<'a> NodeWindow<'a> {
    pub(super) fn new(spans: &'a TierSpans<'a>) -> Self {
        let width = spans.blocks + 1;
        Self {
            spans,
            from: vec![f64::INFINITY; width],
            row: vec![f64::INFINITY; width],
            before: vec![NONE; spans.tiers * width],
            queue: Vec::with_capacity(width),
            ends: vec![0; spans.tiers],
        }
    }

    /// Finds the ends with the least sum among those whose loads are at most `cap`; false when there are none.
    pub(super) fn least_sum(&mut self, cap: f64) -> bool {
        let spans = self.spans;
        let (blocks, tiers, own) = (spans.blocks, spans.tiers, spans.min_blocks);
        if own * tiers > blocks {
            return false;
        }
        let width = blocks + 1;
        self.from.fill(f64::INFINITY);
        self.from[0] = 0.0;
        for tier in 0..tiers {
            let work = spans.work(tier);
            let speed = spans.problem.speed(tier);
            let allowance = spans.allowance(tier, cap);
            let before = &mut self.before[tier * width..(tier + 1) * width];
            self.row.fill(f64::INFINITY);
            self.queue.clear();
            // The queue is a vector with a front that moves: nothing is shifted.
            let (mut front, mut least) = (0, 0);
            // An end before `tier` blocks, or one that leaves too few for the tiers behind, leads nowhere.
            let most = blocks - own * (tiers - 1 - tier);
            if own == 0 {
                (self.row[0], before[0]) = (self.from[0], 0);
            }
            for (n, choice) in before.iter_mut().enumerate().take(most + 1).skip(1) {
                let k = n - 1;
                if self.from[k] < f64::INFINITY {
                    let value = self.from[k] - work[k] / speed;
                    while self.queue.len() > front
                        && self.queue.last().is_some_and(|(_, other)| *other > value)
                    {
                        self.queue.pop();
                    }
                    self.queue.push((k as u32, value));
                }
                while least < n
                    && !(spans.within(tier, allowance, cap, least, n) && spans.fits(tier, least, n))
                {
                    least += 1;
                }
                while self
                    .queue
                    .get(front)
                    .is_some_and(|(k, _)| (*k as usize) < least)
                {
                    front += 1;
                }
                if let Some((k, _)) = self.queue.get(front) {
                    let start = *k as usize;
                    self.row[n] = self.from[start] + spans.load(tier, start, n);
                    *choice = *k;
                }
                // A tier without blocks costs nothing.
                if own == 0 && self.from[n] <= self.row[n] {
                    (self.row[n], *choice) = (self.from[n], n as u32);
                }
            }
            std::mem::swap(&mut self.from, &mut self.row);
        }
        if self.from[blocks] == f64::INFINITY {
            return false;
        }
        let mut end = blocks;
        for tier in (0..tiers).rev() {
            self.ends[tier] = end;
            end = self.before[tier * width + end] as usize;
        }
        true
    }

    /// The least sum with loads up to `cap`, and the least largest load that this sum allows; its ends stay in
    /// [`NodeWindow::ends`]. Sums that differ by no more than rounding count as one.
    pub(super) fn next_point(&mut self, cap: f64) -> Option<(f64, f64)> {
        if !self.least_sum(cap) {
            return None;
        }
        let sum = self.spans.sum(&self.ends);
        let mut bottleneck = self.spans.bottleneck(&self.ends);
        let mut ends = self.ends.clone();
        let mut best = sum;
        while self.least_sum(bottleneck * (1.0 - ROUNDING)) {
            let again = self.spans.sum(&self.ends);
            if again > sum * (1.0 + ROUNDING) {
                break;
            }
            best = best.min(again);
            bottleneck = self.spans.bottleneck(&self.ends);
            ends.clone_from(&self.ends);
        }
        self.ends = ends;
        Some((best, bottleneck))
    }
}

/// Two values this close, relatively, differ by rounding only.
pub(super) const ROUNDING: f64 = 1e-12;
