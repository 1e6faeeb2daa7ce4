//! Answers about operator graphs for the page and `edgewise run`: the order with what it holds step by step, what it is
//! compared with, and where its tensors lie.
//!
//! Every order is replayed by the referee, whatever made it.

mod published;
mod split;
mod split_published;

pub use super::operator_order::{Drawn, Figures as Range, Method};
pub use published::{OrderCase, case};
pub use split::{
    AnnealChain, Cut, DeviceChange, DeviceVariant, GeneticIsland, LeastLimits, Maker, Splits, best,
    cut, exchange, task,
};
pub use split_published::{
    FIG_11, ISLANDS, MOST_DEVICES, Methods, SCALED, SIZE, SplitCase, case as split_case,
};

use super::Listener as ProgressListener;
use super::Status;
use super::operator_order::{draws, gap};
use engine::evaluate::operators::{Trace, trace};
use engine::graph::{Graph, Objective};
use engine::plan::{Arena, OperatorOrder};
use engine::problem::Invalid;
use engine::scenario::operators::Scenario;
use engine::solve::{Ended, Limits, NoPlan, SearchEvent};
use methods::operators::arena::arena;
use methods::operators::order::{self, ExactOrder, baseline, btsearch};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A request about a scenario.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorsRequest {
    /// The order, and the orders that are known at once.
    #[default]
    Plan,
    /// The paper's search, with its counters.
    Search,
    /// Random orders.
    Draws,
    /// The operator splits that need no search.
    Splits {
        /// The order in which they run.
        order: OperatorOrder,
    },
    /// One of the chains of the default search for a split; parts of its answer come on the way.
    Chain {
        /// The order in which operators run.
        order: OperatorOrder,
        /// Which chain, from 0.
        chain: u32,
    },
    /// Some generations of one island of the paper's search for a split; parts of its answer come on the way.
    Island {
        /// The order in which operators run.
        order: OperatorOrder,
        /// The island as it stands.
        island: Box<GeneticIsland>,
    },
    /// Splits over other devices than the scenario's.
    Variant {
        /// The order in which operators run.
        order: OperatorOrder,
        /// The change.
        change: DeviceChange,
    },
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorsResult {
    /// The order.
    Plan(Box<Plan>),
    /// The paper's search.
    Search(SearchedOrder),
    /// Random orders.
    Draws(Drawn),
    /// Operators cut over devices.
    Splits(Box<Splits>),
    /// A chain of the default search for a split.
    Chain(Box<AnnealChain>),
    /// An island of the paper's search for a split, some generations on.
    Island(Box<GeneticIsland>),
    /// Splits over other devices.
    Variant(Box<DeviceVariant>),
}

/// The order shown and the others beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Plan {
    /// Proof status of `ours`.
    pub status: Status,
    /// The order of the scenario's goal; `None` if no order keeps the limit.
    pub ours: Option<Ordered>,
    /// Others, whatever the limit: greedy, PEFT, the file's own.
    pub others: Vec<Ordered>,
    /// The least peak of any order [bytes]: the smallest limit that works.
    pub least_peak: u64,
    /// True if the least peak is proven; otherwise it is the least found.
    pub least_peak_is_proved: bool,
    /// Sets of operators that can have run, all of which were looked at if the order is proved.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// No order's goal is less than this [bytes].
    pub bound: Option<u64>,
    /// (value - bound) / value of the goal.
    pub gap: Option<f64>,
    /// Where the tensors of `ours` lie.
    pub arena: Option<Arena>,
}

/// An order with what it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Ordered {
    /// Method that made the order.
    pub method: Method,
    /// The order.
    pub order: OperatorOrder,
    /// Memory held step by step.
    pub trace: Trace,
    /// The sum of what is held while operators run [bytes].
    pub sum: u64,
    /// The most of it [bytes].
    pub peak: u64,
    /// The sum as Table 4 counts it [bytes].
    pub table4: u64,
}

