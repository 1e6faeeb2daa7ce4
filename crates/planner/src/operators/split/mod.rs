//! Answers about operators cut over devices: what is known at once, and the pieces of the searches that run for longer.
//!
//! A search comes in pieces so that several workers share it: chains of the default search know nothing of each other, and
//! islands of the paper's search are handed over whole between two exchanges. The caller combines the subtasks, in
//! the order of their numbers and never in that of their arrival, so that every machine comes to the same split.

mod subtasks;

pub use subtasks::{
    AnnealChain, DeviceChange, DeviceVariant, GeneticIsland, LeastLimits, exchange,
};
pub(super) use subtasks::{chain, island, quick, variant};

use engine::evaluate::slices::{Rule, Score, Slices};
use engine::graph::Graph;
use engine::plan::{OperatorOrder, Partition};
use engine::problem::Invalid;
use engine::scenario::operators::{Dims, Scenario};
use methods::operators::split::baseline::{coedge, deepthings, local};
use methods::operators::split::library::start;
use methods::operators::split::{DimPolicy, SplitTask, bound, factor, proportional};
use serde::{Deserialize, Serialize};

/// Method that makes a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Maker {
    /// The default search.
    Best,
    /// The paper's genetic search, GenEFlow.
    Ga,
    /// For each operator the best subset of the devices, convolutions by height.
    Coedge,
    /// Fused tiles.
    Deepthings,
    /// In proportion to speed, along the dimensions of the rule.
    Proportional,
    /// One device for everything.
    Local,
}

/// A split and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Cut {
    /// Method that made the split.
    pub maker: Maker,
    /// The split; `None` where rows are made more than once, so that no marks tell who makes what.
    pub partition: Option<Partition>,
    /// The referee's figures of it.
    pub score: Option<Score>,
    /// Latency by the method's own count [ms]; the evaluator's value where there is one.
    pub latency_ms: f64,
    /// True if it keeps every limit.
    pub is_feasible: bool,
    /// By what all limits would have to be multiplied for it to keep them: 1 if it does. None where no factor helps, or
    /// where no marks tell who makes what.
    pub factor: Option<f64>,
}

/// Splits that need no search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Splits {
    /// Dimension that the rule cuts, by operator.
    pub rules: Vec<Rule>,
    /// No split takes less [ms].
    pub bound_ms: f64,
    /// A split that is good enough to be shown while a better one is looked for.
    pub start: Cut,
    /// The baselines: CoEdge, in proportion, DeepThings, one device.
    pub others: Vec<Cut>,
    /// Each device alone [ms].
    pub alone_ms: Vec<f64>,
}

/// A scenario's split in an order, as methods take it.
///
/// # Errors
/// The field at fault.
///
/// # Complexity
/// O(operators + operands).
pub fn task<'a>(
    scenario: &Scenario,
    graph: &'a Graph,
    order: &OperatorOrder,
) -> Result<SplitTask<'a>, Invalid> {
    let split = &scenario.split;
    let slices = Slices::new(graph, split.fleet()?, &split.times(), split.gemm_weights)
        .map_err(|fault| fault.within("split"))?;
    let policy = match split.dims {
        Dims::Free => DimPolicy::Free,
        Dims::Rule | Dims::Printed => DimPolicy::Rule(split.dims.reading().unwrap_or_default()),
    };
    SplitTask::new(slices, order.clone(), policy)
}

/// A plan with the referee's word on it.
///
/// # Complexity
/// O((operators + operands) × devices); some times that if it breaks limits.
#[must_use]
pub fn cut(task: &SplitTask<'_>, maker: Maker, partition: Partition) -> Cut {
    let score = task.score(&partition);
    Cut {
        maker,
        factor: factor(task, &partition),
        partition: Some(partition),
        latency_ms: score.latency_ms,
        is_feasible: score.is_feasible(),
        score: Some(score),
    }
}

/// The best of some splits: what keeps all limits before what does not, the fastest of those; of the others the nearest,
/// whose limits would have to grow least, and of equally near ones the fastest. Of equal ones the first.
pub fn best<'a>(all: impl IntoIterator<Item = &'a Cut>) -> Option<&'a Cut> {
    let key = |cut: &Cut| {
        let factor = cut.factor.unwrap_or(f64::INFINITY);
        (if cut.is_feasible { 0.0 } else { factor }, cut.latency_ms)
    };
    all.into_iter()
        .reduce(|best, cut| if key(cut) < key(best) { cut } else { best })
}

/// Computes the splits that need no search.
pub(super) fn splits(
    scenario: &Scenario,
    graph: &Graph,
    order: &OperatorOrder,
) -> Result<Splits, Invalid> {
    let task = task(scenario, graph, order)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let even = cut(
        &task,
        Maker::Proportional,
        proportional(&task, task.dims(), everybody),
    );
    let alone = local(&task);
    let tiles = deepthings(&task);
    let fused = Cut {
        maker: Maker::Deepthings,
        partition: None,
        score: None,
        latency_ms: tiles.latency_ms,
        is_feasible: tiles.violation == 0.0,
        factor: None,
    };
    // The paper's figure for one device is the mean over all of them.
    let one = Cut {
        maker: Maker::Local,
        partition: None,
        score: None,
        latency_ms: alone.mean_ms,
        is_feasible: alone.quickest().is_some(),
        factor: None,
    };
    let start = cut(&task, Maker::Best, start(&task).plan().clone());
    let subsets = coedge(&task).ok();
    let subsets = subsets.map(|found| cut(&task, Maker::Coedge, found.plan));
    Ok(Splits {
        rules: task.rules.clone(),
        bound_ms: bound(&task),
        others: subsets.into_iter().chain([even, fused, one]).collect(),
        start,
        alone_ms: alone.alone_ms,
    })
}
