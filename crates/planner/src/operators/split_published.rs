//! The split of the paper's section 4, model by model, computed here: the methods over the devices of Table 3, the size of
//! the search space (Table 6), what one device needs (Table 8), other numbers and mixes of devices (Fig. 10 and 11).
//!
//! Source: MemoriaNova, sections 4.3 to 4.5. Operators run in the order of the least sum of what is held. GenEFlow is the
//! paper's genetic search along the dimensions of the paper's rule, with fewer plans than the paper has and no end before its
//! last generation; the default search, which anneals, is beside it under its own name.

use engine::evaluate::operators::trace;
use engine::evaluate::slices::{SliceClass, Slices};
use engine::graph::{Graph, Objective, OperatorKind, catalogue};
use engine::plan::{Dim, OperatorOrder};
use engine::problem::Invalid;
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::solve::NoProgress;
use methods::operators::split::baseline::{coedge, deepthings, local};
use methods::operators::split::ga::{FirstPopulation, GaSize};
use methods::operators::split::{
    DimPolicy, Effort, SplitResult, SplitTask, best, bound, genetic, proportional,
};
use serde::{Deserialize, Serialize};

/// Bandwidth of Table 3 [10^6 bit/s].
const MBPS: f64 = 2000.0;
/// Memory of each device where the paper leaves memory aside [bytes].
const AMPLE: f64 = 5000.0 * 1_048_576.0;
/// Factors of Table 3.
const TABLE_3: [f64; 4] = [1.0, 1.0, 0.8, 0.8];
/// Factor of every device in Fig. 10.
const FIG_10: f64 = 0.5;
/// The models of Fig. 10 and 11.
pub const SCALED: [&str; 4] = ["vgg13", "resnet50", "mobilenetv3", "efficientnet_b0"];
/// Islands of the paper's search for a figure of a model.
pub const ISLANDS: u32 = 4;
/// Its size on each.
pub const SIZE: GaSize = GaSize {
    population: 1_000,
    generations: 50,
    patience: 50,
    first: FirstPopulation::Known,
    seed: 1,
};
/// Moves of the default search for a figure of a model.
const MOVES: u64 = 200_000;
/// Moves of the search for each number of devices.
const SCALED_MOVES: u64 = 20_000;
/// Moves of the search for each mix of devices; searches of different mixes share nothing.
const MIX_MOVES: u64 = 100_000;
/// Devices in Fig. 10, at most.
pub const MOST_DEVICES: usize = 8;
/// Factors in Fig. 11, by configuration.
pub const FIG_11: [[f64; 4]; 7] = [
    [0.8, 0.8, 0.8, 0.8],
    [0.8, 0.8, 0.8, 0.5],
    [0.8, 0.8, 0.5, 0.5],
    [0.8, 0.5, 0.5, 0.3],
    [0.5, 0.5, 0.5, 0.3],
    [0.5, 0.5, 0.3, 0.3],
    [0.3, 0.3, 0.3, 0.3],
];

/// A model of section 4 as it comes out here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitCase {
    /// Its place in the catalogue.
    pub at: usize,
    /// The methods over the devices of Table 3 with 5000 MiB each.
    pub methods: Methods,
    /// Natural logarithm of the number of splits along height, channels and length, as Table 6 counts them.
    pub space: [f64; 3],
    /// The most that one device holds [bytes].
    pub peak: u64,
    /// Peak as Table 4 counts it.
    pub table4_peak: u64,
    /// With 1 to 8 devices of factor 0.5: the best split that the default search found for so many or fewer, since a plan
    /// may leave devices idle, where each link has its bandwidth for itself [ms]. This and what follows is empty for models
    /// that are not in [`SCALED`].
    pub devices_own: Vec<f64>,
    /// Latencies if all devices share the bandwidth [ms].
    pub devices_shared: Vec<f64>,
    /// Every operator over all of them, none idle, by height, where all share the bandwidth [ms].
    pub devices_all: Vec<f64>,
    /// The default search over each mix of Fig. 11 by itself [ms].
    pub mixes: Vec<f64>,
}

/// Latencies of one model [ms].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Methods {
    /// One device, mean over the devices.
    pub local: f64,
    /// Fused tiles.
    pub deepthings: f64,
    /// The best subset of the devices for each operator.
    pub coedge: f64,
    /// In proportion to speed, along the dimensions of the rule.
    pub proportional: f64,
    /// The paper's genetic search along the dimensions of the rule.
    pub genetic: f64,
    /// The default search along the dimensions of the rule.
    pub rule: f64,
    /// The default search, which chooses the dimensions too.
    pub free: f64,
    /// No split takes less, along whatever dimensions.
    pub bound: f64,
}

