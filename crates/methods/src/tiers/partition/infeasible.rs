//! Why no partition exists, and by how much memory it fails.
//!
//! Five causes, asked in this order: more tiers than blocks; a tier smaller than every block; a block larger than every
//! tier; too little memory in all; or none of these, and yet consecutive blocks in this order of tiers do not fit. Time
//! never is a cause: every load is finite.

use super::spans::TierSpans;
use engine::problem::TierPartition;
use engine::units::rounded;
use serde::{Deserialize, Serialize};

/// The proved cause. Memories are in the unit of the problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// More tiers than blocks, and none may be empty.
    TooManyTiers {
        /// T.
        tiers: usize,
        /// N.
        blocks: usize,
    },
    /// A tier is smaller than every block, and may not be empty.
    Tier {
        /// The first such tier, from 0.
        tier: usize,
        /// The smallest block's memory.
        need: f64,
        /// Memory of the tier.
        have: f64,
    },
    /// A block is larger than every tier.
    Block {
        /// The first such block, from 1.
        block: usize,
        /// Its memory.
        need: f64,
        /// Memory of the largest tier.
        have: f64,
    },
    /// All tiers together hold less than the blocks need.
    TotalMemory {
        /// All blocks.
        need: f64,
        /// All tiers.
        have: f64,
    },
    /// There is memory enough, but not where consecutive blocks in this order of tiers need it.
    Order {
        /// The most leading blocks that the tiers can take, from the first on.
        placed: usize,
        /// An order of the same tiers in which a partition exists; `None` when there is none, or too many to try.
        fits_in_order: Option<Vec<usize>>,
    },
    /// A baseline's own split overflows a tier. Other partitions may exist.
    Split {
        /// The first tier that does not fit, from 0.
        tier: usize,
        /// Memory that its blocks need.
        need: f64,
        /// Memory of the tier.
        have: f64,
    },
}

/// More memory for one tier with which a partition exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Repair {
    /// The tier, from 0.
    pub tier: usize,
    /// The least memory it needs, in the unit of the problem.
    pub memory: f64,
    /// How much more that is than it has.
    pub more: f64,
}

/// A proof that no partition exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Infeasible {
    /// The cause.
    #[serde(flatten)]
    pub cause: Cause,
    /// For each tier that alone would do with more memory, the least that suffices; in the order of tiers.
    pub repairs: Vec<Repair>,
}

/// Tiers up to which other orders are tried: 720 of them.
const MOST_TIERS: usize = 6;
/// Blocks up to which they are.
const MOST_BLOCKS: usize = 2000;

/// The proof for a problem without a partition.
pub(super) fn proof(spans: &TierSpans) -> Infeasible {
    Infeasible {
        cause: cause(spans),
        repairs: repairs(spans),
    }
}

impl Infeasible {
    /// The verdict on a split that overflows a tier.
    pub(super) fn split(problem: &TierPartition, tier: usize, need: f64) -> Self {
        Self {
            cause: Cause::Split {
                tier,
                need,
                have: problem.memory()[tier],
            },
            repairs: Vec::new(),
        }
    }
}

fn cause(spans: &TierSpans) -> Cause {
    let (problem, blocks, tiers) = (spans.problem, spans.blocks, spans.tiers);
    if spans.min_blocks * tiers > blocks {
        return Cause::TooManyTiers { tiers, blocks };
    }
    let smallest = problem.need().iter().copied().fold(f64::INFINITY, f64::min);
    let too_small = (0..tiers).find(|tier| spans.min_blocks == 1 && !problem.fits(*tier, smallest));
    if let Some(tier) = too_small {
        return Cause::Tier {
            tier,
            need: smallest,
            have: problem.memory()[tier],
        };
    }
    let nowhere =
        |block: &usize| !(0..tiers).any(|tier| problem.fits(tier, problem.need()[*block]));
    if let Some(block) = (0..blocks).find(nowhere) {
        return Cause::Block {
            block: block + 1,
            need: problem.need()[block],
            have: problem.memory().iter().copied().fold(0.0, f64::max),
        };
    }
    let need = spans.need_of(0, blocks);
    let have: f64 = problem.memory().iter().sum();
    // Either sum may be off by its rounding, and every tier has its slack; a case that close is left to the order.
    let hair = (blocks + tiers) as f64 * f64::EPSILON;
    let slack = tiers as f64 * engine::problem::MEMORY_SLACK;
    if need * (1.0 - hair) > (have + slack) * (1.0 + hair) {
        return Cause::TotalMemory { need, have };
    }
    Cause::Order {
        placed: forward(spans)
            .iter()
            .filter_map(|row| row.iter().rposition(|end| *end))
            .max()
            .unwrap_or(0),
        fits_in_order: other_order(problem),
    }
}

/// By tier (the first row is before any): which numbers of leading blocks the tiers up to it can hold.
///
/// As the scan probe has it, without time: an end is possible if the span from the last possible start fits.
fn forward(spans: &TierSpans) -> Vec<Vec<bool>> {
    let mut rows = vec![vec![false; spans.blocks + 1]];
    rows[0][0] = true;
    for tier in 0..spans.tiers {
        let from = &rows[tier];
        let mut row = vec![false; spans.blocks + 1];
        let mut start = None;
        for n in 0..=spans.blocks {
            if n >= spans.min_blocks && from[n - spans.min_blocks] {
                start = Some(n - spans.min_blocks);
            }
            row[n] = start.is_some_and(|s| spans.fits(tier, s, n));
        }
        rows.push(row);
    }
    rows
}