/// Result of the paper's search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchedOrder {
    /// Its best order.
    pub best: Ordered,
    /// True if the search was complete.
    pub ended: bool,
    /// Branches that were given up because their state had been reached for less.
    pub pruned: u64,
    /// Orders that were followed to their end.
    pub searched: u64,
    /// Different states that were met.
    pub states: u64,
}

/// Receives the number of steps taken, in total where known, and may request a partial answer.
pub type Listener<'a> = ProgressListener<'a, OperatorsResult>;

/// Answers a scenario; `on_progress` receives the progress of the search, and may request its best result so far.
///
/// # Errors
/// The field at fault, as [`Scenario::validate`].
///
/// # Complexity
/// As [`order::solve`], twice; a search as [`btsearch::search`].
pub fn answer(
    scenario: &Scenario,
    ask: &OperatorsRequest,
    on_progress: &mut Listener<'_>,
) -> Result<OperatorsResult, Invalid> {
    let on_count = &mut |done, of| on_progress(done, of, &mut || None);
    let graph = scenario.graph()?;
    Ok(match ask {
        OperatorsRequest::Plan => {
            OperatorsResult::Plan(Box::new(planned(scenario, &graph, on_count)?))
        }
        OperatorsRequest::Splits { order } => {
            OperatorsResult::Splits(Box::new(split::splits(scenario, &graph, order)?))
        }
        OperatorsRequest::Chain { order, chain } => {
            let found = split::chain(scenario, &graph, order, *chain, on_progress)?;
            OperatorsResult::Chain(Box::new(found))
        }
        OperatorsRequest::Island { order, island } => {
            let found = split::island(scenario, &graph, order, island, on_progress)?;
            OperatorsResult::Island(Box::new(found))
        }
        OperatorsRequest::Variant { order, change } => {
            OperatorsResult::Variant(Box::new(split::variant(scenario, &graph, order, change)?))
        }
        OperatorsRequest::Search => {
            OperatorsResult::Search(searched(&graph, scenario.objective, on_count)?)
        }
        _ => {
            let drawn = scenario.draws;
            OperatorsResult::Draws(draws(&graph, drawn.orders as u32, drawn.first_seed as u64))
        }
    })
}

/// Replays an order.
fn ordered(graph: &Graph, method: Method, order: OperatorOrder) -> Result<Ordered, Invalid> {
    let trace = trace(graph, &order)?;
    Ok(Ordered {
        method,
        sum: trace.sum(),
        peak: trace.peak(),
        table4: trace.table4_sum(),
        order,
        trace,
    })
}

/// The order with the least value within a limit.
fn solved(
    graph: &Graph,
    objective: Objective,
    limit: Option<u64>,
    on_count: &mut dyn FnMut(u64, Option<u64>),
) -> Result<ExactOrder, NoPlan<order::BeyondLimit>> {
    let mut listen = |event: SearchEvent<'_, OperatorOrder>| {
        if let SearchEvent::Step { done, of } = event {
            on_count(done, of);
        }
        ControlFlow::Continue(())
    };
    order::solve(graph, objective, limit, &Limits::default(), &mut listen)
}

