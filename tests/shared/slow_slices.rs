//! The cost model of slicing once more, straight from its description: sets of rows, everything recomputed for every
//! question, nothing shared with the program but the form of its documents.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use engine::graph::{Document, OpDocument};
use engine::plan::Dim;
use std::collections::BTreeSet;

/// A graph over devices, by the fields of a problem file.
pub struct World {
    pub graph: Document,
    pub factors: Vec<f64>,
    pub limits: Vec<f64>,
    pub mbps: f64,
    pub is_shared: bool,
    /// c0 [ms], F [10^9 operations a second], G [10^9 bytes a second].
    pub profile: [f64; 3],
    pub gemm_weights: bool,
    pub order: Vec<usize>,
}

/// A plan: dimensions and marks.
#[derive(Clone)]
pub struct Plan {
    pub dims: Vec<Dim>,
    pub x: Vec<Vec<u64>>,
}

/// What an operator costs: time of each device, received by each, all that is sent.
pub struct OpCost {
    pub device_ms: Vec<f64>,
    pub comm_ms: Vec<f64>,
    pub volume: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Row,
    Chan,
    Col,
}

pub fn rows(shape: &[u64]) -> u64 {
    if shape.len() < 2 {
        1
    } else {
        shape[shape.len() - 2]
    }
}

impl World {
    fn n(&self) -> usize {
        self.graph.ops.len()
    }

    fn devices(&self) -> usize {
        self.factors.len()
    }

    fn op(&self, v: usize) -> &OpDocument {
        &self.graph.ops[v]
    }

    fn bytes(&self, t: i64) -> f64 {
        if t < 0 {
            self.graph.inputs[(-1 - t) as usize] as f64
        } else {
            self.op(t as usize).out as f64
        }
    }

    fn src(&self, v: usize) -> Vec<i64> {
        let mut seen = Vec::new();
        for t in &self.op(v).ins {
            if !seen.contains(t) {
                seen.push(*t);
            }
        }
        seen
    }

    fn consumers(&self, t: i64) -> Vec<usize> {
        (0..self.n())
            .filter(|v| self.op(*v).ins.contains(&t))
            .collect()
    }

    fn is_output(&self, v: usize) -> bool {
        self.graph.outputs.contains(&(v as u32)) || self.consumers(v as i64).is_empty()
    }

    /// The tensors that are held when these operators have run.
    fn live(&self, done: &BTreeSet<usize>) -> Vec<i64> {
        let waits = |t: i64| self.consumers(t).iter().any(|v| !done.contains(v));
        let inputs = (0..self.graph.inputs.len() as i64)
            .map(|i| -1 - i)
            .filter(|t| waits(*t));
        let made = done.iter().map(|v| *v as i64);
        let made = made.filter(|t| waits(*t) || self.is_output(*t as usize));
        inputs.chain(made).collect()
    }

    /// The operators that have run when v does.
    fn before(&self, v: usize) -> BTreeSet<usize> {
        self.order.iter().copied().take_while(|u| *u != v).collect()
    }

    fn is_in_place(&self, v: usize, done: &BTreeSet<usize>) -> bool {
        self.op(v).kind == "add"
            && self.src(v).iter().any(|t| {
                let mut readers = self.consumers(*t).into_iter();
                self.bytes(*t) >= self.op(v).out as f64
                    && readers.all(|x| x == v || done.contains(&x))
                    && !(*t >= 0 && self.is_output(*t as usize))
            })
    }

    /// The dimensions that an operator can be cut along.
    pub fn choices(&self, v: usize) -> Vec<Dim> {
        let has_conv = self.graph.ops.iter().any(|op| op.kind == "conv");
        match self.op(v).kind.as_str() {
            "conv" => vec![Dim::Fmh, Dim::Cout],
            "pool" => vec![Dim::Fmh],
            "gemm" => vec![Dim::Len],
            _ if has_conv && self.op(v).shape.len() == 4 => vec![Dim::Fmh],
            _ => vec![Dim::Len],
        }
    }

