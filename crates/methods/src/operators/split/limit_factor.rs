//! Limits that no split was found for: by how much they would have to grow.
//!
//! All limits grow by one common factor; the dimensions of the rule and the parts that it allows go with them. From below
//! there is a proof: while an operator runs, the devices together hold every live output once, every live input of the graph
//! once each, the operator's weights at least once and its output, and each of them holds every live input. Who makes rows
//! of an operator holds all of its weights: where nothing but rows can be made, one device must have room for them. From above
//! there are splits: the best so far needs a certain factor, and a search with limits between that and what has failed either
//! finds one that needs less or moves the lower end, which proves nothing.

use super::{Effort, SplitTask, best, library};
use engine::evaluate::operators::lifetimes;
use engine::evaluate::slices::SliceClass;
use engine::plan::{Dim, Partition};
use engine::solve::{Progress, SearchEvent};
use std::ops::ControlFlow;

/// How close the search comes to the least factor it can find.
const CLOSE: f64 = 1.005;
/// The most searches.
const SEARCHES: usize = 12;
/// Beyond this no factor is looked for.
const MOST: f64 = 1e9;
/// Room for rounding in what devices hold together, as a share of it.
const ROUNDING: f64 = 1e-9;

/// Limits that would do.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitFactor {
    /// The least factor for which a split was found.
    pub factor: f64,
    /// The limits: the given ones times the factor, whole bytes, rounded up.
    pub limits: Vec<f64>,
    /// A split that keeps them.
    pub plan: Partition,
}

/// No split keeps less than this multiple of all limits. Above 1 the limits are too small for any split.
///
/// # Complexity
/// O(operators × the longest life of a tensor).
#[must_use]
pub fn least_factor(task: &SplitTask<'_>) -> f64 {
    let (slices, graph) = (&task.slices, task.slices.graph());
    let (n, devices) = (graph.len(), slices.devices() as f64);
    let limits = slices.fleet().limits();
    let together: f64 = limits.iter().sum();
    let smallest = limits.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = limits.iter().copied().fold(0.0, f64::max);
    let mut outputs = vec![0.0; n];
    let mut inputs = vec![0.0; n];
    for life in lifetimes(graph, &task.order).expect("the order of a task is one") {
        let t = life.tensor as usize;
        let bytes = graph.bytes(t) as f64;
        if t < n {
            // The step that makes it is counted with its own output.
            for step in life.from + 1..=life.to {
                outputs[step as usize] += bytes;
            }
        } else {
            for step in life.from..=life.to {
                inputs[step as usize] += bytes;
            }
        }
    }
    let mut least = 0.0f64;
    for (step, v) in task.order.iter().map(|v| *v as usize).enumerate() {
        let own = if task.trace.in_place[step] {
            0.0
        } else {
            graph.op(v).out as f64
        };
        let all = outputs[step] + devices * inputs[step] + slices.weights(v) + own;
        let is_rows = |dim: Dim| slices.class(v, dim) == SliceClass::Row;
        let by_rows = match &task.fixed {
            Some(dims) => is_rows(dims[v]),
            None => slices.choices(v).all(is_rows),
        };
        let one = if by_rows {
            slices.weights(v) + inputs[step]
        } else {
            0.0
        };
        for (held, room) in [(all, together), (inputs[step], smallest), (one, largest)] {
            if held > 0.0 {
                least = least.max(held * (1.0 - ROUNDING) / room);
            }
        }
    }
    least
}

/// Returns the factor on the limits that a plan needs.
fn needed(task: &SplitTask<'_>, plan: &Partition) -> f64 {
    let score = task.score(plan);
    let limits = task.slices.fleet().limits();
    let each = score.peak_bytes.iter().zip(limits);
    let needed = each.map(|(held, limit)| if *held > 0.0 { held / limit } else { 0.0 });
    needed.fold(0.0, f64::max)
}

