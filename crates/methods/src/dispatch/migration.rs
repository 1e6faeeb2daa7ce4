//! Decision whether a request moves to the other end, and after which token.
//!
//! Source: DiSCo, equations (4)-(6). The source goes on until the tokens that the reader has not taken yet last for the
//! hand-over, B(g) = r_c t_m(g); t_m grows with every token that a device has to prefill, so it is computed again for
//! each. Whether the move pays is asked once, there: a later one would only save less.
//!
//! Complexity: O(min(N, N_exp)) for an answer of N tokens.

use engine::plan::moves::Moves;
use engine::problem::dispatch::DispatchProblem;
use engine::problem::dispatch_terms::Terms;
use engine::problem::migration::{Migration, MigrationCase, SLACK};

/// After how many tokens the request of a case moves, if it does.
#[must_use]
pub fn decide(case: &MigrationCase) -> Option<u32> {
    handover(case.migration(), case.prompt(), case.output())
}

/// After how many tokens a request with a prompt of `l` tokens and an answer of `n_out` moves: g from 1 to `n_out` - 1.
/// Nothing depends on `n_out` but that: a request whose answer is shorter does not get as far.
///
/// `None` where the source is not the dearer end, the buffer is never full in time, or the move does not pay.
#[must_use]
pub fn handover(migration: &Migration, l: f64, n_out: u32) -> Option<u32> {
    let saved = migration.source.decode - migration.target.decode;
    let slow = migration.guard && migration.target.rate < migration.reader;
    if saved <= 0.0 || slow {
        return None;
    }
    let (g, left) = (1..n_out)
        .map(|g| (g, migration.expected - f64::from(g)))
        .take_while(|(_, left)| *left > 0.0)
        .find(|(g, _)| is_full(migration, l, f64::from(*g)))?;
    let overhead = migration.target.prefill * (l + f64::from(g)) + migration.extra;
    (saved * left > overhead).then_some(g)
}

/// Returns true if the unread tokens at token `g` of the source last for the migration.
#[inline]
fn is_full(migration: &Migration, l: f64, g: f64) -> bool {
    let read = 1.0 + libm::floor(migration.reader * (g - 1.0) / migration.source.rate + SLACK);
    g - read.min(g) >= migration.buffer_tokens(l, g)
}

/// Decides for every prompt length and every winner of an instance. Of the devices that a request could leave the server
/// for, the one with the lowest decode price takes it, the first of equal ones. Devices hand over to the server only.
///
/// Complexity: O(lengths · devices · min(longest output, N_exp)).
#[must_use]
pub fn moves(problem: &DispatchProblem, terms: &Terms) -> Moves {
    let lengths = problem.prompts().lengths();
    let longest = terms.outputs.longest();
    let to_devices = problem.devices().iter().enumerate();
    let to_devices = to_devices.map(|(m, device)| {
        let migration = terms.to_device(m, device.prefill_rate, device.constant);
        let after = lengths.iter();
        after
            .map(|l| handover(&migration, f64::from(*l), longest))
            .collect::<Vec<_>>()
    });
    let to_devices: Vec<Vec<Option<u32>>> = to_devices.collect();
    let price = |m: usize| terms.devices[m].decode;
    let cheapest = |i: usize| {
        let able = (0..to_devices.len()).filter_map(|m| Some((m, to_devices[m][i]?)));
        able.reduce(|best, next| {
            if price(next.0) < price(best.0) {
                next
            } else {
                best
            }
        })
    };
    let from = |m: usize| {
        let migration = terms.to_server(m);
        let after = lengths.iter();
        after
            .map(|l| handover(&migration, f64::from(*l), longest))
            .collect()
    };
    Moves {
        from_server: (0..lengths.len()).map(cheapest).collect(),
        from_device: (0..problem.devices().len()).map(from).collect(),
    }
}
