//! A run of requests through tiers: what `tiers-simulate` takes.
//!
//! Source: Hyperion (Ma, Xu, Xu, Chen, Quek, Yang, arXiv:2511.14450), problem P2, with the simulator's semantics of
//! our own where the paper is silent: passes, modes, memory pools, outages, batches.
//!
//! Tasks may be listed in any order; their index is their name. Outages of a node may overlap and count as their
//! union. What is refused: times that run backwards or are infinite, a task that fits no node of a tier, and sizes
//! beyond [`MOST_TASKS`], [`MOST_TIERS`] and [`MOST_NODES`], which bound the memory of a run.

use super::tiers::MEMORY_SLACK;
use super::{Code, Invalid};
use serde::{Deserialize, Serialize};

/// The most tasks of a run. A run of so many is a matter of minutes; its answer, of a hundred megabytes.
pub const MOST_TASKS: usize = 1_000_000;

/// The most tiers.
pub const MOST_TIERS: usize = 64;

/// The most nodes of a tier.
pub const MOST_NODES: usize = 10_000;

/// The most tokens of a task.
pub const MOST_TOKENS: f64 = 1e9;

/// How a task and its passes use the tiers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Passes of different tasks interleave on a node; a task keeps its nodes, where its cache is.
    #[default]
    Token,
    /// A node serves one task at a time from its prefill to its last pass there.
    Hold,
    /// A task is one job a tier, prefill and all decode passes together: the literal reading of the paper.
    Request,
    /// As token, but one task at a time in the whole system.
    Serial,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::Token, Self::Hold, Self::Request, Self::Serial];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Hold => "hold",
            Self::Request => "request",
            Self::Serial => "serial",
        }
    }
}

/// Rule that chooses the node of a task on a tier.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scheduler {
    /// The node that would finish the task first: HypSched-RT, and HEFT's earliest finish time as well.
    #[default]
    #[serde(rename = "hypsched")]
    HypSched,
    /// One after the other.
    RoundRobin,
    /// Any, each as likely.
    Random,
}

impl Scheduler {
    /// All schedulers.
    pub const ALL: [Self; 3] = [Self::HypSched, Self::RoundRobin, Self::Random];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HypSched => "hypsched",
            Self::RoundRobin => "round_robin",
            Self::Random => "random",
        }
    }
}

/// Order of the passes that wait on a node.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// First come, first served.
    #[default]
    Fifo,
    /// The larger upward rank first, as in HEFT; ties first come, first served.
    Rank,
}

/// One number for all, or one for each.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(inline)
)]
#[serde(untagged)]
pub enum PerOne {
    /// One value for all.
    All(f64),
    /// One each.
    Each(Vec<f64>),
}

impl PerOne {
    /// The number of the `at`-th.
    #[must_use]
    pub fn at(&self, at: usize) -> f64 {
        match self {
            Self::All(value) => *value,
            Self::Each(values) => values[at],
        }
    }
}

// Written out, because an untagged enum would not say which element of a list is wrong.
impl<'de> Deserialize<'de> for PerOne {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = PerOne;
            fn expecting(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                text.write_str("a number or a list of numbers")
            }
            fn visit_f64<E>(self, value: f64) -> Result<PerOne, E> {
                Ok(PerOne::All(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<PerOne, E> {
                Ok(PerOne::All(value as f64))
            }
            fn visit_i64<E>(self, value: i64) -> Result<PerOne, E> {
                Ok(PerOne::All(value as f64))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<PerOne, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element::<f64>()? {
                    values.push(value);
                }
                Ok(PerOne::Each(values))
            }
        }
        reader.deserialize_any(Visitor)
    }
}

/// A tier as numbers. Times are those of one pass on a node of speed 1.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTierNumbers {
    /// Nodes.
    pub nodes: f64,
    /// Time of the prefill pass [s].
    pub prefill: f64,
    /// Time of the first decode pass [s].
    pub decode: f64,
    /// Additional time of each decode pass over the one before [s].
    pub slope: f64,
    /// Speed of each node; `None` means 1 for all.
    pub speed: Option<Vec<f64>>,
    /// Memory of each node for tasks, in the unit of the file; `None` means unlimited.
    pub memory: Option<PerOne>,
    /// Time that each further pass of a batch adds [s].
    pub batch_inc: f64,
    /// Least compute time of a pass in a batch [s]: a batch of n takes n times that, or longer.
    pub batch_compute: f64,
}

