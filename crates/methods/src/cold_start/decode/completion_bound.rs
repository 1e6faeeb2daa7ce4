//! Lower bound of the remaining work after some layers and without some devices: the bound of [`super::whole_answer`].
//!
//! Every completion of a label is bounded from below in three ways, and the largest counts:
//! * as a *walk* to the last layer that may use devices again, with all hops and whole layers as they are;
//! * as a *fill*: the layers that are left flow into the devices that are left, the cheapest first, each up to what its
//!   memory holds, at the least price that any layer has there; the hops are as few as the largest devices need;
//! * as a fill *in time*: when a plan better than the best one is wanted, its T is bounded, and so is what each device can
//!   load until then; smaller devices make the fill dearer, which bounds T once more.
//!
//! With identical layers the flow is one of whole layers and the price is exact; otherwise it is one of bytes in memory.

use super::costs::TokenCosts;
use super::whole_answer::Aim;
use crate::cold_start::search::costs::{StageCosts, members};
use engine::problem::ColdStart;
use engine::units::InOrder;

/// The bound's tables, for one aim.
#[derive(Debug)]
pub(super) struct CompletionBound {
    layers: usize,
    /// Remaining work after each layer, in layers or bytes.
    left: Vec<f64>,
    /// True if it is in whole layers.
    is_whole: bool,
    /// By device and layers done: the least price of a walk to the last layer.
    walk: Vec<f64>,
    /// Devices by price, and by token time, cheapest first.
    by_price: Vec<usize>,
    by_token: Vec<usize>,
    /// Devices by what they hold, largest first.
    by_room: Vec<usize>,
    /// For each device and unit: the least price, the least token time, the least time to load and compute.
    price: Vec<f64>,
    token: Vec<f64>,
    prompt: Vec<f64>,
    /// For each device: the most it holds.
    room: Vec<f64>,
    /// The least price and token time of a hop.
    hop: f64,
    token_hop: f64,
}

/// The fills of one set of devices that are left, by the layers done.
#[derive(Debug, Clone, Default)]
pub(super) struct Fills {
    /// The least price.
    pub price: Vec<f64>,
    /// The least token time [s].
    pub token: Vec<f64>,
    /// Least cost of the hops that are needed, within both limits.
    hops: Vec<f64>,
}

