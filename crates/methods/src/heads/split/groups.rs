//! One group of devices: its best heads and moves, by counting.

use crate::heads::costs::{HeadCosts, HeadCounts};
use crate::heads::sweep::HeadFlow;
use engine::plan::{HeadSplit, column_moves};
use engine::problem::head_sizes::Delay;
use engine::problem::heads::{HeadPlacement, compute_time};

/// Data that all groups of an interval share. Times of one token, without the weight, unless stated otherwise [s].
#[derive(Debug)]
pub(super) struct Groups<'a> {
    problem: &'a HeadPlacement,
    /// Costs of heads that send nothing: moves, memory, and the time of a head on each device.
    costs: HeadCosts,
    /// Columns of proj and of ffn on each device before.
    had: Option<[Vec<f64>; 2]>,
    /// Work of proj and ffn that counts [operations].
    columns: [f64; 2],
    /// Work that counts, heads included [operations].
    pub work: f64,
    /// Time of the controller's input to each device.
    pub input: Vec<f64>,
    /// Time of the output from each device to each, row by row.
    pub link: Vec<f64>,
    /// Least cost, with weight, of moving everything off a device.
    pub leave: Vec<f64>,
    /// Heads on each device before, and what one of them costs at least to move.
    at_home: Vec<(usize, f64)>,
}

/// The best group so far.
#[derive(Debug, Default)]
pub(super) struct BestGroup {
    /// Cost that a group has to be below [s].
    pub value: f64,
    found: Option<GroupResult>,
    sweep: HeadFlow,
}

/// A group with its heads.
#[derive(Debug)]
pub(super) struct GroupResult {
    devices: Vec<usize>,
    share: Vec<f64>,
    flow: Vec<usize>,
    /// J [s].
    pub value: f64,
}

impl BestGroup {
    /// Forgets all groups; only what is below `cutoff` counts.
    pub fn clear(&mut self, cutoff: f64) {
        self.value = cutoff;
        self.found = None;
    }

    /// The best group, where one is better than the cutoff.
    pub fn take_result(&mut self) -> Option<GroupResult> {
        self.found.take()
    }
}

impl<'a> Groups<'a> {
    /// Of an interval, with the costs of its placements of whole blocks.
    pub fn of(
        problem: &'a HeadPlacement,
        before: Option<&HeadSplit>,
        mut costs: HeadCosts,
    ) -> Self {
        let (sizes, links, heads) = (problem.sizes(), problem.links(), problem.heads());
        let devices = problem.devices();
        let each = problem.compute().iter();
        costs.per_head = each
            .map(|speed| compute_time(sizes.b_head, *speed))
            .collect();
        let input = std::mem::replace(&mut costs.start, vec![0.0; devices]);
        let columns = match problem.layer().delay() {
            Delay::Full => [sizes.b_proj, sizes.b_ffn],
            Delay::Eq6 => [0.0, 0.0],
        };
        let had = match (before, problem.prev()) {
            (Some(split), _) => Some([split.columns(devices), split.columns(devices)]),
            (None, Some(prev)) => {
                let mut had = [vec![0.0; devices], vec![0.0; devices]];
                had[0][prev[heads]] = 1.0;
                had[1][prev[heads + 1]] = 1.0;
                Some(had)
            }
            (None, None) => None,
        };
        let mut at_home = vec![(0, 0.0); devices];
        for (source, home) in costs.home.iter().enumerate() {
            if let Some(home) = home {
                let row = &costs.cost[source * devices..][..devices];
                let others = row.iter().enumerate().filter(|(to, _)| to != home);
                let least = others.map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
                at_home[*home] = (costs.supply[source], least);
            }
        }
        let mut leave = vec![0.0; devices];
        if let Some(had) = &had {
            for (bytes, (heads, _)) in leave.iter_mut().zip(&at_home) {
                *bytes = *heads as f64 * problem.before().m_head;
            }
            let before = problem.before();
            for (j, bytes) in leave.iter_mut().enumerate() {
                *bytes += had[0][j] * before.m_proj + had[1][j] * before.m_ffn;
                let others = (0..devices).filter(|k| *k != j);
                let least = others.map(|k| links.transfer(*bytes, j, k));
                let least = least.fold(f64::INFINITY, f64::min);
                // Without a link nothing is said: a bound may be too low.
                *bytes = if least.is_finite() { least } else { 0.0 };
            }
        }
        let pairs = (0..devices * devices).map(|pair| (pair / devices, pair % devices));
        Self {
            link: pairs
                .map(|(from, to)| links.transfer(sizes.w_pf, from, to))
                .collect(),
            work: heads as f64 * sizes.b_head + columns[0] + columns[1],
            problem,
            costs,
            had,
            columns,
            input,
            leave,
            at_home,
        }
    }

