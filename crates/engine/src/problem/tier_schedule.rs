//! One decision of the scheduler: which node of a tier takes a task, what `tiers-schedule` takes.
//!
//! Source: Hyperion (arXiv:2511.14450), equations (18)-(21) and Algorithm 2. Work and capacity may come in any
//! unit as long as their quotient is a time [s].

use super::Invalid;
use super::tiers::MEMORY_SLACK;

/// A node of the tier.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleNode {
    /// Work a second, C.
    pub capacity: f64,
    /// Free memory.
    pub memory: f64,
    /// True if it may be chosen.
    pub available: bool,
    /// Work left of the task in execution.
    pub running: f64,
    /// Work of each task that waits.
    pub queued: Vec<f64>,
}

/// A validated decision: capacities above 0, work and need 0 or above, everything finite, at least one node.
#[derive(Debug, Clone, PartialEq)]
pub struct TierSchedule {
    nodes: Vec<ScheduleNode>,
    workload: f64,
    need: f64,
    now: f64,
}

impl TierSchedule {
    /// Checks every number: nodes, the task's work F*, its memory and the time of the decision [s].
    ///
    /// # Errors
    /// Names the first field at fault, as `nodes[k].capacity`.
    pub fn new(
        nodes: Vec<ScheduleNode>,
        workload: f64,
        need: f64,
        now: f64,
    ) -> Result<Self, Invalid> {
        const NOT_NEGATIVE: &str = "a finite number, 0 or above";
        if nodes.is_empty() {
            let none: Vec<f64> = Vec::new();
            return Err(Invalid::range(
                "nodes",
                none,
                "a list with at least one node",
            ));
        }
        let check = |path: String, value: f64, fits: bool, allowed: &str| {
            if value.is_finite() && fits {
                Ok(())
            } else {
                Err(Invalid::range(path, value, allowed))
            }
        };
        for (k, node) in nodes.iter().enumerate() {
            let at = |field: &str| format!("nodes[{k}].{field}");
            let positive = node.capacity > 0.0;
            check(
                at("capacity"),
                node.capacity,
                positive,
                "a finite number above 0",
            )?;
            check(at("mem_avail"), node.memory, true, "a finite number")?;
            check(
                at("running"),
                node.running,
                node.running >= 0.0,
                NOT_NEGATIVE,
            )?;
            for (i, work) in node.queued.iter().enumerate() {
                check(
                    at(&format!("queued[{i}]")),
                    *work,
                    *work >= 0.0,
                    NOT_NEGATIVE,
                )?;
            }
        }
        check(
            "workload".to_owned(),
            workload,
            workload >= 0.0,
            NOT_NEGATIVE,
        )?;
        check("mem_req".to_owned(), need, need >= 0.0, NOT_NEGATIVE)?;
        check("t".to_owned(), now, true, "a finite number")?;
        let decision = Self {
            nodes,
            workload,
            need,
            now,
        };
        for k in 0..decision.nodes.len() {
            let path = format!("nodes[{k}]");
            let allowed = "a node whose completion time 64-bit numbers can hold";
            let cost = decision.cost(k);
            check(path, cost, (cost + now).is_finite(), allowed)?;
        }
        Ok(decision)
    }

    /// The nodes of the tier.
    #[must_use]
    pub fn nodes(&self) -> &[ScheduleNode] {
        &self.nodes
    }

    /// When the task asks [s].
    #[must_use]
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Returns true if a node may be chosen and has the memory.
    #[must_use]
    pub fn can_take(&self, node: usize) -> bool {
        let node = &self.nodes[node];
        node.available && self.need <= node.memory + MEMORY_SLACK
    }

    /// How long until a node would have finished the task [s]: (backlog + F*) / C. Equation (21). O(queue).
    #[must_use]
    pub fn cost(&self, node: usize) -> f64 {
        let node = &self.nodes[node];
        let backlog = node.running + node.queued.iter().sum::<f64>();
        (backlog + self.workload) / node.capacity
    }
}
