//! Laws of times and lengths: log-normal, log-normal with bursts, cut-off exponential; their quantiles, the weights of whole
//! numbers under them, and the log-normal law through samples.
//!
//! Everything is computed with `libm`, so that a browser and a server find the same bits; libraries of distributions use the
//! mathematics of their platform, which differ in the last place. The quantile of the normal law begins at Acklam's
//! rational approximation (relative error 1.2e-9) and takes one step of Halley's method from there.

use serde::{Deserialize, Serialize};

/// Share of the standard normal law below `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// Where the standard normal law has the share `p` below; infinite at 0 and 1.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
    ];
    /// Where the approximation of the middle ends.
    const LOW: f64 = 0.024_25;
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let along = |coefficients: &[f64], x: f64| {
        let sum = |value: f64, c: &f64| value * x + c;
        coefficients.iter().fold(0.0, sum)
    };
    let tail = |q: f64| along(&C, q) / (along(&D, q) * q + 1.0);
    let x = if p < LOW {
        tail((-2.0 * libm::log(p)).sqrt())
    } else if p > 1.0 - LOW {
        -tail((-2.0 * libm::log1p(-p)).sqrt())
    } else {
        let q = p - 0.5;
        let r = q * q;
        along(&A, r) * q / (along(&B, r) * r + 1.0)
    };
    let miss = normal_cdf(x) - p;
    let u = miss * (std::f64::consts::TAU).sqrt() * libm::exp(0.5 * x * x);
    x - u / (1.0 + 0.5 * x * u)
}

/// A log-normal law by the mean and the standard deviation of its logarithm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogNormal {
    /// Mean of the logarithm.
    pub log_mean: f64,
    /// Standard deviation of the logarithm, above 0.
    pub log_sd: f64,
}

impl LogNormal {
    /// Share below `t`.
    #[must_use]
    pub fn cdf(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 0.0;
        }
        normal_cdf((libm::log(t) - self.log_mean) / self.log_sd)
    }

    /// Where the share `u` is below.
    #[must_use]
    pub fn quantile(&self, u: f64) -> f64 {
        libm::exp(self.log_mean + self.log_sd * normal_quantile(u))
    }

    /// Its mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        libm::exp(self.log_mean + 0.5 * self.log_sd * self.log_sd)
    }

    /// Returns samples of equal weight: the quantiles in the middle of equal shares.
    ///
    /// # Complexity
    /// O(count).
    #[must_use]
    pub fn samples(&self, count: usize) -> Vec<f64> {
        middles(count).map(|u| self.quantile(u)).collect()
    }

    /// The weights of the whole numbers from `least` to `most` when draws are rounded and then held within; numbers without
    /// weight are left out.
    ///
    /// # Complexity
    /// O(most - least).
    #[must_use]
    pub fn integer_weights(&self, least: u32, most: u32) -> Vec<(u32, f64)> {
        let below = |n: u32| self.cdf(f64::from(n) - 0.5);
        weights(least, most, below)
    }
}

fn middles(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |at| (at as f64 + 0.5) / count as f64)
}

fn weights(least: u32, most: u32, below: impl Fn(u32) -> f64) -> Vec<(u32, f64)> {
    let mut weights = Vec::new();
    let mut before = 0.0;
    for n in least..=most {
        let until = if n == most { 1.0 } else { below(n + 1) };
        if until > before {
            weights.push((n, until - before));
        }
        before = until;
    }
    weights
}

/// A log-normal law, and another one that some draws come from instead.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BurstyLaw {
    /// The usual law.
    pub body: LogNormal,
    /// The law of bursts.
    pub burst: LogNormal,
    /// Share of draws in bursts.
    pub share: f64,
}

impl BurstyLaw {
    /// Share below `t`.
    #[must_use]
    pub fn cdf(&self, t: f64) -> f64 {
        (1.0 - self.share) * self.body.cdf(t) + self.share * self.burst.cdf(t)
    }

    /// Its mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        (1.0 - self.share) * self.body.mean() + self.share * self.burst.mean()
    }

    /// Where the share `u` is below, by bisection of the logarithm between the quantiles of both laws.
    ///
    /// # Complexity
    /// O(1): at most 64 halvings, until the ends are neighbours.
    #[must_use]
    pub fn quantile(&self, u: f64) -> f64 {
        let ends =
            [&self.body, &self.burst].map(|law| law.log_mean + law.log_sd * normal_quantile(u));
        let (mut low, mut high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        if !(low.is_finite() && high.is_finite()) {
            return libm::exp(low);
        }
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.cdf(libm::exp(middle)) < u {
                low = middle;
            } else {
                high = middle;
            }
        }
        libm::exp(high)
    }

    /// Returns samples of equal weight, as [`LogNormal::samples`].
    ///
    /// # Complexity
    /// O(count).
    #[must_use]
    pub fn samples(&self, count: usize) -> Vec<f64> {
        middles(count).map(|u| self.quantile(u)).collect()
    }
}

