//! The exact dynamic program of the paper, equations (27)-(31).
//!
//! `best(S, j, d)` is the least time at which layers 1..=j are done with exactly the devices in S, the last
//! stage on d. Finish times never decrease when the predecessor finishes later, and nothing of the past
//! matters but S and d, so the least value per state is enough.
//!
//! The row of layer j is filled for all states before the next row begins. A segment's sums then grow by one
//! layer from row to row, in the same order as the referee adds them, so that the value found here and the
//! referee's agree to the last bit and a device that is exactly full is judged alike by both.
//! Only values are stored; the plan is read back by asking again which choice gave each value.

use engine::plan::{Pipeline, Stage};
use engine::problem::{ColdStart, StageSums};
use engine::solve::{Limits, Progress, SearchEvent, StopReason};
use engine::units::Bytes;
use std::ops::ControlFlow;

/// How the program ended.
pub(super) enum DpOutcome {
    /// The best plan, and its T [s].
    Optimal {
        /// The plan.
        plan: Pipeline,
        /// Its T.
        total: f64,
    },
    /// No plan fits; at most `room` layers can be placed from the first on.
    Infeasible {
        /// The most leading layers that any plan can place.
        room: usize,
    },
    /// Not finished.
    Stopped(StopReason),
}

/// K² L² 2^K up to which the program always runs.
const EASY: f64 = 2e8;
/// Devices up to which it runs beyond that.
const FEW_DEVICES: usize = 10;
/// K² L² 2^K beyond which it never runs: ten seconds or so.
const HARD: f64 = 2e11;
/// Layers beyond which it never runs: what the segments cost grows with their square, however few the devices.
const MANY_LAYERS: usize = 20_000;

/// K² L² 2^K: about a nanosecond each.
pub fn steps(devices: usize, layers: usize) -> f64 {
    let (k, l) = (devices as f64, layers as f64);
    k * k * l * l * libm::exp2(k)
}

/// The memory that the program may take where no limit is said [B].
const USUAL_ROOM: u64 = 2_000_000_000;
/// More devices than a set of them can be counted for.
const MOST_DEVICES: usize = 40;

/// The bytes of the program's table for K devices and L layers: K 2^K (L + 1) numbers.
#[must_use]
pub fn table_bytes(devices: usize, layers: usize) -> f64 {
    let (k, l) = (devices as f64, layers as f64);
    8.0 * k * libm::exp2(k) * (l + 1.0)
}

/// Returns the memory that the table may take [B].
#[must_use]
pub fn table_room(limits: &Limits) -> f64 {
    limits.memory.unwrap_or(USUAL_ROOM) as f64
}

/// Returns true if the table fits in the memory of the limits.
pub(super) fn has_room(devices: usize, layers: usize, limits: &Limits) -> bool {
    devices <= MOST_DEVICES && table_bytes(devices, layers) <= table_room(limits)
}

/// Returns true if time and table are affordable for K devices and L layers.
pub(super) fn affordable(devices: usize, layers: usize) -> bool {
    let work = steps(devices, layers);
    // A single device has a single plan.
    devices == 1
        || work <= EASY
        || (devices <= FEW_DEVICES && layers <= MANY_LAYERS && work <= HARD)
}

/// Returns true if a solve takes a few milliseconds, so that it can be made in passing.
#[must_use]
pub fn is_quick(devices: usize, layers: usize) -> bool {
    steps(devices, layers) <= EASY && layers <= MANY_LAYERS
}

/// The values of all states, `+∞` where nothing reaches.
struct Table {
    devices: usize,
    layers: usize,
    cells: Vec<f64>,
}

impl Table {
    /// The table before its first row; `None` where the machine has no room for it.
    fn new(devices: usize, layers: usize) -> Option<Self> {
        let size = (devices << devices) * (layers + 1);
        let mut cells = Vec::new();
        cells.try_reserve_exact(size).ok()?;
        cells.resize(size, f64::INFINITY);
        Some(Self {
            devices,
            layers,
            cells,
        })
    }

    fn at(&self, set: usize, layer: usize, last: usize) -> usize {
        (set * self.devices + last) * (self.layers + 1) + layer
    }

    /// The values of one (set, last device) over all layers 0..=L.
    fn row(&self, set: usize, last: usize) -> &[f64] {
        let start = self.at(set, 0, last);
        &self.cells[start..=start + self.layers]
    }
}

/// For a fixed last layer j: what a stage from layer i+1 to j costs, for every i.
pub(super) struct Segments {
    sums: Vec<StageSums>,
    /// Per device: the least i whose segment fits its memory.
    pub(super) first_fit: Vec<usize>,
    /// Per device: load time [s] by i.
    pub(super) load: Vec<Vec<f64>>,
    /// Per device: computation time [s] by i.
    pub(super) comp: Vec<Vec<f64>>,
}

