//! Answers to operator-partition problems: a split of every operator over devices, replayed by the referee, with a bound on
//! what is left to gain.

use super::Status;
use engine::evaluate::slices::Score;
use engine::plan::{Dim, Marks, OperatorOrder, Partition};
use engine::problem::{Code, Invalid};
use engine::solve::{Ended, Limits, Progress, SearchEvent};
use methods::operators::split::baseline::{coedge_until, deepthings, local};
use methods::operators::split::{
    Effort, SplitResult, SplitTask, best, bound, bound_until, ga, genetic, least_factor,
    least_room, proportional,
};
use serde::{Deserialize, Serialize};

pub use super::operators::Maker as Method;
pub use methods::operators::split::ga::FirstPopulation;

/// Islands of the paper's search, where nothing else is said.
pub const ISLANDS: u32 = 4;
/// Moves of a chain for each operator; graphs of more than fifteen get the usual number.
const MOVES_EACH: u64 = 65_000;
/// Moves of each search for limits that would do.
const ROOM_MOVES: u64 = 60_000;

impl Method {
    /// The methods of the command line.
    pub const ALL: [Self; 6] = [
        Self::Best,
        Self::Ga,
        Self::Coedge,
        Self::Deepthings,
        Self::Proportional,
        Self::Local,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Ga => "ga",
            Self::Coedge => "coedge",
            Self::Deepthings => "deepthings",
            Self::Proportional => "proportional",
            Self::Local => "local",
        }
    }
}

/// How large the paper's search is; what is not said is as usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Genetic {
    /// Islands.
    pub islands: Option<u32>,
    /// Plans on an island.
    pub population: Option<u32>,
    /// The most generations.
    pub generations: Option<u32>,
    /// Generations in which the best does not get better until an island ends.
    pub patience: Option<u32>,
    /// Composition of the first population.
    pub first: Option<FirstPopulation>,
}

impl Genetic {
    /// The islands and their size.
    fn size(&self, seed: u64) -> (u32, ga::GaSize) {
        let usual = ga::GaSize::default();
        let size = ga::GaSize {
            population: self.population.unwrap_or(usual.population),
            generations: self.generations.unwrap_or(usual.generations),
            patience: self.patience.unwrap_or(usual.patience),
            first: self.first.unwrap_or(usual.first),
            seed,
        };
        (self.islands.unwrap_or(ISLANDS), size)
    }

    /// Refuses more plans than there is memory for.
    fn check(&self, task: &SplitTask<'_>) -> Result<(), Invalid> {
        let (islands, size) = self.size(0);
        let bytes = size.bytes(task, islands);
        if bytes <= ga::GaSize::MOST_BYTES {
            return Ok(());
        }
        let message = format!(
            "--population is {} on {islands} islands, which takes about {} MB for this graph; at most {} MB are used",
            size.population,
            bytes / 1_000_000,
            ga::GaSize::MOST_BYTES / 1_000_000
        );
        Err(Invalid::new(Code::Option, "", size.population, message))
    }
}

/// Options of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionOptions {
    /// Method that makes the split.
    pub method: Method,
    /// The seed of the searches.
    pub limits: Limits,
    /// How many threads searches may use; the answer is the same with any number.
    pub threads: u32,
    /// How large the paper's search is.
    pub genetic: Genetic,
}

impl Default for PartitionOptions {
    fn default() -> Self {
        Self {
            method: Method::Best,
            limits: Limits::default(),
            threads: 1,
            genetic: Genetic::default(),
        }
    }
}

impl PartitionOptions {
    /// Refuses what would change nothing or take too much.
    fn check(&self, task: &SplitTask<'_>) -> Result<(), Invalid> {
        if self.method == Method::Ga {
            return self.genetic.check(task);
        }
        if self.genetic == Genetic::default() {
            return Ok(());
        }
        let message = format!(
            "--islands, --population, --generations, --patience and --first are options of --method ga, not of {}",
            self.method.name()
        );
        Err(Invalid::new(Code::Option, "", self.method.name(), message))
    }
}

