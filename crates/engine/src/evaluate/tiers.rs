//! Loads and memory of a partition of blocks over tiers.
//!
//! Source: Hyperion, section III: L_j = (sum of f_i on tier j) / C_j, equations (8), (10) and (11). Block by block, in
//! order. The paper calls max L_j plus communication a latency; one request passes every tier, so its latency is the
//! *sum* of loads plus communication, and the largest load governs throughput. Both are computed here.

use crate::plan::counts;
use crate::problem::TierPartition;

/// A scored partition. Lists have one entry a tier.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredCuts {
    /// Blocks held.
    pub counts: Vec<usize>,
    /// L_j [s].
    pub load: Vec<f64>,
    /// Memory in use, in the unit of the problem.
    pub memory: Vec<f64>,
    /// True for each tier with enough memory.
    pub fits: Vec<bool>,
    /// True if all tiers have enough memory.
    pub mem_ok: bool,
    /// The largest load [s].
    pub bottleneck: f64,
    /// All loads together [s].
    pub sum: f64,
    /// All hops together [s]. Every hop is paid, past tiers without blocks too: the order is fixed.
    pub communication: f64,
}

/// Cuts that are none for this problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCuts {
    /// Not one cut fewer than tiers.
    #[error("there must be {wanted} cuts, one fewer than tiers; there are {found}")]
    Length {
        /// As many as there should be.
        wanted: usize,
        /// As many as there are.
        found: usize,
    },
    /// A cut outside what the one before, and the tiers behind, leave.
    #[error("the cut must lie between {least} and {most}, it is {found}")]
    Cut {
        /// Which cut, from 0.
        at: usize,
        /// The least it may be.
        least: usize,
        /// The most it may be.
        most: usize,
        /// Value found.
        found: usize,
    },
    /// More tiers than blocks, and no tier may be empty.
    #[error("{tiers} tiers need at least one block each, and the model has {blocks}")]
    TooManyTiers {
        /// T.
        tiers: usize,
        /// N.
        blocks: usize,
    },
}

impl InvalidCuts {
    /// The cut at fault, counted from 0, where it is one.
    #[must_use]
    pub fn cut(&self) -> Option<usize> {
        match *self {
            Self::Cut { at, .. } => Some(at),
            Self::Length { .. } | Self::TooManyTiers { .. } => None,
        }
    }
}

/// Scores `cuts`, whether every tier has memory enough or not.
///
/// # Errors
/// [`InvalidCuts`] when they are no cuts for this problem: too few, backwards, beyond the blocks, or an empty tier where
/// none is allowed.
///
/// # Complexity
/// O(N + T).
pub fn score(problem: &TierPartition, cuts: &[usize]) -> Result<ScoredCuts, InvalidCuts> {
    check(problem, cuts)?;
    let counts = counts(cuts, problem.blocks());
    let (mut load, mut memory, mut fits) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = 0;
    for (tier, count) in counts.iter().enumerate() {
        let (mut work, mut held) = (0.0, 0.0);
        for block in first..first + count {
            work += problem.work(tier)[block];
            held += problem.need()[block];
        }
        first += count;
        load.push(if *count == 0 {
            0.0
        } else {
            problem.fixed(tier) + work / problem.speed(tier)
        });
        fits.push(problem.fits(tier, held));
        memory.push(held);
    }
    Ok(ScoredCuts {
        mem_ok: fits.iter().all(|fit| *fit),
        bottleneck: load.iter().copied().fold(0.0, f64::max),
        sum: load.iter().sum(),
        communication: problem.hops().iter().sum(),
        counts,
        load,
        memory,
        fits,
    })
}

/// 1 <= p_1 < ... < p_{T-1} < N, or with empty tiers 0 <= p_1 <= ... <= p_{T-1} <= N.
fn check(problem: &TierPartition, cuts: &[usize]) -> Result<(), InvalidCuts> {
    let (blocks, tiers) = (problem.blocks(), problem.tiers());
    let own = usize::from(!problem.empty_tiers());
    if own * tiers > blocks {
        return Err(InvalidCuts::TooManyTiers { tiers, blocks });
    }
    if cuts.len() + 1 != tiers {
        return Err(InvalidCuts::Length {
            wanted: tiers - 1,
            found: cuts.len(),
        });
    }
    let mut before = 0;
    for (at, &found) in cuts.iter().enumerate() {
        let least = before + own;
        let most = blocks - own * (tiers - 1 - at);
        if found < least || found > most {
            return Err(InvalidCuts::Cut {
                at,
                least,
                most,
                found,
            });
        }
        before = found;
    }
    Ok(())
}