/// Computes a case; `on_progress` receives the progress.
///
/// # Errors
/// There is no such model.
///
/// # Complexity
/// A run of the paper's search, 2 runs of the default search, and 23 shorter ones for the models of Fig. 10 and 11.
pub fn case(
    at: usize,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<SplitCase, Invalid> {
    let model = catalogue::MODELS.get(at);
    let graph = model.and_then(|model| catalogue::graph(model.name));
    let graph = graph.ok_or_else(|| {
        let allowed = format!(
            "the place of one of {} models, from 0",
            catalogue::MODELS.len()
        );
        Invalid::range("at", at, &allowed)
    })?;
    let order = super::solved(&graph, Objective::Sum, None, &mut |_, _| ());
    let order = order.expect("without a limit there is an order").order;
    let is_scaled = catalogue::MODELS
        .get(at)
        .is_some_and(|model| SCALED.contains(&model.name));
    let scaled = if is_scaled {
        2 * MOST_DEVICES as u64 * SCALED_MOVES + FIG_11.len() as u64 * MIX_MOVES
    } else {
        0
    };
    let all = 2 * MOVES + scaled;
    let mut done = 0;
    let mut searched = |task: &SplitTask<'_>, moves: u64| {
        let found = search(task, moves);
        done += moves;
        on_progress(done, Some(all));
        found
    };
    let by_rule = DimPolicy::Rule(Reading::default());
    let task = |factors: &[f64], link, policy| over(&graph, &order, factors, link, policy);
    let ruled = task(&TABLE_3, Link::Own, by_rule)?;
    let free = task(&TABLE_3, Link::Own, DimPolicy::Free)?;
    let methods = Methods {
        local: local(&ruled).mean_ms,
        deepthings: deepthings(&ruled).latency_ms,
        coedge: ruled.score(&coedge(&ruled)?.plan).latency_ms,
        proportional: ruled
            .score(&proportional(&ruled, ruled.dims(), 0b1111))
            .latency_ms,
        genetic: genetic(&ruled, SIZE, ISLANDS, 1, &mut NoProgress).latency,
        rule: searched(&ruled, MOVES).latency,
        free: searched(&free, MOVES).latency,
        bound: bound(&free),
    };
    let mut case = SplitCase {
        at,
        methods,
        space: space(&graph, &ruled),
        peak: ruled.trace.peak(),
        table4_peak: table4_peak(&graph)?,
        devices_own: Vec::new(),
        devices_shared: Vec::new(),
        devices_all: Vec::new(),
        mixes: Vec::new(),
    };
    if !is_scaled {
        return Ok(case);
    }
    // A device may stay idle: what was found for fewer is a plan for more.
    let (mut own_ms, mut shared_ms) = (f64::INFINITY, f64::INFINITY);
    for devices in 1..=MOST_DEVICES {
        let factors = vec![FIG_10; devices];
        let own = task(&factors, Link::Own, DimPolicy::Free)?;
        own_ms = searched(&own, SCALED_MOVES).latency.min(own_ms);
        let shared = task(&factors, Link::Shared, DimPolicy::Free)?;
        let found = searched(&shared, SCALED_MOVES);
        shared_ms = found.latency.min(shared_ms);
        // A split over one shared link is one over links of their own, and takes no longer there.
        own_ms = own_ms.min(own.score(&found.plan).latency_ms);
        case.devices_own.push(own_ms);
        case.devices_shared.push(shared_ms);
        let everybody = u64::MAX >> (64 - devices);
        let plan = proportional(&shared, shared.slices.by_height(), everybody);
        case.devices_all.push(shared.score(&plan).latency_ms);
    }
    for factors in FIG_11 {
        let mixed = task(&factors, Link::Own, DimPolicy::Free)?;
        case.mixes.push(searched(&mixed, MIX_MOVES).latency);
    }
    Ok(case)
}

/// A graph over devices with ample memory.
fn over<'a>(
    graph: &'a Graph,
    order: &OperatorOrder,
    factors: &[f64],
    link: Link,
    policy: DimPolicy,
) -> Result<SplitTask<'a>, Invalid> {
    let fleet = Fleet::new(factors.to_vec(), vec![AMPLE; factors.len()], MBPS, link)?;
    let slices = Slices::new(graph, fleet, &TimeModel::Profile(Profile::FITTED), true)?;
    SplitTask::new(slices, order.clone(), policy)
}

/// A run of the default search; memory is ample.
fn search(task: &SplitTask<'_>, moves: u64) -> SplitResult {
    let effort = Effort {
        seed: 1,
        chains: 1,
        moves,
    };
    best(task, &effort, 1, &mut NoProgress)
}

/// Sum of 3 ln(length + 1) over the operators by the dimension that they are cut along, as Table 6 does: a global pool
/// with the height of its input, and everything of a language model with the length of its sequence.
fn space(graph: &Graph, task: &SplitTask<'_>) -> [f64; 3] {
    let mut space = [0.0; 3];
    let dims = task.dims();
    let rows_of = |v: usize| {
        let by_rows = task.slices.class(v, dims[v]) == SliceClass::Row;
        (dims[v] == Dim::Len && by_rows).then(|| task.slices.length(v, dims[v]))
    };
    let sequence = (0..graph.len()).filter_map(rows_of).max();
    for (v, dim) in dims.iter().enumerate() {
        let op = graph.op(v);
        let is_global =
            op.kind == OperatorKind::Pool && op.kernel.k == op.kernel.hin && op.kernel.p == 0;
        let length = match (is_global, sequence) {
            (true, _) => op.kernel.hin as f64,
            (false, Some(sequence)) if *dim == Dim::Len => f64::from(sequence),
            _ => f64::from(task.slices.length(v, *dim)),
        };
        let at = match dim {
            Dim::Fmh => 0,
            Dim::Cout => 1,
            Dim::Len => 2,
        };
        space[at] += (TABLE_3.len() - 1) as f64 * libm::log(length + 1.0);
    }
    space
}

/// The most that one operator takes as Table 4 counts it, in the order that makes their sum least [bytes].
fn table4_peak(graph: &Graph) -> Result<u64, Invalid> {
    let order = super::solved(graph, Objective::Table4, None, &mut |_, _| ());
    let order = order.expect("without a limit there is an order").order;
    let counted = trace(graph, &order)?.table4;
    Ok(counted.into_iter().max().unwrap_or_default())
}
