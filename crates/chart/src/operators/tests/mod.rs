//! Data for the tests: graphs of realistic form, made by rules, run in the order of their operators.

mod arena;
mod graph;
mod memory;
mod slices;

use super::*;
use crate::NeighbourKey;
use crate::mark::{Mark, MarkShape};
use crate::tests::kit::{
    assert_readable, both_themes, card_text, has, keys_reach_all, sound, texts,
};
use engine::sim::Draw;
use std::sync::Arc;

const WIDTHS: [f64; 4] = [358.0, 520.0, 760.0, 1000.0];
const SIZES: [usize; 7] = [1, 2, 4, 71, 108, 421, 5000];

const KIB: f64 = 1024.0;

fn op(name: &str, preds: &[usize], out_kib: f64) -> GraphOp {
    let is_pool = name.contains("pool") || name.ends_with(".p");
    GraphOp {
        name: name.into(),
        kind: if is_pool { "MaxPool" } else { "Conv" }.into(),
        is_pool,
        shape: "64 × 56 × 56".into(),
        out: out_kib * KIB,
        weights: if is_pool { 0.0 } else { 40.0 * KIB },
        preds: preds.iter().map(|u| *u as u32).collect(),
        ..GraphOp::default()
    }
}

/// Runs operators in the order in which they stand.
fn in_order(mut ops: Vec<GraphOp>) -> Vec<GraphOp> {
    let n = ops.len();
    let mut until: Vec<usize> = (0..n).collect();
    for (v, op) in ops.iter().enumerate() {
        for u in &op.preds {
            until[*u as usize] = until[*u as usize].max(v);
        }
    }
    for (v, op) in ops.iter_mut().enumerate() {
        op.step = v;
        op.until = until[v];
    }
    ops
}

/// GoogLeNet in form: a stem, nine stages of four branches (seven operators each), pools between, and the end.
fn stages() -> Vec<GraphOp> {
    let mut ops = vec![
        op("conv1", &[], 3136.0),
        op("pool1", &[0], 784.0),
        op("conv2", &[1], 784.0),
        op("conv3", &[2], 2352.0),
        op("pool2", &[3], 588.0),
    ];
    let mut reads = vec![4];
    let names = ["3a", "3b", "4a", "4b", "4c", "4d", "4e", "5a", "5b"];
    for (k, stage) in names.iter().enumerate() {
        if k == 2 || k == 7 {
            ops.push(op(&format!("pool{k}"), &reads, 180.0));
            reads = vec![ops.len() - 1];
        }
        let at = ops.len();
        let size = 780.0 / (1.0 + 0.6 * k as f64);
        for (name, kib) in [("b1", 0.3), ("b2.0", 0.4), ("b3.0", 0.1), ("b4.p", 0.7)] {
            ops.push(op(&format!("{stage}.{name}"), &reads, size * kib));
        }
        for (name, from, kib) in [("b2.1", 1, 0.5), ("b3.1", 2, 0.2), ("b4.1", 3, 0.1)] {
            ops.push(op(&format!("{stage}.{name}"), &[at + from], size * kib));
        }
        reads = vec![at, at + 4, at + 5, at + 6];
    }
    ops.push(op("gap", &reads, 4.0));
    in_order(ops)
}

/// A language model in form: blocks of fifteen operators with two ways past them.
fn blocks(n: usize) -> Vec<GraphOp> {
    let mut ops = vec![op("/model/embed/Gather", &[], 64.0)];
    let mut block = 0;
    while ops.len() < n {
        let at = ops.len();
        let of = |name: &str, preds: &[usize], kib: f64| {
            op(&format!("/model/layers.{block}/{name}"), preds, kib)
        };
        let before = at - 1;
        let all = [
            of("input_norm", &[before], 64.0),
            of("attn.q", &[at], 64.0),
            of("attn.k", &[at], 16.0),
            of("attn.v", &[at], 16.0),
            of("attn.rope_q", &[at + 1], 64.0),
            of("attn.rope_k", &[at + 2], 16.0),
            of("attn.scores", &[at + 4, at + 5], 128.0),
            of("attn.softmax", &[at + 6], 128.0),
            of("attn.mix", &[at + 7, at + 3], 64.0),
            of("attn.o", &[at + 8], 64.0),
            of("add_1", &[before, at + 9], 64.0),
            of("post_norm", &[at + 10], 64.0),
            of("mlp.gate", &[at + 11], 256.0),
            of("mlp.up", &[at + 11], 256.0),
            of("mlp.down", &[at + 12, at + 13], 64.0),
            of("add_2", &[at + 10, at + 14], 64.0),
        ];
        let left = n - at;
        ops.extend(all.into_iter().take(left));
        block += 1;
    }
    in_order(ops)
}

