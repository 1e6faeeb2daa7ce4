//! Cost of a step from one set of operators to the next, computed from the neighbours of its operator alone.
//!
//! The referee ([`engine::evaluate::operators`]) replays whole orders and shares nothing with this; both must agree to the
//! byte.

use super::sets::Set;
use engine::graph::{Graph, Objective, OperatorKind};

/// A graph with what every step asks for.
pub struct OrderCosts<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// Objective: the sum, or the largest value.
    pub objective: Objective,
    /// The most that may be held while an operator runs [bytes].
    pub limit: Option<u64>,
    /// Inputs, output and weights of v, as Table 4 counts them.
    own: Vec<u64>,
    /// Reads of v's operands by v, which are no longer to come.
    reads: Vec<u64>,
    /// Reads of v's output, which are then to come.
    reads_of: Vec<u64>,
}

/// Memory held in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateMemory {
    /// Live tensors, and weights that are resident [bytes].
    pub live: u64,
    /// Finished outputs, once for each read still to come [bytes].
    pub pending: u64,
}

impl<'g> OrderCosts<'g> {
    /// Takes a graph. O(operators + operands).
    pub fn new(graph: &'g Graph, objective: Objective, limit: Option<u64>) -> Self {
        let n = graph.len();
        let bytes = |t: &u32| graph.bytes(*t as usize);
        let mut times = vec![0u64; n];
        let (mut own, mut reads) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for v in 0..n {
            let op = graph.op(v);
            let ins = graph.ins(v);
            own.push(ins.iter().map(bytes).sum::<u64>() + op.out + op.w);
            let made = ins.iter().filter(|t| (**t as usize) < n);
            reads.push(made.clone().map(bytes).sum());
            made.for_each(|t| times[*t as usize] += 1);
        }
        let reads_of = times.iter().enumerate().map(|(v, n)| n * graph.op(v).out);
        Self {
            graph,
            objective,
            limit,
            own,
            reads,
            reads_of: reads_of.collect(),
        }
    }

    /// Returns the memory held before the first operator.
    pub fn start(&self) -> StateMemory {
        let n = self.graph.len();
        let inputs = n..self.graph.tensors();
        let read = inputs.filter(|t| !self.graph.consumers(*t).is_empty());
        StateMemory {
            live: read.map(|t| self.graph.bytes(t)).sum::<u64>() + self.graph.resident(),
            pending: 0,
        }
    }

    /// Returns the cost of running v after the operators of a set, and the memory held then; `None` beyond the limit.
    ///
    /// # Complexity
    /// O(readers of what v reads).
    pub fn step(&self, set: &impl Set, held: StateMemory, v: usize) -> Option<(u64, StateMemory)> {
        let graph = self.graph;
        let n = graph.len();
        let op = graph.op(v);
        let (mut freed, mut fits_in_place) = (0, false);
        for t in graph.src(v).iter().map(|t| *t as usize) {
            let is_kept = t < n && graph.is_output(t);
            let mut readers = graph.consumers(t).iter().map(|x| *x as usize);
            if !is_kept && readers.all(|x| x == v || set.has(x)) {
                let bytes = graph.bytes(t);
                freed += bytes;
                fits_in_place |= bytes >= op.out;
            }
        }
        let new = if fits_in_place && op.kind == OperatorKind::Add {
            0
        } else {
            op.out
        };
        let running = held.live + graph.loaded(v) + new;
        if self.limit.is_some_and(|limit| running > limit) {
            return None;
        }
        let cost = match self.objective {
            Objective::Sum | Objective::Peak => running,
            Objective::Table4 => self.own[v] + held.pending,
        };
        let after = StateMemory {
            live: held.live + op.out - freed,
            pending: held.pending - self.reads[v] + self.reads_of[v],
        };
        Some((cost, after))
    }

    /// The value of a path that is one step longer.
    pub fn joined(&self, value: u64, cost: u64) -> u64 {
        match self.objective {
            Objective::Peak => value.max(cost),
            Objective::Sum | Objective::Table4 => value + cost,
        }
    }

    /// Returns true if all inputs of v are there.
    pub fn is_ready(&self, set: &impl Set, v: usize) -> bool {
        let n = self.graph.len();
        let mut sources = self.graph.src(v).iter().map(|t| *t as usize);
        sources.all(|t| t >= n || set.has(t))
    }

    /// The operators that can run once v has: those that could before, without v, and those that v lets run. Ascending.
    pub fn ready_after(&self, set: &impl Set, before: &[u32], v: usize, into: &mut Vec<u32>) {
        let freed = self.graph.consumers(v).iter().copied();
        let mut freed = freed.filter(|x| self.is_ready(set, *x as usize)).peekable();
        for u in before.iter().copied().filter(|u| *u as usize != v) {
            while let Some(x) = freed.next_if(|x| *x < u) {
                into.push(x);
            }
            into.push(u);
        }
        into.extend(freed);
    }
}
