//! Load and memory of consecutive blocks on a tier, from prefix sums.
//!
//! A span (s, n] is the blocks s + 1 to n. Times are differences of prefix sums, equation (15); memory, equation (16),
//! is judged by the same sums unless it is so near the limit that their rounding could decide. There the blocks are
//! added one by one, as the referee does, so that both judge a tier that is exactly full alike.

use engine::problem::{MEMORY_SLACK, TierPartition};

/// A number that some values lie surely below or above; between the two the value itself has to be worked out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    below: f64,
    above: f64,
}

impl Limit {
    fn around(limit: f64, rounding: f64) -> Self {
        Self {
            below: limit - rounding,
            above: limit + rounding,
        }
    }

    /// Returns true if `value` keeps the limit; `exactly` is called only where rounding could decide.
    #[inline]
    fn admits(self, value: f64, exactly: impl FnOnce() -> bool) -> bool {
        value <= self.below || (value <= self.above && exactly())
    }
}

/// The prefix sums of a problem.
pub(super) struct TierSpans<'a> {
    pub(super) problem: &'a TierPartition,
    /// N.
    pub(super) blocks: usize,
    /// T.
    pub(super) tiers: usize,
    /// The least that a tier holds: 1, or 0 where tiers may be empty.
    pub(super) min_blocks: usize,
    /// Work before each block: one list for all tiers, or one a tier.
    work: Vec<Vec<f64>>,
    /// Memory before each block.
    need: Vec<f64>,
    /// Memory of each tier, slack included.
    room: Vec<Limit>,
}

impl<'a> TierSpans<'a> {
    /// O(N), or O(T N) where every tier has its own costs.
    pub(super) fn new(problem: &'a TierPartition) -> Self {
        let lists = if problem.shares_work() {
            1
        } else {
            problem.tiers()
        };
        let need = before(problem.need());
        let rounding = 2.0 * f64::EPSILON * need.len() as f64 * need[need.len() - 1];
        Self {
            problem,
            blocks: problem.blocks(),
            tiers: problem.tiers(),
            min_blocks: usize::from(!problem.empty_tiers()),
            work: (0..lists).map(|j| before(problem.work(j))).collect(),
            need,
            room: problem
                .memory()
                .iter()
                .map(|memory| Limit::around(memory + MEMORY_SLACK, rounding))
                .collect(),
        }
    }

    /// Work before each block, as a tier sees it: N + 1 numbers.
    #[inline]
    pub(super) fn work(&self, tier: usize) -> &[f64] {
        &self.work[if self.work.len() == 1 { 0 } else { tier }]
    }

    /// L_j of a span [s]; nothing for an empty one.
    #[inline]
    pub(super) fn load(&self, tier: usize, s: usize, n: usize) -> f64 {
        if s == n {
            return 0.0;
        }
        let work = self.work(tier);
        self.problem.fixed(tier) + (work[n] - work[s]) / self.problem.speed(tier)
    }

    /// Returns true if the memory of a span fits a tier.
    #[inline]
    pub(super) fn fits(&self, tier: usize, s: usize, n: usize) -> bool {
        self.room[tier].admits(self.need[n] - self.need[s], || {
            self.problem.fits(tier, self.need_of(s, n))
        })
    }

    /// Memory of a span but for rounding, at once.
    pub(super) fn nearly_need_of(&self, s: usize, n: usize) -> f64 {
        self.need[n] - self.need[s]
    }

    /// Memory of a span, block by block.
    pub(super) fn need_of(&self, s: usize, n: usize) -> f64 {
        self.problem.need()[s..n].iter().fold(0.0, |a, b| a + b)
    }

    /// The work a tier may have within `tau`: what [`TierSpans::within`] compares with instead of dividing every time.
    pub(super) fn allowance(&self, tier: usize, tau: f64) -> Limit {
        let (fixed, speed) = (self.problem.fixed(tier), self.problem.speed(tier));
        let limit = (tau - fixed) * speed;
        if limit == f64::INFINITY {
            return Limit {
                below: limit,
                above: limit,
            };
        }
        Limit::around(limit, 8.0 * f64::EPSILON * (tau + fixed) * speed)
    }

    /// Returns true if the load of a non-empty span is at most `tau`.
    #[inline]
    pub(super) fn within(
        &self,
        tier: usize,
        allowance: Limit,
        tau: f64,
        s: usize,
        n: usize,
    ) -> bool {
        let work = self.work(tier);
        allowance.admits(work[n] - work[s], || self.load(tier, s, n) <= tau)
    }

    /// The largest load of a partition given by its ends p_1 .. p_T.
    pub(super) fn bottleneck(&self, ends: &[usize]) -> f64 {
        self.loads(ends).fold(0.0, f64::max)
    }

    /// All loads of a partition given by its ends together.
    pub(super) fn sum(&self, ends: &[usize]) -> f64 {
        self.loads(ends).sum()
    }

    fn loads(&self, ends: &[usize]) -> impl Iterator<Item = f64> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let spans = starts.zip(ends).enumerate();
        spans.map(|(tier, (s, n))| self.load(tier, s, *n))
    }

    /// No partition has a smaller largest load: a block has to be somewhere, and the fastest tiers cannot take all of
    /// the work at once. A hair below what the sums give, whose rounding must not make it too large.
    pub(super) fn lower_bound(&self) -> f64 {
        let least = |block: usize| {
            let on = |tier| self.load(tier, block, block + 1);
            (0..self.tiers).map(on).fold(f64::INFINITY, f64::min)
        };
        let (mut largest, mut all) = (0.0_f64, 0.0);
        for block in 0..self.blocks {
            let time = least(block);
            largest = largest.max(time);
            all += time;
        }
        let even = if self.problem.shares_work() {
            let speed: f64 = (0..self.tiers).map(|j| self.problem.speed(j)).sum();
            self.work[0][self.blocks] / speed
        } else if (0..self.tiers).all(|j| self.problem.fixed(j) == 0.0) {
            all / self.tiers as f64
        } else {
            0.0
        };
        largest.max(even) * (1.0 - 1e-12)
    }

    /// A largest load that every partition keeps: everything on the slowest tier.
    pub(super) fn upper_bound(&self) -> f64 {
        (0..self.tiers)
            .map(|tier| self.load(tier, 0, self.blocks))
            .fold(0.0, f64::max)
    }
}

/// 0, x_1, x_1 + x_2, ...
fn before(list: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(list.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for value in list {
        sum += value;
        sums.push(sum);
    }
    sums
}
