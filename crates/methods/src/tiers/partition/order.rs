//! Which tiers, and in which order: the best of all pipelines over some of the tiers.
//!
//! Not in the paper, whose order is given. The dynamic program keeps `B(S, last, n)`: blocks 1..n are on exactly the
//! tiers of S, the last of them on `last`. What came before `last` matters only through its value and the link into
//! `last`, so the best predecessor is chosen once for each k, and the cut after it. Choosing the order is NP-hard in
//! general (Pinar, Tabak, Aykanat 2008), so the sets have to be looked at, and T is small.

use super::Objective;
use super::spans::TierSpans;
use super::window::ROUNDING;
use engine::plan::{TierCuts, cuts};
use engine::problem::TierPartition;

/// Tiers up to which orders are searched.
pub const MOST_TIERS: usize = 8;

/// Constraints on an order.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrderRules<'a> {
    /// Transfer time from tier to tier [s], by sender and receiver; no list at all means that transfers are free.
    pub links: &'a [Vec<f64>],
    /// The tier that the prompt must enter first; it holds at least one block.
    pub first: Option<usize>,
    /// True if every tier has to take part.
    pub use_all: bool,
}

/// A pipeline over some of the tiers.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderedPartition {
    /// The tiers in use, in running order, from 0.
    pub order: Vec<usize>,
    /// How many blocks each of them holds, in the same order.
    pub counts: Vec<usize>,
    /// p over the tiers in use.
    pub cuts: TierCuts,
    /// The largest load [s].
    pub bottleneck: f64,
    /// All loads together [s].
    pub sum: f64,
    /// All transfers between tiers in use [s].
    pub communication: f64,
}

/// The best pipeline: the least sum of loads and transfers, or the least largest load and, of those pipelines, the
/// least sum with transfers. `None` when none fits, or beyond [`MOST_TIERS`].
///
/// # Complexity
/// O(2^T T N (N + T)).
///
/// # Panics
/// When links are given that are no T by T table.
#[must_use]
pub fn best(
    problem: &TierPartition,
    objective: Objective,
    rules: &OrderRules,
) -> Option<OrderedPartition> {
    let tiers = problem.tiers();
    if tiers > MOST_TIERS {
        return None;
    }
    assert!(
        rules.links.is_empty()
            || (rules.links.len() == tiers && rules.links.iter().all(|row| row.len() == tiers)),
        "links are a table of tiers by tiers"
    );
    let spans = TierSpans::new(problem);
    let cap = match objective {
        Objective::Sum => f64::INFINITY,
        Objective::Max => {
            let mut table = Table::new(&spans, rules);
            table.fill(Objective::Max, f64::INFINITY);
            // Equal loads may differ by rounding, and must not be distinguished by it.
            table.end()?.1 * (1.0 + ROUNDING)
        }
    };
    let mut table = Table::new(&spans, rules);
    table.fill(Objective::Sum, cap);
    table.pipeline()
}

/// The states of the program.
struct Table<'a> {
    spans: &'a TierSpans<'a>,
    rules: &'a OrderRules<'a>,
    width: usize,
    value: Vec<f64>,
    /// The cut before the last stage, and the tier before it.
    choice: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl<'a> Table<'a> {
    fn new(spans: &'a TierSpans<'a>, rules: &'a OrderRules<'a>) -> Self {
        let width = spans.blocks + 1;
        let cells = (spans.tiers << spans.tiers) * width;
        Self {
            spans,
            rules,
            width,
            value: vec![f64::INFINITY; cells],
            choice: vec![(0, NONE); cells],
        }
    }

    fn at(&self, set: usize, last: usize, n: usize) -> usize {
        (set * self.spans.tiers + last) * self.width + n
    }

    fn link(&self, from: usize, to: usize) -> f64 {
        self.rules.links.get(from).map_or(0.0, |row| row[to])
    }

    fn fill(&mut self, objective: Objective, cap: f64) {
        let (tiers, blocks) = (self.spans.tiers, self.spans.blocks);
        let mut from = vec![(f64::INFINITY, NONE); self.width];
        for set in 1..1_usize << tiers {
            for last in (0..tiers).filter(|tier| set >> tier & 1 == 1) {
                let rest = set & !(1 << last);
                from.fill((f64::INFINITY, NONE));
                if rest == 0 {
                    if self.rules.first.is_none_or(|first| first == last) {
                        from[0] = (0.0, NONE);
                    }
                } else {
                    for before in (0..tiers).filter(|tier| rest >> tier & 1 == 1) {
                        let link = match objective {
                            Objective::Max => 0.0,
                            Objective::Sum => self.link(before, last),
                        };
                        let row = self.at(rest, before, 0);
                        for (k, best) in from.iter_mut().enumerate() {
                            let value = self.value[row + k] + link;
                            if value < best.0 {
                                *best = (value, before as u32);
                            }
                        }
                    }
                }
                let row = self.at(set, last, 0);
                for n in 1..=blocks {
                    // Longer spans cost and need more: the first that does not fit ends the search.
                    for k in (0..n).rev() {
                        let load = self.spans.load(last, k, n);
                        if load > cap || !self.spans.fits(last, k, n) {
                            break;
                        }
                        let value = match objective {
                            Objective::Max => from[k].0.max(load),
                            Objective::Sum => from[k].0 + load,
                        };
                        if value < self.value[row + n] {
                            self.value[row + n] = value;
                            self.choice[row + n] = (k as u32, from[k].1);
                        }
                    }
                }
            }
        }
    }

    /// The best last state, by set and then tier, and its value.
    fn end(&self) -> Option<((usize, usize), f64)> {
        let (tiers, blocks) = (self.spans.tiers, self.spans.blocks);
        let whole = (1 << tiers) - 1;
        let mut best: Option<((usize, usize), f64)> = None;
        for set in 1..=whole {
            if self.rules.use_all && set != whole {
                continue;
            }
            for last in 0..tiers {
                let value = self.value[self.at(set, last, blocks)];
                if value < best.map_or(f64::INFINITY, |(_, least)| least) {
                    best = Some(((set, last), value));
                }
            }
        }
        best
    }

    fn pipeline(&self) -> Option<OrderedPartition> {
        let ((mut set, mut last), _) = self.end()?;
        let mut n = self.spans.blocks;
        let (mut order, mut counts, mut loads) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let (k, before) = self.choice[self.at(set, last, n)];
            let k = k as usize;
            order.push(last);
            counts.push(n - k);
            loads.push(self.spans.load(last, k, n));
            if before == NONE {
                break;
            }
            (set, last, n) = (set & !(1 << last), before as usize, k);
        }
        order.reverse();
        counts.reverse();
        loads.reverse();
        let hops = order.windows(2).map(|pair| self.link(pair[0], pair[1]));
        Some(OrderedPartition {
            cuts: cuts(&counts),
            bottleneck: loads.iter().copied().fold(0.0, f64::max),
            sum: loads.iter().sum(),
            communication: hops.sum(),
            order,
            counts,
        })
    }
}
