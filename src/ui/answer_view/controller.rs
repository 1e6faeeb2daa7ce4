//! The controller of an answer: requests it and its queries from the worker.

use super::{AnswerCommand, AnswerStore, Change, ImportState, Presentable, ScenarioStore, exports};
use crate::ui::jobs::{OwnedTask, TaskOwner};
use crate::ui::scenario_editor::{EditableScenario, ScenarioEditor};
use crate::ui::shell::SolverState;
use crate::ui::solver::SolverHandle;
use document::{CacheScope, Name, PackedBytes, Patch, Trigger};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::worker::SharedPayload;
use protocol::{
    AnswerRequest, AnswerResponse as Found, AnswerTask, Answerable, ScatterGather, changed,
    with_number,
};
use std::ops::Deref;
use std::sync::Arc;

/// An answer that is there sooner is shown when it is whole [ms].
const SHOW_PARTS_AFTER_MS: f64 = 400.0;

/// The state of an answer view. Cheap to copy.
pub struct AnswerController<S: Presentable, D: ScenarioStore<S> = ScenarioEditor<S>> {
    pub(super) store: D,
    /// The answer shown.
    pub answer: AnswerStore,
    /// The scenario that it belongs to.
    pub of: RwSignal<Option<Arc<S>>>,
    pub(super) group: StoredValue<u32>,
    pub(super) begin: StoredValue<Option<Timeout>, LocalStorage>,
    pub(super) slow: StoredValue<Option<Timeout>, LocalStorage>,
    /// Queries that are running.
    pub(super) running_queries: StoredValue<Vec<String>>,
    /// Cached patches that are valid for other scenarios too, by query.
    pub(super) lasting: StoredValue<Vec<(String, CacheScope, Vec<Patch>)>>,
    /// True once the answer has rested for the delay of idle queries.
    pub(super) is_idle: StoredValue<bool>,
    /// Queries that wait for the full answer: those started since the edit or while only the summary was new, and split queries
    /// that do not depend on the scenario.
    pub(super) pending_queries: StoredValue<Vec<String>>,
    /// Control groups whose button was pressed before the answer arrived, with their values.
    pub(super) pressed: StoredValue<Vec<(Name, Vec<f64>)>>,
    /// Split queries, and the cache of their results.
    pub(super) scatter_gather: StoredValue<ScatterGather>,
    /// When the answer was asked for [ms].
    pub(super) requested_at: StoredValue<f64>,
    /// The places whose settings are asked for, each with those that it has been turned to since.
    pub(super) turning: StoredValue<Vec<(Name, Option<Vec<f64>>)>>,
}

impl<S: Presentable, D: ScenarioStore<S>> Clone for AnswerController<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Presentable, D: ScenarioStore<S>> Copy for AnswerController<S, D> {}

impl<S: Presentable, D: ScenarioStore<S>> Deref for AnswerController<S, D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.store
    }
}

impl<S: EditableScenario + Answerable> AnswerController<S> {
    /// The state of a question, asked while it is open. What else it asks is in groups beyond `group`.
    pub fn open(editor: ScenarioEditor<S>, group: u32) -> Self {
        let controller = Self::about(editor, group);
        editor.keep_planned(
            move |_| {
                // What waits for the answer before this one waits for this one.
                let going = controller
                    .scatter_gather
                    .with_value(ScatterGather::scenario_independent_queries);
                controller.end_but_for(going);
            },
            move |solver, scenario| {
                controller.requested_at.set_value(js_sys::Date::now());
                solver.plan(
                    controller,
                    SharedPayload(scenario),
                    AnswerTask::<S>::of(AnswerRequest::Summary),
                );
            },
        );
        editor.name_files(move || controller.answer.of(|answer_view| answer_view.stem.clone()));
        controller
    }

