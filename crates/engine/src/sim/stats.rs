//! Statistics of many samples: mean, quantiles, and, over runs with different seeds, spread and confidence.
//!
//! Quantiles interpolate linearly between the two nearest samples (Hyndman and Fan, 1996, type 7). The confidence
//! interval of a mean is Student's; its factors are tabulated to 30 degrees of freedom and follow Cornish and
//! Fisher's expansion beyond, right to 0.001 there.

use serde::{Deserialize, Serialize};

/// Statistics of the samples of one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Half of the samples are at most this.
    pub p50: f64,
    /// 95 % of them.
    pub p95: f64,
    /// 99 % of them.
    pub p99: f64,
}

impl Summary {
    /// Of samples in any order; none for none. O(n log n).
    #[must_use]
    pub fn of(samples: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = samples.into_iter().collect();
        if sorted.is_empty() {
            return None;
        }
        // The mean is that of the samples as they came: sorting first would move its last bit.
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            mean,
            p50: quantile(&sorted, 0.5),
            p95: quantile(&sorted, 0.95),
            p99: quantile(&sorted, 0.99),
        })
    }
}

/// The quantile `share`, from 0 to 1, of samples in ascending order, of which there is at least one. O(1).
///
/// # Panics
/// On an empty list.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = libm::floor(place);
    let (low, high) = (
        sorted[below as usize],
        sorted[(below as usize + 1).min(last)],
    );
    low + (high - low) * (place - below)
}

/// One figure over several runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Spread {
    /// How many runs.
    pub runs: usize,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the runs; 0 for one run.
    pub deviation: f64,
    /// Least.
    pub min: f64,
    /// Greatest.
    pub max: f64,
    /// Half the width of the 95 % confidence interval of the mean; nothing for one run.
    pub confidence: Option<f64>,
}

impl Spread {
    /// Of the same figure in several runs; none for none. O(n).
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let free = runs.saturating_sub(1);
        let deviation = if free == 0 {
            0.0
        } else {
            libm::sqrt(squares / free as f64)
        };
        Some(Self {
            runs,
            mean,
            deviation,
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            confidence: (free > 0).then(|| student(free) * deviation / libm::sqrt(runs as f64)),
        })
    }
}

/// The 97.5 % quantile of Student's distribution with so many degrees of freedom, at least 1.
fn student(free: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    const Z: f64 = 1.959_963_984_540_054; // of the normal distribution
    const Z3: f64 = Z * Z * Z;
    const Z5: f64 = Z3 * Z * Z;
    match TABLE.get(free.saturating_sub(1)) {
        Some(factor) => *factor,
        None => {
            let n = free as f64;
            Z + (Z3 + Z) / (4.0 * n) + (5.0 * Z5 + 16.0 * Z3 + 3.0 * Z) / (96.0 * n * n)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        let read = [0.0, 0.5, 0.75, 0.9, 1.0].map(|share| quantile(&sorted, share));
        assert_eq!(read[..3], [1.0, 4.0, 8.0]);
        assert!((read[3] - 12.8).abs() < 1e-12 && read[4] == 16.0);
        assert_eq!(quantile(&[3.0], 0.99), 3.0);
        let summary = Summary::of([4.0, 1.0, 16.0, 2.0, 8.0]).expect("samples");
        assert_eq!((summary.mean, summary.p50), (6.2, 4.0));
        assert!(summary.p95 < summary.p99 && summary.p99 < 16.0);
        assert_eq!(Summary::of([]), None);
    }

    #[test]
    fn the_spread_of_runs_has_a_confidence_from_two_on() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("runs");
        assert_eq!((spread.runs, spread.mean), (5, 3.0));
        assert_eq!((spread.min, spread.max), (1.0, 5.0));
        assert!((spread.deviation - 2.5_f64.sqrt()).abs() < 1e-12);
        let half = spread.confidence.expect("five runs");
        assert!((half - 2.776 * (0.5_f64).sqrt()).abs() < 1e-9, "{half}");
        let one = Spread::of(&[7.0]).expect("a run");
        assert_eq!((one.deviation, one.confidence), (0.0, None));
        assert_eq!(Spread::of(&[]), None);
        assert!((student(31) - 2.0395).abs() < 1e-3 && (student(1000) - 1.9623).abs() < 1e-3);
    }
}
