//! Orders that look at one operator at a time: greedy, by the longest way to the end (PEFT), and at random.

use engine::graph::Graph;
use engine::plan::OperatorOrder;
use engine::problem::partition::Profile;
use engine::sim::Draw;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An operator that can run, by what it is worth.
struct Ready {
    worth: f64,
    v: u32,
}

impl PartialEq for Ready {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth
            .total_cmp(&other.worth)
            .then(other.v.cmp(&self.v))
    }
}

/// Always the ready operator with the most bytes of operands, each as often as it is read; ties to the lowest index. It
/// gives Table 4's column of that name to the digit.
///
/// # Complexity
/// O(operands + operators log operators).
#[must_use]
pub fn greedy(graph: &Graph) -> OperatorOrder {
    by_worth(graph, |v| {
        let read: u64 = graph.ins(v).iter().map(|t| graph.bytes(*t as usize)).sum();
        read as f64
    })
}

/// Always the ready operator with the longest way to the end, ties to the lowest index: PEFT (Arabnejad and Barbosa, 2014)
/// with one processor, where its table of optimistic costs comes to OCT(v) = max over readers s of time(s) + OCT(s).
///
/// # Complexity
/// As [`greedy`].
#[must_use]
pub fn peft(graph: &Graph) -> OperatorOrder {
    let n = graph.len();
    let profile = Profile::FITTED;
    let time = |v: usize| {
        let op = graph.op(v);
        profile.op_ms + profile.whole_ms(op.flops, op.out + op.w)
    };
    let mut to_end = vec![0.0f64; n];
    for v in (0..n).rev() {
        let ways = graph.consumers(v).iter().map(|s| *s as usize);
        to_end[v] = ways.map(|s| time(s) + to_end[s]).fold(0.0, f64::max);
    }
    by_worth(graph, |v| to_end[v])
}

/// Any ready operator, each as likely; a seed gives one order.
///
/// # Complexity
/// O(operators + operands).
#[must_use]
pub fn random(graph: &Graph, seed: u64) -> OperatorOrder {
    let mut draw = Draw::new(seed, 0);
    let (mut missing, mut ready) = beginnings(graph);
    let mut order = Vec::with_capacity(graph.len());
    while !ready.is_empty() {
        let v = ready.swap_remove(draw.integer_below(ready.len()));
        order.push(v);
        release(graph, v, &mut missing, |x| ready.push(x));
    }
    order
}

fn by_worth(graph: &Graph, worth: impl Fn(usize) -> f64) -> OperatorOrder {
    let valued = |v: u32| Ready {
        worth: worth(v as usize),
        v,
    };
    let (mut missing, ready) = beginnings(graph);
    let mut heap: BinaryHeap<Ready> = ready.into_iter().map(valued).collect();
    let mut order = Vec::with_capacity(graph.len());
    while let Some(Ready { v, .. }) = heap.pop() {
        order.push(v);
        release(graph, v, &mut missing, |x| heap.push(valued(x)));
    }
    order
}

/// How many operators each waits for, and those that wait for none.
fn beginnings(graph: &Graph) -> (Vec<usize>, Vec<u32>) {
    let n = graph.len();
    let made = |v: usize| graph.src(v).iter().filter(|t| (**t as usize) < n).count();
    let missing: Vec<usize> = (0..n).map(made).collect();
    let ready = (0..n as u32)
        .filter(|v| missing[*v as usize] == 0)
        .collect();
    (missing, ready)
}

/// v has run: operators that waited for nothing else are ready.
fn release(graph: &Graph, v: u32, missing: &mut [usize], mut free: impl FnMut(u32)) {
    for x in graph.consumers(v as usize) {
        missing[*x as usize] -= 1;
        if missing[*x as usize] == 0 {
            free(*x);
        }
    }
}
