//! Random fleets, to try a plan on machines one does not have. The same recipe makes the same fleet on every
//! machine and in every browser: the generator is PCG32, the logarithms come from `libm`, and every number is
//! rounded to the digits that are shown.
//!
//! The distributions are our own. Their ranges are those of the four devices of CSGO, Table 1; each number of
//! a device is drawn by itself, rates and sizes so that every factor is as likely as every other (uniform in
//! the logarithm). Device k of a fleet does not depend on how many devices there are.

use super::{Device, Scenario, fields};
use crate::hardware::catalog::DEVICES;
use crate::units::rounded;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// How different the devices of a fleet are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RandomSpread {
    /// One device is drawn; the others are within a tenth of it.
    Alike,
    /// Every number is within the range of the paper's devices.
    #[default]
    Mixed,
    /// Compute, disk, memory and distance reach four times further either way.
    Wild,
}

impl RandomSpread {
    /// All spreads.
    pub const ALL: [Self; 3] = [Self::Alike, Self::Mixed, Self::Wild];

    /// The name in titles and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alike => "alike",
            Self::Mixed => "mixed",
            Self::Wild => "wild",
        }
    }

    /// The spread with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|spread| spread.name() == name)
    }

    /// How much further than the paper's devices compute, disk, memory and distance reach, as a factor.
    const fn reach(self) -> f64 {
        match self {
            Self::Alike | Self::Mixed => 1.0,
            Self::Wild => 4.0,
        }
    }
}

/// Parameters of a random fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The seed.
    pub seed: u32,
    /// How many devices, from 1 to [`fields::MOST_DEVICES`].
    pub count: usize,
    /// How different they are.
    pub spread: RandomSpread,
}

impl Recipe {
    /// Returns the title of the scenario, from which the fleet can be made again.
    #[must_use]
    pub fn title(&self) -> String {
        let noun = if self.count == 1 { "device" } else { "devices" };
        format!(
            "Random fleet: seed {}, {} {noun}, {}",
            self.seed,
            self.count,
            self.spread.name()
        )
    }

    /// The recipe of a preset's name, `random-SEED-COUNT` or `random-SEED-COUNT-SPREAD`.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix("random-")?.split('-');
        let seed = parts.next()?.parse().ok()?;
        let count = parts.next()?.parse().ok()?;
        let spread = match parts.next() {
            Some(name) => RandomSpread::find(name)?,
            None => RandomSpread::default(),
        };
        let counted = (1..=fields::MOST_DEVICES).contains(&count);
        (counted && parts.next().is_none()).then_some(Self {
            seed,
            count,
            spread,
        })
    }

    /// The devices, named D1, D2 and so on.
    #[must_use]
    pub fn devices(&self) -> Vec<Device> {
        (0..self.count)
            .map(|k| {
                let mut device = match self.spread {
                    RandomSpread::Alike => {
                        near(&drawn(&mut self.stream(0), 1.0), &mut self.stream(k + 1))
                    }
                    RandomSpread::Mixed | RandomSpread::Wild => {
                        drawn(&mut self.stream(k + 1), self.spread.reach())
                    }
                };
                device.name = format!("D{}", k + 1);
                device
            })
            .collect()
    }

    /// A scenario with this fleet and title, and everything else as before, but for what asks for memory rates: nothing is
    /// drawn for those.
    #[must_use]
    pub fn applied_to(&self, scenario: &Scenario) -> Scenario {
        Scenario {
            title: self.title(),
            devices: self.devices(),
            decode: None,
            ..scenario.clone()
        }
    }

    /// The numbers of one device; neighbouring seeds have nothing in common.
    fn stream(&self, k: usize) -> Draw {
        // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
        let mut state = (u64::from(self.seed) << 8 | k as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Draw(Pcg32::new(state ^ (state >> 31), k as u64))
    }
}

struct Draw(Pcg32);

impl Draw {
    /// From 0 to 1, without 1, in steps of 2^-53.
    fn unit(&mut self) -> f64 {
        const STEPS: f64 = 9_007_199_254_740_992.0;
        (self.0.next_u64() >> 11) as f64 / STEPS
    }

    fn uniform(&mut self, (low, high): (f64, f64)) -> f64 {
        low + (high - low) * self.unit()
    }

    fn log_uniform(&mut self, (low, high): (f64, f64)) -> f64 {
        low * libm::exp(libm::log(high / low) * self.unit())
    }
}

