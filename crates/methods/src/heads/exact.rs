//! The exact placement of one interval by counting, in place of a search over V^(h+2) placements.
//!
//! Devices for proj are opened in the order of a bound: the cheapest ffn for it, and the least level of the slowest device
//! without moves, which is the h-th smallest of the values T_j(c). One sweep over levels then serves every device of ffn
//! that has room for what the sweep put there; only where one has not is that pair swept by itself. Most steps open one
//! device of 25. Ties go to what was found first, so to lower bounds and then to lower indices.

use super::costs::{HeadCosts, HeadCounts};
use super::sweep::HeadFlow;
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;

/// A placement with the solver's own value, w D_T + D_mig [s].
#[derive(Debug, Clone, PartialEq)]
pub struct ExactResult {
    /// The placement.
    pub placement: Placement,
    /// Its value [s].
    pub value: f64,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadSearch {
    /// True if the search was complete: the first result is then optimal, and no result proves that there is no placement.
    pub complete: bool,
    /// No placement is better than this [s]; infinite where there is none.
    pub bound: f64,
    /// How many sweeps were made.
    pub sweeps: u64,
    /// How many heads were pushed in them.
    pub pushes: u64,
}

/// A workspace. One that is kept between the steps of a run allocates next to nothing.
#[derive(Debug, Default)]
pub struct HeadSolver {
    sweep: HeadFlow,
    found: Vec<HeadCounts>,
    limit: Vec<usize>,
    count: Vec<usize>,
    next: Vec<f64>,
    /// Devices for ffn beside the device of proj at hand, cheapest first.
    ffn: Vec<Ffn>,
    queue: Vec<Proj>,
    /// The most heads on each device: alone, beside proj, beside ffn, beside both.
    room: Vec<[Option<usize>; 4]>,
}

/// Index in [`HeadSolver`]'s `room` of a device that hosts heads only.
const ALONE: usize = 0;
const WITH_PROJ: usize = 1;
const WITH_FFN: usize = 2;
const WITH_BOTH: usize = 3;

/// Heads up to which the least level is found by counting up to it.
const FEW: usize = 512;

/// A device for proj, before it is opened.
#[derive(Debug, Clone, Copy)]
struct Proj {
    device: usize,
    /// No placement with it is better.
    bound: f64,
    /// The least level of its slowest device.
    least: f64,
    /// Cost with its cheapest device for ffn.
    pair: f64,
}

/// A device for ffn.
#[derive(Debug, Clone, Copy)]
struct Ffn {
    device: usize,
    /// K(p,f).
    pair: f64,
    /// The most heads that fit beside.
    capacity: usize,
    /// The least value of a level that has no room for it: infinite if all have.
    blocked: f64,
}

impl HeadSolver {
    /// A workspace without anything in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The best placement of an interval, or `None` if there is none: what a run calls step by step.
    ///
    /// # Complexity
    /// A bound of O(V h), or O(V) sixty times, for each device of proj, and O(V^2) to O(V^3) a head that is pushed.
    pub fn solve(&mut self, problem: &HeadPlacement) -> Option<ExactResult> {
        self.solve_many(problem, 1).pop()
    }

    /// Up to `most` placements that differ in counts, best first: the best, and of the others those that the search for the
    /// best `most` met. `most` of 0 counts as 1.
    pub fn solve_many(&mut self, problem: &HeadPlacement, most: usize) -> Vec<ExactResult> {
        let costs = HeadCosts::of(problem);
        self.search(&costs, most, &mut || true);
        let found = self.found.iter().map(|counts| ExactResult {
            placement: costs.place(counts),
            value: counts.value,
        });
        found.collect()
    }

    /// Returns the results of the last search, best first.
    #[must_use]
    pub fn results(&self) -> &[HeadCounts] {
        &self.found
    }

