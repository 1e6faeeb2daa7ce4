//! Every partition there is, scored by the referee: the oracle for tiny problems.

use super::Objective;
use engine::evaluate::tiers::{ScoredCuts, score};
use engine::plan::TierCuts;
use engine::problem::TierPartition;

/// The best partition that fits its memories, and the objective's value [s]; `None` when none fits.
///
/// # Complexity
/// As [`all`].
#[must_use]
pub fn best(problem: &TierPartition, objective: Objective) -> Option<(TierCuts, f64)> {
    let mut best: Option<(TierCuts, f64)> = None;
    for (cuts, scored) in all(problem) {
        let value = objective.of(&scored);
        if scored.mem_ok && best.as_ref().is_none_or(|(_, least)| value < *least) {
            best = Some((cuts, value));
        }
    }
    best
}

/// All partitions with their scores, whether they fit or not, in lexical order of their cuts.
///
/// # Complexity
/// O(N^(T-1)) partitions of O(N + T) each: for N up to 12 and T up to 5.
#[must_use]
pub fn all(problem: &TierPartition) -> Vec<(TierCuts, ScoredCuts)> {
    let mut found = Vec::new();
    extend(problem, &mut TierCuts::new(), &mut found);
    found
}

fn extend(problem: &TierPartition, cuts: &mut TierCuts, found: &mut Vec<(TierCuts, ScoredCuts)>) {
    if cuts.len() + 1 == problem.tiers() {
        if let Ok(scored) = score(problem, cuts) {
            found.push((cuts.clone(), scored));
        }
        return;
    }
    for end in cuts.last().copied().unwrap_or(0)..=problem.blocks() {
        cuts.push(end);
        extend(problem, cuts, found);
        cuts.pop();
    }
}
