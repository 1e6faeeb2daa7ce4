//! Times of every possible stage for one token, in a table, summed in the evaluator's order.

use engine::problem::{ColdStart, StageSums};

/// Token times of all stages and hops of a problem that plans for an answer.
#[derive(Debug)]
pub struct TokenCosts {
    devices: usize,
    layers: usize,
    time: Vec<f64>,
    hop: Vec<f64>,
    /// Time that the first of several stages waits for the returned token [s].
    pub back: f64,
}

impl TokenCosts {
    /// All token times; `None` where there is no answer to plan for.
    ///
    /// # Complexity
    /// O(K L² + K² L) time and memory.
    #[must_use]
    pub fn new(problem: &ColdStart) -> Option<Self> {
        let terms = problem.decode()?;
        let (devices, layers) = (problem.machines().len(), problem.layers().len());
        let side = layers + 1;
        let mut time = vec![0.0; devices * side * side];
        for (device, machine) in terms.machines().iter().enumerate() {
            for first in 0..layers {
                let row = (device * side + first) * side;
                let (mut work, mut touched, mut read) = (0.0, 0.0, 0.0);
                let mut sums = StageSums::default();
                for end in first + 1..side {
                    let layer = &terms.layers()[end - 1];
                    work += layer.work.get();
                    touched += layer.touched.get();
                    read += layer.weights.get();
                    sums.add(&problem.layers()[end - 1]);
                    time[row + end] = machine.time(work, touched, end - first, end == layers)
                        + problem.reread_time(device, &sums, read);
                }
            }
        }
        let mut hop = vec![0.0; devices * devices * side];
        for from in 0..devices {
            for to in 0..devices {
                for cut in 1..side {
                    hop[(from * devices + to) * side + cut] =
                        problem.token_hop(from, to, cut).get();
                }
            }
        }
        Some(Self {
            devices,
            layers,
            time,
            hop,
            back: terms.hop().get(),
        })
    }

    /// Time [s] of one token in the stages on `device` after layer `cut`, by their last layer, without what it waits for.
    #[must_use]
    pub fn time(&self, device: usize, cut: usize) -> &[f64] {
        let side = self.layers + 1;
        &self.time[(device * side + cut) * side..][..side]
    }

    /// Time [s] for one token to go from one device to another, by the last layer before the cut.
    #[must_use]
    pub fn hops(&self, from: usize, to: usize) -> &[f64] {
        let side = self.layers + 1;
        &self.hop[(from * self.devices + to) * side..][..side]
    }

    /// Returns the time before a stage works: the hop, the return of the token, or 0 if it is the only stage.
    #[must_use]
    pub fn receive(&self, before: Option<usize>, device: usize, cut: usize, end: usize) -> f64 {
        match before {
            Some(from) => self.hops(from, device)[cut],
            None if end < self.layers => self.back,
            None => 0.0,
        }
    }
}
