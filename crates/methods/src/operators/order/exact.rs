//! The best order, by a shortest path over the sets of operators that can have run, segment by segment.
//!
//! Source: the sets are those of MemoriaNova's Algorithm 1, section 3.1; that each needs to be left only once, and that
//! the path falls into independent parts at articulation points, is ours.
//!
//! A segment with more sets than there is room for is searched with a beam instead: of every size only the most promising
//! sets go on, and the least that any other could have come to stays as a bound. A segment too large even for that takes
//! the best of the simple orders. Steps of a search are steps from set to set.
//! Try: `edgewise solve operator-order inceptionv3.onnx`; expect 1196 states, 3377 transitions and a proof.

use super::baseline;
use super::bound;
use super::costs::{OrderCosts, StateMemory};
use super::cuts::cuts;
use super::layers::{Blocked, GraphSegment, SegmentPath, best_path};
use super::sets::{Set, SetWindow, Wide};
use engine::graph::{Graph, Objective};
use engine::plan::OperatorOrder;
use engine::solve::{Ended, Limits, NoPlan, Progress, SearchEvent, StopReason};
use std::ops::ControlFlow;

/// The most sets of a segment that are looked at one by one.
pub const MOST_STATES: usize = 2_000_000;
/// The most memory that the sets of a segment may take [bytes].
const MOST_MEMORY: usize = 256 << 20;
/// The narrowest beam worth its time.
const LEAST_WIDTH: usize = 16;
/// Steps of a beam for each set that goes on; a graph with more falls back on simple orders.
const STEPS_OF_BEAM: u64 = 50;
/// Sets of all sizes that go on in a beam.
const BEAM_STATES: usize = 200_000;

/// How much room a search has for each segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchMemory {
    /// The most sets that are looked at one by one.
    pub states: usize,
    /// The most memory that they may take [bytes].
    pub memory: usize,
    /// How many sets of all sizes go on in a beam.
    pub beam: usize,
}

impl Default for SearchMemory {
    fn default() -> Self {
        Self {
            states: MOST_STATES,
            memory: MOST_MEMORY,
            beam: BEAM_STATES,
        }
    }
}

/// An order and what is known about the best there is.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactOrder {
    /// The order.
    pub order: OperatorOrder,
    /// Its value by the objective [bytes].
    pub value: u64,
    /// No order's value is less [bytes].
    pub bound: u64,
    /// Different sets that were met.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How the search ended; only [`Ended::Optimal`] proves the order.
    pub ended: Ended,
}

/// No order keeps the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no order of the operators holds at most {limit} bytes")]
pub struct BeyondLimit {
    /// The limit [bytes].
    pub limit: u64,
}

/// Finds the order with the least value that never holds more than `limit` bytes.
///
/// `progress` receives how many steps were taken, and may end the search; what is left then is filled with simple orders.
///
/// # Errors
/// [`NoPlan::Infeasible`] if no order keeps the limit, proved; [`NoPlan::Stopped`] if none was found.
///
/// # Complexity
/// O(sets × operators that can run × readers of what they read). The sets of a graph of width w and n operators are at most
/// (n/w + 1)^w; every one of the eleven models has at most 1196.
pub fn solve(
    graph: &Graph,
    objective: Objective,
    limit: Option<u64>,
    limits: &Limits,
    progress: &mut impl Progress<OperatorOrder>,
) -> Result<ExactOrder, NoPlan<BeyondLimit>> {
    solve_within(
        graph,
        objective,
        limit,
        SearchMemory::default(),
        limits,
        progress,
    )
}

/// As [`solve`], with another room.
///
/// # Errors
/// As [`solve`].
pub fn solve_within(
    graph: &Graph,
    objective: Objective,
    limit: Option<u64>,
    room: SearchMemory,
    limits: &Limits,
    progress: &mut impl Progress<OperatorOrder>,
) -> Result<ExactOrder, NoPlan<BeyondLimit>> {
    let costs = OrderCosts::new(graph, objective, limit);
    let cuts = cuts(graph);
    let mut search = Search {
        costs: &costs,
        memory: room,
        budget: limits.steps.unwrap_or(u64::MAX),
        taken: 0,
        simple: None,
        progress,
    };
    let mut found = ExactOrder {
        order: Vec::with_capacity(graph.len()),
        value: 0,
        bound: 0,
        states: 1,
        transitions: 0,
        ended: Ended::Optimal,
    };
    let mut held = costs.start();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (way, ended) = search.segment(from, to, held)?;
        held = way.memory;
        found.order.extend(way.order);
        found.value = costs.joined(found.value, way.value);
        found.bound = costs.joined(found.bound, way.bound);
        found.states += way.states - 1;
        found.transitions += way.transitions;
        if ended != Ended::Optimal && found.ended == Ended::Optimal {
            found.ended = ended;
        }
    }
    if found.bound == found.value {
        found.ended = Ended::Optimal;
    }
    Ok(found)
}

