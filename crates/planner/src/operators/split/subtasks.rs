//! Pieces of the searches for a split, as the page hands them to its workers: chains of the default search, generations of an
//! island of the paper's, and other devices.

use super::{Cut, Maker, best, cut, task};
use crate::operators::{Listener, OperatorsResult};
use engine::graph::Graph;
use engine::plan::{Marks, OperatorOrder, Partition};
use engine::problem::{Code, Invalid};
use engine::scenario::operators::{Board, Scenario};
use engine::solve::NoProgress;
use methods::operators::split::baseline::coedge;
use methods::operators::split::ga::{self, FirstPopulation, GaSize, Variation};
use methods::operators::split::library::subset_by_subset;
use methods::operators::split::{
    self, Effort, ROUND, SplitTask, least_factor, least_room, proportional,
};
use serde::{Deserialize, Serialize};

/// Moves of a chain between two looks at whether anybody wants to know how far it is.
const MOVES: u64 = 2_000;
/// The most moves over other devices.
const VARIANT_MOVES: u64 = 100_000;
/// Moves of each search for limits that would do.
const ROOM_MOVES: u64 = 60_000;
/// Plans that move on from an island.
const MIGRANTS: usize = 2;

/// A chain of the default search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnealChain {
    /// Which one, from 0.
    pub chain: u32,
    /// Its best split.
    pub best: Cut,
    /// Moves tried, and the least time found until then [ms]; only splits that keep every limit.
    pub curve: Vec<(f64, f64)>,
    /// Moves tried.
    pub moves: f64,
    /// Of how many.
    pub of: f64,
    /// Where no split was found that keeps the limits: what limits would do.
    pub room: Option<LeastLimits>,
}

/// Limits of memory that would do, as a common multiple of those that are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeastLimits {
    /// The least multiple for which a split was found.
    pub factor: f64,
    /// The limits it makes [bytes]; none where none was given.
    pub limits: Vec<Option<f64>>,
    /// A split that keeps them.
    pub cut: Cut,
    /// No split keeps less than this multiple.
    pub at_least: f64,
    /// True if the given limits are below that, which proves that no split exists.
    pub is_proved: bool,
}

/// An island of the paper's search: everything that it takes to go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneticIsland {
    /// Which one, from 0.
    pub at: u32,
    /// Of how many.
    pub islands: u32,
    /// Generations done.
    pub generation: u32,
    /// Generations since the best plan got better by 10^-6.
    pub stalled: u32,
    /// Violation and time of the best plan when it last did.
    pub before: (f64, f64),
    /// True if the search has ended: no generations are left, or its patience has run out.
    pub ended: bool,
    /// How many plans it has.
    pub plans: u32,
    /// Its plans, best first, one after the other: for each operator which of its dimensions, then the inner marks. None in
    /// parts of an answer.
    pub genes: Vec<u32>,
    /// Its best split.
    pub best: Option<Cut>,
    /// Generations, and the least time until then [ms]; only splits that keep every limit.
    pub curve: Vec<(f64, f64)>,
    /// Plans that were scored.
    pub evaluations: f64,
}

/// A change of the devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceChange {
    /// The first N devices of the scenario; if there are fewer, more like the last.
    Devices(u32),
    /// Devices of these factors, otherwise like those of the scenario, and beyond them like the last.
    Factors(Vec<f64>),
    /// The memory of every device [MiB]; `None` for no limit.
    LimitMib(Option<f64>),
}

/// Splits over other devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceVariant {
    /// The change.
    pub change: DeviceChange,
    /// A short run of the default search [ms].
    pub best_ms: f64,
    /// True if the best split keeps the limits.
    pub best_fits: bool,
    /// The baseline that takes the best subset for each operator [ms]; `None` for too many devices.
    pub coedge_ms: Option<f64>,
    /// True if CoEdge's split keeps the limits.
    pub coedge_fits: bool,
    /// In proportion to speed [ms].
    pub proportional_ms: f64,
    /// True if the proportional split keeps the limits.
    pub proportional_fits: bool,
    /// No split takes less [ms].
    pub bound_ms: f64,
}

impl GeneticIsland {
    /// An island before its first generation.
    #[must_use]
    pub fn first(scenario: &Scenario, at: u32) -> Self {
        Self {
            at,
            islands: scenario.split.search.islands as u32,
            generation: 0,
            stalled: 0,
            before: (0.0, 0.0),
            ended: false,
            plans: 0,
            genes: Vec::new(),
            best: None,
            curve: Vec::new(),
            evaluations: 0.0,
        }
    }
}

/// The two best plans of each island move on to the next one, those of the last to the first, in place of the two worst.
///
/// # Complexity
/// O(islands × length of a plan).
pub fn exchange(islands: &mut [GeneticIsland]) {
    if islands.len() < 2 {
        return;
    }
    let width = |island: &GeneticIsland| island.genes.len() / island.plans.max(1) as usize;
    let movers: Vec<Vec<u32>> = (islands.iter())
        .map(|island| island.genes[..width(island) * MIGRANTS.min(island.plans as usize)].to_vec())
        .collect();
    for (at, movers) in movers.iter().enumerate() {
        let next = (at + 1) % islands.len();
        let island = &mut islands[next];
        let width = width(island).max(1);
        // The best of them takes the place of the worst.
        for (place, mover) in movers.chunks_exact(width).enumerate() {
            let end = island.genes.len() - place * width;
            if end >= width {
                island.genes[end - width..end].copy_from_slice(mover);
            }
        }
    }
}