/// The order of the scenario's goal that keeps its limit. Of all orders with the least peak it is one with the least sum.
fn planned(
    scenario: &Scenario,
    graph: &Graph,
    on_count: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Plan, Invalid> {
    let peak = solved(graph, Objective::Peak, None, on_count);
    let peak = peak.expect("without a limit there is an order");
    let peak_is_proved = peak.ended == Ended::Optimal;
    let limit = scenario.limit_bytes();
    let fits = limit.is_none_or(|limit| peak.value <= limit);
    let found = match scenario.objective {
        _ if !fits => Err(peak_is_proved),
        Objective::Peak => match solved(graph, Objective::Sum, Some(peak.value), on_count) {
            Ok(found) => Ok(ExactOrder {
                value: peak.value,
                bound: peak.bound,
                ended: peak.ended,
                ..found
            }),
            Err(_) => Ok(peak.clone()),
        },
        objective => match solved(graph, objective, limit, on_count) {
            Ok(found) => Ok(found),
            Err(NoPlan::Infeasible(_)) => Err(true),
            // The search gave up, and the order of the least peak is known to fit.
            Err(NoPlan::Stopped(_)) => {
                let trace = trace(graph, &peak.order)?;
                Ok(ExactOrder {
                    value: order::value(&trace, objective),
                    bound: 0,
                    ..peak.clone()
                })
            }
        },
    };
    let others = [
        (Method::Greedy, baseline::greedy(graph)),
        (Method::Peft, baseline::peft(graph)),
        (Method::File, (0..graph.len() as u32).collect()),
    ];
    let others = others.map(|(method, order)| ordered(graph, method, order));
    let mut plan = Plan {
        status: Status::Infeasible,
        ours: None,
        others: others.into_iter().collect::<Result<_, _>>()?,
        least_peak: peak.value,
        least_peak_is_proved: peak_is_proved,
        states: peak.states,
        transitions: peak.transitions,
        bound: None,
        gap: None,
        arena: None,
    };
    match found {
        Ok(found) => {
            plan.status = match found.ended {
                Ended::Optimal => Status::Optimal,
                _ => Status::Feasible,
            };
            plan.bound = Some(found.bound);
            plan.gap = Some(gap(found.value, found.bound));
            plan.arena = Some(arena(graph, &found.order, scenario.align_bytes as u64)?);
            plan.ours = Some(ordered(graph, Method::Exact, found.order)?);
        }
        Err(true) => {}
        Err(false) => plan.status = Status::Stopped,
    }
    Ok(plan)
}

/// The time of the graph over its devices by a short search [ms], or what keeps it from having one.
pub(super) fn quick(scenario: &Scenario) -> Result<Result<f64, (Status, String)>, Invalid> {
    let graph = scenario.graph()?;
    let plan = planned(scenario, &graph, &mut |_, _| ())?;
    let Some(ours) = plan.ours else {
        let why = "no order keeps the memory limit of the graph".to_owned();
        return Ok(Err((plan.status, why)));
    };
    let (ms, is_feasible) = split::quick(scenario, &graph, &ours.order)?;
    let why = || "no split was found that keeps the memory limits of the devices".to_owned();
    Ok(match is_feasible {
        true => Ok(ms),
        false => Err((Status::Stopped, why())),
    })
}

/// The paper's search.
fn searched(
    graph: &Graph,
    objective: Objective,
    on_count: &mut dyn FnMut(u64, Option<u64>),
) -> Result<SearchedOrder, Invalid> {
    let mut listen = |event: SearchEvent<'_, OperatorOrder>| {
        if let SearchEvent::Step { done, of } = event {
            on_count(done, of);
        }
        ControlFlow::Continue(())
    };
    let found = btsearch::search(graph, objective, &Limits::default(), &mut listen);
    Ok(SearchedOrder {
        best: ordered(graph, Method::Btsearch, found.order)?,
        ended: found.ended == Ended::Optimal,
        pruned: found.pruned,
        searched: found.searched,
        states: found.states,
    })
}

/// An answer with the scenario it belongs to: what `edgewise run --format json` prints and the page saves.
#[derive(Debug, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Documented<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The answer; its fields are beside the scenario.
    #[serde(flatten)]
    pub plan: &'a Plan,
    /// Its operators cut over the devices, once the search has come to its end.
    pub split: Option<SplitDocument<'a>>,
}

/// Operators cut over devices, as files hold it.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct SplitDocument<'a> {
    /// The best split of all chains.
    pub best: &'a Cut,
    /// No split takes less [ms].
    pub bound_ms: f64,
    /// Splits to compare with.
    pub others: &'a [Cut],
    /// Each device alone [ms].
    pub alone_ms: &'a [f64],
}