/// The value of a way, and what is held at its end; `None` beyond the limit.
fn replay(
    costs: &OrderCosts<'_>,
    from: usize,
    held: StateMemory,
    order: &[u32],
) -> Option<(u64, StateMemory)> {
    let to = from + order.len();
    let mut set = Wide::all_before(from, to);
    let mut next = set.clone();
    let (mut value, mut held) = (0, held);
    for v in order.iter().map(|v| *v as usize) {
        let (cost, after) = costs.step(&set, held, v)?;
        value = costs.joined(value, cost);
        held = after;
        if to - from > 1 {
            set.with(v, &mut next);
            std::mem::swap(&mut set, &mut next);
        }
    }
    Some((value, held))
}

/// A search through the segments of a graph.
struct Search<'a, 'g, L> {
    costs: &'a OrderCosts<'g>,
    memory: SearchMemory,
    /// The most steps.
    budget: u64,
    taken: u64,
    /// Simple orders of the whole graph, made when first needed.
    simple: Option<Vec<OperatorOrder>>,
    progress: &'a mut L,
}

impl<L: Progress<OperatorOrder>> Search<'_, '_, L> {
    /// The best way through a segment that can be found.
    fn segment(
        &mut self,
        from: usize,
        to: usize,
        held: StateMemory,
    ) -> Result<(SegmentPath, Ended), NoPlan<BeyondLimit>> {
        let over = Err(NoPlan::Infeasible(BeyondLimit {
            limit: self.costs.limit.unwrap_or_default(),
        }));
        let whole = GraphSegment {
            costs: self.costs,
            from,
            to,
            start_memory: held,
            memory: self.memory.memory,
            states: self.memory.states,
            steps: u64::MAX,
            beam: None,
        };
        let mut stop = match self.segment_path(&whole) {
            Ok(way) => return Ok((way, Ended::Optimal)),
            Err(Blocked::Limit) => return over,
            Err(Blocked::Cancelled) => self.why(),
            Err(Blocked::Size | Blocked::Form) => StopReason::Size,
        };
        let least = bound::least(self.costs, from, to);
        let mut best = self.simple_way(from, to, held);
        let mut floor = least
            .iter()
            .fold(0, |sum, own| self.costs.joined(sum, *own));
        let (mut states, mut transitions) = (1, 0);
        let width = self.memory.beam / (to - from);
        if stop == StopReason::Size && width >= LEAST_WIDTH.min(self.memory.beam) {
            let narrow = GraphSegment {
                states: usize::MAX,
                // A step on wide sets takes as much longer as they are wide.
                steps: self.memory.beam as u64 * STEPS_OF_BEAM / (1 + (to - from) as u64 / 512),
                beam: Some((width, &least)),
                ..whole
            };
            match self.segment_path(&narrow) {
                Ok(way) => {
                    (states, transitions) = (way.states, way.transitions);
                    floor = floor.max(way.bound);
                    if best.as_ref().is_none_or(|(_, value, _)| way.value < *value) {
                        best = Some((way.order, way.value, way.memory));
                    }
                }
                Err(Blocked::Cancelled) => stop = self.why(),
                Err(Blocked::Limit | Blocked::Size | Blocked::Form) => {}
            }
        }
        let Some((order, value, held)) = best else {
            // Nothing was proved: a set that was given up might have led on.
            return Err(NoPlan::Stopped(stop));
        };
        let way = SegmentPath {
            order,
            value,
            memory: held,
            bound: floor.min(value),
            states,
            transitions,
        };
        Ok((way, Ended::Stopped(stop)))
    }

    /// Searches a segment, with narrow sets if they do.
    fn segment_path(&mut self, segment: &GraphSegment<'_>) -> Result<SegmentPath, Blocked> {
        let budget = self.budget;
        let before = self.taken;
        let mut taken = before;
        let progress = &mut *self.progress;
        let mut go_on = |steps: u64| {
            taken = before + steps;
            if taken > budget {
                return ControlFlow::Break(());
            }
            progress.report(SearchEvent::Step {
                done: taken,
                of: None,
            })
        };
        if go_on(0).is_break() {
            return Err(Blocked::Cancelled);
        }
        let found = match best_path::<SetWindow>(segment, &mut go_on) {
            Err(Blocked::Form) => best_path::<Wide>(segment, &mut go_on),
            found => found,
        };
        self.taken = match &found {
            Ok(way) => before + way.transitions,
            Err(_) => taken,
        };
        found
    }

    fn why(&self) -> StopReason {
        if self.taken > self.budget {
            StopReason::Steps
        } else {
            StopReason::Cancelled
        }
    }

    /// The best of the simple orders through a segment: at articulation points all orders have run the same operators, so
    /// what an order does between two of them is a way.
    fn simple_way(
        &mut self,
        from: usize,
        to: usize,
        held: StateMemory,
    ) -> Option<(OperatorOrder, u64, StateMemory)> {
        let graph = self.costs.graph;
        let all = self.simple.get_or_insert_with(|| {
            vec![
                baseline::greedy(graph),
                baseline::peft(graph),
                (0..graph.len() as u32).collect(),
            ]
        });
        let ways = all.iter().filter_map(|order| {
            let part = &order[from..to];
            let (value, held) = replay(self.costs, from, held, part)?;
            Some((part, value, held))
        });
        let best = ways.min_by_key(|(_, value, _)| *value);
        best.map(|(part, value, held)| (part.to_vec(), value, held))
    }
}
