//! Problem files of a split of operators over devices: `{"graph" or "onnx":path,"profile":{"op_ms","gflops","gbs"},
//! "cflops":[..n],"limits":[bytes..n],"mbps","dims":"rule|free"|["fmh|cout|len" per op],"order"?:[…]}`, and for `evaluate`
//! the `"X":[[0,…,length]…]`.
//!
//! Beyond that a document may have `"table":[[ms, ms]…]`, measured times in place of `profile`; `"link":"shared"`, where
//! all devices share the bandwidth; `"gemm_weights":false`, for which products of matrices hold no weights; and
//! `"reading":"printed"`, the rule as the paper prints it. A limit of null is none. `"weights"` can only be
//! `"per-operator"`: with resident weights an order can be found, a split cannot.

use super::{Answered, Open, Output};
use crate::Status;
use crate::operator_partition::{Answer, Evaluation, answer, evaluate};
use engine::evaluate::slices::Slices;
use engine::graph::{Document, Graph, Objective, Weights};
use engine::plan::{Dim, OperatorOrder, Partition};
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::problem::{Code, Invalid, json};
use engine::scenario::operators::presets::boards;
use engine::solve::{Limits, NoProgress, Progress, SearchEvent};
use methods::operators::order;
use methods::operators::split::{DimPolicy, SplitTask};
use serde::Deserialize;
use serde_json::Value;
use std::ops::ControlFlow;

pub use crate::operator_partition::{FirstPopulation, Genetic, Method, PartitionOptions};

/// The places where an object stands, for [`json::read`].
const OBJECTS: [&str; 4] = ["", "graph", "graph.ops[]", "profile"];

/// Operators that are cut over devices.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    schemars(extend("oneOf" = [{"required": ["graph"]}, {"required": ["onnx"]}]))
)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Problem {
    /// Copied to the answer; anything.
    id: Option<Value>,
    /// The graph.
    graph: Option<Document>,
    /// An ONNX file in the place of `graph`: its path, and over HTTP the name of a part of the same request.
    onnx: Option<String>,
    /// How long operators take by a formula; left out: a fit to the measurements of the paper.
    profile: Option<Profile>,
    /// Measured times in the place of `profile`, for each operator what every part takes and what the whole takes
    /// besides [ms]; each from 0 to 1e100.
    table: Option<Vec<[f64; 2]>>,
    /// How many times as long each device takes as a Raspberry Pi 3; each from 1e-100 to 1e100.
    cflops: Vec<f64>,
    /// Memory of each device [B], `null` for no limit; each 0 or above.
    limits: Vec<Option<f64>>,
    /// Bandwidth of a link [10^6 bit/s]; from 1e-100 to 1e100.
    mbps: f64,
    /// Whose capacity a transfer takes.
    #[serde(default)]
    link: Link,
    /// Along what convolutions are cut: `free`, `rule`, or for each operator `fmh`, `cout` or `len`.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        schemars(extend("anyOf" = [
            {"enum": ["free", "rule", null]},
            {"type": "array", "items": {"enum": ["fmh", "cout", "len"]}},
        ]))
    )]
    dims: Option<Value>,
    /// How the rule is read; only with `dims` as `rule`.
    reading: Option<Reading>,
    /// True if products of matrices hold all their weights on every device that computes rows of them; left out: yes.
    gemm_weights: Option<bool>,
    /// How long weights are in memory: only `per-operator`, since a split with resident weights cannot be found.
    #[serde(default)]
    weights: Weights,
    /// The order in which operators run; left out: that of the least sum of what is held.
    order: Option<OperatorOrder>,
    /// Cuts to be scored, for each operator `[0, …, length]`, a mark more than there are devices.
    X: Option<Vec<Vec<u64>>>,
}

impl Answered for Answer {
    fn status(&self) -> Option<Status> {
        Some(self.status)
    }
}

impl Answered for Evaluation {
    fn status(&self) -> Option<Status> {
        None
    }
}

