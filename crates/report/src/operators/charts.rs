//! An answer about an operator graph as charts: what orders hold step by step, the graph itself, addresses of tensors, operators
//! cut over devices, the search for cuts, other devices.

use super::split::names;
use super::{Curve, Piece, method_name};
use chart::{
    ArenaPicture, ArenaTensor, GraphLayout, GraphOp, GraphPicture, Lines, Memory, MemoryLine,
    Series, SeriesRole, SlicePicture, SliceStep, StepParts, place_graph,
};
use engine::evaluate::operators::{Lifetime, lifetimes};
use engine::graph::{Graph, Kind};
use engine::plan::{Arena, Dim};
use engine::scenario::operators::{Scenario, presets};
use job::operators::{Chain, Change, Island, Ordered, Plan, Variant};
use std::sync::Arc;

/// An order as a line, while operators run or between them; what a step is made of is told where `in_parts` asks for it.
///
/// # Complexity
/// O(operators).
#[must_use]
pub fn memory_line(graph: &Graph, ordered: &Ordered, between: bool, in_parts: bool) -> MemoryLine {
    let trace = &ordered.trace;
    let held = if between {
        &trace.interval
    } else {
        &trace.running
    };
    let order = || ordered.order.iter().map(|v| *v as usize).enumerate();
    let part = |(step, v): (usize, usize)| {
        let op = graph.op(v);
        StepParts {
            kind: op.kind.name().to_owned(),
            before: (trace.interval[step] - graph.resident()) as f64,
            weights: graph.weights_beside(v) as f64,
            output: op.out as f64,
            in_place: trace.in_place[step],
        }
    };
    MemoryLine {
        name: method_name(ordered.method).to_owned(),
        held: held.iter().map(|bytes| *bytes as f64).collect(),
        ops: order().map(|(_, v)| graph.op_name(v)).collect(),
        parts: if in_parts && !between {
            order().map(part).collect()
        } else {
            Vec::new()
        },
    }
}

/// All orders of an answer while operators run, ours first, at the step that holds the most.
#[must_use]
pub fn memory(scenario: &Scenario, graph: &Graph, plan: &Plan) -> Memory {
    let orders = plan.ours.iter().chain(&plan.others).enumerate();
    let lines = orders.map(|(at, ordered)| memory_line(graph, ordered, false, at == 0));
    let main = plan.ours.iter().chain(&plan.others).next();
    Memory {
        view: None,
        orders: Arc::new(lines.collect()),
        limit: scenario.limit_bytes().map(|bytes| bytes as f64),
        step: main.map(|main| main.trace.peak_step()),
        between: false,
    }
}

/// `64 × 56 × 56`; nothing where there is no shape.
#[must_use]
pub fn shape_words(shape: &[u64]) -> String {
    let all: Vec<String> = shape.iter().map(u64::to_string).collect();
    all.join(" \u{d7} ")
}

/// The operators of a graph with the steps of an order during which their outputs are held.
///
/// # Complexity
/// O(operators + operands).
#[must_use]
pub fn operators(graph: &Graph, ordered: &Ordered) -> Vec<GraphOp> {
    let n = graph.len();
    let mut step = vec![0; n];
    for (at, v) in ordered.order.iter().enumerate() {
        step[*v as usize] = at;
    }
    let mut until = step.clone();
    for life in lifetimes(graph, &ordered.order).unwrap_or_default() {
        if let Some(until) = until.get_mut(life.tensor as usize) {
            *until = life.to as usize;
        }
    }
    let operator = |v: usize| {
        let op = graph.op(v);
        let reads = graph.src(v).iter().copied();
        GraphOp {
            name: graph.op_name(v),
            kind: op.kind.name().to_owned(),
            is_pool: op.kind == Kind::Pool,
            shape: shape_words(&op.shape),
            out: op.out as f64,
            weights: op.w as f64,
            preds: reads.filter(|t| (*t as usize) < n).collect(),
            step: step[v],
            until: until[v],
        }
    };
    (0..n).map(operator).collect()
}

