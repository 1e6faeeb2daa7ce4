//! An answer about an operator graph as charts: what orders hold step by step, the graph itself, addresses of tensors, operators
//! cut over devices, the search for cuts, other devices.

use super::{Curve, PartSummary, SplitPiece, SplitSummary, method_name};
use chart::{
    ArenaPicture, ArenaTensor, GraphInput, GraphLayout, GraphOp, GraphPicture, LineChart,
    MemoryChart, MemoryLine, Series, SeriesRole, SlicePart, SlicePicture, SliceStep, StepParts,
    place_graph,
};
use engine::evaluate::operators::{Lifetime, lifetimes};
use engine::graph::{Graph, OperatorKind, Weights};
use engine::plan::{Arena, Dim};
use engine::scenario::operators::{Scenario, presets};
use planner::operators::{AnnealChain, DeviceChange, DeviceVariant, GeneticIsland, Ordered, Plan};
use std::sync::Arc;

/// An order as a line, while operators run or between them; the parts of a step are added if `in_parts`.
///
/// # Complexity
/// O(operators).
fn memory_line(graph: &Graph, ordered: &Ordered, between: bool, in_parts: bool) -> MemoryLine {
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
            weights: graph.resident_weights(v) as f64,
            output: op.out as f64,
            in_place: trace.in_place[step],
        }
    };
    MemoryLine {
        name: method_name(ordered.method).to_owned(),
        memory_b: held.iter().map(|bytes| *bytes as f64).collect(),
        ops: order().map(|(_, v)| graph.op_name(v)).collect(),
        step_parts: if in_parts && !between {
            order().map(part).collect()
        } else {
            Vec::new()
        },
    }
}

/// All orders of an answer, ours first, at the step that holds the most: while operators run, or `between` them.
#[must_use]
pub fn memory(scenario: &Scenario, graph: &Graph, plan: &Plan, between: bool) -> MemoryChart {
    let orders = plan.ours.iter().chain(&plan.others).enumerate();
    let lines = orders.map(|(at, ordered)| memory_line(graph, ordered, between, at == 0));
    let main = plan.ours.iter().chain(&plan.others).next();
    MemoryChart {
        view: None,
        orders: Arc::new(lines.collect()),
        limit: scenario.limit_bytes().map(|bytes| bytes as f64),
        step: main.map(|main| main.trace.peak_step()),
        between,
    }
}

/// `64 × 56 × 56`; nothing where there is no shape.
fn shape_words(shape: &[u64]) -> String {
    let all: Vec<String> = shape.iter().map(u64::to_string).collect();
    all.join(" \u{d7} ")
}

/// The operators of a graph with the steps of an order during which their outputs are held, at the step that holds the most.
///
/// # Complexity
/// O(operators + operands).
#[must_use]
pub fn steps(graph: &Graph, ordered: &Ordered) -> GraphPicture {
    let n = graph.len();
    let mut step = vec![0; n];
    for (at, v) in ordered.order.iter().enumerate() {
        step[*v as usize] = at;
    }
    let mut until = step.clone();
    let input = |t: usize| GraphInput {
        name: graph.tensor_name(t),
        bytes: graph.bytes(t) as f64,
        until: None,
    };
    let mut inputs: Vec<GraphInput> = (n..graph.tensors()).map(input).collect();
    for life in lifetimes(graph, &ordered.order).unwrap_or_default() {
        let (t, to) = (life.tensor as usize, life.to as usize);
        match until.get_mut(t) {
            Some(until) => *until = to,
            None => inputs[t - n].until = Some(to),
        }
    }
    let operator = |v: usize| {
        let op = graph.op(v);
        GraphOp {
            name: graph.op_name(v),
            kind: op.kind.name().to_owned(),
            is_pool: op.kind == OperatorKind::Pool,
            shape: shape_words(&op.shape),
            out: op.out as f64,
            weights: op.w as f64,
            preds: graph.src(v).to_vec(),
            step: step[v],
            until: until[v],
            is_output: graph.is_output(v),
            in_place: ordered.trace.in_place[step[v]],
        }
    };
    GraphPicture {
        ops: Arc::new((0..n).map(operator).collect()),
        inputs: Arc::new(inputs),
        resident: match graph.weights_rule() {
            Weights::PerOperator => None,
            Weights::Resident => Some(graph.resident() as f64),
        },
        step: Some(ordered.trace.peak_step()),
        view: None,
    }
}

/// Returns the picture of a graph and the positions of its operators.
///
/// # Complexity
/// The complexity of [`chart::place_graph`].
#[must_use]
pub fn graph(graph: &Graph, ordered: &Ordered) -> (GraphPicture, Arc<GraphLayout>) {
    let picture = steps(graph, ordered);
    let layout = Arc::new(place_graph(&picture.ops));
    (picture, layout)
}

