//! Answers to operator-order problems: the order, replayed by the referee under all three accountings, with what is known
//! about the best there is.

use super::Status;
use engine::evaluate::operators::{Trace, trace};
use engine::graph::{Graph, Objective, Weights};
use engine::plan::OperatorOrder;
use engine::problem::Invalid;
use engine::solve::{Ended, Limits, NoPlan, Progress};
use methods::operators::order::{self, baseline, btsearch, value};
use serde::{Deserialize, Serialize};

pub use methods::operators::order::{MOST_STATES, btsearch::MOST_VISITS};

/// Random orders whose figures are beside the one that is answered.
pub const DRAWS: u32 = 60;

/// Method that makes the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The shortest path over sets of operators that have run.
    #[default]
    Exact,
    /// The paper's depth-first search.
    Btsearch,
    /// Always the ready operator with the largest operands.
    Greedy,
    /// Always the ready operator with the longest way to the end.
    Peft,
    /// Any ready operator, drawn.
    Random,
    /// As the file lists them; no method of the command line.
    File,
}

impl Method {
    /// The methods of the command line.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Btsearch,
        Self::Greedy,
        Self::Peft,
        Self::Random,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Btsearch => "btsearch",
            Self::Greedy => "greedy",
            Self::Peft => "peft",
            Self::Random => "random",
            Self::File => "file",
        }
    }
}

/// Options of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrderOptions {
    /// Method that makes the order.
    pub method: Method,
    /// Objective; greedy, PEFT and random orders have none.
    pub objective: Objective,
    /// How far searches may go, and the seed of the first random order.
    pub limits: Limits,
}

/// The answer to an operator-order problem [bytes].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// Proof status.
    pub status: Status,
    /// How long weights are in memory; left out where only while their operator runs.
    #[serde(skip_serializing_if = "Weights::is_usual", default)]
    pub weights: Weights,
    /// The operators in the order in which they run.
    pub order: Option<OperatorOrder>,
    /// Memory held while each operator runs, summed over operators.
    pub sum: Option<u64>,
    /// The most that is held.
    pub peak: Option<u64>,
    /// The sum as Table 4 counts it.
    pub table4: Option<u64>,
    /// Different sets of operators that were met, the empty and the full one included; of searches.
    pub states: Option<u64>,
    /// Steps between them that were looked at.
    pub transitions: Option<u64>,
    /// No order's objective is less.
    pub bound: Option<u64>,
    /// (value - bound) / value of the objective.
    pub gap: Option<f64>,
    /// Branches that BTSearch gave up.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pruned: Option<u64>,
    /// Orders that BTSearch followed to their end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub searched: Option<u64>,
    /// Figures over random orders, the one that is answered among them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draws: Option<Drawn>,
}

/// Figures over random orders [bytes].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Drawn {
    /// How many.
    pub orders: u32,
    /// Of the sum.
    pub sum: Figures,
    /// Of the peak.
    pub peak: Figures,
    /// Of the sum as Table 4 counts it.
    pub table4: Figures,
}

/// One figure over many orders [bytes].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Figures {
    /// Mean.
    pub mean: f64,
    /// Least.
    pub least: u64,
    /// Most.
    pub most: u64,
}

/// The share of a value that may be left to gain.
#[must_use]
pub fn gap(value: u64, bound: u64) -> f64 {
    if value == 0 {
        0.0
    } else {
        (value - bound) as f64 / value as f64
    }
}

/// Random orders from a first seed on. O(orders × (operators + operands)).
#[must_use]
pub fn draws(graph: &Graph, orders: u32, first_seed: u64) -> Drawn {
    let traces: Vec<Trace> = (0..u64::from(orders))
        .map(|at| {
            let order = baseline::random(graph, first_seed.wrapping_add(at));
            trace(graph, &order).expect("a drawn order is one")
        })
        .collect();
    let figures = |of: fn(&Trace) -> u64| {
        let values = traces.iter().map(of);
        Figures {
            mean: values.clone().map(|value| value as f64).sum::<f64>()
                / traces.len().max(1) as f64,
            least: values.clone().min().unwrap_or_default(),
            most: values.max().unwrap_or_default(),
        }
    };
    Drawn {
        orders,
        sum: figures(Trace::sum),
        peak: figures(Trace::peak),
        table4: figures(Trace::table4_sum),
    }
}

