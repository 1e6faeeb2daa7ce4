//! Problem files of one decision of the scheduler: nodes with what they have before them, and a task.

use super::Answered;
use crate::Status;
use engine::problem::{Invalid, ScheduleNode, TierSchedule, json};
use methods::tiers::schedule::{Decision, decide};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A task for which a node is chosen.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The nodes of the tier.
    nodes: Vec<Node>,
    /// Work of the task; 0 or above.
    workload: f64,
    /// Memory that the task needs, in the unit of `mem_avail`; 0 or above.
    mem_req: f64,
    /// Time of the decision [s].
    t: f64,
}

/// A node with what it has before it.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Work that it does in a second; above 0.
    capacity: f64,
    /// Free memory.
    mem_avail: f64,
    /// True if the node accepts tasks.
    available: bool,
    /// Remaining work of the task that it runs; 0 or above.
    running: f64,
    /// The work of the tasks that wait; each 0 or above.
    queued: Vec<f64>,
}

/// A decision, ready to print.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Output {
    /// The `id` of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    /// `optimal` with a node, `infeasible` without.
    status: Status,
    #[serde(flatten)]
    decision: Decision,
    /// Why there is none.
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