impl RunTierNumbers {
    /// A tier of `nodes` equal nodes without memory limits.
    #[must_use]
    pub fn plain(nodes: usize, prefill: f64, decode: f64) -> Self {
        Self {
            nodes: nodes as f64,
            prefill,
            decode,
            slope: 0.0,
            speed: None,
            memory: None,
            batch_inc: 0.0,
            batch_compute: 0.0,
        }
    }
}

/// A task as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskNumbers {
    /// When it comes [s].
    pub arrival: f64,
    /// Tokens it generates, at least 1.
    pub out_tokens: f64,
    /// Memory that it reserves on the node of every tier, or of each tier.
    pub memory: PerOne,
}

/// A time during which a node cannot be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// Tier, from 0.
    pub tier: usize,
    /// Node of the tier, from 0.
    pub node: usize,
    /// Start [s], included.
    pub from: f64,
    /// End [s], not included.
    pub to: f64,
}

/// A run as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct TierRunNumbers {
    /// How tasks use the tiers.
    pub mode: Mode,
    /// Rule that chooses nodes.
    pub scheduler: Scheduler,
    /// Order of the queue of a node.
    pub order: Order,
    /// The most decode passes that a node serves together; 1 means no batches.
    pub batch: f64,
    /// The tiers in the order in which they are visited.
    pub tiers: Vec<RunTierNumbers>,
    /// Transfer to the next tier after a prefill pass [s], one less than there are tiers.
    pub hop_prefill: Vec<f64>,
    /// Time of the hop after a decode pass.
    pub hop_decode: Vec<f64>,
    /// From the last tier back to the first, or to the user [s].
    pub return_delay: f64,
    /// The tasks.
    pub tasks: Vec<TaskNumbers>,
    /// When nodes cannot be chosen.
    pub down: Vec<Outage>,
}

/// A validated tier. Every time is finite and 0 or above, every speed finite and above 0.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTier {
    /// Time of the prefill pass at speed 1 [s].
    pub prefill: f64,
    /// Time of the first decode pass at speed 1 [s].
    pub decode: f64,
    /// Additional time of each decode pass [s].
    pub slope: f64,
    /// Speed of each node.
    pub speed: Vec<f64>,
    /// Memory of each node for tasks; infinite where unlimited.
    pub memory: Vec<f64>,
    /// Time that each further pass of a batch adds at speed 1 [s].
    pub batch_inc: f64,
    /// Least compute time of a pass in a batch at speed 1 [s].
    pub batch_compute: f64,
}

impl RunTier {
    /// Time of pass `pass`, from 0, at speed 1 [s].
    #[must_use]
    #[inline]
    pub fn pass(&self, pass: u32) -> f64 {
        match pass {
            0 => self.prefill,
            q => self.decode + self.slope * f64::from(q - 1),
        }
    }

    /// Time of all passes of a task of so many tokens at speed 1 [s]: a + sum of b + slope (q - 1). O(1).
    #[must_use]
    #[inline]
    pub fn task_time(&self, out_tokens: u32) -> f64 {
        let decodes = f64::from(out_tokens - 1);
        self.prefill + decodes * self.decode + self.slope * (decodes * (decodes - 1.0) / 2.0)
    }
}

/// A validated task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierTask {
    /// When it comes [s].
    pub arrival: f64,
    /// Tokens it generates, at least 1.
    pub out_tokens: u32,
}

/// The instance. At least one tier, a node on each, and a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TierRun {
    mode: Mode,
    scheduler: Scheduler,
    order: Order,
    batch: u32,
    tiers: Vec<RunTier>,
    hop_prefill: Vec<f64>,
    hop_decode: Vec<f64>,
    return_delay: f64,
    tasks: Vec<TierTask>,
    /// One a task and tier, or none when no one reserves anything.
    needs: Vec<f64>,
    down: Vec<Outage>,
}

