//! Setting of a run: a layer, devices and links, free memory and compute in each interval, number of tokens.

use engine::problem::Invalid;
use engine::problem::head_sizes::HeadLayer;
use engine::problem::heads::{HeadPlacement, Interval, LinkRates};
use engine::sim::{Background, FleetRanges, Free, SplitMix, Supply};
use std::sync::Arc;

/// The most tokens of a run.
pub const MOST_RUN_TOKENS: u32 = 100_000;

/// A valid run. A copy gives the same resources again, so that strategies meet the same luck.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSetting {
    layer: HeadLayer,
    links: Arc<LinkRates>,
    controller: usize,
    supply: Supply,
    tokens: u32,
    each: u32,
    t_tok: Option<f64>,
}

/// An interval and what is free in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// Its last token, n.
    pub n: u32,
    /// Free memory and compute.
    pub free: Free,
}

impl RunSetting {
    /// A run of `tokens` tokens in intervals of `each`. `t_tok` is the budget of Algorithm 1, `None` for the usual one.
    ///
    /// # Errors
    /// [`Invalid`] at `tokens`, `each`, `M[j]`, `C[j]`, `controller` or `t_tok`.
    pub fn new(
        layer: HeadLayer,
        links: Arc<LinkRates>,
        controller: usize,
        supply: Supply,
        (tokens, each): (u32, u32),
        t_tok: Option<f64>,
    ) -> Result<Self, Invalid> {
        for (path, value) in [("tokens", tokens), ("each", each)] {
            if !(1..=MOST_RUN_TOKENS).contains(&value) {
                let allowed = format!("a whole number from 1 to {MOST_RUN_TOKENS}");
                return Err(Invalid::range(path, value, &allowed));
            }
        }
        let setting = Self {
            layer,
            links,
            controller,
            supply,
            tokens,
            each,
            t_tok,
        };
        let owned = Due {
            n: 0,
            free: setting.supply.owned().clone(),
        };
        setting.problem(0, &owned, None)?;
        Ok(setting)
    }

    /// The layer.
    #[must_use]
    pub fn layer(&self) -> &HeadLayer {
        &self.layer
    }

    /// The links.
    #[must_use]
    pub fn links(&self) -> &Arc<LinkRates> {
        &self.links
    }

    /// Number of devices, V.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.links.devices()
    }

    /// The device that holds the input.
    #[must_use]
    pub fn controller(&self) -> usize {
        self.controller
    }

    /// Where the resources of the intervals come from, from the first interval on.
    #[must_use]
    pub fn supply(&self) -> &Supply {
        &self.supply
    }

    /// Tokens that are generated, N.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Tokens of an interval, λ; the last may have fewer.
    #[must_use]
    pub fn each(&self) -> u32 {
        self.each
    }

    /// The budget per token of Algorithm 1, where one is given [s].
    #[must_use]
    pub fn t_tok(&self) -> Option<f64> {
        self.t_tok
    }

    /// How many intervals there are.
    #[must_use]
    pub fn intervals(&self) -> u32 {
        self.tokens.div_ceil(self.each)
    }

    /// The intervals in order, with what is free in each.
    #[must_use]
    pub fn due(&self) -> Intervals {
        Intervals {
            supply: self.supply.clone(),
            before: 0,
            tokens: self.tokens,
            each: self.each,
        }
    }

    /// The problem of an interval that follows token `n_prev`, with what was in force before.
    ///
    /// # Errors
    /// [`Invalid`] as [`HeadPlacement::new`].
    pub fn problem(
        &self,
        n_prev: u32,
        due: &Due,
        prev: Option<Vec<usize>>,
    ) -> Result<HeadPlacement, Invalid> {
        let interval = Interval {
            n: due.n,
            n_prev,
            tokens: f64::from(due.n.saturating_sub(n_prev).max(1)),
            controller: self.controller,
            memory: due.free.memory.clone(),
            compute: due.free.compute.clone(),
            prev,
            t_tok: self.t_tok,
        };
        HeadPlacement::new(self.layer, Arc::clone(&self.links), interval)
    }

    /// The problem of the interval to which a token belongs, from 1: what the page shows of a moment of a run. `None` for a
    /// token that is not generated. O(intervals before it).
    ///
    /// # Errors
    /// [`Invalid`] at `prev`.
    pub fn problem_at(
        &self,
        token: u32,
        prev: Option<Vec<usize>>,
    ) -> Result<Option<HeadPlacement>, Invalid> {
        if !(1..=self.tokens).contains(&token) {
            return Ok(None);
        }
        let at = (token - 1) / self.each;
        let due = self.due().nth(at as usize);
        due.map(|due| self.problem(at * self.each, &due, prev))
            .transpose()
    }
}

/// The intervals of a run in order: drawn or looked up when they are asked for, O(V) each.
#[derive(Debug, Clone)]
pub struct Intervals {
    supply: Supply,
    before: u32,
    tokens: u32,
    each: u32,
}

impl Iterator for Intervals {
    type Item = Due;

    fn next(&mut self) -> Option<Due> {
        if self.before >= self.tokens {
            return None;
        }
        let free = self.supply.next(self.before + 1).clone();
        self.before = (self.before + self.each).min(self.tokens);
        Some(Due {
            n: self.before,
            free,
        })
    }
}

/// Where the devices of a run come from.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceSource {
    /// Drawn, other ones for every seed.
    Drawn {
        /// How many.
        devices: usize,
        /// From which ranges.
        ranges: FleetRanges,
    },
    /// Given; a seed draws their background only.
    Fixed {
        /// Their links.
        links: Arc<LinkRates>,
        /// Memory and compute of the devices without other load.
        owned: Free,
    },
}

/// Runs that differ by their seed alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    /// The layer.
    pub layer: HeadLayer,
    /// The devices.
    pub source: ResourceSource,
    /// Background load.
    pub background: Background,
    /// The device that holds the input.
    pub controller: usize,
    /// Tokens that are generated, N.
    pub tokens: u32,
    /// Tokens of an interval, λ.
    pub each: u32,
    /// The budget per token of Algorithm 1, `None` for the usual one [s].
    pub t_tok: Option<f64>,
}

impl Ensemble {
    /// The run of a seed. The background of drawn devices comes from the stream that drew them.
    ///
    /// # Errors
    /// [`Invalid`] as [`RunSetting::new`], [`FleetRanges::draw`] and [`Background::check`].
    pub fn of(&self, seed: u64) -> Result<RunSetting, Invalid> {
        let (links, owned, chance) = match &self.source {
            ResourceSource::Drawn { devices, ranges } => {
                let fleet = ranges.draw(*devices, seed)?;
                let owned = Free {
                    memory: fleet.memory,
                    compute: fleet.compute,
                };
                (Arc::new(LinkRates::new(&fleet.rates)?), owned, fleet.chance)
            }
            ResourceSource::Fixed { links, owned } => {
                (Arc::clone(links), owned.clone(), SplitMix::new(seed))
            }
        };
        let supply = Supply::drawn(owned, self.background, chance)?;
        RunSetting::new(
            self.layer,
            links,
            self.controller,
            supply,
            (self.tokens, self.each),
            self.t_tok,
        )
    }
}
