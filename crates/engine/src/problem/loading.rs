//! How the weights of a stage arrive: from the device's own disk while others work, as the paper has it, or in another way.
//!
//! Every way is two prices for a byte: time that passes beside everything else from the beginning, and time during which the whole
//! pipeline waits. With the second alone, T is a sum over the stages, so the searches, which know a time to load and a time to compute
//! of every possible stage, stay exact: what the pipeline waits for is part of the second.
//!
//! A device may also hold less than its stage: what does not fit is read again in every pass. The rest stays, which is the best that
//! a system can do; one that evicts what was used least recently reads all again.

use super::ColdStart;
use crate::model::Layer;
use crate::units::Bytes;

/// Sums over the layers of a stage, added in order, so that all who add find the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageSums {
    /// Weights [B].
    pub weights: f64,
    /// Memory of its layers while they run [B]: weights, cache, embedding and head; without weights that may be read again.
    pub held: f64,
    /// Work on the prompt [FLOP].
    pub work: f64,
    /// The largest output [B].
    pub widest: f64,
}

impl StageSums {
    /// Adds a layer at the end.
    pub fn add(&mut self, layer: &Layer) {
        self.weights += layer.weights.get();
        self.held += layer.resident.get();
        self.work += layer.work.get();
        self.widest = self.widest.max(layer.activation.get());
    }

    /// Of these layers.
    #[must_use]
    pub fn of(layers: &[Layer]) -> Self {
        let mut sums = Self::default();
        for layer in layers {
            sums.add(layer);
        }
        sums
    }

    /// Memory that the stage needs [B]. Equation (22).
    #[must_use]
    pub fn need(&self) -> f64 {
        self.widest + self.held
    }
}

/// Time for each byte of weights of a device [s/B].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadCost {
    /// From time 0 on, beside all that the others do.
    pub ahead: f64,
    /// While the whole pipeline waits.
    pub waiting: f64,
}

/// Order in which weights arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoadOrder {
    /// Every device loads for itself; the pipeline waits for the stage whose turn it is.
    #[default]
    Beside,
    /// One stage after the other, all of them before the first layer is computed.
    BeforeAll,
    /// Each layer when it is computed first.
    OnDemand,
}

/// How weights arrive, where it is not from the disk of each device.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loading {
    /// One a device.
    costs: Vec<LoadCost>,
    order: LoadOrder,
}

impl ColdStart {
    /// Returns the problem with other ways for weights to arrive, one price a device.
    ///
    /// # Panics
    /// When there are more or fewer prices than devices, or one is negative or not finite: they follow from checked rates.
    #[must_use]
    pub fn with_loading(mut self, costs: Vec<LoadCost>, order: LoadOrder) -> Self {
        assert_eq!(costs.len(), self.machines().len());
        let is_price = |price: f64| price.is_finite() && price >= 0.0;
        assert!(
            costs
                .iter()
                .all(|c| is_price(c.ahead) && is_price(c.waiting))
        );
        self.loading = Some(Loading { costs, order });
        self
    }

    /// Returns the problem in which weights that do not fit a device are read from its disk in every pass. What is beside them in
    /// memory has to fit; everything in memory must be known before.
    #[must_use]
    pub fn with_streaming(mut self) -> Self {
        for layer in &mut self.layers {
            let beside = (layer.resident.get() - layer.weights.get()).max(0.0);
            layer.resident = Bytes::new(beside).unwrap_or_default();
        }
        self.streams = true;
        self
    }

    /// Returns true if weights need not fit.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.streams
    }

    /// The order in which weights arrive.
    #[must_use]
    pub fn load_order(&self) -> LoadOrder {
        self.loading
            .as_ref()
            .map_or_else(LoadOrder::default, |loading| loading.order)
    }

    /// The price of a byte of a device's weights [s/B].
    #[must_use]
    pub fn load_cost(&self, device: usize) -> LoadCost {
        match &self.loading {
            Some(loading) => loading.costs[device],
            None => LoadCost {
                ahead: 1.0 / self.machines()[device].disk.get(),
                waiting: 0.0,
            },
        }
    }

    /// The least price of a byte of a device's weights [s/B], for bounds: what has no room is read from its disk, in the pass, instead of
    /// ahead.
    #[must_use]
    pub fn least_load_cost(&self, device: usize) -> LoadCost {
        let cost = self.load_cost(device);
        match self.streams {
            true => LoadCost {
                ahead: cost.ahead.min(1.0 / self.machines()[device].disk.get()),
                ..cost
            },
            false => cost,
        }
    }

    /// Rate at which the weights of a device arrive, if nothing else does [B/s]; infinite where they are there.
    #[must_use]
    pub fn load_rate(&self, device: usize) -> f64 {
        match &self.loading {
            Some(loading) => 1.0 / (loading.costs[device].ahead + loading.costs[device].waiting),
            None => self.machines()[device].disk.get(),
        }
    }

    /// Memory of a layer beside its weights [B]: cache, embedding and output head.
    #[must_use]
    pub fn beside_weights(&self, layer: &Layer) -> f64 {
        match self.streams {
            true => layer.resident.get(),
            false => layer.resident.get() - layer.weights.get(),
        }
    }

    /// Weights of a stage that its device has no room for [B]; nothing unless they may be read again.
    #[must_use]
    pub fn streamed(&self, device: usize, stage: &StageSums) -> f64 {
        if !self.streams {
            return 0.0;
        }
        let over = stage.weights + stage.need() - self.capacity(device);
        over.clamp(0.0, stage.weights)
    }

    /// Memory that a stage takes [B]: all that it needs, and of weights that may be read again those that have room.
    #[must_use]
    pub fn in_memory(&self, device: usize, stage: &StageSums) -> f64 {
        match self.streams {
            true => stage.need() + (stage.weights - self.streamed(device, stage)),
            false => stage.need(),
        }
    }

    /// Time to load a stage beside all else [s]. Equation (19).
    #[must_use]
    pub fn load_time(&self, device: usize, stage: &StageSums) -> f64 {
        let ahead = stage.weights - self.streamed(device, stage);
        match &self.loading {
            Some(loading) => ahead * loading.costs[device].ahead,
            None => ahead / self.machines()[device].disk.get(),
        }
    }

    /// Time to compute a stage on the prompt, and to load what the pipeline waits for [s]. Equation (21).
    #[must_use]
    pub fn pass_time(&self, device: usize, stage: &StageSums) -> f64 {
        self.compute_time(device, stage) + self.waiting_time(device, stage)
    }

    /// Time to compute a stage on the prompt [s], with the reading of what has no room in memory.
    #[must_use]
    pub fn compute_time(&self, device: usize, stage: &StageSums) -> f64 {
        let machine = &self.machines()[device];
        let compute = stage.work / machine.compute.get();
        compute + self.streamed(device, stage) / machine.disk.get()
    }

    /// Time for which the whole pipeline waits for the weights of a stage [s].
    #[must_use]
    pub fn waiting_time(&self, device: usize, stage: &StageSums) -> f64 {
        match &self.loading {
            Some(loading) => stage.weights * loading.costs[device].waiting,
            None => 0.0,
        }
    }

    /// Time for which a token waits until weights that are not in memory are read again [s]: of the `read` bytes of weights that a
    /// token needs in the stage, the share that has no room.
    #[must_use]
    pub fn reread_time(&self, device: usize, stage: &StageSums, read: f64) -> f64 {
        match self.streamed(device, stage) {
            0.0 => 0.0,
            over => read * (over / stage.weights) / self.machines()[device].disk.get(),
        }
    }
}