/// The tensors of an order with their places.
///
/// # Complexity
/// O(tensors × shared places).
fn tensors(graph: &Graph, ordered: &Ordered, arena: &Arena) -> Vec<ArenaTensor> {
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

/// Operators cut over devices, at no step.
///
/// # Complexity
/// O((operators + operands) × devices).
#[must_use]
pub fn slices(summary: &SplitSummary<'_>) -> SlicePicture {
    let part = |part: PartSummary| SlicePart {
        received: part.received,
        comm_ms: part.comm_ms,
        compute_ms: part.compute_ms,
        memory_b: part.memory_b,
    };
    let step = |piece: SplitPiece| SliceStep {
        by_channels: piece.dim == Dim::Cout,
        dim: piece.dim.name().to_owned(),
        unit: piece.unit.to_owned(),
        comm_ms: piece.comm_ms,
        compute_ms: piece.ms - piece.comm_ms,
        sent_b: piece.sent_b,
        device_parts: summary
            .device_parts(piece.op)
            .into_iter()
            .map(part)
            .collect(),
        name: piece.name,
        marks: piece.marks,
    };
    SlicePicture {
        devices: Arc::new(summary.names()),
        limits: Arc::new(summary.limits()),
        steps: Arc::new(summary.operator_slices().into_iter().map(step).collect()),
        step: None,
        view: None,
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
pub fn chains<'a>(chains: impl IntoIterator<Item = &'a AnnealChain>) -> Vec<Curve> {
    let of = |chain: &AnnealChain| {
        let name = format!("Chain {}", chain.chain + 1);
        curve(name, &chain.curve, chain.moves)
    };
    chains.into_iter().map(of).collect()
}

/// The islands of the paper's search.
#[must_use]
pub fn islands<'a>(islands: impl IntoIterator<Item = &'a GeneticIsland>) -> Vec<Curve> {
    let of = |island: &GeneticIsland| {
        let name = format!("Island {}", island.at + 1);
        curve(name, &island.curve, f64::from(island.generation))
    };
    islands.into_iter().map(of).collect()
}

/// How searches come nearer to the bound \[ms\]: over their moves, or over generations.
#[must_use]
pub fn convergence(curves: &[Curve], is_ga: bool, bound: f64) -> LineChart {
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
    LineChart {
        title: format!("Best split so far over {}", x_title.to_ascii_lowercase()),
        x_title: x_title.to_owned(),
        y_title: "All operators".to_owned(),
        y_unit: "ms".to_owned(),
        decimals: 2,
        now: None,
        limit: None,
        series,
        ..LineChart::default()
    }
}

/// Over what other devices are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceRange {
    /// The number of devices.
    Devices,
    /// So much memory on each.
    Memory,
    /// The configurations of Fig. 11.
    Factors,
}

impl DeviceRange {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Devices, Self::Memory, Self::Factors];

    /// Describes the other devices in a sentence or two.
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

/// Where a change is on the axis.
#[must_use]
pub fn place(change: &DeviceChange) -> f64 {
    match change {
        DeviceChange::Devices(count) => f64::from(*count),
        DeviceChange::LimitMib(mib) => mib.unwrap_or(f64::INFINITY),
        DeviceChange::Factors(factors) => {
            let all = presets::CONFIGURATIONS.iter();
            let at = { all }.position(|own| own[..] == factors[..]);
            at.map_or(0.0, |at| at as f64 + 1.0)
        }
    }
}

/// A figure of a variant, where it keeps the limits.
type Figure = fn(&DeviceVariant) -> Option<f64>;

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
pub fn variants(range: DeviceRange, variants: &[DeviceVariant], now: Option<f64>) -> LineChart {
    let (title, x_title) = match range {
        DeviceRange::Devices => ("Time by number of devices", "Devices"),
        DeviceRange::Memory => (
            "Time by memory of each device",
            "Memory of each device, MiB",
        ),
        DeviceRange::Factors => (
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
    LineChart {
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
        ..LineChart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::steps::{StepSummary, formula, step_words, tensor_bytes};
    use engine::evaluate::operators::trace;
    use engine::scenario::operators::presets::table_2;
    use planner::operator_order::Method;

    fn ordered(graph: &Graph, order: [u32; 4]) -> Ordered {
        let trace = trace(graph, &order).expect("an order");
        Ordered {
            method: Method::Exact,
            sum: trace.sum(),
            peak: trace.peak(),
            table4: trace.table4_sum(),
            order: order.into(),
            trace,
        }
    }

    #[test]
    fn every_step_of_table_2_adds_up_to_what_the_referee_says() {
        let graph = Graph::new(table_2()).expect("a graph");
        for order in [[0, 1, 2, 3], [0, 2, 1, 3], [2, 0, 1, 3]] {
            let ordered = ordered(&graph, order);
            let picture = steps(&graph, &ordered);
            for step in 0..4 {
                let summary = StepSummary::of(&picture, step).expect("a step");
                assert_eq!(summary.running(), ordered.trace.running[step]);
                assert_eq!(summary.live_b, ordered.trace.interval[step]);
                assert_eq!(summary.after, ordered.trace.interval[step + 1]);
                let bytes = |t: &u32| tensor_bytes(&picture, *t as usize);
                assert_eq!(
                    summary.live_tensors.iter().map(bytes).sum::<u64>(),
                    summary.live_b
                );
            }
            assert_eq!(StepSummary::of(&picture, 4), None);
        }
    }

    #[test]
    fn a_sum_names_what_it_overwrites() {
        let graph = Graph::new(table_2()).expect("a graph");
        let picture = steps(&graph, &ordered(&graph, [0, 1, 2, 3]));
        let summary = StepSummary::of(&picture, 3).expect("a step");
        assert_eq!(summary.overwrites, Some(1));
        let words = step_words(&picture, &summary).to_string();
        assert!(words.contains("Its output overwrites Conv2."), "{words}");
        let (symbols, filled) = formula(&summary);
        assert_eq!(symbols, "Me = Mi + w, written in place");
        assert!(filled.contains("kept in 2 tensors"), "{filled}");
    }
}
