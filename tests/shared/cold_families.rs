//! Four families of cold-start problems that a search can be hard pressed by, from 3 devices up: seeded, so that every
//! bench and every other solver works on the same numbers. Only exactly rounded operations are used: a seed gives the
//! same bits everywhere.
//!
//! All numbers of a device are independent uniform draws: disk 0.5 to 6 GB/s, up and down rate each 100 Mbit/s to
//! 1.2 Gbit/s, compute 1 to `spread` where the spread is itself drawn from 3 to 40 for the instance, memory 1 to 3, scaled
//! so that all memories together are 2 to 3 times the weights, drawn again while any device could hold the whole model.
//! Of a layer, W and P are independent draws over a range of 4.5 (P 0.24 to 1.08 GB), A over a range of 3; identical
//! layers are one draw for all.
//!
//! What makes a family is a balance of three times: loading all weights at the sum of the disks : computing all layers at
//! the mean rate of compute : one hop of a mean output at the mean of all rates. The rates of compute and the outputs are
//! scaled so that each instance has it exactly. The four balances are our own choice, no one else's:
//!
//! | family | load | compute | hop |
//! |---|---|---|---|
//! | mixed | 1 | 2 | 0.02 |
//! | fast-compute | 1 | 0.7 | 0.003 |
//! | slow-compute | 1 | 8 | 0.02 |
//! | slow-link | 1 | 2 | 0.15 |
#![allow(dead_code)] // Shared by several programs; none needs all of it.

use engine::network::Relay;
use engine::problem::{ColdStart, LayerNumbers, MachineNumbers};
use engine::sim::Draw;
use serde_json::{Value, json};

/// What the times are like beside one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Loads and tails of similar length.
    Mixed,
    /// Little to compute: weights want to be spread, so many orders are nearly best. The hardest.
    FastCompute,
    /// Much to compute: few fast devices do nearly all.
    SlowCompute,
    /// Each hop costs as much as several layers.
    SlowLink,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 4] = [
        Self::Mixed,
        Self::FastCompute,
        Self::SlowCompute,
        Self::SlowLink,
    ];

    /// Its name in tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::FastCompute => "fast-compute",
            Self::SlowCompute => "slow-compute",
            Self::SlowLink => "slow-link",
        }
    }

    /// Computing and one hop, in units of the time to load.
    fn balance(self) -> (f64, f64) {
        match self {
            Self::Mixed => (2.0, 0.02),
            Self::FastCompute => (0.7, 0.003),
            Self::SlowCompute => (8.0, 0.02),
            Self::SlowLink => (2.0, 0.15),
        }
    }
}

/// One instance: the same value always makes the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its family.
    pub family: Family,
    /// K, at least 3: two devices that together hold twice the model cannot both be too small for it.
    pub devices: usize,
    /// L, at least 1.
    pub layers: usize,
    /// Whether all layers are alike.
    pub identical: bool,
    /// Members that differ in nothing but the seed have nothing else in common.
    pub seed: u64,
}

/// Weights of a layer for a draw of 1 [B]: the mean layer has 660 MB, as a block of a model of 14 billion parameters.
const WEIGHTS: f64 = 240e6;
/// Work of a layer for a draw of 1 [FLOP]: the mean layer has 344 GFLOP, as such a block at 512 tokens.
const WORK: f64 = 125e9;
/// Disk for a draw of 1 [B/s].
const DISK: f64 = 500e6;
/// Up or down rate for a draw of 1 [bit/s].
const RATE: f64 = 100e6;

fn between(draw: &mut Draw, low: f64, high: f64) -> f64 {
    low + (high - low) * draw.unit()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

impl Member {
    /// Its name in tables and file names: `mixed-k12-l60-1`, `mixed-k12-l60-same-1` with identical layers.
    pub fn name(&self) -> String {
        let Self {
            family,
            devices,
            layers,
            seed,
            ..
        } = self;
        let same = if self.identical { "-same" } else { "" };
        format!("{}-k{devices}-l{layers}{same}-{seed}", family.name())
    }

    /// Its numbers.
    pub fn numbers(&self) -> (Vec<LayerNumbers>, Vec<MachineNumbers>) {
        assert!(self.devices >= 3 && self.layers >= 1);
        let family = self.family as u64;
        let shape = (self.devices as u64) << 32 | (self.layers as u64) << 1;
        let stream = family << 48 | shape | u64::from(self.identical);
        let draw = &mut Draw::new(self.seed, stream);

        let mut layers: Vec<LayerNumbers> = (0..if self.identical { 1 } else { self.layers })
            .map(|_| LayerNumbers {
                work: WORK * between(draw, 1.0, 4.5),
                activation: between(draw, 0.5, 1.5),
                weights: WEIGHTS * between(draw, 1.0, 4.5),
            })
            .collect();
        layers.resize(self.layers, layers[0]);
        let spread = between(draw, 3.0, 40.0);
        let mut devices: Vec<MachineNumbers> = (1..=self.devices)
            .map(|number| MachineNumbers {
                name: format!("device {number}"),
                compute: between(draw, 1.0, spread),
                peak: None,
                disk: DISK * between(draw, 1.0, 12.0),
                up: RATE * between(draw, 1.0, 12.0),
                down: RATE * between(draw, 1.0, 12.0),
                memory: 0.0,
            })
            .collect();

        let weights: f64 = layers.iter().map(|layer| layer.weights).sum();
        let work: f64 = layers.iter().map(|layer| layer.work).sum();
        loop {
            let room = weights * between(draw, 2.0, 3.0);
            for device in &mut devices {
                device.memory = between(draw, 1.0, 3.0);
            }
            let drawn: f64 = devices.iter().map(|device| device.memory).sum();
            for device in &mut devices {
                device.memory *= room / drawn;
            }
            if devices.iter().all(|device| device.memory < weights) {
                break;
            }
        }

        let load = weights / devices.iter().map(|device| device.disk).sum::<f64>();
        let (compute, hop) = self.family.balance();
        let faster = work / mean(devices.iter().map(|d| d.compute)) / (compute * load);
        for device in &mut devices {
            device.compute *= faster;
        }
        let rate = mean(devices.iter().map(|device| 0.5 * (device.up + device.down)));
        let output = mean(layers.iter().map(|layer| layer.activation));
        let larger = hop * load * rate / (8.0 * output);
        for layer in &mut layers {
            layer.activation *= larger;
        }
        (layers, devices)
    }

    /// The problem.
    pub fn problem(&self) -> ColdStart {
        let (layers, devices) = self.numbers();
        ColdStart::new(&layers, &devices, Relay::SlowerHop).expect("every member is valid")
    }

    /// The problem as a file for the command line.
    pub fn document(&self) -> Value {
        let (layers, devices) = self.numbers();
        let layers: Vec<Value> = layers
            .iter()
            .map(|n| json!({"W": n.work, "A": n.activation, "P": n.weights}))
            .collect();
        let devices: Vec<Value> = devices
            .iter()
            .map(|n| {
                json!({
                    "name": n.name, "c": n.compute, "r": n.disk,
                    "bu": n.up, "bd": n.down, "m": n.memory,
                })
            })
            .collect();
        json!({"id": self.name(), "layers": layers, "devices": devices})
    }
}
