//! HypSplit-DP: the paper's bisection over the largest load, with a table a step.
//!
//! Source: Hyperion, equations (12)-(17) and Algorithm 1. `DP[j][n]` says whether blocks 1..n can be on tiers 1..j
//! with every load at most tau; the least k that works is kept. O(T N squared) a check, O(T N squared log((hi - lo) / eps))
//! in all. A step of [`engine::solve::Limits`] is one check.
//!
//! Differs from the paper, which leaves these open: the first bounds are the largest block on the fastest tier or all
//! work on all tiers at once, and all work on the slowest tier; the check at the upper bound comes first, so that
//! memory that nothing fits ends the search instead of returning a bound without a partition; and what is reported is
//! the partition's own largest load beside tau, which is only its upper bound. It is within eps of the best, not the best.

use super::spans::TierSpans;
use engine::plan::TierCuts;
use engine::solve::{Limits, Progress, SearchEvent, StopReason};
use std::ops::ControlFlow;

/// Result of the bisection.
#[derive(Debug, Clone, PartialEq)]
pub struct HypSplit {
    /// p_1 .. p_{T-1}.
    pub cuts: TierCuts,
    /// The upper end of the bisection [s]: the largest load is at most this.
    pub tau: f64,
    /// The lower end [s]: no partition has a smaller largest load.
    pub low: f64,
    /// How often the interval was halved.
    pub halvings: u32,
    /// Which limit ended it, if one did; tau is then further than eps from the best.
    pub stopped: Option<StopReason>,
}

/// The interval is halved at most this often.
const MOST_HALVINGS: u32 = 200;
/// Cells that a check looks at before it asks again whether to go on.
const LONG: usize = 1 << 22;
/// Slack of the first check, relative: the upper bound must not fail for its rounding.
const SLACK: f64 = 1e-12;

/// `Ok(None)` when no partition fits its memories.
pub(super) fn solve(
    spans: &TierSpans,
    eps: f64,
    limits: &Limits,
    progress: &mut impl Progress<TierCuts>,
) -> Result<Option<HypSplit>, StopReason> {
    let mut table = Table::new(spans);
    let mut steps = 0;
    let mut check = |table: &mut Table, tau: f64| {
        if limits.steps.is_some_and(|most| steps >= most) {
            return Err(StopReason::Steps);
        }
        steps += 1;
        let mut listen = || {
            let event = SearchEvent::Step {
                done: steps,
                of: None,
            };
            match progress.report(event) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(StopReason::Cancelled),
            }
        };
        listen()?;
        table.check(tau, &mut listen)
    };
    let mut high = spans.upper_bound();
    let mut low = literal_lower_bound(spans);
    if !check(&mut table, high * (1.0 + SLACK))? {
        return Ok(None);
    }
    let mut cuts = table.cuts();
    let mut halvings = 0;
    let mut stopped = None;
    while high - low > eps && halvings < MOST_HALVINGS {
        let middle = (low + high) / 2.0;
        match check(&mut table, middle) {
            Ok(true) => {
                high = middle;
                cuts = table.cuts();
            }
            Ok(false) => low = middle,
            Err(stop) => {
                stopped = Some(stop);
                break;
            }
        }
        halvings += 1;
    }
    Ok(Some(HypSplit {
        cuts,
        tau: high,
        low: low * (1.0 - SLACK),
        halvings,
        stopped,
    }))
}

/// max( max f / max C, sum f / sum C ) where costs are f / C; the bound of [`TierSpans::lower_bound`] otherwise.
fn literal_lower_bound(spans: &TierSpans) -> f64 {
    let problem = spans.problem;
    let speeds = || (0..spans.tiers).map(|j| problem.speed(j));
    let plain = problem.shares_work() && (0..spans.tiers).all(|j| problem.fixed(j) == 0.0);
    if !plain {
        return spans.lower_bound();
    }
    let largest = problem.work(0).iter().copied().fold(0.0, f64::max);
    let fastest = speeds().fold(0.0, f64::max);
    (largest / fastest).max(spans.work(0)[spans.blocks] / speeds().sum::<f64>())
}

/// The table of Algorithm 1 with its predecessors.
struct Table<'a> {
    spans: &'a TierSpans<'a>,
    before: Vec<Option<u32>>,
}

impl<'a> Table<'a> {
    fn new(spans: &'a TierSpans<'a>) -> Self {
        Self {
            spans,
            before: vec![None; (spans.tiers + 1) * (spans.blocks + 1)],
        }
    }

    /// The check of Algorithm 1; `listen` is asked now and then whether to go on.
    fn check(
        &mut self,
        tau: f64,
        listen: &mut impl FnMut() -> Result<(), StopReason>,
    ) -> Result<bool, StopReason> {
        let mut quiet = 0;
        let spans = self.spans;
        let (width, own) = (spans.blocks + 1, spans.min_blocks);
        self.before.fill(None);
        self.before[0] = Some(0);
        for j in 1..=spans.tiers {
            let tier = j - 1;
            for n in own * j..=spans.blocks {
                let works = |k: &usize| {
                    self.before[tier * width + k].is_some()
                        && spans.load(tier, *k, n) <= tau // (14)
                        && spans.fits(tier, *k, n) // (16)
                };
                let first = (own * tier..(n + 1).saturating_sub(own)).find(works);
                self.before[j * width + n] = first.map(|k| k as u32);
                quiet += n;
                if quiet > LONG {
                    quiet = 0;
                    listen()?;
                }
            }
        }
        Ok(self.before[spans.tiers * width + spans.blocks].is_some())
    }

    fn cuts(&self) -> TierCuts {
        let width = self.spans.blocks + 1;
        let mut cuts = TierCuts::new();
        let mut end = self.spans.blocks;
        for j in (1..=self.spans.tiers).rev() {
            cuts.push(end);
            end = self.before[j * width + end].unwrap_or(0) as usize;
        }
        cuts.reverse();
        cuts.pop();
        cuts
    }
}