/// The graph at the step that holds the most, and where its operators stand.
///
/// # Complexity
/// That of [`chart::place_graph`].
#[must_use]
pub fn graph(graph: &Graph, ordered: &Ordered) -> (GraphPicture, Arc<GraphLayout>) {
    let ops = operators(graph, ordered);
    let layout = Arc::new(place_graph(&ops));
    let picture = GraphPicture {
        view: None,
        ops: Arc::new(ops),
        step: Some(ordered.trace.peak_step()),
    };
    (picture, layout)
}

/// The tensors of an order with their places.
///
/// # Complexity
/// O(tensors × shared places).
#[must_use]
pub fn tensors(graph: &Graph, ordered: &Ordered, arena: &Arena) -> Vec<ArenaTensor> {
    let tensor = |life: Lifetime| {
        let t = life.tensor as usize;
        let offset = arena.offsets.get(t).copied().flatten();
        let mut shared = arena.shared.iter();
        let over = shared.find(|(output, _)| *output == life.tensor);
        ArenaTensor {
            name: graph.tensor_name(t),
            bytes: graph.bytes(t) as f64,
            offset: offset.map(|offset| offset as f64),
            from: life.from as usize,
            to: life.to as usize,
            in_place_of: over.map(|(_, source)| graph.tensor_name(*source as usize)),
        }
    };
    let lives = lifetimes(graph, &ordered.order).unwrap_or_default();
    lives.into_iter().map(tensor).collect()
}

/// Where the tensors of an order lie, at the step that holds the most.
#[must_use]
pub fn arena(graph: &Graph, ordered: &Ordered, arena: &Arena) -> ArenaPicture {
    ArenaPicture {
        view: None,
        tensors: Arc::new(tensors(graph, ordered, arena)),
        steps: graph.len(),
        size: arena.size as f64,
        bound: arena.bound as f64,
        step: Some(ordered.trace.peak_step()),
    }
}

/// Operators cut over devices, as they are drawn.
#[must_use]
pub fn slice_steps(pieces: &[Piece]) -> Vec<SliceStep> {
    let step = |piece: &Piece| SliceStep {
        name: piece.name.clone(),
        unit: piece.unit.to_owned(),
        by_channels: piece.dim == Dim::Cout,
        marks: piece.marks.clone(),
        comm_ms: piece.comm_ms,
        compute_ms: piece.ms - piece.comm_ms,
        sent: piece.sent,
    };
    pieces.iter().map(step).collect()
}

/// The same with the devices, at no step.
#[must_use]
pub fn slices(scenario: &Scenario, pieces: &[Piece]) -> SlicePicture {
    SlicePicture {
        view: None,
        devices: Arc::new(names(scenario)),
        steps: Arc::new(slice_steps(pieces)),
        step: None,
    }
}

const ROLES: [SeriesRole; 5] = [
    SeriesRole::Ours,
    SeriesRole::A,
    SeriesRole::B,
    SeriesRole::C,
    SeriesRole::D,
];

/// How a line of a chain or an island looks.
fn role(at: usize) -> SeriesRole {
    let more = || SeriesRole::More((at - ROLES.len()) as u8);
    ROLES.get(at).copied().unwrap_or_else(more)
}

/// How a piece of a search came nearer, up to where it is.
fn curve(name: String, points: &[(f64, f64)], now: f64) -> Curve {
    let mut points = points.to_vec();
    if let Some((_, ms)) = points.last().copied().filter(|last| last.0 < now) {
        points.push((now, ms));
    }
    Curve { name, points }
}

/// The chains of the search for a split.
#[must_use]
pub fn chains<'a>(chains: impl IntoIterator<Item = &'a Chain>) -> Vec<Curve> {
    let of = |chain: &Chain| {
        let name = format!("Chain {}", chain.chain + 1);
        curve(name, &chain.curve, chain.moves)
    };
    chains.into_iter().map(of).collect()
}

/// The islands of the paper's search.
#[must_use]
pub fn islands<'a>(islands: impl IntoIterator<Item = &'a Island>) -> Vec<Curve> {
    let of = |island: &Island| {
        let name = format!("Island {}", island.at + 1);
        curve(name, &island.curve, f64::from(island.generation))
    };
    islands.into_iter().map(of).collect()
}