impl TierRun {
    /// Checks every number and builds the instance.
    ///
    /// # Errors
    /// Names the first field at fault, as `tiers[j].speed[k]` or `tasks[i].mem[j]`.
    ///
    /// # Complexity
    /// O(nodes + tasks · tiers) time and memory.
    pub fn new(numbers: &TierRunNumbers) -> Result<Self, Invalid> {
        let count = numbers.tiers.len();
        sized("tiers", count, 1, MOST_TIERS, "tiers")?;
        sized("tasks", numbers.tasks.len(), 1, MOST_TASKS, "tasks")?;
        let batch = integer("batch", numbers.batch, f64::from(u32::MAX))?;
        if batch > 1 && numbers.mode != Mode::Token {
            let allowed = format!("1 in mode {}", numbers.mode.name());
            return Err(Invalid::range("batch", numbers.batch, &allowed));
        }
        let tiers = numbers
            .tiers
            .iter()
            .enumerate()
            .map(|(j, tier)| tier_of(tier).map_err(|fault| fault.within(&format!("tiers[{j}]"))))
            .collect::<Result<Vec<_>, _>>()?;
        for (path, hops) in [
            ("hop_prefill", &numbers.hop_prefill),
            ("hop_decode", &numbers.hop_decode),
        ] {
            listed(
                path,
                hops,
                count - 1,
                "one number for each pair of neighbouring tiers",
            )?;
            for (j, hop) in hops.iter().enumerate() {
                not_negative(&format!("{path}[{j}]"), *hop)?;
            }
        }
        not_negative("return_delay", numbers.return_delay)?;
        for (at, outage) in numbers.down.iter().enumerate() {
            outage_fits(outage, &tiers).map_err(|fault| fault.within(&format!("down[{at}]")))?;
        }
        let tasks = numbers
            .tasks
            .iter()
            .enumerate()
            .map(|(i, task)| task_of(task).map_err(|fault| fault.within(&format!("tasks[{i}]"))))
            .collect::<Result<Vec<_>, _>>()?;
        let run = Self {
            mode: numbers.mode,
            scheduler: numbers.scheduler,
            order: numbers.order,
            batch,
            needs: needs_of(&numbers.tasks, &tiers)?,
            tiers,
            hop_prefill: numbers.hop_prefill.clone(),
            hop_decode: numbers.hop_decode.clone(),
            return_delay: numbers.return_delay,
            tasks,
            down: numbers.down.clone(),
        };
        run.times_make_sense()?;
        Ok(run)
    }

    /// How tasks use the tiers.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the rule that chooses nodes.
    #[must_use]
    pub fn scheduler(&self) -> Scheduler {
        self.scheduler
    }

    /// Returns the order of the queue of a node.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The most decode passes that a node serves together.
    #[must_use]
    pub fn batch(&self) -> u32 {
        self.batch
    }

    /// The tiers in the order in which they are visited.
    #[must_use]
    pub fn tiers(&self) -> &[RunTier] {
        &self.tiers
    }

