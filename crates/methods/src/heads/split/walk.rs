//! All groups of an interval by bounds: boxes of a slowest input and a slowest link, and walks through rings.

use super::groups::{BestGroup, Groups};
use crate::heads::galaxy::shares;
use engine::problem::heads::compute_time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Devices of a walk between two questions whether to go on.
const STRIDE: u64 = 256;

/// How a walk ended.
#[derive(Debug)]
pub(super) struct Walked {
    /// Where it was ended: no group is better than this, unless it was found [s].
    pub bound: Option<f64>,
    /// How much was looked at.
    pub looks: u64,
}

/// Groups whose slowest input and slowest link are of these levels, first and last.
#[derive(Debug, Clone, Copy)]
struct Cell {
    bound: f64,
    born: u64,
    input: (usize, usize),
    link: (usize, usize),
    reach: Reach,
}

/// How far paths reach within the last levels of a cell.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// The most compute of a path [operations/s].
    compute: f64,
    /// The most worth of a path.
    worth: f64,
    /// Devices of the path with most worth.
    devices: usize,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    /// The least bound is the greatest, and of equal ones the first born.
    fn cmp(&self, other: &Self) -> Ordering {
        let bound = other.bound.total_cmp(&self.bound);
        bound.then(other.born.cmp(&self.born))
    }
}

/// The state of a search, kept between searches for its room.
#[derive(Debug, Default)]
pub(super) struct GroupPaths {
    inputs: Vec<f64>,
    links: Vec<f64>,
    /// Value of a device in the tangent bound.
    worth: Vec<f64>,
    /// Compute of the fastest devices together, by how many.
    fastest: Vec<f64>,
    /// The most compute, and worth, of a path from each device on, it included.
    reach: Vec<f64>,
    reach_worth: Vec<f64>,
    /// The next device of the path of most worth.
    next: Vec<usize>,
    /// The tangent bound without input, rings and worth; nothing where there is none.
    tangent: Option<f64>,
    /// Bounds within a path, by what it still lacks: its slowest input, its slowest link, neither, both.
    lacking: [Vec<(f64, f64)>; 4],
    /// Least compute and value of a path, by its number of devices; they rise as plans are found.
    floors: Vec<(f64, f64)>,
    path: Vec<usize>,
    /// Devices that may be in a group of a cell, ascending.
    allowed: Vec<usize>,
    cells: BinaryHeap<Cell>,
    born: u64,
    looks: u64,
}

/// A path in the making.
#[derive(Debug, Clone, Copy)]
struct Sums {
    compute: f64,
    worth: f64,
    /// Parts of the cell that it lacks: [`INPUT`], [`LINK`], both or none.
    lacks: usize,
}

/// Limits of a path.
#[derive(Debug, Clone, Copy)]
struct Level {
    input: f64,
    link: f64,
}

/// The slowest input of a cell.
const INPUT: usize = 1;
/// The slowest link of a cell.
const LINK: usize = 2;

/// No device.
const NONE: usize = usize::MAX;

