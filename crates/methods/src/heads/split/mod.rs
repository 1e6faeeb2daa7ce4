//! The exact plan of one interval in a wider class: whole blocks as the paper has them, or the layer split over a group of
//! devices as Galaxy does it.
//!
//! Differs from the paper, whose plans keep proj and ffn on one device each. A plan of this class is either such a placement,
//! or a split: any group of two or more devices, its ring in order of devices; any number of whole heads on each of them; and
//! the columns of proj and ffn shared out in proportion to the free compute of the group, or left as they were where the group
//! is the one in force. Proj and ffn are split together or not at all. What a split costs is in
//! [`engine::evaluate::heads_split`]: Galaxy's own figure for Galaxy's own plan, which is one of the class, and its moves
//! besides. So the best of the class is no slower in J than the best placement and than Galaxy on any number of devices.
//!
//! How it is found. Placements are searched by [`super::exact`]. A group with C operations/s together has, with the work W of
//! a token, D_T >= input + 2 rings + W / C, whatever its heads; so the search is over the slowest input and the slowest link of
//! the ring, a box of both at a time, best bound first. In a box the largest C is that of a path through devices in order over
//! links that are quick enough, by dynamic programming, O(V^2); after a split, devices are worth what leaving them would cost
//! besides, W / C being replaced by its tangent, which is below it. A box of one input and one link is walked: its rings are
//! extended device by device, as long as the bound of the rest allows. A group that is left is solved by counting: the
//! least level of its heads is the h-th smallest time n b / C_j within what memory holds, and where heads have to move a sweep
//! over levels ([`super::sweep`]) has the cheapest moves of each.
//!
//! Complexity: O(V^2) a box and O(V) a device of a walk; in the worst case there are as many walks as groups, 2^V. The paper's
//! networks of 25 devices take some dozens of boxes. A search that is ended keeps the best plan so far, and its bound holds.

mod groups;
mod walk;

use super::costs::HeadCosts;
use super::exact;
use engine::plan::{HeadSplit, Layout};
use engine::problem::heads::HeadPlacement;
use engine::solve::{Ended, NoPlan, Progress, SearchEvent, Solved, StopReason};
use groups::{BestGroup, Groups};
use walk::GroupPaths;

/// How a search of the class ended.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSearch {
    /// The best plan with its J as the solver adds it up [s]; none where nothing was found.
    pub best: Option<(Layout, f64)>,
    /// True if the search was complete: nothing in the class is better then, and no result proves that there is no plan.
    pub complete: bool,
    /// No plan of the class is better than this [s]; infinite where there is none.
    pub bound: f64,
    /// Number of evaluations: V^2 for a box, V for each device of a path, V h for a group.
    pub looks: u64,
}

/// A workspace that a run keeps between its steps.
#[derive(Debug, Default)]
pub struct SplitSolver {
    whole: exact::HeadSolver,
    held: BestGroup,
    walk: GroupPaths,
}

impl SplitSolver {
    /// A workspace without anything in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The best plan of an interval. `before` is the split that was in force, where the layer was split; `go_on` receives how
    /// much has been looked at, and `false` ends the search with what it has. Of equal plans the first found is kept,
    /// placements first.
    pub fn search(
        &mut self,
        problem: &HeadPlacement,
        before: Option<&HeadSplit>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> SplitSearch {
        let costs = HeadCosts::after(problem, before);
        let whole = self.whole.search(&costs, 1, &mut || go_on(0));
        let mut best = self.whole.results().first().map(|found| {
            let layout = Layout::Blocks(costs.place(found));
            (layout, found.value)
        });
        if !whole.complete {
            return SplitSearch {
                best,
                complete: false,
                // Splits have not been looked at.
                bound: f64::NEG_INFINITY,
                looks: 0,
            };
        }
        let groups = Groups::of(problem, before, costs);
        let cutoff = best.as_ref().map_or(f64::INFINITY, |(_, value)| *value);
        self.held.clear(cutoff);
        if let Some(split) = before {
            groups.offer(&mut self.held, &split.devices, &split.share);
        }
        let walked = self.walk.through(&groups, &mut self.held, go_on);
        if let Some(found) = self.held.take_result() {
            best = Some((Layout::Split(groups.split(&found)), found.value));
        }
        let value = best.as_ref().map_or(f64::INFINITY, |(_, value)| *value);
        SplitSearch {
            best,
            complete: walked.bound.is_none(),
            bound: walked.bound.unwrap_or(value).min(value),
            looks: walked.looks,
        }
    }
}

/// The best plan of the class, proved.
///
/// # Errors
/// [`NoPlan::Infeasible`] where the class has no plan; [`NoPlan::Stopped`] when `progress` ended the search before a plan was
/// found.
pub fn solve(
    problem: &HeadPlacement,
    progress: &mut impl Progress<engine::plan::Placement>,
) -> Result<Solved<Layout>, NoPlan<NoLayout>> {
    let mut done = 0;
    let search = SplitSolver::new().search(problem, None, &mut |_| {
        let step = SearchEvent::Step { done, of: None };
        done += 1;
        progress.report(step).is_continue()
    });
    match search.best {
        Some((plan, claimed)) => Ok(Solved {
            plan,
            claimed,
            bound: search.bound.is_finite().then_some(search.bound),
            ended: if search.complete {
                Ended::Optimal
            } else {
                Ended::Stopped(StopReason::Cancelled)
            },
        }),
        None if search.complete => Err(NoPlan::Infeasible(NoLayout)),
        None => Err(NoPlan::Stopped(StopReason::Cancelled)),
    }
}

/// Neither a placement nor a split fits and comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoLayout;

impl std::fmt::Display for NoLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "no placement of whole blocks and no split over a group of devices fits and comes to an end",
        )
    }
}
