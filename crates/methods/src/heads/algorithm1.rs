//! Algorithm 1 of the paper, the resource-aware heuristic, with every gap filled the same way each time.
//!
//! Blocks go one by one, the most work first, to the device of the best score: the largest of three fractions of what the
//! device has, memory, compute in the interval, and time for what is sent. The paper divides none of them into the same
//! unit; here work in the interval is compared with what a device offers in it, and seconds with a budget per token.
//! A block that does not fit is resolved by trying the next devices, then by moving other blocks away, then by backtracking at
//! the end.
//!
//! [`Variant::Published`] weighs no moves although the objective has them, and looks at one block alone, so that equal heads
//! all choose one device until its budget is full. [`Variant::WithMigration`] adds the moves to the score;
//! [`Variant::LoadAware`], ours, is list scheduling on the stage that the block would make. No randomness; O(B^2 V) as the
//! paper says, B blocks on V devices, with O(V log V) a ranking.

use engine::plan::Placement;
use engine::problem::head_sizes::Sizes;
use engine::problem::heads::{HeadPlacement, SLACK};
use engine::solve::{Progress, SearchEvent};
use engine::units::InOrder;
use serde::{Deserialize, Serialize};

/// How a device is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// As printed: moves are not weighed.
    Published,
    /// Moves count as time.
    #[default]
    WithMigration,
    /// Moves count, and so does what the device already hosts.
    LoadAware,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Published, Self::WithMigration, Self::LoadAware];

    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::WithMigration => "with_migration",
            Self::LoadAware => "load_aware",
        }
    }
}

/// Why a heuristic has no placement. Others may have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// A block fits no device as the others are placed.
    #[error("block {block} fits no device beside the blocks that this method has placed")]
    Memory {
        /// The block: heads from 0, then proj, then ffn.
        block: usize,
    },
    /// All blocks on one device fit none.
    #[error("no device holds the whole layer")]
    Layer,
    /// More moves than B V.
    #[error("the method moved more blocks than it may, {most}")]
    Moves {
        /// B V.
        most: usize,
    },
    /// The listener answered `Break`.
    #[error("stopped before all blocks were placed")]
    Stopped,
}

/// The heuristic's placement. It satisfies the memory rule, and the method's own limit of compute; its delay may still be
/// infinite.
///
/// `progress` receives a step for every block, and may end the method: the paper's T_max.
///
/// # Errors
/// [`Stuck`] where it finds none, which proves nothing.
///
/// # Complexity
/// O(B^2 V) moves of blocks, each with a ranking of O(V log V), or O(V^2) for proj.
pub fn solve(
    problem: &HeadPlacement,
    variant: Variant,
    progress: &mut impl Progress<Placement>,
) -> Result<Placement, Stuck> {
    let mut run = Run::new(problem, variant);
    let queue = queue(problem);
    for (done, &block) in queue.iter().enumerate() {
        run.next(block)?;
        let step = SearchEvent::Step {
            done: done as u64 + 1,
            of: Some(queue.len() as u64),
        };
        if progress.report(step).is_break() {
            return Err(Stuck::Stopped);
        }
    }
    // One pass leaves nothing overfull or finds no way, so the paper's count of passes is never reached.
    if run.room.overfull().next().is_some() {
        run.backtrack(&queue)?;
    }
    let placed = run.room.placed.iter().copied();
    Ok(placed
        .collect::<Option<Placement>>()
        .expect("every block of the queue has been placed"))
}

/// Blocks in the order in which heuristics place them: the most work first, of equals the most memory, then the first.
#[must_use]
pub fn queue(problem: &HeadPlacement) -> Vec<usize> {
    let (sizes, heads) = (problem.sizes(), problem.heads());
    let mut queue: Vec<usize> = (0..problem.blocks()).collect();
    queue.in_order_by(|&a, &b| {
        let work = sizes
            .operations(b, heads)
            .total_cmp(&sizes.operations(a, heads));
        let memory = sizes.memory(b, heads).total_cmp(&sizes.memory(a, heads));
        work.then(memory).then(a.cmp(&b))
    });
    queue
}

/// Placement so far, with the memory and compute used on each device.
#[derive(Debug, Clone)]
pub(super) struct PlacementState<'a> {
    problem: &'a HeadPlacement,
    sizes: &'a Sizes,
    /// Delta, the compute time of the interval [s].
    span: f64,
    pub placed: Vec<Option<usize>>,
    memory: Vec<f64>,
    work: Vec<f64>,
    blocks_on: Vec<usize>,
    heads_on: Vec<usize>,
}

impl<'a> PlacementState<'a> {
    pub fn new(problem: &'a HeadPlacement) -> Self {
        let devices = problem.devices();
        Self {
            problem,
            sizes: problem.sizes(),
            span: problem.tokens() * problem.t_tok(),
            placed: vec![None; problem.blocks()],
            memory: vec![0.0; devices],
            work: vec![0.0; devices],
            blocks_on: vec![0; devices],
            heads_on: vec![0; devices],
        }
    }

