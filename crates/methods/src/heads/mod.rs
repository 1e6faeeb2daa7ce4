//! Attention heads on devices: which device hosts each head of a decoder layer with its cache, and which hosts proj and ffn.
//!
//! Given free memory, free compute and links of an interval in which nothing changes, and the placement before it, choose a
//! device for each of the h + 2 blocks so that J = w D_T + D_mig is least and every device holds its blocks: w tokens of
//! delay D_T each, and the moves D_mig.
//!
//! Source: Kafetzis, Khalili, Koutsopoulos, "Large Language Model Partitioning for Low-Latency Inference at the Edge",
//! sections III and IV. The paper's own method is [`algorithm1`]; its exact solver tries all V^(h+2) placements and so
//! stops at four devices. Ours is exact by counting ([`exact`]): heads are alike, so only how many are where matters, and
//! 32 heads on 25 devices take well under a millisecond.
//!
//! Differs from the paper, which leaves much open: equation (6) has no time for proj and ffn, so there are two delays
//! ([`engine::problem::head_sizes::Delay`]); what Table I gets wrong is in [`engine::problem::head_sizes`]; the compute
//! limit belongs to Algorithm 1 alone, as the objective has only memory for a constraint. The interval is planned for its
//! last token, when caches are largest. The paper's plans keep proj and ffn on one device each and are compared with Galaxy,
//! which does not; [`split`] is exact in a class that holds both kinds.
//! Try: `edgewise solve head-placement` with two heads of width 2, one byte a value, a prompt of one token, n = 1, C = (100, 50)
//! and all rates 10; expect all blocks on the first device and J = 4.

pub mod ahead;
pub mod algorithm1;
pub mod baseline;
pub mod branch_and_bound;
pub mod brute;
pub mod costs;
pub mod exact;
pub mod galaxy;
mod infeasible;
pub mod layers;
pub mod run;
pub mod split;
mod sweep;

pub use infeasible::{Cause, Infeasible, Part, Repair};

use costs::HeadCosts;
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;
use engine::solve::{Ended, NoPlan, Progress, SearchEvent, Solved, StopReason};
use exact::HeadSolver;

/// The placement with the least J, proved.
///
/// `progress` receives a step for every level of every sweep, and may end the search.
///
/// # Errors
/// [`NoPlan::Infeasible`] with a proved cause and the least repair; [`NoPlan::Stopped`] when `progress` ended it before a
/// placement was found.
///
/// # Complexity
/// O(V^2 h) for the bounds, then O(V^2) to O(V^3) for each head that is pushed.
pub fn solve(
    problem: &HeadPlacement,
    progress: &mut impl Progress<Placement>,
) -> Result<Solved<Placement>, NoPlan<Infeasible>> {
    let costs = HeadCosts::of(problem);
    let mut solver = HeadSolver::new();
    let mut done = 0;
    let search = solver.search(&costs, 1, &mut || {
        let step = SearchEvent::Step { done, of: None };
        done += 1;
        progress.report(step).is_continue()
    });
    match solver.results().first() {
        Some(best) => Ok(Solved {
            plan: costs.place(best),
            claimed: best.value,
            bound: Some(search.bound),
            ended: if search.complete {
                Ended::Optimal
            } else {
                Ended::Stopped(StopReason::Cancelled)
            },
        }),
        None if search.complete => Err(NoPlan::Infeasible(infeasible::proof(problem))),
        None => Err(NoPlan::Stopped(StopReason::Cancelled)),
    }
}
