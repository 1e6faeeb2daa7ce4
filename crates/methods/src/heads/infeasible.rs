//! Why no placement exists, and the least memory on one device with which one would.
//!
//! Asked in this order: does nothing compute; do links keep the parts apart; is a block larger than every device; is
//! there too little memory in all; do the blocks not pack, though there is enough in all; or do they pack, but only
//! where links or compute are missing. Each question is the exact search itself, on costs where all that is finite is free.

use super::costs::HeadCosts;
use super::exact::HeadSolver;
use engine::problem::heads::{HeadPlacement, SLACK};
use engine::units::rounded;
use serde::{Deserialize, Serialize};

/// A kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// An attention head with its cache.
    Head,
    /// The output projection.
    Proj,
    /// The feed-forward network.
    Ffn,
}

/// The proved cause. Memory in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// No device has any compute.
    Compute,
    /// Even with memory enough, missing links or devices without compute leave no placement of finite delay.
    Links,
    /// A block is larger than every device.
    Block {
        /// Which.
        part: Part,
        /// Its memory.
        need: f64,
        /// Memory of the largest device.
        have: f64,
    },
    /// All devices together hold less than the layer needs.
    TotalMemory {
        /// The layer.
        need: f64,
        /// All devices.
        have: f64,
    },
    /// There is memory enough in all, but the blocks do not fit on the devices.
    Packing {
        /// The layer.
        need: f64,
        /// All devices.
        have: f64,
    },
    /// The blocks fit, but only on devices that links or compute rule out.
    Reach,
}

/// More memory for one device with which a placement exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Repair {
    /// The device, from 0.
    pub device: usize,
    /// The least memory that suffices [B].
    pub memory: f64,
    /// How much more that is than it has [B].
    pub more: f64,
}

/// A proof that no placement exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Infeasible {
    /// The cause.
    #[serde(flatten)]
    pub cause: Cause,
    /// For each device that alone would do with more memory, the least that suffices; in the order of devices. Empty where
    /// there are more than 64 devices.
    pub repairs: Vec<Repair>,
}

/// Devices up to which repairs are looked for.
const MOST_DEVICES: usize = 64;

/// The proof for a problem without a placement.
///
/// # Complexity
/// For each of V devices O(log h) searches that end with the first placement.
pub(super) fn proof(problem: &HeadPlacement) -> Infeasible {
    let mut search = Existence::new(problem);
    let cause = cause(problem, &mut search);
    let by_memory = !matches!(cause, Cause::Compute | Cause::Links);
    let repairs = if by_memory && problem.devices() <= MOST_DEVICES {
        let each = (0..problem.devices()).filter_map(|device| repair(problem, &mut search, device));
        each.collect()
    } else {
        Vec::new()
    };
    Infeasible { cause, repairs }
}

fn cause(problem: &HeadPlacement, search: &mut Existence) -> Cause {
    let sizes = problem.sizes();
    let need = sizes.all_memory(problem.layer().form().h);
    if sizes.b_head > 0.0 && problem.compute().iter().all(|speed| *speed == 0.0) {
        return Cause::Compute;
    }
    if !search.with_memory(&vec![need; problem.devices()]) {
        return Cause::Links;
    }
    let have = problem.memory().iter().copied().fold(0.0, f64::max);
    for (part, need) in [
        (Part::Ffn, sizes.m_ffn),
        (Part::Proj, sizes.m_proj),
        (Part::Head, sizes.m_head),
    ] {
        if need > have * (1.0 + SLACK) {
            return Cause::Block { part, need, have };
        }
    }
    let have = problem.memory().iter().sum::<f64>();
    if need > have * (1.0 + SLACK) {
        return Cause::TotalMemory { need, have };
    }
    if search.without_time(problem.memory()) {
        Cause::Reach
    } else {
        Cause::Packing { need, have }
    }
}