    /// Reads the answer, if it is that of the current scenario.
    pub fn now<T>(&self, read: impl Fn(&AnswerStore) -> T) -> Option<T> {
        let now = self.scenario.get();
        let is_now = self
            .of
            .with(|of| of.as_ref().is_some_and(|of| **of == *now));
        is_now.then(|| read(&self.answer))
    }
}

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    /// An answer about what is there; what it asks is in groups beyond `group`.
    pub fn about(editor: D, group: u32) -> Self {
        // What it shows asks it in turn.
        let itself = StoredValue::new(None::<Self>);
        let answer_store = AnswerStore {
            answer_view: RwSignal::new(None),
            sections: RwSignal::new(Arc::default()),
            millis: RwSignal::new(0.0),
            runs: RwSignal::new(Vec::new()),
            faults: RwSignal::new(Vec::new()),
            searching: RwSignal::new(Vec::new()),
            turned: StoredValue::new(Vec::new()),
            hidden: RwSignal::new(Vec::new()),
            flags_of: RwSignal::new(String::new()),
            has_stale_details: RwSignal::new(false),
            is_slow: RwSignal::new(false),
            rested: RwSignal::new(0),
            presenter_state: StoredValue::new(Arc::default()),
            reading: RwSignal::new(ImportState::Idle),
            ask: Callback::new(move |wish| {
                itself.with_value(|controller| {
                    controller.iter().for_each(|it| it.run_command(&wish))
                });
            }),
            edit: Callback::new(move |change| {
                itself.with_value(|controller| controller.is_some_and(|it| it.change(&change)))
            }),
        };
        let controller = Self {
            store: editor,
            answer: answer_store,
            of: RwSignal::new(None),
            group: StoredValue::new(group),
            begin: StoredValue::new_local(None),
            slow: StoredValue::new_local(None),
            running_queries: StoredValue::new(Vec::new()),
            lasting: StoredValue::new(Vec::new()),
            is_idle: StoredValue::new(false),
            pending_queries: StoredValue::new(Vec::new()),
            pressed: StoredValue::new(Vec::new()),
            scatter_gather: StoredValue::new(ScatterGather::default()),
            requested_at: StoredValue::new(0.0),
            turning: StoredValue::new(Vec::new()),
        };
        itself.set_value(Some(controller));
        controller
    }

    /// Asks for the answer to this, besides what the user waits for.
    pub fn begin(&self, of: Arc<S>) {
        self.end();
        let group = self.group.get_value();
        self.with_solver(|solver| {
            solver.points(
                *self,
                group,
                &SharedPayload(of),
                [AnswerTask::of(AnswerRequest::Full)],
            )
        });
    }

    /// Forgets the answer.
    pub fn clear(&self) {
        self.end();
        self.of.set(None);
        self.answer.has_stale_details.set(false);
        self.answer.sections.set(Arc::default());
        self.answer.answer_view.set(None);
    }

    fn run_command(&self, wish: &AnswerCommand) {
        match wish {
            AnswerCommand::Open(section) => {
                self.ask_more(|of, more| of == *section && more.when == Trigger::Opened);
                self.begin_runs();
            }
            AnswerCommand::Press(place) => {
                self.ask_more(|_, more| more.when.place() == Some(place));
            }
            AnswerCommand::ShowSlot(place, at) => self.request_slot(place, at.clone()),
            AnswerCommand::TurnPressed(place, at) => {
                match self.answer.has_stale_details.get_untracked() || !self.is_newest() {
                    true => self
                        .pressed
                        .update_value(|all| all.push((place, at.clone()))),
                    false => self.turn_pressed(place, at.clone()),
                }
            }
            AnswerCommand::File(what) => self.ask_file(what),
            AnswerCommand::Import(place, name, text) => self.import_file(place, name, text),
            AnswerCommand::Scenario => {
                let of = self.of.get_untracked();
                of.iter()
                    .for_each(|of| self.save("scenario", "json", of.to_file()));
            }
            AnswerCommand::Again(section) => {
                self.request_idle();
                self.run_command(&AnswerCommand::Open(section));
            }
            AnswerCommand::End => {
                // What waited for the answer is asked for now that it is what it is.
                let was_hunting = self.is_hunting();
                self.end();
                if was_hunting {
                    self.on_idle();
                }
                self.ask_below();
            }
            AnswerCommand::Stop => {
                self.end();
                self.with_solver(SolverHandle::stop);
                self.busy.set(SolverState::GivenUp);
            }
            AnswerCommand::Retry => self.store.ask_again(),
        }
    }

    fn change(&self, change: &Change) -> bool {
        let now = self.store.now();
        let (step, after) = match change {
            Change::Edit(edit) => (&edit.step, changed(&*now, edit)),
            Change::Number(step, pointer, value) => (step, with_number(&*now, pointer, *value)),
        };
        // An answer belongs to one scenario; one that has changed since says so by refusing.
        let done = after.and_then(|after| self.store.put(step, after));
        if let Err(fault) = &done {
            self.announce(format!("Not changed: {fault}."));
        }
        done.is_ok()
    }

    /// Returns true if the result of a request is still needed.
    fn is_wanted(&self, job: &OwnedTask<AnswerTask<S>>) -> bool {
        job.group == Some(self.group.get_value())
    }

    pub(super) fn is_newest(&self) -> bool {
        let of = self.of.get_untracked();
        of.is_some_and(|of| self.store.is_now(&of))
    }

    /// Returns true if the shown summary answers this scenario.
    pub(super) fn is_of(&self, scenario: &Arc<S>) -> bool {
        self.of
            .with_untracked(|of| of.as_ref().is_some_and(|of| Arc::ptr_eq(of, scenario)))
    }
}

