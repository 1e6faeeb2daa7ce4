//! The shortest path through one segment, layer by layer: all sets of k operators before those of k + 1.
//!
//! Every layer can be cut to its most promising sets; then the least that any set given up could still have come to is
//! a bound on what the path may miss.

use super::costs::{OrderCosts, StateMemory};
use super::sets::Set;
use engine::graph::Objective;
use engine::plan::OperatorOrder;
use hashbrown::HashTable;
use std::ops::ControlFlow;

/// How many steps are taken between two questions whether to go on.
const STEPS_BETWEEN: u64 = 1 << 14;

/// Memory of a set beside its bits [bytes]: a constant, so that every machine stops at the same set.
pub(super) const BYTES_OF_SET: usize = 96;

/// One segment of a graph to find a way through.
pub struct GraphSegment<'a> {
    /// Costs of steps.
    pub costs: &'a OrderCosts<'a>,
    /// Its first operator.
    pub from: usize,
    /// Where the next one begins.
    pub to: usize,
    /// Memory held before it.
    pub start_memory: StateMemory,
    /// The most memory that sets may take [bytes].
    pub memory: usize,
    /// The most sets in all.
    pub states: usize,
    /// The most steps.
    pub steps: u64,
    /// How many sets of each size go on, with what every operator of the segment costs at least; `None` for all.
    pub beam: Option<(usize, &'a [u64])>,
}

/// A way through a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentPath {
    /// Its operators.
    pub order: OperatorOrder,
    /// Its value [bytes].
    pub value: u64,
    /// Memory held at its end.
    pub memory: StateMemory,
    /// No way's value is less [bytes]; the value itself if no set was given up.
    pub bound: u64,
    /// Sets met, the first included.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
}

/// Why there is no way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {
    /// No order keeps the limit; sure only if no set was given up.
    Limit,
    /// A set does not fit its form.
    Form,
    /// Too many sets or steps.
    Size,
    /// The listener has cancelled.
    Cancelled,
}

/// A set with the best way to it.
struct Node<S> {
    set: S,
    memory: StateMemory,
    value: u64,
    /// Least cost of all operators that have not run.
    remaining_cost: u64,
    /// Its place among all sets of the segment.
    at: u32,
    /// Its operators that can run: a piece of the layer's list.
    ready: (u32, u32),
}

