//! BTSearch, the paper's depth-first search with a memory, as it is printed but for what is wrong in it.
//!
//! Source: MemoriaNova, Algorithm 1. From a state, operators that can run are tried by index. A state that is reached again
//! for no less than before is given up (*pruned*); an order that is followed to its end is *searched*.
//!
//! # Where this departs from the paper
//!
//! It makes memory held least instead of memory free most, and starts without a best order instead of with 0. It is a loop
//! instead of a recursion, and what a state's steps cost is found once. With Table 4's cost it meets Table 5's two counters
//! on the five graphs whose export is known. Steps of a search are states entered.

use super::costs::{OrderCosts, StateMemory};
use super::layers::BYTES_OF_SET;
use super::sets::{Set, SetWindow, Wide};
use engine::evaluate::operators::trace;
use engine::graph::{Graph, Objective};
use engine::plan::OperatorOrder;
use engine::solve::{Ended, Limits, Progress, SearchEvent, StopReason};
use hashbrown::HashTable;

/// Default number of states to enter: some seconds.
pub const MOST_VISITS: u64 = 200_000_000;
/// The most memory that states may take [bytes].
const MOST_MEMORY: usize = 512 << 20;
/// How many states are entered between two questions whether to go on.
const VISITS_BETWEEN: u64 = 1 << 16;

/// Result of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct BtSearchResult {
    /// Its best order.
    pub order: OperatorOrder,
    /// Its value [bytes].
    pub value: u64,
    /// Branches given up.
    pub pruned: u64,
    /// Orders followed to their end.
    pub searched: u64,
    /// Different states met.
    pub states: u64,
    /// Steps between them that were looked at.
    pub transitions: u64,
    /// How it ended; complete if its order is proven.
    pub ended: Ended,
}

/// A state: what has run, and all that its steps lead to.
struct State<S> {
    set: S,
    memory: StateMemory,
    /// The least value with which it was entered.
    mark: Option<u64>,
    /// Its steps, once it has been left: operator, cost, state.
    steps: Option<Vec<(u32, u64, u32)>>,
    ready: Vec<u32>,
}

/// Where the search is in a state: the state, the value with which it was entered, the next step to try.
struct Frame {
    state: u32,
    value: u64,
    next: u32,
}

/// Searches a graph. The first order it follows is the graph's own, so that there is always one.
///
/// # Complexity
/// Exponential in bad cases: a state is left again whenever it is reached for less. O(operators + operands) a state for what
/// is found once.
pub fn search(
    graph: &Graph,
    objective: Objective,
    limits: &Limits,
    progress: &mut impl Progress<OperatorOrder>,
) -> BtSearchResult {
    match run::<SetWindow>(graph, objective, limits, progress) {
        Some(found) => found,
        None => run::<Wide>(graph, objective, limits, progress)
            .expect("a bit for each operator holds every set"),
    }
}