/// The answer to an operator-partition problem. Lists of operators are by operator, not by place in the order. Without a
/// plan the fields that tell of one are null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Answer {
    /// Proof status.
    pub status: Status,
    /// No split along these dimensions, or along any if they are free, takes less [ms]; of CoEdge along height. Fused tiles
    /// have none.
    pub bound: Option<f64>,
    /// The share of the latency that may be left to gain over the bound.
    pub gap: Option<f64>,
    /// Where every operator is cut; null for fused tiles, which make rows more than once.
    pub X: Option<Marks>,
    /// Along what.
    pub dims: Option<Vec<Dim>>,
    /// The order in which operators run.
    pub order: Option<OperatorOrder>,
    /// All operators, one after the other [ms]; of one device for everything the mean over the devices.
    pub latency_ms: Option<f64>,
    /// How much of that is receiving [ms].
    pub comm_ms: Option<f64>,
    /// Bytes sent between devices.
    pub comm_bytes: Option<f64>,
    /// The most that each device holds [bytes].
    pub peak_bytes: Option<Vec<f64>>,
    /// How far all constraints together are broken; 0: none is.
    pub violation: Option<f64>,
    /// Each device by itself [ms]; of one device for everything.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_device_ms: Option<Vec<f64>>,
    /// Rows or channels of each operator on each device, from and to; for fused tiles.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<Vec<Vec<[u32; 2]>>>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The smallest limits, in the proportion of those that were given, for which a split was found [bytes].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub least_limits: Option<Vec<f64>>,
    /// No split keeps smaller ones, in that proportion [bytes].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub least_limits_bound: Option<Vec<f64>>,
}

/// The figures of a split that was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[allow(non_snake_case)]
pub struct Evaluation {
    /// Where every operator is cut.
    pub X: Marks,
    /// Along what.
    pub dims: Vec<Dim>,
    /// The order in which operators run.
    pub order: OperatorOrder,
    /// All operators, one after the other [ms].
    pub latency_ms: f64,
    /// How much of that is receiving [ms].
    pub comm_ms: f64,
    /// Bytes sent between devices.
    pub comm_bytes: f64,
    /// The most that each device holds [bytes].
    pub peak_bytes: Vec<f64>,
    /// How far all constraints together are broken; 0: none is.
    pub violation: f64,
    /// No split along these dimensions takes less [ms].
    pub bound: f64,
    /// Time of each operator [ms].
    pub op_ms: Vec<f64>,
    /// How much of it is receiving [ms].
    pub op_comm_ms: Vec<f64>,
    /// Bytes sent for each operator.
    pub op_comm_bytes: Vec<f64>,
    /// Memory held by each device while each operator runs [bytes].
    pub mem: Vec<Vec<f64>>,
    /// Parts beyond what is allowed.
    pub cv6: Vec<f64>,
}

/// The share of a latency that may be left to gain.
#[must_use]
pub fn gap(latency_ms: f64, bound_ms: f64) -> f64 {
    if latency_ms > 0.0 {
        ((latency_ms - bound_ms) / latency_ms).max(0.0)
    } else {
        0.0
    }
}

/// A split with what the referee says of it.
#[must_use]
pub fn evaluate(task: &SplitTask<'_>, plan: &Partition) -> Evaluation {
    let score = task.score(plan);
    Evaluation {
        X: plan.cuts.clone(),
        dims: plan.dims.clone(),
        order: task.order.clone(),
        latency_ms: score.latency_ms,
        comm_ms: score.comm_ms,
        comm_bytes: score.comm_bytes,
        peak_bytes: score.peak_bytes,
        violation: score.violation,
        bound: bound(task),
        op_ms: score.op_ms,
        op_comm_ms: score.op_comm_ms,
        op_comm_bytes: score.op_comm_bytes,
        mem: score.mem,
        cv6: score.cv6,
    }
}

