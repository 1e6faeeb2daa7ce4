//! The cost model of slicing against a slow one of its own on random graphs, and the baselines with it.

use crate::cases::cases;
use crate::slow_slices::{Plan, World};
use engine::evaluate::slices::Slices;
use engine::graph::{Document, Graph, OpDocument};
use engine::plan::{Dim, Partition};
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::sim::Draw;
use methods::operators::split::baseline::{coedge, deepthings};
use methods::operators::split::{DimPolicy, SplitTask};

const KINDS: [&str; 8] = [
    "conv", "conv", "conv", "pool", "add", "gemm", "norm", "softmax",
];

fn one_of(draw: &mut Draw, all: &[u64]) -> u64 {
    all[draw.integer_below(all.len())]
}

/// An operator that reads some of those before it, now and then one twice, now and then one of another height.
fn op(draw: &mut Draw, v: usize, inputs: usize, without_conv: bool) -> OpDocument {
    let count = 1 + draw.integer_below(3);
    let mut ins: Vec<i64> = (0..count)
        .map(|_| {
            let at = draw.integer_below(v + inputs);
            if at < v {
                at as i64
            } else {
                -1 - (at - v) as i64
            }
        })
        .collect();
    if draw.integer_below(5) == 0 {
        ins.push(ins[0]);
    }
    let mut full: Vec<i64> = ins.clone();
    full.dedup();
    full.retain(|_| draw.integer_below(6) == 0);
    let kind = KINDS[draw.integer_below(KINDS.len())];
    let kind = if without_conv && kind == "conv" {
        "gemm"
    } else {
        kind
    };
    let rank = if draw.integer_below(3) > 0 {
        4
    } else {
        1 + draw.integer_below(4)
    };
    let shape: Vec<u64> = (0..rank)
        .map(|_| one_of(draw, &[1, 2, 3, 5, 8, 14]))
        .collect();
    OpDocument {
        name: String::new(),
        kind: kind.to_owned(),
        ins,
        out: draw.integer_below(4000) as u64,
        w: if draw.integer_below(3) == 0 {
            0
        } else {
            draw.integer_below(3000) as u64
        },
        shape,
        hin: one_of(draw, &[1, 3, 5, 8, 14, 28]),
        k: one_of(draw, &[1, 2, 3, 5, 7]),
        s: one_of(draw, &[1, 1, 2, 3]),
        p: one_of(draw, &[0, 1, 2, 3]),
        d: one_of(draw, &[1, 1, 2, 3]),
        flops: draw.integer_below(1_000_000) as f64,
        full,
    }
}

/// An order: any operator whose operands are there.
fn order(draw: &mut Draw, graph: &Document) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < graph.ops.len() {
        let ready: Vec<usize> = (0..graph.ops.len())
            .filter(|v| !order.contains(v))
            .filter(|v| {
                let mut ins = graph.ops[*v].ins.iter();
                ins.all(|t| *t < 0 || order.contains(&(*t as usize)))
            })
            .collect();
        order.push(ready[draw.integer_below(ready.len())]);
    }
    order
}

fn world(seed: u64) -> World {
    let mut draw = Draw::new(seed, 11);
    let inputs: Vec<u64> = (0..=draw.integer_below(2))
        .map(|_| draw.integer_below(3000) as u64)
        .collect();
    let n = 1 + draw.integer_below(9);
    let without_conv = draw.integer_below(4) == 0;
    let ops: Vec<OpDocument> = (0..n)
        .map(|v| op(&mut draw, v, inputs.len(), without_conv))
        .collect();
    let outputs = (0..n as u32)
        .filter(|_| draw.integer_below(6) == 0)
        .collect();
    let graph = Document {
        name: format!("random {seed}"),
        inputs,
        outputs,
        ops,
    };
    let devices = 1 + draw.integer_below(6);
    let factors = (0..devices).map(|_| [1.0, 0.8, 0.5, 0.24][draw.integer_below(4)]);
    let factors: Vec<f64> = factors.collect();
    let limits = (0..devices).map(|_| match draw.integer_below(3) {
        0 => f64::INFINITY,
        1 => 1.0 + draw.integer_below(4000) as f64,
        _ => 8000.0,
    });
    let limits = limits.collect();
    World {
        order: order(&mut draw, &graph),
        graph,
        factors,
        limits,
        mbps: [0.5, 2.0, 10.0][draw.integer_below(3)],
        is_shared: draw.integer_below(4) == 0,
        profile: [0.1 * draw.integer_below(6) as f64, 0.001, 0.0001],
        gemm_weights: draw.integer_below(4) > 0,
    }
}

