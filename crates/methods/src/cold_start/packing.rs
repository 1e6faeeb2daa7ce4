//! Feasibility of the layers in memory without regard to time: for problems beyond the exact program, and to find how many layers
//! fit.
//!
//! A stage that starts later never ends earlier (it holds a subset of what it held), so for every set of
//! devices the furthest layer it can reach is all that matters: an exact program over sets. With identical
//! layers a device simply holds a number of them, and no set is needed.

use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;
use std::collections::VecDeque;

/// Result of packing.
pub(super) enum PackingResult {
    /// A plan that fits; its time was not looked at.
    Fits(Pipeline),
    /// Proved: at most `room` leading layers can be placed.
    Never {
        /// The most leading layers that any plan can place.
        room: usize,
    },
    /// Too many devices for a proof, and the quick attempt failed.
    Unknown,
}

/// Devices up to which all sets are looked at.
const MOST_DEVICES: usize = 20;

/// Places as many leading layers as possible.
///
/// # Complexity
/// O(K L + K 2^K) for up to 20 devices, O(K L + K²) beyond.
pub(super) fn pack(problem: &ColdStart) -> PackingResult {
    let layers = problem.layers().len();
    let reach: Vec<Vec<usize>> = (0..problem.machines().len())
        .map(|k| furthest(problem, k))
        .collect();
    let exact_by_counting = problem.identical_layers();
    if reach.len() > MOST_DEVICES || exact_by_counting {
        return match greedy(&reach, layers) {
            Ok(plan) => PackingResult::Fits(plan),
            Err(room) if exact_by_counting => PackingResult::Never { room },
            Err(_) => PackingResult::Unknown,
        };
    }
    over_sets(&reach, layers)
}

/// For every number of layers already placed, how many are placed after this device took all it can.
fn furthest(problem: &ColdStart, device: usize) -> Vec<usize> {
    let layers = problem.layers();
    let mut reach = Vec::with_capacity(layers.len() + 1);
    // A hair of extra room: a sum that slides along rounds differently from the referee's, and a proof that
    // nothing fits must not hang on that. A plan that uses the hair is found out when it is scored.
    let roomy = problem.capacity(device) * (1.0 + 1e-12);
    let (mut end, mut held) = (0, 0.0);
    let mut widest: VecDeque<usize> = VecDeque::new(); // indices of falling activations
    for start in 0..layers.len() {
        if end < start {
            (end, held) = (start, 0.0);
        }
        while let Some(layer) = layers.get(end) {
            let active = widest.front().map_or(0.0, |&k| layers[k].activation.get());
            let need = active.max(layer.activation.get()) + (held + layer.resident.get());
            if need > roomy {
                break;
            }
            while widest
                .back()
                .is_some_and(|&k| layers[k].activation <= layer.activation)
            {
                widest.pop_back();
            }
            widest.push_back(end);
            held += layer.resident.get();
            end += 1;
        }
        reach.push(end);
        if end > start {
            held -= layers[start].resident.get();
        }
        if widest.front() == Some(&start) {
            widest.pop_front();
        }
    }
    reach.push(layers.len());
    reach
}

/// Takes, again and again, the unused device that gets furthest. `Err` is how far that came.
fn greedy(reach: &[Vec<usize>], layers: usize) -> Result<Pipeline, usize> {
    let mut unused: Vec<usize> = (0..reach.len()).collect();
    let mut plan = Pipeline::new();
    let mut placed = 0;
    while placed < layers {
        let best = (0..unused.len()).max_by_key(|&at| (reach[unused[at]][placed], usize::MAX - at));
        let Some(device) = best.map(|at| unused.remove(at)) else {
            return Err(placed);
        };
        let end = reach[device][placed];
        if end == placed {
            return Err(placed);
        }
        plan.push(Stage {
            device,
            first: placed + 1,
            last: end,
        });
        placed = end;
    }
    Ok(plan)
}

/// The furthest layer of every set of devices, and the plan that gets there.
fn over_sets(reach: &[Vec<usize>], layers: usize) -> PackingResult {
    let devices = reach.len();
    let mut placed = vec![0_usize; 1 << devices];
    let came_by = |placed: &[usize], set: usize| {
        (0..devices)
            .filter(|k| set >> k & 1 == 1)
            .map(|k| (reach[k][placed[set & !(1 << k)]], k))
            .max_by_key(|&(end, k)| (end, usize::MAX - k))
    };
    for set in 1..placed.len() {
        placed[set] = came_by(&placed, set).map_or(0, |(end, _)| end);
        if placed[set] == layers {
            return PackingResult::Fits(unfold(&placed, set, &came_by));
        }
    }
    PackingResult::Never {
        room: placed.into_iter().max().unwrap_or(0),
    }
}

/// Reads the plan of a set back from the table of all sets.
fn unfold(
    placed: &[usize],
    mut set: usize,
    came_by: &impl Fn(&[usize], usize) -> Option<(usize, usize)>,
) -> Pipeline {
    let mut plan = Pipeline::new();
    while let Some((end, device)) = came_by(placed, set) {
        set &= !(1 << device);
        let first = placed[set] + 1;
        if first <= end {
            plan.push(Stage {
                device,
                first,
                last: end,
            });
        }
    }
    plan.reverse();
    plan
}
