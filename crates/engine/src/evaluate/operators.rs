//! Evaluator of an order of operators: memory step by step, under both of MemoriaNova's accountings.
//!
//! Source: MemoriaNova, section 2.2 and Table 2 (what is held), Table 4 (what that table counts). Between two steps the
//! *interval* stage Mi holds every tensor that an operator still reads and every finished output of the graph; while
//! operator v runs the *execution* stage is Me = Mi + w(v) + out(v), without out(v) where v is a sum that overwrites one
//! of its operands. Weights are held only while their operator runs, as all of the paper's own figures have it. Where a
//! graph's weights are resident ([`crate::graph::Weights`]), all of them are part of Mi, and w(v) is not added again.
//!
//! # Where this departs from the paper
//!
//! Table 4 is not the sum of Me but of another cost, which is computed beside it: the inputs of an operator (as often as
//! it reads them), its output, its weights, and once more every tensor for each of its readers still to come; inputs of
//! the graph only where they are read, and no overwriting. Table 2 prints 7329 for a stage whose parts add up to 6873.5.

use crate::graph::{Graph, OperatorKind};
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Memory of an order, step by step [bytes].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Trace {
    /// Mi: before the first step, between steps, after the last; one more than there are operators.
    pub interval: Vec<u64>,
    /// Me: while each operator runs.
    pub running: Vec<u64>,
    /// Memory of each operator as Table 4 counts it.
    pub table4: Vec<u64>,
    /// True for each step whose operator overwrites one of its operands.
    pub in_place: Vec<bool>,
}

impl Trace {
    /// The sum of Me over all operators.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.running.iter().sum()
    }

    /// The largest Me.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.running.iter().copied().max().unwrap_or_default()
    }

    /// The first step that holds the most, from 0.
    #[must_use]
    pub fn peak_step(&self) -> usize {
        let peak = self.peak();
        let found = self.running.iter().position(|held| *held == peak);
        found.unwrap_or_default()
    }

    /// The sum as Table 4 counts it.
    #[must_use]
    pub fn table4_sum(&self) -> u64 {
        self.table4.iter().sum()
    }
}

/// During which steps a tensor is held, both included, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifetime {
    /// The tensor.
    pub tensor: u32,
    /// The step that makes it; 0 for an input of the graph.
    pub from: u32,
    /// The last step that reads it; the last of all for an output of the graph.
    pub to: u32,
}

/// Where every operator is in an order.
///
/// # Errors
/// An order that does not hold every operator once, each after those that it reads, is refused at `order[i]`.
///
/// # Complexity
/// O(operators + operands).
pub fn places(graph: &Graph, order: &[u32]) -> Result<Vec<u32>, Invalid> {
    let n = graph.len();
    if order.len() != n {
        let message = format!(
            "order must hold each of the {n} operators once, it has {} entries",
            order.len()
        );
        return Err(Invalid::new(Code::Plan, "order", order.len(), message));
    }
    let mut place = vec![u32::MAX; n];
    for (step, v) in order.iter().enumerate() {
        let wrong = |allowed: &str| {
            let message = format!("order[{step}] must be {allowed}, it is {v}");
            Invalid::new(
                Code::Plan,
                format!("order[{step}]"),
                Value::from(*v),
                message,
            )
        };
        match place.get(*v as usize) {
            None => return Err(wrong(&format!("one of the {n} operators, from 0"))),
            Some(taken) if *taken != u32::MAX => {
                return Err(wrong("an operator that has not run yet"));
            }
            Some(_) => {}
        }
        let missing = graph.src(*v as usize).iter().find(|t| {
            let made = place.get(**t as usize);
            made.is_some_and(|made| *made == u32::MAX)
        });
        if let Some(u) = missing {
            return Err(wrong(&format!(
                "an operator whose inputs are there, and {u} comes later"
            )));
        }
        place[*v as usize] = step as u32;
    }
    Ok(place)
}

/// Replays an order.
///
/// # Errors
/// As [`places`].
///
/// # Complexity
/// O(operators + operands).
pub fn trace(graph: &Graph, order: &[u32]) -> Result<Trace, Invalid> {
    places(graph, order)?;
    let n = graph.len();
    // Readers still to come, each once, and operands still to be read, as often as they are.
    let mut readers: Vec<usize> = (0..graph.tensors())
        .map(|t| graph.consumers(t).len())
        .collect();
    let mut reads = vec![0u64; graph.tensors()];
    for v in 0..n {
        for t in graph.ins(v) {
            reads[*t as usize] += 1;
        }
    }
    let is_kept = |t: usize| t < n && graph.is_output(t);
    let mut held: u64 = (n..graph.tensors())
        .filter(|t| readers[*t] > 0)
        .map(|t| graph.bytes(t))
        .sum();
    held += graph.resident();
    // Every finished tensor once for each read still to come.
    let mut pending = 0u64;
    let mut trace = Trace {
        interval: vec![held],
        running: Vec::with_capacity(n),
        table4: Vec::with_capacity(n),
        in_place: Vec::with_capacity(n),
    };
    for v in order.iter().map(|v| *v as usize) {
        let op = graph.op(v);
        let last_reader = |t: &u32| {
            let t = *t as usize;
            readers[t] == 1 && !is_kept(t) && graph.bytes(t) >= op.out
        };
        let in_place = op.kind == OperatorKind::Add && graph.src(v).iter().any(last_reader);
        let new = if in_place { 0 } else { op.out };
        trace.running.push(held + graph.loaded(v) + new);
        let read: u64 = graph.ins(v).iter().map(|t| graph.bytes(*t as usize)).sum();
        trace.table4.push(read + op.out + op.w + pending);
        trace.in_place.push(in_place);

        for t in graph.ins(v).iter().map(|t| *t as usize) {
            reads[t] -= 1;
            if t < n {
                pending -= graph.bytes(t);
            }
        }
        for t in graph.src(v).iter().map(|t| *t as usize) {
            readers[t] -= 1;
            if readers[t] == 0 && !is_kept(t) {
                held -= graph.bytes(t);
            }
        }
        held += op.out;
        pending += reads[v] * op.out;
        trace.interval.push(held);
    }
    Ok(trace)
}