impl CompletionBound {
    /// O(K² L²) time.
    pub fn new(problem: &ColdStart, costs: &StageCosts, tokens: &TokenCosts, aim: &Aim) -> Self {
        let (devices, layers) = (costs.devices, costs.layers);
        let is_whole = costs.same_layers;
        let unit = |j: usize| match (is_whole, problem.streams()) {
            (true, _) => 1.0,
            (false, true) => problem.layers()[j].weights.get(),
            (false, false) => problem.layers()[j].resident.get(),
        };
        let mut left = vec![0.0; layers + 1];
        for j in (0..layers).rev() {
            left[j] = left[j + 1] + unit(j);
        }
        let least = |value: &dyn Fn(usize) -> f64| {
            let each = (0..layers).map(|j| value(j) / unit(j));
            each.fold(f64::INFINITY, f64::min)
        };
        let terms = problem.decode();
        let token_parts = |device: usize, j: usize| {
            terms.map_or((0.0, 0.0), |terms| {
                let (layer, machine) = (&terms.layers()[j], &terms.machines()[device]);
                let fixed = machine.overhead(1, false);
                (
                    layer.work.get() / machine.compute.get() + fixed,
                    layer.touched.get() / machine.bandwidth.get() + fixed,
                )
            })
        };
        // Without what is read again, which only makes a stage slower.
        let work = |device: usize, j: usize| {
            let layer = &problem.layers()[j];
            layer.work.get() / problem.machines()[device].compute.get()
                + layer.weights.get() * problem.least_load_cost(device).waiting
        };
        let load = |device: usize, j: usize| {
            problem.layers()[j].weights.get() * problem.least_load_cost(device).ahead
        };
        let per_device = |value: &dyn Fn(usize) -> f64| (0..devices).map(value).collect::<Vec<_>>();
        // The larger of two sums is at least the sum of either part.
        let price = per_device(&|k| {
            let compute = least(&|j| aim.time * work(k, j) + aim.token * token_parts(k, j).0);
            compute.max(least(&|j| {
                aim.time * work(k, j) + aim.token * token_parts(k, j).1
            }))
        });
        let token =
            per_device(&|k| least(&|j| token_parts(k, j).0).max(least(&|j| token_parts(k, j).1)));
        let prompt = per_device(&|k| least(&|j| load(k, j) + work(k, j)));
        let room = per_device(&|k| {
            let held = |cut: usize| left[cut] - left[costs.reach(k, cut)];
            (0..layers).map(held).fold(0.0, f64::max)
        });
        let ascending = |key: &[f64]| {
            let mut order: Vec<usize> = (0..devices).collect();
            order.in_order_by(|a, b| key[*a].total_cmp(&key[*b]).then(a.cmp(b)));
            order
        };
        let (mut hop, mut token_hop) = (f64::INFINITY, f64::INFINITY);
        for from in 0..devices {
            for to in (0..devices).filter(|to| *to != from) {
                for cut in 1..layers {
                    let (once, each) = (costs.hops(from, to)[cut], tokens.hops(from, to)[cut]);
                    hop = hop.min(aim.time * once + aim.token * each);
                    token_hop = token_hop.min(each);
                }
            }
        }
        let mut by_room = ascending(&room);
        by_room.reverse();
        Self {
            layers,
            is_whole,
            walk: walks(costs, tokens, aim),
            by_price: ascending(&price),
            by_token: ascending(&token),
            by_room,
            price,
            token,
            prompt,
            room,
            hop,
            token_hop,
            left,
        }
    }

    /// The least price of a walk to the last layer from a stage on `device`.
    pub fn walk(&self, device: usize, done: usize) -> f64 {
        self.walk[device * (self.layers + 1) + done]
    }

    /// Fills the devices of `rest`, for all layers done at once. O(K + L) time.
    pub fn fill(&self, rest: u32, fills: &mut Fills) {
        let is_left = |k: &&usize| rest >> **k & 1 == 1;
        flow(
            &self.left,
            self.by_price.iter().filter(is_left),
            (&self.room, &self.price),
            &mut fills.price,
        );
        flow(
            &self.left,
            self.by_token.iter().filter(is_left),
            (&self.room, &self.token),
            &mut fills.token,
        );
        fills.hops.resize(self.layers + 1, 0.0);
        let (mut hops, mut held) = (0.0, 0.0);
        let mut largest = self.by_room.iter().filter(is_left);
        for done in (0..self.layers).rev() {
            while held * (1.0 + 1e-12) < self.left[done] {
                match largest.next() {
                    Some(k) => {
                        held += self.room[*k];
                        hops += 1.0;
                    }
                    None => break,
                }
            }
            fills.hops[done] = hops;
            fills.price[done] += hops * self.hop;
            fills.token[done] += hops * self.token_hop;
        }
    }

