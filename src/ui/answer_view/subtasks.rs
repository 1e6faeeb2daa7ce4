//! Progress of queries that are split into subtasks ([`protocol::ScatterGather`] keeps their state).

use super::{AnswerController, Presentable, ScenarioStore};
use document::{DeferredQuery, Name, Patch};
use leptos::prelude::*;
use protocol::worker::SharedPayload;
use protocol::{
    AggregateState, AnswerRequest, FileSource, ScatterGather, SubtaskOutcome, SubtaskRef,
};

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    fn update_subtasks<T>(&self, change: impl FnOnce(&mut ScatterGather) -> T) -> Option<T> {
        self.scatter_gather.try_update_value(change)
    }

    /// Requests the subtasks of a query that has been split.
    pub(super) fn gather(&self, of: Name, more: DeferredQuery) {
        if let Some((pieces, sum)) = self.update_subtasks(|all| all.begin(of, more)) {
            self.send_requests(pieces);
            self.send_aggregations(sum);
        }
    }

    /// Returns the request for a file. One that is made of subtask results carries those that have completed.
    pub(super) fn file(&self, what: &str) -> AnswerRequest {
        let pieces = self.answer.of(|answer_view| {
            let mut files = answer_view.files.iter().flat_map(|(_, files)| files);
            files.find_map(|file| match &file.source {
                FileSource::Subtasks(pieces) if file.content_name == what => Some(pieces.clone()),
                _ => None,
            })
        });
        let what = what.to_owned();
        let known = |pieces: &Vec<String>| {
            let known =
                |all: &ScatterGather| pieces.iter().map(|one| all.cached_result(one)).collect();
            self.scatter_gather.with_value(known)
        };
        match pieces.flatten() {
            Some(pieces) => AnswerRequest::FileFrom(what, known(&pieces)),
            None => AnswerRequest::File(what),
        }
    }

    /// Stores the result of a subtask, or that it failed, and requests the aggregations that are due.
    pub(super) fn record_subtask(&self, of: SubtaskRef<'_>, found: &SubtaskOutcome) {
        let sums = self.update_subtasks(|all| all.record_result(of, found));
        self.publish_progress();
        self.send_aggregations(sums.into_iter().flatten());
    }

    /// Stores the share of a subtask that is done, from 0 to 1.
    pub(super) fn record_subtask_progress(&self, of: SubtaskRef<'_>, share: Option<f64>) {
        if let Some(share) = share {
            self.update_subtasks(|all| all.record_progress(of, share));
            self.publish_progress();
        }
    }

    fn publish_progress(&self) {
        self.scatter_gather.with_value(|all| {
            for (more, share) in all.reached() {
                if let Some(place) = more.when.place() {
                    self.so_far(place, Some(share));
                }
            }
        });
        self.count_runs();
    }

    /// Records that a subtask was refused. Returns its query and the section of that.
    pub(super) fn refuse_subtask(&self, of: SubtaskRef<'_>) -> Option<(Name, DeferredQuery)> {
        let asks = self.scatter_gather.with_value(|all| all.queries_of(of));
        let found = asks.iter().find_map(|ask| self.running_query(ask));
        self.record_subtask(of, &None);
        found
    }

    /// Ends an aggregation. Returns its query if all subtasks were in it.
    pub(super) fn end_aggregation(&self, number: u32) -> Option<DeferredQuery> {
        match self.update_subtasks(|all| all.summed(number))?? {
            AggregateState::Complete(more) => self.end_query(&more.query).map(|(_, more)| more),
            AggregateState::Partial(sum) => {
                self.send_aggregations(sum);
                None
            }
        }
    }

    /// Shows the patches of an aggregation, and caches them if all subtasks were in it.
    pub(super) fn apply_aggregate(&self, number: u32, fills: Vec<Patch>) {
        self.fill(&fills);
        let whole = self.end_aggregation(number);
        self.go_on(&fills);
        if let Some(more) = whole {
            self.cache_patches(&more, fills);
        }
    }

    /// Ends a query whose aggregation failed.
    pub(super) fn fail_aggregation(&self, number: u32) -> Option<(Name, DeferredQuery)> {
        let more = self.update_subtasks(|all| all.drop(number))??;
        self.end_query(&more.query)
    }

    /// Sends aggregations to the worker, ahead of all waiting requests.
    fn send_aggregations(&self, sums: impl IntoIterator<Item = AnswerRequest>) {
        for sum in sums {
            if let Some(of) = self.of.get_untracked() {
                let (group, ask) = (self.group.get_value(), self.request_about(sum));
                self.with_solver(|solver| solver.ahead(*self, group, SharedPayload(of), ask));
            }
        }
    }
}