fn slices<'a>(graph: &'a Graph, world: &World) -> Slices<'a> {
    let link = if world.is_shared {
        Link::Shared
    } else {
        Link::Own
    };
    let fleet = Fleet::new(
        world.factors.clone(),
        world.limits.clone(),
        world.mbps,
        link,
    );
    let [op_ms, gflops, gbs] = world.profile;
    let times = TimeModel::Profile(Profile { op_ms, gflops, gbs });
    let fleet = fleet.expect("devices");
    Slices::new(graph, fleet, &times, world.gemm_weights).expect("a model")
}

fn random_plan(draw: &mut Draw, world: &World) -> Plan {
    let mut dims = Vec::new();
    let mut x = Vec::new();
    for v in 0..world.graph.ops.len() {
        let choices = world.choices(v);
        let dim = choices[draw.integer_below(choices.len())];
        let length = world.length(v, dim);
        let mut marks: Vec<u64> = (1..world.factors.len())
            .map(|_| match draw.integer_below(4) {
                0 => 0,
                1 => length,
                _ => draw.integer_below(length as usize + 1) as u64,
            })
            .collect();
        marks.push(0);
        marks.push(length);
        marks.sort_unstable();
        dims.push(dim);
        x.push(marks);
    }
    Plan { dims, x }
}

#[track_caller]
fn close(found: f64, known: f64, what: &str) {
    let scale = known.abs().max(1.0);
    assert!(
        (found - known).abs() <= 1e-9 * scale,
        "{what}: {found} is not {known}"
    );
}

#[test]
fn the_cost_model_is_the_slow_one_on_random_graphs() {
    let (mut infeasible, mut in_place) = (0, 0);
    for seed in 0..cases(1200) {
        let world = world(seed);
        let graph = Graph::new(world.graph.clone()).expect("a graph");
        let order: Vec<u32> = world.order.iter().map(|v| *v as u32).collect();
        let task = SplitTask::new(slices(&graph, &world), order, DimPolicy::Free).expect("a task");
        in_place += task.trace.in_place.iter().filter(|is| **is).count();
        for (v, rule) in task.rules.iter().enumerate() {
            let (k1, k2, most) = world.rule(v);
            assert_eq!((rule.k1, rule.k2, rule.most), (k1, k2, most), "{seed}: {v}");
            let is_cout = world.graph.ops[v].kind == "conv" && k1 > k2;
            assert_eq!(rule.dim == Dim::Cout, is_cout, "{seed}: {v}");
        }
        let mut draw = Draw::new(seed, 12);
        for _ in 0..3 {
            let plan = random_plan(&mut draw, &world);
            task.slices.check_dims(&plan.dims).expect("dimensions");
            let cuts = task.slices.read_cuts(&plan.dims, &plan.x).expect("marks");
            let score = task.score(&Partition {
                dims: plan.dims.clone(),
                cuts,
            });
            let (mut latency, mut sent) = (0.0, 0.0);
            for v in 0..graph.len() {
                let what = format!("{seed}, operator {v}");
                let cost = world.operator(v, &plan);
                let slowest = cost.device_ms.iter().copied().fold(0.0, f64::max);
                close(score.op_ms[v], slowest, &what);
                close(score.op_comm_bytes[v], cost.volume, &what);
                // Of devices that are as slow as one another either may be called the first.
                let mut slow = (cost.device_ms.iter().zip(&cost.comm_ms))
                    .filter(|(ms, _)| slowest - **ms <= 1e-9 * slowest.max(1.0));
                let known = slow.any(|(_, comm)| (comm - score.op_comm_ms[v]).abs() <= 1e-9);
                assert!(
                    known,
                    "{what}: {} of {:?}",
                    score.op_comm_ms[v], cost.comm_ms
                );
                for (found, known) in score.mem[v].iter().zip(world.memory(v, &plan)) {
                    // Parts are kept to 2^-20 bytes each.
                    assert!(
                        (found - known).abs() < 1e-4,
                        "{what}: {found} is not {known}"
                    );
                }
                assert_eq!(score.cv6[v], world.cv6(v, &plan), "{what}");
                latency += slowest;
                sent += cost.volume;
            }
            close(score.latency_ms, latency, "latency");
            close(score.comm_bytes, sent, "sent");
            let known = world.violation(&plan);
            assert!(
                (score.violation - known).abs() <= 1e-5 * known.max(1.0),
                "{seed}"
            );
            infeasible += usize::from(!score.is_feasible());
        }
    }
    assert!(infeasible > 300 && infeasible < 3300, "{infeasible}");
    assert!(in_place > 100, "{in_place}");
}