/// A scenario with other devices.
#[must_use]
pub fn changed(scenario: &Scenario, change: &DeviceChange) -> Scenario {
    let mut changed = scenario.clone();
    let devices = &mut changed.split.devices;
    let more = |devices: &mut Vec<Board>, count: usize| {
        devices.truncate(count.max(1));
        while let (true, Some(last)) = (devices.len() < count, devices.last()) {
            devices.push(last.clone());
        }
    };
    match change {
        DeviceChange::Devices(count) => more(devices, *count as usize),
        DeviceChange::Factors(factors) => {
            more(devices, factors.len());
            for (device, factor) in devices.iter_mut().zip(factors) {
                device.factor = *factor;
            }
        }
        DeviceChange::LimitMib(limit) => {
            for device in devices {
                device.limit_mib = *limit;
            }
        }
    }
    changed
}

/// A chain of the default search.
pub(in crate::operators) fn chain(
    scenario: &Scenario,
    graph: &Graph,
    order: &OperatorOrder,
    chain: u32,
    on_progress: &mut Listener<'_>,
) -> Result<AnnealChain, Invalid> {
    let task = task(scenario, graph, order)?;
    let search = &scenario.split.search;
    let of = search.moves as u64;
    let mut walk = split::Annealer::new(&task, search.seed as u64, chain, of);
    let so_far = |walk: &split::Annealer<'_, '_>| AnnealChain {
        chain,
        best: cut(&task, Maker::Best, walk.best().clone()),
        curve: (walk.curve().iter())
            .map(|(moves, ms)| (*moves as f64, *ms))
            .collect(),
        moves: walk.moves() as f64,
        of: of as f64,
        room: None,
    };
    loop {
        let goes_on = walk.advance(MOVES);
        on_progress(walk.moves(), Some(of), &mut || {
            Some(OperatorsResult::Chain(Box::new(so_far(&walk))))
        });
        if !goes_on {
            break;
        }
    }
    let mut found = so_far(&walk);
    // One chain says for all of them what limits would do.
    if !found.best.is_feasible && chain == 0 {
        found.room = least_limits(scenario, &task, walk.best());
        // What the search for limits that would do came by is nearer, and may even keep those that there are.
        let by_room = found
            .room
            .as_ref()
            .and_then(|room| room.cut.partition.clone());
        let nearest = by_room.map(|plan| cut(&task, Maker::Best, plan));
        if let Some(kept) = nearest.as_ref().filter(|nearest| nearest.is_feasible) {
            found.curve.push((found.moves, kept.latency_ms));
            found.room = None;
        }
        if let Some(nearest) = best([&found.best].into_iter().chain(&nearest)) {
            found.best = nearest.clone();
        }
    }
    Ok(found)
}

/// Limits that would do.
fn least_limits(
    scenario: &Scenario,
    task: &SplitTask<'_>,
    best: &Partition,
) -> Option<LeastLimits> {
    let effort = Effort {
        seed: scenario.split.search.seed as u64,
        chains: 1,
        moves: ROOM_MOVES,
    };
    let at_least = least_factor(task);
    let subsets = subset_by_subset(task).map(|found| found.plan);
    let known: Vec<Partition> = [best.clone()].into_iter().chain(subsets).collect();
    let found = least_room(task, &known, &effort, &mut NoProgress)?;
    let slices = task.slices.with_limits(found.limits.clone());
    let roomy = SplitTask::new(slices, task.order.clone(), task.dim_policy.clone()).ok()?;
    let finite = |limit: &f64| limit.is_finite().then_some(*limit);
    Some(LeastLimits {
        factor: found.factor,
        limits: found.limits.iter().map(finite).collect(),
        cut: cut(&roomy, Maker::Best, found.plan),
        at_least,
        is_proved: at_least > 1.0,
    })
}

