//! Small random graphs over devices whose splits can all be looked at.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use engine::evaluate::slices::Slices;
use engine::graph::{Document, Graph, OpDocument};
use engine::plan::{Dim, Marks, Partition};
use engine::problem::partition::{Fleet, Link, Profile, TimeModel};
use engine::sim::Draw;
use methods::operators::split::{DimPolicy, SplitTask};

/// `n` operators of at most three rows and channels.
pub fn tiny(seed: u64, n: usize) -> Graph {
    let mut draw = Draw::new(seed, 9);
    let mut heights: Vec<u64> = Vec::new();
    let ops = (0..n).map(|v| {
        // Mostly chains, so that splits of neighbours matter to each other.
        let mut ins = vec![if v == 0 { -1 } else { v as i64 - 1 }];
        if v > 1 && draw.integer_below(2) == 0 {
            ins.push(draw.integer_below(v) as i64);
        }
        let hin = usize::try_from(ins[0]).map_or(3, |u| heights[u]);
        let kind = ["conv", "conv", "pool", "add", "gemm"][draw.integer_below(5)];
        let (rows, channels) = (
            1 + draw.integer_below(3) as u64,
            1 + draw.integer_below(3) as u64,
        );
        heights.push(rows);
        let is_conv = kind == "conv";
        OpDocument {
            name: String::new(),
            kind: kind.to_owned(),
            out: 1000 * rows * channels,
            w: if is_conv { 700 * channels } else { 0 },
            shape: vec![1, channels, rows, 10],
            hin,
            k: 1 + draw.integer_below(3) as u64,
            s: 1,
            p: draw.integer_below(2) as u64,
            d: 1,
            flops: 1e6 * (1 + draw.integer_below(60)) as f64,
            full: if kind == "gemm" && ins[0] >= 0 && draw.integer_below(2) == 0 {
                vec![ins[0]]
            } else {
                Vec::new()
            },
            ins,
        }
    });
    let ops: Vec<OpDocument> = ops.collect();
    let document = Document {
        name: format!("tiny {seed}"),
        inputs: vec![3000],
        outputs: Vec::new(),
        ops,
    };
    Graph::new(document).expect("a graph")
}

/// The graph over devices with these limits [bytes], the operators in their order.
pub fn task<'a>(
    graph: &'a Graph,
    factors: &[f64],
    limits: &[f64],
    wish: DimPolicy,
) -> SplitTask<'a> {
    let fleet = Fleet::new(factors.to_vec(), limits.to_vec(), 100.0, Link::Own);
    let times = TimeModel::Profile(Profile {
        op_ms: 0.02,
        gflops: 100.0,
        gbs: 0.43,
    });
    let slices = Slices::new(graph, fleet.expect("devices"), &times, true).expect("a model");
    SplitTask::new(slices, (0..graph.len() as u32).collect(), wish).expect("an order")
}

/// Rows of marks of one operator: every way to cut it.
fn cuts(length: u32, devices: usize) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0]];
    for k in 1..=devices {
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<u32>| {
                let from = if k == devices { length } else { row[k - 1] };
                (from..=length).map(move |mark| {
                    let mut longer = row.clone();
                    longer.push(mark);
                    longer
                })
            })
            .collect();
    }
    rows
}

/// Calls `with` for every split there is.
pub fn every_split(task: &SplitTask<'_>, with: &mut dyn FnMut(&Partition)) {
    let slices = &task.slices;
    let choices: Vec<Vec<(Dim, Vec<u32>)>> = (0..slices.graph().len())
        .map(|v| {
            let dims: Vec<Dim> = match &task.fixed {
                Some(dims) => vec![dims[v]],
                None => slices.choices(v).collect(),
            };
            let each = dims.into_iter().flat_map(|dim| {
                let rows = cuts(slices.length(v, dim), slices.devices());
                rows.into_iter().map(move |row| (dim, row))
            });
            each.collect()
        })
        .collect();
    let mut at = vec![0; choices.len()];
    loop {
        let chosen = at.iter().zip(&choices).map(|(at, of)| &of[*at]);
        let rows = chosen.clone().map(|(_, row)| row.as_slice());
        with(&Partition {
            dims: chosen.clone().map(|(dim, _)| *dim).collect(),
            cuts: Marks::from_rows(slices.devices(), rows),
        });
        let Some(v) = (0..at.len()).find(|v| at[*v] + 1 < choices[*v].len()) else {
            return;
        };
        at[v] += 1;
        at[..v].fill(0);
    }
}