    /// Searches plain costs. `go_on` is asked once a level; `false` ends the search with what it has.
    pub fn search(
        &mut self,
        costs: &HeadCosts,
        most: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> HeadSearch {
        let most = most.max(1);
        self.found.clear();
        let mut search = HeadSearch {
            complete: true,
            bound: f64::INFINITY,
            sweeps: 0,
            pushes: 0,
        };
        let pushes = self.sweep.pushes;
        self.enqueue(costs);
        for at in 0..self.queue.len() {
            let proj = self.queue[at];
            if proj.bound >= self.cutoff(most) {
                break;
            }
            if !self.open(costs, proj, most, &mut search, go_on) {
                search.complete = false;
                search.bound = proj.bound;
                break;
            }
        }
        if let Some(best) = self.found.first() {
            search.bound = search.bound.min(best.value);
        }
        search.pushes = self.sweep.pushes - pushes;
        search
    }

    /// Returns the cost that a placement has to be below.
    fn cutoff(&self, most: usize) -> f64 {
        match self.found.get(most - 1) {
            Some(last) => last.value,
            None => f64::INFINITY,
        }
    }

    /// Puts the devices for proj in the order of their bounds.
    fn enqueue(&mut self, costs: &HeadCosts) {
        self.queue.clear();
        self.room.clear();
        for j in 0..costs.devices {
            let elsewhere = usize::MAX;
            let of = |proj, ffn| costs.capacity(j, proj, ffn);
            self.room.push([
                of(elsewhere, None),
                of(j, None),
                of(elsewhere, Some(j)),
                of(j, Some(j)),
            ]);
        }
        // What heads cost besides, wherever they go.
        let rows = costs.cost.chunks(costs.devices).zip(&costs.supply);
        let least_cost: f64 = rows
            .filter(|(_, heads)| **heads > 0)
            .map(|(row, heads)| *heads as f64 * row.iter().copied().fold(f64::INFINITY, f64::min))
            .sum();
        for device in 0..costs.devices {
            if self.room[device][WITH_PROJ].is_none() {
                continue;
            }
            let row = &costs.pair[device * costs.devices..][..costs.devices];
            let mut pair = f64::INFINITY;
            for (ffn, cost) in row.iter().enumerate() {
                if *cost < pair && self.room_for_ffn(device, ffn).is_some() {
                    pair = *cost;
                }
            }
            if pair.is_infinite() {
                continue;
            }
            self.limits(costs, device, None);
            let Some(least) = self.least_level(costs, device) else {
                continue;
            };
            let bound = pair + costs.weight * least + least_cost;
            if bound < f64::INFINITY {
                self.queue.push(Proj {
                    device,
                    bound,
                    least,
                    pair,
                });
            }
        }
        let order = |a: &Proj, b: &Proj| a.bound.total_cmp(&b.bound).then(a.device.cmp(&b.device));
        self.queue.sort_unstable_by(order);
    }

    /// Lists the devices for ffn beside `proj`, cheapest first.
    fn list_ffn(&mut self, costs: &HeadCosts, proj: usize) {
        self.ffn.clear();
        for device in 0..costs.devices {
            let pair = costs.pair[proj * costs.devices + device];
            if pair.is_finite()
                && let Some(capacity) = self.room_for_ffn(proj, device)
            {
                self.ffn.push(Ffn {
                    device,
                    pair,
                    capacity,
                    blocked: f64::INFINITY,
                });
            }
        }
        let order = |a: &Ffn, b: &Ffn| a.pair.total_cmp(&b.pair).then(a.device.cmp(&b.device));
        self.ffn.sort_unstable_by(order);
    }

    /// How many heads fit on a device beside ffn, and beside proj if it is the same.
    fn room_for_ffn(&self, proj: usize, device: usize) -> Option<usize> {
        let beside = if device == proj { WITH_BOTH } else { WITH_FFN };
        self.room[device][beside]
    }

    /// How many heads each device may hold beside `proj` and `ffn`: none where even one would take for ever.
    fn limits(&mut self, costs: &HeadCosts, proj: usize, ffn: Option<usize>) {
        self.limit.clear();
        for j in 0..costs.devices {
            let usable = costs.stage(proj, j, 1).is_finite();
            let beside = match (j == proj, Some(j) == ffn) {
                (false, false) => ALONE,
                (true, false) => WITH_PROJ,
                (false, true) => WITH_FFN,
                (true, true) => WITH_BOTH,
            };
            let room = self.room[j][beside].filter(|_| usable);
            self.limit.push(room.unwrap_or(0));
        }
    }

    /// The least level within the limits: the h-th smallest T_j(c). The counts that reach it are left in `count`.
    fn least_level(&mut self, costs: &HeadCosts, proj: usize) -> Option<f64> {
        let room = self
            .limit
            .iter()
            .fold(0_usize, |sum, most| sum.saturating_add(*most));
        if room < costs.heads {
            return None;
        }
        if costs.heads > FEW {
            return Some(self.least_of_many(costs, proj));
        }
        self.count.clear();
        self.count.resize(costs.devices, 0);
        self.next.clear();
        for (j, most) in self.limit.iter().enumerate() {
            self.next.push(if *most > 0 {
                costs.stage(proj, j, 1)
            } else {
                f64::INFINITY
            });
        }
        let mut level = 0.0;
        for _ in 0..costs.heads {
            let mut least = 0;
            for (j, next) in self.next.iter().enumerate() {
                if *next < self.next[least] {
                    least = j;
                }
            }
            level = self.next[least];
            self.count[least] += 1;
            let heads = self.count[least];
            self.next[least] = if heads < self.limit[least] {
                costs.stage(proj, least, heads + 1)
            } else {
                f64::INFINITY
            };
        }
        Some(level)
    }

    /// Finds the least level by bisection over floats in the order of their bits: sixty steps of O(V), whatever h is.
    fn least_of_many(&mut self, costs: &HeadCosts, proj: usize) -> f64 {
        let limit = &self.limit;
        let within = |j: usize, level: f64| {
            costs.most_within(proj, j, limit[j], |time| time <= level, level)
        };
        let devices = 0..costs.devices;
        let longest = devices.clone().map(|j| costs.stage(proj, j, limit[j]));
        let (mut low, mut high) = (0, longest.fold(0.0, f64::max).to_bits());
        while low < high {
            let middle = low + (high - low) / 2;
            let level = f64::from_bits(middle);
            let mut heads = 0_usize;
            for j in devices.clone() {
                heads = heads.saturating_add(within(j, level));
            }
            if heads >= costs.heads {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let level = f64::from_bits(low);
        // Below the level all, and at it as many as are left, in the order of devices.
        self.count.clear();
        for j in devices.clone() {
            let below = costs.most_within(proj, j, limit[j], |time| time < level, level);
            self.count.push(below);
        }
        let mut left = costs.heads - self.count.iter().sum::<usize>();
        for j in devices {
            let more = (within(j, level) - self.count[j]).min(left);
            self.count[j] += more;
            left -= more;
        }
        level
    }

    /// Sweeps the levels for a device of proj, and those of pairs that need it. `false` when the search was ended.
    fn open(
        &mut self,
        costs: &HeadCosts,
        proj: Proj,
        most: usize,
        search: &mut HeadSearch,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.list_ffn(costs, proj.device);
        self.limits(costs, proj.device, None);
        if costs.indifferent() {
            self.least_level(costs, proj.device);
        }
        let range = 0..self.ffn.len();
        if !self.levels(costs, proj, range, most, search, go_on) {
            return false;
        }
        for at in 0..self.ffn.len() {
            let ffn = self.ffn[at];
            if ffn.pair + ffn.blocked >= self.cutoff(most) {
                continue;
            }
            self.limits(costs, proj.device, Some(ffn.device));
            let Some(least) = self.least_level(costs, proj.device) else {
                continue;
            };
            let pair = Proj {
                least,
                pair: ffn.pair,
                ..proj
            };
            if !self.levels(costs, pair, at..at + 1, most, search, go_on) {
                return false;
            }
        }
        true
    }

    /// One sweep within the limits, offered to those devices for ffn. `false` when the search was ended.
    fn levels(
        &mut self,
        costs: &HeadCosts,
        proj: Proj,
        ffn: std::ops::Range<usize>,
        most: usize,
        search: &mut HeadSearch,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        search.sweeps += 1;
        let mut on = if costs.indifferent() {
            // The least level costs nothing, so it is the only one: the caller has left its counts.
            self.sweep.begin_with(costs, &self.count, &self.limit);
            true
        } else {
            self.sweep.begin(costs, &self.limit)
        };
        while on {
            if !go_on() {
                return false;
            }
            let level = self.sweep.level(costs, proj.device);
            let cost = self.sweep.cost(costs);
            let value = costs.weight * level + cost;
            for at in ffn.clone() {
                let Ffn {
                    device,
                    pair,
                    capacity,
                    ..
                } = self.ffn[at];
                if pair + value >= self.cutoff(most) {
                    break;
                }
                if self.sweep.head_counts[device] <= capacity {
                    self.offer(proj.device, device, pair + value, most);
                } else {
                    let blocked = &mut self.ffn[at].blocked;
                    *blocked = blocked.min(value);
                }
            }
            // Lower levels only cost more moves, and none is lower than the least.
            let rest = proj.pair + costs.weight * proj.least + cost;
            if level <= proj.least || rest >= self.cutoff(most) {
                break;
            }
            on = self.sweep.lower(costs, proj.device, level);
        }
        true
    }

    /// Takes the counts of the sweep among the best.
    fn offer(&mut self, proj: usize, ffn: usize, value: f64, most: usize) {
        if value >= f64::INFINITY {
            return;
        }
        let same = |counts: &HeadCounts| {
            counts.proj == proj && counts.ffn == ffn && counts.heads_on == self.sweep.head_counts
        };
        match self.found.iter().position(same) {
            Some(at) if self.found[at].value <= value => return,
            Some(at) => drop(self.found.remove(at)),
            None => {}
        }
        let counts = HeadCounts {
            proj,
            ffn,
            flow: self.sweep.flow.clone(),
            heads_on: self.sweep.head_counts.clone(),
            value,
        };
        let at = self.found.partition_point(|other| other.value <= value);
        self.found.insert(at, counts);
        self.found.truncate(most);
    }
}
