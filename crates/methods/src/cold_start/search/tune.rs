//! Prices for the relaxation: the dearer a device is that walks would like to use twice, the stronger the bound.
//!
//! Weights are real, the prices made of them whole. With prices that sum to Q, let q be the least money of any walk below the ceiling. q > Q proves that no plan is that
//! fast, so the share q / Q is to be made large. Its logarithm has the slope (uses of k) / q − 1 / Q in the price of
//! device k, which the steps follow; the best prices met are kept.

use super::costs::StageCosts;
use super::relax::{Prices, Relaxation};
use engine::units::InOrder;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Result of tuning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// The best weights.
    pub weights: Vec<f64>,
    /// The ceiling they were tuned for [s].
    pub ceiling: f64,
    /// True if the prices prove that no plan is faster than the ceiling.
    pub is_proved: bool,
    /// Devices by how much they would have been used too often, worst first.
    pub greedy: Vec<u8>,
}

/// Prices in proportion to what devices can carry: bytes per second of loading and computing.
#[must_use]
pub fn first(costs: &StageCosts) -> Vec<f64> {
    (0..costs.devices)
        .map(|device| {
            // A device that holds no first layer may hold another one: any layer says how fast it is.
            let cut = (0..costs.layers).find(|cut| costs.reach(device, *cut) > *cut);
            cut.map_or(0.0, |cut| {
                let end = cut + 1;
                1.0 / (costs.load(device, cut)[end] + costs.comp(device, cut)[end])
            })
        })
        .collect()
}

/// Prices in proportion to weights that sum to about so much. A device that can carry a layer is never free.
#[must_use]
pub fn integer_prices(weights: &[f64], money: f64) -> Vec<u16> {
    let sum: f64 = weights.iter().sum();
    let price = |weight: &f64| {
        if *weight > 0.0 {
            libm::round(weight / sum * money).max(1.0) as u16
        } else {
            0
        }
    };
    weights.iter().map(price).collect()
}

/// Improves prices that sum to about `money`, as far as so many rounds go; `None` if the listener breaks off between two.
///
/// # Complexity
/// A [`Relaxation`] without exact devices each round.
#[must_use]
pub fn tune(
    costs: &StageCosts,
    start: &[f64],
    money: f64,
    ceiling: f64,
    rounds: u32,
    on_progress: &mut dyn FnMut() -> ControlFlow<()>,
) -> Option<Tuned> {
    let mut weights = start.to_vec();
    let mut best = (0.0, start.to_vec());
    let mut too_often = vec![0.0; costs.devices];
    let mut is_proved = false;
    for round in 0..rounds {
        if on_progress().is_break() {
            return None;
        }
        let prices = Prices {
            price: integer_prices(&weights, money),
            exact: Vec::new(),
        };
        let relaxation = Relaxation::new(costs, &prices, ceiling);
        let Some(money) = relaxation.least_money() else {
            is_proved = true;
            best.1.clone_from(&weights);
            break;
        };
        let total = prices.total() as f64;
        if money as f64 / total > best.0 {
            best = (money as f64 / total, weights.clone());
        }
        let uses = relaxation.uses(costs, money);
        let spent: f64 = uses
            .iter()
            .zip(&weights)
            .map(|(u, w)| f64::from(*u) * w)
            .sum();
        let sum: f64 = weights.iter().sum();
        let step = 0.6 / (1.0 + 0.15 * f64::from(round)) * sum / costs.devices as f64;
        for (device, weight) in weights.iter_mut().enumerate() {
            let over = f64::from(uses[device]) - 1.0;
            too_often[device] += over.max(0.0) * *weight;
            let slope = f64::from(uses[device]) / spent.max(f64::MIN_POSITIVE) - 1.0 / sum;
            *weight *= libm::exp((step * slope).clamp(-0.5, 0.5));
        }
    }
    let mut greedy: Vec<u8> = (0..costs.devices as u8).collect();
    greedy.in_order_by(|a, b| {
        let of = |k: &u8| too_often[usize::from(*k)];
        of(b).total_cmp(&of(a)).then(a.cmp(b))
    });
    Some(Tuned {
        weights: best.1,
        ceiling,
        is_proved,
        greedy,
    })
}
