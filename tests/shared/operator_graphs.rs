//! Random operator graphs for tests and benchmarks, each from its seed.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use engine::graph::{Document, Graph, OpDocument};
use engine::sim::Draw;

/// An operator without anything that an order does not look at.
pub fn op(kind: &str, ins: Vec<i64>, out: u64, w: u64) -> OpDocument {
    OpDocument {
        name: String::new(),
        kind: kind.to_owned(),
        ins,
        out,
        w,
        shape: vec![out.max(1)],
        hin: 1,
        k: 1,
        s: 1,
        p: 0,
        d: 1,
        flops: 0.0,
        full: Vec::new(),
    }
}

/// `n` operators that read up to three tensors of those before them, now and then one twice; some are sums, some are
/// outputs although they are read, and sizes are small, so that ties are common.
pub fn small(seed: u64, n: usize) -> Graph {
    let mut draw = Draw::new(seed, 5);
    let inputs: Vec<u64> = (0..=draw.integer_below(2))
        .map(|_| draw.integer_below(9) as u64)
        .collect();
    let ops = (0..n).map(|v| {
        let count = 1 + draw.integer_below(3);
        let mut ins: Vec<i64> = (0..count)
            .map(|_| {
                let at = draw.integer_below(v + inputs.len());
                if at < v {
                    at as i64
                } else {
                    -1 - (at - v) as i64
                }
            })
            .collect();
        if draw.integer_below(4) == 0 {
            ins.push(ins[0]);
        }
        let kind = if draw.integer_below(3) == 0 {
            "add"
        } else {
            "conv"
        };
        op(
            kind,
            ins,
            draw.integer_below(12) as u64,
            draw.integer_below(4) as u64,
        )
    });
    let ops: Vec<OpDocument> = ops.collect();
    let outputs = (0..n as u32)
        .filter(|_| draw.integer_below(6) == 0)
        .collect();
    let document = Document {
        name: format!("random {seed}"),
        inputs,
        outputs,
        ops,
    };
    Graph::new(document).expect("a graph")
}

/// `lanes` chains of `length` operators each between a fork and a join, listed lane by lane or, if `mixed`, step by step.
pub fn lanes(seed: u64, lanes: usize, length: usize, mixed: bool) -> Graph {
    let mut draw = Draw::new(seed, 6);
    let sizes: Vec<(u64, u64)> = (0..lanes * length)
        .map(|_| {
            (
                1 + draw.integer_below(1000) as u64,
                draw.integer_below(100) as u64,
            )
        })
        .collect();
    let place = |lane: usize, step: usize| {
        1 + if mixed {
            step * lanes + lane
        } else {
            lane * length + step
        }
    };
    let mut ops = vec![op("conv", vec![-1], 500, 0); lanes * length + 1];
    for lane in 0..lanes {
        for step in 0..length {
            let before = if step == 0 {
                0
            } else {
                place(lane, step - 1) as i64
            };
            let (out, w) = sizes[lane * length + step];
            ops[place(lane, step)] = op("conv", vec![before], out, w);
        }
    }
    let ends = (0..lanes).map(|lane| place(lane, length - 1) as i64);
    ops.push(op("conv", ends.collect(), 100, 0));
    let document = Document {
        name: format!("{lanes} lanes of {length}"),
        inputs: vec![300],
        outputs: Vec::new(),
        ops,
    };
    Graph::new(document).expect("a graph")
}

/// `layers` layers of `width` operators each. Each reads its own lane of the layer before, and every third one a second
/// lane, so that lanes wait for one another; a join reads the last layer.
pub fn layered(seed: u64, width: usize, layers: usize) -> Graph {
    let mut draw = Draw::new(seed, 7);
    let mut ops = vec![op("conv", vec![-1], 500, 0)];
    for layer in 0..layers {
        for lane in 0..width {
            let before = |lane: usize| (1 + (layer.max(1) - 1) * width + lane) as i64;
            let mut ins = vec![if layer == 0 { 0 } else { before(lane) }];
            if layer > 0 && draw.integer_below(3) == 0 {
                ins.push(before(draw.integer_below(width)));
            }
            let kind = if ins.len() == 2 { "add" } else { "conv" };
            let out = 1 + draw.integer_below(1000) as u64;
            ops.push(op(kind, ins, out, draw.integer_below(100) as u64));
        }
    }
    let last = (1 + (layers - 1) * width..=layers * width).map(|v| v as i64);
    ops.push(op("conv", last.collect(), 100, 0));
    let document = Document {
        name: format!("{layers} layers of {width}"),
        inputs: vec![300],
        outputs: Vec::new(),
        ops,
    };
    Graph::new(document).expect("a graph")
}