/// The figures of an order that was given [bytes].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// How long weights are in memory; left out where only while their operator runs.
    #[serde(skip_serializing_if = "Weights::is_usual", default)]
    pub weights: Weights,
    /// The operators in the order in which they run.
    pub order: OperatorOrder,
    /// Memory held while each operator runs, summed over operators.
    pub sum: u64,
    /// The most that is held.
    pub peak: u64,
    /// The sum as Table 4 counts it.
    pub table4: u64,
    /// The first step that holds the most, from 0.
    pub peak_step: usize,
    /// Memory held before the first step, between steps and after the last.
    pub interval: Vec<u64>,
    /// Memory held while each step runs.
    pub running: Vec<u64>,
    /// True if the operator of a step overwrites one of its operands.
    pub in_place: Vec<bool>,
}

/// Scores an order that was given.
///
/// # Errors
/// An order that does not hold every operator once, each after those that it reads, at `order[i]`.
///
/// # Complexity
/// O(operators + operands).
pub fn evaluate(graph: &Graph, order: OperatorOrder) -> Result<Evaluation, Invalid> {
    let trace = trace(graph, &order)?;
    Ok(Evaluation {
        weights: graph.weights_rule(),
        order,
        sum: trace.sum(),
        peak: trace.peak(),
        table4: trace.table4_sum(),
        peak_step: trace.peak_step(),
        interval: trace.interval,
        running: trace.running,
        in_place: trace.in_place,
    })
}

/// Solves a problem and replays what comes out.
pub fn answer(
    graph: &Graph,
    options: &OrderOptions,
    progress: &mut impl Progress<OperatorOrder>,
) -> Answer {
    let objective = options.objective;
    let mut answer = Answer {
        status: Status::Feasible,
        weights: graph.weights_rule(),
        order: None,
        sum: None,
        peak: None,
        table4: None,
        states: None,
        transitions: None,
        bound: None,
        gap: None,
        pruned: None,
        searched: None,
        draws: None,
    };
    let order = match options.method {
        Method::Exact => {
            let found = order::solve(graph, objective, None, &options.limits, progress);
            let found = match found {
                Ok(found) => found,
                Err(NoPlan::Infeasible(_)) => {
                    answer.status = Status::Infeasible;
                    return answer;
                }
                Err(NoPlan::Stopped(_)) => {
                    answer.status = Status::Stopped;
                    return answer;
                }
            };
            if found.ended == Ended::Optimal {
                answer.status = Status::Optimal;
            }
            answer.states = Some(found.states);
            answer.transitions = Some(found.transitions);
            answer.bound = Some(found.bound);
            found.order
        }
        Method::Btsearch => {
            let found = btsearch::search(graph, objective, &options.limits, progress);
            answer.states = Some(found.states);
            answer.transitions = Some(found.transitions);
            answer.pruned = Some(found.pruned);
            answer.searched = Some(found.searched);
            if found.ended == Ended::Optimal {
                answer.status = Status::Optimal;
                answer.bound = Some(found.value);
            }
            found.order
        }
        Method::Greedy => baseline::greedy(graph),
        Method::Peft => baseline::peft(graph),
        Method::Random => {
            let seed = options.limits.seed;
            answer.draws = Some(draws(graph, DRAWS, seed));
            baseline::random(graph, seed)
        }
        Method::File => (0..graph.len() as u32).collect(),
    };
    let replayed = trace(graph, &order).expect("every method answers with an order");
    answer.gap = answer
        .bound
        .map(|bound| gap(value(&replayed, objective), bound));
    answer.sum = Some(replayed.sum());
    answer.peak = Some(replayed.peak());
    answer.table4 = Some(replayed.table4_sum());
    answer.order = Some(order);
    answer
}
