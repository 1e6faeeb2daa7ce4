//! Fused tiles (DeepThings: Zhao et al., IEEE TCAD 37(11), 2018, as MemoriaNova compares itself with it).
//!
//! The operators up to the last one that has several rows are fused: each device makes one of equally many rows of what
//! leaves them, and everything that it needs for that, by itself. Rows near the edges of tiles are therefore made more than
//! once, and nothing is sent until the end, when the first device gathers what the rest of the graph reads and runs it.
//! Convolutions go by height.

use crate::operators::split::{SplitTask, marks};
use engine::evaluate::slices::{LiveMemory, SliceClass, excess};
use engine::plan::Dim;

/// Rows [from, to), of a device.
pub type TileRows = (u32, u32);

/// A plan of fused tiles with what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Tiles {
    /// Along what operators are cut.
    pub dims: Vec<Dim>,
    /// Rows that each device computes, by operator. Ranges of devices overlap; after the fused operators the first device
    /// computes everything.
    pub made: Vec<Vec<TileRows>>,
    /// How many operators, from the first of the order on, are fused.
    pub fused: usize,
    /// How long each device works on the fused operators [ms].
    pub tile_ms: Vec<f64>,
    /// Bytes that the first device gathers.
    pub gathered_b: f64,
    /// How long that takes [ms].
    pub gather_ms: f64,
    /// How long the first device works on the rest [ms].
    pub rest_ms: f64,
    /// All of it [ms].
    pub latency_ms: f64,
    /// Memory of each device while each operator runs, by operator [bytes].
    pub mem: Vec<Vec<f64>>,
    /// The most that each device holds [bytes].
    pub peak_bytes: Vec<f64>,
    /// How far limits of memory are broken, each in its own measure; 0: none is.
    pub violation: f64,
}

/// The smallest range that covers both; an empty one covers nothing.
fn hull(a: TileRows, b: TileRows) -> TileRows {
    match (a.0 < a.1, b.0 < b.1) {
        (false, _) => b,
        (_, false) => a,
        _ => (a.0.min(b.0), a.1.max(b.1)),
    }
}

/// Makes the plan.
///
/// # Complexity
/// O((operators + operands) × devices).
#[must_use]
pub fn deepthings(task: &SplitTask<'_>) -> Tiles {
    let slices = &task.slices;
    let graph = slices.graph();
    let devices = slices.devices();
    let dims = slices.by_height();
    let lengths = slices.lengths(&dims);
    let is_rows = |v: usize| slices.class(v, dims[v]) == SliceClass::Row;
    let last = (task.order.iter()).rposition(|v| is_rows(*v as usize) && lengths[*v as usize] > 1);
    let fused = last.map_or(0, |last| last + 1);
    let (front, rest) = task.order.split_at(fused);
    let mut is_fused = vec![false; graph.len()];
    for v in front {
        is_fused[*v as usize] = true;
    }
    let is_gathered = |v: usize| {
        let mut consumers = graph.consumers(v).iter();
        consumers.any(|consumer| !is_fused[*consumer as usize])
    };

    let mut made: Vec<Vec<TileRows>> = vec![vec![(0, 0); devices]; graph.len()];
    for v in rest.iter().map(|v| *v as usize) {
        made[v][0] = (0, lengths[v]);
    }
    let equal = vec![1.0; devices];
    let mut tile = vec![0; devices + 1];
    let mut tile_ms = vec![0.0; devices];
    for (step, v) in front.iter().map(|v| *v as usize).enumerate().rev() {
        if step + 1 == fused || graph.is_output(v) || is_gathered(v) {
            marks(lengths[v], &equal, u64::MAX, &mut tile);
            for (range, ends) in made[v].iter_mut().zip(tile.windows(2)) {
                *range = hull(*range, (ends[0], ends[1]));
            }
        }
        for (k, range) in made[v].clone().into_iter().enumerate() {
            if range.0 == range.1 {
                continue;
            }
            for (u, needed) in slices.needs(v, dims[v], range) {
                let needed = if is_rows(u) { needed } else { (0, lengths[u]) };
                made[u][k] = hull(made[u][k], needed);
            }
        }
    }
    let share = |v: usize, k: usize| {
        let (from, to) = made[v][k];
        f64::from(to - from) / f64::from(lengths[v])
    };
    let time = |v: usize, k: usize, share: f64| {
        let (base, slope) = slices.times(v);
        slices.fleet().compute_ms(k, base + share * slope)
    };
    let mut gathered = 0.0;
    for v in (0..graph.len()).filter(|v| is_fused[*v]) {
        for (k, ms) in tile_ms.iter_mut().enumerate() {
            if made[v][k].0 < made[v][k].1 {
                *ms += time(v, k, share(v, k));
            }
        }
        if is_gathered(v) {
            gathered += graph.bytes(v) as f64 * (1.0 - share(v, 0));
        }
    }
    let rest_ms = (0..graph.len())
        .filter(|v| !is_fused[*v])
        .map(|v| time(v, 0, 1.0))
        .sum();
    let gather_ms = gathered / slices.fleet().bytes_per_ms();
    let slowest = tile_ms.iter().copied().fold(0.0, f64::max);

    let mut tiles = Tiles {
        mem: vec![vec![0.0; devices]; graph.len()],
        peak_bytes: vec![0.0; devices],
        violation: 0.0,
        latency_ms: slowest + gather_ms + rest_ms,
        dims,
        made,
        fused,
        tile_ms,
        gathered_b: gathered,
        gather_ms,
        rest_ms,
    };
    fill_memory(task, &lengths, &mut tiles);
    tiles
}

/// Computes the memory: of the fused operators the computed part of every live tensor, with weights and output of the running
/// one; of the rest everything, on the first device.
fn fill_memory(task: &SplitTask<'_>, lengths: &[u32], tiles: &mut Tiles) {
    let slices = &task.slices;
    let graph = slices.graph();
    let devices = slices.devices();
    let mut held =
        LiveMemory::new(graph, &task.order, devices).expect("the order of a task is checked");
    for (step, v) in task.order.iter().map(|v| *v as usize).enumerate() {
        let in_place = task.trace.in_place[step];
        if step >= tiles.fused {
            let uncounted = graph.op(v).w as f64 - slices.weights(v);
            tiles.mem[v][0] = task.trace.running[step] as f64 - uncounted;
        } else {
            held.enter(graph, step, |u, k| (tiles.made[u][k], lengths[u]));
            for k in 0..devices {
                let (from, to) = tiles.made[v][k];
                let share = f64::from(to - from) / f64::from(lengths[v]);
                let weights = if from < to { slices.weights(v) } else { 0.0 };
                let out = if in_place {
                    0.0
                } else {
                    graph.bytes(v) as f64 * share
                };
                tiles.mem[v][k] = held.live(k) + weights + out;
            }
        }
        for (k, limit) in slices.fleet().limits().iter().enumerate() {
            let held = tiles.mem[v][k];
            tiles.peak_bytes[k] = tiles.peak_bytes[k].max(held);
            tiles.violation += excess(held, *limit);
        }
    }
}
