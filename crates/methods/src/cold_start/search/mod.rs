//! Cold start on many devices: the exact search over bounded labels.
//!
//! The dynamic program of [`super::dp`] has K 2^K L states; nearly all of them cannot lead to a plan faster than one that
//! is already known. Here only the others are looked at: [`extend`] goes from plans with n stages to plans with n + 1,
//! [`relax`] says what is left at least, [`tune`] makes that bound strong, [`hunt`] decides how far to look and proves.
//!
//! Source: section 11 of the method's description. Different from it: labels are merged row by row, not in a hash table;
//! one bound (a relaxation that may use devices again at a price) replaces its bounds B0 to B3, the fluid bound among them,
//! which takes away less than it costs here; widening passes that prove a bound even when they drop labels replace
//! the beam and the certificate passes. `docs/cold-start-search.md` has what was tried and what it gave.
//!
//! A step of [`Limits`] is a set of devices that is looked at. Who allows none gets the plan and the bound that it begins with.

pub mod costs;
pub mod extend;
pub mod frontier;
pub mod relax;
pub mod search_state;
pub mod tune;

use engine::plan::Pipeline;

use engine::solve::{Ended, Limits, Progress, SearchEvent, StopReason};
use extend::{Extended, LevelShare, extend};
use relax::Relaxation;
use search_state::{AnytimeSearch, SearchTask};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use tune::tune;

/// Default memory limit of a search [B].
pub const MEMORY: u64 = 480_000_000;
/// Memory of a label [B]: ten for itself, the rest for its row and set.
const LABEL_BYTES: u64 = 12;
/// Sets of devices between two looks at whether the search is to go on.
const STRIDE: u64 = 64;

/// The most labels that fit in a memory limit.
#[must_use]
pub fn most_labels(limits: &Limits) -> usize {
    let bytes = limits.memory.unwrap_or(MEMORY);
    usize::try_from(bytes / LABEL_BYTES).unwrap_or(usize::MAX)
}

/// How a search ended.
#[derive(Debug)]
pub struct SearchResult {
    /// The best plan and its T [s].
    pub best: Option<(Pipeline, f64)>,
    /// No plan is faster than this [s].
    pub bound: f64,
    /// [`Ended::Finished`] without a plan proves that there is none.
    pub ended: Ended,
}

/// Searches on as many threads; the answer does not depend on how many.
pub fn search(
    hunt: &mut AnytimeSearch,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> SearchResult {
    let mut relaxation: Option<Relaxation> = None;
    let mut last_reported = (f64::INFINITY, 0.0);
    let ended = loop {
        if report(hunt, &mut last_reported, progress).is_break() {
            hunt.stop(StopReason::Cancelled);
        } else if limits.steps == Some(0) {
            // Prices alone may take seconds.
            hunt.stop(StopReason::Steps);
        }
        match hunt.task() {
            SearchTask::Over(ended) => break ended,
            SearchTask::Tune {
                weights,
                money,
                ceiling,
                rounds,
            } => {
                relaxation = None;
                let done = hunt.tally().sets;
                let mut on_progress = || progress.report(SearchEvent::Step { done, of: None });
                match tune(
                    hunt.costs(),
                    weights,
                    money,
                    ceiling,
                    rounds,
                    &mut on_progress,
                ) {
                    Some(tuned) => hunt.tuned(tuned),
                    None => hunt.stop(StopReason::Cancelled),
                }
            }
            SearchTask::Extend {
                pass,
                ceiling,
                level,
                shares,
            } => {
                let costs = hunt.costs();
                let relaxation = relaxation
                    .get_or_insert_with(|| Relaxation::new(costs, &pass.prices, pass.ceiling));
                let crew = Crew {
                    work: &|share, on_progress: &mut dyn FnMut(u64) -> ControlFlow<()>| {
                        extend(costs, relaxation, ceiling, level, share, on_progress)
                    },
                    done: hunt.tally().sets,
                    most: limits.steps,
                };
                match crew.all(shares, limits.threads, progress) {
                    Ok(extended) => hunt.extended(&extended),
                    Err(stop) => hunt.stop(stop),
                }
            }
        }
    };
    SearchResult {
        best: hunt.best().cloned(),
        bound: hunt.bound(),
        ended,
    }
}

/// Reports improvements of the best plan and the bound, and the progress of the search.
fn report(
    hunt: &AnytimeSearch,
    last_reported: &mut (f64, f64),
    progress: &mut impl Progress<Pipeline>,
) -> ControlFlow<()> {
    if let Some((plan, total)) = hunt.best()
        && *total < last_reported.0
    {
        last_reported.0 = *total;
        let claimed = *total;
        progress.report(SearchEvent::Incumbent { plan, claimed })?;
    }
    if hunt.bound() > last_reported.1 {
        last_reported.1 = hunt.bound();
        progress.report(SearchEvent::Bound(last_reported.1))?;
    }
    let done = hunt.tally().sets;
    progress.report(SearchEvent::Step { done, of: None })
}

/// Extends a share of a level; it asks now and then whether to go on.
type Work<'a> =
    dyn Fn(LevelShare, &mut dyn FnMut(u64) -> ControlFlow<()>) -> Option<Extended> + Sync + 'a;

/// Threads that extend the labels of a level.
struct Crew<'a> {
    work: &'a Work<'a>,
    /// Sets looked at before.
    done: u64,
    /// The most sets to look at.
    most: Option<u64>,
}

