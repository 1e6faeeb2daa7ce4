//! Delay, moves and memory of a placement of blocks on devices.
//!
//! Source: Kafetzis et al., "Large Language Model Partitioning for Low-Latency Inference at the Edge", equations (2) to (7).
//! A device receives the input once, runs its heads one after another and sends their outputs one after another over its
//! link to proj; the slowest device decides. Equation (6) leaves out the computation of proj and ffn, though equation (5)
//! defines it; [`Delay::Full`] adds it. Moves follow one another, each with what its block held at the token before.

use crate::problem::Invalid;
use crate::problem::head_sizes::{Delay, Sizes};
use crate::problem::heads::{HeadPlacement, compute_time};
use serde::{Deserialize, Serialize};

/// One device in the head stage. Times of one token [s].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Stage {
    /// The device, from 0.
    pub device: usize,
    /// How many heads it hosts, at least one.
    pub heads: usize,
    /// It receives the input from the controller.
    pub input: f64,
    /// It runs its heads.
    pub compute: f64,
    /// It sends their outputs to proj.
    pub output: f64,
}

impl Stage {
    /// H_j, all three after one another [s].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.input + self.compute + self.output
    }
}

/// A block that moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockMigration {
    /// The block: heads from 0, then proj, then ffn.
    pub block: usize,
    /// The device it leaves.
    pub from: usize,
    /// The device it goes to.
    pub to: usize,
    /// Bytes moved with it [B].
    pub bytes: f64,
    /// How long that takes [s].
    pub seconds: f64,
}

/// A scored placement. A time is infinite where a link or compute is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredHeads {
    /// Memory in use on each device [B].
    pub memory_use: Vec<f64>,
    /// True for each device with enough memory.
    pub fits: Vec<bool>,
    /// True if all devices have enough memory.
    pub memory_ok: bool,
    /// True if memory suffices and J is finite.
    pub feasible: bool,
    /// The devices that host heads, in order.
    pub stages: Vec<Stage>,
    /// Which of `stages` takes longest, the first of equals.
    pub slowest: usize,
    /// How long that one takes [s].
    pub head_stage: f64,
    /// proj computes [s]; 0 where equation (6) leaves it out.
    pub proj: f64,
    /// proj to ffn [s].
    pub transfer: f64,
    /// ffn computes [s]; 0 where equation (6) leaves it out.
    pub ffn: f64,
    /// Delay of the last token of the interval, the four above together [s].
    pub d_t: f64,
    /// The blocks that move, in order of blocks.
    pub moves: Vec<BlockMigration>,
    /// All moves together [s].
    pub d_mig: f64,
    /// The objective, w D_T + D_mig [s].
    pub j: f64,
}

/// Aggregates of a placement that the delay of a token depends on. A run computes them once for each interval and scores every
/// token with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadsShape {
    /// Heads on each device.
    pub heads_on: Vec<usize>,
    /// The device of proj.
    pub proj: usize,
    /// The device of ffn.
    pub ffn: usize,
}

impl HeadsShape {
    /// The shape of a placement on so many devices. O(h + V).
    ///
    /// # Panics
    /// When the placement has fewer than two blocks, or names a device that does not exist.
    #[must_use]
    pub fn of(placement: &[usize], devices: usize) -> Self {
        let (heads, rest) = placement.split_at(placement.len() - 2);
        let mut heads_on = vec![0; devices];
        for device in heads {
            heads_on[*device] += 1;
        }
        Self {
            heads_on,
            proj: rest[0],
            ffn: rest[1],
        }
    }
}

/// Parts of the delay of a token [s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phases {
    /// The slowest device receives the input, runs its heads and sends their outputs.
    pub head_stage: f64,
    /// proj computes; 0 where equation (6) leaves it out.
    pub proj: f64,
    /// proj to ffn.
    pub transfer: f64,
    /// ffn computes; 0 where equation (6) leaves it out.
    pub ffn: f64,
}

impl Phases {
    /// D_T, one after another [s].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.head_stage + self.proj + self.transfer + self.ffn
    }
}

/// The delay of one token with demands `sizes`, on the devices and links of `problem`, by what it is made of. Nothing is
/// allocated; it takes O(V).
#[must_use]
pub fn phases(problem: &HeadPlacement, sizes: &Sizes, shape: &HeadsShape) -> Phases {
    let mut head_stage: f64 = 0.0;
    for (device, heads) in shape.heads_on.iter().enumerate() {
        if *heads > 0 {
            head_stage = head_stage.max(stage(problem, sizes, shape.proj, device, *heads).total());
        }
    }
    let (proj, transfer, ffn) = tail(problem, sizes, shape);
    Phases {
        head_stage,
        proj,
        transfer,
        ffn,
    }
}

/// Delay of one token as [`phases`] has it, in one number [s].
#[must_use]
pub fn delay(problem: &HeadPlacement, sizes: &Sizes, shape: &HeadsShape) -> f64 {
    phases(problem, sizes, shape).total()
}

