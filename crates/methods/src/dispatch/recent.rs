//! The server's times of late, in a few hundred numbers: what a client keeps instead of a log.
//!
//! Buckets grow by the same ratio from each to the next, and every sample weighs a little more than the one before it, which
//! is the same as all earlier ones fading. The law of the buckets goes into any of the fits; it is off by at most half a
//! bucket.

use engine::problem::Invalid;
use engine::problem::dispatch::ServerTimes;

/// Buckets.
const BUCKETS: usize = 512;
/// Weights are scaled down before they come near what 64-bit numbers can hold.
const MOST_WEIGHT: f64 = 1e200;

/// A histogram that forgets.
#[derive(Debug, Clone, PartialEq)]
pub struct Recent {
    low: f64,
    /// Logarithm of the ratio between two buckets.
    step: f64,
    growth: f64,
    weight: f64,
    buckets: Vec<f64>,
}

impl Recent {
    /// An empty histogram of times from `low` to `high` [s], where a sample counts half after `half_life` others. What is
    /// beyond goes into the buckets at the ends.
    ///
    /// # Errors
    /// A lowest time that is not above 0, a highest that is not above it, a half-life that is not above 0.
    pub fn new(low: f64, high: f64, half_life: f64) -> Result<Self, Invalid> {
        const POSITIVE: &str = "a finite number above 0";
        if !(low.is_finite() && low > 0.0) {
            return Err(Invalid::range("low", low, POSITIVE));
        }
        if !(high.is_finite() && high > low) {
            return Err(Invalid::range("high", high, "a finite number above low"));
        }
        if !(half_life.is_finite() && half_life > 0.0) {
            return Err(Invalid::range("half_life", half_life, POSITIVE));
        }
        Ok(Self {
            low,
            step: libm::log(high / low) / BUCKETS as f64,
            growth: libm::exp2(1.0 / half_life),
            weight: 1.0,
            buckets: vec![0.0; BUCKETS],
        })
    }

    /// Takes in a sample [s]; one that is not above 0 and finite is passed over. O(1).
    pub fn add(&mut self, sample: f64) {
        if !(sample.is_finite() && sample > 0.0) {
            return;
        }
        let at = libm::log(sample / self.low) / self.step;
        // Below the first bucket the cast gives 0.
        let at = (at as usize).min(BUCKETS - 1);
        self.weight *= self.growth;
        self.buckets[at] += self.weight;
        if self.weight > MOST_WEIGHT {
            let scale = 1.0 / self.weight;
            self.buckets.iter_mut().for_each(|bucket| *bucket *= scale);
            self.weight = 1.0;
        }
    }

    /// The law of the samples of late: every bucket in its middle. O(buckets).
    ///
    /// # Errors
    /// No sample yet.
    pub fn times(&self) -> Result<ServerTimes, Invalid> {
        let all: f64 = self.buckets.iter().sum();
        let middle = |k: usize| self.low * libm::exp((k as f64 + 0.5) * self.step);
        let rows = self.buckets.iter().enumerate();
        // What has faded to nothing beside the others is no bucket any more.
        let rows = rows.filter(|(_, weight)| **weight > 1e-15 * all);
        let rows: Vec<(f64, f64)> = rows.map(|(k, weight)| (middle(k), weight / all)).collect();
        ServerTimes::of_counts(&rows)
    }
}

/// A budget with a margin of `z` standard deviations of the share that a fit from `n` samples comes to on others: never below
/// zero.
#[must_use]
pub fn cautious(b: f64, n: f64, z: f64) -> f64 {
    (b - z * (b * (1.0 - b) / n).max(0.0).sqrt()).clamp(0.0, 1.0)
}