impl Segments {
    pub(super) fn new(devices: usize, layers: usize) -> Self {
        Self {
            sums: vec![StageSums::default(); layers],
            first_fit: vec![0; devices],
            load: vec![vec![0.0; layers]; devices],
            comp: vec![vec![0.0; layers]; devices],
        }
    }

    /// Lets every segment end at layer `j` instead of `j - 1`.
    pub(super) fn extend_to(&mut self, problem: &ColdStart, j: usize) {
        let layer = &problem.layers()[j - 1];
        // Below this no device holds the segment, now or later: segments only grow.
        let alive = self.first_fit.iter().copied().min().unwrap_or(0);
        // With one device there is no cut, and only the segment from the first layer on is asked for.
        let starts = if problem.machines().len() == 1 { 1 } else { j };
        for sums in &mut self.sums[alive.min(starts)..starts] {
            sums.add(layer);
        }
        for device in 0..problem.machines().len() {
            let first = &mut self.first_fit[device];
            while *first < starts && !problem.fits(device, self.sums[*first].need()) {
                *first += 1;
            }
            for i in *first..starts {
                self.load[device][i] = problem.load_time(device, &self.sums[i]); // (19)
                self.comp[device][i] = problem.pass_time(device, &self.sums[i]); // (21)
            }
        }
    }
}