/// Memory in use on a device [B].
#[must_use]
pub fn memory_on(sizes: &Sizes, shape: &HeadsShape, device: usize) -> f64 {
    let mut held = shape.heads_on[device] as f64 * sizes.m_head;
    if shape.proj == device {
        held += sizes.m_proj;
    }
    if shape.ffn == device {
        held += sizes.m_ffn;
    }
    held
}

/// Scores `placement`, whether memory suffices or not.
///
/// # Errors
/// A placement of the wrong length or with a device that does not exist, as [`HeadPlacement::check`] says.
///
/// # Complexity
/// O(V + h).
pub fn score(problem: &HeadPlacement, placement: &[usize]) -> Result<ScoredHeads, Invalid> {
    problem.check(placement)?;
    let sizes = problem.sizes();
    let shape = HeadsShape::of(placement, problem.devices());
    let memory_use: Vec<f64> = (0..problem.devices())
        .map(|j| memory_on(sizes, &shape, j))
        .collect();
    let stages: Vec<Stage> = (0..problem.devices())
        .filter(|j| shape.heads_on[*j] > 0)
        .map(|j| stage(problem, sizes, shape.proj, j, shape.heads_on[j]))
        .collect();
    let mut slowest = 0;
    for (at, stage) in stages.iter().enumerate() {
        if stage.total() > stages[slowest].total() {
            slowest = at;
        }
    }
    let (proj, transfer, ffn) = tail(problem, sizes, &shape);
    let phases = Phases {
        head_stage: stages[slowest].total(),
        proj,
        transfer,
        ffn,
    };
    let moves = match problem.prev() {
        Some(prev) => moves(problem, prev, placement),
        None => Vec::new(),
    };
    Ok(summed(
        problem,
        memory_use,
        (stages, slowest),
        phases,
        moves,
    ))
}

/// Adds up what a plan comes to, whatever its class.
pub(super) fn summed(
    problem: &HeadPlacement,
    memory_use: Vec<f64>,
    (stages, slowest): (Vec<Stage>, usize),
    phases: Phases,
    moves: Vec<BlockMigration>,
) -> ScoredHeads {
    let fits: Vec<bool> = (0..problem.devices())
        .map(|j| problem.fits(j, memory_use[j]))
        .collect();
    let d_t = phases.total();
    // From 0 on: the sum of nothing would else be -0.
    let d_mig = moves.iter().fold(0.0, |sum, one| sum + one.seconds);
    let j = problem.tokens() * d_t + d_mig;
    let memory_ok = fits.iter().all(|fit| *fit);
    ScoredHeads {
        memory_use,
        fits,
        memory_ok,
        feasible: memory_ok && j.is_finite(),
        stages,
        slowest,
        head_stage: phases.head_stage,
        proj: phases.proj,
        transfer: phases.transfer,
        ffn: phases.ffn,
        d_t,
        moves,
        d_mig,
        j,
    }
}

/// A device with `heads` heads, proj being on `proj`.
fn stage(
    problem: &HeadPlacement,
    sizes: &Sizes,
    proj: usize,
    device: usize,
    heads: usize,
) -> Stage {
    let (links, many) = (problem.links(), heads as f64);
    Stage {
        device,
        heads,
        input: links.transfer(sizes.w_in, problem.controller(), device),
        compute: compute_time(many * sizes.b_head, problem.compute()[device]),
        output: links.transfer(many * sizes.w_hp, device, proj),
    }
}

/// Computation of proj, transfer to ffn, computation of ffn.
fn tail(problem: &HeadPlacement, sizes: &Sizes, shape: &HeadsShape) -> (f64, f64, f64) {
    let transfer = problem.links().transfer(sizes.w_pf, shape.proj, shape.ffn);
    let runs = |work: f64, device: usize| match problem.layer().delay() {
        Delay::Full => compute_time(work, problem.compute()[device]),
        Delay::Eq6 => 0.0,
    };
    (
        runs(sizes.b_proj, shape.proj),
        transfer,
        runs(sizes.b_ffn, shape.ffn),
    )
}

/// The blocks that are elsewhere than before.
fn moves(problem: &HeadPlacement, prev: &[usize], placement: &[usize]) -> Vec<BlockMigration> {
    let blocks = prev.iter().zip(placement).enumerate();
    blocks
        .filter(|(_, (from, to))| from != to)
        .map(|(block, (&from, &to))| moved(problem, block, 1.0, from, to))
        .collect()
}

/// A share of a block that moves, from 0 to 1, with as much of what the block held before.
pub(super) fn moved(
    problem: &HeadPlacement,
    block: usize,
    share: f64,
    from: usize,
    to: usize,
) -> BlockMigration {
    let bytes = share * problem.before().memory(block, problem.heads());
    BlockMigration {
        block,
        from,
        to,
        bytes,
        seconds: problem.links().transfer(bytes, from, to),
    }
}
