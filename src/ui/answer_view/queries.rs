//! Queries besides the answer: when they start, and when they are cancelled.

use super::{AnswerController, Presentable, ScenarioStore};
use document::{DeferredQuery, Name, Trigger};
use leptos::prelude::*;
use protocol::worker::SharedPayload;
use protocol::{AnswerRequest, AnswerTask, ScatterGather};
use std::sync::Arc;

/// Groups of files, each its own; those of questions and of what they ask must not meet them.
const FILES: u32 = 1 << 24;

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    /// Asks for what is still to be found out, as far as no one has. While only the lead is of the answer, what belongs to the
    /// other sections waits for them.
    pub(super) fn ask_more(&self, wanted: impl Fn(Name, &DeferredQuery) -> bool) {
        let asked = self.running_queries.get_value();
        let is_led = self.answer.has_stale_details.get_untracked();
        let is_new =
            |of: Name, more: &DeferredQuery| wanted(of, more) && !asked.contains(&more.query);
        let all: Vec<(Name, DeferredQuery)> = self.answer.sections.with_untracked(|sections| {
            let all = sections
                .iter()
                .flat_map(|section| section.more.iter().map(|more| (section.id, more)));
            all.filter(|(of, more)| is_new(of, more))
                .map(|(of, more)| (of, more.clone()))
                .collect()
        });
        let goes = |(_, more): &(Name, DeferredQuery)| {
            !is_led || matches!(more.when, Trigger::Now(_)) && more.subtasks.is_empty()
        };
        let (all, waits): (Vec<_>, Vec<_>) = all.into_iter().partition(goes);
        let waits = waits.into_iter().map(|(_, more)| more.query);
        self.pending_queries
            .update_value(|going| going.extend(waits));
        let (whole, gathered): (Vec<_>, Vec<_>) =
            (all.into_iter()).partition(|(_, more)| more.subtasks.is_empty());
        for (_, more) in whole.iter().chain(&gathered) {
            self.running_queries
                .update_value(|asked| asked.push(more.query.clone()));
            if let Some(place) = more.when.place() {
                self.answer.searching.update(|all| all.push((place, None)));
            }
        }
        self.send_requests(whole.into_iter().map(|(_, more)| match more.when {
            Trigger::Now(_) => AnswerRequest::Immediate(more.query),
            _ => AnswerRequest::Deferred(more.query),
        }));
        gathered
            .into_iter()
            .for_each(|(of, more)| self.gather(of, more));
    }

    pub(super) fn send_requests(&self, asks: impl IntoIterator<Item = AnswerRequest>) {
        let Some(of) = self.of.get_untracked() else {
            return;
        };
        let asks: Vec<AnswerTask<S>> = asks
            .into_iter()
            .map(|ask| self.request_about(ask))
            .collect();
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &SharedPayload(of), asks));
    }

    /// Asks for a file of the answer shown; it comes, whatever is asked next.
    pub(super) fn ask_file(&self, what: &str) {
        if let Some(of) = self.of.get_untracked() {
            let (group, ask) = (
                FILES.wrapping_add(self.fresh_id()),
                self.request_about(self.file(what)),
            );
            self.with_solver(|solver| solver.points(*self, group, &SharedPayload(of), [ask]));
        }
    }

    /// Builds a request about the shown view.
    pub(super) fn request_about(&self, ask: AnswerRequest) -> AnswerTask<S> {
        // A piece is about the scenario alone.
        match ask {
            AnswerRequest::Subtask(..) => AnswerTask::of(ask),
            _ => AnswerTask::about(ask, self.answer.presenter_state.get_value()),
        }
    }

    /// Asks for what is found out without being asked for, once the answer rests.
    pub(super) fn request_idle(&self) {
        if !self.is_hunting() {
            // What has come stays; the rest is asked once more.
            self.ask_more(|_, more| more.when == Trigger::Idle);
            self.begin_runs();
        }
    }

    /// The answer rests: what waited for that is asked for.
    pub(super) fn on_idle(&self) {
        if self.answer.has_stale_details.get_untracked() {
            return;
        }
        self.is_idle.set_value(true);
        self.request_idle();
        if !self.is_hunting() {
            self.answer.rested.update(|count| *count += 1);
        }
    }

    /// Cancels all queries, except those that the next answer repeats.
    pub(super) fn end_but_for(&self, more: Vec<String>) {
        let (mut going, pressed) = (self.pending_queries.get_value(), self.pressed.get_value());
        going.extend(more);
        self.end();
        self.pending_queries.set_value(going);
        self.pressed.set_value(pressed);
    }

    /// Cancels all queries.
    pub fn end(&self) {
        self.begin.set_value(None);
        self.is_idle.set_value(false);
        self.end_runs();
        if self.answer.searching.with_untracked(|all| !all.is_empty()) {
            self.answer.searching.set(Vec::new());
        }
        let group = self.group.get_value();
        self.group.set_value(group + 1);
        self.with_solver(|solver| solver.cancel(group));
        // What has not come can be asked again.
        self.running_queries.set_value(Vec::new());
        self.pending_queries.set_value(Vec::new());
        self.pressed.set_value(Vec::new());
        self.scatter_gather.update_value(ScatterGather::end);
        self.turning.set_value(Vec::new());
    }

    /// Returns a running query and its section.
    pub(super) fn running_query(&self, ask: &str) -> Option<(Name, DeferredQuery)> {
        self.answer.sections.with_untracked(|all| {
            let mut all = all
                .iter()
                .flat_map(|section| section.more.iter().map(|more| (section.id, more)));
            all.find(|(_, more)| more.query == ask)
                .map(|(section, more)| (section, more.clone()))
        })
    }

    /// Ends a query, which has succeeded or failed. Returns it with its section.
    pub(super) fn end_query(&self, ask: &str) -> Option<(Name, DeferredQuery)> {
        let found = self.running_query(ask)?;
        // It is not asked for again, unless its button is pressed once more.
        if found.1.when.place().is_some() {
            self.running_queries
                .update_value(|all| all.retain(|one| one != ask));
        } else {
            self.answer.sections.update(|all| {
                for section in Arc::make_mut(all) {
                    section.more.retain(|more| more.query != ask);
                }
            });
        }
        if let Some(place) = found.1.when.place() {
            let searching = self.answer.searching;
            searching.update(|all| all.retain(|(one, _)| *one != place));
        }
        if found.1.when.place().is_none() {
            self.answer.runs.update(|runs| {
                let run = runs.iter_mut().find(|run| run.of == found.0);
                if let Some(run) = run {
                    run.ended += found.1.subtasks.len().max(1);
                }
            });
            self.count_runs();
        }
        Some(found)
    }

    /// How far what a place asked for is.
    pub(super) fn so_far(&self, place: Name, share: Option<f64>) {
        self.answer.searching.update(|all| {
            let found = all.iter_mut().filter(|(of, _)| *of == place);
            found.for_each(|(_, done)| *done = share);
        });
    }

    /// Returns true while the search for the answer goes on.
    pub(super) fn is_hunting(&self) -> bool {
        let sections = self.answer.sections.get_untracked();
        let searching = self.answer.searching.get_untracked();
        let mut all = sections.iter().flat_map(|section| &section.more);
        let is_on = |place: Name| searching.iter().any(|(of, _)| *of == place);
        all.any(|more| matches!(more.when, Trigger::Now(place) if is_on(place)))
    }
}