    /// Nodes of all tiers together.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tiers.iter().map(|tier| tier.speed.len()).sum()
    }

    /// Transfer from `tier` to the next after pass `pass` [s].
    #[must_use]
    #[inline]
    pub fn hop(&self, tier: usize, pass: u32) -> f64 {
        match pass {
            0 => self.hop_prefill[tier],
            _ => self.hop_decode[tier],
        }
    }

    /// Transfer from `tier` to the next of all passes of a task together [s].
    #[must_use]
    #[inline]
    pub fn whole_hop(&self, tier: usize, out_tokens: u32) -> f64 {
        self.hop_prefill[tier] + f64::from(out_tokens - 1) * self.hop_decode[tier]
    }

    /// From the last tier back to the first, or to the user [s].
    #[must_use]
    pub fn return_delay(&self) -> f64 {
        self.return_delay
    }

    /// The tasks.
    #[must_use]
    pub fn tasks(&self) -> &[TierTask] {
        &self.tasks
    }

    /// Returns the memory that a task reserves on its node of a tier.
    #[must_use]
    #[inline]
    pub fn need(&self, task: usize, tier: usize) -> f64 {
        self.needs
            .get(task * self.tiers.len() + tier)
            .copied()
            .unwrap_or(0.0)
    }

    /// When nodes cannot be chosen.
    #[must_use]
    pub fn down(&self) -> &[Outage] {
        &self.down
    }

    /// How long a task takes if it never waits, on the fastest node of each tier [s]:
    /// sum (a + (G-1) b) + sum (h_pre + (G-1) h_dec) + G return_delay. The same in every mode. O(tiers).
    #[must_use]
    pub fn alone(&self, out_tokens: u32) -> f64 {
        let stages = self.tiers.iter().enumerate().map(|(j, tier)| {
            let fastest = tier.speed.iter().copied().fold(0.0, f64::max);
            let hop = (j + 1 < self.tiers.len()).then(|| self.whole_hop(j, out_tokens));
            tier.task_time(out_tokens) / fastest + hop.unwrap_or(0.0)
        });
        stages.sum::<f64>() + f64::from(out_tokens) * self.return_delay
    }

    /// No pass takes negative time, and even one task after another ends before infinity.
    fn times_make_sense(&self) -> Result<(), Invalid> {
        let longest = self.tasks.iter().map(|task| task.out_tokens).max();
        let longest = longest.unwrap_or(1);
        let mut one = f64::from(longest) * self.return_delay;
        for (j, tier) in self.tiers.iter().enumerate() {
            if longest > 1 && tier.pass(longest - 1) < 0.0 {
                let path = format!("tiers[{j}].decode_slope");
                let message = format!(
                    "{path} must leave every pass a time of 0 or above; it is {}, which gives pass {} of the longest \
                     task {} s",
                    tier.slope,
                    longest - 1,
                    tier.pass(longest - 1)
                );
                return Err(Invalid::new(Code::Range, path, tier.slope, message));
            }
            let slowest = tier.speed.iter().copied().fold(f64::INFINITY, f64::min);
            let extra = tier.batch_inc + tier.batch_compute;
            one += (tier.task_time(longest) + f64::from(longest) * extra) / slowest;
            if j + 1 < self.tiers.len() {
                one += self.whole_hop(j, longest);
            }
        }
        let last = self
            .tasks
            .iter()
            .map(|task| task.arrival)
            .fold(0.0, f64::max);
        let ends = self.down.iter().map(|outage| outage.to).fold(0.0, f64::max);
        if (last + ends + one * self.tasks.len() as f64).is_finite() {
            return Ok(());
        }
        let text = "the times of this problem exceed what 64-bit numbers can hold";
        Err(Invalid::new(Code::Range, "", serde_json::Value::Null, text))
    }
}

fn tier_of(numbers: &RunTierNumbers) -> Result<RunTier, Invalid> {
    let nodes = integer("nodes", numbers.nodes, MOST_NODES as f64)? as usize;
    let speed = match &numbers.speed {
        None => vec![1.0; nodes],
        Some(list) => {
            listed("speed", list, nodes, "one number for each node")?;
            for (k, value) in list.iter().enumerate() {
                if !(value.is_finite() && *value > 0.0) {
                    let path = format!("speed[{k}]");
                    return Err(Invalid::range(path, *value, "a finite number above 0"));
                }
            }
            list.clone()
        }
    };
    let memory = match &numbers.memory {
        None => vec![f64::INFINITY; nodes],
        Some(given) => {
            let list = match given {
                PerOne::All(value) => std::slice::from_ref(value),
                PerOne::Each(list) => {
                    listed("mem_free", list, nodes, "one number for each node")?;
                    list
                }
            };
            for (k, value) in list.iter().enumerate() {
                if !value.is_finite() {
                    let path = format!("mem_free[{k}]");
                    return Err(Invalid::range(path, *value, "a finite number"));
                }
            }
            (0..nodes).map(|k| given.at(k)).collect()
        }
    };
    if !numbers.slope.is_finite() {
        return Err(Invalid::range(
            "decode_slope",
            numbers.slope,
            "a finite number",
        ));
    }
    Ok(RunTier {
        prefill: not_negative("prefill", numbers.prefill)?,
        decode: not_negative("decode", numbers.decode)?,
        slope: numbers.slope,
        speed,
        memory,
        batch_inc: not_negative("batch_inc", numbers.batch_inc)?,
        batch_compute: not_negative("batch_compute", numbers.batch_compute)?,
    })
}

