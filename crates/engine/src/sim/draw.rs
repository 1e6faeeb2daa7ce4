//! Random numbers that are the same on every machine and in every browser: PCG32 (O'Neill, 2014), and a logarithm
//! that comes from `libm`.
//!
//! An exponential number is drawn by inverting its distribution, -ln(1 - u) / rate: one draw each, so that two
//! runs that share a seed stay in step whatever they are compared on. The usual libraries draw a varying number of
//! times, and call the platform's own `exp`, whose last bit differs from machine to machine.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Draw(Pcg32);

impl Draw {
    /// Stream number `stream` of a seed. Neighbouring seeds have nothing in common, nor have two streams.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
        let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(Pcg32::new(state ^ (state >> 31), stream))
    }

    /// From 0 to 1, without 1, in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        const STEPS: f64 = 9_007_199_254_740_992.0;
        (self.0.next_u64() >> 11) as f64 / STEPS
    }

    /// A whole number from 0 to `n` - 1; 0 if there is none.
    pub fn integer_below(&mut self, n: usize) -> usize {
        // The upper half of a product is as fair as 64 bits allow, and needs no second draw.
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// A time until the next of events that come at random, `rate` a second on average.
    pub fn exponential(&mut self, rate: f64) -> f64 {
        -libm::log1p(-self.unit()) / rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_fixed_and_its_numbers_are_spread_as_they_should_be() {
        let mut draw = Draw::new(7, 0);
        let first: Vec<u64> = (0..3).map(|_| draw.unit().to_bits()).collect();
        let mut again = Draw::new(7, 0);
        assert!(first.iter().all(|bits| again.unit().to_bits() == *bits));
        let others = [Draw::new(8, 0), Draw::new(7, 1)].map(|mut other| other.unit().to_bits());
        assert!(!first.contains(&others[0]) && !first.contains(&others[1]));

        let mut counts = [0; 5];
        (0..5000).for_each(|_| counts[draw.integer_below(5)] += 1);
        assert!(counts.iter().all(|n| (900..1100).contains(n)), "{counts:?}");
        assert_eq!(draw.integer_below(1), 0);
        let waits: Vec<f64> = (0..10_000).map(|_| draw.exponential(0.2)).collect();
        let mean = waits.iter().sum::<f64>() / 10_000.0;
        let beyond = waits.iter().filter(|wait| **wait > 5.0).count();
        assert!((4.85..5.15).contains(&mean), "{mean}");
        assert!((3500..3860).contains(&beyond), "{beyond}"); // 1/e of them
        assert!(waits.iter().all(|wait| *wait >= 0.0 && wait.is_finite()));
    }
}