/// Solves a problem and replays what comes out.
///
/// # Errors
/// More devices than the method takes, a size of the paper's search that is none or too large.
pub fn answer(
    task: &SplitTask<'_>,
    options: &PartitionOptions,
    progress: &mut impl Progress<Partition>,
) -> Result<Answer, Invalid> {
    options.check(task)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let mut nearest = None;
    let mut was_stopped = false;
    let mut answer = match options.method {
        Method::Local => on_one(task),
        Method::Deepthings => fused(task),
        Method::Coedge => match coedge_until(task, || goes_on(progress))? {
            Some(found) => planned(task, &found.plan),
            None => Answer {
                status: Status::Stopped,
                reason: Some(
                    "the time limit was reached before every operator had its split".to_owned(),
                ),
                ..none()
            },
        },
        Method::Proportional => planned(task, &proportional(task, task.dims(), everybody)),
        Method::Best | Method::Ga => {
            let found = searched(task, options, progress);
            was_stopped = matches!(found.ended, Ended::Stopped(_));
            let answer = planned(task, &found.plan);
            nearest = Some(found.plan);
            answer
        }
    };
    if answer.status == Status::Infeasible {
        explain(task, options, nearest.as_slice(), progress, &mut answer);
        let has_none = answer.status == Status::Infeasible;
        if was_stopped && has_none && least_factor(task) <= 1.0 {
            answer.status = Status::Stopped;
        }
    }
    let mut least = |task: &SplitTask<'_>| bound_until(task, || goes_on(progress));
    answer.bound = match options.method {
        // Its devices do not wait for one another after each operator, which the bound takes for granted.
        Method::Deepthings => None,
        Method::Coedge if task.fixed.is_some() => {
            let own = SplitTask {
                fixed: Some(task.slices.by_height()),
                ..task.clone()
            };
            Some(least(&own))
        }
        _ => Some(least(task)),
    };
    let both = answer.latency_ms.zip(answer.bound);
    answer.gap = both.map(|(latency, bound)| gap(latency, bound));
    Ok(answer)
}

/// Returns true unless the listener has cancelled.
fn goes_on(progress: &mut impl Progress<Partition>) -> bool {
    let still = SearchEvent::Step { done: 0, of: None };
    progress.report(still).is_continue()
}

/// Runs the default search or the paper's.
fn searched(
    task: &SplitTask<'_>,
    options: &PartitionOptions,
    progress: &mut impl Progress<Partition>,
) -> SplitResult {
    if options.method == Method::Ga {
        let (islands, size) = options.genetic.size(options.limits.seed);
        genetic(task, size, islands, options.threads, progress)
    } else {
        best(task, &effort(task, options), options.threads, progress)
    }
}

/// How much the default search does; a step is a move of a chain. Small graphs have less to search.
fn effort(task: &SplitTask<'_>, options: &PartitionOptions) -> Effort {
    let usual = Effort::default();
    let enough = MOVES_EACH * task.order.len() as u64;
    Effort {
        seed: options.limits.seed,
        moves: options.limits.steps.unwrap_or(usual.moves.min(enough)),
        ..usual
    }
}

/// The answer of a split that is known.
fn planned(task: &SplitTask<'_>, plan: &Partition) -> Answer {
    let score = task.score(plan);
    if score.is_feasible() {
        answer_with(task, plan, score)
    } else {
        none()
    }
}

fn answer_with(task: &SplitTask<'_>, plan: &Partition, score: Score) -> Answer {
    Answer {
        status: Status::Feasible,
        X: Some(plan.cuts.clone()),
        dims: Some(plan.dims.clone()),
        order: Some(task.order.clone()),
        latency_ms: Some(score.latency_ms),
        comm_ms: Some(score.comm_ms),
        comm_bytes: Some(score.comm_bytes),
        peak_bytes: Some(score.peak_bytes),
        violation: Some(score.violation),
        ..none()
    }
}

