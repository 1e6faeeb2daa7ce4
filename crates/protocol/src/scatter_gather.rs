//! Queries that are split into subtasks, as a state machine that knows neither page nor workers.
//!
//! All workers run subtasks. Whenever some have completed, one worker is asked to aggregate the results so far. At most one such
//! request of a query runs at a time, so that aggregating does not crowd out subtasks and results never go back. Begin with
//! [`ScatterGather::begin`].

use super::requests::{AnswerRequest, SubtaskResult};
use document::{CacheScope, DeferredQuery, Name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Largest number of results in the cache; the longest sweep has half as many.
const MOST_PIECES: usize = 1024;

/// All queries that are split, and the cache of subtask results.
#[derive(Debug, Default)]
pub struct ScatterGather {
    all: Vec<Aggregation>,
    /// Number of the next query. Numbers are not reused, so a response to one that is gone is late.
    next: u32,
    /// Cached results: name of the subtask, scenarios for which it is valid, result.
    known: Vec<(String, CacheScope, SubtaskResult)>,
    /// Names of shared subtasks that are running.
    coming: BTreeSet<String>,
}

/// A query that is split.
#[derive(Debug)]
struct Aggregation {
    number: u32,
    /// Section that the result is for.
    of: Name,
    more: DeferredQuery,
    /// Context of every subtask.
    load: Arc<SubtaskResult>,
    /// Context of the aggregation.
    context: Arc<SubtaskResult>,
    /// Results by subtask. `None` while it runs, `Some(None)` if it was refused.
    results: Vec<Option<SubtaskOutcome>>,
    /// Progress of each subtask that runs, 0 to 1.
    progress: Vec<f64>,
    /// Number of results in the last aggregation.
    aggregated: usize,
    /// True while an aggregation runs.
    is_aggregating: bool,
}

/// Reference to a subtask: number of the query and index in it, name, context.
pub type SubtaskRef<'a> = (&'a (u32, u32), &'a str, &'a SubtaskResult);

/// Result of a subtask; `None` if it was refused.
pub type SubtaskOutcome = Option<SubtaskResult>;

/// State of a query after an aggregation.
#[derive(Debug)]
pub enum AggregateState {
    /// All subtasks are in it.
    Complete(DeferredQuery),
    /// Some are missing. Holds the next aggregation if results have arrived meanwhile.
    Partial(Option<AnswerRequest>),
}

impl Aggregation {
    fn count(&self) -> usize {
        self.results.iter().flatten().count()
    }

    /// Returns the progress of the running subtasks, in subtasks.
    fn progress(&self) -> f64 {
        let open = self.results.iter().zip(&self.progress);
        let open = open.filter(|(came, _)| came.is_none());
        open.map(|(_, share)| share).sum()
    }

    /// Returns the open indices that a subtask fills. Subtasks without context are shared by name. O(subtasks).
    fn places(&self, (at, piece, load): SubtaskRef<'_>) -> Vec<usize> {
        let is_it = |place: usize| match load.is_empty() && self.load.is_empty() {
            true => self.more.subtasks[place] == piece,
            false => (self.number, place as u32) == *at,
        };
        let open = (0..self.results.len()).filter(|place| self.results[*place].is_none());
        open.filter(|place| is_it(*place)).collect()
    }

    /// Returns the request to aggregate if there are new results and no aggregation runs.
    fn sum(&mut self) -> Option<AnswerRequest> {
        let count = self.count();
        let is_early = self.more.needs_all && count < self.results.len();
        if self.is_aggregating || is_early || count == self.aggregated {
            return None;
        }
        (self.is_aggregating, self.aggregated) = (true, count);
        let came = self.results.iter().map(|piece| piece.clone().flatten());
        Some(AnswerRequest::Aggregate(
            self.number,
            self.more.query.clone(),
            self.context.clone(),
            came.collect(),
        ))
    }
}

impl ScatterGather {
    /// Adds a query of section `of`. Returns the subtasks to run and, if cached results are known, the first aggregation.
    pub fn begin(
        &mut self,
        of: Name,
        mut more: DeferredQuery,
    ) -> (Vec<AnswerRequest>, Option<AnswerRequest>) {
        let load = Arc::new(SubtaskResult::from(std::mem::take(&mut more.load)));
        let kept = Arc::new(SubtaskResult::from(std::mem::take(&mut more.context)));
        // The result of a subtask with context depends on it, so it is neither cached nor shared.
        let is_kept = load.is_empty();
        let known = |piece: &String| self.cached_result(piece).filter(|_| is_kept).map(Some);
        let came: Vec<Option<SubtaskOutcome>> = more.subtasks.iter().map(known).collect();
        let number = self.next;
        self.next += 1;
        let mut asks = Vec::new();
        for (at, piece) in (0..).zip(&more.subtasks) {
            let is_open = came[at as usize].is_none();
            if is_open && (!is_kept || self.coming.insert(piece.clone())) {
                asks.push(AnswerRequest::Subtask(
                    (number, at),
                    piece.clone(),
                    load.clone(),
                ));
            }
        }
        let mut gathering = Aggregation {
            number,
            of,
            load,
            context: kept,
            progress: vec![0.0; came.len()],
            results: came,
            aggregated: 0,
            is_aggregating: false,
            more,
        };
        let sum = gathering.sum();
        self.all.push(gathering);
        (asks, sum)
    }

