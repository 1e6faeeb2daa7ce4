//! For one operator after another the best subset of the devices (CoEdge: Zeng et al., IEEE/ACM ToN 29(2), 2021, as
//! MemoriaNova compares itself with it).
//!
//! Each operator is split in proportion to speed over every subset of the devices; the one that is done soonest stays,
//! given what was chosen for the operators before. Convolutions go by height. A subset that puts any device over its limit
//! of memory is passed over; where all do, the operator is split over all devices and the plan breaks the limits.

use crate::operators::split::{SplitTask, marks};
use engine::evaluate::slices::LiveMemory;
use engine::plan::{Marks, Partition};
use engine::problem::{Code, Invalid};
use std::collections::BTreeMap;

/// The most devices: every subset of them is looked at, for every operator.
pub const MOST_DEVICES: usize = 16;
/// How much sooner a later subset has to be [ms].
const SOONER: f64 = 1e-12;
/// The most marks that are kept between operators of the same length.
const MOST_KEPT: usize = 1 << 22;

/// A plan of one subset for each operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoEdge {
    /// The plan.
    pub plan: Partition,
    /// True if every operator has a subset that keeps the memory limits.
    pub fits: bool,
}

/// The splits over all subsets of the devices of operators of one length: those that differ, in the order of the subsets.
struct Splits {
    marks: Vec<u32>,
}

impl Splits {
    fn new(length: u32, factors: &[f64]) -> Self {
        let width = factors.len() + 1;
        let mut row = vec![0; width];
        let mut seen = std::collections::BTreeSet::new();
        let mut all = Vec::new();
        for among in 1..=u64::MAX >> (64 - factors.len()) {
            marks(length, factors, among, &mut row);
            // Short operators come to the same split over many subsets. The first one stands for all.
            if seen.insert(row.clone()) {
                all.extend_from_slice(&row);
            }
        }
        Self { marks: all }
    }
}

/// Makes the plan.
///
/// # Errors
/// More than [`MOST_DEVICES`] devices.
///
/// # Complexity
/// O((operators + operands) × devices × 2^devices); of an operator only those subsets are looked at whose computing alone
/// is quicker than the best so far, and of subsets that come to the same split the first.
pub fn coedge(task: &SplitTask<'_>) -> Result<CoEdge, Invalid> {
    coedge_until(task, || true).map(|found| found.expect("nobody ended it"))
}

/// Runs CoEdge; `None` if `goes_on` returns false before every operator has its split.
///
/// # Errors
/// As [`coedge`].
///
/// # Complexity
/// As [`coedge`]; `goes_on` is asked once for each operator.
pub fn coedge_until(
    task: &SplitTask<'_>,
    mut goes_on: impl FnMut() -> bool,
) -> Result<Option<CoEdge>, Invalid> {
    let slices = &task.slices;
    let graph = slices.graph();
    let devices = slices.devices();
    if devices > MOST_DEVICES {
        let message = format!(
            "CoEdge looks at every subset of the devices and takes at most {MOST_DEVICES}; cflops has {devices}"
        );
        return Err(Invalid::new(Code::Range, "cflops", devices, message));
    }
    let (factors, limits) = (slices.fleet().factors(), slices.fleet().limits());
    let is_limited = limits.iter().any(|limit| limit.is_finite());
    let dims = slices.by_height();
    let lengths = slices.lengths(&dims);
    let width = devices + 1;
    let mut cuts = Marks::on_one(&lengths, devices, 0);
    let mut held = LiveMemory::new(graph, &task.order, devices)?;
    let mut kept: BTreeMap<u32, Splits> = BTreeMap::new();
    let mut kept_marks = 0;
    let mut fits = true;
    let mut best_row = vec![0; width];
    for (step, v) in task.order.iter().map(|v| *v as usize).enumerate() {
        if !goes_on() {
            return Ok(None);
        }
        let length = lengths[v];
        if is_limited {
            held.enter(graph, step, |u, k| {
                let of = cuts.of(u);
                ((of[k], of[k + 1]), lengths[u])
            });
        }
        let in_place = task.trace.in_place[step];
        let (base, slope) = slices.times(v);
        if !kept.contains_key(&length) {
            let splits = Splits::new(length, factors);
            if kept_marks + splits.marks.len() > MOST_KEPT {
                kept.clear();
                kept_marks = 0;
            }
            kept_marks += splits.marks.len();
            kept.insert(length, splits);
        }
        let splits = &kept[&length];
        let mut best = f64::INFINITY;
        for row in splits.marks.chunks_exact(width) {
            // Receiving takes no less than nothing: what computing alone forbids need not be looked at.
            let beaten = row.windows(2).enumerate().any(|(k, ends)| {
                let share = f64::from(ends[1] - ends[0]) / f64::from(length);
                let ms = slices.fleet().compute_ms(k, base + share * slope);
                ends[0] < ends[1] && ms >= best - SOONER
            });
            if beaten {
                continue;
            }
            cuts.of_mut(v).copy_from_slice(row);
            let ms = slices.operator(v, &dims, &cuts).ms;
            if ms >= best - SOONER {
                continue;
            }
            let holds = !is_limited
                || limits.iter().enumerate().all(|(k, limit)| {
                    held.live(k) + slices.operator_memory(v, k, in_place, &dims, &cuts) <= *limit
                });
            if holds {
                best = ms;
                best_row.copy_from_slice(row);
            }
        }
        if best.is_finite() {
            cuts.of_mut(v).copy_from_slice(&best_row);
        } else {
            fits = false;
            marks(length, factors, u64::MAX, cuts.of_mut(v));
        }
    }
    Ok(Some(CoEdge {
        plan: Partition { dims, cuts },
        fits,
    }))
}
