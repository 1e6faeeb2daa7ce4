//! Background load of devices: the shares of compute and memory that it takes, interval by interval.
//!
//! Source: Kafetzis, Khalili and Koutsopoulos say that devices have background tasks and publish neither their share nor
//! how long they stay; [`Background::Independent`] draws both shares afresh in every interval, from 0 to 0.3, as
//! their simulator does. [`Background::Bursty`] is ours: load that comes and stays for a while, without which looking
//! ahead would have nothing to look at.
//!
//! One draw after the other, interval by interval and device by device, so that a longer run begins with the shorter.

use super::SplitMix;
use crate::problem::Invalid;
use serde::{Deserialize, Serialize};

/// How load comes and goes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Background {
    /// No load: every interval has all of every device.
    Quiet,
    /// Shares of compute and of memory that have nothing to do with one another or with the interval before.
    Independent {
        /// The largest share that is taken; every share up to it is as likely.
        most: f64,
    },
    /// Load that comes, stays and goes.
    Bursty(Bursty),
}

/// Load that stays: each device is idle or busy, from idle in the first interval on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bursty {
    /// Chance that an idle device becomes busy in the next interval.
    pub begins: f64,
    /// Chance that a busy one becomes idle.
    pub ends: f64,
    /// Share of compute that is taken while idle.
    pub idle: f64,
    /// Least and largest share that is taken while busy; drawn once a burst.
    pub busy: [f64; 2],
    /// Share of memory that is taken, as a multiple of that of compute.
    #[cfg_attr(not(target_arch = "wasm32"), schemars(range(min = 0.0)))]
    pub memory: f64,
}

impl Default for Background {
    /// Independent shares from 0 to 0.3.
    fn default() -> Self {
        Self::Independent { most: 0.3 }
    }
}

impl Default for Bursty {
    /// A burst in fifty intervals, twenty long on average, that takes 0.3 to 0.8 of compute and half of that of memory.
    fn default() -> Self {
        Self {
            begins: 1.0 / 50.0,
            ends: 1.0 / 20.0,
            idle: 0.05,
            busy: [0.3, 0.8],
            memory: 0.5,
        }
    }
}

impl Background {
    /// Refuses shares and chances that are none.
    ///
    /// # Errors
    /// [`Invalid`] at `most`, `begins`, `ends`, `idle`, `busy[0]`, `busy[1]` or `memory`.
    pub fn check(&self) -> Result<(), Invalid> {
        const SHARE: &str = "a number from 0 to 1";
        let share = |path: &str, value: f64| match (0.0..=1.0).contains(&value) {
            true => Ok(()),
            false => Err(Invalid::range(path, value, SHARE)),
        };
        match self {
            Self::Quiet => Ok(()),
            Self::Independent { most } => share("most", *most),
            Self::Bursty(bursty) => {
                let [least, most] = bursty.busy;
                share("begins", bursty.begins)?;
                share("ends", bursty.ends)?;
                share("idle", bursty.idle)?;
                share("busy[0]", least)?;
                share("busy[1]", most)?;
                if most < least {
                    let allowed = format!("at least busy[0], {least}");
                    return Err(Invalid::range("busy[1]", most, &allowed));
                }
                let fits = |memory: f64| (0.0..=1.0).contains(&(memory * most.max(bursty.idle)));
                match bursty.memory >= 0.0 && fits(bursty.memory) {
                    true => Ok(()),
                    false => {
                        let allowed = "0 or above, and leave no device with negative memory";
                        Err(Invalid::range("memory", bursty.memory, allowed))
                    }
                }
            }
        }
    }
}

/// Background load of a device, as shares from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadShare {
    /// Of its compute.
    pub compute: f64,
    /// Of its memory.
    pub memory: f64,
}

/// The load of several devices while the intervals pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads {
    background: Background,
    chance: SplitMix,
    /// The share that a busy device has taken, of bursty loads.
    bursts: Vec<Option<f64>>,
}

impl Loads {
    /// Of so many devices, drawn from a stream that may have been drawn from before.
    ///
    /// # Errors
    /// As [`Background::check`].
    pub fn new(background: Background, devices: usize, chance: SplitMix) -> Result<Self, Invalid> {
        background.check()?;
        Ok(Self {
            background,
            chance,
            bursts: vec![None; devices],
        })
    }

