//! Statistics of several costs under uncertain inputs: confidence of a share, the part of the spread that one input explains, and
//! the value of knowing one input before a choice.
//!
//! Samples are put into strata of one input: as many each, in the order of its values. Within a stratum the input hardly
//! varies, so the means of a stratum stand for what is expected once the input is known. Sources: Wilson (1927) for
//! shares; the share of variance of Sobol's first order with the correction of an analysis of variance, which takes away
//! what chance alone puts between the strata; the expected value of partial perfect information of decision analysis
//! (Raiffa and Schlaifer, 1961), here least cost on average now less least cost on average once the input is known.

use crate::units::InOrder;
use serde::{Deserialize, Serialize};

/// The 95 % interval of a share that was counted `count` times `of` so many independent samples (Wilson); nothing for no
/// sample.
#[must_use]
pub fn wilson(count: usize, of: usize) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 || count > of {
        return None;
    }
    let (n, p) = (of as f64, count as f64 / of as f64);
    let scale = 1.0 / (1.0 + Z * Z / n);
    let middle = scale * (p + Z * Z / (2.0 * n));
    let half = scale * Z * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n));
    // At the ends the formula is exact but for rounding.
    let low = if count == 0 {
        0.0
    } else {
        (middle - half).max(0.0)
    };
    let high = if count == of {
        1.0
    } else {
        (middle + half).min(1.0)
    };
    Some((low, high))
}

/// Samples by the strata of one input.
#[derive(Debug, Clone, PartialEq)]
pub struct Strata {
    /// Samples in ascending order of the input, ties by index.
    order: Vec<usize>,
    /// How many strata; at least one, none with fewer than two samples unless there are no more.
    bins: usize,
}

impl Strata {
    /// At most `bins` strata of samples with these values of the input. O(n log n).
    #[must_use]
    pub fn of(values: &[f64], bins: usize) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.in_order_by(|a, b| values[*a].total_cmp(&values[*b]).then(a.cmp(b)));
        let bins = bins.min(values.len() / 2).max(1);
        Self { order, bins }
    }

    /// The strata in order: each the samples in it.
    fn each(&self) -> impl Iterator<Item = &[usize]> {
        let count = self.order.len();
        (0..self.bins).map(move |bin| {
            let edge = |at: usize| at * count / self.bins;
            &self.order[edge(bin)..edge(bin + 1)]
        })
    }

    /// The share of the variance of `y` that this input explains on its own, from 0 to 1; nothing where `y` does not vary.
    ///
    /// # Complexity
    /// O(n).
    #[must_use]
    pub fn variance_share(&self, y: &[f64]) -> Option<f64> {
        let count = y.len() as f64;
        let mean = y.iter().sum::<f64>() / count;
        let all: f64 = y.iter().map(|v| (v - mean) * (v - mean)).sum();
        if all.is_nan() || all <= 1e-24 * mean * mean * count {
            return None;
        }
        let mut between = 0.0;
        for bin in self.each() {
            let own = bin.iter().map(|at| y[*at]).sum::<f64>() / bin.len() as f64;
            between += bin.len() as f64 * (own - mean) * (own - mean);
        }
        let (groups, free) = ((self.bins - 1) as f64, count - self.bins as f64);
        if free <= 0.0 {
            return None;
        }
        let chance = groups * (all - between).max(0.0) / free;
        Some(((between - chance) / all).clamp(0.0, 1.0))
    }

    /// Returns the value of knowing this input before choosing; `costs` has one row for each choice, each with a finite value for
    /// each sample. `None` without choices or samples.
    ///
    /// The choice within a stratum is made by one half of its samples and judged by the other, and the other way round, so
    /// that chance cannot make knowledge look worth more than it is: on average the figure is at most the true value.
    /// Choosing and judging by the same samples errs to the other side; that is [`Worth::most`].
    ///
    /// # Complexity
    /// O(n · choices).
    #[must_use]
    pub fn worth(&self, costs: &[Vec<f64>]) -> Option<Worth> {
        let count = self.order.len();
        if count == 0 || costs.is_empty() {
            return None;
        }
        let sum_of = |cost: &Vec<f64>, of: &mut dyn Iterator<Item = usize>| -> f64 {
            of.map(|at| cost[at]).sum()
        };
        let base = least(costs.iter().map(|cost| cost.iter().sum()));
        let (mut gains, mut most) = (Vec::with_capacity(count), 0.0);
        for bin in self.each() {
            // Neighbours go to different halves, so that both have the same values of the input.
            let half = |which: usize| bin.iter().skip(which).step_by(2).copied();
            let choice =
                |which: usize| least(costs.iter().map(|cost| sum_of(cost, &mut half(which))));
            for judged in 0..2 {
                let by = if half(1 - judged).next().is_some() {
                    choice(1 - judged)
                } else {
                    base
                };
                gains.extend(half(judged).map(|at| costs[base][at] - costs[by][at]));
            }
            let here = |cost: &Vec<f64>| sum_of(cost, &mut bin.iter().copied());
            let best = costs.iter().map(here).fold(f64::INFINITY, f64::min);
            most += here(&costs[base]) - best;
        }
        let n = count as f64;
        let mean = gains.iter().sum::<f64>() / n;
        let squares: f64 = gains.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
        Some(Worth {
            mean,
            error: libm::sqrt(squares) / n,
            // By the same samples no choice looks worse; their sums are rounded in another order.
            most: mean.max(most / n),
        })
    }
}

/// Value of knowing an input, in the unit of the costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Worth {
    /// The figure; chance may put it a little below 0.
    pub mean: f64,
    /// Its standard error: how far chance may have moved it.
    pub error: f64,
    /// Value with choices judged by the samples that made them, never below `mean`.
    pub most: f64,
}

impl Worth {
    /// Returns true if the value is above that of chance, and above rounding for a cost of this size.
    #[must_use]
    pub fn is_something(&self, cost: f64) -> bool {
        self.mean > 2.0 * self.error && self.mean > 1e-6 * cost.abs()
    }
}

/// The first of the least, by index.
fn least(values: impl Iterator<Item = f64>) -> usize {
    let first = (0, f64::INFINITY);
    let found = values.enumerate().fold(
        first,
        |best, next| {
            if next.1 < best.1 { next } else { best }
        },
    );
    found.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_published_intervals() {
        // Agresti and Coull (1998): 0 of 10 gives 0 to 0.278; Newcombe (1998): 81 of 263 gives 0.2553 to 0.3662.
        let (low, high) = wilson(0, 10).expect("samples");
        assert!(low == 0.0 && (high - 0.2775).abs() < 5e-4, "{high}");
        let (low, high) = wilson(81, 263).expect("samples");
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5);
        assert_eq!(wilson(10, 10).expect("samples").1, 1.0);
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
    }

    #[test]
    fn few_samples_are_no_trouble() {
        for count in 0..5 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let strata = Strata::of(&values, 16);
            let covered: usize = strata.each().map(<[usize]>::len).sum();
            assert_eq!(covered, values.len());
            let worth = strata.worth(&[values.clone(), values.clone()]);
            assert_eq!(worth.is_some(), count > 0);
            assert!(worth.is_none_or(|w| w.mean == 0.0));
            let _ = strata.variance_share(&values);
        }
        assert_eq!(Strata::of(&[1.0], 4).worth(&[]), None);
    }
}
