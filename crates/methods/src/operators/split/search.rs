//! Whole searches: chains of the default one side by side, islands of the paper's with their migrations.
//!
//! Both go in rounds. Between two rounds the listener receives the progress and may cancel; within a round the pieces
//! know nothing of each other, so that threads change how long it takes and nothing else.

use super::ga::{GaIsland, GaSize, Offspring, Variation, migrate};
use super::library::Library;
use super::{Annealer, SplitTask};
use engine::plan::Partition;
use engine::solve::{Ended, Progress, SearchEvent, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Moves of a chain in a round.
const MOVES: u64 = 10_000;
/// Parts of operators that an island makes in a piece of a generation.
const SUBTASK_WORK: u64 = 1 << 22;
/// Generations between two migrations.
pub const ROUND: u32 = 10;

/// How much the default search does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Seed of the first chain.
    pub seed: u64,
    /// Chains.
    pub chains: u32,
    /// Moves of each.
    pub moves: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            seed: 1,
            chains: 2,
            moves: 1_000_000,
        }
    }
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitResult {
    /// The best split that keeps every limit; without any, the one that breaks them least.
    pub plan: Partition,
    /// Its time [ms].
    pub latency: f64,
    /// True if it keeps every limit.
    pub is_feasible: bool,
    /// How the search ended.
    pub ended: Ended,
    /// Moves of all chains, or plans scored.
    pub tried: u64,
    /// Evaluations of single operators.
    pub evaluations: u64,
}

/// Does a piece of work for each of these, on as many threads; one means this one.
///
/// # Panics
/// If the work does.
pub fn each<T: Send>(threads: u32, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let share = items.len().div_ceil(threads.max(1) as usize);
    if share >= items.len() {
        items.iter_mut().for_each(work);
        return;
    }
    std::thread::scope(|scope| {
        for items in items.chunks_mut(share) {
            let work = &work;
            scope.spawn(move || items.iter_mut().for_each(work));
        }
    });
}

/// The default search. A step is a move. The splits that it starts from are looked at in pieces too, so that it ends soon
/// whenever the listener says so; it has a split in any case.
///
/// # Complexity
/// As [`Library::new`], and a few evaluations of operators for each move.
pub fn best(
    task: &SplitTask<'_>,
    effort: &Effort,
    threads: u32,
    progress: &mut impl Progress<Partition>,
) -> SplitResult {
    let library = Arc::new(Library::new(task));
    let chains = 0..effort.chains.max(1);
    let chains =
        chains.map(|chain| Annealer::with(task, &library, effort.seed, chain, effort.moves));
    let mut chains: Vec<Annealer<'_, '_>> = chains.collect();
    let of = effort.moves * chains.len() as u64;
    let mut claimed = f64::INFINITY;
    let ended = loop {
        let running = AtomicBool::new(false);
        each(threads, &mut chains, |chain| {
            if chain.advance(MOVES) {
                running.store(true, Ordering::Relaxed);
            }
        });
        let done: u64 = chains.iter().map(Annealer::moves).sum();
        let leader = leading(&chains);
        let is_better = chains[leader].is_feasible() && chains[leader].latency() < claimed;
        let mut goes_on = progress.report(SearchEvent::Step { done, of: Some(of) });
        if is_better && goes_on.is_continue() {
            claimed = chains[leader].latency();
            let plan = chains[leader].best();
            goes_on = progress.report(SearchEvent::Incumbent { plan, claimed });
        }
        if !running.into_inner() {
            break Ended::Finished;
        }
        if goes_on.is_break() {
            break Ended::Stopped(StopReason::Cancelled);
        }
    };
    let leader = leading(&chains);
    SplitResult {
        plan: chains[leader].best().clone(),
        latency: chains[leader].latency(),
        is_feasible: chains[leader].is_feasible(),
        ended,
        tried: chains.iter().map(Annealer::moves).sum(),
        evaluations: chains.iter().map(Annealer::evaluations).sum(),
    }
}

/// The chain with the best split, the first of equals.
fn leading(chains: &[Annealer<'_, '_>]) -> usize {
    let key = |chain: &Annealer<'_, '_>| (chain.violation(), chain.latency());
    let mut leader = 0;
    for at in 1..chains.len() {
        if key(&chains[at]) < key(&chains[leader]) {
            leader = at;
        }
    }
    leader
}

/// An island of the paper's search, and the generation that is under way on it.
struct Place<'t, 'a> {
    at: u32,
    breeder: Variation<'t, 'a>,
    litter: Offspring,
    /// None before all plans of the first generation are there.
    island: Option<GaIsland>,
    is_ready: bool,
}

