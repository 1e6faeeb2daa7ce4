//! Delay, moves and memory of a layer that may be split over a group of devices, beside placements of whole blocks.
//!
//! Source: Galaxy as Kafetzis et al., "Large Language Model Partitioning for Low-Latency Inference at the Edge", compare with
//! it. Every device of the group receives the input, runs its heads and its columns of proj, takes part in a ring of
//! reduce-scatter and all-gather, runs its columns of ffn and takes part in a second ring; each of these steps takes as long
//! as on the slowest device, and a ring as long as on its slowest link. What heads put out is used where they are.
//!
//! The paper never moves such a layer. Here a head moves with its cache as ever, and of proj and ffn those columns move that
//! change devices ([`column_moves`]), one transfer after another, each with its share of what the block held before. A block
//! on one device has all of its columns there, so plans of whole blocks are scored as by [`super::heads`], to the last bit.

use super::heads::{
    BlockMigration, HeadsShape, Phases, ScoredHeads, Stage, memory_on, moved, phases, score, summed,
};
use crate::plan::{HeadSplit, Layout, column_moves};
use crate::problem::head_sizes::{Delay, Sizes};
use crate::problem::heads::{HeadPlacement, compute_time};
use crate::problem::{Code, Invalid};

/// How far shares may be from 1 together.
const SUM: f64 = 1e-9;

/// Aggregates of a split that the delay of a token depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitShape {
    /// The group, in the order of its ring.
    pub devices: Vec<usize>,
    /// Share of proj and ffn of each.
    pub share: Vec<f64>,
    /// Heads of each.
    pub heads: Vec<usize>,
}

impl SplitShape {
    /// Of a split. O(h log G).
    #[must_use]
    pub fn of(split: &HeadSplit) -> Self {
        Self {
            devices: split.devices.clone(),
            share: split.share.clone(),
            heads: split.heads(),
        }
    }

    /// The delay of one token with demands `sizes`, by what it is made of: input and heads, proj, both rings, ffn. O(G).
    #[must_use]
    pub fn phases(&self, problem: &HeadPlacement, sizes: &Sizes) -> Phases {
        let (links, speed) = (problem.links(), problem.compute());
        let slowest = |time: &dyn Fn(usize, usize) -> f64| {
            let each = self.devices.iter().enumerate();
            each.map(|(at, device)| time(at, *device))
                .fold(0.0, f64::max)
        };
        let columns = |work: f64| match problem.layer().delay() {
            Delay::Full => {
                slowest(&|at, device| compute_time(self.share[at] * work, speed[device]))
            }
            Delay::Eq6 => 0.0,
        };
        let input = slowest(&|_, device| links.transfer(sizes.w_in, problem.controller(), device));
        let heads = slowest(&|at, device| {
            compute_time(self.heads[at] as f64 * sizes.b_head, speed[device])
        });
        Phases {
            head_stage: input + heads,
            proj: columns(sizes.b_proj),
            transfer: 2.0 * self.ring(problem, sizes),
            ffn: columns(sizes.b_ffn),
        }
    }

    /// One ring around the group, as slow as its slowest link [s].
    fn ring(&self, problem: &HeadPlacement, sizes: &Sizes) -> f64 {
        let size = self.devices.len();
        if size < 2 {
            return 0.0;
        }
        let bytes = 2.0 * (size - 1) as f64 / size as f64 * sizes.w_pf;
        let next = |k: usize| self.devices[(k + 1) % size];
        let around = (0..size).map(|k| problem.links().transfer(bytes, self.devices[k], next(k)));
        around.fold(0.0, f64::max)
    }

    /// Memory in use on the device of the group's place `at` [B].
    #[must_use]
    pub fn memory(&self, sizes: &Sizes, at: usize) -> f64 {
        self.heads[at] as f64 * sizes.m_head + self.share[at] * (sizes.m_proj + sizes.m_ffn)
    }

    /// How long the device of the group's place `at` computes for one token [s].
    fn busy(&self, problem: &HeadPlacement, sizes: &Sizes, at: usize) -> f64 {
        let mut work = self.heads[at] as f64 * sizes.b_head;
        if problem.layer().delay() == Delay::Full {
            work += self.share[at] * (sizes.b_proj + sizes.b_ffn);
        }
        compute_time(work, problem.compute()[self.devices[at]])
    }
}