/// No plan yet.
fn none() -> Answer {
    Answer {
        status: Status::Infeasible,
        bound: None,
        gap: None,
        X: None,
        dims: None,
        order: None,
        latency_ms: None,
        comm_ms: None,
        comm_bytes: None,
        peak_bytes: None,
        violation: None,
        per_device_ms: None,
        rows: None,
        reason: None,
        least_limits: None,
        least_limits_bound: None,
    }
}

/// The quickest device that holds the graph makes everything; the latency is the mean over all, as in the paper.
fn on_one(task: &SplitTask<'_>) -> Answer {
    let alone = local(task);
    let mut answer = match alone.quickest() {
        Some(device) => {
            let plan = alone.plan(task, device);
            let score = task.score(&plan);
            let mut peak_bytes = vec![0.0; alone.fits.len()];
            peak_bytes[device] = alone.peak_bytes;
            Answer {
                latency_ms: Some(alone.mean_ms),
                peak_bytes: Some(peak_bytes),
                violation: Some(0.0),
                ..answer_with(task, &plan, score)
            }
        }
        None => none(),
    };
    answer.per_device_ms = Some(alone.alone_ms);
    answer
}

fn fused(task: &SplitTask<'_>) -> Answer {
    let tiles = deepthings(task);
    if tiles.violation > 0.0 {
        return none();
    }
    let rows = |made: &Vec<(u32, u32)>| made.iter().map(|(from, to)| [*from, *to]).collect();
    Answer {
        status: Status::Feasible,
        dims: Some(tiles.dims),
        order: Some(task.order.clone()),
        latency_ms: Some(tiles.latency_ms),
        comm_ms: Some(tiles.gather_ms),
        comm_bytes: Some(tiles.gathered_b),
        peak_bytes: Some(tiles.peak_bytes),
        violation: Some(tiles.violation),
        rows: Some(tiles.made.iter().map(rows).collect()),
        ..none()
    }
}

/// Says why there is no plan, and what would do.
fn explain(
    task: &SplitTask<'_>,
    options: &PartitionOptions,
    nearest: &[Partition],
    progress: &mut impl Progress<Partition>,
    answer: &mut Answer,
) {
    let at_least = least_factor(task);
    let limits = task.slices.fleet().limits();
    let who = match options.method {
        _ if at_least > 1.0 => "no split meets the limits: the devices have too little memory",
        Method::Best | Method::Ga => "no split was found that meets every limit",
        Method::Coedge => "no subset of the devices meets every limit for each operator",
        Method::Deepthings => "fused tiles do not meet every limit",
        Method::Proportional => "the proportional split does not meet every limit",
        Method::Local => "no device holds the whole graph",
    };
    if !at_least.is_finite() {
        answer.reason = Some(format!(
            "{who}, and no multiple of the limits would be enough"
        ));
        return;
    }
    let effort = Effort {
        chains: 1,
        moves: ROOM_MOVES,
        ..effort(task, options)
    };
    let room = least_room(task, nearest, &effort, progress);
    if let (Method::Best, Some(room)) = (options.method, &room) {
        // The search for limits that would do may have come by a split that keeps those that there are.
        let kept = planned(task, &room.plan);
        if kept.status == Status::Feasible {
            *answer = kept;
            return;
        }
    }
    let what = match &room {
        Some(room) => {
            let bytes = room.limits.iter().map(|limit| match limit.is_finite() {
                true => format!("{limit:.0}"),
                false => "any number of".to_owned(),
            });
            let bytes: Vec<String> = bytes.collect();
            format!("a split was found for limits of {} bytes", bytes.join(", "))
        }
        None if !goes_on(progress) => {
            "the time limit was reached before sufficient limits were found".to_owned()
        }
        None => "none was found for any multiple of the limits".to_owned(),
    };
    answer.reason = Some(format!("{who}; {what}"));
    let grown = limits.iter().map(|limit| libm::ceil(limit * at_least));
    answer.least_limits_bound = Some(grown.collect());
    answer.least_limits = room.map(|room| room.limits);
}