impl<'t, 'a> Place<'t, 'a> {
    fn new(task: &'t SplitTask<'a>, size: GaSize, at: u32) -> Self {
        let breeder = Variation::new(task, size);
        Self {
            at,
            litter: breeder.litter(at, 0),
            breeder,
            island: None,
            is_ready: false,
        }
    }

    /// Goes on with the generation that is under way.
    fn advance(&mut self) {
        let (litter, breeder) = (&mut self.litter, &mut self.breeder);
        self.is_ready = self.is_ready
            || match &mut self.island {
                None => breeder.grow_first(litter, SUBTASK_WORK),
                Some(island) => island.ended || breeder.grow(island, litter, SUBTASK_WORK),
            };
    }

    /// Ends the generation, complete or not: of a later one that is not, nothing stays.
    fn close(&mut self) {
        let generation = self
            .island
            .as_ref()
            .map_or(0, |island| island.generation + 1);
        let next = self.breeder.litter(self.at, generation + 1);
        let litter = std::mem::replace(&mut self.litter, next);
        match &mut self.island {
            None => self.island = Some(self.breeder.initial_island(self.at, litter)),
            Some(island) if self.is_ready && !island.ended => self.breeder.succeed(island, litter),
            Some(_) => {}
        }
        self.is_ready = false;
    }
}

/// The paper's search on islands. A step is a generation of an island. Generations are made in pieces, so that the search ends
/// soon whenever the listener says so.
///
/// # Complexity
/// As [`Variation::generation`], for each generation of each island.
pub fn genetic(
    task: &SplitTask<'_>,
    size: GaSize,
    islands: u32,
    threads: u32,
    progress: &mut impl Progress<Partition>,
) -> SplitResult {
    let places = 0..islands.max(1);
    let mut places: Vec<Place<'_, '_>> = places.map(|at| Place::new(task, size, at)).collect();
    let of = u64::from(size.generations) * places.len() as u64;
    let mut claimed = f64::INFINITY;
    let ended = loop {
        each(threads, &mut places, Place::advance);
        let is_whole = places.iter().all(|place| place.is_ready);
        if is_whole {
            places.iter_mut().for_each(Place::close);
            let mut islands = take_islands(&mut places);
            let running = islands.iter().map(|island| island.generation).max();
            if running.is_some_and(|generation| generation > 0 && generation.is_multiple_of(ROUND))
            {
                migrate(&mut islands);
            }
            for (place, island) in places.iter_mut().zip(islands) {
                place.island = Some(island);
            }
        }
        let islands = || places.iter().filter_map(|place| place.island.as_ref());
        let done: u64 = islands().map(|island| u64::from(island.generation)).sum();
        let mut goes_on = progress.report(SearchEvent::Step { done, of: Some(of) });
        if let Some(best) = leader(islands()).map(GaIsland::best)
            && best.violation() == 0.0
            && best.latency() < claimed
            && goes_on.is_continue()
        {
            claimed = best.latency();
            let plan = best.plan();
            goes_on = progress.report(SearchEvent::Incumbent { plan, claimed });
        }
        if is_whole && islands().all(|island| island.ended) {
            break Ended::Finished;
        }
        if goes_on.is_break() {
            break Ended::Stopped(StopReason::Cancelled);
        }
    };
    // If it was cancelled early, the result is that of the first generation so far.
    places.iter_mut().for_each(Place::close);
    let islands = take_islands(&mut places);
    let best = leader(&islands).expect("there is an island").best();
    SplitResult {
        plan: best.plan().clone(),
        latency: best.latency(),
        is_feasible: best.violation() == 0.0,
        ended,
        tried: islands.iter().map(|island| island.evaluations).sum(),
        evaluations: islands.iter().map(|island| island.operators).sum(),
    }
}

/// The islands that are there, taken out of their places.
fn take_islands(places: &mut [Place<'_, '_>]) -> Vec<GaIsland> {
    let each = places.iter_mut();
    each.filter_map(|place| place.island.take()).collect()
}

/// The island with the best plan, the first of equals.
fn leader<'i>(islands: impl IntoIterator<Item = &'i GaIsland>) -> Option<&'i GaIsland> {
    let key = |island: &GaIsland| (island.best().violation(), island.best().latency());
    islands.into_iter().reduce(|best, island| {
        if key(island) < key(best) {
            island
        } else {
            best
        }
    })
}