    /// Returns the cached result of a subtask without context.
    #[must_use]
    pub fn cached_result(&self, piece: &str) -> SubtaskOutcome {
        let known = self.known.iter().find(|(known, ..)| known == piece);
        known.map(|(.., found)| found.clone())
    }

    /// Records the result of a subtask, `None` if it was refused. Returns the aggregations to request.
    pub fn record_result(
        &mut self,
        of: SubtaskRef<'_>,
        found: &SubtaskOutcome,
    ) -> Vec<AnswerRequest> {
        let (_, piece, load) = of;
        let mut lasts = None;
        for one in &mut self.all {
            for place in one.places(of) {
                one.results[place] = Some(found.clone());
                lasts = Some(one.more.cache_scope);
            }
        }
        if load.is_empty() {
            self.coming.remove(piece);
            // A result of a query that is gone may be needed again for this scenario.
            let kept = found.clone();
            let kept = kept.map(|found| (piece.to_owned(), lasts.unwrap_or_default(), found));
            self.known.extend(kept);
            let too_many = self.known.len().saturating_sub(MOST_PIECES);
            self.known.drain(..too_many);
        }
        self.all.iter_mut().filter_map(Aggregation::sum).collect()
    }

    /// Records the progress of a subtask, 0 to 1.
    pub fn record_progress(&mut self, of: SubtaskRef<'_>, share: f64) {
        for one in &mut self.all {
            for place in one.places(of) {
                one.progress[place] = share;
            }
        }
    }

    /// Returns all queries, each with its progress, 0 to 1.
    pub fn reached(&self) -> impl Iterator<Item = (&DeferredQuery, f64)> {
        self.all.iter().map(|one| {
            let done = one.count() as f64 + one.progress();
            (&one.more, done / one.results.len().max(1) as f64)
        })
    }

    /// Returns, for the queries of a section that have no button, the number of results and the progress of the other
    /// subtasks, in subtasks.
    #[must_use]
    pub fn section_progress(&self, section: Name) -> (usize, f64) {
        let is_it = |one: &&Aggregation| one.of == section && one.more.when.place().is_none();
        let all = || self.all.iter().filter(is_it);
        let came = all().map(Aggregation::count).sum();
        (came, all().map(Aggregation::progress).sum())
    }

    /// Returns true if a query with this number is running.
    #[must_use]
    pub fn is_on(&self, number: u32) -> bool {
        self.all.iter().any(|one| one.number == number)
    }

    /// Records the end of an aggregation. Returns `None` if its query is gone.
    pub fn summed(&mut self, number: u32) -> Option<AggregateState> {
        let at = self.all.iter().position(|one| one.number == number)?;
        let one = &mut self.all[at];
        one.is_aggregating = false;
        Some(match one.aggregated == one.results.len() {
            true => AggregateState::Complete(self.all.remove(at).more),
            false => AggregateState::Partial(one.sum()),
        })
    }

    /// Removes and returns a query.
    pub fn drop(&mut self, number: u32) -> Option<DeferredQuery> {
        let at = self.all.iter().position(|one| one.number == number)?;
        Some(self.all.remove(at).more)
    }

    /// Returns the queries that a subtask belongs to.
    #[must_use]
    pub fn queries_of(&self, of: SubtaskRef<'_>) -> Vec<String> {
        let is_in = |one: &&Aggregation| !one.places(of).is_empty();
        let all = self.all.iter().filter(is_in);
        all.map(|one| one.more.query.clone()).collect()
    }

    /// Returns the queries whose results do not depend on the scenario.
    #[must_use]
    pub fn scenario_independent_queries(&self) -> Vec<String> {
        let all = self.all.iter();
        let lasting = all.filter(|one| one.more.cache_scope == CacheScope::Always);
        lasting.map(|one| one.more.query.clone()).collect()
    }

    /// Removes the queries of sections that were replaced. Their running subtasks stay, since they may be needed again.
    pub fn remove_queries(&mut self, is_new: impl Fn(Name) -> bool) {
        self.all.retain(|one| !is_new(one.of));
    }

    /// Removes all queries and running subtasks; cached results stay.
    pub fn end(&mut self) {
        self.all.clear();
        self.coming.clear();
    }

    /// Drops cached results that are not valid for another scenario.
    pub fn retain_cached(&mut self, holds: impl Fn(CacheScope) -> bool) {
        self.known.retain(|(_, lasts, _)| holds(*lasts));
    }
}