/// Any graph without a circle: each reads up to three of the thirty before it.
fn drawn(n: usize, seed: u64) -> Vec<GraphOp> {
    let mut draw = Draw::new(seed, 0);
    let mut ops = Vec::with_capacity(n);
    for v in 0..n {
        let count = draw.integer_below(4).min(v);
        let preds: Vec<usize> = (0..count)
            .map(|_| v - 1 - draw.integer_below(v.min(30)))
            .collect();
        let name = if draw.integer_below(4) == 0 {
            "pool"
        } else {
            "conv"
        };
        ops.push(op(&format!("{name}{v}"), &preds, 1000.0 * draw.unit()));
    }
    in_order(ops)
}

fn sized(n: usize) -> Vec<GraphOp> {
    match n {
        71 => stages(),
        421 | 5000 => blocks(n),
        _ => drawn(n, n as u64),
    }
}

fn picture(ops: Vec<GraphOp>, step: Option<usize>) -> GraphPicture {
    GraphPicture {
        ops: Arc::new(ops),
        step,
        ..GraphPicture::default()
    }
}

/// Computes the memory while each operator runs, and between steps.
fn held(ops: &[GraphOp]) -> (Vec<StepParts>, Vec<f64>, Vec<f64>) {
    let n = ops.len();
    let mut between = vec![0.0; n + 1];
    for op in ops {
        for step in op.step..op.until.max(op.step + 1).min(n) {
            between[step + 1] += op.out;
        }
    }
    let part = |op: &GraphOp| StepParts {
        kind: op.kind.clone(),
        before: between[op.step],
        weights: op.weights,
        output: op.out,
        in_place: op.step % 9 == 8,
    };
    let parts: Vec<StepParts> = ops.iter().map(part).collect();
    let sum = |part: &StepParts| {
        let output = if part.in_place { 0.0 } else { part.output };
        part.before + part.weights + output
    };
    let running = parts.iter().map(sum).collect();
    (parts, running, between)
}

/// Memory of an order beside others that hold more here and there.
fn memory(ops: &[GraphOp], between: bool, orders: usize) -> MemoryChart {
    let (parts, running, intervals) = held(ops);
    let ours = if between { intervals } else { running };
    let names = ["Exact", "Greedy", "Random", "PEFT", "File", "A sixth order"];
    let mut draw = Draw::new(5, 1);
    let line = |(at, name): (usize, &&str)| {
        let mut swell = 0.0;
        let held = ours.iter().map(|held| {
            if draw.integer_below(4) == 0 {
                swell = 0.4 * draw.unit() * draw.unit();
            }
            held * if at > 0 { 1.0 + swell } else { 1.0 }
        });
        MemoryLine {
            name: (*name).to_owned(),
            memory_b: held.collect(),
            ops: ops.iter().map(|op| op.name.clone()).collect(),
            step_parts: if at == 0 { parts.clone() } else { Vec::new() },
        }
    };
    let lines = names.iter().take(orders).enumerate().map(line).collect();
    MemoryChart {
        view: None,
        orders: Arc::new(lines),
        limit: Some(4.6 * 1024.0 * KIB),
        step: Some(21.min(ops.len().saturating_sub(1))),
        between,
    }
}

/// Tensors put one above another, each at the lowest place that is free while it is held.
fn arena(ops: &[GraphOp], is_placed: bool) -> ArenaPicture {
    let mut tensors: Vec<ArenaTensor> = Vec::new();
    for op in ops {
        let mut taken: Vec<(f64, f64)> = tensors
            .iter()
            .filter(|other| other.to >= op.step && other.from <= op.until)
            .filter_map(|other| Some((other.offset?, other.offset? + other.bytes)))
            .collect();
        taken.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut offset = 0.0;
        for (from, to) in taken {
            if offset + op.out <= from {
                break;
            }
            offset = to.max(offset);
        }
        tensors.push(ArenaTensor {
            name: op.name.clone(),
            bytes: op.out,
            offset: Some(offset),
            from: op.step,
            to: op.until,
            in_place_of: (op.step % 9 == 8).then(|| "conv1".to_owned()),
        });
    }
    let size = tensors.iter().filter_map(|t| Some(t.offset? + t.bytes));
    let size = size.fold(0.0, f64::max);
    if !is_placed {
        tensors.iter_mut().for_each(|tensor| tensor.offset = None);
    }
    ArenaPicture {
        view: None,
        steps: ops.len(),
        bound: 0.93 * size,
        size,
        tensors: Arc::new(tensors),
        step: Some(21.min(ops.len().saturating_sub(1))),
    }
}