    fn class(&self, v: usize, dim: Dim) -> (Class, u64) {
        let shape = &self.op(v).shape;
        match dim {
            Dim::Fmh => (Class::Row, rows(shape)),
            Dim::Cout => (Class::Chan, shape.get(1).copied().unwrap_or(1)),
            Dim::Len if rows(shape) > 1 => (Class::Row, rows(shape)),
            Dim::Len => (Class::Col, shape.last().copied().unwrap_or(1)),
        }
    }

    pub fn length(&self, v: usize, dim: Dim) -> u64 {
        self.class(v, dim).1
    }

    /// Rows of u that v needs to make its rows [a, b).
    fn needed(&self, v: usize, class: Class, u: usize, a: u64, b: u64) -> BTreeSet<i64> {
        let all = rows(&self.op(u).shape) as i64;
        let op = self.op(v);
        if class != Class::Row || op.full.contains(&(u as i64)) {
            return (0..all).collect();
        }
        let (a, b) = (a as i64, b as i64);
        let windows = op.kind == "conv" || op.kind == "pool";
        let (mut lo, mut hi, reference) = if windows {
            let (k, s, p, d) = (op.k as i64, op.s as i64, op.p as i64, op.d as i64);
            let lo = (a * s - p).max(0);
            let last = (b - 1) * s + (k - 1) * d + 1 - p;
            (lo, last.min(op.hin as i64).max(lo), op.hin as i64)
        } else {
            (a, b, rows(&op.shape) as i64)
        };
        if reference != all {
            lo = (lo as f64 * all as f64 / reference as f64).floor() as i64;
            hi = (hi as f64 * all as f64 / reference as f64).ceil() as i64;
        }
        (lo..hi).collect()
    }

    /// What device k lacks of u for its part of v.
    fn missing(&self, v: usize, u: usize, k: usize, plan: &Plan) -> f64 {
        let (a, b) = (plan.x[v][k], plan.x[v][k + 1]);
        if a == b {
            return 0.0;
        }
        let need = self.needed(v, self.class(v, plan.dims[v]).0, u, a, b);
        let all = rows(&self.op(u).shape) as f64;
        let (of, length) = self.class(u, plan.dims[u]);
        let held: BTreeSet<i64> = (plan.x[u][k] as i64..plan.x[u][k + 1] as i64).collect();
        if of == Class::Row {
            self.bytes(u as i64) * need.difference(&held).count() as f64 / all
        } else {
            let lacking = 1.0 - held.len() as f64 / length as f64;
            self.bytes(u as i64) * lacking * need.len() as f64 / all
        }
    }

    fn predecessors(&self, v: usize) -> Vec<usize> {
        let src = self.src(v).into_iter().filter(|t| *t >= 0);
        src.map(|t| t as usize).collect()
    }

    fn whole_ms(&self, v: usize) -> f64 {
        let [_, gflops, gbs] = self.profile;
        let op = self.op(v);
        op.flops / (gflops * 1e6) + (op.out + op.w) as f64 / (gbs * 1e6)
    }

    fn compute_ms(&self, v: usize, k: usize, share: f64) -> f64 {
        if share == 0.0 {
            return 0.0;
        }
        self.factors[k] * (self.profile[0] + share * self.whole_ms(v))
    }

    fn rate(&self) -> f64 {
        self.mbps * 1e6 / 8.0 / 1000.0
    }

