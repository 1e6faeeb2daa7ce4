//! Costs of every possible stage in tables: the search reads them millions of times.
//!
//! Sums of a segment grow layer by layer from its first one, in the order of the referee, so that the search, the
//! dynamic program and the referee find the same bits.
//!
//! Where a throughput is asked for, a stage that is too slow for one token is forbidden like one that does not fit. How slow
//! it is depends on who hands over, so there is a second reach, by the device before. A stage alone has no return to wait
//! for; plans of one stage are tried separately when the tables are made.

use super::frontier::NO_DEVICE;
use crate::cold_start::decode::costs::TokenCosts;
use engine::network::Relay;
use engine::problem::{ColdStart, StageSums};

/// Loads, computations, hops and memory of every possible stage.
#[derive(Debug, Default)]
pub struct StageCosts {
    /// Devices K.
    pub devices: usize,
    /// Layers L.
    pub layers: usize,
    load: Vec<f64>,
    comp: Vec<f64>,
    reach: Vec<u16>,
    /// Last layers by the device before, if a throughput is required; the entry of the device itself is for a first stage.
    reach_after: Option<Vec<u16>>,
    hop: Vec<f64>,
    /// For each device: an earlier one that is the same in everything, the last of them.
    pub twin: Vec<Option<u8>>,
    /// True if all layers are equal.
    pub same_layers: bool,
    /// Stages that fit their device, times devices before them: what filling a table with one state takes.
    pub transitions: f64,
    up: Vec<f64>,
    down: Vec<f64>,
    is_capped: bool,
}

/// The most devices: a set of them is a word of 32 bits.
const MOST_DEVICES: usize = 32;
/// The most cells of each of the two tables: 64 MB.
const MOST_CELLS: usize = 8_000_000;

impl StageCosts {
    /// Returns true if the tables of K devices and L layers are small enough.
    #[must_use]
    pub fn are_affordable(devices: usize, layers: usize) -> bool {
        devices <= MOST_DEVICES
            && layers < usize::from(u16::MAX)
            && (layers + 1)
                .saturating_mul(layers + 1)
                .saturating_mul(devices)
                <= MOST_CELLS
    }

    /// All costs of a problem; it has to be affordable.
    ///
    /// # Complexity
    /// O(K L² + K² L) time, O(K L²) memory.
    #[must_use]
    pub fn new(problem: &ColdStart) -> Self {
        let (devices, layers) = (problem.machines().len(), problem.layers().len());
        let side = layers + 1;
        let mut load = vec![0.0; devices * side * side];
        let mut comp = vec![0.0; devices * side * side];
        let mut reach = vec![0; devices * side];
        for device in 0..devices {
            for first in 0..side {
                let row = device * side + first;
                reach[row] = first as u16;
                let mut sums = StageSums::default();
                for end in first + 1..side {
                    sums.add(&problem.layers()[end - 1]);
                    if !problem.fits(device, sums.need()) {
                        break;
                    }
                    load[row * side + end] = problem.load_time(device, &sums); // (19)
                    comp[row * side + end] = problem.pass_time(device, &sums); // (21)
                    reach[row] = end as u16;
                }
            }
        }
        let mut hop = vec![0.0; devices * devices * side];
        for from in 0..devices {
            for to in 0..devices {
                for cut in 1..side {
                    let handed_over = problem.layers()[cut - 1].activation;
                    hop[(from * devices + to) * side + cut] =
                        problem.hop(from, to, handed_over).get(); // (20)
                }
            }
        }
        let machines = problem.machines();
        let is_same = |a: usize, b: usize| {
            let (a, b) = (&machines[a], &machines[b]);
            a.compute == b.compute
                && a.disk == b.disk
                && a.up == b.up
                && a.down == b.down
                && a.memory == b.memory
        };
        let is_same = |a: usize, b: usize| {
            is_same(a, b)
                && problem.load_cost(a) == problem.load_cost(b)
                && problem.decode().is_none_or(|terms| terms.are_equal(a, b))
        };
        let twin = (0..devices)
            .map(|k| (0..k).rev().find(|&other| is_same(other, k)))
            .map(|found| found.map(|other| other as u8))
            .collect();
        let stages: f64 = (0..devices * side)
            .map(|row| f64::from(reach[row]) - (row % side) as f64)
            .sum();
        Self {
            transitions: (stages * devices as f64).max(1.0),
            devices,
            layers,
            load,
            comp,
            reach_after: reach_in_period(problem, &reach),
            reach,
            hop,
            twin,
            same_layers: problem.identical_layers(),
            up: machines.iter().map(|m| m.up.get()).collect(),
            down: machines.iter().map(|m| m.down.get()).collect(),
            is_capped: problem.relay() == Relay::SlowerHop,
        }
    }