/// By tier: from which ends on the tiers behind it can hold the rest.
fn backward(spans: &TierSpans) -> Vec<Vec<bool>> {
    let mut rows = vec![vec![false; spans.blocks + 1]; spans.tiers];
    rows[spans.tiers - 1][spans.blocks] = true;
    for tier in (1..spans.tiers).rev() {
        let mut end = None;
        for s in (0..=spans.blocks).rev() {
            if s + spans.min_blocks <= spans.blocks && rows[tier][s + spans.min_blocks] {
                end = Some(s + spans.min_blocks);
            }
            rows[tier - 1][s] = end.is_some_and(|n| spans.fits(tier, s, n));
        }
    }
    rows
}

/// For each tier alone, the least memory with which a partition exists: it bridges a possible start and the next
/// possible end. O(T N).
fn repairs(spans: &TierSpans) -> Vec<Repair> {
    let (forward, backward) = (forward(spans), backward(spans));
    (0..spans.tiers)
        .filter_map(|tier| {
            let ends = &backward[tier];
            let mut end = None;
            let mut least: Option<(usize, usize)> = None;
            for s in (0..=spans.blocks).rev() {
                if s + spans.min_blocks <= spans.blocks && ends[s + spans.min_blocks] {
                    end = Some(s + spans.min_blocks);
                }
                let is_less = |n: usize| {
                    let nearly = |(s, n)| spans.nearly_need_of(s, n);
                    least.is_none_or(|other| nearly((s, n)) < nearly(other))
                };
                if let Some(n) = end.filter(|n| forward[tier][s] && is_less(*n)) {
                    least = Some((s, n));
                }
            }
            let memory = least.map(|(s, n)| spans.need_of(s, n))?;
            Some(Repair {
                tier,
                memory,
                more: memory - spans.problem.memory()[tier],
            })
        })
        .collect()
}

/// An order of all tiers in which the blocks fit, the first in lexical order.
fn other_order(problem: &TierPartition) -> Option<Vec<usize>> {
    if problem.tiers() > MOST_TIERS || problem.blocks() > MOST_BLOCKS {
        return None;
    }
    let mut order: Vec<usize> = (0..problem.tiers()).collect();
    loop {
        let other = problem.reordered(&order);
        let spans = TierSpans::new(&other);
        if forward(&spans).last().is_some_and(|row| row[spans.blocks]) {
            return Some(order);
        }
        if !next_permutation(&mut order) {
            return None;
        }
    }
}

/// The next order in lexical order; false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(at) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let swap = order.iter().rposition(|x| *x > order[at]).unwrap_or(at);
    order.swap(at, swap);
    order[at + 1..].reverse();
    true
}

/// A number in running text: six digits tell what is short without the noise of sums.
fn figure(value: f64) -> String {
    rounded(value, 6).to_string()
}

impl std::fmt::Display for Infeasible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.cause {
            Cause::TooManyTiers { tiers, blocks } => {
                return write!(
                    f,
                    "there are more tiers than blocks, {tiers} and {blocks}, and every tier must hold one"
                );
            }
            Cause::Tier { tier, need, have } => write!(
                f,
                "tier {} is smaller than every block: it has memory {}, and the smallest block needs {}, {} more",
                tier + 1,
                figure(*have),
                figure(*need),
                figure(need - have)
            )?,
            Cause::Block { block, need, have } => write!(
                f,
                "block {block} is larger than every tier: it needs memory {}, and the largest tier has {}, {} too little",
                figure(*need),
                figure(*have),
                figure(need - have)
            )?,
            Cause::TotalMemory { need, have } => write!(
                f,
                "the total memory is too small: the blocks need {} and the tiers have {} in all, {} too little",
                figure(*need),
                figure(*have),
                figure(need - have)
            )?,
            Cause::Order {
                placed,
                fits_in_order,
            } => {
                write!(
                    f,
                    "there is enough memory in total, but consecutive blocks do not fit the tiers in this order: at most the first {placed} can be placed"
                )?;
                if let Some(order) = fits_in_order {
                    let tiers: Vec<String> =
                        order.iter().map(|tier| (tier + 1).to_string()).collect();
                    write!(f, "; they fit in the order {}", tiers.join(", "))?;
                }
            }
            Cause::Split { tier, need, have } => {
                return write!(
                    f,
                    "this split does not fit: tier {} needs memory {} and has {}, {} too little",
                    tier + 1,
                    figure(*need),
                    figure(*have),
                    figure(need - have)
                );
            }
        }
        let least = self.repairs.iter().min_by(|a, b| a.more.total_cmp(&b.more));
        match least {
            Some(repair) => write!(
                f,
                "; {} more on tier {} alone would be enough",
                figure(repair.more),
                repair.tier + 1
            ),
            None => write!(f, "; more memory on one tier alone would not be enough"),
        }
    }
}
