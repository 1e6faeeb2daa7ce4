//! Where the tensors of an order are in one piece of memory, so that no two that are held at the same time overlap.
//!
//! Ours: the paper counts bytes, a small device has to place them. A sum that overwrites an operand is where that operand
//! lay. Buffers are placed one after another, each as low as it fits; what decides is in which order. Four simple ones are
//! tried, then those that stick out are placed earlier, for as long as that is worth its time. At any step the buffers
//! that are held must all fit, which bounds every placement from below; one that meets it is proved, any other may not be
//! the best. Weights have no place here: they are read from where the model is stored.

use engine::evaluate::operators::{lifetimes, trace};
use engine::graph::Graph;
use engine::plan::Arena;
use engine::problem::Invalid;
use engine::units::InOrder;

/// Comparisons of two buffers that the search for a better order may take.
const MOST_COMPARISONS: u64 = 20_000_000;
/// The most buffers that are placed more than twice.
const MOST_IMPROVED: usize = 2_000;

/// A buffer: a tensor, or several that overwrite one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Buffer {
    /// Bytes, a multiple of the alignment.
    size: u64,
    /// The steps during which it is held, both included.
    from: u32,
    to: u32,
}

impl Buffer {
    const fn meets(&self, other: &Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// Places the tensors of an order at multiples of `align` bytes, at least 1.
///
/// # Errors
/// As [`trace`]: what is no order of the graph.
///
/// # Complexity
/// O(buffers² log buffers) a placement; at most 20 million comparisons to better it.
pub fn arena(graph: &Graph, order: &[u32], align: u64) -> Result<Arena, Invalid> {
    let align = align.max(1);
    let held = lifetimes(graph, order)?;
    let trace = trace(graph, order)?;
    let tensors = graph.tensors();
    let mut steps = vec![None; tensors];
    for one in &held {
        steps[one.tensor as usize] = Some((one.from, one.to));
    }
    // Which buffer a tensor is in; a sum joins the operand that it overwrites.
    let mut buffers: Vec<Buffer> = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; tensors];
    let mut shared = Vec::new();
    let rounded = |bytes: u64| bytes.div_ceil(align) * align;
    let mut open = |of: &mut Vec<Option<usize>>, t: usize, (from, to): (u32, u32)| {
        of[t] = Some(buffers.len());
        let size = rounded(graph.bytes(t));
        buffers.push(Buffer { size, from, to });
    };
    for (t, held) in steps.iter().enumerate().skip(graph.len()) {
        if let Some(held) = held {
            open(&mut of, t, *held);
        }
    }
    let mut joined: Vec<(usize, u32)> = Vec::new();
    for (step, v) in (0u32..).zip(order.iter().map(|v| *v as usize)) {
        let Some(held) = steps[v] else {
            continue;
        };
        let overwritten = graph.src(v).iter().map(|t| *t as usize).find(|t| {
            trace.in_place[step as usize]
                && steps[*t].is_some_and(|(_, to)| to == step)
                && graph.bytes(*t) >= graph.op(v).out
                && !(*t < graph.len() && graph.is_output(*t))
        });
        match overwritten.and_then(|t| of[t].map(|buffer| (t, buffer))) {
            Some((t, buffer)) => {
                of[v] = Some(buffer);
                joined.push((buffer, held.1));
                shared.push((v as u32, t as u32));
            }
            None => open(&mut of, v, held),
        }
    }
    for (buffer, to) in joined {
        buffers[buffer].to = buffers[buffer].to.max(to);
    }
    let (offsets, size) = placed(&buffers);
    Ok(Arena {
        align,
        offsets: of
            .iter()
            .map(|buffer| buffer.map(|at| offsets[at]))
            .collect(),
        steps,
        shared,
        size,
        bound: bound(&buffers, order.len()),
    })
}

/// The most bytes that are held at any step.
fn bound(buffers: &[Buffer], steps: usize) -> u64 {
    let mut change = vec![(0u64, 0u64); steps + 1];
    for one in buffers {
        change[one.from as usize].0 += one.size;
        change[one.to as usize + 1].1 += one.size;
    }
    let (mut held, mut most) = (0, 0);
    for (more, less) in change {
        held = held + more - less;
        most = most.max(held);
    }
    most
}

/// Offsets, and the size of it all.
fn placed(buffers: &[Buffer]) -> (Vec<u64>, u64) {
    let steps = buffers.iter().map(|one| one.to as usize + 1).max();
    let floor = bound(buffers, steps.unwrap_or_default());
    let by = |key: &dyn Fn(&Buffer) -> u64| {
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.in_order_of(|at| (std::cmp::Reverse(key(&buffers[*at])), *at));
        order
    };
    let length = |one: &Buffer| u64::from(one.to - one.from) + 1;
    let orders = [
        by(&|one| one.size),
        by(&|one| u64::MAX - u64::from(one.from)),
        by(&|one| one.size.saturating_mul(length(one))),
        by(&length),
    ];
    let mut best: Option<(Vec<u64>, u64, Vec<usize>)> = None;
    for order in orders {
        let (offsets, size) = first_fit(buffers, &order);
        if best.as_ref().is_none_or(|(_, least, _)| size < *least) {
            best = Some((offsets, size, order));
        }
        if size == floor {
            break;
        }
    }
    let Some((mut offsets, mut size, mut order)) = best else {
        return (Vec::new(), 0);
    };
    if buffers.len() > MOST_IMPROVED {
        return (offsets, size);
    }
    let (mut trial, mut trial_offsets) = (order.clone(), offsets.clone());
    let mut left = MOST_COMPARISONS;
    let each = (buffers.len() * buffers.len()) as u64 / 2 + 1;
    let mut stale = 0;
    while size > floor && left >= each && stale < 200 {
        left -= each;
        // Whatever sticks out over the floor goes before everything that is under it.
        let out = |at: &usize| trial_offsets[*at] + buffers[*at].size > floor;
        let Some(place) = trial.iter().position(out) else {
            break;
        };
        let one = trial.remove(place);
        let under = trial
            .iter()
            .position(|at| buffers[*at].meets(&buffers[one]));
        trial.insert(under.unwrap_or_default().min(place), one);
        let (found, reached) = first_fit(buffers, &trial);
        trial_offsets = found;
        stale += 1;
        if reached < size {
            (offsets, size) = (trial_offsets.clone(), reached);
            order.clone_from(&trial);
            stale = 0;
        }
    }
    (offsets, size)
}

/// Each buffer as low as it fits between those before it.
fn first_fit(buffers: &[Buffer], order: &[usize]) -> (Vec<u64>, u64) {
    let mut offsets = vec![0; buffers.len()];
    // Those that are placed, by where they begin.
    let mut lying: Vec<usize> = Vec::with_capacity(buffers.len());
    let mut size = 0;
    for at in order.iter().copied() {
        let one = &buffers[at];
        let mut offset = 0;
        for other in lying
            .iter()
            .copied()
            .filter(|other| buffers[*other].meets(one))
        {
            if offset + one.size <= offsets[other] {
                break;
            }
            offset = offset.max(offsets[other] + buffers[other].size);
        }
        offsets[at] = offset;
        size = size.max(offset + one.size);
        let place = lying.partition_point(|other| offsets[*other] <= offset);
        lying.insert(place, at);
    }
    (offsets, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(ops: &str) -> Graph {
        Graph::from_json(&format!(r#"{{"inputs":[100],"ops":[{ops}]}}"#)).expect("a graph")
    }

    #[test]
    fn a_chain_swings_between_two_ends() {
        let op = |from: i32, out: u32| {
            format!(r#"{{"kind":"conv","ins":[{from}],"out":{out},"shape":[1]}}"#)
        };
        let ops = [op(-1, 50), op(0, 200), op(1, 10)].join(",");
        let arena = arena(&graph(&ops), &[0, 1, 2], 1).expect("an order");
        assert_eq!((arena.size, arena.bound), (250, 250));
        assert_eq!(arena.shared, []);
    }

    #[test]
    fn a_sum_takes_the_address_of_its_operand() {
        let op = |kind: &str, ins: &str, out: u32| {
            format!(r#"{{"kind":"{kind}","ins":{ins},"out":{out},"shape":[1]}}"#)
        };
        let ops = [
            op("conv", "[-1]", 60),
            op("conv", "[-1]", 60),
            op("add", "[0,1]", 60),
        ]
        .join(",");
        let arena = arena(&graph(&ops), &[0, 1, 2], 16).expect("an order");
        assert_eq!(arena.shared, [(2, 0)]);
        assert_eq!(arena.offsets[2], arena.offsets[0]);
        assert_eq!((arena.size, arena.bound), (112 + 64 + 64, 112 + 64 + 64));
        assert_eq!(
            arena.steps[3],
            Some((0, 1)),
            "the input, read last by the second"
        );
    }
}
