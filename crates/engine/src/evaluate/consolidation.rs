//! "Start spread, then consolidate", on the clock.
//!
//! The answer begins with the first plan. A device that is done with its part of the prompt (one that has none: from the
//! beginning) goes on to load the layers of the second plan that it does not hold, at the full rate of its disk, which
//! decoding leaves idle; nothing is thrown out, so memory must hold the layers of both plans with their keys and values.
//! At the first boundary between tokens at which everything is loaded, keys and values of the layers that change device
//! move there, one transfer after the other, which is the slowest way and so safe to promise; then the second plan goes on.
//!
//! A token takes as long as the problem says at its own mean context, whatever G is tried, so that the three ways differ
//! in their plans alone. The lengths from which one way beats another are found by trying: each is a straight line, or one
//! that bends once, so halving an interval of whole numbers is enough.

use super::{InvalidStages, score, score_decode};
use crate::plan::{Consolidation, ExtraLoad, KvMove, NoRoom, Stage, StageTiming, Switch};
use crate::problem::ColdStart;
use std::collections::BTreeMap;

/// The longest answer that is tried for a break-even [token].
const LONGEST: f64 = 1e12;

/// The three ways to give the answer; `None` where the problem has no answer to plan for.
///
/// # Errors
/// [`InvalidStages`] when one of the two is no plan for this problem.
///
/// # Complexity
/// O(L + K) time, and forty evaluations of a few additions.
pub fn consolidate(
    problem: &ColdStart,
    cold: &[Stage],
    steady: &[Stage],
) -> Result<Option<Consolidation>, InvalidStages> {
    let (start, end) = (score(problem, cold)?, score(problem, steady)?);
    let (Some(first), Some(second), Some(terms)) = (
        score_decode(problem, cold)?,
        score_decode(problem, steady)?,
        problem.decode(),
    ) else {
        return Ok(None);
    };
    let answer = terms.answer();
    let (holder, goes_to) = (devices_of(cold), devices_of(steady));
    let loads = extra_loads(problem, &start.timeline, &holder, &goes_to);
    let no_room = without_room(problem, &holder, &goes_to);
    let switch = no_room.is_empty().then(|| {
        let ends = loads.iter().map(|load| load.to);
        let loaded = ends.fold(start.total, f64::max);
        let token = libm::ceil(((loaded - start.total) / first.D).max(0.0));
        let at = start.total + token * first.D;
        let moves = moves(problem, &holder, &goes_to, terms.prompt() + token);
        Switch {
            loaded,
            token,
            at,
            done: moves.iter().fold(at, |sum, one| sum + one.seconds),
            bytes: moves.iter().fold(0.0, |sum, one| sum + one.bytes),
            moves,
        }
    });
    let cold_only = |tokens: f64| start.total + tokens * first.D;
    let steady_only = |tokens: f64| end.total + tokens * second.D;
    let consolidating = |tokens: f64| {
        let switch = switch.as_ref()?;
        Some(if tokens > switch.token {
            switch.done + (tokens - switch.token) * second.D
        } else {
            cold_only(tokens)
        })
    };
    let sooner = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a < b);
    let break_even = least_token(|g| steady_only(g) < cold_only(g));
    let beats_cold_from = least_token(|g| sooner(consolidating(g), Some(cold_only(g))));
    let steady_beats_from = least_token(|g| sooner(Some(steady_only(g)), consolidating(g)));
    Ok(Some(Consolidation {
        cold_only: cold_only(answer),
        steady_only: steady_only(answer),
        consolidating: consolidating(answer),
        break_even,
        beats_cold_from,
        steady_beats_from,
        cold: cold.to_vec(),
        steady: steady.to_vec(),
        loads,
        switch,
        no_room,
    }))
}

/// The device of every layer.
fn devices_of(plan: &[Stage]) -> Vec<usize> {
    let layers = |stage: &Stage| vec![stage.device; stage.len()];
    plan.iter().flat_map(layers).collect()
}

/// Returns the weights that every device still has to load for the second plan, and the times of loading.
fn extra_loads(
    problem: &ColdStart,
    timeline: &[StageTiming],
    holder: &[usize],
    goes_to: &[usize],
) -> Vec<ExtraLoad> {
    let mut loads: Vec<ExtraLoad> = Vec::new();
    for device in 0..problem.machines().len() {
        let (mut bytes, mut layers) = (0.0, Vec::<(usize, usize)>::new());
        for (j, layer) in problem.layers().iter().enumerate() {
            if goes_to[j] != device || holder[j] == device {
                continue;
            }
            bytes += layer.weights.get();
            match layers.last_mut() {
                Some((_, last)) if *last == j => *last = j + 1,
                _ => layers.push((j + 1, j + 1)),
            }
        }
        if layers.is_empty() {
            continue;
        }
        let own = timeline.iter().find(|stage| stage.device == device);
        let from = own.map_or(0.0, |stage| stage.finish);
        loads.push(ExtraLoad {
            device,
            from,
            to: from + bytes / problem.load_rate(device),
            bytes,
            layers,
        });
    }
    loads
}

/// Devices that cannot hold the layers of both plans.
fn without_room(problem: &ColdStart, holder: &[usize], goes_to: &[usize]) -> Vec<NoRoom> {
    let devices = 0..problem.machines().len();
    let of_both = |device: usize| {
        let (mut held, mut widest) = (0.0, 0.0_f64);
        for (j, layer) in problem.layers().iter().enumerate() {
            if holder[j] == device || goes_to[j] == device {
                held += layer.resident.get();
                widest = widest.max(layer.activation.get());
            }
        }
        widest + held
    };
    devices
        .map(|device| (device, of_both(device)))
        .filter(|(device, need)| !problem.fits(*device, *need))
        .map(|(device, need)| NoRoom {
            device,
            need,
            have: problem.machines()[device].memory.get(),
        })
        .collect()
}

/// Keys and values of the layers that change device, when so many tokens of each request are known.
fn moves(problem: &ColdStart, holder: &[usize], goes_to: &[usize], tokens: f64) -> Vec<KvMove> {
    let Some(terms) = problem.decode() else {
        return Vec::new();
    };
    let mut bytes: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (j, (from, to)) in holder.iter().zip(goes_to).enumerate() {
        if from != to {
            *bytes.entry((*from, *to)).or_default() += terms.kv_cache_at(j, tokens);
        }
    }
    let one = |((from, to), bytes): ((usize, usize), f64)| KvMove {
        from,
        to,
        bytes,
        seconds: problem.transfer(from, to, bytes) + terms.hop().get(),
    };
    bytes.into_iter().map(one).collect()
}

/// The least whole number of tokens from which something holds, if it holds for all larger ones; `None` if it never does.
fn least_token(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(LONGEST) {
        return None;
    }
    let (mut low, mut high) = (0.0, LONGEST);
    while high - low > 1.0 {
        let middle = libm::floor((low + high) / 2.0);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}
