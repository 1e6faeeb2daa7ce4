//! Problem files of one decision of the scheduler: nodes with what they have before them, and a task.

use super::Answered;
use crate::Status;
use engine::problem::{Invalid, ScheduleNode, TierSchedule, json};
use methods::tiers::schedule::{Decision, decide};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    id: Option<Value>,
    nodes: Vec<Node>,
    workload: f64,
    mem_req: f64,
    t: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    capacity: f64,
    mem_avail: f64,
    available: bool,
    running: f64,
    queued: Vec<f64>,
}

/// A decision, ready to print.
#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    status: Status,
    #[serde(flatten)]
    decision: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl Answered for Output {
    fn status(&self) -> Option<Status> {
        Some(self.status)
    }
}

/// Decides for the task of one document. A choice is optimal: of all nodes none would finish this task earlier.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(text: &str) -> Result<Output, Invalid> {
    let document: Document = json::read(text, &["", "nodes[]"])?;
    let nodes = document.nodes.into_iter().map(|node| ScheduleNode {
        capacity: node.capacity,
        memory: node.mem_avail,
        available: node.available,
        running: node.running,
        queued: node.queued,
    });
    let problem = TierSchedule::new(
        nodes.collect(),
        document.workload,
        document.mem_req,
        document.t,
    )?;
    let decision = decide(&problem);
    let chosen = decision.node.is_some();
    Ok(Output {
        id: document.id,
        status: if chosen {
            Status::Optimal
        } else {
            Status::Infeasible
        },
        decision,
        reason: (!chosen).then_some("no node is available and has enough free memory"),
    })
}