impl Crew<'_> {
    /// Does all shares of a level, in any order, and hands them out in theirs.
    fn all(
        &self,
        shares: u32,
        threads: u32,
        progress: &mut impl Progress<Pipeline>,
    ) -> Result<Vec<Extended>, StopReason> {
        let (next, sets) = (AtomicU32::new(0), AtomicU64::new(self.done));
        let (is_over, is_out_of_steps) = (AtomicBool::new(false), AtomicBool::new(false));
        let done: Mutex<Vec<Option<Extended>>> = Mutex::new((0..shares).map(|_| None).collect());
        // One share after the other until there are none; `look` is asked now and then whether to go on.
        let work = |look: &mut dyn FnMut(u64) -> ControlFlow<()>| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= shares || is_over.load(Ordering::Relaxed) {
                    return;
                }
                let mut on_progress = |in_share: u64| {
                    if !in_share.is_multiple_of(STRIDE) {
                        return ControlFlow::Continue(());
                    }
                    let all = sets.fetch_add(STRIDE, Ordering::Relaxed) + STRIDE;
                    if self.most.is_some_and(|most| all > most) {
                        is_out_of_steps.store(true, Ordering::Relaxed);
                        is_over.store(true, Ordering::Relaxed);
                    }
                    if is_over.load(Ordering::Relaxed) || look(all).is_break() {
                        is_over.store(true, Ordering::Relaxed);
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                };
                let extended = (self.work)(LevelShare { at, of: shares }, &mut on_progress);
                let mut done = done.lock().unwrap_or_else(|broken| broken.into_inner());
                done[at as usize] = extended;
            }
        };
        let mut look = |done| progress.report(SearchEvent::Step { done, of: None });
        // A browser has no threads: with one, none is started.
        match threads.min(shares) {
            0 | 1 => work(&mut look),
            threads => std::thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(|| work(&mut |_| ControlFlow::Continue(())));
                }
                work(&mut look);
            }),
        }
        if is_over.into_inner() {
            let out_of_steps = is_out_of_steps.into_inner();
            return Err(if out_of_steps {
                StopReason::Steps
            } else {
                StopReason::Cancelled
            });
        }
        let done = done
            .into_inner()
            .unwrap_or_else(|broken| broken.into_inner());
        let done: Vec<Extended> = done.into_iter().flatten().collect();
        // A level counts as a whole or not at all, so that steps end a search at the same place with any threads.
        let sets = self.done + done.iter().map(|share| share.sets).sum::<u64>();
        if self.most.is_some_and(|most| sets > most) {
            return Err(StopReason::Steps);
        }
        Ok(done)
    }
}
