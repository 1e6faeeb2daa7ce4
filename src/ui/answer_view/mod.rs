//! The answer view on the page: the shown sections, pending queries, and the edits that they offer. The page
//! knows neither what was solved nor the answer, only its story; whatever the question, this is the state of it.

mod chart;
mod claims;
mod control_state;
mod controller;
mod controls;
mod cuts;
mod exports;
mod gantt;
mod graph;
mod import;
mod listing;
mod page;
mod queries;
mod ranges;
mod runs;
mod scenario_store;
mod section;
mod step_state;
mod subtasks;
mod updates;

pub use chart::{OwnViews, charts_alone, table_later};
pub use controller::AnswerController;
pub use cuts::Cuts;
pub use exports::ExportBlock;
pub use import::ImportState;
pub use page::Page;
pub use scenario_store::{Presentable, ScenarioStore};
pub use section::{
    Answer, Bare, Choices, OtherSections, Printed, SectionView, blocks, later_block, ways_block,
};

use control_state::ControlState;
use document::{Block, Edit, Name, Section, Verdict};
use engine::scenario::Question;
use leptos::prelude::*;
use protocol::{AnswerView, SubtaskResult};
use runs::QueryProgress;
use std::sync::Arc;

/// An answer shown, whatever its question. Cheap to copy.
#[derive(Clone, Copy)]
pub struct AnswerStore {
    /// The answer view as it was first received.
    pub answer_view: RwSignal<Option<Arc<AnswerView>>>,
    /// Its sections with all that has been found out since.
    pub sections: RwSignal<Arc<Vec<Section>>>,
    /// From asking to the answer [ms].
    pub millis: RwSignal<f64>,
    /// How far what is found out without a button is, section by section.
    pub runs: RwSignal<Vec<QueryProgress>>,
    /// Why something was not found out, by its section.
    pub faults: RwSignal<Vec<(Name, String)>>,
    /// The places that a search is under way for, each with the share of it that is done where that is known.
    pub searching: RwSignal<Vec<(Name, Option<f64>)>>,
    /// State of an import.
    pub reading: RwSignal<ImportState>,
    /// Values of controls, and zoom states of their charts.
    turned: StoredValue<Vec<(Name, ControlState)>>,
    /// Names of the lines that charts are to leave out.
    hidden: RwSignal<Vec<String>>,
    /// The name of the plan whose flags are shown.
    pub flags_of: RwSignal<String>,
    /// True while the summary is new and the details are still those of the previous answer.
    pub has_stale_details: RwSignal<bool>,
    /// True once that has lasted long enough to show progress.
    pub is_slow: RwSignal<bool>,
    /// Counts the answers that have come to rest.
    rested: RwSignal<u32>,
    /// State of the presenter, sent back with later requests.
    presenter_state: StoredValue<Arc<SubtaskResult>>,
    /// Asks the worker for more of it.
    ask: Callback<AnswerCommand>,
    edit: Callback<Change, bool>,
}

/// A command of the page about an answer.
#[derive(Debug, Clone, PartialEq)]
enum AnswerCommand {
    /// Start the queries of a section that was opened.
    Open(Name),
    /// Start the query of a slot whose button was pressed.
    Press(Name),
    /// Show a slot at these values of its controls.
    ShowSlot(Name, Vec<f64>),
    /// Start the query of a slot at these values, after a press of its button.
    TurnPressed(Name, Vec<f64>),
    /// A file.
    File(Name),
    /// Import a file into a slot: slot, name, content.
    Import(Name, String, String),
    /// The scenario as a file.
    Scenario,
    /// Start the queries of a section again, deferred ones included.
    Again(Name),
    /// Cancels all queries of the answer.
    End,
    /// The search for the answer itself ends as well.
    Stop,
    /// The answer once more.
    Retry,
}

/// A change of the scenario.
enum Change {
    /// One that the answer offers.
    Edit(Edit),
    /// A number, by the step and the place that it belongs to.
    Number(String, String, f64),
}

impl AnswerStore {
    /// A section as it stands.
    pub fn section(&self, id: &str) -> Option<Section> {
        self.sections
            .with(|all| all.iter().find(|section| section.id == id).cloned())
    }