    fn need(&self, block: usize) -> f64 {
        self.sizes.memory(block, self.problem.heads())
    }

    /// F_i, operations in the interval.
    fn work_of(&self, block: usize) -> f64 {
        self.problem.tokens() * self.sizes.operations(block, self.problem.heads())
    }

    /// Operations that a device offers in the interval.
    fn offers(&self, device: usize) -> f64 {
        self.problem.compute()[device] * self.span
    }

    /// Returns true if a device has memory left for a block.
    pub fn has_memory_for(&self, block: usize, device: usize) -> bool {
        self.problem
            .fits(device, self.memory[device] + self.need(block))
    }

    /// Returns true if a device has memory and compute left for a block.
    pub fn fits(&self, block: usize, device: usize) -> bool {
        let work = self.work[device] + self.work_of(block);
        self.has_memory_for(block, device) && work <= self.offers(device) * (1.0 + SLACK)
    }

    pub fn put(&mut self, block: usize, device: usize) {
        self.placed[block] = Some(device);
        self.memory[device] += self.need(block);
        self.work[device] += self.work_of(block);
        self.blocks_on[device] += 1;
        self.heads_on[device] += usize::from(block < self.problem.heads());
    }

    fn place(&mut self, block: usize, device: usize) {
        self.placed[block] = None;
        self.memory[device] -= self.need(block);
        self.work[device] -= self.work_of(block);
        self.blocks_on[device] -= 1;
        self.heads_on[device] -= usize::from(block < self.problem.heads());
        if self.blocks_on[device] == 0 {
            // Without the residue of rounding.
            (self.memory[device], self.work[device]) = (0.0, 0.0);
        }
    }

    fn lacks_memory(&self, device: usize) -> bool {
        !self.problem.fits(device, self.memory[device])
    }

    fn lacks_compute(&self, device: usize) -> bool {
        self.work[device] > self.offers(device) * (1.0 + SLACK)
    }

    /// Devices that hold more than they have, in order.
    fn overfull(&self) -> impl Iterator<Item = usize> + '_ {
        let devices = 0..self.problem.devices();
        devices.filter(|j| self.lacks_memory(*j) || self.lacks_compute(*j))
    }

    /// The blocks on a device, in order.
    fn on(&self, device: usize) -> Vec<usize> {
        let blocks = 0..self.placed.len();
        blocks
            .filter(|block| self.placed[*block] == Some(device))
            .collect()
    }
}

/// A part of a whole: none of nothing, and more than any of no whole.
fn share(part: f64, whole: f64) -> f64 {
    if part == 0.0 { 0.0 } else { part / whole }
}

struct Run<'a> {
    problem: &'a HeadPlacement,
    variant: Variant,
    room: PlacementState<'a>,
    t_tok: f64,
    moves: usize,
    /// U, the most moves.
    most: usize,
    /// Heads by device as far as known, for proj.
    senders: Vec<usize>,
}

impl<'a> Run<'a> {
    fn new(problem: &'a HeadPlacement, variant: Variant) -> Self {
        Self {
            problem,
            variant,
            room: PlacementState::new(problem),
            t_tok: problem.t_tok(),
            moves: 0,
            most: problem.blocks() * problem.devices(),
            senders: Vec::new(),
        }
    }

    fn count_move(&mut self) -> Result<(), Stuck> {
        self.moves += 1;
        if self.moves > self.most {
            return Err(Stuck::Moves { most: self.most });
        }
        Ok(())
    }

    /// Where a block is, as far as known: placed in this run, or before it.
    fn whereabouts(&self, block: usize) -> Option<usize> {
        self.room.placed[block].or_else(|| self.problem.prev().map(|prev| prev[block]))
    }

    /// Places one block of the queue.
    fn next(&mut self, block: usize) -> Result<(), Stuck> {
        let ranked = self.rank(block);
        let (score, best) = ranked[0];
        if score <= 1.0 + SLACK && self.room.fits(block, best) {
            self.room.put(block, best);
            match self.problem.prev() {
                Some(prev) if prev[block] != best => self.count_move(),
                _ => Ok(()),
            }
        } else {
            self.resolve(block, &ranked)?;
            self.count_move()
        }
    }

    /// All devices with their scores, the best first; of equals the previous one, then the first.
    fn rank(&mut self, block: usize) -> Vec<(f64, usize)> {
        if block == self.problem.heads() {
            self.senders.clear();
            self.senders.resize(self.problem.devices(), 0);
            for head in 0..self.problem.heads() {
                if let Some(device) = self.whereabouts(head) {
                    self.senders[device] += 1;
                }
            }
        }
        let before = self.problem.prev().map(|prev| prev[block]);
        let devices = 0..self.problem.devices();
        let mut ranked: Vec<(f64, usize)> = devices.map(|j| (self.score(block, j), j)).collect();
        ranked.in_order_by(|a, b| {
            let moved = |device: usize| before != Some(device);
            let score = a.0.total_cmp(&b.0);
            score.then(moved(a.1).cmp(&moved(b.1))).then(a.1.cmp(&b.1))
        });
        ranked
    }