/// How searches come nearer to the bound \[ms\]: over their moves, or over generations.
#[must_use]
pub fn convergence(curves: &[Curve], is_ga: bool, bound: f64) -> Lines {
    let x_title = if is_ga { "Generations" } else { "Moves" };
    let points = |curve: &Curve| curve.points.iter().map(|(x, ms)| (*x, Some(*ms))).collect();
    let series = curves.iter().enumerate().map(|(at, curve)| Series {
        name: curve.name.clone(),
        role: role(at),
        points: points(curve),
    });
    let mut series: Vec<Series> = series.collect();
    let ends = curves.iter().filter_map(|curve| curve.points.last());
    let last = ends.map(|point| point.0).fold(0.0, f64::max);
    if !series.is_empty() && bound > 0.0 {
        series.push(Series {
            name: "Bound".to_owned(),
            role: SeriesRole::More(1),
            points: vec![(0.0, Some(bound)), (last.max(1.0), Some(bound))],
        });
    }
    Lines {
        title: format!("Best split so far over {}", x_title.to_lowercase()),
        x_title: x_title.to_owned(),
        y_title: "All operators".to_owned(),
        y_unit: "ms".to_owned(),
        decimals: 2,
        now: None,
        limit: None,
        series,
        ..Lines::default()
    }
}

/// Over what other devices are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// So many devices.
    Devices,
    /// So much memory on each.
    Memory,
    /// The configurations of Fig. 11.
    Factors,
}

impl Range {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Devices, Self::Memory, Self::Factors];

    /// What other devices these are, in a sentence or two.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Devices => {
                "The first devices of the fleet; beyond them, copies of the last. In Fig. 10 the minimum is at four devices. With \
                 a link for each device it does not appear for heavy models, because what one more device receives delays no \
                 other."
            }
            Self::Memory => {
                "The same limit on every device. Where a line is missing, that method found no split within it."
            }
            Self::Factors => {
                "Four devices with the factors of each configuration, from 0.8 on all to 0.3 on all; a lower factor means a \
                 faster device."
            }
        }
    }
}

/// Where a change stands on the axis.
#[must_use]
pub fn place(change: &Change) -> f64 {
    match change {
        Change::Devices(count) => f64::from(*count),
        Change::LimitMib(mib) => mib.unwrap_or(f64::INFINITY),
        Change::Factors(factors) => {
            let all = presets::CONFIGURATIONS.iter();
            let at = { all }.position(|own| own[..] == factors[..]);
            at.map_or(0.0, |at| at as f64 + 1.0)
        }
    }
}

/// A figure of a variant, where it keeps the limits.
type Figure = fn(&Variant) -> Option<f64>;

const SERIES: [(&str, SeriesRole, Figure); 4] = [
    ("Edgewise", SeriesRole::Ours, |v| {
        v.best_fits.then_some(v.best_ms)
    }),
    ("CoEdge", SeriesRole::A, |v| {
        v.coedge_ms.filter(|_| v.coedge_fits)
    }),
    ("Proportional", SeriesRole::B, |v| {
        v.proportional_fits.then_some(v.proportional_ms)
    }),
    ("Bound", SeriesRole::D, |v| Some(v.bound_ms)),
];

/// The time over other devices; `now` is the place of the scenario's own.
#[must_use]
pub fn variants(range: Range, variants: &[Variant], now: Option<f64>) -> Lines {
    let (title, x_title) = match range {
        Range::Devices => ("Time by number of devices", "Devices"),
        Range::Memory => (
            "Time by memory of each device",
            "Memory of each device, MiB",
        ),
        Range::Factors => (
            "Time by configuration of Fig. 11",
            "Configuration of Fig. 11",
        ),
    };
    let points = |figure: Figure| variants.iter().map(move |v| (place(&v.change), figure(v)));
    let series = SERIES.into_iter().map(|(name, role, figure)| Series {
        name: name.to_owned(),
        role,
        points: points(figure).collect(),
    });
    Lines {
        title: title.to_owned(),
        x_title: x_title.to_owned(),
        y_title: "All operators".to_owned(),
        y_unit: "ms".to_owned(),
        decimals: 1,
        now,
        limit: None,
        series: if variants.is_empty() {
            Vec::new()
        } else {
            series.collect()
        },
        ..Lines::default()
    }
}