/// Finds the best way.
///
/// # Errors
/// [`Blocked`].
///
/// # Complexity
/// O(steps × readers of what an operator reads); memory for two layers of sets and eight bytes for every other.
pub fn best_path<S: Set>(
    segment: &GraphSegment<'_>,
    go_on: &mut impl FnMut(u64) -> ControlFlow<()>,
) -> Result<SegmentPath, Blocked> {
    let &GraphSegment {
        costs, from, to, ..
    } = segment;
    let start = S::all_before(from, to);
    let mut scratch = start.clone();
    let mut ready: Vec<u32> = (from as u32..to as u32)
        .filter(|v| costs.is_ready(&start, *v as usize))
        .collect();
    let least = segment.beam.map_or(&[][..], |(_, least)| least);
    let remaining_cost: u64 = least.iter().sum();
    let largest = least.iter().copied().max().unwrap_or_default();
    let mut layer = vec![Node {
        set: start,
        memory: segment.start_memory,
        value: 0,
        remaining_cost,
        at: 0,
        ready: (0, ready.len() as u32),
    }];
    // Of every set met: the one before it, and the operator between.
    let mut links: Vec<(u32, u32)> = vec![(0, 0)];
    let mut given_up: Option<u64> = None;
    let (mut transitions, mut asked) = (0u64, 0u64);
    let size_of_node = BYTES_OF_SET + layer[0].set.heap();
    for depth in from..to {
        let mut next: Vec<Node<S>> = Vec::new();
        let mut table: HashTable<u32> = HashTable::new();
        let first = links.len() as u32;
        for node in &layer {
            let (begin, end) = (node.ready.0 as usize, node.ready.1 as usize);
            for v in ready[begin..end].iter().map(|v| *v as usize) {
                if transitions >= asked + STEPS_BETWEEN {
                    asked = transitions;
                    if go_on(transitions).is_break() {
                        return Err(Blocked::Cancelled);
                    }
                }
                let Some((cost, held)) = costs.step(&node.set, node.memory, v) else {
                    continue;
                };
                transitions += 1;
                if transitions > segment.steps {
                    return Err(Blocked::Size);
                }
                if !node.set.with(v, &mut scratch) {
                    return Err(Blocked::Form);
                }
                let value = costs.joined(node.value, cost);
                let hash = scratch.hash();
                let known = table.find(hash, |at| next[*at as usize].set == scratch);
                if let Some(known) = known.map(|at| *at as usize) {
                    if value < next[known].value {
                        next[known].value = value;
                        links[first as usize + known] = (node.at, v as u32);
                    }
                    continue;
                }
                let place = next.len() as u32;
                if links.len() >= segment.states || next.len() * size_of_node > segment.memory {
                    return Err(Blocked::Size);
                }
                next.push(Node {
                    set: scratch.clone(),
                    memory: held,
                    value,
                    remaining_cost: least
                        .get(v - from)
                        .map_or(0, |own| node.remaining_cost - own),
                    at: first + place,
                    ready: (0, 0),
                });
                links.push((node.at, v as u32));
                table.insert_unique(hash, place, |at| next[*at as usize].set.hash());
            }
        }
        if next.is_empty() {
            return Err(Blocked::Limit);
        }
        if let Some((width, _)) = segment.beam {
            let hope = |node: &Node<S>| {
                costs.joined(
                    node.value,
                    match costs.objective {
                        Objective::Peak => largest,
                        _ => node.remaining_cost,
                    },
                )
            };
            // What is left of the steps is for all layers to come, and a set takes as many as it has operators that can run.
            let left = segment.steps.saturating_sub(transitions) / (to - depth) as u64;
            let each = (ready.len() / layer.len()).max(1) as u64;
            let width = width.min((left / each) as usize).max(1);
            if next.len() > width {
                let mut by_hope: Vec<u32> = (0..next.len() as u32).collect();
                by_hope.sort_by_key(|at| (hope(&next[*at as usize]), *at));
                let lost = hope(&next[by_hope[width] as usize]);
                given_up = Some(given_up.map_or(lost, |known| known.min(lost)));
                let mut stays = vec![false; next.len()];
                by_hope[..width]
                    .iter()
                    .for_each(|at| stays[*at as usize] = true);
                let mut stays = stays.into_iter();
                next.retain(|_| stays.next().unwrap_or_default());
            }
        }
        // Which operators can run is found for the sets that go on only.
        let mut able = Vec::new();
        for node in &mut next {
            let begin = able.len();
            let (before, by) = links[node.at as usize];
            let parent = layer.partition_point(|other| other.at < before);
            let (b, e) = (
                layer[parent].ready.0 as usize,
                layer[parent].ready.1 as usize,
            );
            costs.ready_after(&node.set, &ready[b..e], by as usize, &mut able);
            if able.len() * 4 > segment.memory {
                return Err(Blocked::Size);
            }
            // Those behind the segment wait for its end.
            while able.len() > begin && able[able.len() - 1] as usize >= to {
                able.pop();
            }
            node.ready = (begin as u32, able.len() as u32);
        }
        (layer, ready) = (next, able);
    }
    let end = &layer[0];
    let mut order: OperatorOrder = Vec::with_capacity(to - from);
    let mut at = end.at;
    while at != 0 {
        let (before, v) = links[at as usize];
        order.push(v);
        at = before;
    }
    order.reverse();
    Ok(SegmentPath {
        order,
        value: end.value,
        memory: end.memory,
        bound: given_up.map_or(end.value, |lost| lost.min(end.value)),
        states: links.len() as u64,
        transitions,
    })
}