/// Along what a document wants operators to be cut.
#[derive(Debug)]
enum Dims {
    Free,
    Rule,
    Given(Vec<Dim>),
}

/// Solves one document; `open` reads the ONNX file that it names.
///
/// # Errors
/// Names the field at fault, what it holds and what is allowed.
pub fn solve(
    text: &str,
    options: &PartitionOptions,
    open: Open<'_>,
    progress: &mut impl Progress<Partition>,
) -> Result<Output<Answer>, Invalid> {
    let mut problem: Problem = json::read(text, &OBJECTS)?;
    if problem.X.is_some() {
        let message = "X is not a field here: given cuts are scored by `evaluate`";
        return Err(Invalid::new(Code::Unknown, "X", Value::Null, message));
    }
    let graph = graph(&mut problem, open)?;
    let policy = match dims(&problem)? {
        Dims::Free => DimPolicy::Free,
        Dims::Rule => DimPolicy::Rule(problem.reading.unwrap_or_default()),
        Dims::Given(dims) => DimPolicy::Given(dims),
    };
    let id = problem.id.take();
    let task = task(&graph, &problem, policy, progress)?;
    Ok(Output {
        id,
        answer: answer(&task, options, progress)?,
    })
}

/// Solves a graph that came from elsewhere, over the four devices of the paper's Table 3.
///
/// # Errors
/// A graph that cannot be cut.
pub fn of_graph(
    graph: &Graph,
    options: &PartitionOptions,
    progress: &mut impl Progress<Partition>,
) -> Result<Output<Answer>, Invalid> {
    let table_3 = boards();
    let slices = Slices::new(
        graph,
        table_3.fleet()?,
        &table_3.times(),
        table_3.gemm_weights,
    )?;
    let task = SplitTask::new(slices, least_sum(graph, progress), DimPolicy::Free)?;
    Ok(Output {
        id: None,
        answer: answer(&task, options, progress)?,
    })
}

/// Scores the cuts that a document gives. Without dimensions each convolution is cut along the one that its marks end at.
///
/// # Errors
/// As [`solve`]; cuts that are none are bad input at `X[v][i]`.
pub fn score(text: &str, open: Open<'_>) -> Result<Output<Evaluation>, Invalid> {
    let mut problem: Problem = json::read(text, &OBJECTS)?;
    let Some(rows) = problem.X.take() else {
        let message = "X is missing: `evaluate` scores given cuts";
        return Err(Invalid::new(Code::Missing, "X", Value::Null, message));
    };
    let graph = graph(&mut problem, open)?;
    let wished = dims(&problem)?;
    let policy = match &wished {
        Dims::Given(dims) => DimPolicy::Given(dims.clone()),
        _ => DimPolicy::Rule(problem.reading.unwrap_or_default()),
    };
    let id = problem.id.take();
    let task = task(&graph, &problem, policy, &mut NoProgress)?;
    let mut dims = task.dims();
    if matches!(wished, Dims::Free) {
        for (v, row) in rows.iter().enumerate().take(graph.len()) {
            let ends_at = |dim: Dim| row.last() == Some(&u64::from(task.slices.length(v, dim)));
            if !ends_at(dims[v]) {
                dims[v] = task
                    .slices
                    .choices(v)
                    .find(|dim| ends_at(*dim))
                    .unwrap_or(dims[v]);
            }
        }
    }
    let cuts = task.slices.read_cuts(&dims, &rows)?;
    let task = SplitTask {
        fixed: Some(dims.clone()),
        ..task
    };
    Ok(Output {
        id,
        answer: evaluate(&task, &Partition { dims, cuts }),
    })
}

