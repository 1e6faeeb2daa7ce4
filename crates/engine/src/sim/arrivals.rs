//! Arrivals at random: exponential gaps, the first one included.

use super::Draw;

/// Arrival times [s] of `count` tasks that come at random, `rate` a second on average; never decreasing.
///
/// A higher rate with the same seed is the same list on a faster clock, and a longer list begins with the shorter:
/// two settings that are compared on one seed see the same luck.
///
/// # Complexity
/// O(count).
#[must_use]
pub fn poisson(rate: f64, count: usize, seed: u64) -> Vec<f64> {
    let mut draw = Draw::new(seed, 0);
    let mut now = 0.0;
    (0..count)
        .map(|_| {
            now += draw.exponential(1.0);
            now / rate
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_come_at_their_rate_and_share_their_luck() {
        let slow = poisson(0.2, 4000, 3);
        assert!(slow.windows(2).all(|pair| pair[0] <= pair[1]) && slow[0] > 0.0);
        let mean = slow[3999] / 4000.0;
        assert!((4.75..5.25).contains(&mean), "{mean}");
        assert_eq!(poisson(0.2, 10, 3), slow[..10]);
        let fast = poisson(0.4, 10, 3);
        assert!(
            fast.iter()
                .zip(&slow)
                .all(|(f, s)| (2.0 * f - s).abs() <= 1e-12 * s)
        );
        assert_ne!(poisson(0.2, 1, 4), slow[..1]);
        assert!(poisson(0.2, 0, 0).is_empty());
    }
}