impl<S: Presentable, D: ScenarioStore<S>> TaskOwner<AnswerTask<S>> for AnswerController<S, D> {
    fn answered(&self, job: &OwnedTask<AnswerTask<S>>, answer: PackedBytes<Found>, millis: f64) {
        match (answer.0, &job.task.request) {
            (Found::Import(words, edit), _) => self.apply_edit(words, &edit),
            (Found::View(telling), AnswerRequest::Summary) => {
                self.show_summary(telling, job.scenario.0.clone(), millis)
            }
            (
                Found::File(content),
                AnswerRequest::File(what) | AnswerRequest::FileFrom(what, _),
            ) => exports::save(&self.answer, &self.store, what, &content),
            // A late one is of another answer.
            (_, _) if !self.is_wanted(job) => {}
            (Found::View(telling), AnswerRequest::Full) if self.is_of(&job.scenario.0) => {
                self.follow(telling)
            }
            (Found::View(telling), AnswerRequest::Full) => {
                self.show(telling, job.scenario.0.clone(), millis)
            }
            (
                Found::Patches(fills),
                AnswerRequest::Immediate(ask) | AnswerRequest::Deferred(ask),
            ) => {
                let found = self.end_query(ask);
                self.fill(&fills);
                self.go_on(&fills);
                if let Some((_, more)) = found {
                    self.cache_patches(&more, fills);
                }
            }
            (Found::Subtask(piece), AnswerRequest::Subtask(at, name, load)) => {
                self.record_subtask((at, name, load), &Some(piece))
            }
            // Sections that were replaced meanwhile start their subtasks again.
            (_, AnswerRequest::Aggregate(number, ..))
                if !self.scatter_gather.with_value(|all| all.is_on(*number)) => {}
            (Found::Patches(fills), AnswerRequest::Aggregate(number, ..)) => {
                self.apply_aggregate(*number, fills)
            }
            (Found::View(telling), AnswerRequest::Aggregate(number, ..)) => {
                self.end_aggregation(*number);
                self.show_partial(telling, millis);
            }
            (Found::Patches(fills), AnswerRequest::WithControls(place, _)) => {
                self.fill(&fills);
                self.replace_queries(&fills);
                self.slot_received(place);
            }
            _ => {}
        }
    }

    /// As much of an answer as there is; what else it asks for waits until it is whole.
    fn on_partial(&self, job: &OwnedTask<AnswerTask<S>>, part: PackedBytes<Found>) {
        let is_plan = job.is_plan();
        let is_newest = self.store.is_now(&job.scenario.0);
        let waited = js_sys::Date::now() - self.requested_at.get_value();
        if let Found::View(telling) = part.0
            && is_plan
            && is_newest
            && waited > SHOW_PARTS_AFTER_MS
        {
            self.show_partial_summary(telling, job.scenario.0.clone());
        }
    }

    fn reached(&self, job: &OwnedTask<AnswerTask<S>>, share: Option<f64>) {
        let ask = match &job.task.request {
            AnswerRequest::Immediate(ask) | AnswerRequest::Deferred(ask) => ask,
            AnswerRequest::Subtask(at, name, load) => {
                return self.record_subtask_progress((at, name, load), share);
            }
            _ => return,
        };
        if let Some(place) = self
            .running_query(ask)
            .and_then(|(_, more)| more.when.place())
        {
            self.so_far(place, share);
        }
    }

    fn refused(&self, job: &OwnedTask<AnswerTask<S>>, why: String) {
        let of = match &job.task.request {
            AnswerRequest::WithControls(place, _) => {
                self.slot_received(place);
                return self.fault_at(place, &why);
            }
            AnswerRequest::Immediate(ask) | AnswerRequest::Deferred(ask) => self.end_query(ask),
            AnswerRequest::Aggregate(number, ..) => self.fail_aggregation(*number),
            AnswerRequest::Subtask(at, name, load) => self.refuse_subtask((at, name, load)),
            AnswerRequest::Import(..) => {
                return self.answer.reading.set(ImportState::Refused(why));
            }
            AnswerRequest::Full if self.answer.has_stale_details.get_untracked() => {
                return self.is_alone(&why);
            }
            AnswerRequest::Summary
            | AnswerRequest::Full
            | AnswerRequest::File(_)
            | AnswerRequest::FileFrom(..) => None,
        };
        let when = of.as_ref().map(|(_, more)| more.when);
        if matches!(when, Some(Trigger::Now(_))) {
            self.on_idle();
        }
        if let Some((section, more)) = of.filter(|(_, more)| !more.refused.is_empty()) {
            let fault = (section, format!("{}: {why}.", more.refused));
            self.answer.faults.update(|all| {
                if !all.contains(&fault) {
                    all.push(fault);
                }
            });
        }
    }

    fn left_out(&self, job: &OwnedTask<AnswerTask<S>>) -> String {
        self.refused(job, "the solver failed twice on one of its runs".to_owned());
        "It failed again on a run, so that run was left out. Nothing else is lost.".to_owned()
    }
}
