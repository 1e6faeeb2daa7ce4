//! The referee's figures of a whole plan.

use super::Slices;
use super::live_memory::peak_memory;
use crate::evaluate::operators::trace;
use crate::plan::{Dim, Marks, OperatorOrder};
use crate::problem::Invalid;
use crate::problem::partition::Reading;
use serde::{Deserialize, Serialize};

/// Score of a plan. Lists are by operator, not by position in the order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Score {
    /// All operators, one after the other [ms].
    pub latency_ms: f64,
    /// How much of that is receiving, on the first of the slowest devices of each operator [ms].
    pub comm_ms: f64,
    /// Bytes sent.
    pub comm_bytes: f64,
    /// Time of each operator [ms].
    pub op_ms: Vec<f64>,
    /// How much of it is receiving [ms].
    pub op_comm_ms: Vec<f64>,
    /// Bytes sent for each operator.
    pub op_comm_bytes: Vec<f64>,
    /// Memory of each device while each operator runs [bytes].
    pub mem: Vec<Vec<f64>>,
    /// The most that each device holds [bytes].
    pub peak_bytes: Vec<f64>,
    /// Parts beyond what is allowed: parts that are not empty, less the smaller of devices and copies that fit, (16).
    pub cv6: Vec<f64>,
    /// How far all constraints together are broken; 0: none is.
    pub violation: f64,
}

impl Score {
    /// Returns true if it keeps every limit.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.violation == 0.0
    }
}

/// How far one device's memory breaks its limit, as a share of the limit, (18).
#[must_use]
pub fn excess(held: f64, limit: f64) -> f64 {
    if held > limit {
        (held - limit) / limit.max(1.0)
    } else {
        0.0
    }
}

/// Replays a plan.
pub fn score(
    slices: &Slices<'_>,
    order: &OperatorOrder,
    dims: &[Dim],
    cuts: &Marks,
) -> Result<Score, Invalid> {
    let n = slices.graph.len();
    let devices = slices.devices();
    let trace = trace(slices.graph, order)?;
    let rules = slices.rules(order, &trace, Reading::default());
    let mem = peak_memory(slices, order, &trace.in_place, dims, cuts)?;
    let mut score = Score {
        latency_ms: 0.0,
        comm_ms: 0.0,
        comm_bytes: 0.0,
        op_ms: Vec::with_capacity(n),
        op_comm_ms: Vec::with_capacity(n),
        op_comm_bytes: Vec::with_capacity(n),
        mem,
        peak_bytes: vec![0.0; devices],
        cv6: Vec::with_capacity(n),
        violation: 0.0,
    };
    for (v, rule) in rules.iter().enumerate() {
        let cost = slices.operator(v, dims, cuts);
        score.latency_ms += cost.ms;
        score.comm_ms += cost.comm_ms;
        score.comm_bytes += cost.comm_bytes;
        score.op_ms.push(cost.ms);
        score.op_comm_ms.push(cost.comm_ms);
        score.op_comm_bytes.push(cost.comm_bytes);
        let parts = cuts.of(v).windows(2).filter(|ends| ends[0] < ends[1]);
        let most = rule.most.min(devices as f64);
        let too_many = parts.count() as f64 - most;
        score.cv6.push(too_many);
        score.violation += too_many.max(0.0);
        for (k, held) in score.mem[v].iter().enumerate() {
            score.peak_bytes[k] = score.peak_bytes[k].max(*held);
            score.violation += excess(*held, slices.fleet.limits()[k]);
        }
    }
    Ok(score)
}
