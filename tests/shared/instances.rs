//! Seeded random cold-start problems. Only integers and exactly rounded operations are used, so that a seed
//! gives the same bits on this machine and in a browser.
#![allow(dead_code)] // Shared by two test programs; neither needs all of it.

use engine::network::Relay;
use engine::problem::{ColdStart, LayerNumbers, MachineNumbers};

/// A stream of random numbers: SplitMix64.
pub struct Draw(u64);

impl Draw {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number from 0 to n - 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number of any size between two powers of ten.
    pub fn magnitude(&mut self, low: i32, high: i32) -> f64 {
        let exponent = low + self.below((high - low) as usize) as i32;
        let power: f64 = format!("1e{exponent}").parse().expect("a power of ten");
        self.between(1.0, 10.0) * power
    }

    /// Puts a list into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// The kinds of instance that have to occur: each stresses another rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Memory enough for everything everywhere.
    Roomy,
    /// Memory about the mean share of the weights: sometimes feasible, sometimes not.
    Tight,
    /// A hidden plan fills its devices to the last byte; each need summed layer by layer.
    FullBySum,
    /// The same, each need a difference of two prefix sums.
    FullByPrefix,
    /// A hidden plan misses its memory by a millionth.
    JustTooSmall,
    /// No output crosses a link.
    ZeroActivations,
    /// Devices in identical pairs.
    Duplicates,
    /// Some devices have no memory at all.
    NoMemory,
    /// Numbers a hundred orders of magnitude apart.
    Wide,
    /// All layers alike.
    IdenticalLayers,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Roomy,
        Self::Tight,
        Self::FullBySum,
        Self::FullByPrefix,
        Self::JustTooSmall,
        Self::ZeroActivations,
        Self::Duplicates,
        Self::NoMemory,
        Self::Wide,
        Self::IdenticalLayers,
    ];
}

/// A problem before it is checked, so that a test can change one number of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Layers.
    pub layers: Vec<LayerNumbers>,
    /// Devices.
    pub devices: Vec<MachineNumbers>,
    /// How a transfer crosses the access point.
    pub relay: Relay,
}

impl Instance {
    /// The problem. Every instance made here is valid.
    pub fn problem(&self) -> ColdStart {
        ColdStart::new(&self.layers, &self.devices, self.relay).expect("instances here are valid")
    }

    /// The same with only the first `count` layers.
    pub fn prefix(&self, count: usize) -> Self {
        Self {
            layers: self.layers[..count].to_vec(),
            ..self.clone()
        }
    }

    /// All weights [B].
    pub fn weights(&self) -> f64 {
        self.layers.iter().map(|layer| layer.weights).sum()
    }

    /// Memory of layers first..=last [B], from 1, as equation (22) has it, added layer by layer.
    pub fn need(&self, first: usize, last: usize) -> f64 {
        let layers = &self.layers[first - 1..last];
        let widest = layers.iter().map(|l| l.activation).fold(0.0, f64::max);
        widest + layers.iter().map(|l| l.weights).sum::<f64>()
    }

    /// The same from two prefix sums, which rounds differently.
    fn need_by_prefix(&self, first: usize, last: usize) -> f64 {
        let until = |count: usize| self.layers[..count].iter().map(|l| l.weights).sum::<f64>();
        let layers = &self.layers[first - 1..last];
        let widest = layers.iter().map(|l| l.activation).fold(0.0, f64::max);
        widest + (until(last) - until(first - 1))
    }

    /// Gives every device of a hidden plan exactly what `need` says, times `factor`, and the others nothing.
    pub fn fill(
        &mut self,
        draw: &mut Draw,
        factor: f64,
        need: impl Fn(&Self, usize, usize) -> f64,
    ) {
        let (mut order, cuts) = hidden_plan(draw, self.devices.len(), self.layers.len());
        for device in &mut self.devices {
            device.memory = 0.0;
        }
        let mut first = 1;
        for last in cuts {
            let device = order.pop().expect("a plan has no more stages than devices");
            self.devices[device].memory = need(self, first, last) * factor;
            first = last + 1;
        }
    }
}

/// Devices in random order, and where the stages of a plan on them end.
fn hidden_plan(draw: &mut Draw, devices: usize, layers: usize) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..devices).collect();
    draw.shuffle(&mut order);
    let mut ends: Vec<usize> = (1..layers).collect();
    draw.shuffle(&mut ends);
    ends.truncate(draw.below(devices.min(layers)));
    ends.push(layers);
    ends.sort_unstable();
    (order, ends)
}

/// An instance of a kind, with exactly so many devices and layers.
pub fn instance(kind: Kind, draw: &mut Draw, devices: usize, layers: usize) -> Instance {
    let mut made = Instance {
        layers: (0..layers).map(|_| layer(draw)).collect(),
        devices: (0..devices).map(|k| device(draw, k)).collect(),
        relay: if draw.one_in(3) {
            Relay::StoreAndForward
        } else {
            Relay::SlowerHop
        },
    };
    if kind == Kind::Wide {
        for l in &mut made.layers {
            l.work = draw.magnitude(-50, 50);
            l.activation = draw.magnitude(-50, 50);
            l.weights = draw.magnitude(-50, 50);
        }
        for d in &mut made.devices {
            d.compute = draw.magnitude(-50, 50);
            d.disk = draw.magnitude(-50, 50);
            d.up = draw.magnitude(-50, 50);
            d.down = draw.magnitude(-50, 50);
        }
    }
    if kind == Kind::IdenticalLayers {
        let first = made.layers[0];
        made.layers.fill(first);
    }
    if kind == Kind::ZeroActivations {
        for l in &mut made.layers {
            l.activation = 0.0;
        }
    }
    let roomy = 2.0 * made.need(1, layers);
    for d in &mut made.devices {
        d.memory = roomy;
    }
    match kind {
        Kind::Roomy | Kind::Wide => {}
        Kind::FullBySum => made.fill(draw, 1.0, Instance::need),
        Kind::FullByPrefix => made.fill(draw, 1.0, Instance::need_by_prefix),
        Kind::JustTooSmall => made.fill(draw, 1.0 - 1e-6, Instance::need),
        _ => {
            let share = made.weights() / devices as f64;
            for d in &mut made.devices {
                d.memory = share * draw.between(0.4, 2.4);
            }
        }
    }
    if kind == Kind::NoMemory {
        for d in &mut made.devices {
            if draw.one_in(2) {
                d.memory = 0.0;
            }
        }
    }
    if kind == Kind::Duplicates {
        for k in (1..devices).step_by(2) {
            made.devices[k] = made.devices[k - 1].clone();
        }
    }
    made
}

/// A layer of about the size that models have.
fn layer(draw: &mut Draw) -> LayerNumbers {
    LayerNumbers {
        work: draw.between(0.2, 3.0) * 1e12,
        activation: draw.between(0.5, 40.0) * 1e6,
        weights: draw.between(0.1, 1.0) * 1e9,
    }
}

/// A device whose load, transfer and computation all matter; its memory is set by the caller.
fn device(draw: &mut Draw, k: usize) -> MachineNumbers {
    let compute = draw.between(0.5, 20.0) * 1e12;
    MachineNumbers {
        name: format!("device {k}"),
        compute,
        peak: if draw.one_in(2) {
            Some(compute * draw.between(1.0, 5.0))
        } else {
            None
        },
        disk: draw.between(0.2, 6.0) * 1e9,
        up: draw.between(0.02, 2.0) * 1e9,
        down: draw.between(0.02, 2.0) * 1e9,
        memory: 0.0,
    }
}