/// Runs the program, whatever it takes: the caller knows that it is [`affordable`] or [`has_room`].
pub(super) fn solve(
    problem: &ColdStart,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> DpOutcome {
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let Some(mut table) = Table::new(devices, layers) else {
        return DpOutcome::Stopped(StopReason::Size);
    };
    let mut segments = Segments::new(devices, layers);
    let hops = hops(problem);
    for j in 1..=layers {
        segments.extend_to(problem, j);
        fill_row(&mut table, &segments, &hops, j);
        let step = SearchEvent::Step {
            done: j as u64,
            of: Some(layers as u64),
        };
        if progress.report(step) == ControlFlow::Break(()) {
            return DpOutcome::Stopped(StopReason::Cancelled);
        }
        if limits.steps.is_some_and(|most| j as u64 >= most) && j < layers {
            return DpOutcome::Stopped(StopReason::Steps);
        }
    }
    // (31): the best state that has placed every layer; ties go to the least set, then the least device.
    let mut total = f64::INFINITY;
    let mut end = None;
    for set in 1..1_usize << devices {
        for last in members(set) {
            let value = table.cells[table.at(set, layers, last)];
            if value < total {
                total = value;
                end = Some((set, last));
            }
        }
    }
    match end {
        Some((set, last)) => DpOutcome::Optimal {
            plan: read_back(problem, &table, set, last),
            total,
        },
        None => DpOutcome::Infeasible {
            room: most_layers(&table),
        },
    }
}

/// Fills the row of layer `j` for every set and last device.
fn fill_row(table: &mut Table, segments: &Segments, hops: &[Vec<f64>], j: usize) {
    let devices = table.devices;
    for set in 1..1_usize << devices {
        let stages = set.count_ones() as usize;
        if stages > j {
            continue;
        }
        for last in members(set) {
            let here = table.at(set, j, last);
            let fits_from = segments.first_fit[last];
            if stages == 1 {
                // (30): one stage holds everything so far.
                if fits_from == 0 {
                    table.cells[here] = segments.load[last][0] + segments.comp[last][0];
                }
                continue;
            }
            // (29): the stage before ends at layer i on device `previous`.
            let rest = set & !(1 << last);
            let from = fits_from.max(stages - 1);
            if from >= j {
                continue;
            }
            for previous in members(rest) {
                let value = least_finish(
                    &segments.load[last][from..j],
                    &table.row(rest, previous)[from..j],
                    &hops[previous * devices + last][from..j],
                    &segments.comp[last][from..j],
                );
                let cell = &mut table.cells[here];
                if value < *cell {
                    *cell = value;
                }
            }
        }
    }
}

/// The least of max(load, before) + hop + comp over equally long slices; `+∞` if there is none.
///
/// The hot loop of the page: four lanes that always store let it vectorise natively and in wasm, and kept
/// out of line it is compiled well from its first call on.
#[inline(never)]
pub(super) fn least_finish(load: &[f64], before: &[f64], hop: &[f64], comp: &[f64]) -> f64 {
    let finish = |load: f64, before: f64, hop: f64, comp: f64| {
        let start = if load > before { load } else { before }; // (17)
        start + hop + comp // (18)
    };
    const LANES: usize = 4;
    let mut lanes = [f64::INFINITY; LANES];
    let (load, load_rest) = load.as_chunks::<LANES>();
    let (before, before_rest) = before.as_chunks::<LANES>();
    let (hop, hop_rest) = hop.as_chunks::<LANES>();
    let (comp, comp_rest) = comp.as_chunks::<LANES>();
    for (((l, b), h), c) in load.iter().zip(before).zip(hop).zip(comp) {
        for k in 0..LANES {
            let value = finish(l[k], b[k], h[k], c[k]);
            lanes[k] = if value < lanes[k] { value } else { lanes[k] };
        }
    }
    let mut least = f64::INFINITY;
    for (((l, b), h), c) in load_rest
        .iter()
        .zip(before_rest)
        .zip(hop_rest)
        .zip(comp_rest)
    {
        let value = finish(*l, *b, *h, *c);
        least = if value < least { value } else { least };
    }
    lanes
        .into_iter()
        .fold(least, |a, b| if b < a { b } else { a })
}

/// Hop times [s] from device to device by the last layer i before the cut; row `from * K + to`. (27)
pub(super) fn hops(problem: &ColdStart) -> Vec<Vec<f64>> {
    let devices = problem.machines().len();
    let mut table = Vec::with_capacity(devices * devices);
    for from in 0..devices {
        for to in 0..devices {
            let before_the_first = Bytes::ZERO;
            let outputs = problem.layers().iter().map(|layer| layer.activation);
            let cuts = std::iter::once(before_the_first).chain(outputs);
            table.push(
                cuts.map(|activation| problem.hop(from, to, activation).get())
                    .collect(),
            );
        }
    }
    table
}

/// Asks, from the last stage back, which choice gave each value. First found wins: `previous`, then i.
fn read_back(problem: &ColdStart, table: &Table, set: usize, last: usize) -> Pipeline {
    let mut plan = Pipeline::new();
    let (mut set, mut last, mut end) = (set, last, problem.layers().len());
    while set.count_ones() > 1 {
        let value = table.cells[table.at(set, end, last)];
        let rest = set & !(1 << last);
        let (previous, cut) = members(rest)
            .find_map(|previous| {
                cut_with_value(
                    problem,
                    table.row(rest, previous),
                    previous,
                    last,
                    end,
                    value,
                )
                .map(|cut| (previous, cut))
            })
            .expect("a stored value was reached by one of the choices it was taken from");
        plan.push(Stage {
            device: last,
            first: cut + 1,
            last: end,
        });
        (set, last, end) = (rest, previous, cut);
    }
    plan.push(Stage {
        device: last,
        first: 1,
        last: end,
    });
    plan.reverse();
    plan
}

/// The first cut i after which a stage on `last`, to layer `end`, finishes at exactly `value`.
pub(super) fn cut_with_value(
    problem: &ColdStart,
    before: &[f64],
    previous: usize,
    last: usize,
    end: usize,
    value: f64,
) -> Option<usize> {
    let mut found = None;
    for cut in (1..end).rev() {
        let sums = StageSums::of(&problem.layers()[cut..end]);
        if !problem.fits(last, sums.need()) {
            break;
        }
        let hop = problem
            .hop(previous, last, problem.layers()[cut - 1].activation)
            .get();
        let start = problem.load_time(last, &sums).max(before[cut]);
        if start + hop + problem.pass_time(last, &sums) == value {
            found = Some(cut);
        }
    }
    found
}

/// The most leading layers that any state has placed.
fn most_layers(table: &Table) -> usize {
    let width = table.layers + 1;
    let placed = |row: &[f64]| row.iter().rposition(|value| value.is_finite()).unwrap_or(0);
    table
        .cells
        .chunks_exact(width)
        .map(placed)
        .max()
        .unwrap_or(0)
}

/// The devices of a set, ascending.
fn members(set: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS as usize)
        .take_while(move |k| set >> k != 0)
        .filter(move |k| set >> k & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_ascending() {
        assert_eq!(members(0b1101).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(members(0).count(), 0);
    }

    #[test]
    fn the_kernel_takes_the_least_of_all_lanes_and_the_rest() {
        for n in 0..11 {
            for least_at in 0..n {
                let mut load = vec![5.0; n];
                load[least_at] = 1.0;
                let zero = vec![0.0; n];
                assert_eq!(
                    least_finish(&load, &zero, &zero, &zero),
                    1.0,
                    "{least_at} of {n}"
                );
            }
        }
        assert_eq!(least_finish(&[], &[], &[], &[]), f64::INFINITY);
    }

    #[test]
    fn large_problems_are_refused_before_any_table_is_made() {
        assert!(affordable(4, 40) && affordable(10, 1000) && affordable(12, 18));
        assert!(
            !affordable(10, 2000)
                && !affordable(11, 100)
                && !affordable(20, 100)
                && !affordable(4, 1_000_000)
        );
    }
}
