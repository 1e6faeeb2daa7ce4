//! Updates of the shown answer: the summary, then the details, then patches of sections.

use super::{AnswerController, Presentable, ScenarioStore, section};
use crate::ui::shell::SolverState;
use document::{CacheScope, DeferredQuery, Name, Patch, Section, Trigger};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::worker::SharedPayload;
use protocol::{AnswerRequest, AnswerView, SubtaskResult};
use std::sync::Arc;

/// Delay of the request for details after the last answer [ms]: while a number is dragged, only the summary follows.
const BELOW_MS: u32 = 50;

/// Delay of idle queries after the full view [ms].
const IDLE_MS: u32 = 100;

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    pub(super) fn fill(&self, fills: &[Patch]) {
        self.answer.sections.update(|all| {
            for section in Arc::make_mut(all) {
                fills.iter().for_each(|fill| section.fill(fill));
            }
        });
    }

    /// Sections were replaced for other settings: their queries replace the previous ones.
    pub(super) fn replace_queries(&self, fills: &[Patch]) {
        if let Some(is_new) = replaced_sections(fills) {
            self.answer
                .runs
                .update(|runs| runs.retain(|run| !is_new(run.of)));
            let refilled = fills.iter().flat_map(|fill| match fill {
                Patch::Section(section) => section.more.as_slice(),
                _ => &[],
            });
            let asks: Vec<&String> = refilled.map(|more| &more.query).collect();
            self.running_queries
                .update_value(|asked| asked.retain(|ask| !asks.contains(&ask)));
            self.scatter_gather
                .update_value(|all| all.remove_queries(is_new));
            self.ask_more(|of, more| matches!(more.when, Trigger::Now(_)) && is_new(of));
            self.request_idle();
        }
    }

    /// Sends the queries of replaced sections.
    pub(super) fn go_on(&self, fills: &[Patch]) {
        if let Some(is_new) = replaced_sections(fills) {
            self.ask_more(|of, more| matches!(more.when, Trigger::Now(_)) && is_new(of));
            if self.is_idle.get_value() {
                self.request_idle();
            }
        }
    }

    /// Remembers what holds for other scenarios too.
    pub(super) fn cache_patches(
        &self,
        DeferredQuery {
            query: ask,
            cache_scope: lasts,
            ..
        }: &DeferredQuery,
        fills: Vec<Patch>,
    ) {
        if *lasts == CacheScope::Once {
            return;
        }
        self.lasting.update_value(|known| {
            known.retain(|(before, ..)| before != ask);
            known.push((ask.clone(), *lasts, fills));
        });
    }

    /// The view is of another scenario: results that do not apply to it are dropped.
    fn keep_lasting(&self, scenario: &S) {
        let holds = self.of.with_untracked(|before| {
            let before = before.as_deref();
            before.is_some_and(|before| scenario.is_cache_valid_for(before))
        });
        let stays = |lasts: &CacheScope| {
            *lasts == CacheScope::Always || (holds && *lasts == CacheScope::Equivalent)
        };
        self.lasting
            .update_value(|known| known.retain(|(_, lasts, _)| stays(lasts)));
        self.scatter_gather
            .update_value(|all| all.retain_cached(|lasts| stays(&lasts)));
    }

    /// Fills in what is known already.
    fn fill_lasting(&self, telling: &mut AnswerView) {
        self.lasting.with_value(|known| {
            for section in &mut telling.sections {
                for (ask, _, fills) in known {
                    let is_it = |more: &DeferredQuery| {
                        more.cache_scope != CacheScope::Once && more.query == *ask
                    };
                    if section.more.iter().any(is_it) {
                        fills.iter().for_each(|fill| section.fill(fill));
                    }
                    // A button can be pressed again; subtasks are aggregated again, for this scenario.
                    let stays = |more: &DeferredQuery| {
                        more.when.place().is_some() || !more.subtasks.is_empty() || !is_it(more)
                    };
                    section.more.retain(stays);
                }
            }
        });
    }

    /// The answer view is of another scenario.
    fn begin_with(&self, scenario: Arc<S>) {
        if !self.is_of(&scenario) {
            // What was asked since the edit was asked of the answer that stood.
            self.end_but_for(self.running_queries.get_value());
        }
        self.keep_lasting(&scenario);
        self.answer.runs.set(Vec::new());
        self.answer.faults.set(Vec::new());
        self.of.set(Some(scenario));
    }

    /// Puts what leads an answer shown; the rest is as it stood, and is asked for once this rests.
    pub(super) fn show_summary(&self, mut telling: AnswerView, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.answer.has_stale_details.set(true);
        let before = self.answer.answer_view.get_untracked();
        if let Some(before) = &before {
            telling.files.clone_from(&before.files);
            telling.chains.clone_from(&before.chains);
        }
        let sections = self.merge_summary(&telling);
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.store.is_answered();
            self.ask_more(|_, more| matches!(more.when, Trigger::Now(_)));
            // The first one need not rest.
            let wait = if before.is_some() { BELOW_MS } else { 0 };
            let controller = *self;
            let later = Timeout::new(wait, move || controller.ask_below());
            self.begin.set_value(Some(later));
        }
    }

    /// Puts as much of what leads an answer shown as there is.
    pub(super) fn show_partial_summary(&self, telling: AnswerView, scenario: Arc<S>) {
        self.begin_with(scenario);
        self.answer.has_stale_details.set(true);
        let sections = self.merge_summary(&telling);
        self.put(telling, sections, 0.0);
    }

    /// Merges the new summary with the shown details.
    fn merge_summary(&self, telling: &AnswerView) -> Vec<Section> {
        let stood = self.answer.sections;
        stood.with_untracked(|stood| merge_summary(&telling.sections, stood))
    }

    /// Asks for what is below the lead.
    pub(super) fn ask_below(&self) {
        if let Some(of) = self.of.get_untracked()
            && self.answer.has_stale_details.get_untracked()
            && self.busy.get_untracked() == SolverState::Idle
        {
            let group = self.group.get_value();
            let ask = self.request_about(AnswerRequest::Full);
            self.with_solver(|solver| solver.ahead(*self, group, SharedPayload(of), ask));
        }
    }

    /// Shows the details of an answer below its summary, which may have been patched or replaced meanwhile.
    pub(super) fn follow(&self, mut telling: AnswerView) {
        if !self.answer.has_stale_details.get_untracked() {
            return;
        }
        self.fill_lasting(&mut telling);
        let sections = self.updated_sections(&telling);
        let millis = self.answer.millis.get_untracked();
        self.put(telling, sections, millis);
        self.on_full_view();
    }

    /// Shows that the details are not available, and removes those of the previous answer.
    pub(super) fn is_alone(&self, why: &str) {
        self.answer.has_stale_details.set(false);
        self.answer
            .sections
            .update(|all| Arc::make_mut(all).retain(|section| section::is_summary(section.id)));
        let under = self
            .answer
            .sections
            .with_untracked(|all| all.last().map(|section| section.id));
        let said = format!("What stands below could not be computed: {why}.");
        self.answer
            .faults
            .set(under.map(|under| (under, said)).into_iter().collect());
    }

    /// All of an answer is shown: what it says is to be found out is asked for.
    fn on_full_view(&self) {
        self.answer.has_stale_details.set(false);
        self.ask_more(|_, more| matches!(more.when, Trigger::Now(_)));
        let going = self.pending_queries.try_update_value(std::mem::take);
        let going = going.unwrap_or_default();
        self.ask_more(|_, more| going.contains(&more.query));
        let pressed = self.pressed.try_update_value(std::mem::take);
        for (place, at) in pressed.into_iter().flatten() {
            self.turn_pressed(place, at);
        }
        let controller = *self;
        let later = Timeout::new(IDLE_MS, move || controller.on_idle());
        self.begin.set_value(Some(later));
    }

    /// Puts all of an answer shown.
    pub(super) fn show(&self, mut telling: AnswerView, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.fill_lasting(&mut telling);
        let sections = telling.sections.clone();
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.store.is_answered();
            self.on_full_view();
        }
    }

    fn put(&self, mut telling: AnswerView, sections: Vec<Section>, millis: f64) {
        let presenter_state = Arc::new(SubtaskResult::from(std::mem::take(
            &mut telling.presenter_state,
        )));
        self.answer.presenter_state.set_value(presenter_state);
        self.show_sections(sections);
        self.answer.millis.set(millis);
        self.answer.answer_view.set(Some(Arc::new(telling)));
    }

    /// Puts sections shown.
    fn show_sections(&self, mut sections: Vec<Section>) {
        // A section without new content stays as it was until there is some.
        self.answer.sections.with_untracked(|stood| {
            for section in sections.iter_mut().filter(|one| one.blocks.is_empty()) {
                if let Some(before) = stood.iter().find(|before| before.id == section.id) {
                    let more = std::mem::take(&mut section.more);
                    *section = Section {
                        more,
                        ..before.clone()
                    };
                }
            }
        });
        self.answer.sections.set(Arc::new(sections));
    }

    /// A running search has sent a better answer. Sections that it does not contain stay as they are.
    pub(super) fn show_partial(&self, telling: AnswerView, millis: f64) {
        let before = self.answer.answer_view.get_untracked();
        let sections = self.updated_sections(&telling);
        let is_search = |answer_view: &AnswerView| {
            let mut more = answer_view
                .sections
                .iter()
                .flat_map(|section| &section.more);
            more.any(|more| matches!(more.when, Trigger::Now(_)))
        };
        let was_hunting = before.as_deref().is_some_and(is_search);
        self.put(
            telling,
            sections,
            self.answer.millis.get_untracked() + millis,
        );
        self.ask_more(|_, more| matches!(more.when, Trigger::Now(_)));
        match was_hunting {
            true => self.on_idle(),
            false => self.request_idle(),
        }
    }

    /// The sections of a new view; those that it does not contain stay as they are.
    fn updated_sections(&self, telling: &AnswerView) -> Vec<Section> {
        let before = self.answer.answer_view.get_untracked();
        let said = self.answer.sections.get_untracked();
        let stands = |section: &Section| {
            let earlier = before
                .as_ref()
                .and_then(|earlier| earlier.section(section.id));
            let stands = said.iter().find(|stands| stands.id == section.id);
            stands.filter(|_| earlier == Some(section)).cloned()
        };
        let sections = telling.sections.iter();
        let sections = sections.map(|section| stands(section).unwrap_or_else(|| section.clone()));
        sections.collect()
    }
}

/// Merges a new summary into the shown sections, which keep their positions until the details arrive.
fn merge_summary(leads: &[Section], stood: &[Section]) -> Vec<Section> {
    let mut all: Vec<Section> = stood.to_vec();
    all.retain(|one| !section::is_summary(one.id) || leads.iter().any(|lead| lead.id == one.id));
    let mut next = 0;
    for lead in leads {
        match all.iter().position(|one| one.id == lead.id) {
            Some(at) => {
                all[at] = lead.clone();
                next = at + 1;
            }
            None => {
                all.insert(next, lead.clone());
                next += 1;
            }
        }
    }
    all
}

/// Selects the replaced sections; `None` if there are none.
fn replaced_sections(fills: &[Patch]) -> Option<impl Fn(Name) -> bool + Copy> {
    let tells =
        |fill: &Patch, of: Name| matches!(fill, Patch::Section(section) if section.id == of);
    let is_any = fills.iter().any(|fill| matches!(fill, Patch::Section(_)));
    is_any.then_some(move |of: Name| fills.iter().any(|fill| tells(fill, of)))
}
