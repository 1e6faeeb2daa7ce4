//! Partition of blocks over tiers: the numbers of the paper, every method against every other, and what holds always.

mod costs;
mod laws;
mod oracle;
mod splits;
mod vectors;

use engine::plan::{TierCuts, counts};
use engine::problem::TierPartition;
use engine::solve::{Limits, NoPlan, NoProgress};
use methods::tiers::partition::{Infeasible, Objective, hypsplit, solve};

/// The exact cuts and their value, or the proof.
fn exact(problem: &TierPartition, objective: Objective) -> Result<(TierCuts, f64), Infeasible> {
    match solve(problem, objective) {
        Ok(solved) => Ok((solved.plan, solved.claimed)),
        Err(NoPlan::Infeasible(proof)) => Err(proof),
        Err(NoPlan::Stopped(_)) => panic!("small problems end"),
    }
}

/// The cuts of HypSplit-DP and its tau, or the proof.
fn paper(problem: &TierPartition, eps: f64) -> Result<(TierCuts, f64), Infeasible> {
    match hypsplit(problem, eps, &Limits::default(), &mut NoProgress) {
        Ok(found) => Ok((found.cuts, found.tau)),
        Err(NoPlan::Infeasible(proof)) => Err(proof),
        Err(NoPlan::Stopped(_)) => panic!("nothing stops it"),
    }
}

/// Blocks as `5/9/18`.
fn split(cuts: &[usize], blocks: usize) -> String {
    let counts = counts(cuts, blocks).into_iter();
    counts.map(|n| n.to_string()).collect::<Vec<_>>().join("/")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Blocks that are all alike, with memory for everything.
fn alike(blocks: usize, speeds: &[f64]) -> TierPartition {
    let ones = vec![1.0; blocks];
    let room = vec![blocks as f64; speeds.len()];
    TierPartition::new(&ones, &ones, speeds, &room).expect("a valid problem")
}