    /// Returns true if the rest cannot be done in time for a plan better than `best`, after a label with this time and token
    /// time. O(K) time.
    pub fn is_late(
        &self,
        aim: &Aim,
        rest: u32,
        done: usize,
        (time, token): (f64, f64),
        fills: &Fills,
        best: f64,
    ) -> bool {
        if aim.time <= 0.0 || best == f64::INFINITY {
            return false;
        }
        let value = aim.time * time + aim.token * token;
        let hops = fills.hops[done];
        let mut latest = (best - aim.token * (token + fills.token[done])) / aim.time;
        for _ in 0..3 {
            let cap = |k: usize| {
                let most = latest / self.prompt[k] * (1.0 + 1e-12);
                let most = if self.is_whole {
                    libm::floor(most + 1e-9)
                } else {
                    most
                };
                most.max(0.0).min(self.room[k])
            };
            let left = self.left[done];
            let Some(price) = poured(&self.by_price, rest, left, &cap, &self.price) else {
                return true;
            };
            if value + price + hops * self.hop >= best * (1.0 - 1e-12) {
                return true;
            }
            if aim.token == 0.0 {
                return false;
            }
            let Some(each) = poured(&self.by_token, rest, left, &cap, &self.token) else {
                return true;
            };
            let each = token + each + hops * self.token_hop;
            let sooner = (best - aim.token * each) / aim.time;
            if sooner > latest * (1.0 - 1e-3) {
                return false;
            }
            latest = sooner;
        }
        false
    }
}

/// The price of so much, poured into the devices of `rest` up to their caps in this order; `None` if it does not fit.
fn poured(
    order: &[usize],
    rest: u32,
    left: f64,
    cap: &impl Fn(usize) -> f64,
    price: &[f64],
) -> Option<f64> {
    let (mut left, mut sum) = (left * (1.0 - 1e-12), 0.0);
    for &k in order.iter().filter(|k| rest >> **k & 1 == 1) {
        let most = cap(k);
        if left <= most {
            return Some(sum + left * price[k]);
        }
        left -= most;
        sum += most * price[k];
    }
    (left <= 0.0).then_some(sum)
}

/// Computes the flow for every number of finished layers, up to the memory; infinite where it does not fit.
fn flow<'a>(
    left: &[f64],
    mut order: impl Iterator<Item = &'a usize>,
    (room, price): (&[f64], &[f64]),
    into: &mut Vec<f64>,
) {
    into.clear();
    into.resize(left.len(), 0.0);
    let (mut held, mut sum) = (0.0, 0.0);
    let mut device = order.next();
    for done in (0..left.len() - 1).rev() {
        let need = left[done] * (1.0 - 1e-12);
        loop {
            match device {
                Some(k) if need > held + room[*k] => {
                    held += room[*k];
                    sum += room[*k] * price[*k];
                    device = order.next();
                }
                Some(k) => {
                    into[done] = sum + (need - held).max(0.0) * price[*k];
                    break;
                }
                None => {
                    into[done] = f64::INFINITY;
                    break;
                }
            }
        }
    }
}

/// By device and layers done: the least price of transfers, computations and tokens after a stage on the device, if
/// devices could be used again. O(K² L²) time.
fn walks(costs: &StageCosts, tokens: &TokenCosts, aim: &Aim) -> Vec<f64> {
    let (devices, layers) = (costs.devices, costs.layers);
    let side = layers + 1;
    let mut walk = vec![f64::INFINITY; devices * side];
    for device in 0..devices {
        walk[device * side + layers] = 0.0;
    }
    for cut in (1..layers).rev() {
        for next in 0..devices {
            let (comp, each) = (costs.comp(next, cut), tokens.time(next, cut));
            let tails = (cut + 1..=costs.reach(next, cut))
                .map(|end| aim.time * comp[end] + aim.token * each[end] + walk[next * side + end]);
            let tail = tails.fold(f64::INFINITY, f64::min);
            for device in (0..devices).filter(|device| *device != next) {
                let hop = aim.time * costs.hops(device, next)[cut]
                    + aim.token * tokens.hops(device, next)[cut];
                let cell = &mut walk[device * side + cut];
                *cell = cell.min(hop + tail);
            }
        }
    }
    walk
}

/// All devices but those of a set.
pub(super) fn all_but(devices: usize, set: u32) -> u32 {
    (u32::MAX >> (32 - devices as u32)) & !set
}

/// Returns true if any device is left.
pub(super) fn any(rest: u32) -> bool {
    members(rest).next().is_some()
}