    pub fn operator(&self, v: usize, plan: &Plan) -> OpCost {
        let (class, length) = self.class(v, plan.dims[v]);
        let part = |k: usize| plan.x[v][k + 1] - plan.x[v][k];
        let active: Vec<usize> = (0..self.devices()).filter(|k| part(*k) > 0).collect();
        let mut comm = vec![0.0; self.devices()];
        let mut volume = 0.0;
        for u in self.predecessors(v) {
            if class != Class::Row && active.len() > 1 {
                for k in &active {
                    comm[*k] += self.bytes(u as i64);
                }
                volume += self.bytes(u as i64);
            } else {
                for k in &active {
                    comm[*k] += self.missing(v, u, *k, plan);
                    volume += self.missing(v, u, *k, plan);
                }
            }
        }
        let receiving = |bytes: f64| match self.is_shared {
            true if bytes > 0.0 => volume,
            _ => bytes,
        };
        let comm_ms: Vec<f64> = comm
            .iter()
            .map(|bytes| receiving(*bytes) / self.rate())
            .collect();
        let device_ms = (0..self.devices())
            .map(|k| comm_ms[k] + self.compute_ms(v, k, part(k) as f64 / length as f64));
        OpCost {
            device_ms: device_ms.collect(),
            comm_ms,
            volume,
        }
    }

    fn weights(&self, v: usize) -> f64 {
        match self.op(v).kind == "gemm" && !self.gemm_weights {
            true => 0.0,
            false => self.op(v).w as f64,
        }
    }

    /// What each device holds while v runs.
    pub fn memory(&self, v: usize, plan: &Plan) -> Vec<f64> {
        let done = self.before(v);
        let share = |u: usize, k: usize| {
            let length = self.class(u, plan.dims[u]).1;
            (plan.x[u][k + 1] - plan.x[u][k]) as f64 / length as f64
        };
        let held = |k: usize| {
            let mut sum = 0.0;
            for t in self.live(&done) {
                sum += self.bytes(t) * if t < 0 { 1.0 } else { share(t as usize, k) };
            }
            for u in self.predecessors(v) {
                sum += self.missing(v, u, k, plan);
            }
            let own = share(v, k);
            if own > 0.0 {
                let by_rows = self.class(v, plan.dims[v]).0 == Class::Row;
                sum += self.weights(v) * if by_rows { 1.0 } else { own };
            }
            if !self.is_in_place(v, &done) {
                sum += self.op(v).out as f64 * own;
            }
            sum
        };
        (0..self.devices()).map(held).collect()
    }

    /// k1, k2 and the most parts.
    pub fn rule(&self, v: usize) -> (f64, f64, f64) {
        let all: f64 = self.limits.iter().sum();
        let live: f64 = self
            .live(&self.before(v))
            .iter()
            .map(|t| self.bytes(*t))
            .sum();
        let read: f64 = self.src(v).iter().map(|t| self.bytes(*t)).sum();
        let others = live - read;
        let (w, out) = (self.op(v).w as f64, self.op(v).out as f64);
        let k1 = match read == 0.0 {
            true => 1e9,
            false => ((all - others - w - out) / read).floor().clamp(0.0, 1e9),
        };
        let k2 = match w == 0.0 {
            true => 1e9,
            false => ((all - others - read - out) / w).floor().clamp(0.0, 1e9),
        };
        let most = if self.op(v).kind == "conv" {
            k1.max(k2)
        } else {
            1e9
        };
        (k1, k2, most)
    }

    pub fn cv6(&self, v: usize, plan: &Plan) -> f64 {
        let active = plan.x[v]
            .windows(2)
            .filter(|ends| ends[0] != ends[1])
            .count();
        active as f64 - self.rule(v).2.min(self.devices() as f64)
    }

    pub fn violation(&self, plan: &Plan) -> f64 {
        let mut sum = 0.0;
        for v in 0..self.n() {
            sum += self.cv6(v, plan).max(0.0);
            for (held, limit) in self.memory(v, plan).iter().zip(&self.limits) {
                if held > limit {
                    sum += (held - limit) / limit;
                }
            }
        }
        sum
    }

