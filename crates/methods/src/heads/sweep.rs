//! Heads over devices for one device of proj: the cheapest moves for every level of the slowest device.
//!
//! A transportation problem. It starts with every head where it is cheapest, and pushes heads out of devices that hold more
//! than they may, each along a cheapest path in the residual graph: chains of moves matter where links are uneven. Lowering
//! the limits below the level just reached gives the next one, so each level is met with its cheapest moves. There are no
//! negative cycles; where rounding makes one, differences below a hair of the largest cost are passed over.

use super::costs::HeadCosts;

/// The state of a sweep, kept between sweeps for its room.
#[derive(Debug, Default)]
pub(super) struct HeadFlow {
    devices: usize,
    sources: usize,
    /// Heads of source s on device k.
    pub flow: Vec<usize>,
    /// Heads on each device.
    pub head_counts: Vec<usize>,
    /// The most heads each device may hold now.
    limit: Vec<usize>,
    /// Cheapest head to move from a to l: what it costs more there.
    arc: Vec<f64>,
    /// The source of that head.
    via: Vec<usize>,
    distance: Vec<f64>,
    from: Vec<usize>,
    /// Paths pushed since the room was made.
    pub pushes: u64,
}

/// No device, no source.
const NONE: usize = usize::MAX;

impl HeadFlow {
    /// Begins with at most `limit` heads on each device, and pushes until that holds. `false` when it cannot.
    pub fn begin(&mut self, costs: &HeadCosts, limit: &[usize]) -> bool {
        let devices = costs.devices;
        (self.devices, self.sources) = (devices, costs.supply.len());
        refill(&mut self.flow, self.sources * devices, 0);
        refill(&mut self.head_counts, devices, 0);
        refill(&mut self.arc, devices * devices, f64::INFINITY);
        refill(&mut self.via, devices * devices, NONE);
        refill(&mut self.distance, devices, f64::INFINITY);
        refill(&mut self.from, devices, NONE);
        self.limit.clear();
        self.limit.extend_from_slice(limit);
        for (source, heads) in costs.supply.iter().enumerate() {
            let row = &costs.cost[source * devices..][..devices];
            let mut cheapest = costs.home[source].unwrap_or(0);
            for (k, cost) in row.iter().enumerate() {
                if *cost < row[cheapest] {
                    cheapest = k;
                }
            }
            if *heads > 0 && row[cheapest].is_infinite() {
                return false;
            }
            self.flow[source * devices + cheapest] += heads;
            self.head_counts[cheapest] += heads;
        }
        for device in 0..devices {
            self.refresh(costs, device);
        }
        self.push_overflow(costs)
    }

    /// Begins with these counts, where it is all the same to every head where it goes.
    pub fn begin_with(&mut self, costs: &HeadCosts, counts: &[usize], limit: &[usize]) {
        (self.devices, self.sources) = (costs.devices, 1);
        for (list, from) in [
            (&mut self.flow, counts),
            (&mut self.head_counts, counts),
            (&mut self.limit, limit),
        ] {
            list.clear();
            list.extend_from_slice(from);
        }
    }

    /// The time of the slowest device [s].
    pub fn level(&self, costs: &HeadCosts, proj: usize) -> f64 {
        let mut level: f64 = 0.0;
        for (j, heads) in self.head_counts.iter().enumerate() {
            if *heads > 0 {
                level = level.max(costs.stage(proj, j, *heads));
            }
        }
        level
    }

    /// Returns the cost of the heads at their places.
    pub fn cost(&self, costs: &HeadCosts) -> f64 {
        let mut sum = 0.0;
        for (heads, cost) in self.flow.iter().zip(&costs.cost) {
            if *heads > 0 {
                sum += *heads as f64 * cost;
            }
        }
        sum
    }

    /// Lowers every limit below `level` and pushes until that holds. `false` when it cannot.
    pub fn lower(&mut self, costs: &HeadCosts, proj: usize, level: f64) -> bool {
        for j in 0..self.devices {
            self.limit[j] = costs.most_within(proj, j, self.limit[j], |time| time < level, level);
        }
        self.push_overflow(costs)
    }