    /// Loads [s] of the stages on `device` after layer `cut`, by their last layer; zero beyond its memory.
    #[must_use]
    pub fn load(&self, device: usize, cut: usize) -> &[f64] {
        let side = self.layers + 1;
        &self.load[(device * side + cut) * side..][..side]
    }

    /// Computations [s] of the stages on `device` after layer `cut`, by their last layer; zero beyond its memory.
    #[must_use]
    pub fn comp(&self, device: usize, cut: usize) -> &[f64] {
        let side = self.layers + 1;
        &self.comp[(device * side + cut) * side..][..side]
    }

    /// The furthest last layer of a stage on `device` after layer `cut`; `cut` itself if not one layer fits.
    #[must_use]
    pub fn reach(&self, device: usize, cut: usize) -> usize {
        usize::from(self.reach[device * (self.layers + 1) + cut])
    }

    /// Returns the last layer of a stage that follows `before`, [`NO_DEVICE`] for the first, limited by the required throughput.
    #[must_use]
    pub fn reach_after(&self, before: u8, device: usize, cut: usize) -> usize {
        let Some(reach) = &self.reach_after else {
            return self.reach(device, cut);
        };
        let before = if before == NO_DEVICE {
            device
        } else {
            usize::from(before)
        };
        usize::from(reach[(before * self.devices + device) * (self.layers + 1) + cut])
    }

    /// Time [s] to hand over from one device to another, by the last layer before the cut.
    #[must_use]
    pub fn hops(&self, from: usize, to: usize) -> &[f64] {
        let side = self.layers + 1;
        &self.hop[(from * self.devices + to) * side..][..side]
    }

    /// How fast a device can hand over when only the devices of `rest` are left: a faster uplink than any of
    /// their downlinks is of no use.
    #[must_use]
    pub fn way_out(&self, device: usize, rest: u32) -> f64 {
        if !self.is_capped {
            return self.up[device];
        }
        let fastest = members(rest).map(|k| self.down[k]).fold(0.0, f64::max);
        self.up[device].min(fastest)
    }
}

/// The furthest last layers of stages that are within the period, by the device before, the device and the layers done.
/// O(K² L log L) time.
fn reach_in_period(problem: &ColdStart, reach: &[u16]) -> Option<Vec<u16>> {
    let period = problem.decode()?.period();
    if period == f64::INFINITY {
        return None;
    }
    let tokens = TokenCosts::new(problem)?;
    let (devices, layers) = (problem.machines().len(), problem.layers().len());
    let side = layers + 1;
    let mut within = vec![0; devices * devices * side];
    for before in 0..devices {
        for device in 0..devices {
            for cut in 0..side {
                let from = (before != device).then_some(before);
                // The first stage has no stage before it, the others have.
                let most = if from.is_none() == (cut == 0) {
                    usize::from(reach[device * side + cut])
                } else {
                    cut
                };
                let times = &tokens.time(device, cut)[cut..=most];
                // As if it were not alone: see above.
                let receive = from.map_or(tokens.back, |from| tokens.hops(from, device)[cut]);
                let count = times
                    .iter()
                    .skip(1)
                    .take_while(|time| **time + receive <= period)
                    .count();
                within[(before * devices + device) * side + cut] = (cut + count) as u16;
            }
        }
    }
    Some(within)
}

/// The devices of a set, ascending.
pub fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = set.trailing_zeros();
        (next < 32).then(|| {
            set &= set - 1;
            next as usize
        })
    })
}
