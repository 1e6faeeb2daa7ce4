//! Random numbers by a recipe that any language can repeat in ten lines: SplitMix64 (Steele, Lea and Flood, 2014),
//! 53 bits of it as a number from 0 to 1, pairs of normal numbers by Box and Muller (1958).
//!
//! Traces of resources are compared with those of other implementations, which is why they do not come from the
//! streams of [`Draw`](super::Draw), whose PCG32 draws twice for a number. Logarithm, sine and cosine are those of
//! `libm`, so that the last bit is the same on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::f64::consts::TAU;

/// A stream of random numbers of a seed. Seeds are states: a seed that differs by the step of the generator is the
/// same stream, one number later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix(SplitMix64);

impl SplitMix {
    /// The stream whose state is the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// From 0 to 1, without 1, in steps of 2^-53. One draw.
    pub fn unit(&mut self) -> f64 {
        const STEPS: f64 = 9_007_199_254_740_992.0;
        (self.0.next_u64() >> 11) as f64 / STEPS
    }

    /// Two independent normal numbers of mean 0 and variance 1. Two draws.
    pub fn normals(&mut self) -> (f64, f64) {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        let angle = TAU * self.unit();
        (radius * libm::cos(angle), radius * libm::sin(angle))
    }
}

/// A log-normal number from a normal one: the range `[least, most]` is two standard deviations to either side of its
/// middle, and what falls outside is moved to the nearer end.
///
/// Both ends are above 0 and in order.
#[must_use]
pub fn log_normal(normal: f64, [least, most]: [f64; 2]) -> f64 {
    let middle = 0.5 * (libm::log(least) + libm::log(most));
    libm::exp(middle + normal * libm::log(most / least) / 4.0).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        let mut bits = SplitMix64::seed_from_u64(1);
        let first = [0; 3].map(|_: u64| bits.next_u64());
        let known = [
            0x910a_2dec_8902_5cc1,
            0xbeeb_8da1_658e_ec67,
            0xf893_a2ee_fb32_555e,
        ];
        assert_eq!(first, known);
        let mut chance = SplitMix::new(1);
        let first = chance.unit();
        assert_eq!(first, (known[0] >> 11) as f64 * libm::pow(2.0, -53.0));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&chance.unit())));
    }

    #[test]
    fn normal_numbers_have_their_moments_and_clipped_ones_their_range() {
        let mut chance = SplitMix::new(7);
        let drawn: Vec<f64> = (0..10_000)
            .flat_map(|_| {
                let (a, b) = chance.normals();
                [a, b]
            })
            .collect();
        let count = drawn.len() as f64;
        let mean = drawn.iter().sum::<f64>() / count;
        let square = drawn.iter().map(|z| z * z).sum::<f64>() / count;
        let beyond = drawn.iter().filter(|z| z.abs() > 1.96).count() as f64 / count;
        assert!(mean.abs() < 0.02 && (square - 1.0).abs() < 0.03, "{square}");
        assert!((beyond - 0.05).abs() < 0.006, "{beyond}");

        let range = [2.0, 8.0];
        assert!((log_normal(0.0, range) - 4.0).abs() < 1e-12);
        assert!((log_normal(-1.0, range) - 4.0 / libm::sqrt(2.0)).abs() < 1e-12);
        assert_eq!([-9.0, 9.0].map(|z| log_normal(z, range)), range);
        assert_eq!(log_normal(1.5, [3.0, 3.0]), 3.0);
    }
}
