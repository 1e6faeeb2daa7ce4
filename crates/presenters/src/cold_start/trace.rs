//! A plan as a trace: the timeline in the Trace Event Format, which chrome://tracing and Perfetto open.
//!
//! One process, one thread a stage in running order, one complete event (`"ph": "X"`) a phase. Times are
//! microseconds from the start of loading, rounded to the nanosecond, which is what viewers keep: ends are
//! rounded like beginnings, so events of a thread touch or nest and never overlap in part. A stall is the last
//! part of its load and is inside it. Source: "Trace Event Format", Google, 2016.

use engine::plan::StageTiming;
use engine::problem::ColdStart;
use engine::problem::device_name;
use planner::cold_start::Answer;
use serde::Serialize;
use serde_json::{Value, json};

/// The process of the plan.
const PLAN: u32 = 1;

/// A trace: what viewers read, in the order they expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChromeTrace {
    /// The unit that viewers show.
    pub display_time_unit: &'static str,
    /// Description of the plan for readers of the file.
    pub other_data: Value,
    /// Names of process and threads, then the phases.
    pub trace_events: Vec<TraceEvent>,
}

/// An event of a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceEvent {
    /// Name of the phase, or of the fact that a metadata event states.
    pub name: &'static str,
    /// The kind of phase, for filters.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub cat: &'static str,
    /// `X` for a phase, `M` for a name.
    pub ph: &'static str,
    /// Process.
    pub pid: u32,
    /// Thread: the stage, from 1.
    pub tid: usize,
    /// When it begins [µs].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<f64>,
    /// How long it takes [µs].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dur: Option<f64>,
    /// Bytes or operations, rate, and times in seconds in full precision.
    pub args: Value,
}

/// The trace of an answer; without a plan there are no phases in it.
#[must_use]
pub fn trace(problem: &ColdStart, answer: &Answer) -> ChromeTrace {
    let mut events = vec![named("process_name", 0, json!({"name": "cold start"}))];
    let timeline = answer.timeline.as_deref().unwrap_or_default();
    for (n, stage) in timeline.iter().enumerate() {
        let name = format!(
            "{}, layers {}-{}",
            device_name(problem, stage.device),
            stage.s,
            stage.e
        );
        events.push(named("thread_name", n + 1, json!({"name": name})));
        events.push(named(
            "thread_sort_index",
            n + 1,
            json!({"sort_index": n + 1}),
        ));
    }
    for (n, stage) in timeline.iter().enumerate() {
        let before = n.checked_sub(1).map(|before| timeline[before].device);
        phases(problem, n + 1, stage, before, &mut events);
    }
    ChromeTrace {
        display_time_unit: "ms",
        other_data: json!({
            "program": concat!("edgewise ", env!("CARGO_PKG_VERSION")),
            "T_s": answer.T,
            "status": answer.status,
        }),
        trace_events: events,
    }
}

fn phases(
    problem: &ColdStart,
    tid: usize,
    stage: &StageTiming,
    before: Option<usize>,
    events: &mut Vec<TraceEvent>,
) {
    let machine = &problem.machines()[stage.device];
    let layers = &problem.layers()[stage.s - 1..stage.e];
    let weights: f64 = layers.iter().map(|layer| layer.weights.get()).sum();
    let work: f64 = layers.iter().map(|layer| layer.work.get()).sum();
    let range = json!({"first": stage.s, "last": stage.e, "count": layers.len()});
    let mut phase = |name: &'static str, from: f64, to: f64, mut args: Value| {
        let (from_ns, to_ns) = (nanoseconds(from), nanoseconds(to));
        if to_ns > from_ns {
            args["from_s"] = json!(from);
            args["to_s"] = json!(to);
            events.push(TraceEvent {
                name,
                cat: name,
                ph: "X",
                pid: PLAN,
                tid,
                ts: Some(from_ns / 1e3),
                dur: Some((to_ns - from_ns) / 1e3),
                args,
            });
        }
    };
    let load = json!({
        "layers": range,
        "bytes": weights,
        "bytes_per_s": problem.load_rate(stage.device),
        "memory_bytes": stage.mem,
        "memory_of_bytes": machine.memory.get(),
    });
    phase("load", stage.load_from, stage.load, load);
    // The parent is before its child.
    let stall = json!({"meaning": "the stages before are done and wait for these weights"});
    let stalls_from = (stage.load - stage.stall).max(stage.load_from);
    phase("stall", stalls_from, stage.load, stall);
    let wait = json!({"meaning": "loaded, and waiting for the stage before"});
    phase("wait", stage.load, stage.start, wait);
    let arrived = stage.start + stage.comm;
    if let Some(before) = before {
        let sent = problem.layers()[stage.s - 2].activation.get();
        let transfer = json!({
            "from": device_name(problem, before),
            "bytes": sent,
            "bits_per_s": 8.0 * sent / stage.comm,
        });
        phase("transfer", stage.start, arrived, transfer);
    }
    let compute = json!({
        "layers": range,
        "flop": work,
        "flop_per_s": machine.compute.get(),
    });
    phase("compute", arrived, stage.finish, compute);
    let free = json!({"meaning": "done: other requests can use the device"});
    phase("free", stage.finish, stage.finish + stage.idle_after, free);
}

/// A metadata event.
fn named(name: &'static str, tid: usize, args: Value) -> TraceEvent {
    TraceEvent {
        name,
        cat: "",
        ph: "M",
        pid: PLAN,
        tid,
        ts: None,
        dur: None,
        args,
    }
}

/// Whole nanoseconds [ns] of a time [s].
fn nanoseconds(s: f64) -> f64 {
    libm::round(s * 1e9)
}

impl ChromeTrace {
    /// The file.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a trace is words and numbers")
    }
}