    /// The problem.
    pub fn problem(&self) -> &HeadPlacement {
        self.problem
    }

    /// Both rings of so many devices whose slowest link takes `link` for the output [s].
    pub fn rings(size: usize, link: f64) -> f64 {
        2.0 * (2.0 * (size - 1) as f64 / size as f64 * link)
    }

    /// The plan of a group.
    pub fn split(&self, found: &GroupResult) -> HeadSplit {
        let counts = HeadCounts {
            proj: 0,
            ffn: 0,
            flow: found.flow.clone(),
            heads_on: Vec::new(),
            value: found.value,
        };
        let mut on = self.costs.place(&counts);
        on.truncate(self.problem.heads());
        HeadSplit {
            devices: found.devices.clone(),
            share: found.share.clone(),
            on,
        }
    }

    /// Solves a group, ascending, with these shares, and keeps it if it is better than what is held.
    pub fn offer(&self, held: &mut BestGroup, devices: &[usize], share: &[f64]) {
        let weight = self.problem.tokens();
        let token = weight * self.fixed(devices, share);
        let moved = self.moved_heads(devices);
        if !self.heads_fit(devices, (held.value - token - moved) / weight) {
            return;
        }
        let fixed = token + self.moved_columns(devices, share);
        // After a split most groups end here: their columns cost too much to move.
        if !self.heads_fit(devices, (held.value - fixed - moved) / weight) {
            return;
        }
        let Some(limit) = self.limits(devices, share) else {
            return;
        };
        let Some((least, counts)) = self.least_level(devices, &limit) else {
            return;
        };
        if fixed + moved + self.pressed(devices, least) >= held.value {
            return;
        }
        let take = |held: &mut BestGroup, value: f64, flow: Vec<usize>| {
            held.value = value;
            held.found = Some(GroupResult {
                devices: devices.to_vec(),
                share: share.to_vec(),
                flow,
                value,
            });
        };
        if self.had.is_none() {
            let value = fixed + weight * least;
            take(held, value, counts);
            return;
        }
        let mut sweep = std::mem::take(&mut held.sweep);
        let mut on = sweep.begin(&self.costs, &limit);
        while on {
            let level = sweep.level(&self.costs, 0);
            let cost = sweep.cost(&self.costs);
            let value = fixed + weight * level + cost;
            if value < held.value {
                take(held, value, sweep.flow.clone());
            }
            // Lower levels only cost more moves, and none is lower than the least.
            if level <= least || fixed + weight * least + cost >= held.value {
                break;
            }
            on = sweep.lower(&self.costs, 0, level);
        }
        held.sweep = sweep;
    }

    /// Returns true if the group can run all heads within this time, whatever its memory. O(G).
    fn heads_fit(&self, devices: &[usize], level: f64) -> bool {
        // A float that is no number becomes 0, one beyond all counts the largest; a hair more is safe from rounding.
        let level = level * (1.0 + 1e-12);
        let mut sum = 0_usize;
        for j in devices {
            sum = sum.saturating_add((level / self.costs.per_head[*j]) as usize);
        }
        level >= 0.0 && (sum >= self.costs.heads || level.is_infinite())
    }

    /// Returns the time of a token without the heads.
    fn fixed(&self, devices: &[usize], share: &[f64]) -> f64 {
        let mut input: f64 = 0.0;
        let mut link: f64 = 0.0;
        let mut columns = [0.0_f64; 2];
        for (at, &j) in devices.iter().enumerate() {
            input = input.max(self.input[j]);
            let next = devices[(at + 1) % devices.len()];
            link = link.max(self.link[j * self.input.len() + next]);
            for (time, work) in columns.iter_mut().zip(self.columns) {
                *time = time.max(compute_time(share[at] * work, self.problem.compute()[j]));
            }
        }
        input + Self::rings(devices.len(), link) + (columns[0] + columns[1])
    }

    /// Returns the cost of columns that change devices [s].
    fn moved_columns(&self, devices: &[usize], share: &[f64]) -> f64 {
        let Some(had) = &self.had else {
            return 0.0;
        };
        let mut has = vec![0.0; self.input.len()];
        for (j, share) in devices.iter().zip(share) {
            has[*j] = *share;
        }
        let before = self.problem.before();
        let mut sum = 0.0;
        for (had, bytes) in had.iter().zip([before.m_proj, before.m_ffn]) {
            for (from, to, share) in column_moves(had, &has) {
                sum += self.problem.links().transfer(share * bytes, from, to);
            }
        }
        sum
    }