    /// The next interval: what is taken of each device, in order. O(devices).
    pub fn next(&mut self, mut take: impl FnMut(usize, LoadShare)) {
        let Self {
            background,
            chance,
            bursts,
        } = self;
        for (device, burst) in bursts.iter_mut().enumerate() {
            let taken = match background {
                Background::Quiet => LoadShare::default(),
                Background::Independent { most } => LoadShare {
                    compute: *most * chance.unit(),
                    memory: *most * chance.unit(),
                },
                Background::Bursty(bursty) => {
                    let luck = chance.unit();
                    *burst = match *burst {
                        Some(_) if luck < bursty.ends => None,
                        None if luck < bursty.begins => {
                            let [least, most] = bursty.busy;
                            Some(least + (most - least) * chance.unit())
                        }
                        same => same,
                    };
                    let compute = burst.unwrap_or(bursty.idle);
                    LoadShare {
                        compute,
                        memory: bursty.memory * compute,
                    }
                }
            };
            take(device, taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(
        background: Background,
        devices: usize,
        intervals: usize,
        seed: u64,
    ) -> Vec<LoadShare> {
        let loads = Loads::new(background, devices, SplitMix::new(seed));
        let mut loads = loads.expect("the background is one");
        let mut all = Vec::new();
        for _ in 0..intervals {
            loads.next(|_, taken| all.push(taken));
        }
        all
    }

    #[test]
    fn independent_shares_are_drawn_compute_first() {
        let mut chance = SplitMix::new(5);
        let first: Vec<f64> = (0..4).map(|_| 0.3 * chance.unit()).collect();
        let drawn = shares(Background::default(), 2, 1, 5);
        let flat: Vec<f64> = drawn.iter().flat_map(|t| [t.compute, t.memory]).collect();
        assert_eq!(flat, first);
        let long = shares(Background::default(), 2, 500, 5);
        assert_eq!(long[..2], drawn);
        let mean = long.iter().map(|t| t.compute).sum::<f64>() / 1000.0;
        assert!((mean - 0.15).abs() < 0.01, "{mean}");
        assert!(
            shares(Background::Quiet, 3, 2, 1)
                .iter()
                .all(|t| *t == LoadShare::default())
        );
    }

    #[test]
    fn bursts_stay_for_their_time_and_keep_their_level() {
        let drawn = shares(Background::Bursty(Bursty::default()), 1, 40_000, 3);
        let busy = |taken: &LoadShare| taken.compute > 0.1;
        assert!(drawn.iter().all(|t| t.memory == 0.5 * t.compute));
        assert!(
            drawn
                .iter()
                .all(|t| t.compute == 0.05 || (0.3..=0.8).contains(&t.compute))
        );
        let share = drawn.iter().filter(|t| busy(t)).count() as f64 / 40_000.0;
        // 20 intervals busy in 70 on average.
        assert!((share - 20.0 / 70.0).abs() < 0.03, "{share}");
        let begins = drawn.windows(2).filter(|w| !busy(&w[0]) && busy(&w[1]));
        let bursts = begins.count() as f64;
        assert!((40_000.0 / bursts - 70.0).abs() < 8.0, "{bursts}");
        let mixed = drawn
            .windows(2)
            .filter(|w| busy(&w[0]) && busy(&w[1]) && w[0].compute != w[1].compute);
        assert_eq!(mixed.count(), 0);
    }

    #[test]
    fn an_invalid_share_is_refused_by_name() {
        let fault = |background: Background| background.check().expect_err("no share").path;
        assert_eq!(fault(Background::Independent { most: 1.5 }), "most");
        assert_eq!(fault(Background::Independent { most: f64::NAN }), "most");
        let bursty = |change: fn(&mut Bursty)| {
            let mut bursty = Bursty::default();
            change(&mut bursty);
            fault(Background::Bursty(bursty))
        };
        assert_eq!(bursty(|b| b.begins = -0.1), "begins");
        assert_eq!(bursty(|b| b.ends = 2.0), "ends");
        assert_eq!(bursty(|b| b.idle = f64::INFINITY), "idle");
        assert_eq!(bursty(|b| b.busy = [-1.0, 0.5]), "busy[0]");
        assert_eq!(bursty(|b| b.busy = [0.5, 1.5]), "busy[1]");
        assert_eq!(bursty(|b| b.busy = [0.5, 0.4]), "busy[1]");
        assert_eq!(bursty(|b| b.memory = 1.5), "memory");
        assert_eq!(bursty(|b| b.memory = -0.5), "memory");
        assert!(
            Background::Independent { most: 1.0 }.check().is_ok(),
            "all may be taken"
        );
    }
}
