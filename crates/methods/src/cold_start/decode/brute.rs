//! Every plan there is, in decoding: the oracle for tiny problems.

use engine::evaluate::{score, score_decode};
use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;

/// A plan that fits, and what the referee says of it.
#[derive(Debug, Clone, PartialEq)]
#[allow(non_snake_case)]
pub struct BruteResult {
    /// The plan.
    pub plan: Pipeline,
    /// Time to the first answer [s].
    pub T: f64,
    /// Time from token to token [s].
    pub D: f64,
    /// Its longest stage [s].
    pub busiest: f64,
    /// T + G D [s].
    pub total: f64,
}

/// All plans that fit their memories; empty where none does, or where there is no answer to plan for.
///
/// # Complexity
/// O(K! 2^L L): for K up to 4 and L up to 7.
#[must_use]
pub fn all(problem: &ColdStart) -> Vec<BruteResult> {
    let mut found = Vec::new();
    extend(problem, &mut Pipeline::new(), &mut found);
    found
}

fn extend(problem: &ColdStart, plan: &mut Pipeline, found: &mut Vec<BruteResult>) {
    let layers = problem.layers().len();
    let first = plan.last().map_or(1, |stage| stage.last + 1);
    if first > layers {
        let scored = score(problem, plan).expect("only whole plans are scored");
        let decode = score_decode(problem, plan).expect("only whole plans are scored");
        if let Some(decode) = decode.filter(|_| scored.mem_ok) {
            found.push(BruteResult {
                plan: plan.clone(),
                T: scored.total,
                D: decode.D,
                busiest: decode.busiest,
                total: decode.total,
            });
        }
        return;
    }
    for device in 0..problem.machines().len() {
        if plan.iter().any(|stage| stage.device == device) {
            continue;
        }
        for last in first..=layers {
            plan.push(Stage {
                device,
                first,
                last,
            });
            extend(problem, plan, found);
            plan.pop();
        }
    }
}