/// The graph of a document, taken out of it.
fn graph(problem: &mut Problem, open: Open<'_>) -> Result<Graph, Invalid> {
    let graph = match (problem.graph.take(), &problem.onnx) {
        (Some(document), None) => Graph::new(document).map_err(|fault| fault.within("graph")),
        (None, Some(path)) => open(path),
        (Some(_), Some(path)) => {
            let message = "onnx cannot be combined with graph: give one of the two";
            Err(Invalid::new(Code::Unknown, "onnx", path.as_str(), message))
        }
        (None, None) => {
            let message = "graph is missing, and so is onnx, the path of a file that holds one";
            Err(Invalid::new(Code::Missing, "graph", Value::Null, message))
        }
    };
    graph?.with_weights(problem.weights)
}

fn dims(problem: &Problem) -> Result<Dims, Invalid> {
    const ALLOWED: &str =
        "\"free\", \"rule\", or a list of \"fmh\", \"cout\" or \"len\", one for each operator";
    let wrong = |value: &Value| Err(Invalid::range("dims", value.clone(), ALLOWED));
    let dims = match &problem.dims {
        None => Dims::Free,
        Some(Value::String(name)) if name == "free" => Dims::Free,
        Some(Value::String(name)) if name == "rule" => Dims::Rule,
        Some(Value::Array(names)) => {
            let read = |(v, name): (usize, &Value)| {
                let found = [Dim::Fmh, Dim::Cout, Dim::Len].into_iter();
                let mut found = found.filter(|dim| name.as_str() == Some(dim.name()));
                let allowed = "\"fmh\", \"cout\" or \"len\"";
                found
                    .next()
                    .ok_or_else(|| Invalid::range(format!("dims[{v}]"), name.clone(), allowed))
            };
            let dims: Result<Vec<Dim>, Invalid> = names.iter().enumerate().map(read).collect();
            Dims::Given(dims?)
        }
        Some(other) => return wrong(other),
    };
    if problem.reading.is_some() && !matches!(dims, Dims::Rule) {
        let message = "reading says how the rule is read and needs \"dims\":\"rule\"";
        return Err(Invalid::new(Code::Unknown, "reading", Value::Null, message));
    }
    Ok(dims)
}

fn task<'a>(
    graph: &'a Graph,
    problem: &Problem,
    policy: DimPolicy,
    progress: &mut impl Progress<Partition>,
) -> Result<SplitTask<'a>, Invalid> {
    let times = match (&problem.profile, &problem.table) {
        (Some(_), Some(_)) => {
            let message = "table cannot be combined with profile: give one of the two";
            return Err(Invalid::new(Code::Unknown, "table", Value::Null, message));
        }
        (_, Some(rows)) => TimeModel::Table(rows.clone()),
        (profile, None) => TimeModel::Profile(profile.unwrap_or(Profile::FITTED)),
    };
    let limits = problem
        .limits
        .iter()
        .map(|limit| limit.unwrap_or(f64::INFINITY));
    let fleet = Fleet::new(
        problem.cflops.clone(),
        limits.collect(),
        problem.mbps,
        problem.link,
    )?;
    let gemm_weights = problem.gemm_weights.unwrap_or(true);
    let slices = Slices::new(graph, fleet, &times, gemm_weights).map_err(|fault| {
        if fault.path.starts_with("ops") {
            fault.within("graph")
        } else {
            fault
        }
    })?;
    let order = match &problem.order {
        Some(order) => order.clone(),
        None => least_sum(graph, progress),
    };
    SplitTask::new(slices, order, policy)
}

/// The order of the least sum of what is held, or the best that is known of it when the time is up.
fn least_sum(graph: &Graph, progress: &mut impl Progress<Partition>) -> OperatorOrder {
    let mut listen = |event: SearchEvent<'_, OperatorOrder>| match event {
        SearchEvent::Step { done, of } => progress.report(SearchEvent::Step { done, of }),
        SearchEvent::Incumbent { .. } | SearchEvent::Bound(_) => ControlFlow::Continue(()),
    };
    let found = order::solve(graph, Objective::Sum, None, &Limits::default(), &mut listen);
    found.expect("without a limit there is an order").order
}
