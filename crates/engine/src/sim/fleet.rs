//! Devices and links drawn at random, to compare methods on networks that no one chose.
//!
//! Source: the ranges are those of Kafetzis, Khalili and Koutsopoulos; they give no more than the ends, so memory and
//! compute are log-normal with the ends two standard deviations away, and rates are uniform. The draws come in a
//! fixed order: for each device a pair of normal numbers, memory before compute; then for each pair of devices, in the
//! order of the first, one rate for both directions; then the background of every interval from the same stream.

use super::{SplitMix, log_normal};
use crate::problem::Invalid;
use serde::{Deserialize, Serialize};

/// The most devices of a drawn network.
pub const MOST_DRAWN: usize = 256;

/// Ranges from which devices and links are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetRanges {
    /// Least and largest memory [B].
    pub memory: [f64; 2],
    /// Least and largest compute [operations/s].
    pub compute: [f64; 2],
    /// Least and largest rate of a link [Gbit/s].
    pub rate_gbit_s: [f64; 2],
}

impl Default for FleetRanges {
    /// 2 to 8 GB, 5 to 50 G operations/s, 1 to 10 Gbit/s.
    fn default() -> Self {
        Self {
            memory: [2e9, 8e9],
            compute: [5e9, 50e9],
            rate_gbit_s: [1.0, 10.0],
        }
    }
}

/// A drawn network.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnFleet {
    /// Memory of each device [B].
    pub memory: Vec<f64>,
    /// Compute of each device [operations/s].
    pub compute: Vec<f64>,
    /// Rate from each device to each [B/s], the same both ways; 0 on the diagonal, which means nothing.
    pub rates: Vec<Vec<f64>>,
    /// The stream after these draws: the background is drawn from it.
    pub chance: SplitMix,
}

impl FleetRanges {
    /// Refuses ranges that are none.
    ///
    /// # Errors
    /// [`Invalid`] at `memory[0]`, `memory[1]` and the like.
    pub fn check(&self) -> Result<(), Invalid> {
        for (path, [least, most]) in [
            ("memory", self.memory),
            ("compute", self.compute),
            ("rate_gbit_s", self.rate_gbit_s),
        ] {
            if !(least > 0.0 && least.is_finite()) {
                let path = format!("{path}[0]");
                return Err(Invalid::range(path, least, "a finite number above 0"));
            }
            if !(most >= least && most.is_finite()) {
                let allowed = format!("a finite number, at least {path}[0], {least}");
                return Err(Invalid::range(format!("{path}[1]"), most, &allowed));
            }
        }
        Ok(())
    }

    /// The network of a seed. O(devices²).
    ///
    /// # Errors
    /// As [`FleetRanges::check`], and at `devices`.
    pub fn draw(&self, devices: usize, seed: u64) -> Result<DrawnFleet, Invalid> {
        const BYTES_PER_GBIT: f64 = 1.25e8;
        self.check()?;
        if !(1..=MOST_DRAWN).contains(&devices) {
            let allowed = format!("a whole number from 1 to {MOST_DRAWN}");
            return Err(Invalid::range("devices", devices, &allowed));
        }
        let mut chance = SplitMix::new(seed);
        let pair = |_| {
            let (first, second) = chance.normals();
            (
                log_normal(first, self.memory),
                log_normal(second, self.compute),
            )
        };
        let (memory, compute) = (0..devices).map(pair).unzip();
        let [least, most] = self.rate_gbit_s;
        let mut rates = vec![vec![0.0; devices]; devices];
        let pairs = (0..devices).flat_map(|from| (from + 1..devices).map(move |to| (from, to)));
        for (from, to) in pairs {
            let rate = (least + (most - least) * chance.unit()) * BYTES_PER_GBIT;
            rates[from][to] = rate;
            rates[to][from] = rate;
        }
        Ok(DrawnFleet {
            memory,
            compute,
            rates,
            chance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Background, Loads};

    #[track_caller]
    fn near(ours: f64, known: f64) {
        assert!(
            (ours - known).abs() <= 1e-9 * known,
            "{ours:?} is not {known:?}"
        );
    }

    #[test]
    fn a_seed_gives_the_network_that_others_draw_too() {
        let fleet = FleetRanges::default()
            .draw(3, 1)
            .expect("three devices are allowed");
        near(fleet.memory[0], 3_952_776_377.457_157);
        assert_eq!(fleet.memory[1], 2e9, "clipped");
        near(fleet.memory[2], 4_123_476_638.874_761);
        near(fleet.compute[0], 7_513_077_539.194_218);
        near(fleet.compute[1], 26_720_012_128.737_957);
        near(fleet.compute[2], 8_489_338_021.909_909);
        near(fleet.rates[0][1], 1_112_017_272.609_694_7);
        assert_eq!(fleet.rates[1][0], fleet.rates[0][1]);
        assert_eq!(fleet.rates[2][2], 0.0);
        let mut loads = Loads::new(Background::default(), 3, fleet.chance).expect("a background");
        let mut first = None;
        loads.next(|device, taken| {
            if device == 0 {
                first = Some(taken.compute);
            }
        });
        near(first.expect("the first device"), 0.238_198_981_698_691_66);
    }

    #[test]
    fn ranges_hold_and_bad_ones_are_refused_by_name() {
        let ranges = FleetRanges {
            memory: [1e9, 1e9],
            compute: [1.0, 2.0],
            rate_gbit_s: [8.0, 8.0],
        };
        let fleet = ranges.draw(20, 9).expect("twenty devices");
        assert!(fleet.memory.iter().all(|m| *m == 1e9));
        assert!(fleet.compute.iter().all(|c| (1.0..=2.0).contains(c)));
        assert!(fleet.rates[3][7] == 1e9 && fleet.rates[19][0] == 1e9);
        assert_eq!(ranges.draw(1, 9).map(|fleet| fleet.rates[0][0]), Ok(0.0));

        let fault = |change: fn(&mut FleetRanges)| {
            let mut ranges = FleetRanges::default();
            change(&mut ranges);
            ranges.draw(3, 1).expect_err("no range").path
        };
        assert_eq!(fault(|r| r.memory[0] = 0.0), "memory[0]");
        assert_eq!(fault(|r| r.compute = [2.0, 1.0]), "compute[1]");
        assert_eq!(
            fault(|r| r.rate_gbit_s[1] = f64::INFINITY),
            "rate_gbit_s[1]"
        );
        for devices in [0, MOST_DRAWN + 1] {
            let fault = FleetRanges::default().draw(devices, 1);
            assert_eq!(fault.expect_err("a number of devices").path, "devices");
        }
    }
}