/// Aggregates of a layout of either class.
#[derive(Debug, Clone, PartialEq)]
pub enum LayoutShape {
    /// Whole blocks, with the devices that host any, ascending.
    Blocks(HeadsShape, Vec<usize>),
    /// A split.
    Parts(SplitShape),
}

impl LayoutShape {
    /// Of a layout on so many devices. O(h log h + V).
    #[must_use]
    pub fn of(layout: &Layout, devices: usize) -> Self {
        match layout {
            Layout::Blocks(placement) => {
                let mut used = placement.clone();
                used.sort_unstable();
                used.dedup();
                Self::Blocks(HeadsShape::of(placement, devices), used)
            }
            Layout::Split(split) => Self::Parts(SplitShape::of(split)),
        }
    }

    /// The delay of one token with demands `sizes`. O(V).
    #[must_use]
    pub fn phases(&self, problem: &HeadPlacement, sizes: &Sizes) -> Phases {
        match self {
            Self::Blocks(shape, _) => phases(problem, sizes, shape),
            Self::Parts(parts) => parts.phases(problem, sizes),
        }
    }

    /// The devices in use, ascending, each with the memory it holds [B] and the time it computes for one token [s]. O(V).
    pub fn used(
        &self,
        problem: &HeadPlacement,
        sizes: &Sizes,
    ) -> impl Iterator<Item = (usize, f64, f64)> {
        let devices = match self {
            Self::Blocks(_, used) => used,
            Self::Parts(parts) => &parts.devices,
        };
        devices
            .iter()
            .enumerate()
            .map(move |(at, &device)| match self {
                Self::Blocks(shape, _) => {
                    let held = memory_on(sizes, shape, device);
                    (device, held, busy(problem, sizes, shape, device))
                }
                Self::Parts(parts) => {
                    let held = parts.memory(sizes, at);
                    (device, held, parts.busy(problem, sizes, at))
                }
            })
    }
}

/// How long a device computes for one token [s].
fn busy(problem: &HeadPlacement, sizes: &Sizes, shape: &HeadsShape, device: usize) -> f64 {
    let speed = problem.compute()[device];
    let mut work = shape.heads_on[device] as f64 * sizes.b_head;
    if problem.layer().delay() == Delay::Full {
        if shape.proj == device {
            work += sizes.b_proj;
        }
        if shape.ffn == device {
            work += sizes.b_ffn;
        }
    }
    compute_time(work, speed)
}

/// Scores a layout of either class, whether memory suffices or not. `before` is the split that was in force, where the
/// layer was split; else the problem's own previous placement is.
///
/// # Errors
/// A layout that is none for this problem: [`Code::Plan`] at `placement`, `split.devices[i]`, `split.share[i]` or
/// `split.on[i]`.
///
/// # Complexity
/// O(V + h log V).
pub fn score_layout(
    problem: &HeadPlacement,
    before: Option<&HeadSplit>,
    layout: &Layout,
) -> Result<ScoredHeads, Invalid> {
    let split = match (layout, before) {
        (Layout::Blocks(placement), None) => return score(problem, placement),
        (Layout::Blocks(placement), Some(_)) => {
            let scored = score(problem, placement)?;
            let phases = Phases {
                head_stage: scored.head_stage,
                proj: scored.proj,
                transfer: scored.transfer,
                ffn: scored.ffn,
            };
            let moves = moves(problem, before, layout);
            let stages = (scored.stages, scored.slowest);
            return Ok(summed(problem, scored.memory_use, stages, phases, moves));
        }
        (Layout::Split(split), _) => split,
    };
    check(problem, split)?;
    let parts = SplitShape::of(split);
    let sizes = problem.sizes();
    let mut memory_use = vec![0.0; problem.devices()];
    let mut stages = Vec::new();
    for (at, &device) in parts.devices.iter().enumerate() {
        memory_use[device] = parts.memory(sizes, at);
        if parts.heads[at] > 0 {
            let work = parts.heads[at] as f64 * sizes.b_head;
            stages.push(Stage {
                device,
                heads: parts.heads[at],
                input: problem
                    .links()
                    .transfer(sizes.w_in, problem.controller(), device),
                compute: compute_time(work, problem.compute()[device]),
                output: 0.0,
            });
        }
    }
    let mut slowest = 0;
    for (at, stage) in stages.iter().enumerate() {
        if stage.compute > stages[slowest].compute {
            slowest = at;
        }
    }
    let phases = parts.phases(problem, sizes);
    let moves = moves(problem, before, layout);
    Ok(summed(
        problem,
        memory_use,
        (stages, slowest),
        phases,
        moves,
    ))
}