/// Some generations of an island: up to the next exchange, or its end.
pub(in crate::operators) fn island(
    scenario: &Scenario,
    graph: &Graph,
    order: &OperatorOrder,
    island: &GeneticIsland,
    on_progress: &mut Listener<'_>,
) -> Result<GeneticIsland, Invalid> {
    let task = task(scenario, graph, order)?;
    let search = &scenario.split.search;
    let size = GaSize {
        population: search.population as u32,
        generations: search.generations as u32,
        patience: search.patience.map_or(GaSize::PATIENCE, |n| n as u32),
        first: match search.random_start {
            true => FirstPopulation::Random,
            false => FirstPopulation::Known,
        },
        seed: search.seed as u64,
    };
    let mut breeder = Variation::new(&task, size);
    let mut now = if island.genes.is_empty() {
        breeder.first(island.at)
    } else {
        let plans = read_plans(&task, &island.genes)?;
        let mut now = breeder.island(island.at, plans);
        now.generation = island.generation;
        now.stalled = island.stalled;
        now.before = island.before;
        now.curve = (island.curve.iter())
            .map(|(generation, ms)| (*generation as u32, *ms))
            .collect();
        now.evaluations = island.evaluations as u64;
        now.ended = island.ended;
        now.note();
        now
    };
    let written = |now: &ga::GaIsland, genes: Vec<u32>| GeneticIsland {
        at: island.at,
        islands: island.islands,
        generation: now.generation,
        stalled: now.stalled,
        before: now.before,
        ended: now.ended,
        plans: now.members.len() as u32,
        genes,
        best: Some(cut(&task, Maker::Ga, now.best().plan().clone())),
        curve: (now.curve.iter())
            .map(|(generation, ms)| (f64::from(*generation), *ms))
            .collect(),
        evaluations: now.evaluations as f64,
    };
    let of = Some(u64::from(size.generations));
    while !now.ended {
        breeder.generation(&mut now);
        on_progress(u64::from(now.generation), of, &mut || {
            Some(OperatorsResult::Island(Box::new(written(&now, Vec::new()))))
        });
        if now.generation.is_multiple_of(ROUND) {
            break;
        }
    }
    let genes = write_plans(&task, &now);
    Ok(written(&now, genes))
}

/// The plans of an island: for each operator which of its dimensions, then the inner marks.
fn write_plans(task: &SplitTask<'_>, island: &ga::GaIsland) -> Vec<u32> {
    let slices = &task.slices;
    let (n, devices) = (slices.graph().len(), slices.devices());
    let mut genes = Vec::with_capacity(island.members.len() * n * devices);
    for member in &island.members {
        let plan = member.plan();
        for (v, dim) in plan.dims.iter().enumerate() {
            let at = slices.choices(v).position(|choice| choice == *dim);
            genes.push(at.unwrap_or_default() as u32);
            genes.extend_from_slice(&plan.cuts.of(v)[1..devices]);
        }
    }
    genes
}

/// Reads them back.
fn read_plans(task: &SplitTask<'_>, genes: &[u32]) -> Result<Vec<Partition>, Invalid> {
    let slices = &task.slices;
    let (n, devices) = (slices.graph().len(), slices.devices());
    let wrong = || {
        let message = "genes must be whole plans of this graph over these devices".to_owned();
        Invalid::new(Code::Plan, "genes", genes.len(), message)
    };
    if genes.is_empty() || !genes.len().is_multiple_of(n * devices) {
        return Err(wrong());
    }
    let mut plans = Vec::with_capacity(genes.len() / (n * devices));
    for genes in genes.chunks_exact(n * devices) {
        let mut dims = Vec::with_capacity(n);
        let mut rows = Vec::with_capacity(n * (devices + 1));
        for (v, gene) in genes.chunks_exact(devices).enumerate() {
            let dim = slices.choices(v).nth(gene[0] as usize).ok_or_else(wrong)?;
            let length = slices.length(v, dim);
            let from = rows.len();
            rows.push(0);
            rows.extend_from_slice(&gene[1..]);
            rows.push(length);
            if !rows[from..].is_sorted() {
                return Err(wrong());
            }
            dims.push(dim);
        }
        let cuts = Marks::from_rows(devices, rows.chunks_exact(devices + 1));
        plans.push(Partition { dims, cuts });
    }
    Ok(plans)
}

/// One short chain of the default search.
fn short(scenario: &Scenario) -> Effort {
    Effort {
        seed: scenario.split.search.seed as u64,
        chains: 1,
        moves: VARIANT_MOVES.min(scenario.split.search.moves as u64),
    }
}

/// Returns the latency of a short run of the default search [ms], and true if it keeps the limits.
pub(in crate::operators) fn quick(
    scenario: &Scenario,
    graph: &Graph,
    order: &OperatorOrder,
) -> Result<(f64, bool), Invalid> {
    scenario.split.check()?;
    let task = task(scenario, graph, order)?;
    let found = split::best(&task, &short(scenario), 1, &mut NoProgress);
    Ok((found.latency, found.is_feasible))
}

/// Splits over other devices.
pub(in crate::operators) fn variant(
    scenario: &Scenario,
    graph: &Graph,
    order: &OperatorOrder,
    change: &DeviceChange,
) -> Result<DeviceVariant, Invalid> {
    let scenario = changed(scenario, change);
    scenario.split.check()?;
    let task = task(&scenario, graph, order)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let found = split::best(&task, &short(&scenario), 1, &mut NoProgress);
    let even = task.score(&proportional(&task, task.dims(), everybody));
    let coedge = coedge(&task).ok();
    let coedge = coedge.map(|found| task.score(&found.plan));
    Ok(DeviceVariant {
        change: change.clone(),
        best_ms: found.latency,
        best_fits: found.is_feasible,
        coedge_ms: coedge.as_ref().map(|score| score.latency_ms),
        coedge_fits: coedge.is_some_and(|score| score.is_feasible()),
        proportional_ms: even.latency_ms,
        proportional_fits: even.is_feasible(),
        bound_ms: split::bound(&task),
    })
}
