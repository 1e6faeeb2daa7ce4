//! From a scenario to numbers: the layer, the links and what the devices have free, draw by draw.

use super::Scenario;
use crate::problem::Invalid;
use crate::problem::head_sizes::{HeadLayer, LayerForm};
use crate::problem::heads::LinkRates;
use crate::sim::{FleetRanges, Free, FreeRow, Supply};
use std::sync::Arc;

/// Bytes a second of a Gbit/s.
const BYTES_PER_GBIT: f64 = 1.25e8;

/// The devices that are on, with their links and what they have free.
#[derive(Debug, Clone)]
pub struct DrawnNetwork {
    /// The place of each device in the scenario's list.
    pub places: Vec<usize>,
    /// The links between them.
    pub links: Arc<LinkRates>,
    /// Free memory and compute, interval by interval.
    pub supply: Supply,
    /// The one that holds the input, among those that are on.
    pub controller: usize,
}

impl Scenario {
    /// The layer with its demands.
    ///
    /// # Errors
    /// A width that the heads do not divide.
    pub fn layer(&self) -> Result<HeadLayer, Invalid> {
        let (model, demands) = (&self.model, self.demands);
        if let Some(layer) = model.grouped() {
            let prompt = self.prompt_tokens as u32;
            return HeadLayer::grouped(layer, prompt, (demands.delay, demands.input));
        }
        // All whole numbers here are checked to be such, in ranges that fit.
        let layer = HeadLayer::new(LayerForm {
            h: model.heads as u32,
            D: model.width as u32,
            b: model.value_bytes,
            L0: self.prompt_tokens as u32,
            mem: demands.memory,
            flops: demands.operations,
            delay: demands.delay,
            inp: demands.input,
        })?;
        Ok(layer.stored(model.stored()))
    }

    /// The devices that are on, as listed, under the background of a draw, or as the record has it.
    ///
    /// The background is drawn from where the paper's ranges would leave the stream, so that a fleet which was itself
    /// drawn by this seed meets the background that belongs to it.
    ///
    /// # Errors
    /// A record that does not fit the devices.
    ///
    /// # Complexity
    /// O(V²).
    pub fn network(&self, seed: u64) -> Result<DrawnNetwork, Invalid> {
        let places = self.places();
        let drawn = FleetRanges::default().draw(places.len(), seed)?;
        let place_of = |listed: usize| places.iter().position(|at| *at == listed);
        let rates: Vec<Vec<f64>> = places
            .iter()
            .map(|from| {
                let rate = |to: &usize| BYTES_PER_GBIT * self.links.rate(*from, *to);
                places.iter().map(rate).collect()
            })
            .collect();
        let on = || self.switched_on().map(|(_, device)| device);
        let owned = Free {
            memory: on().map(|d| 1e9 * d.memory_gb).collect(),
            compute: on().map(|d| 1e9 * d.compute_gops).collect(),
        };
        let supply = match &self.recorded {
            Some(rows) => {
                let row = |row: &super::schema::Recorded| {
                    let (token, device, compute_gops, memory_gb) = *row;
                    place_of(device).map(|device| FreeRow {
                        token,
                        device,
                        compute_gops,
                        memory_gb,
                    })
                };
                let rows = rows.iter().filter_map(row).collect();
                let supply = Supply::recorded(owned, rows);
                supply.map_err(|fault| fault.within("recorded"))?
            }
            None => Supply::drawn(owned, self.background, drawn.chance)?,
        };
        Ok(DrawnNetwork {
            links: Arc::new(LinkRates::new(&rates)?),
            supply,
            controller: self.controller_among(&places),
            places,
        })
    }

    /// As many devices as are on, drawn from the paper's ranges with their links and their background: nothing of the
    /// list but its length and the controller's place is left, and no record.
    ///
    /// # Errors
    /// A number of devices that cannot be drawn.
    ///
    /// # Complexity
    /// O(V²).
    pub fn drawn_network(&self, seed: u64) -> Result<DrawnNetwork, Invalid> {
        let places = self.places();
        let drawn = FleetRanges::default().draw(places.len(), seed)?;
        let owned = Free {
            memory: drawn.memory,
            compute: drawn.compute,
        };
        Ok(DrawnNetwork {
            links: Arc::new(LinkRates::new(&drawn.rates)?),
            supply: Supply::drawn(owned, self.background, drawn.chance)?,
            controller: self.controller_among(&places),
            places,
        })
    }

    fn places(&self) -> Vec<usize> {
        self.switched_on().map(|(at, _)| at).collect()
    }

    fn controller_among(&self, places: &[usize]) -> usize {
        let at = places.iter().position(|at| *at == self.controller);
        at.unwrap_or_default()
    }
}