/// Returns the blocks that change devices: heads, then columns of proj, then of ffn.
fn moves(
    problem: &HeadPlacement,
    before: Option<&HeadSplit>,
    layout: &Layout,
) -> Vec<BlockMigration> {
    let prev = match (before, problem.prev()) {
        (Some(split), _) => Layout::Split(split.clone()),
        (None, Some(prev)) => Layout::Blocks(prev.to_vec()),
        (None, None) => return Vec::new(),
    };
    let heads = prev.heads().iter().zip(layout.heads()).enumerate();
    let mut moves: Vec<BlockMigration> = heads
        .filter(|(_, (from, to))| from != to)
        .map(|(head, (&from, &to))| moved(problem, head, 1.0, from, to))
        .collect();
    for block in [problem.heads(), problem.heads() + 1] {
        let (had, has) = (
            columns(problem, &prev, block),
            columns(problem, layout, block),
        );
        let shares = column_moves(&had, &has).into_iter();
        moves.extend(shares.map(|(from, to, share)| moved(problem, block, share, from, to)));
    }
    moves
}

/// Share of proj or ffn on each device.
fn columns(problem: &HeadPlacement, layout: &Layout, block: usize) -> Vec<f64> {
    match layout {
        Layout::Blocks(placement) => {
            let mut columns = vec![0.0; problem.devices()];
            columns[placement[block]] = 1.0;
            columns
        }
        Layout::Split(split) => split.columns(problem.devices()),
    }
}

/// Refuses a split that is none.
fn check(problem: &HeadPlacement, split: &HeadSplit) -> Result<(), Invalid> {
    let faulty = |path: String, value: serde_json::Value, allowed: &str| {
        let fault = Invalid::range(path, value, allowed);
        Err(Invalid {
            code: Code::Plan,
            ..fault
        })
    };
    let devices = &split.devices;
    if devices.is_empty() {
        let none: Vec<usize> = Vec::new();
        return faulty("split.devices".into(), none.into(), "at least one device");
    }
    for (at, device) in devices.iter().enumerate() {
        if *device >= problem.devices() || (at > 0 && devices[at - 1] >= *device) {
            let allowed = format!("devices from 0 to {}, ascending", problem.devices() - 1);
            return faulty(format!("split.devices[{at}]"), (*device).into(), &allowed);
        }
    }
    if split.share.len() != devices.len() {
        let allowed = format!("a share for each of {} devices", devices.len());
        return faulty("split.share".into(), split.share.clone().into(), &allowed);
    }
    for (at, share) in split.share.iter().enumerate() {
        if !(0.0..=1.0 + SUM).contains(share) {
            return faulty(format!("split.share[{at}]"), (*share).into(), "0 to 1");
        }
    }
    if (split.share.iter().sum::<f64>() - 1.0).abs() > SUM {
        return faulty(
            "split.share".into(),
            split.share.clone().into(),
            "shares that add up to 1",
        );
    }
    if split.on.len() != problem.heads() {
        let allowed = format!("a list of {} devices: one for every head", problem.heads());
        return faulty("split.on".into(), split.on.clone().into(), &allowed);
    }
    match split
        .on
        .iter()
        .position(|device| devices.binary_search(device).is_err())
    {
        Some(at) => faulty(
            format!("split.on[{at}]"),
            split.on[at].into(),
            "a device of the group",
        ),
        None => Ok(()),
    }
}
