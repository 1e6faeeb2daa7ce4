//! Pieces of the searches for a split, as the page hands them to its workers: chains of the default search, generations of an
//! island of the paper's, and other devices.

use super::super::{Answer, Listener};
use super::{Cut, Maker, cut, task};
use crate::graph::Graph;
use crate::methods::operators::split::proportional;
use crate::plan::Order;
use crate::problem::Invalid;
use crate::scenario::operators::{Board, Scenario};
use serde::{Deserialize, Serialize};

/// A chain of the default search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chain {
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
    pub room: Option<Room>,
}

/// Limits of memory that would do, as a common multiple of those that are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Room {
    /// The least multiple for which a split was found.
    pub factor: f64,
    /// The limits it makes [bytes]; none where none was given.
    pub limits: Vec<Option<f64>>,
    /// A split that keeps them.
    pub cut: Cut,
    /// No split keeps less than this multiple.
    pub at_least: f64,
    /// Whether the given limits are below that, so that there is certainly no split.
    pub is_proved: bool,
}

/// An island of the paper's search: everything that it takes to go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Island {
    /// Which one, from 0.
    pub at: u32,
    /// Of how many.
    pub islands: u32,
    /// Generations done.
    pub generation: u32,
    /// Generations since the best plan got better by 10^-6.
    pub stalled: u32,
    /// Whether it has come to its end: generations are used up, or the best has not got better for ten.
    pub ended: bool,
    /// Its plans, best first, one after the other: for each operator which of its dimensions, then the inner marks.
    pub genes: Vec<u32>,
    /// Its best split.
    pub best: Option<Cut>,
    /// Generations, and the least time until then [ms]; only splits that keep every limit.
    pub curve: Vec<(f64, f64)>,
    /// Plans that were scored.
    pub evaluations: f64,
}

/// What is other about the devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// So many devices: the first of the scenario, and beyond them more like the last.
    Devices(u32),
    /// Devices of these factors, otherwise like those of the scenario, and beyond them like the last.
    Factors(Vec<f64>),
    /// The memory of every device [MiB]; `None` for no limit.
    LimitMib(Option<f64>),
}

/// Splits over other devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// What is other.
    pub change: Change,
    /// A short run of the default search [ms].
    pub best_ms: f64,
    /// Whether it keeps the limits.
    pub best_fits: bool,
    /// The baseline that takes the best subset for each operator [ms]; `None` for too many devices.
    pub coedge_ms: Option<f64>,
    /// Whether it keeps the limits.
    pub coedge_fits: bool,
    /// In proportion to speed [ms].
    pub proportional_ms: f64,
    /// Whether it keeps the limits.
    pub proportional_fits: bool,
    /// No split takes less [ms].
    pub bound_ms: f64,
}

impl Island {
    /// An island before its first generation.
    #[must_use]
    pub fn first(scenario: &Scenario, at: u32) -> Self {
        Self {
            at,
            islands: scenario.split.search.islands as u32,
            generation: 0,
            stalled: 0,
            ended: false,
            genes: Vec::new(),
            best: None,
            curve: Vec::new(),
            evaluations: 0.0,
        }
    }
}

/// The two best plans of each island move on to the next one, the last one's to the first, in place of the two worst.
pub fn exchange(_: &mut [Island]) {}

/// A scenario with other devices.
#[must_use]
pub fn changed(scenario: &Scenario, change: &Change) -> Scenario {
    let mut changed = scenario.clone();
    let devices = &mut changed.split.devices;
    let more = |devices: &mut Vec<Board>, count: usize| {
        devices.truncate(count.max(1));
        while let (true, Some(last)) = (devices.len() < count, devices.last()) {
            devices.push(last.clone());
        }
    };
    match change {
        Change::Devices(count) => more(devices, *count as usize),
        Change::Factors(factors) => {
            more(devices, factors.len());
            for (device, factor) in devices.iter_mut().zip(factors) {
                device.factor = *factor;
            }
        }
        Change::LimitMib(limit) => {
            for device in devices {
                device.limit_mib = *limit;
            }
        }
    }
    changed
}

/// A chain of the default search.
pub(in super::super) fn chain(
    scenario: &Scenario,
    graph: &Graph,
    order: &Order,
    chain: u32,
    heard: &mut Listener<'_>,
) -> Result<Chain, Invalid> {
    let task = task(scenario, graph, order)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let best = cut(
        &task,
        Maker::Best,
        proportional(&task, task.dims(), everybody),
    );
    let of = scenario.split.search.moves;
    let found = Chain {
        chain,
        curve: vec![(of, best.latency_ms)],
        best,
        moves: of,
        of,
        room: None,
    };
    heard(of as u64, Some(of as u64), &mut || {
        Some(Answer::Chain(Box::new(found.clone())))
    });
    Ok(found)
}

/// Some generations of an island.
pub(in super::super) fn island(
    scenario: &Scenario,
    graph: &Graph,
    order: &Order,
    island: &Island,
    _: &mut Listener<'_>,
) -> Result<Island, Invalid> {
    let task = task(scenario, graph, order)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let best = cut(
        &task,
        Maker::Ga,
        proportional(&task, task.dims(), everybody),
    );
    Ok(Island {
        ended: true,
        curve: vec![(0.0, best.latency_ms)],
        best: Some(best),
        ..island.clone()
    })
}

/// Splits over other devices.
pub(in super::super) fn variant(
    scenario: &Scenario,
    graph: &Graph,
    order: &Order,
    change: &Change,
) -> Result<Variant, Invalid> {
    let task = task(&changed(scenario, change), graph, order)?;
    let everybody = u64::MAX >> (64 - task.slices.devices());
    let best = cut(
        &task,
        Maker::Best,
        proportional(&task, task.dims(), everybody),
    );
    Ok(Variant {
        change: change.clone(),
        best_ms: best.latency_ms,
        best_fits: best.is_feasible,
        coedge_ms: None,
        coedge_fits: false,
        proportional_ms: best.latency_ms,
        proportional_fits: best.is_feasible,
        bound_ms: 0.0,
    })
}