/// The task with its limits times a factor, rounded up to whole bytes.
fn grown<'a>(task: &SplitTask<'a>, factor: f64) -> SplitTask<'a> {
    let limits = task.slices.fleet().limits().iter();
    let limits = limits.map(|limit| libm::ceil(limit * factor));
    let slices = task.slices.with_limits(limits.collect());
    SplitTask::new(slices, task.order.clone(), task.dim_policy.clone())
        .expect("only the limits are other")
}

/// Returns true if a plan keeps the limits times a factor, with a tolerance.
fn fits(task: &SplitTask<'_>, factor: f64, plan: &Partition) -> bool {
    factor < MOST && grown(task, factor).score(plan).is_feasible()
}

/// The least multiple of the limits, `floor` or above, that a plan keeps, where it is below `most`.
///
/// # Complexity
/// O(log(log(most))) scores.
fn kept_from(task: &SplitTask<'_>, plan: &Partition, floor: f64, most: f64) -> Option<f64> {
    let first = needed(task, plan).max(floor);
    // More parts than allowed need more room than the parts themselves.
    let after = |steps: u32| (0..steps).fold(first, |factor, _| factor * CLOSE);
    let ends = |steps: u32| {
        let factor = after(steps);
        factor >= most || fits(task, factor, plan)
    };
    let mut enough = 0;
    let mut short = None;
    while !ends(enough) {
        short = Some(enough);
        enough = 2 * enough + 1;
    }
    while let Some(last) = short.filter(|last| last + 1 < enough) {
        let middle = last + (enough - last) / 2;
        if ends(middle) {
            enough = middle;
        } else {
            short = Some(middle);
        }
    }
    Some(after(enough)).filter(|factor| *factor < most)
}

/// By what the limits of a task would have to be multiplied for a plan to keep them: 1 if it does. `None` where no factor
/// helps, as of a limit of 0.
///
/// # Complexity
/// A score, and some more of a plan that breaks limits.
#[must_use]
pub fn factor(task: &SplitTask<'_>, plan: &Partition) -> Option<f64> {
    if task.score(plan).is_feasible() {
        return Some(1.0);
    }
    kept_from(task, plan, 1.0, MOST)
}

/// Looks for the least factor for which there is a split; `known` are plans that break limits by little. `None` where no
/// factor helps, as of a limit of 0. A search that is ended answers with what it has, of `known` at least.
///
/// # Complexity
/// A dozen searches of `effort`.
pub fn least_room(
    task: &SplitTask<'_>,
    known: &[Partition],
    effort: &Effort,
    progress: &mut impl Progress<Partition>,
) -> Option<LimitFactor> {
    let mut goes_on = || {
        progress
            .report(SearchEvent::Step { done: 0, of: None })
            .is_continue()
    };
    let floor = least_factor(task);
    let mut best_so_far: Option<(f64, Partition)> = None;
    for (at, plan) in known
        .iter()
        .cloned()
        .chain(library::seeds(task))
        .enumerate()
    {
        if at >= known.len() && !goes_on() {
            break;
        }
        let limit = best_so_far.as_ref().map_or(MOST, |(known, _)| *known);
        if let Some(factor) = kept_from(task, &plan, floor, limit) {
            best_so_far = Some((factor, plan));
        }
    }
    let (mut high, mut plan) = best_so_far?;
    let mut low = floor;
    for _ in 0..SEARCHES {
        if high <= low * CLOSE || !goes_on() {
            break;
        }
        let middle = 0.5 * (low + high);
        let task = &grown(task, middle);
        let mut listen = |_: SearchEvent<'_, Partition>| match goes_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let found = best(task, effort, 1, &mut listen);
        if found.is_feasible {
            high = middle;
            plan = found.plan;
        } else {
            low = middle;
        }
    }
    // The last plan may need less than the limits it was looked for with.
    let own = needed(task, &plan).max(floor);
    if own < high && fits(task, own, &plan) {
        high = own;
    }
    let limits = grown(task, high).slices.fleet().limits().to_vec();
    Some(LimitFactor {
        factor: high,
        limits,
        plan,
    })
}
