//! One level of the search: every label gets one more stage.
//!
//! The work goes by the sets that come out. For a set S and its last device e, the labels of S without e are the only ones
//! to look at, and their extensions meet in one short row over the layers: merging costs nothing and needs no hash table.
//! Which layers of that row can still lead to a plan below the ceiling is known before it is filled, from the relaxation
//! alone ([`super::relax`]), so most extensions are never made.
//!
//! Dominance inside a set, as in section 11.1 of the method's description: a label goes if another one is done no later
//! with the same layers and hands over no more slowly; with identical layers also if it has done more.
//! Of identical devices an earlier one is used first.

use super::costs::StageCosts;
use super::frontier::{Goal, LabelFrontier, NO_DEVICE};
use super::relax::Relaxation;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A part of the next level: the sets of one share, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extended {
    /// Labels that can still lead to a plan below the ceiling.
    pub labels: LabelFrontier,
    /// For each label what is left to the ceiling by its bound [s].
    pub slack: Vec<f32>,
    /// The best whole plan, the first in order of sets and devices.
    pub goal: Option<Goal>,
    /// Sets that were looked at.
    pub sets: u64,
}

/// A label of one set is extended by one device: the set that comes out, the device, and where the label's set stands.
struct Origin {
    set: u32,
    device: u8,
    from: u32,
}

/// A share of the sets that come out of a level: `at` of `of`, all about equally much work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelShare {
    /// Which one, from 0.
    pub at: u32,
    /// Of how many.
    pub of: u32,
}

impl LevelShare {
    /// All of it.
    pub const ALL: Self = Self { at: 0, of: 1 };
}

/// Bits of a set that tell shares apart.
const SHARE_BITS: u32 = 12;

