//! A token of a layer that is split into parts: what its delay is made of, and what each part takes.

use crate::heads::galaxy::Galaxy;
use engine::evaluate::heads::Phases;
use engine::problem::head_sizes::{Delay, Sizes};
use engine::problem::heads::{HeadPlacement, compute_time};

/// The delay of one token: input and heads, the two synchronisations, and the columns of proj and ffn. O(G).
pub(super) fn phases(galaxy: &Galaxy, problem: &HeadPlacement, sizes: &Sizes) -> Phases {
    let (links, speed) = (problem.links(), problem.compute());
    let slowest = |time: &dyn Fn(usize, usize) -> f64| {
        let each = galaxy.devices.iter().enumerate();
        each.map(|(at, device)| time(at, *device))
            .fold(0.0, f64::max)
    };
    let columns = |work: f64| match problem.layer().delay() {
        Delay::Full => slowest(&|at, device| compute_time(galaxy.share[at] * work, speed[device])),
        Delay::Eq6 => 0.0,
    };
    let input = slowest(&|_, device| links.transfer(sizes.w_in, problem.controller(), device));
    let heads =
        slowest(&|at, device| compute_time(galaxy.heads[at] as f64 * sizes.b_head, speed[device]));
    let size = galaxy.devices.len();
    let sync = if size < 2 {
        0.0
    } else {
        let ring = (0..size).map(|k| links.rate(galaxy.devices[k], galaxy.devices[(k + 1) % size]));
        let slowest = ring.fold(f64::INFINITY, f64::min);
        2.0 * (size - 1) as f64 / size as f64 * sizes.w_pf / slowest
    };
    Phases {
        head_stage: input + heads,
        proj: columns(sizes.b_proj),
        transfer: 2.0 * sync,
        ffn: columns(sizes.b_ffn),
    }
}

/// Memory in use on the device of the group's place `at` [B].
pub(super) fn memory(galaxy: &Galaxy, sizes: &Sizes, at: usize) -> f64 {
    galaxy.heads[at] as f64 * sizes.m_head + galaxy.share[at] * (sizes.m_proj + sizes.m_ffn)
}

/// How long the device of the group's place `at` computes for one token [s].
pub(super) fn busy(galaxy: &Galaxy, problem: &HeadPlacement, sizes: &Sizes, at: usize) -> f64 {
    let mut work = galaxy.heads[at] as f64 * sizes.b_head;
    if problem.layer().delay() == Delay::Full {
        work += galaxy.share[at] * (sizes.b_proj + sizes.b_ffn);
    }
    compute_time(work, problem.compute()[galaxy.devices[at]])
}
