//! The greatest rate that any plan lets pass: the least longest stage.
//!
//! The dynamic program of the paper with another value: for a set of devices, a layer and the last device, the least
//! possible length of the longest stage so far. It is no larger for a stage with fewer layers, and nothing of the past
//! matters but the set and the last device, so the least value of each state is enough.

use super::costs::TokenCosts;
use crate::cold_start::dp;
use crate::cold_start::search::costs::{StageCosts, members};
use engine::problem::ColdStart;

/// Result of the search for the highest rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Greatest {
    /// The largest token rate of any plan that fits [tokens/s].
    Rate(f64),
    /// No plan fits at all.
    NoPlan,
    /// The problem is too large to solve in passing, or has no answer to plan for.
    Unknown,
}

/// The greatest rate of a full pipeline [token/s].
///
/// # Complexity
/// O(K² L² 2^K) time and O(K L 2^K) memory; nothing where that is not quick.
#[must_use]
pub fn greatest_rate(problem: &ColdStart) -> Greatest {
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let is_small = dp::is_quick(devices, layers) && StageCosts::are_affordable(devices, layers);
    let Some(tokens) = TokenCosts::new(problem).filter(|_| is_small) else {
        return Greatest::Unknown;
    };
    let costs = StageCosts::new(problem);
    let side = layers + 1;
    let at = |set: u32, last: usize| (set as usize * devices + last) * side;
    let mut table = vec![f64::INFINITY; (devices << devices) * side];
    let mut least = f64::INFINITY;
    for set in 1..1_u32 << devices {
        for last in members(set) {
            let rest = set & !(1 << last);
            let mut row = vec![f64::INFINITY; side];
            if rest == 0 {
                let times = tokens.time(last, 0).iter().enumerate();
                let reach = costs.reach(last, 0);
                for (end, time) in times.take(reach + 1).skip(1) {
                    row[end] = time + tokens.receive(None, last, 0, end);
                }
            }
            for before in members(rest) {
                let from = &table[at(rest, before)..][..side];
                for (cut, value) in from.iter().enumerate().take(layers).skip(1) {
                    if *value == f64::INFINITY {
                        continue;
                    }
                    let (time, hop) = (tokens.time(last, cut), tokens.hops(before, last)[cut]);
                    for end in cut + 1..=costs.reach(last, cut) {
                        row[end] = row[end].min(value.max(time[end] + hop));
                    }
                }
            }
            least = least.min(row[layers]);
            table[at(set, last)..][..side].copy_from_slice(&row);
        }
    }
    if least < f64::INFINITY {
        Greatest::Rate(1.0 / least)
    } else {
        Greatest::NoPlan
    }
}