    /// Pushes heads out of devices that hold too many.
    fn push_overflow(&mut self, costs: &HeadCosts) -> bool {
        for device in 0..self.devices {
            while self.head_counts[device] > self.limit[device] {
                if !self.push(costs, device) {
                    return false;
                }
            }
        }
        true
    }

    /// Pushes heads out of `start` to wherever there is room, along a cheapest path: as many as the path takes.
    fn push(&mut self, costs: &HeadCosts, start: usize) -> bool {
        self.pushes += 1;
        for rounded in [false, true] {
            let hair = if rounded { hair(costs) } else { 0.0 };
            self.distances(start, hair);
            let mut end = NONE;
            for k in 0..self.devices {
                let room = self.head_counts[k] < self.limit[k];
                if room && (end == NONE || self.distance[k] < self.distance[end]) {
                    end = k;
                }
            }
            if end == NONE || self.distance[end].is_infinite() {
                return false;
            }
            if self.is_path(start, end) {
                self.carry(costs, start, end);
                return true;
            }
        }
        false
    }

    /// Moves heads along the path that was found: until a device on it is satisfied, or one of its arcs is used up.
    fn carry(&mut self, costs: &HeadCosts, start: usize, end: usize) {
        let devices = self.devices;
        let mut heads = (self.head_counts[start] - self.limit[start])
            .min(self.limit[end] - self.head_counts[end]);
        let mut to = end;
        while to != start {
            let from = self.from[to];
            let source = self.via[from * devices + to];
            heads = heads.min(self.flow[source * devices + from]);
            to = from;
        }
        self.head_counts[start] -= heads;
        self.head_counts[end] += heads;
        let mut to = end;
        while to != start {
            let from = self.from[to];
            let source = self.via[from * devices + to];
            self.flow[source * devices + from] -= heads;
            self.flow[source * devices + to] += heads;
            to = from;
        }
        // An arc may be used up, so every device of the path is looked at again, once its neighbours have changed.
        let mut at = end;
        self.refresh(costs, end);
        while at != start {
            at = self.from[at];
            self.refresh(costs, at);
        }
    }

    /// Bellman and Ford, from `start`. Gains of no more than `hair` are none.
    fn distances(&mut self, start: usize, hair: f64) {
        let devices = self.devices;
        self.distance.fill(f64::INFINITY);
        self.from.fill(NONE);
        self.distance[start] = 0.0;
        for _ in 0..devices {
            let mut changed = false;
            for a in 0..devices {
                let here = self.distance[a];
                if here.is_infinite() || self.head_counts[a] == 0 {
                    continue;
                }
                for l in 0..devices {
                    let there = here + self.arc[a * devices + l];
                    if there < self.distance[l] - hair && l != start {
                        self.distance[l] = there;
                        self.from[l] = a;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Returns true if the way back from `end` reaches `start`: a cycle caused by rounding does not.
    fn is_path(&self, start: usize, end: usize) -> bool {
        let mut at = end;
        for _ in 0..self.devices {
            if at == start {
                return true;
            }
            at = self.from[at];
            if at == NONE {
                return false;
            }
        }
        at == start
    }

    /// Works out which heads leave `device` most cheaply.
    fn refresh(&mut self, costs: &HeadCosts, device: usize) {
        let devices = self.devices;
        let arc = &mut self.arc[device * devices..][..devices];
        let via = &mut self.via[device * devices..][..devices];
        arc.fill(f64::INFINITY);
        for source in 0..self.sources {
            if self.flow[source * devices + device] == 0 {
                continue;
            }
            let row = &costs.cost[source * devices..][..devices];
            let here = row[device];
            for (l, there) in row.iter().enumerate() {
                let more = there - here;
                if more < arc[l] {
                    arc[l] = more;
                    via[l] = source;
                }
            }
        }
        arc[device] = f64::INFINITY;
    }
}

/// A difference that rounding can make.
fn hair(costs: &HeadCosts) -> f64 {
    let finite = costs.cost.iter().copied().filter(|cost| cost.is_finite());
    1e-13 * finite.fold(0.0, |most, cost| f64::max(most, cost.abs()))
}

/// A vector of `len` times `value`, in the room it has.
fn refill<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    list.clear();
    list.resize(len, value);
}