    fn score(&self, block: usize, device: usize) -> f64 {
        let room = &self.room;
        let have = self.problem.memory()[device];
        let work = share(room.work_of(block), room.offers(device));
        if self.variant == Variant::LoadAware {
            let heads = match block < self.problem.heads() {
                true => room.heads_on[device] + 1,
                false => 1,
            };
            let memory = share(room.memory[device] + room.need(block), have);
            memory.max(self.sending(block, device, heads) + heads as f64 * work)
        } else {
            let memory = share(room.need(block), have);
            memory.max(work).max(self.sending(block, device, 1))
        }
    }

    /// CommFactor: what is sent, and the move, as fractions of the budget. A head's output goes `heads` times.
    fn sending(&self, block: usize, device: usize, heads: usize) -> f64 {
        let (problem, sizes, links) = (self.problem, self.problem.sizes(), self.problem.links());
        let all = problem.heads();
        let (proj, ffn) = (self.whereabouts(all), self.whereabouts(all + 1));
        let to =
            |bytes: f64, to: Option<usize>| to.map_or(0.0, |to| links.transfer(bytes, device, to));
        let seconds = if block < all {
            let input = links.transfer(sizes.w_in, problem.controller(), device);
            input + to(heads as f64 * sizes.w_hp, proj)
        } else if block == all {
            let mut slowest: f64 = 0.0;
            for (from, heads) in self.senders.iter().enumerate() {
                slowest = slowest.max(links.transfer(*heads as f64 * sizes.w_hp, from, device));
            }
            slowest + to(sizes.w_pf, ffn)
        } else {
            proj.map_or(0.0, |proj| links.transfer(sizes.w_pf, proj, device))
        };
        let moving = match problem.prev() {
            Some(prev) if self.variant != Variant::Published => {
                let bytes = problem.before().memory(block, all);
                links.transfer(bytes, prev[block], device)
            }
            _ => 0.0,
        };
        seconds / self.t_tok + moving / self.room.span
    }

    /// Places a block whose best device has no room for it: on the next that has, or after clearing room, or regardless.
    fn resolve(&mut self, block: usize, ranked: &[(f64, usize)]) -> Result<(), Stuck> {
        if let Some(&(_, device)) = ranked.iter().find(|(_, j)| self.room.fits(block, *j)) {
            self.room.put(block, device);
            return Ok(());
        }
        let best = ranked[0].1;
        let by_memory = !self.room.has_memory_for(block, best);
        let mut there = self.room.on(best);
        let size = |block: usize| match by_memory {
            true => self.room.need(block),
            false => self.room.work_of(block),
        };
        there.in_order_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        let mut cleared = Vec::new();
        for other in there {
            self.room.place(other, best);
            let ranked = self.rank(other);
            let free = ranked
                .iter()
                .find(|(_, j)| *j != best && self.room.fits(other, *j));
            let Some(&(_, device)) = free else {
                self.room.put(other, best);
                continue;
            };
            self.room.put(other, device);
            cleared.push((other, device));
            self.count_move()?;
            if self.room.fits(block, best) {
                self.room.put(block, best);
                return Ok(());
            }
        }
        for (other, device) in cleared.into_iter().rev() {
            self.room.place(other, device);
            self.room.put(other, best);
        }
        self.room.put(block, best);
        Ok(())
    }

    /// Empties devices that hold too much, the largest block first, and places what came out once more.
    fn backtrack(&mut self, queue: &[usize]) -> Result<(), Stuck> {
        let overfull: Vec<usize> = self.room.overfull().collect();
        let mut removed = vec![false; queue.len()];
        for device in overfull {
            loop {
                let (memory, compute) = (
                    self.room.lacks_memory(device),
                    self.room.lacks_compute(device),
                );
                if !memory && !compute {
                    break;
                }
                let have = self.problem.memory()[device];
                let size = |block: usize| {
                    let of_memory = share(self.room.need(block), have);
                    let of_compute = share(self.room.work_of(block), self.room.offers(device));
                    let by = |lacks: bool, share: f64| if lacks { share } else { 0.0 };
                    f64::max(by(memory, of_memory), by(compute, of_compute))
                };
                let there = self.room.on(device).into_iter();
                // Of equals `max_by` would take the last, and the first is wanted.
                let largest = there
                    .rev()
                    .max_by(|a, b| size(*a).total_cmp(&size(*b)))
                    .expect("a device that holds too much holds a block");
                self.room.place(largest, device);
                removed[largest] = true;
            }
        }
        for &block in queue.iter().filter(|block| removed[**block]) {
            let ranked = self.rank(block);
            let free = ranked.iter().find(|(_, j)| self.room.fits(block, *j));
            let &(_, device) = free.ok_or(Stuck::Memory { block })?;
            self.room.put(block, device);
        }
        Ok(())
    }
}