    /// Returns the least cost of heads that are on none of these devices [s].
    fn moved_heads(&self, devices: &[usize]) -> f64 {
        let mut sum = 0.0;
        for (source, home) in self.costs.home.iter().enumerate() {
            if home.is_some_and(|home| devices.binary_search(&home).is_err()) {
                let row = &self.costs.cost[source * self.costs.devices..];
                let least = devices.iter().map(|j| row[*j]);
                let least = least.fold(f64::INFINITY, f64::min);
                sum += self.costs.supply[source] as f64 * least;
            }
        }
        sum
    }

    /// Returns a lower bound of the slowest device and the moves of heads that were in the group, with weight, if no level is
    /// below `least`: heads leave the slowest device one by one, each at the least cost of any move. O(G) for each head. [s]
    fn pressed(&self, devices: &[usize], least: f64) -> f64 {
        let weight = self.problem.tokens();
        let mut heads: Vec<usize> = devices.iter().map(|j| self.at_home[*j].0).collect();
        let (mut cost, mut best) = (0.0, f64::INFINITY);
        loop {
            let (mut level, mut slowest) = (least, None);
            for (at, j) in devices.iter().enumerate() {
                let time = match heads[at] {
                    0 => 0.0,
                    heads => heads as f64 * self.costs.per_head[*j],
                };
                if time > level {
                    (level, slowest) = (time, Some(at));
                }
            }
            best = f64::min(best, weight * level + cost);
            let Some(at) = slowest else {
                return best;
            };
            heads[at] -= 1;
            cost += self.at_home[devices[at]].1;
            if weight * least + cost >= best {
                return best;
            }
        }
    }

    /// How many heads each device of all may hold; none where a share does not fit.
    fn limits(&self, devices: &[usize], share: &[f64]) -> Option<Vec<usize>> {
        let costs = &self.costs;
        let mut limit = vec![0; costs.devices];
        for (at, &j) in devices.iter().enumerate() {
            let columns = share[at] * (costs.m_proj + costs.m_ffn);
            let fits = |heads: usize| heads as f64 * costs.m_head + columns <= costs.memory[j];
            if !fits(0) {
                return None;
            }
            if !costs.per_head[j].is_finite() {
                continue;
            }
            // A quotient is rounded, so the rule itself has the last word.
            let free = (costs.memory[j] - columns) / costs.m_head;
            let mut most = (free as usize).min(costs.heads);
            while most > 0 && !fits(most) {
                most -= 1;
            }
            while most < costs.heads && fits(most + 1) {
                most += 1;
            }
            limit[j] = most;
        }
        Some(limit)
    }

    /// The least level of the slowest device, and counts on all devices that reach it: the h-th smallest n b / C_j. O(G h) at
    /// worst, O(G^2) where memory is no limit.
    fn least_level(&self, devices: &[usize], limit: &[usize]) -> Option<(f64, Vec<usize>)> {
        let (per, heads) = (&self.costs.per_head, self.costs.heads);
        let room = devices.iter().fold(0_usize, |sum, j| sum + limit[*j]);
        if room < heads {
            return None;
        }
        let mut counts = vec![0; limit.len()];
        let quick: f64 = devices.iter().map(|j| per[*j].recip()).sum();
        // No level is lower than all heads shared out by compute, and a hair less is safe from rounding.
        let low = heads as f64 / quick * (1.0 - 1e-12);
        let mut left = heads;
        for &j in devices {
            // A float that is no number becomes 0.
            counts[j] = ((low / per[j]) as usize).min(limit[j]).min(left);
            left -= counts[j];
        }
        let time = |j: usize, heads: usize| heads as f64 * per[j];
        let after = |j: usize, heads: usize| match heads < limit[j] {
            true => time(j, heads + 1),
            false => f64::INFINITY,
        };
        let mut next: Vec<f64> = devices.iter().map(|j| after(*j, counts[*j])).collect();
        while left > 0 {
            let mut least = 0;
            for (at, time) in next.iter().enumerate() {
                if *time < next[least] {
                    least = at;
                }
            }
            let j = devices[least];
            counts[j] += 1;
            next[least] = after(j, counts[j]);
            left -= 1;
        }
        let times = devices.iter().map(|j| match counts[*j] {
            0 => 0.0,
            heads => time(*j, heads),
        });
        Some((times.fold(0.0, f64::max), counts))
    }
}