    /// Shares in proportion over the devices of a mask.
    pub fn proportional(&self, length: u64, shares: &[f64], mask: u64) -> Vec<u64> {
        let share = |k: usize| if mask >> k & 1 == 1 { shares[k] } else { 0.0 };
        let all: f64 = (0..shares.len()).map(share).sum();
        let mut marks = vec![0];
        for k in 0..shares.len() {
            let sum: f64 = (0..=k).map(share).sum();
            marks.push((length as f64 * sum / all + 0.5).floor() as u64);
        }
        marks[shares.len()] = length;
        marks
    }

    /// Fused tiles: latency, and what each device holds while each operator runs.
    pub fn deepthings(&self) -> (f64, Vec<Vec<f64>>) {
        let dim = |v: usize| self.choices(v)[0];
        let is_long =
            |v: usize| self.class(v, dim(v)).0 == Class::Row && self.length(v, dim(v)) > 1;
        let fused = self
            .order
            .iter()
            .rposition(|v| is_long(*v))
            .map_or(0, |at| at + 1);
        let front: BTreeSet<usize> = self.order[..fused].iter().copied().collect();
        let leaves = |v: usize| self.consumers(v as i64).iter().any(|x| !front.contains(x));
        let equal = vec![1.0; self.devices()];
        let mut made: Vec<Vec<BTreeSet<u64>>> =
            vec![vec![BTreeSet::new(); self.devices()]; self.n()];
        for (k, _) in equal.iter().enumerate() {
            for at in (0..fused).rev() {
                let v = self.order[at];
                let length = self.length(v, dim(v));
                let mut rows: BTreeSet<u64> = BTreeSet::new();
                if at + 1 == fused || self.is_output(v) || leaves(v) {
                    let marks = self.proportional(length, &equal, u64::MAX);
                    rows.extend(marks[k]..marks[k + 1]);
                }
                for x in self.consumers(v as i64) {
                    let Some((a, b)) = made[x][k].first().zip(made[x][k].last()) else {
                        continue;
                    };
                    if !front.contains(&x) {
                        continue;
                    }
                    let need = self.needed(x, self.class(x, dim(x)).0, v, *a, *b + 1);
                    if self.class(v, dim(v)).0 == Class::Row {
                        rows.extend(need.iter().map(|row| *row as u64));
                    } else {
                        rows.extend(0..length);
                    }
                }
                if let Some((a, b)) = rows.first().copied().zip(rows.last().copied()) {
                    made[v][k] = (a..=b).collect();
                }
            }
        }
        let share = |v: usize, k: usize| made[v][k].len() as f64 / self.length(v, dim(v)) as f64;
        let tiles = (0..self.devices()).map(|k| {
            front
                .iter()
                .map(|v| self.compute_ms(*v, k, share(*v, k)))
                .sum::<f64>()
        });
        let gathered: f64 = front
            .iter()
            .filter(|v| leaves(**v))
            .map(|v| self.bytes(*v as i64) * (1.0 - share(*v, 0)))
            .sum();
        let rest: f64 = self.order[fused..]
            .iter()
            .map(|v| self.compute_ms(*v, 0, 1.0))
            .sum();
        let latency = tiles.fold(0.0, f64::max) + gathered / self.rate() + rest;
        let held = |v: usize, k: usize| {
            let done = self.before(v);
            let live = self.live(&done);
            let in_place = self.is_in_place(v, &done);
            let out = if in_place { 0.0 } else { self.op(v).out as f64 };
            if front.contains(&v) {
                let each = live.iter();
                let held = each.map(|t| match *t {
                    t if t < 0 => self.bytes(t),
                    t => self.bytes(t) * share(t as usize, k),
                });
                let works = !made[v][k].is_empty();
                let weights = if works { self.weights(v) } else { 0.0 };
                held.sum::<f64>() + weights + out * share(v, k)
            } else if k == 0 {
                live.iter().map(|t| self.bytes(*t)).sum::<f64>() + self.weights(v) + out
            } else {
                0.0
            }
        };
        let row = |v: usize| (0..self.devices()).map(|k| held(v, k)).collect();
        (latency, (0..self.n()).map(row).collect())
    }
}