fn task_of(numbers: &TaskNumbers) -> Result<TierTask, Invalid> {
    Ok(TierTask {
        arrival: not_negative("arrival", numbers.arrival)?,
        out_tokens: integer("out_tokens", numbers.out_tokens, MOST_TOKENS)?,
    })
}

/// Returns the memory that every task reserves on every tier; refuses a task that no node of a tier can hold.
fn needs_of(tasks: &[TaskNumbers], tiers: &[RunTier]) -> Result<Vec<f64>, Invalid> {
    let largest: Vec<f64> = tiers
        .iter()
        .map(|tier| {
            tier.memory
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max)
        })
        .collect();
    let mut any = false;
    for (i, task) in tasks.iter().enumerate() {
        if let PerOne::Each(list) = &task.memory {
            let path = format!("tasks[{i}].mem");
            listed(&path, list, tiers.len(), "one number for each tier")?;
        }
        for (j, most) in largest.iter().enumerate() {
            let need = task.memory.at(j);
            let path = || match task.memory {
                PerOne::All(_) => format!("tasks[{i}].mem"),
                PerOne::Each(_) => format!("tasks[{i}].mem[{j}]"),
            };
            if !(need.is_finite() && need >= 0.0) {
                return Err(Invalid::range(path(), need, NOT_NEGATIVE));
            }
            if need > most + MEMORY_SLACK {
                let path = path();
                let message = format!(
                    "{path} must be at most {most}, the memory of the largest node of tiers[{j}]; it is {need}, so \
                     task {i} fits no node there"
                );
                return Err(Invalid::new(Code::Range, path, need, message));
            }
            any |= need > 0.0;
        }
    }
    // Reservations of nothing need no table, but a node with less than nothing free takes no task.
    let limited = tiers
        .iter()
        .any(|tier| tier.memory.iter().any(|size| *size < 0.0));
    if !any && !limited {
        return Ok(Vec::new());
    }
    let all = tasks
        .iter()
        .flat_map(|task| (0..tiers.len()).map(|j| task.memory.at(j)));
    Ok(all.collect())
}

fn outage_fits(outage: &Outage, tiers: &[RunTier]) -> Result<(), Invalid> {
    let Some(tier) = tiers.get(outage.tier) else {
        let allowed = format!("a whole number from 0 to {}", tiers.len() - 1);
        return Err(Invalid::range("tier", outage.tier, &allowed));
    };
    if outage.node >= tier.speed.len() {
        let allowed = format!("a whole number from 0 to {}", tier.speed.len() - 1);
        return Err(Invalid::range("node", outage.node, &allowed));
    }
    if !outage.from.is_finite() {
        return Err(Invalid::range("from", outage.from, "a finite number"));
    }
    if !(outage.to.is_finite() && outage.to >= outage.from) {
        let allowed = format!("a finite number not below from, {}", outage.from);
        return Err(Invalid::range("to", outage.to, &allowed));
    }
    Ok(())
}

const NOT_NEGATIVE: &str = "a finite number, 0 or above";

fn not_negative(path: &str, value: f64) -> Result<f64, Invalid> {
    if value.is_finite() && value >= 0.0 {
        // Adding 0 leaves every number as it is and makes -0 a 0.
        Ok(value + 0.0)
    } else {
        Err(Invalid::range(path, value, NOT_NEGATIVE))
    }
}

fn integer(path: &str, value: f64, most: f64) -> Result<u32, Invalid> {
    if value >= 1.0 && value <= most && libm::trunc(value) == value {
        return Ok(value as u32);
    }
    let allowed = format!("a whole number from 1 to {most}");
    Err(Invalid::range(path, value, &allowed))
}

fn listed(path: &str, list: &[f64], length: usize, what: &str) -> Result<(), Invalid> {
    if list.len() == length {
        return Ok(());
    }
    let message = format!(
        "{path} must hold {what}, {length} in all; it holds {}",
        list.len()
    );
    Err(Invalid::new(Code::Range, path, list.len(), message))
}

fn sized(path: &str, length: usize, least: usize, most: usize, what: &str) -> Result<(), Invalid> {
    if (least..=most).contains(&length) {
        return Ok(());
    }
    let message = format!("{path} must hold {least} to {most} {what}, it holds {length}");
    Err(Invalid::new(Code::Range, path, length, message))
}
