//! The bound of the search: what is left to do, if devices could be used again at a price.
//!
//! A set of used devices is too much to remember for every layer, so the relaxation remembers less of it: of a few
//! devices, whether they are left (*exact*), and of all of them the sum of their whole-number *prices*. A walk to the last
//! layer may use a device twice, as long as the prices it pays are no more than what the devices that are left would cost
//! together. Every real completion is such a walk, whatever the prices are, so the least tail over all walks bounds it
//! from below. Loads, hops, memory and whole layers are kept as they are: only "no device twice" is relaxed.
//!
//! `tail(state, i, d)` is the least sum of transfers and computations after layer i, the stage before on d, among walks
//! each of whose stages meets its deadline: load + everything from it on stays below the ceiling (the second identity of
//! [`engine::evaluate`]). It is filled from the last layer to the first. Good prices come from [`super::tune`].
//!
//! The idea of keeping part of the visited set is state-space relaxation (Christofides, Mingozzi and Toth, 1981), the
//! prices are a surrogate constraint; both are ours for this problem. Values are 32-bit floats, rounded so that they
//! stay below the truth, in units of about the ceiling: they hold no times of 10^50 s or 10^-50 s.

use super::costs::{StageCosts, members};
use super::frontier::NO_DEVICE;
use serde::{Deserialize, Serialize};

/// Prices of devices in the relaxation: its state of the devices that are left.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Prices {
    /// The price of each device.
    pub price: Vec<u16>,
    /// The devices that are remembered one by one.
    pub exact: Vec<u8>,
}

/// Relative safety against the rounding of 32-bit sums: at most 32 stages of two additions each.
const SAFETY: f64 = 1e-5;

impl Prices {
    /// Returns the sum of all prices.
    #[must_use]
    pub fn total(&self) -> usize {
        self.price.iter().map(|p| usize::from(*p)).sum()
    }

    /// How many states a set of devices can be in.
    #[must_use]
    pub fn states(&self) -> usize {
        (self.total() + 1) << self.exact.len()
    }

    /// The state in which exactly the devices of `rest` are left.
    #[must_use]
    pub fn state(&self, rest: u32) -> usize {
        let money: usize = members(rest).map(|k| usize::from(self.price[k])).sum();
        let bits = self.exact.iter().enumerate();
        let left = bits.map(|(bit, k)| usize::from(rest >> k & 1 == 1) << bit);
        left.sum::<usize>() * (self.total() + 1) + money
    }
}

/// The least tails, for one ceiling.
#[derive(Debug)]
pub struct Relaxation {
    /// Prices that it was made with.
    pub prices: Prices,
    /// Plans as slow as this [s] are not asked for.
    pub ceiling: f64,
    /// Unit of tails [s]: a power of two, so that the conversion is exact.
    unit: f64,
    states: usize,
    layers: usize,
    /// By device, state and layers done.
    tails: Vec<f32>,
    /// Before the first stage, by state.
    root: Vec<f32>,
}

/// Inputs of the table: cells by finished layers, device, state.
struct Filling<'a> {
    costs: &'a StageCosts,
    prices: &'a Prices,
    ceiling: f64,
    /// One over the unit of the tails.
    scale: f64,
    states: usize,
}

impl Relaxation {
    /// Fills the table for plans faster than `ceiling`.
    ///
    /// # Complexity
    /// O(K L S (g s + K)) time and O(K L S) memory for S states, stages of up to s layers, and g devices that hand over to another in
    /// times that are all different: at most K, one where all links are equal.
    #[must_use]
    pub fn new(costs: &StageCosts, prices: &Prices, ceiling: f64) -> Self {
        let (devices, layers) = (costs.devices, costs.layers);
        let states = prices.states();
        let block = devices * states;
        let unit = power_of_two(ceiling);
        let filling = Filling {
            costs,
            prices,
            ceiling,
            scale: 1.0 / unit,
            states,
        };
        let mut cells = vec![f32::INFINITY; (layers + 1) * block];
        cells[layers * block..].fill(0.0);
        let mut room = vec![0.0; states];
        for cut in (1..layers).rev() {
            let (before, later) = cells.split_at_mut((cut + 1) * block);
            filling.fill(cut, &mut before[cut * block..], later, &mut room);
        }
        let root = filling.root(&cells);
        // Asked for by device and state, all layers at once: turned round for that.
        let side = layers + 1;
        let mut tails = vec![0.0; side * block];
        for (row, tails) in tails.chunks_exact_mut(side).enumerate() {
            for (cut, tail) in tails.iter_mut().enumerate() {
                *tail = cells[cut * block + row];
            }
        }
        Self {
            prices: prices.clone(),
            ceiling,
            unit,
            states,
            layers,
            tails,
            root,
        }
    }

