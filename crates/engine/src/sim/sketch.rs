//! Mean and quantiles of any number of samples in fixed memory: counts in 1024 buckets an octave.
//!
//! The bucket of a number is the upper bits of its binary form, so finding it takes no logarithm, and buckets are 0.1 % wide at
//! most: no quantile is off by more than half of that. Two sketches of the same samples in another order are the same but for
//! the last bits of the mean.

/// Bits of the fraction that tell buckets apart.
const FINE: u32 = 10;
/// The least exponent of two that is distinguished: about a millionth. What is smaller counts as zero.
const LOWEST: u64 = 1023 - 20;
/// Octaves: up to some 10^12.
const OCTAVES: usize = 60;

/// A summary of samples that are 0 or above.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileSketch {
    counts: Vec<f64>,
    /// Samples below all buckets.
    zero: f64,
    count: f64,
    sum: f64,
    squares: f64,
    max: f64,
}

impl Default for QuantileSketch {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            zero: 0.0,
            count: 0.0,
            sum: 0.0,
            squares: 0.0,
            max: 0.0,
        }
    }
}

impl QuantileSketch {
    /// Adds a sample. O(1).
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.add_many(value, 1.0);
    }

    /// Adds the same sample so many times. O(1).
    #[inline]
    pub fn add_many(&mut self, value: f64, times: f64) {
        self.count += times;
        self.sum += value * times;
        self.squares += value * value * times;
        self.max = self.max.max(value);
        match bucket(value) {
            Some(at) => {
                if at >= self.counts.len() {
                    self.counts.resize(OCTAVES << FINE, 0.0);
                }
                self.counts[at] += times;
            }
            None => self.zero += times,
        }
    }

    /// How many samples.
    #[must_use]
    pub fn count(&self) -> f64 {
        self.count
    }

    /// Their mean; 0 of none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count > 0.0 {
            self.sum / self.count
        } else {
            0.0
        }
    }

    /// The standard error of the mean, as of independent samples; 0 of none.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.count > 0.0 {
            let mean = self.mean();
            let variance = (self.squares / self.count - mean * mean).max(0.0);
            libm::sqrt(variance / self.count)
        } else {
            0.0
        }
    }

    /// The largest sample; 0 of none.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The least value that a share of the samples is at most, to within a bucket; 0 of none. O(buckets).
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = share * self.count - 1e-9;
        let mut sum = self.zero;
        if self.count == 0.0 || sum >= wanted {
            return 0.0;
        }
        for (at, count) in self.counts.iter().enumerate() {
            sum += count;
            if *count > 0.0 && sum >= wanted {
                let bits = ((at as u64) + (LOWEST << FINE)) << (52 - FINE);
                let half = 1 << (51 - FINE);
                return f64::from_bits(bits + half).min(self.max);
            }
        }
        self.max
    }
}

/// The bucket of a value, if it is not too small for one.
#[inline]
fn bucket(value: f64) -> Option<usize> {
    let place = value.to_bits() >> (52 - FINE);
    let at = place.checked_sub(LOWEST << FINE)? as usize;
    Some(at.min((OCTAVES << FINE) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Draw;

    #[test]
    fn quantiles_are_right_to_a_bucket() {
        let mut draw = Draw::new(12, 0);
        let mut all: Vec<f64> = (0..5000).map(|_| draw.exponential(0.7)).collect();
        let mut sketch = QuantileSketch::default();
        all.iter().for_each(|value| sketch.add(*value));
        all.sort_by(f64::total_cmp);
        for share in [0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let exact = all[((share * 5000.0_f64).ceil() as usize).max(1) - 1];
            let found = sketch.quantile(share);
            assert!(
                (found / exact - 1.0).abs() < 6e-4,
                "{share}: {found}, {exact}"
            );
        }
        let mean = all.iter().sum::<f64>() / 5000.0;
        assert!((sketch.mean() - mean).abs() < 1e-9);
        let variance = all.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 5000.0;
        assert!((sketch.error() - (variance / 5000.0).sqrt()).abs() < 1e-9);
        assert_eq!((sketch.max(), sketch.count()), (all[4999], 5000.0));
    }

    #[test]
    fn edges() {
        let none = QuantileSketch::default();
        assert_eq!(
            (none.mean(), none.quantile(0.5), none.error()),
            (0.0, 0.0, 0.0)
        );
        let mut few = QuantileSketch::default();
        few.add_many(0.0, 99.0);
        few.add(3.0);
        assert_eq!((few.quantile(0.99), few.quantile(1.0)), (0.0, 3.0));
        few.add(1e300);
        assert!(
            few.quantile(1.0) > 3.0,
            "what is too large is in the last bucket"
        );
    }
}