impl GroupPaths {
    /// Offers every group of two or more devices that could be better than what is held. `go_on` receives how much has been
    /// looked at, and may end it.
    pub fn through(
        &mut self,
        groups: &Groups,
        held: &mut BestGroup,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Walked {
        self.prepare(groups);
        let all = (self.inputs.len(), self.links.len());
        if all.0 > 0 && all.1 > 0 {
            self.offer_path((0, all.0 - 1), (0, all.1 - 1), None, groups, held);
        }
        let mut ended = None;
        while let Some(cell) = self.cells.pop() {
            if cell.bound >= held.value {
                break;
            }
            if !go_on(self.looks) || !self.open(cell, groups, held, go_on) {
                ended = Some(cell.bound);
                break;
            }
        }
        Walked {
            bound: ended,
            looks: self.looks,
        }
    }

    fn prepare(&mut self, groups: &Groups) {
        let compute = groups.problem().compute();
        let devices = compute.len();
        let levels = |list: &mut Vec<f64>, times: &mut dyn Iterator<Item = f64>| {
            list.clear();
            list.extend(times.filter(|time| time.is_finite()));
            list.sort_unstable_by(f64::total_cmp);
            list.dedup();
        };
        levels(&mut self.inputs, &mut groups.input.iter().copied());
        let pairs = groups.link.iter().enumerate();
        let mut pairs = pairs
            .filter(|(pair, _)| pair / devices != pair % devices)
            .map(|(_, time)| *time);
        levels(&mut self.links, &mut pairs);
        self.fastest.clear();
        self.fastest.extend_from_slice(compute);
        self.fastest.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut sum = 0.0;
        for speed in &mut self.fastest {
            sum += *speed;
            *speed = sum;
        }
        // Where devices would cost something to leave, they are those of a group; the tangent is taken there.
        let left: f64 = groups.leave.iter().sum();
        let stay = groups.leave.iter().zip(compute);
        let at: f64 = stay
            .filter(|(leave, _)| **leave > 0.0)
            .map(|(_, speed)| *speed)
            .sum();
        let weighed = groups.problem().tokens() * groups.work;
        let slope = weighed / at / at;
        self.tangent = (left > 0.0 && slope.is_finite()).then(|| 2.0 * weighed / at + left);
        self.worth.clear();
        let each = groups.leave.iter().zip(compute);
        let worth = each.map(|(leave, speed)| match slope.is_finite() {
            true => slope * speed + leave,
            false => *speed,
        });
        self.worth.extend(worth);
        for list in [&mut self.reach, &mut self.reach_worth] {
            list.clear();
            list.resize(devices, 0.0);
        }
        self.next.clear();
        self.next.resize(devices, NONE);
        self.cells.clear();
        (self.born, self.looks) = (0, 0);
    }

    /// Returns true if a device may be in a group of the cell.
    fn allows(groups: &Groups, device: usize, level: Level) -> bool {
        groups.input[device] <= level.input
    }

    /// Lists the devices of a cell: loops over pairs are over these alone.
    fn list_allowed(&mut self, groups: &Groups, level: Level) {
        self.allowed.clear();
        let devices = 0..groups.input.len();
        self.allowed
            .extend(devices.filter(|device| Self::allows(groups, *device, level)));
    }

    /// How far paths reach within the levels; leaves the one with most worth as the path.
    fn reach_of(&mut self, groups: &Groups, level: Level) -> Reach {
        let compute = groups.problem().compute();
        let devices = compute.len();
        let mut most = (0.0, f64::NEG_INFINITY, NONE);
        self.list_allowed(groups, level);
        for (at, &from) in self.allowed.iter().enumerate().rev() {
            let (mut reach, mut worth, mut next) = (0.0, 0.0, NONE);
            let row = &groups.link[from * devices..][..devices];
            for &to in &self.allowed[at + 1..] {
                if row[to] <= level.link {
                    if self.reach[to] > reach {
                        reach = self.reach[to];
                    }
                    if self.reach_worth[to] > worth {
                        (worth, next) = (self.reach_worth[to], to);
                    }
                }
            }
            self.reach[from] = compute[from] + reach;
            self.reach_worth[from] = self.worth[from] + worth;
            self.next[from] = next;
            most.0 = f64::max(most.0, self.reach[from]);
            if self.reach_worth[from] > most.1 {
                (most.1, most.2) = (self.reach_worth[from], from);
            }
        }
        self.path.clear();
        let mut at = most.2;
        while at != NONE {
            self.path.push(at);
            at = self.next[at];
        }
        Reach {
            compute: most.0,
            worth: most.1,
            devices: self.path.len(),
        }
    }

    /// No group of so many devices or more with at most so much compute and worth is better than this, if it is better than
    /// what is held [s].
    fn bound(
        &self,
        groups: &Groups,
        held: &BestGroup,
        level: Level,
        size: usize,
        sums: (f64, f64),
    ) -> f64 {
        let weight = groups.problem().tokens();
        let value = |size: usize| {
            let fixed = weight * (level.input + Groups::rings(size, level.link));
            let plain = fixed + weight * compute_time(groups.work, sums.0);
            match self.tangent {
                Some(tangent) => plain.max(fixed + tangent - sums.1),
                None => plain,
            }
        };
        let first = value(size);
        if first >= held.value || held.value.is_infinite() {
            return first;
        }
        // What is better than what is held needs so much compute, and so at least so many devices.
        let left = held.value / weight - level.input - Groups::rings(size, level.link);
        let needed = groups.work / left * (1.0 - 1e-9);
        let least = 1 + self.fastest.partition_point(|sum| *sum < needed);
        if least > size { value(least) } else { first }
    }

    /// Keeps a cell, and offers the path of most worth in it. `known` is how far paths reach, where a cell with the same last
    /// levels has been here: its path was offered then. Both count as if they were done again.
    fn offer_path(
        &mut self,
        input: (usize, usize),
        link: (usize, usize),
        known: Option<Reach>,
        groups: &Groups,
        held: &mut BestGroup,
    ) {
        let devices = groups.input.len();
        self.looks += (devices * devices) as u64;
        let reach = known.unwrap_or_else(|| {
            self.reach_of(
                groups,
                Level {
                    input: self.inputs[input.1],
                    link: self.links[link.1],
                },
            )
        });
        let tightest = Level {
            input: self.inputs[input.0],
            link: self.links[link.0],
        };
        let bound = self.bound(groups, held, tightest, 2, (reach.compute, reach.worth));
        if bound >= held.value {
            return;
        }
        if reach.devices > 1 {
            self.looks += (reach.devices * reach.devices) as u64;
            if known.is_none() {
                self.look(groups, held);
            }
        }
        self.born += 1;
        self.cells.push(Cell {
            bound,
            born: self.born,
            input,
            link,
            reach,
        });
    }

    /// Offers the path.
    fn look(&self, groups: &Groups, held: &mut BestGroup) {
        let share = shares(groups.problem(), &self.path);
        groups.offer(held, &self.path, &share);
    }

    /// Halves a cell, or walks it. `false` when the search was ended.
    fn open(
        &mut self,
        cell: Cell,
        groups: &Groups,
        held: &mut BestGroup,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let (input, link) = (cell.input, cell.link);
        if input.0 == input.1 && link.0 == link.1 {
            return self.walk(cell, groups, held, go_on);
        }
        let span = |list: &[f64], of: (usize, usize)| list[of.1] - list[of.0];
        let halves = |of: (usize, usize)| {
            let half = of.0.midpoint(of.1);
            [(of.0, half), (half + 1, of.1)]
        };
        let by_input =
            link.0 == link.1 || span(&self.inputs, input) > 2.0 * span(&self.links, link);
        if by_input && input.0 < input.1 {
            let [first, last] = halves(input);
            self.offer_path(first, link, None, groups, held);
            self.offer_path(last, link, Some(cell.reach), groups, held);
        } else {
            let [first, last] = halves(link);
            self.offer_path(input, first, None, groups, held);
            self.offer_path(input, last, Some(cell.reach), groups, held);
        }
        true
    }

    /// Walks all rings of a cell with one level of each kind.
    fn walk(
        &mut self,
        cell: Cell,
        groups: &Groups,
        held: &mut BestGroup,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let level = Level {
            input: self.inputs[cell.input.0],
            link: self.links[cell.link.0],
        };
        self.lack(groups, level);
        self.raise(groups, held, level);
        self.path.clear();
        for first in 0..groups.input.len() {
            let nothing = Sums {
                compute: 0.0,
                worth: 0.0,
                lacks: INPUT | LINK,
            };
            if Self::allows(groups, first, level)
                && self.is_open(nothing, first)
                && !self.step(first, nothing, level, groups, held, go_on)
            {
                return false;
            }
        }
        true
    }

    /// The most compute, and the most worth, of paths from each device on that have what is lacking.
    fn lack(&mut self, groups: &Groups, level: Level) {
        let compute = groups.problem().compute();
        let devices = compute.len();
        self.looks += (4 * devices * devices) as u64;
        let impossible = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for lacks in 0..4 {
            self.lacking[lacks].clear();
            self.lacking[lacks].resize(devices, impossible);
        }
        self.list_allowed(groups, level);
        for (at, &from) in self.allowed.iter().enumerate().rev() {
            let row = &groups.link[from * devices..][..devices];
            // The link that closes the ring may be the slow one; which one that is depends on the first device.
            let may_close = row[..from].contains(&level.link);
            // What is lacking behind the device, by what is lacking before it.
            let has_input = groups.input[from] >= level.input;
            let behind = [0, INPUT, LINK, INPUT | LINK].map(|lacks| match has_input {
                true => lacks & !INPUT,
                false => lacks,
            });
            let mut most = behind.map(|lacks| {
                let ends = lacks == 0 || (lacks == LINK && may_close);
                if ends { (0.0, 0.0) } else { impossible }
            });
            for &to in &self.allowed[at + 1..] {
                if row[to] <= level.link {
                    let has_link = row[to] >= level.link;
                    for (most, lacks) in most.iter_mut().zip(behind) {
                        let lacks = if has_link { lacks & !LINK } else { lacks };
                        let rest = self.lacking[lacks][to];
                        *most = (most.0.max(rest.0), most.1.max(rest.1));
                    }
                }
            }
            for (lacking, most) in self.lacking.iter_mut().zip(most) {
                lacking[from] = (compute[from] + most.0, self.worth[from] + most.1);
            }
        }
    }

    /// Works out the floors of a walk for what is held now.
    fn raise(&mut self, groups: &Groups, held: &BestGroup, level: Level) {
        let devices = groups.input.len();
        let weight = groups.problem().tokens();
        let floor = |size: usize| {
            let fixed = level.input + Groups::rings(size, level.link);
            let left = held.value / weight - fixed;
            // A hair less is safe from rounding.
            let compute = match left > 0.0 {
                true => groups.work / left * (1.0 - 1e-12),
                false => f64::INFINITY,
            };
            let worth = self.tangent.map_or(f64::NEG_INFINITY, |tangent| {
                weight * fixed + tangent - held.value
            });
            (compute, worth - 1e-12 * worth.abs())
        };
        let mut floors = std::mem::take(&mut self.floors);
        floors.clear();
        floors.extend((0..=devices).map(|size| floor(size.max(2))));
        // What is better than what is held needs so much compute, and so at least so many devices.
        let needed = floors[0].0;
        let least = 1 + self.fastest.partition_point(|sum| *sum < needed);
        let at_least = match floors.get(least) {
            Some(floor) => *floor,
            None => (f64::INFINITY, f64::INFINITY),
        };
        for floor in floors.iter_mut().take(least) {
            *floor = at_least;
        }
        self.floors = floors;
    }

    /// Returns true if a group that continues the path with a device could beat the best one.
    fn is_open(&self, sums: Sums, next: usize) -> bool {
        let floor = self.floors[self.path.len() + 1];
        let rest = self.lacking[sums.lacks][next];
        sums.compute + rest.0 >= floor.0 && sums.worth + rest.1 >= floor.1
    }

    /// Puts a device at the end of the path, and all that may follow it. `before` is the path without it, but for the link to
    /// it. `false` when the search was ended.
    fn step(
        &mut self,
        device: usize,
        before: Sums,
        level: Level,
        groups: &Groups,
        held: &mut BestGroup,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let devices = groups.input.len();
        let asked = self.looks / STRIDE;
        self.looks += devices as u64;
        if self.looks / STRIDE != asked && !go_on(self.looks) {
            return false;
        }
        let link = |from: usize, to: usize| groups.link[from * devices + to];
        let without =
            |lacks: usize, what: usize, has: bool| if has { lacks & !what } else { lacks };
        let sums = Sums {
            compute: before.compute + groups.problem().compute()[device],
            worth: before.worth + self.worth[device],
            lacks: without(before.lacks, INPUT, groups.input[device] >= level.input),
        };
        self.path.push(device);
        let back = link(device, self.path[0]);
        let closes = back <= level.link && without(sums.lacks, LINK, back >= level.link) == 0;
        let floor = self.floors[self.path.len()];
        if self.path.len() > 1 && closes && sums.compute >= floor.0 && sums.worth >= floor.1 {
            let value = held.value;
            self.looks += (self.path.len() * self.path.len()) as u64;
            self.look(groups, held);
            if held.value < value {
                self.raise(groups, held, level);
            }
        }
        let mut goes_on = true;
        for next in device + 1..devices {
            let there = link(device, next);
            let sums = Sums {
                lacks: without(sums.lacks, LINK, there >= level.link),
                ..sums
            };
            if there <= level.link
                && Self::allows(groups, next, level)
                && self.is_open(sums, next)
                && !self.step(next, sums, level, groups, held, go_on)
            {
                goes_on = false;
                break;
            }
        }
        self.path.pop();
        goes_on
    }
}