/// Extends the labels of a level. `ceiling` is no larger than that of the relaxation; plans as slow are not asked for.
/// `None` if the listener, which receives the number of sets visited, cancels.
///
/// # Complexity
/// O(labels × devices left × layers of a stage) time and O(labels that come out) memory.
pub fn extend(
    costs: &StageCosts,
    relaxation: &Relaxation,
    ceiling: f64,
    level: &LabelFrontier,
    share: LevelShare,
    on_progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Extended> {
    let origins = origins(costs, level, share);
    let mut row = Row::new(costs);
    let mut extended = Extended::default();
    let mut rows: Vec<DeviceLabels> = Vec::new();
    let everybody = u32::MAX >> (32 - costs.devices as u32);
    for of_set in origins.chunk_by(|a, b| a.set == b.set) {
        let set = of_set[0].set;
        let rest = everybody & !set;
        let state = relaxation.prices.state(rest);
        rows.clear();
        for origin in of_set {
            let device = usize::from(origin.device);
            let tails = relaxation.tails(device, state);
            row.begin(ceiling, relaxation, tails);
            row.reach_from(costs, level, origin.from as usize, device);
            if let Some(total) = row.complete_time() {
                let goal = Goal {
                    total,
                    set,
                    last: origin.device,
                };
                let is_better = |best: Goal| goal.total < best.total;
                if extended.goal.is_none_or(is_better) {
                    extended.goal = Some(goal);
                }
            }
            let found = row.labels_in_time(origin.device, costs.way_out(device, rest));
            if !found.labels.is_empty() {
                rows.push(found);
            }
        }
        if costs.same_layers {
            dominate_any(&mut rows);
        } else {
            dominate_same(&mut rows);
        }
        for found in &rows {
            for label in found.labels.iter().filter(|label| label.is_kept) {
                extended.labels.done.push(label.done);
                extended.labels.finish.push(label.finish);
                extended.slack.push(label.slack);
            }
            extended.labels.end_row(found.device);
        }
        extended.labels.end_set(set);
        extended.sets += 1;
        if on_progress(extended.sets).is_break() {
            return None;
        }
    }
    Some(extended)
}

/// Which set comes from which, in order of the set that comes out, then of the device.
fn origins(costs: &StageCosts, level: &LabelFrontier, share: LevelShare) -> Vec<Origin> {
    let may_follow = |set: u32, device: usize| {
        set >> device & 1 == 0 && costs.twin[device].is_none_or(|twin| set >> twin & 1 == 1)
    };
    let shift = (costs.devices as u32).saturating_sub(SHARE_BITS);
    let (low, high) = if share.of == 1 {
        (0, u32::MAX)
    } else {
        let mut counts = vec![0_u64; 1 << (costs.devices as u32 - shift)];
        for (at, &set) in level.sets.iter().enumerate() {
            let labels =
                level.labels(level.rows(at).end - 1).end - level.labels(level.rows(at).start).start;
            for device in (0..costs.devices).filter(|k| may_follow(set, *k)) {
                counts[((set | 1 << device) >> shift) as usize] += labels as u64;
            }
        }
        let all: u64 = counts.iter().sum();
        let bound = |part: u32| {
            let goal = all * u64::from(part) / u64::from(share.of);
            let mut sum = 0;
            let before = counts.iter().take_while(|count| {
                sum += **count;
                sum <= goal
            });
            before.count() as u32
        };
        let last = share.at + 1 == share.of;
        let high = if last {
            counts.len() as u32
        } else {
            bound(share.at + 1)
        };
        let low = if share.at == 0 { 0 } else { bound(share.at) };
        (low, high)
    };
    let mut origins = Vec::new();
    for device in 0..costs.devices {
        // Adding one device to ascending sets leaves them ascending: runs, which the sort below merges.
        for (at, &set) in level.sets.iter().enumerate() {
            let after = set | 1 << device;
            let part = after >> shift;
            let is_mine = share.of == 1 || (low <= part && part < high);
            if is_mine && may_follow(set, device) {
                origins.push(Origin {
                    set: after,
                    device: device as u8,
                    from: at as u32,
                });
            }
        }
    }
    origins.sort_by_key(|origin| (origin.set, origin.device));
    origins
}

/// Labels found for one last device of a set.
struct DeviceLabels {
    device: u8,
    way_out: f64,
    labels: Vec<Label>,
}

struct Label {
    done: u16,
    finish: f64,
    slack: f32,
    is_kept: bool,
}

/// The row of a set and its last device, over the layers done.
struct Row {
    layers: usize,
    /// When a label must be done at the latest.
    latest: Vec<f64>,
    finish: Vec<f64>,
    /// Layers outside of this cannot lead to a plan.
    first: usize,
    last: usize,
}

impl Row {
    fn new(costs: &StageCosts) -> Self {
        Self {
            layers: costs.layers,
            latest: vec![0.0; costs.layers + 1],
            finish: vec![f64::INFINITY; costs.layers + 1],
            first: 1,
            last: 0,
        }
    }

    fn begin(&mut self, ceiling: f64, relaxation: &Relaxation, tails: &[f32]) {
        for (latest, tail) in self.latest.iter_mut().zip(tails) {
            *latest = ceiling - relaxation.safe(*tail);
        }
        let is_open = |latest: &f64| *latest > 0.0;
        let after_the_first = self.latest.iter().skip(1).position(is_open);
        self.first = after_the_first.map_or(self.layers + 1, |at| at + 1);
        self.last = self.latest.iter().rposition(is_open).unwrap_or(0);
        if self.first <= self.last {
            self.finish[self.first..=self.last].fill(f64::INFINITY);
        }
    }

    /// Extends every label of a set by a stage on `device`.
    fn reach_from(
        &mut self,
        costs: &StageCosts,
        level: &LabelFrontier,
        from: usize,
        device: usize,
    ) {
        if self.first > self.last {
            return;
        }
        for row in level.rows(from) {
            let before = level.last[row];
            let hops = (before != NO_DEVICE).then(|| costs.hops(usize::from(before), device));
            let labels = level.labels(row);
            let finishes = &level.finish[labels.clone()];
            for (&cut, &finish) in level.done[labels].iter().zip(finishes) {
                let cut = usize::from(cut);
                let first = self.first.max(cut + 1);
                let last = self.last.min(costs.reach_after(before, device, cut));
                if first > last {
                    continue;
                }
                let hop = hops.map_or(0.0, |hops| hops[cut]);
                let load = &costs.load(device, cut)[first..=last];
                let comp = &costs.comp(device, cut)[first..=last];
                add_stage(&mut self.finish[first..=last], finish, load, hop, comp);
            }
        }
    }

    /// T of a whole plan below the ceiling.
    fn complete_time(&self) -> Option<f64> {
        let is_open = self.first <= self.last && self.last == self.layers;
        let total = if is_open {
            self.finish[self.layers]
        } else {
            f64::INFINITY
        };
        // Nothing is left to do, so the latest time is the ceiling itself.
        (total < self.latest[self.layers]).then_some(total)
    }

    /// The labels that are in time.
    fn labels_in_time(&self, device: u8, way_out: f64) -> DeviceLabels {
        let mut labels = Vec::new();
        for done in self.first..=self.last.min(self.layers - 1) {
            let slack = self.latest[done] - self.finish[done];
            if slack > 0.0 {
                labels.push(Label {
                    done: done as u16,
                    finish: self.finish[done],
                    slack: slack as f32,
                    is_kept: true,
                });
            }
        }
        DeviceLabels {
            device,
            way_out,
            labels,
        }
    }
}

/// Equations (17) and (18) over the layers a stage may end at: the hot loop, which vectorises.
#[inline(never)]
fn add_stage(least: &mut [f64], before: f64, load: &[f64], hop: f64, comp: &[f64]) {
    for ((least, load), comp) in least.iter_mut().zip(load).zip(comp) {
        let start = if *load > before { *load } else { before };
        let value = start + hop + comp;
        *least = if value < *least { value } else { *least };
    }
}

/// Returns true if labels of `a` may be dominated by those of `b`; of equal labels the first stays.
fn may_dominate(rows: &[DeviceLabels], a: usize, b: usize) -> bool {
    let (own, other) = (rows[a].way_out, rows[b].way_out);
    a != b && (other > own || (other == own && b < a))
}

/// Drops labels that another one with the same layers dominates. O(rows² × layers).
fn dominate_same(rows: &mut [DeviceLabels]) {
    for a in 0..rows.len() {
        for b in 0..rows.len() {
            if !may_dominate(rows, a, b) {
                continue;
            }
            let (own, other) = two(rows, a, b);
            let mut at = 0;
            for label in own {
                while at < other.len() && other[at].done < label.done {
                    at += 1;
                }
                if let Some(rival) = other.get(at)
                    && rival.done == label.done
                    && rival.finish <= label.finish
                {
                    label.is_kept = false;
                }
            }
        }
    }
}

/// With identical layers: drops labels that another one with as many or more layers dominates. O(rows² × layers).
fn dominate_any(rows: &mut [DeviceLabels]) {
    for found in rows.iter_mut() {
        let mut least = f64::INFINITY;
        for label in found.labels.iter_mut().rev() {
            label.is_kept = label.finish < least;
            least = least.min(label.finish);
        }
    }
    for a in 0..rows.len() {
        for b in 0..rows.len() {
            if !may_dominate(rows, a, b) {
                continue;
            }
            let (own, other) = two(rows, a, b);
            let mut at = other.len();
            let mut least = f64::INFINITY;
            for label in own.iter_mut().rev() {
                while at > 0 && other[at - 1].done >= label.done {
                    at -= 1;
                    least = least.min(other[at].finish);
                }
                if least <= label.finish {
                    label.is_kept = false;
                }
            }
        }
    }
}

/// The labels of two different rows, the first to be changed.
fn two(rows: &mut [DeviceLabels], a: usize, b: usize) -> (&mut [Label], &[Label]) {
    if a < b {
        let (left, right) = rows.split_at_mut(b);
        (&mut left[a].labels, &right[0].labels)
    } else {
        let (left, right) = rows.split_at_mut(a);
        (&mut right[0].labels, &left[b].labels)
    }
}