/// The least and the greatest of a column of the paper's devices.
fn span(of: fn(&crate::hardware::DeviceHardware) -> f64) -> (f64, f64) {
    let values = || DEVICES.iter().map(|entry| of(&entry.device));
    (
        values().fold(f64::INFINITY, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    )
}

fn drawn(draw: &mut Draw, reach: f64) -> Device {
    let wide = |(low, high): (f64, f64)| (low / reach, high * reach);
    let hardware = crate::hardware::DeviceHardware {
        peak_tflops: three_digits(draw.log_uniform(wide(span(|d| d.peak_tflops)))),
        util_limit: three_digits(draw.uniform(span(|d| d.util_limit))),
        util_rate: three_digits(draw.log_uniform(span(|d| d.util_rate))),
        disk_mb_s: three_digits(draw.log_uniform(wide(span(|d| d.disk_mb_s)))),
        memory_gb: libm::round(draw.log_uniform(wide(span(|d| d.memory_gb)))),
        uplink_dbm: three_digits(draw.uniform(span(|d| d.uplink_dbm))),
        downlink_dbm: three_digits(draw.uniform(span(|d| d.downlink_dbm))),
        distance_m: three_digits(draw.log_uniform(wide(span(|d| d.distance_m)))),
    };
    Device::from_hardware("", &hardware)
}

/// A device within a tenth of `base`, powers within half a decibel.
fn near(base: &Device, draw: &mut Draw) -> Device {
    const TENTH: (f64, f64) = (1.0 / 1.1, 1.1);
    let mut device = base.clone();
    for number in [
        &mut device.c_peak_tflops,
        &mut device.b,
        &mut device.r_mb_s,
        &mut device.d_m,
    ] {
        *number = three_digits(*number * draw.log_uniform(TENTH));
    }
    device.a = three_digits((device.a * draw.log_uniform(TENTH)).min(1.0));
    device.m_gb = libm::round(device.m_gb * draw.log_uniform(TENTH)).max(1.0);
    for level in [&mut device.pu_dbm, &mut device.pd_dbm] {
        *level = three_digits(*level + draw.uniform((-0.5, 0.5)));
    }
    device
}

/// A number with three significant digits, which is what a person would write down.
fn three_digits(value: f64) -> f64 {
    rounded(value, 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::presets;

    #[test]
    fn a_fleet_is_one_that_the_page_accepts_and_its_recipe_is_in_the_title() {
        for spread in RandomSpread::ALL {
            for seed in [0, 1, 7, 2026, u32::MAX] {
                for count in [1, 5, 64] {
                    let recipe = Recipe {
                        seed,
                        count,
                        spread,
                    };
                    let scenario = recipe.applied_to(&presets::paper());
                    assert_eq!(scenario.validate(), Ok(()), "{recipe:?}");
                    assert!(scenario.problem().is_ok(), "{recipe:?}");
                    assert!(scenario.title.contains(&seed.to_string()));
                    let name = format!("random-{seed}-{count}-{}", spread.name());
                    assert_eq!(Recipe::of_name(&name), Some(recipe));
                }
            }
        }
        for wrong in [
            "random",
            "random-7",
            "random-7-0",
            "random-7-65",
            "random--7-4",
            "random-x-4",
            "random-7-4-odd",
            "random-7-4-wild-",
            "random-4294967296-4",
        ] {
            assert_eq!(Recipe::of_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_longer_fleet_begins_with_the_shorter_and_another_seed_is_another_fleet() {
        for spread in RandomSpread::ALL {
            let fleet = |seed, count| {
                Recipe {
                    seed,
                    count,
                    spread,
                }
                .devices()
            };
            let (short, long) = (fleet(7, 3), fleet(7, 9));
            assert_eq!(short, long[..3]);
            assert_ne!(short, fleet(8, 3));
            assert!(
                long.iter()
                    .all(|d| long.iter().filter(|e| e.r_mb_s == d.r_mb_s).count() < 4)
            );
        }
    }

    #[test]
    fn the_spreads_keep_their_word() {
        let fleet = |spread| {
            Recipe {
                seed: 3,
                count: 64,
                spread,
            }
            .devices()
        };
        let factor = |fleet: &[Device], of: fn(&Device) -> f64| {
            let least = fleet.iter().map(of).fold(f64::INFINITY, f64::min);
            fleet.iter().map(of).fold(0.0, f64::max) / least
        };
        let alike = fleet(RandomSpread::Alike);
        let (mixed, wild) = (fleet(RandomSpread::Mixed), fleet(RandomSpread::Wild));
        assert!(factor(&alike, |d| d.c_peak_tflops) < 1.22);
        assert!((5.0..=8.26).contains(&factor(&mixed, |d| d.c_peak_tflops)));
        assert!((30.0..=133.0).contains(&factor(&wild, |d| d.c_peak_tflops)));
        assert!(
            mixed
                .iter()
                .all(|d| (8.0..=20.0).contains(&d.m_gb) && d.m_gb == libm::round(d.m_gb))
        );
        assert!(wild.iter().all(|d| (0.25..=28.0).contains(&d.d_m)));
        // Half of a log-uniform draw is below the geometric mean.
        let below = mixed
            .iter()
            .filter(|d| d.r_mb_s < libm::sqrt(2000.0 * 5000.0))
            .count();
        assert!((20..=44).contains(&below), "{below} of 64");
    }
}