    /// The answer in words.
    pub fn verdict(&self) -> Option<Verdict> {
        self.sections
            .with(|all| all.iter().find_map(Section::verdict).cloned())
    }

    /// Reads the answer view as it was first received.
    pub fn of<T>(&self, read: impl Fn(&AnswerView) -> T) -> Option<T> {
        self.answer_view
            .with(|answer_view| answer_view.as_deref().map(read))
    }

    /// A figure under the headline by its key.
    pub fn figure(&self, key: &str) -> Option<f64> {
        self.figure_of(section::ANSWER, key)
    }

    /// A figure of a section by its key.
    pub fn figure_of(&self, section: &str, key: &str) -> Option<f64> {
        let all = self.section(section)?.blocks;
        all.iter().find_map(|block| match block {
            Block::Figures(figures) => {
                let mut all = figures.all();
                all.find(|one| one.key == key).map(|one| one.value)
            }
            _ => None,
        })
    }

    /// The share of what is asked for soon that is done, while it is under way.
    pub fn share(&self) -> Option<f64> {
        self.runs.with(|runs| {
            let soon = || runs.iter().filter(|run| run.is_idle);
            let so_far: f64 = soon()
                .map(|run| run.done() as f64 + run.partial_subtasks)
                .sum();
            let all: usize = soon().map(|run| run.all).sum();
            let is_on = soon().any(|run| run.is_on && run.is_open());
            is_on.then(|| so_far / all.max(1) as f64)
        })
    }

    /// Saves a file that the worker writes.
    pub fn save_file(&self, what: Name) {
        self.command(AnswerCommand::File(what));
    }

    /// Returns true if every section is of the current answer; tracked.
    pub fn is_whole(&self) -> bool {
        !self.has_stale_details.get() && self.answer_view.with(Option::is_some)
    }

    /// The whole document, as other formats have it; `None` while some of it belongs to the previous answer.
    pub fn all(&self) -> Option<protocol::AnswerDocument> {
        if !self.is_whole() {
            return None;
        }
        let about = self.of(|answer_view| answer_view.about.clone())?;
        let found = |all: &Arc<Vec<Section>>| {
            let found = all.iter().filter(|section| section.is_found());
            found.cloned().collect()
        };
        let sections = self.sections.with(found);
        Some(protocol::AnswerDocument { about, sections })
    }

    /// The answer in short: figure and claim.
    pub fn in_short(&self) -> Option<(String, String)> {
        let figure = self.of(|answer_view| answer_view.figure.clone())?;
        Some((figure, self.verdict()?.proof))
    }

    fn command(&self, wish: AnswerCommand) {
        self.ask.run(wish);
    }

    /// Ends what is asked besides the answer.
    pub fn end(&self) {
        self.command(AnswerCommand::End);
    }

    /// Ends every search.
    pub fn stop(&self) {
        self.command(AnswerCommand::Stop);
    }

    /// Asks for the answer again.
    pub fn retry(&self) {
        self.command(AnswerCommand::Retry);
    }

    /// Has a place show what it shows at these settings: of every answer that comes to rest, and when they change, for as long as
    /// the calling component is there.
    pub fn bind_controls(&self, place: Name, at: Signal<Vec<f64>>) {
        let store = *self;
        Effect::new(move |_| {
            let at = at.get();
            if store.rested.get() > 0 {
                store.command(AnswerCommand::ShowSlot(place, at));
            }
        });
    }

    /// Makes a change that the answer offers; whether it could be made.
    pub fn apply(&self, edit: Edit) -> bool {
        self.edit.run(Change::Edit(edit))
    }

    /// Sets a number of the scenario.
    pub fn set(&self, step: &str, pointer: &str, value: f64) {
        self.edit
            .run(Change::Number(step.to_owned(), pointer.to_owned(), value));
    }
}

/// The answer in the tab’s title while its question is open, so that tabs, bookmarks and history are useful.
pub fn name_the_tab(store: AnswerStore, open: RwSignal<Question>, question: Question) {
    Effect::new(move |_| {
        let tab = store.of(|answer_view| answer_view.tab.clone());
        if let Some(tab) = tab.filter(|_| open.get() == question) {
            document().set_title(&format!("{tab} - Edgewise"));
        }
    });
}
