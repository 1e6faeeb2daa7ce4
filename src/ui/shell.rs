//! State that all questions share: the open question, notices, errors, the solver, files to save.

use super::common::Common;
use super::download;
use super::history::History;
use super::solver::SolverHandle;
use engine::scenario::Question;
use engine::scenario::world::{QuestionView, World};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// State of the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SolverState {
    /// No search runs, or one that has just begun.
    Idle,
    /// A search that has gone on for longer than a blink; its share done where known.
    Searching(Option<f64>),
    /// No answer will come for this scenario.
    GivenUp,
}

/// A notice above the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Title.
    pub title: String,
    /// Explanation.
    pub text: String,
    /// True if screen readers announce it at once.
    pub alert: bool,
    /// Details to copy, if any.
    pub details: Option<String>,
}

/// A short notice that goes away by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// Text.
    pub text: String,
    /// True if it offers to undo.
    pub undo: bool,
}

/// State that all questions share. Cheap to copy: a handful of signals.
#[derive(Clone, Copy)]
pub struct Shell {
    /// The question that is open.
    pub question: RwSignal<Question>,
    /// True if the start page is shown instead.
    pub start: RwSignal<bool>,
    /// Fields that hold something that is no answerable number, by field, with the sentence to show.
    pub faults: RwSignal<BTreeMap<String, String>>,
    /// State of the solver.
    pub busy: RwSignal<SolverState>,
    /// The notice above the answer.
    pub banner: RwSignal<Option<Banner>>,
    /// The passing notice.
    pub toast: RwSignal<Option<Toast>>,
    /// True while the editor is open as a sheet (small screens).
    pub sheet: RwSignal<bool>,
    /// How often a whole scenario was replaced: what was typed before belongs to another one.
    pub replaced: RwSignal<u32>,
    /// How the names of saved files begin, once there is an answer: `edgewise-cold-start-qwen3-14b-2562ms`.
    pub file_stem: RwSignal<Option<String>>,
    /// The one solver of the page.
    pub solver: StoredValue<Option<SolverHandle>, LocalStorage>,
    /// The scenario of all questions.
    pub common: Common,
    /// The steps that can be taken back.
    pub history: History,
    next_id: StoredValue<u32>,
}

impl Shell {
    /// A page without solver that shows how the question of a scenario sees it.
    pub fn open(world: World, view: QuestionView) -> Self {
        Self {
            question: RwSignal::new(view.scenario.question()),
            start: RwSignal::new(false),
            faults: RwSignal::new(BTreeMap::new()),
            busy: RwSignal::new(SolverState::Idle),
            banner: RwSignal::new(None),
            toast: RwSignal::new(None),
            sheet: RwSignal::new(false),
            replaced: RwSignal::new(0),
            file_stem: RwSignal::new(None),
            solver: StoredValue::new_local(None),
            next_id: StoredValue::new(world.free_id()),
            common: Common::open(world, view),
            history: History::new(),
        }
    }

    /// Shows another question: what was wrong in the fields of the one before, and what it was searching, goes.
    pub fn go(&self, question: Question) {
        // Nothing is drawn again for a question that is there already.
        if self.start.get_untracked() {
            self.start.set(false);
        }
        if self.question.get_untracked() == question {
            return;
        }
        self.with_solver(SolverHandle::stop);
        self.faults.set(BTreeMap::new());
        self.busy.set(SolverState::Idle);
        self.banner.set(None);
        self.toast.set(None);
        self.sheet.set(false);
        self.file_stem.set(None);
        self.question.set(question);
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// The first of the numbers that nothing else on the page has.
    pub fn free_ids(&self) -> u32 {
        self.next_id.get_value()
    }

    /// Numbers below this one are taken.
    pub fn skip_ids(&self, below: u32) {
        self.next_id.update_value(|id| *id = below.max(*id));
    }

    /// Does something with the solver, once there is one.
    pub fn with_solver(&self, ask: impl FnOnce(&SolverHandle)) {
        self.solver.with_value(|solver| {
            if let Some(solver) = solver {
                ask(solver);
            }
        });
    }

    /// A number that nothing else on the page has.
    pub fn fresh_id(&self) -> u32 {
        let id = self.next_id.get_value();
        self.next_id.set_value(id.wrapping_add(1));
        id
    }

    /// Opens the scenario where it is a sheet or a drawer; on a wide screen it is always there.
    pub fn open_sheet(&self) {
        self.sheet.set(is_narrow());
    }

    /// Says something in passing.
    pub fn announce(&self, text: impl Into<String>) {
        self.toast.set(Some(Toast {
            text: text.into(),
            undo: false,
        }));
    }

    /// A notice offers to undo the last step, so it goes when that is no longer its own.
    pub fn withdraw_undo(&self) {
        let offers = |toast: &Option<Toast>| toast.as_ref().is_some_and(|toast| toast.undo);
        if self.toast.with_untracked(offers) {
            self.toast.set(None);
        }
    }

    /// Takes the sentence about a field away.
    pub fn clear_field_error(&self, key: &str) {
        if self
            .faults
            .with_untracked(|faults| faults.contains_key(key))
        {
            self.faults.update(|faults| {
                faults.remove(key);
            });
        }
    }

    /// The name of a file that holds `what` of the answer shown; `None` without an answer.
    pub fn file_name(&self, what: &str, ending: &str) -> Option<String> {
        let stem = self.file_stem.get_untracked()?;
        Some(format!("{stem}-{what}.{ending}"))
    }

    /// Saves a text under a name made of the answer shown, `what` it holds and `ending`; says so if the browser
    /// refuses. Without an answer there is nothing to save.
    pub fn save(&self, what: &str, ending: &str, content: impl AsRef<[u8]>) {
        let kind = match ending {
            "csv" => "text/csv",
            "html" => "text/html",
            "md" => "text/markdown",
            "svg" => "image/svg+xml",
            "h" => "text/x-c++hdr",
            "bin" => "application/octet-stream",
            _ => "application/json",
        };
        if let Some(name) = self.file_name(what, ending) {
            self.say_saved(&name, &download::bytes(&name, kind, content.as_ref()));
        }
    }

    /// Says that a file could not be saved; that it was, the browser shows itself.
    pub fn say_saved(&self, name: &str, saved: &Result<(), wasm_bindgen::JsValue>) {
        if saved.is_err() {
            self.announce(format!(
                "{name} was not saved: the browser does not allow saving files here."
            ));
        }
    }

    /// Says whether something is on the clipboard.
    pub fn say_copied(&self, what: &str, copied: bool) {
        self.announce(if copied {
            format!("{what} copied.")
        } else {
            "The browser does not allow copying here.".to_owned()
        });
    }
}

/// Returns true if the editor is a sheet or a drawer: the limit is that of `style/layout.css`.
pub fn is_narrow() -> bool {
    is_within("(max-width: 1179px)")
}

/// Returns true on a screen of the size of a phone.
pub fn is_phone() -> bool {
    is_within("(max-width: 759px)")
}

fn is_within(media: &str) -> bool {
    window()
        .match_media(media)
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}
