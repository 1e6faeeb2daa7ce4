//! Import of a file or a text into a scenario. The worker reads it, since that takes a while for a large one, and returns the
//! edit.

use super::{AnswerCommand, AnswerController, AnswerStore, Presentable, ScenarioStore};
use crate::ui::shell::Toast;
use document::{Edit, Name};
use leptos::prelude::*;
use protocol::worker::SharedPayload;
use protocol::{AnswerRequest, AnswerTask, changed};

/// The group of imports: a file is read whatever else is requested meanwhile.
const GROUP: u32 = 6 << 20;

/// State of an import.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ImportState {
    /// No file is being read.
    #[default]
    Idle,
    /// It is being read.
    Busy(String),
    /// It was refused.
    Refused(String),
    /// It was read: what was taken from it.
    Applied(String),
}

impl AnswerStore {
    /// Brings something for a place.
    pub fn import_file(&self, place: Name, name: String, text: String) {
        self.reading.set(ImportState::Busy(name.clone()));
        self.command(AnswerCommand::Import(place, name, text));
    }
}

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    pub(super) fn import_file(&self, place: &str, name: &str, text: &str) {
        let ask = AnswerRequest::Import(place.to_owned(), name.to_owned(), text.to_owned());
        let now = SharedPayload(self.store.now());
        self.with_solver(|solver| solver.points(*self, GROUP, &now, [AnswerTask::of(ask)]));
    }

    /// Makes the change that it comes to.
    pub(super) fn apply_edit(&self, words: String, edit: &Edit) {
        let after = changed(&*self.store.now(), edit);
        let done = after.and_then(|after| self.store.put(&edit.step, after));
        self.answer.reading.set(match done {
            Ok(()) => {
                self.toast.set(Some(Toast {
                    text: words.clone(),
                    undo: true,
                }));
                ImportState::Applied(words)
            }
            Err(fault) => ImportState::Refused(fault.to_string()),
        });
    }
}