#[test]
fn fused_tiles_are_the_slow_ones() {
    for seed in 0..cases(600) {
        let world = world(seed);
        let graph = Graph::new(world.graph.clone()).expect("a graph");
        let order: Vec<u32> = world.order.iter().map(|v| *v as u32).collect();
        let wish = DimPolicy::Rule(Reading::MoreCopies);
        let task = SplitTask::new(slices(&graph, &world), order, wish).expect("a task");
        let found = deepthings(&task);
        let (latency, memory) = world.deepthings();
        close(found.latency_ms, latency, &format!("{seed}"));
        for (found, known) in found.mem.iter().flatten().zip(memory.iter().flatten()) {
            assert!(
                (found - known).abs() < 1e-4,
                "{seed}: {found} is not {known}"
            );
        }
    }
}

#[test]
fn coedge_takes_the_best_subset_for_each_operator() {
    let (mut fitting, mut broken) = (0, 0);
    for seed in 0..cases(400) {
        let world = world(seed);
        let graph = Graph::new(world.graph.clone()).expect("a graph");
        let order: Vec<u32> = world.order.iter().map(|v| *v as u32).collect();
        let task = SplitTask::new(slices(&graph, &world), order, DimPolicy::Free).expect("a task");
        let found = coedge(&task).expect("few devices");
        let mut plan = Plan {
            dims: found.plan.dims.clone(),
            x: (found.plan.cuts.rows())
                .map(|row| row.iter().map(|mark| u64::from(*mark)).collect())
                .collect(),
        };
        let shares: Vec<f64> = world.factors.iter().map(|factor| 1.0 / factor).collect();
        let everybody = (1 << shares.len()) - 1;
        let mut fits = true;
        for v in world.order.clone() {
            let taken = plan.x[v].clone();
            let length = world.length(v, plan.dims[v]);
            let slowest = |plan: &Plan| {
                let cost = world.operator(v, plan);
                cost.device_ms.iter().copied().fold(0.0, f64::max)
            };
            let ms = slowest(&plan);
            let mut best = f64::INFINITY;
            let mut masks = Vec::new();
            for mask in 1..=everybody {
                plan.x[v] = world.proportional(length, &shares, mask);
                let held = world.memory(v, &plan);
                if held
                    .iter()
                    .zip(&world.limits)
                    .all(|(held, limit)| held <= limit)
                {
                    best = best.min(slowest(&plan));
                    masks.push(plan.x[v].clone());
                }
            }
            if best.is_finite() {
                assert!(
                    masks.contains(&taken),
                    "{seed}, {v}: {taken:?} breaks a limit"
                );
                close(ms, best, &format!("{seed}, {v}"));
            } else {
                fits = false;
                assert_eq!(
                    taken,
                    world.proportional(length, &shares, everybody),
                    "{seed}, {v}"
                );
            }
            plan.x[v] = taken;
        }
        assert_eq!(found.fits, fits, "{seed}");
        fitting += usize::from(fits);
        broken += usize::from(!fits);
    }
    assert!(
        fitting > 50 && broken > 50,
        "{fitting} fit, {broken} do not"
    );
}
