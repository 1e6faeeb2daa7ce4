//! Updates of the shown answer: the summary, then the details, then patches of sections.

use super::{AnswerController, Presentable, ScenarioStore, section};
use crate::ui::shell::SolverState;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::sync::Arc;
use story::{CacheScope, DeferredQuery, Name, Patch, Section, Trigger};
use tell::worker::SharedPayload;
use tell::{AnswerRequest, AnswerView, SubtaskResult};

/// Delay of the request for details after the last answer [ms]: while a number is dragged, only the summary follows.
const BELOW_MS: u32 = 50;

/// Delay of idle queries after the full view [ms].
const SOON_MS: u32 = 100;

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    pub(super) fn fill(&self, fills: &[Patch]) {
        self.answer.sections.update(|all| {
            for section in Arc::make_mut(all) {
                fills.iter().for_each(|fill| section.fill(fill));
            }
        });
    }

    /// Sections were told anew at other settings: what they ask for takes the place of what was asked for them before.
    pub(super) fn replace_queries(&self, fills: &[Patch]) {
        if let Some(is_new) = told_anew(fills) {
            self.answer
                .runs
                .update(|runs| runs.retain(|run| !is_new(run.of)));
            let anew = fills.iter().flat_map(|fill| match fill {
                Patch::Section(section) => section.more.as_slice(),
                _ => &[],
            });
            let asks: Vec<&String> = anew.map(|more| &more.ask).collect();
            self.running_queries
                .update_value(|asked| asked.retain(|ask| !asks.contains(&ask)));
            self.scatter_gather
                .update_value(|all| all.remove_queries(is_new));
            self.ask_more(|of, more| matches!(more.when, Trigger::Now(_)) && is_new(of));
            self.ask_soon();
        }
    }

    /// Asks for what sections that were told anew still ask for.
    pub(super) fn go_on(&self, fills: &[Patch]) {
        if let Some(is_new) = told_anew(fills) {
            self.ask_more(|of, more| matches!(more.when, Trigger::Now(_)) && is_new(of));
            if self.is_idle.get_value() {
                self.ask_soon();
            }
        }
    }

    /// Remembers what holds for other scenarios too.
    pub(super) fn cache_patches(
        &self,
        DeferredQuery { ask, lasts, .. }: &DeferredQuery,
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

    /// Another scenario is told of: what does not hold for it is forgotten.
    fn keep_lasting(&self, scenario: &S) {
        let holds = self.of.with_untracked(|before| {
            let before = before.as_deref();
            before.is_some_and(|before| scenario.keeps_of(before))
        });
        let stays = |lasts: &CacheScope| {
            *lasts == CacheScope::Always || (holds && *lasts == CacheScope::Alike)
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
                    let is_it =
                        |more: &DeferredQuery| more.lasts != CacheScope::Once && more.ask == *ask;
                    if section.more.iter().any(is_it) {
                        fills.iter().for_each(|fill| section.fill(fill));
                    }
                    // A button can be pressed again; what is gathered is added up anew, for this scenario.
                    let stays = |more: &DeferredQuery| {
                        more.when.place().is_some() || !more.pieces.is_empty() || !is_it(more)
                    };
                    section.more.retain(stays);
                }
            }
        });
    }

    /// An answer is told of another scenario.
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

    /// Puts what leads an answer on show; the rest stands as it stood, and is asked for once this rests.
    pub(super) fn show_summary(&self, mut telling: AnswerView, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.answer.has_stale_details.set(true);
        let before = self.answer.answer_view.get_untracked();
        if let Some(before) = &before {
            telling.files.clone_from(&before.files);
            telling.chains.clone_from(&before.chains);
        }
        let sections = self.beside(&telling);
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.desk.is_answered();
            self.ask_more(|_, more| matches!(more.when, Trigger::Now(_)));
            // The first one need not rest.
            let wait = if before.is_some() { BELOW_MS } else { 0 };
            let teller = *self;
            let later = Timeout::new(wait, move || teller.ask_below());
            self.begin.set_value(Some(later));
        }
    }

    /// Puts as much of what leads an answer on show as there is.
    pub(super) fn show_partial_summary(&self, telling: AnswerView, scenario: Arc<S>) {
        self.begin_with(scenario);
        self.answer.has_stale_details.set(true);
        let sections = self.beside(&telling);
        self.put(telling, sections, 0.0);
    }

    /// Merges the new summary with the shown details.
    fn beside(&self, telling: &AnswerView) -> Vec<Section> {
        let stood = self.answer.sections;
        stood.with_untracked(|stood| beside(&telling.sections, stood))
    }

    /// Asks for what stands below the lead.
    pub(super) fn ask_below(&self) {
        if let Some(of) = self.of.get_untracked()
            && self.answer.has_stale_details.get_untracked()
            && self.busy.get_untracked() == SolverState::Idle
        {
            let group = self.group.get_value();
            let ask = self.asked_of(AnswerRequest::Story);
            self.with_solver(|solver| solver.ahead(*self, group, SharedPayload(of), ask));
        }
    }

    /// Puts the rest of an answer on show under its lead, which may have been filled or told anew meanwhile.
    pub(super) fn follow(&self, mut telling: AnswerView) {
        if !self.answer.has_stale_details.get_untracked() {
            return;
        }
        self.fill_lasting(&mut telling);
        let sections = self.anew(&telling);
        let millis = self.answer.millis.get_untracked();
        self.put(telling, sections, millis);
        self.is_told();
    }

    /// Shows that the details are not available, and removes those of the previous answer.
    pub(super) fn is_alone(&self, why: &str) {
        self.answer.has_stale_details.set(false);
        self.answer
            .sections
            .update(|all| Arc::make_mut(all).retain(|section| section::leads(section.id)));
        let under = self
            .answer
            .sections
            .with_untracked(|all| all.last().map(|section| section.id));
        let said = format!("What stands below could not be computed: {why}.");
        self.answer
            .faults
            .set(under.map(|under| (under, said)).into_iter().collect());
    }

    /// All of an answer is on show: what it says is to be found out is asked for.
    fn is_told(&self) {
        self.answer.has_stale_details.set(false);
        self.ask_more(|_, more| matches!(more.when, Trigger::Now(_)));
        let going = self.pending_queries.try_update_value(std::mem::take);
        let going = going.unwrap_or_default();
        self.ask_more(|_, more| going.contains(&more.ask));
        let pressed = self.pressed.try_update_value(std::mem::take);
        for (place, at) in pressed.into_iter().flatten() {
            self.turn_pressed(place, at);
        }
        let teller = *self;
        let later = Timeout::new(SOON_MS, move || teller.on_idle());
        self.begin.set_value(Some(later));
    }

    /// Puts all of an answer on show.
    pub(super) fn show(&self, mut telling: AnswerView, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.fill_lasting(&mut telling);
        let sections = telling.sections.clone();
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.desk.is_answered();
            self.is_told();
        }
    }

    fn put(&self, mut telling: AnswerView, sections: Vec<Section>, millis: f64) {
        let noted = Arc::new(SubtaskResult::from(std::mem::take(&mut telling.noted)));
        self.answer.noted.set_value(noted);
        self.stand(sections);
        self.answer.millis.set(millis);
        self.answer.answer_view.set(Some(Arc::new(telling)));
    }

    /// Puts sections on show.
    fn stand(&self, mut sections: Vec<Section>) {
        // A section that nothing is told of yet stands as it did, until something is.
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

    /// A search that goes on has told the answer anew. Sections that it says nothing new of stay as they are.
    pub(super) fn tell_again(&self, telling: AnswerView, millis: f64) {
        let before = self.answer.answer_view.get_untracked();
        let sections = self.anew(&telling);
        let is_search = |told: &AnswerView| {
            let mut more = told.sections.iter().flat_map(|section| &section.more);
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
            false => self.ask_soon(),
        }
    }

    /// The sections of what is told anew, those that it says nothing new of as they stand.
    fn anew(&self, telling: &AnswerView) -> Vec<Section> {
        let before = self.answer.answer_view.get_untracked();
        let said = self.answer.sections.get_untracked();
        let stands = |section: &Section| {
            let told = before.as_ref().and_then(|told| told.section(section.id));
            let stands = said.iter().find(|stands| stands.id == section.id);
            stands.filter(|_| told == Some(section)).cloned()
        };
        let sections = telling.sections.iter();
        let sections = sections.map(|section| stands(section).unwrap_or_else(|| section.clone()));
        sections.collect()
    }
}

/// Merges a new summary into the shown sections, which keep their positions until the details arrive.
fn beside(leads: &[Section], stood: &[Section]) -> Vec<Section> {
    let mut all: Vec<Section> = stood.to_vec();
    all.retain(|one| !section::leads(one.id) || leads.iter().any(|lead| lead.id == one.id));
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

/// Which sections are told anew; nothing where none is.
fn told_anew(fills: &[Patch]) -> Option<impl Fn(Name) -> bool + Copy> {
    let tells =
        |fill: &Patch, of: Name| matches!(fill, Patch::Section(section) if section.id == of);
    let is_any = fills.iter().any(|fill| matches!(fill, Patch::Section(_)));
    is_any.then_some(move |of: Name| fills.iter().any(|fill| tells(fill, of)))
}
