//! Runs of requests through tiers for tests and benchmarks: the paper's network, and seeded random ones.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use super::instances::Draw;
use engine::problem::{
    Mode, Order, Outage, PerOne, RunTierNumbers, Scheduler, TaskNumbers, TierRun, TierRunNumbers,
};

/// A task without memory.
pub fn task(arrival: f64, out_tokens: u32) -> TaskNumbers {
    TaskNumbers {
        arrival,
        out_tokens: f64::from(out_tokens),
        memory: PerOne::All(0.0),
    }
}

/// Two small tiers and two tasks, worked by hand: 0.25 s and 0.125 s of transfer, 0.0625 s back.
pub fn by_hand(mode: Mode) -> TierRunNumbers {
    TierRunNumbers {
        mode,
        scheduler: Scheduler::HypSched,
        order: Order::Fifo,
        batch: 1.0,
        tiers: vec![
            RunTierNumbers::plain(1, 1.0, 0.25),
            RunTierNumbers::plain(2, 1.5, 0.5),
        ],
        hop_prefill: vec![0.25],
        hop_decode: vec![0.125],
        return_delay: 0.0625,
        tasks: vec![task(0.0, 3), task(0.5, 2)],
        down: Vec::new(),
    }
}

/// The paper's network of 3, 3 and 2 nodes with the stage times of Llama 5/9/18 in milliseconds, under the default
/// profile, 1 Gbit/s; requests of 128 tokens at these times.
pub fn paper(mode: Mode, arrivals: &[f64]) -> TierRunNumbers {
    network(
        mode,
        &[
            (3, 53.491, 53.523),
            (3, 63.938, 63.977),
            (2, 72.489, 72.527),
        ],
        4096.0,
        arrivals,
    )
}

/// Tiers of (nodes, prefill [ms], decode [ms]) for a model of this width over 1 Gbit/s, 64 prompt tokens.
pub fn network(
    mode: Mode,
    tiers: &[(usize, f64, f64)],
    width: f64,
    arrivals: &[f64],
) -> TierRunNumbers {
    let stage = |(nodes, prefill, decode): &(usize, f64, f64)| {
        RunTierNumbers::plain(*nodes, prefill / 1000.0, decode / 1000.0)
    };
    let hops = tiers.len() - 1;
    TierRunNumbers {
        mode,
        scheduler: Scheduler::HypSched,
        order: Order::Fifo,
        batch: 1.0,
        tiers: tiers.iter().map(stage).collect(),
        hop_prefill: vec![8.0 * 64.0 * width * 2.0 / 1e9; hops],
        hop_decode: vec![8.0 * width * 2.0 / 1e9; hops],
        return_delay: 0.0,
        tasks: arrivals.iter().map(|at| task(*at, 128)).collect(),
        down: Vec::new(),
    }
}

/// A random run in this mode with this scheduler. Times are whole multiples of 1/64 s, so that sums are exact and
/// events of one instant are frequent.
pub fn random(draw: &mut Draw, mode: Mode, scheduler: Scheduler) -> TierRunNumbers {
    let grid = |draw: &mut Draw, most: usize| draw.below(most + 1) as f64 / 64.0;
    let count = draw.whole(1, 4);
    let limited = draw.one_in(2);
    let uneven = draw.one_in(2);
    let batch = if mode == Mode::Token && draw.one_in(3) {
        draw.whole(2, 4)
    } else {
        1
    };
    let tiers: Vec<RunTierNumbers> = (0..count)
        .map(|_| {
            let nodes = draw.whole(1, 4);
            RunTierNumbers {
                slope: if draw.one_in(3) { grid(draw, 4) } else { 0.0 },
                speed: uneven.then(|| {
                    (0..nodes)
                        .map(|_| [0.5, 1.0, 2.0, 4.0][draw.below(4)])
                        .collect()
                }),
                memory: limited.then(|| match draw.below(2) {
                    0 => PerOne::All(draw.whole(4, 8) as f64),
                    _ => PerOne::Each(
                        (0..nodes)
                            .map(|k| draw.whole(if k == 0 { 4 } else { 0 }, 8) as f64)
                            .collect(),
                    ),
                }),
                batch_inc: grid(draw, 8),
                batch_compute: grid(draw, 24),
                ..RunTierNumbers::plain(nodes, grid(draw, 128), grid(draw, 32))
            }
        })
        .collect();
    let many = draw.whole(1, 14);
    let tasks: Vec<TaskNumbers> = (0..many)
        .map(|_| TaskNumbers {
            arrival: grid(draw, 640),
            out_tokens: if draw.one_in(4) {
                1.0
            } else {
                draw.whole(1, 9) as f64
            },
            memory: match draw.below(3) {
                0 => PerOne::All(0.0),
                1 => PerOne::All(draw.whole(0, 4) as f64),
                _ => PerOne::Each((0..count).map(|_| draw.whole(0, 4) as f64).collect()),
            },
        })
        .collect();
    let mut down = Vec::new();
    if draw.one_in(2) {
        for _ in 0..draw.whole(1, 5) {
            let tier = draw.below(count);
            let from = grid(draw, 640);
            down.push(Outage {
                tier,
                node: draw.below(tiers[tier].nodes as usize),
                from,
                to: from + grid(draw, 640),
            });
        }
    }
    let hops = |draw: &mut Draw| (1..count).map(|_| grid(draw, 16)).collect::<Vec<f64>>();
    TierRunNumbers {
        mode,
        scheduler,
        order: if draw.one_in(3) {
            Order::Rank
        } else {
            Order::Fifo
        },
        batch: batch as f64,
        hop_prefill: hops(draw),
        hop_decode: hops(draw),
        return_delay: grid(draw, 8),
        tiers,
        tasks,
        down,
    }
}

/// The validated run.
pub fn built(numbers: &TierRunNumbers) -> TierRun {
    TierRun::new(numbers).expect("the tests' runs are valid")
}
