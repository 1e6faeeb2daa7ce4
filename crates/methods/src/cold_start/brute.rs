//! Every plan there is, scored by the referee: the oracle for tiny problems.

use engine::evaluate::score;
use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;

/// The best plan that fits its memories, and its T [s]; `None` when none fits.
///
/// # Complexity
/// O(K! 2^L L): for K up to 4 and L up to 7.
#[must_use]
pub fn best(problem: &ColdStart) -> Option<(Pipeline, f64)> {
    let may_follow = |plan: &[Stage], device| plan.iter().all(|stage| stage.device != device);
    let mut best = None;
    extend(problem, &may_follow, &mut Pipeline::new(), &mut best);
    best
}

/// The best plan that fits and uses its devices in this order, any of which may be left out.
///
/// # Complexity
/// O(2^(K + L) L): for K up to 6 and L up to 7.
#[must_use]
pub fn best_in_order(problem: &ColdStart, order: &[usize]) -> Option<(Pipeline, f64)> {
    let rank = |device: usize| order.iter().position(|other| *other == device);
    let may_follow =
        |plan: &[Stage], device| plan.last().is_none_or(|s| rank(s.device) < rank(device));
    let mut best = None;
    extend(problem, &may_follow, &mut Pipeline::new(), &mut best);
    best
}

fn extend(
    problem: &ColdStart,
    may_follow: &impl Fn(&[Stage], usize) -> bool,
    plan: &mut Pipeline,
    best: &mut Option<(Pipeline, f64)>,
) {
    let layers = problem.layers().len();
    let first = plan.last().map_or(1, |stage| stage.last + 1);
    if first > layers {
        let scored = score(problem, plan).expect("only whole plans are scored");
        if scored.mem_ok && best.as_ref().is_none_or(|(_, total)| scored.total < *total) {
            *best = Some((plan.clone(), scored.total));
        }
        return;
    }
    for device in 0..problem.machines().len() {
        if !may_follow(plan, device) {
            continue;
        }
        for last in first..=layers {
            plan.push(Stage {
                device,
                first,
                last,
            });
            extend(problem, may_follow, plan, best);
            plan.pop();
        }
    }
}
