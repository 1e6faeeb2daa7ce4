//! The baselines of the paper, one call each: Greedy, Round-Robin, Static, Dynamic and EdgeShard. Galaxy is in
//! [`super::galaxy`], because it splits proj and ffn and so has no placement of blocks.
//!
//! None of them knows the objective. What they return satisfies the memory rule but for [`stay`], which keeps what is
//! there; what becomes of them over many intervals is the caller's rule.

use super::algorithm1::{PlacementState, Stuck, queue};
use engine::evaluate::heads::{HeadsShape, delay};
use engine::plan::Placement;
use engine::problem::heads::{HeadPlacement, SLACK};
use serde::{Deserialize, Serialize};

/// Blocks in the order of Algorithm 1, each on the first device with memory and compute left. O(B V).
///
/// # Errors
/// A block that fits nowhere.
pub fn greedy(problem: &HeadPlacement) -> Result<Placement, Stuck> {
    let mut room = PlacementState::new(problem);
    for block in queue(problem) {
        let mut devices = 0..problem.devices();
        let device = devices.find(|j| room.fits(block, *j));
        room.put(block, device.ok_or(Stuck::Memory { block })?);
    }
    all(&room)
}

/// Blocks in their own order, each on the next device with memory left, around and around. O(B V).
///
/// # Errors
/// A block that fits nowhere.
pub fn round_robin(problem: &HeadPlacement) -> Result<Placement, Stuck> {
    let (mut room, devices) = (PlacementState::new(problem), problem.devices());
    let mut pointer = 0;
    for block in 0..problem.blocks() {
        let mut around = (pointer..pointer + devices).map(|j| j % devices);
        let device = around.find(|j| room.has_memory_for(block, *j));
        let device = device.ok_or(Stuck::Memory { block })?;
        room.put(block, device);
        pointer = device + 1;
    }
    all(&room)
}

/// The previous placement, whatever memory says: what a static method does after its first interval.
#[must_use]
pub fn stay(problem: &HeadPlacement) -> Option<Placement> {
    problem.prev().map(<[usize]>::to_vec)
}

/// The layer as one block, on the device of the best score: the largest of its fractions of memory, of compute, and of
/// the budget for input and move. O(V B).
///
/// # Errors
/// The layer fits no device.
pub fn dynamic(problem: &HeadPlacement) -> Result<Placement, Stuck> {
    let form = problem.layer().form();
    let need = problem.sizes().all_memory(form.h);
    let work = problem.tokens() * problem.sizes().all_operations(form.h);
    let t_tok = problem.t_tok();
    let span = problem.tokens() * t_tok;
    let share = |part: f64, whole: f64| if part == 0.0 { 0.0 } else { part / whole };
    let moved = |device: usize| {
        let blocks = problem.prev().into_iter().flatten().enumerate();
        let seconds = blocks.map(|(block, from)| {
            let bytes = problem.before().memory(block, problem.heads());
            problem.links().transfer(bytes, *from, device)
        });
        seconds.sum::<f64>()
    };
    let key = |device: usize| {
        let offers = problem.compute()[device] * span;
        let fits = problem.fits(device, need) && work <= offers * (1.0 + SLACK);
        let (input, from) = (problem.sizes().w_in, problem.controller());
        let sending = problem.links().transfer(input, from, device) / t_tok;
        let score = share(need, problem.memory()[device])
            .max(share(work, offers))
            .max(sending + moved(device) / span);
        let stays = problem
            .prev()
            .is_some_and(|prev| prev.iter().all(|from| *from == device));
        (!fits, score, !stays, device)
    };
    let best = (0..problem.devices()).map(key).min_by(|a, b| {
        let first = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        first.then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
    });
    match best {
        Some((false, _, _, device)) => Ok(vec![device; problem.blocks()]),
        _ => Err(Stuck::Layer),
    }
}

/// Which device EdgeShard gives the layer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// The one with the least delay, which its own planner would choose.
    #[default]
    Best,
    /// The first: an arbitrary one.
    First,
}

/// The whole layer on one of the devices that hold it. O(V^2).
///
/// # Errors
/// The layer fits no device.
pub fn edgeshard(problem: &HeadPlacement, pick: Pick) -> Result<Placement, Stuck> {
    let need = problem.sizes().all_memory(problem.layer().form().h);
    let blocks = problem.blocks();
    let delay = |device: usize| {
        let shape = HeadsShape::of(&vec![device; blocks], problem.devices());
        delay(problem, problem.sizes(), &shape)
    };
    let mut that_fit = (0..problem.devices()).filter(|j| problem.fits(*j, need));
    let device = match pick {
        Pick::First => that_fit.next(),
        Pick::Best => that_fit
            .map(|j| (delay(j), j))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, device)| device),
    };
    device.map_or(Err(Stuck::Layer), |device| Ok(vec![device; blocks]))
}

fn all(room: &PlacementState<'_>) -> Result<Placement, Stuck> {
    let placed = room.placed.iter().copied();
    Ok(placed
        .collect::<Option<Placement>>()
        .expect("every block has been placed"))
}