    /// Least tails after a stage on `device` in this state, by the layers done; in units of this relaxation and not
    /// yet made safe.
    #[must_use]
    pub fn tails(&self, device: usize, state: usize) -> &[f32] {
        let side = self.layers + 1;
        &self.tails[(device * self.states + state) * side..][..side]
    }

    /// A tail as a bound that rounding has not spoilt [s].
    #[must_use]
    pub fn safe(&self, tail: f32) -> f64 {
        f64::from(tail) * (self.unit * (1.0 - SAFETY))
    }

    /// The least money with which a walk from the first layer on stays below the ceiling; `None` proves that no plan
    /// does.
    #[must_use]
    pub fn least_money(&self) -> Option<usize> {
        let total = self.prices.total();
        let all = self.states - (total + 1);
        (0..=total).find(|money| self.safe(self.root[all + money]) < self.ceiling)
    }

    /// How often each device is used by the walk with so much money.
    #[must_use]
    pub fn uses(&self, costs: &StageCosts, money: usize) -> Vec<u32> {
        let prices = &self.prices;
        let mut uses = vec![0; costs.devices];
        let mut state = self.states - (prices.total() + 1) + money;
        let scale = 1.0 / self.unit;
        let (mut cut, mut before) = (0, None);
        while cut < costs.layers {
            let found = (0..costs.devices)
                .filter(|k| before != Some(*k))
                .filter_map(|device| {
                    let after = after(prices, state, device)?;
                    let hop = before.map_or(0.0, |from| costs.hops(from, device)[cut]);
                    let (load, comp) = (costs.load(device, cut), costs.comp(device, cut));
                    let from = before.map_or(NO_DEVICE, |from: usize| from as u8);
                    (cut + 1..=costs.reach_after(from, device, cut))
                        .filter_map(|end| {
                            let stage = ((hop + comp[end]) * scale) as f32;
                            let tail = self.tails(device, after)[end] + stage;
                            (tail < limit(self.ceiling, load[end], scale))
                                .then_some((tail, device, end, after))
                        })
                        .min_by(|a, b| a.0.total_cmp(&b.0))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, device, end, after)) = found else {
                break;
            };
            uses[device] += 1;
            (cut, before, state) = (end, Some(device), after);
        }
        uses
    }
}

/// The largest power of two up to a finite positive value, where its inverse is one, too.
fn power_of_two(value: f64) -> f64 {
    let exponent = f64::INFINITY.to_bits();
    f64::from_bits(value.to_bits() & exponent).clamp(1e-300, 1e300)
}

/// Returns the upper limit of a tail for which a stage with this load time meets its deadline.
fn limit(ceiling: f64, load: f64, scale: f64) -> f32 {
    ((ceiling - load) * (scale * (1.0 + SAFETY))) as f32
}

/// The state after a device was used in this one; `None` if it is not left or costs too much.
fn after(prices: &Prices, state: usize, device: usize) -> Option<usize> {
    let width = prices.total() + 1;
    let (bits, money) = (state / width, state % width);
    let money = money.checked_sub(usize::from(prices.price[device]))?;
    let bits = match place(prices, device) {
        Some(bit) if bits >> bit & 1 == 0 => return None,
        Some(bit) => bits & !(1 << bit),
        None => bits,
    };
    Some(bits * width + money)
}

/// Which bit of a state stands for this device.
fn place(prices: &Prices, device: usize) -> Option<usize> {
    prices
        .exact
        .iter()
        .position(|other| usize::from(*other) == device)
}