/// During which steps of an order each tensor is held, by tensor; inputs of the graph that no operator reads are left out.
///
/// # Errors
/// As [`places`].
///
/// # Complexity
/// O(operators + operands).
pub fn lifetimes(graph: &Graph, order: &[u32]) -> Result<Vec<Lifetime>, Invalid> {
    let place = places(graph, order)?;
    let n = graph.len();
    let last = (n - 1) as u32;
    let of = |t: usize| {
        let read = graph.consumers(t).iter().map(|v| place[*v as usize]).max();
        let (from, to) = if t >= n {
            (0, read?)
        } else if graph.is_output(t) {
            (place[t], last)
        } else {
            (place[t], read?)
        };
        Some(Lifetime {
            tensor: t as u32,
            from,
            to,
        })
    };
    Ok((0..graph.tensors()).filter_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::MEMORIANOVA;

    /// The paper's Table 2: two convolutions in a row beside a third, and their sum.
    fn table_2() -> Graph {
        let op = |kind: &str, ins: &str, out: u64, w: u64| {
            format!(r#"{{"kind":"{kind}","ins":{ins},"out":{out},"w":{w},"shape":[1]}}"#)
        };
        let ops = [
            op("conv", "[-1]", 12544 << 10, 6912),
            op("conv", "[0]", 6272 << 10, 288 << 10),
            op("conv", "[-1]", 6272 << 10, 13824),
            op("add", "[1,2]", 6272 << 10, 0),
        ];
        let text = format!(r#"{{"inputs":[{}],"ops":[{}]}}"#, 588 << 10, ops.join(","));
        Graph::from_json(&text).expect("a graph")
    }

    #[test]
    fn table_2_is_replayed_to_the_kilobyte() {
        let graph = table_2();
        let kilo = |bytes: &u64| (*bytes as f64 / 1024.0 + 0.5).floor() as u64;
        for (order, sums) in [
            ([0, 1, 2, 3], (58520.25, 89292.25)),
            ([0, 2, 1, 3], (70476.25, 101_836.25)),
            ([2, 0, 1, 3], (64204.25, 95564.25)),
        ] {
            let key = order.map(|op: u32| op.to_string()).join("-");
            let mut held: [usize; 9] = MEMORIANOVA.row(&format!("table-2/{key}")).wholes();
            if order[0] == 2 {
                // The paper prints more as the second; its parts are 588 + 6272 + 13.5.
                held[1] = 6874;
            }
            let held = held.map(|kilo| kilo as u64);
            let trace = trace(&graph, &order).expect("an order");
            let mut found = Vec::new();
            for step in 0..4 {
                found.push(kilo(&trace.interval[step]));
                found.push(kilo(&trace.running[step]));
            }
            found.push(kilo(&trace.interval[4]));
            assert_eq!(found, held);
            assert_eq!(
                trace.peak(),
                *trace.running.iter().max().expect("four steps")
            );
            assert_eq!(trace.in_place, [false, false, false, true]);
            let kilos = (
                trace.sum() as f64 / 1024.0,
                trace.table4_sum() as f64 / 1024.0,
            );
            assert_eq!(kilos, sums);
        }
    }

    #[test]
    fn an_invalid_order_is_refused_at_its_fault() {
        let graph = table_2();
        for (order, path, words) in [
            (vec![0, 1, 2], "order", "it has 3 entries"),
            (vec![0, 1, 2, 4], "order[3]", "one of the 4 operators"),
            (vec![0, 1, 1, 3], "order[2]", "has not run yet"),
            (vec![1, 0, 2, 3], "order[0]", "0 comes later"),
        ] {
            let fault = trace(&graph, &order).expect_err("no order");
            assert_eq!((fault.path.as_str(), fault.code), (path, Code::Plan));
            assert!(fault.message.contains(words), "{fault}");
            assert_eq!(lifetimes(&graph, &order), Err(fault));
        }
    }

    #[test]
    fn lifetimes_add_up_to_what_is_held() {
        let graph = table_2();
        for order in [[0, 1, 2, 3], [0, 2, 1, 3], [2, 0, 1, 3]] {
            let trace = trace(&graph, &order).expect("an order");
            let lives = lifetimes(&graph, &order).expect("an order");
            for (step, v) in (0..).zip(order) {
                let alive = lives
                    .iter()
                    .filter(|one| one.from <= step && step <= one.to);
                let held: u64 = alive.map(|one| graph.bytes(one.tensor as usize)).sum();
                let own = if trace.in_place[step as usize] {
                    graph.op(v as usize).out
                } else {
                    0
                };
                assert_eq!(
                    held + graph.op(v as usize).w - own,
                    trace.running[step as usize]
                );
            }
        }
    }
}