/// `None` if a set does not fit its form.
fn run<S: Set>(
    graph: &Graph,
    objective: Objective,
    limits: &Limits,
    progress: &mut impl Progress<OperatorOrder>,
) -> Option<BtSearchResult> {
    let n = graph.len();
    let costs = OrderCosts::new(graph, objective, None);
    let start = S::all_before(0, n);
    let mut scratch = start.clone();
    let ready = (0..n as u32).filter(|v| costs.is_ready(&start, *v as usize));
    let mut states = vec![State {
        memory: costs.start(),
        mark: None,
        steps: None,
        ready: ready.collect(),
        set: start,
    }];
    let mut table: HashTable<u32> = HashTable::new();
    table.insert_unique(states[0].set.hash(), 0, |at| {
        states[*at as usize].set.hash()
    });
    let mut memory = 0;
    let most = limits.steps.unwrap_or(MOST_VISITS);
    let (mut visits, mut pruned, mut searched) = (0u64, 0u64, 0u64);
    let mut best: Option<(OperatorOrder, u64)> = None;
    let mut ended = Ended::Optimal;
    // The path to where the search stands, and the state to enter next.
    let mut path: Vec<Frame> = Vec::with_capacity(n);
    let mut order: OperatorOrder = Vec::with_capacity(n);
    let mut enter = Some((0u32, 0u64));
    loop {
        if let Some((at, value)) = enter.take() {
            visits += 1;
            if visits > most {
                ended = Ended::Stopped(StopReason::Steps);
                break;
            }
            let step = SearchEvent::Step {
                done: visits,
                of: None,
            };
            if visits.is_multiple_of(VISITS_BETWEEN) && progress.report(step).is_break() {
                ended = Ended::Stopped(StopReason::Cancelled);
                break;
            }
            let state = &mut states[at as usize];
            if order.len() == n {
                searched += 1;
                if best.as_ref().is_none_or(|(_, least)| value < *least) {
                    best = Some((order.clone(), value));
                }
                order.pop();
            } else if state.mark.is_some_and(|mark| mark <= value) {
                pruned += 1;
                order.pop();
            } else {
                state.mark = Some(value);
                path.push(Frame {
                    state: at,
                    value,
                    next: 0,
                });
            }
        }
        let Some(frame) = path.last_mut() else {
            break;
        };
        let at = frame.state as usize;
        if states[at].steps.is_none() {
            let found = expand(
                &costs,
                &mut states,
                &mut table,
                at,
                &mut scratch,
                &mut memory,
            );
            match found {
                Ok(steps) => states[at].steps = Some(steps),
                Err(Full::Form) => return None,
                Err(Full::Memory) => {
                    ended = Ended::Stopped(StopReason::Size);
                    break;
                }
            }
        }
        let steps = states[at].steps.as_deref().unwrap_or_default();
        match steps.get(frame.next as usize) {
            Some((v, cost, to)) => {
                frame.next += 1;
                order.push(*v);
                enter = Some((*to, costs.joined(frame.value, *cost)));
            }
            None => {
                path.pop();
                order.pop();
            }
        }
    }
    // Operators are tried by index, and the graph lists them in an order in which they can run: that is the first path.
    let (order, value) = best.unwrap_or_else(|| {
        let order: OperatorOrder = (0..n as u32).collect();
        let replayed =
            trace(graph, &order).expect("a graph lists its operators in an order of its own");
        let value = super::value(&replayed, objective);
        (order, value)
    });
    Some(BtSearchResult {
        order,
        value,
        pruned,
        searched,
        states: states.len() as u64,
        transitions: states
            .iter()
            .filter_map(|state| state.steps.as_ref())
            .map(|steps| steps.len() as u64)
            .sum(),
        ended,
    })
}

/// Why the steps of a state cannot be held.
enum Full {
    /// A set does not fit its form.
    Form,
    /// The states take too much memory.
    Memory,
}

/// Finds the steps of a state.
fn expand<S: Set>(
    costs: &OrderCosts<'_>,
    states: &mut Vec<State<S>>,
    table: &mut HashTable<u32>,
    at: usize,
    scratch: &mut S,
    memory: &mut usize,
) -> Result<Vec<(u32, u64, u32)>, Full> {
    let ready = std::mem::take(&mut states[at].ready);
    let mut steps = Vec::with_capacity(ready.len());
    for v in &ready {
        let state = &states[at];
        let (cost, held) = costs
            .step(&state.set, state.memory, *v as usize)
            .expect("there is no limit here");
        if !state.set.with(*v as usize, scratch) {
            return Err(Full::Form);
        }
        let hash = scratch.hash();
        let known = table.find(hash, |other| states[*other as usize].set == *scratch);
        let to = match known {
            Some(known) => *known,
            None => {
                let to = states.len() as u32;
                let mut after = Vec::new();
                costs.ready_after(scratch, &ready, *v as usize, &mut after);
                *memory += BYTES_OF_SET + scratch.heap() + after.len() * 20;
                if *memory > MOST_MEMORY {
                    return Err(Full::Memory);
                }
                states.push(State {
                    set: scratch.clone(),
                    memory: held,
                    mark: None,
                    steps: None,
                    ready: after,
                });
                table.insert_unique(hash, to, |other| states[*other as usize].set.hash());
                to
            }
        };
        steps.push((*v, cost, to));
    }
    Ok(steps)
}