impl Filling<'_> {
    /// Fills the least tails after layer `cut`; those after later layers are known. `tails` is room for those of one device.
    fn fill(&self, cut: usize, here: &mut [f32], later: &[f32], tails: &mut [f32]) {
        for device in 0..self.costs.devices {
            for alike in self.equivalent_sources(device, cut) {
                tails.fill(f32::INFINITY);
                self.stages(device, cut, alike[0], later, tails);
                for other in alike {
                    least(&mut here[other * self.states..][..self.states], tails);
                }
            }
        }
    }

    /// The devices that may hand over to this one after layer `cut`, those together from which that takes equally long and that
    /// leave room for equally long stages: what follows is the same for them.
    fn equivalent_sources(&self, device: usize, cut: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<(u64, usize, Vec<usize>)> = Vec::new();
        for other in (0..self.costs.devices).filter(|other| *other != device) {
            let hop = self.costs.hops(other, device)[cut].to_bits();
            let reach = self.costs.reach_after(other as u8, device, cut);
            match all.iter_mut().find(|one| (one.0, one.1) == (hop, reach)) {
                Some((.., alike)) => alike.push(other),
                None => all.push((hop, reach, vec![other])),
            }
        }
        all.into_iter().map(|(.., alike)| alike).collect()
    }

    /// The least tails, by state, if the stage after layer `cut` is on `device` and takes over from this one.
    fn stages(&self, device: usize, cut: usize, from: usize, later: &[f32], here: &mut [f32]) {
        let (costs, prices) = (self.costs, self.prices);
        let width = prices.total() + 1;
        let block = costs.devices * self.states;
        let price = usize::from(prices.price[device]);
        let bit = place(prices, device);
        let (load, comp) = (costs.load(device, cut), costs.comp(device, cut));
        let hop = costs.hops(from, device)[cut];
        for end in cut + 1..=costs.reach_after(from as u8, device, cut) {
            if load[end] + comp[end] >= self.ceiling {
                break;
            }
            let limit = limit(self.ceiling, load[end], self.scale);
            let stage = ((hop + comp[end]) * self.scale) as f32;
            let known = (end - cut - 1) * block + device * self.states;
            for bits in 0..1_usize << prices.exact.len() {
                let left = match bit {
                    Some(bit) if bits >> bit & 1 == 0 => continue,
                    Some(bit) => bits & !(1 << bit),
                    None => bits,
                };
                let tails = &later[known + left * width..][..width - price];
                // More money never makes a tail longer: if the most is not enough, none is.
                if tails.last().is_none_or(|least| *least >= limit) {
                    continue;
                }
                let row = bits * width;
                shorten(&mut here[row + price..row + width], tails, stage, limit);
            }
        }
    }

    /// The least tails before the first stage, which has no hop.
    fn root(&self, cells: &[f32]) -> Vec<f32> {
        let (costs, prices) = (self.costs, self.prices);
        let block = costs.devices * self.states;
        let mut root = vec![f32::INFINITY; self.states];
        for (state, least) in root.iter_mut().enumerate() {
            for device in 0..costs.devices {
                let Some(after) = after(prices, state, device) else {
                    continue;
                };
                let (load, comp) = (costs.load(device, 0), costs.comp(device, 0));
                for end in 1..=costs.reach_after(NO_DEVICE, device, 0) {
                    let known = cells[end * block + device * self.states + after];
                    let tail = known + (comp[end] * self.scale) as f32;
                    if tail < limit(self.ceiling, load[end], self.scale) && tail < *least {
                        *least = tail;
                    }
                }
            }
        }
        root
    }
}

/// Takes what is shorter.
fn least(least: &mut [f32], other: &[f32]) {
    for (least, other) in least.iter_mut().zip(other) {
        *least = if *other < *least { *other } else { *least };
    }
}

/// Takes tail + stage where it meets the limit and is shorter: the hot loop, which vectorises.
#[inline(never)]
fn shorten(least: &mut [f32], tails: &[f32], stage: f32, limit: f32) {
    for (least, tail) in least.iter_mut().zip(tails) {
        let value = tail + stage;
        let value = if value < limit { value } else { f32::INFINITY };
        *least = if value < *least { value } else { *least };
    }
}
