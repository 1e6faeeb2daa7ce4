//! Problem files of a run of requests through tiers. Times in seconds, memory in any one unit.
//!
//! Beyond the form that the problem's definition fixes there are four optional fields: `order` (`fifo` or `rank`),
//! `batch`, and of each tier `batch_inc` and `batch_compute`. The answer carries no status: nothing is searched. A run that
//! was stopped has null for every figure and a `reason`.

use super::Answered;
use crate::Status;
use crate::tiers_run::{Ran, events, run};
use engine::problem::{
    Invalid, MOST_TASKS, Mode, Order, Outage, PerOne, RunTierNumbers, Scheduler, TaskNumbers,
    TierRun, TierRunNumbers, json,
};
use engine::sim::Window;
use engine::solve::{Limits, Progress, Stop};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    id: Option<Value>,
    mode: Mode,
    scheduler: Scheduler,
    #[serde(default)]
    order: Order,
    #[serde(default = "one")]
    batch: f64,
    tiers: Vec<Tier>,
    hop_prefill: Vec<f64>,
    hop_decode: Vec<f64>,
    return_delay: f64,
    tasks: json::AtMost<Task, MOST_TASKS>,
    #[serde(default)]
    down: Vec<Outage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tier {
    nodes: f64,
    prefill: f64,
    decode: f64,
    #[serde(default)]
    decode_slope: f64,
    speed: Option<Vec<f64>>,
    mem_free: Option<PerOne>,
    #[serde(default)]
    batch_inc: f64,
    #[serde(default)]
    batch_compute: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    arrival: f64,
    out_tokens: f64,
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
pub struct Output {
    id: Option<Value>,
    /// Why it was stopped if a limit came first.
    ran: Result<Box<Ran>, String>,
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        self.ran.is_err().then_some(Status::Stopped)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a, B: Serialize> {
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<&'a Value>,
            #[serde(flatten)]
            body: B,
        }
        let id = self.id.as_ref();
        match &self.ran {
            Ok(ran) => {
                let body = ran.answer();
                Whole { id, body }.serialize(writer)
            }
            Err(reason) => {
                let body = Nothing { reason };
                Whole { id, body }.serialize(writer)
            }
        }
    }
}

/// The values of a run that was stopped.
struct Nothing<'a> {
    reason: &'a str,
}

impl Serialize for Nothing<'_> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        const VALUES: [&str; 7] = [
            "completion",
            "first_token",
            "path",
            "mean_latency",
            "makespan",
            "busy",
            "util",
        ];
        let mut map = writer.serialize_map(Some(VALUES.len() + 1))?;
        map.serialize_entry("reason", self.reason)?;
        for value in VALUES {
            map.serialize_entry(value, &None::<f64>)?;
        }
        map.end()
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
        Err(Stop::Steps)
    } else {
        let limits = Limits {
            steps: Some(most),
            ..*limits
        };
        run(&problem, Window::none(), &limits, progress)
    };
    let ran = ran.map(Box::new).map_err(|stop| match stop {
        Stop::Cancelled => "the time limit was reached before the end of the run".to_owned(),
        Stop::Steps | Stop::Size => format!(
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
