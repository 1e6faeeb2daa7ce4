//! Least cost of running an operator in any order: the sum over a segment is a bound on it, used to prune incomplete searches.
//!
//! While v runs its operands are held, its weights or all that are resident, and its output; and so is every tensor whose maker is an ancestor of v
//! and one of whose readers is a descendant.

use super::costs::OrderCosts;
use engine::graph::{Graph, Objective, OperatorKind};

/// The longest segment for which ancestors are distinguished; beyond, an operator's own tensors are its bound.
const MOST_RELATED: usize = 2_048;

/// A bit for each pair of operators of a segment.
struct Related {
    words: usize,
    bits: Vec<u64>,
}

impl Related {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64);
        Self {
            words,
            bits: vec![0; n * words],
        }
    }

    fn has(&self, u: usize, v: usize) -> bool {
        self.bits[v * self.words + u / 64] >> (u % 64) & 1 == 1
    }

    /// The ancestors of v gain u and its own.
    fn add(&mut self, u: usize, v: usize) {
        for word in 0..self.words {
            self.bits[v * self.words + word] |= self.bits[u * self.words + word];
        }
        self.bits[v * self.words + u / 64] |= 1 << (u % 64);
    }
}

/// Returns the least cost of each operator of a graph in any order [bytes]: its own share of the sum. For the peak, no order
/// holds less than the largest.
///
/// # Complexity
/// As that of one segment, which the graph is taken for.
#[must_use]
pub fn of_graph(graph: &Graph, objective: Objective) -> Vec<u64> {
    least(&OrderCosts::new(graph, objective, None), 0, graph.len())
}

/// Returns the least cost of each operator of the segment from `from` to `to` [bytes].
///
/// # Complexity
/// O(operators × (tensors + operands)) of the segment; O(operands) beyond 2048 operators.
#[must_use]
pub(super) fn least(costs: &OrderCosts<'_>, from: usize, to: usize) -> Vec<u64> {
    let graph = costs.graph;
    let n = graph.len();
    let mut own: Vec<u64> = (from..to).map(|v| own_least(costs, v)).collect();
    if to - from > MOST_RELATED {
        return own;
    }
    let mut ancestors = Related::new(to - from);
    for v in from..to {
        for u in graph.src(v).iter().map(|t| *t as usize) {
            if (from..v).contains(&u) {
                ancestors.add(u - from, v - from);
            }
        }
    }
    // What comes from before the segment or is made in it, and is read in it or behind.
    let before = (0..from).chain(n..graph.tensors());
    for t in before.chain(from..to) {
        let is_made_here = (from..to).contains(&t);
        let readers = graph.consumers(t);
        let read_later = readers.iter().any(|x| *x as usize >= to);
        let is_kept = t < n && graph.is_output(t);
        let read_here = readers
            .iter()
            .map(|x| *x as usize)
            .filter(|x| (from..to).contains(x));
        let read_here: Vec<usize> = read_here.map(|x| x - from).collect();
        if !read_later && !is_kept && read_here.is_empty() {
            continue;
        }
        let times = |x: usize| graph.ins(x).iter().filter(|u| **u as usize == t).count() as u64;
        let reads: Vec<(usize, u64)> = match costs.objective {
            Objective::Table4 => readers
                .iter()
                .map(|x| (*x as usize, times(*x as usize)))
                .collect(),
            Objective::Sum | Objective::Peak => Vec::new(),
        };
        for (v, own) in own.iter_mut().enumerate() {
            if is_made_here && !ancestors.has(t - from, v) {
                continue;
            }
            let is_read = graph.src(v + from).contains(&(t as u32));
            *own += match costs.objective {
                Objective::Table4 if t >= n => 0,
                Objective::Table4 => {
                    // One count for each read that comes after v for sure; those of v itself are counted already.
                    let certain = reads
                        .iter()
                        .filter(|(x, _)| *x >= to || (*x >= from && ancestors.has(v, *x - from)));
                    certain.map(|(_, times)| times).sum::<u64>() * graph.bytes(t)
                }
                _ if is_read => 0,
                _ => {
                    let needed =
                        read_later || is_kept || read_here.iter().any(|x| ancestors.has(v, *x));
                    if needed { graph.bytes(t) } else { 0 }
                }
            };
        }
    }
    own
}

/// Returns the least cost of v for its own operands, weights and output.
fn own_least(costs: &OrderCosts<'_>, v: usize) -> u64 {
    let graph = costs.graph;
    let n = graph.len();
    let op = graph.op(v);
    let bytes = |t: &u32| graph.bytes(*t as usize);
    if costs.objective == Objective::Table4 {
        let read: u64 = graph.ins(v).iter().map(bytes).sum();
        let made = graph.ins(v).iter().filter(|t| (**t as usize) < n);
        return read + op.out + op.w + made.map(bytes).sum::<u64>();
    }
    let overwritten = |t: &u32| {
        let t = *t as usize;
        !(t < n && graph.is_output(t)) && graph.bytes(t) >= op.out
    };
    let in_place = op.kind == OperatorKind::Add && graph.src(v).iter().any(overwritten);
    let read: u64 = graph.src(v).iter().map(bytes).sum();
    read + graph.resident_weights(v) + if in_place { 0 } else { op.out }
}