/// The weights of whole numbers from 1 to `most` when draws of an exponential law are rounded and held within.
///
/// # Complexity
/// O(most).
#[must_use]
pub fn exponential_whole(mean: f64, most: u32) -> Vec<(u32, f64)> {
    weights(1, most.max(1), |n| {
        1.0 - libm::exp(-(f64::from(n) - 0.5) / mean)
    })
}

/// The log-normal law through samples, and how far it is from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Mean of the logarithms.
    pub log_mean: f64,
    /// Standard deviation of the logarithms.
    pub log_sd: f64,
    /// The largest difference of the two distribution functions (Kolmogorov and Smirnov).
    pub distance: f64,
}

/// Fits by the mean and standard deviation of the logarithms of `samples`, values above 0 in ascending order with weights;
/// none for fewer than two values.
///
/// # Complexity
/// O(samples).
#[must_use]
pub fn fit(samples: &[(f64, f64)]) -> Option<Fit> {
    let total: f64 = samples.iter().map(|(_, weight)| weight).sum();
    let log_mean = samples
        .iter()
        .map(|(value, weight)| weight * libm::log(*value))
        .sum::<f64>()
        / total;
    let square = |(value, weight): &(f64, f64)| {
        let off = libm::log(*value) - log_mean;
        weight * off * off
    };
    let log_sd = (samples.iter().map(square).sum::<f64>() / total).sqrt();
    if samples.len() < 2 || !(log_sd > 0.0 && log_sd.is_finite()) {
        return None;
    }
    let law = LogNormal { log_mean, log_sd };
    let (mut below, mut distance) = (0.0_f64, 0.0_f64);
    for (value, weight) in samples {
        let here = law.cdf(*value);
        let until = below + weight / total;
        distance = distance.max((here - below).abs()).max((until - here).abs());
        below = until;
    }
    Some(Fit {
        log_mean,
        log_sd,
        distance,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_quantiles_are_those_of_tables() {
        let known = [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.99, 2.326_347_874_040_841),
            (1e-9, -5.997_807_015_007_687),
        ];
        for (p, x) in known {
            assert!(
                (normal_quantile(p) - x).abs() < 1e-12 * f64::max(1.0, x.abs()),
                "{p}: {}",
                normal_quantile(p)
            );
        }
    }

    #[test]
    fn quantiles_turn_shares_back() {
        let body = LogNormal {
            log_mean: 0.4,
            log_sd: 0.3,
        };
        let law = BurstyLaw {
            body,
            burst: LogNormal {
                log_mean: 1.8,
                log_sd: 0.4,
            },
            share: 0.03,
        };
        for at in 1..1000 {
            let u = f64::from(at) / 1000.0;
            assert!((body.cdf(body.quantile(u)) - u).abs() < 1e-13);
            assert!((law.cdf(law.quantile(u)) - u).abs() < 1e-13, "{u}");
        }
        assert!(law.quantile(0.99) > 2.0 * body.quantile(0.99));
    }

    #[test]
    fn prompts_like_those_of_alpaca_have_the_reported_mean() {
        let law = LogNormal {
            log_mean: 2.7156,
            log_sd: 0.7,
        };
        let weights = law.integer_weights(4, 512);
        let mean: f64 = weights.iter().map(|(n, p)| f64::from(*n) * p).sum();
        assert!((mean - 19.3).abs() < 0.05, "{mean}");
        assert!((weights.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn replies_have_the_mean_of_their_cut_off_law() {
        let weights = exponential_whole(67.2, 128);
        let mean: f64 = weights.iter().map(|(n, p)| f64::from(*n) * p).sum();
        // 67.2 (1 - exp(-128/67.2)), and a hair for replies rounded up to one token.
        assert!((mean - 57.2).abs() < 0.02, "{mean}");
        assert!((weights.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_law_through_its_own_quantiles_is_itself() {
        let law = LogNormal {
            log_mean: -0.161,
            log_sd: 0.426,
        };
        let samples: Vec<(f64, f64)> = law.samples(2000).into_iter().map(|t| (t, 1.0)).collect();
        let fitted = fit(&samples).expect("two thousand samples");
        assert!((fitted.log_mean - law.log_mean).abs() < 1e-9);
        assert!((fitted.log_sd - law.log_sd).abs() < 1e-3);
        assert!(fitted.distance < 1e-3, "{}", fitted.distance);
        assert!(fit(&[(1.0, 5.0)]).is_none());
    }
}