/// The least memory of a device with which a placement exists: a number of heads, with proj and ffn or without.
fn repair(problem: &HeadPlacement, search: &mut Existence, device: usize) -> Option<Repair> {
    let (sizes, have) = (problem.sizes(), problem.memory()[device]);
    let mut tried: Vec<f64> = Vec::new();
    for rest in [0.0, sizes.m_proj, sizes.m_ffn, sizes.m_proj + sizes.m_ffn] {
        tried.extend((0..=problem.heads()).map(|heads| heads as f64 * sizes.m_head + rest));
    }
    tried.retain(|memory| *memory > have);
    tried.sort_unstable_by(f64::total_cmp);
    let mut memory = problem.memory().to_vec();
    let mut exists = |least: f64| {
        memory[device] = least;
        search.with_memory(&memory)
    };
    if !exists(*tried.last()?) {
        return None;
    }
    let at = tried.partition_point(|memory| !exists(*memory));
    let memory = tried[at];
    Some(Repair {
        device,
        memory,
        more: memory - have,
    })
}

/// Asks whether a placement exists with other memories.
struct Existence {
    solver: HeadSolver,
    /// All that is finite is free.
    free: HeadCosts,
    /// All is free.
    timeless: HeadCosts,
}

impl Existence {
    fn new(problem: &HeadPlacement) -> Self {
        let mut free = HeadCosts::of(problem);
        let mut timeless = free.clone();
        for list in [
            &mut free.start,
            &mut free.per_head,
            &mut free.pair,
            &mut free.cost,
        ] {
            for cost in list.iter_mut().filter(|cost| cost.is_finite()) {
                *cost = 0.0;
            }
        }
        for list in [
            &mut timeless.start,
            &mut timeless.per_head,
            &mut timeless.pair,
            &mut timeless.cost,
        ] {
            list.fill(0.0);
        }
        Self {
            solver: HeadSolver::new(),
            free,
            timeless,
        }
    }

    fn with_memory(&mut self, memory: &[f64]) -> bool {
        exists(&mut self.solver, &mut self.free, memory)
    }

    fn without_time(&mut self, memory: &[f64]) -> bool {
        exists(&mut self.solver, &mut self.timeless, memory)
    }
}

fn exists(solver: &mut HeadSolver, costs: &mut HeadCosts, memory: &[f64]) -> bool {
    for (slot, memory) in costs.memory.iter_mut().zip(memory) {
        *slot = memory * (1.0 + SLACK);
    }
    solver.search(costs, 1, &mut || true);
    !solver.results().is_empty()
}

/// Bytes in running text: six digits tell what is short without the noise of sums.
fn bytes(value: f64) -> String {
    format!("{} bytes", rounded(value, 6))
}

impl std::fmt::Display for Infeasible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.cause {
            Cause::Compute => return write!(f, "no device has any compute"),
            Cause::Links => {
                return write!(
                    f,
                    "missing links, or devices without compute, leave no placement that would ever finish, whatever the memory"
                );
            }
            Cause::Block { part, need, have } => {
                let part = match part {
                    Part::Head => "an attention head",
                    Part::Proj => "proj",
                    Part::Ffn => "ffn",
                };
                write!(
                    f,
                    "{part} is larger than every device: it needs {}, and the largest device has {}",
                    bytes(*need),
                    bytes(*have)
                )?;
            }
            Cause::TotalMemory { need, have } => write!(
                f,
                "the total memory is too small: the layer needs {} and the devices have {} in all",
                bytes(*need),
                bytes(*have)
            )?,
            Cause::Packing { need, have } => write!(
                f,
                "there is enough memory in total, {} for {}, but the blocks do not fit on the devices",
                bytes(*have),
                bytes(*need)
            )?,
            Cause::Reach => write!(
                f,
                "the blocks fit, but only on devices that missing links or missing compute rule out"
            )?,
        }
        let least = self.repairs.iter().min_by(|a, b| a.more.total_cmp(&b.more));
        match least {
            Some(repair) => write!(
                f,
                "; {} more on device {} alone would be enough",
                bytes(repair.more),
                repair.device
            ),
            None => write!(f, "; more memory on one device alone would not be enough"),
        }
    }
}
