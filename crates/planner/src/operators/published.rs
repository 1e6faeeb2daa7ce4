//! The paper's Tables 4 and 5, model by model, computed here: a case is one model of the catalogue under both accountings.
//!
//! Source: MemoriaNova, Tables 4 and 5. The paper names neither its random seeds nor how often it drew; here 60 orders are
//! drawn. PEFT ranks by times that it does not give; here by the default ones. BTSearch is given up after as many states as
//! [`VISITS`], which none of the models needs.

use super::{Drawn, draws};
use engine::evaluate::operators::{Trace, trace};
use engine::graph::{Graph, Objective, catalogue};
use engine::problem::Invalid;
use engine::solve::{Ended, Limits, SearchEvent};
use methods::operators::order::{baseline, btsearch};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Random orders of a model.
const DRAWS: u32 = 60;
/// Their first seed.
const FIRST_SEED: u64 = 1;
/// The most states that BTSearch enters.
const VISITS: u64 = 20_000_000;

/// A model of Tables 4 and 5 as it comes out here [bytes].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderCase {
    /// Its place in the catalogue.
    pub at: usize,
    /// Operators.
    pub ops: u32,
    /// The least sum as Table 4 counts it, proved.
    pub table4: u64,
    /// Sum of the greedy order.
    pub greedy: u64,
    /// Sum of the order by PEFT.
    pub peft: u64,
    /// Over random orders.
    pub random: Drawn,
    /// The least sum of what is held, proved.
    pub sum: u64,
    /// Sum of the greedy order.
    pub greedy_sum: u64,
    /// The least peak, proved.
    pub peak: u64,
    /// Peak of the greedy order.
    pub greedy_peak: u64,
    /// Branches that BTSearch gave up and orders that it followed to their end, with Table 4's count; `None` if it was
    /// stopped.
    pub search: Option<(u64, u64)>,
    /// Sets of operators that can have run, and steps between them.
    pub lattice: (u64, u64),
}

/// Computes a case.
///
/// # Errors
/// There is no such model.
///
/// # Complexity
/// One run of BTSearch, at most a second.
pub fn case(
    at: usize,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<OrderCase, Invalid> {
    let model = catalogue::MODELS.get(at);
    let graph = model.and_then(|model| catalogue::graph(model.name));
    let graph = graph.ok_or_else(|| {
        let allowed = format!(
            "the place of one of {} models, from 0",
            catalogue::MODELS.len()
        );
        Invalid::range("at", at, &allowed)
    })?;
    let replayed = |order: &[u32]| trace(&graph, order);
    let greedy = replayed(&baseline::greedy(&graph))?;
    let (table4, lattice) = least(&graph, Objective::Table4, on_progress);
    let limits = Limits {
        steps: Some(VISITS),
        ..Limits::default()
    };
    let mut listen = |event: SearchEvent<'_, _>| {
        if let SearchEvent::Step { done, .. } = event {
            on_progress(done, None);
        }
        ControlFlow::Continue(())
    };
    let searched = btsearch::search(&graph, Objective::Table4, &limits, &mut listen);
    Ok(OrderCase {
        at,
        ops: graph.len() as u32,
        table4,
        greedy: greedy.table4_sum(),
        peft: replayed(&baseline::peft(&graph)).map(|trace: Trace| trace.table4_sum())?,
        random: draws(&graph, DRAWS, FIRST_SEED),
        sum: least(&graph, Objective::Sum, on_progress).0,
        greedy_sum: greedy.sum(),
        peak: least(&graph, Objective::Peak, on_progress).0,
        greedy_peak: greedy.peak(),
        search: (searched.ended == Ended::Optimal).then_some((searched.pruned, searched.searched)),
        lattice,
    })
}

/// The least value of any order; every model of the catalogue is solved to the proof.
fn least(
    graph: &Graph,
    objective: Objective,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> (u64, (u64, u64)) {
    let found = super::solved(graph, objective, None, on_progress);
    let found = found.expect("without a limit there is an order");
    (found.value, (found.states, found.transitions))
}
