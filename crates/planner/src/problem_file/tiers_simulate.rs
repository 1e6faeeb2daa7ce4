//! Problem files of a run of requests through tiers. Times in seconds, memory in any one unit.
//!
//! Beyond the form that the problem's definition fixes there are four optional fields: `order` (`fifo` or `rank`),
//! `batch`, and of each tier `batch_inc` and `batch_compute`. The answer carries no status: nothing is searched. A run that
//! was stopped has null for every figure and a `reason`.

use super::Answered;
use crate::Status;
use crate::tiers_run::{Answer, Ran, events, run};
use engine::problem::{
    Invalid, MOST_TASKS, Mode, Order, Outage, PerOne, RunTierNumbers, Scheduler, TaskNumbers,
    TierRun, TierRunNumbers, json,
};
use engine::sim::RecordWindow;
use engine::solve::{Limits, Progress, StopReason};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// Requests through tiers of nodes.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// How tasks use the tiers.
    mode: Mode,
    /// Rule that chooses nodes.
    scheduler: Scheduler,
    /// Order of the queue of a node.
    #[serde(default)]
    order: Order,
    /// The most decode passes that a node serves together, 1 without batches; whole, from 1 to 4294967295.
    #[serde(default = "one")]
    batch: f64,
    /// The tiers in the order in which they are visited, at most 64.
    tiers: Vec<Tier>,
    /// Transfer to the next tier after a prefill pass [s]; each 0 or above.
    hop_prefill: Vec<f64>,
    /// Transfer to the next tier after a decode pass [s]; each 0 or above.
    hop_decode: Vec<f64>,
    /// From the last tier back to the first, or to the user [s]; 0 or above.
    return_delay: f64,
    /// The tasks.
    tasks: json::AtMost<Task, MOST_TASKS>,
    /// Times during which nodes cannot be chosen.
    #[serde(default)]
    down: Vec<Outage>,
}

/// A tier.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// Nodes; whole, from 1 to 10000.
    nodes: f64,
    /// Time of the prefill pass on a node of speed 1 [s]; 0 or above.
    prefill: f64,
    /// Time of the first decode pass on a node of speed 1 [s]; 0 or above.
    decode: f64,
    /// Additional time of each decode pass over the one before [s].
    #[serde(default)]
    decode_slope: f64,
    /// Speed of each node; left out: 1; each above 0.
    speed: Option<Vec<f64>>,
    /// Memory of the nodes for tasks, one number for all or one each; left out: unlimited.
    mem_free: Option<PerOne>,
    /// Additional time of each further pass in a batch [s]; 0 or above.
    #[serde(default)]
    batch_inc: f64,
    /// Least compute time of a pass in a batch [s]; 0 or above.
    #[serde(default)]
    batch_compute: f64,
}

/// A task.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// When it comes [s]; 0 or above.
    arrival: f64,
    /// Tokens it generates; whole, from 1 to 1000000000.
    out_tokens: f64,
    /// Memory reserved on the node of every tier, one number for all or one each, in the unit of `mem_free`; 0 or above.
    #[serde(default = "nothing")]
    mem: PerOne,
}

fn one() -> f64 {
    1.0
}

fn nothing() -> PerOne {
    PerOne::All(0.0)
}

/// The most events of a run unless a limit says otherwise: some minutes of work. A task has two a token and tier.
pub const MOST_EVENTS: u64 = 1_000_000_000;

/// A run, ready to print.
#[derive(Debug)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(from = "RunDocument<'static>", into = "RunDocument<'static>")
)]
pub struct Output {
    id: Option<Value>,
    /// Why it was stopped if a limit came first.
    ran: Result<Box<Ran>, String>,
}

/// A run as it is written.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(rename = "Whole"))]
struct RunDocument<'a> {
    /// Id from the problem file.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    body: Body<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Body<'a> {
    Ran(Box<Answer<'a>>),
    Stopped(Nothing<'a>),
}

/// A run that was stopped has null for every figure.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Nothing<'a> {
    /// The limit that came first.
    reason: &'a str,
    /// Null, and so are the others.
    completion: (),
    first_token: (),
    path: (),
    mean_latency: (),
    makespan: (),
    busy: (),
    util: (),
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        self.ran.is_err().then_some(Status::Stopped)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        let body = match &self.ran {
            Ok(ran) => Body::Ran(Box::new(ran.answer())),
            Err(reason) => Body::Stopped(Nothing {
                reason,
                ..Nothing::default()
            }),
        };
        let id = self.id.as_ref();
        RunDocument { id, body }.serialize(writer)
    }
}

/// Runs one document.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    limits: &Limits,
    progress: &mut impl Progress<()>,
) -> Result<Output, Invalid> {
    let (id, problem) = read(text)?;
    let most = limits.steps.unwrap_or(MOST_EVENTS);
    let expected = events(&problem);
    let ran = if expected > most {
        // It would be stopped near the end of its limit all the same.
        Err(StopReason::Steps)
    } else {
        let limits = Limits {
            steps: Some(most),
            ..*limits
        };
        run(&problem, RecordWindow::none(), &limits, progress)
    };
    let ran = ran.map(Box::new).map_err(|stop| match stop {
        StopReason::Cancelled => "the time limit was reached before the end of the run".to_owned(),
        StopReason::Steps | StopReason::Size => format!(
            "the run has {expected} events or more, and at most {most} are simulated; --max-events sets the limit"
        ),
    });
    Ok(Output { id, ran })
}

/// Reads and validates one document: its id and the problem.
///
/// # Errors
/// As [`solve`].
pub fn read(text: &str) -> Result<(Option<Value>, TierRun), Invalid> {
    let document: Document = json::read(text, &["", "tiers[]", "tasks[]", "down[]"])?;
    let tiers = document.tiers.into_iter().map(|tier| RunTierNumbers {
        nodes: tier.nodes,
        prefill: tier.prefill,
        decode: tier.decode,
        slope: tier.decode_slope,
        speed: tier.speed,
        memory: tier.mem_free,
        batch_inc: tier.batch_inc,
        batch_compute: tier.batch_compute,
    });
    let tasks = document.tasks.0.into_iter().map(|task| TaskNumbers {
        arrival: task.arrival,
        out_tokens: task.out_tokens,
        memory: task.mem,
    });
    let problem = TierRun::new(&TierRunNumbers {
        mode: document.mode,
        scheduler: document.scheduler,
        order: document.order,
        batch: document.batch,
        tiers: tiers.collect(),
        hop_prefill: document.hop_prefill,
        hop_decode: document.hop_decode,
        return_delay: document.return_delay,
        tasks: tasks.collect(),
        down: document.down,
    })?;
    Ok((document.id, problem))
}
