//! The state of the operator-graph question: its answer view, and the file of its graph.

use super::reading::{FileReading, ReadFile};
use crate::ui::answer_view::AnswerController;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::scenario_editor::ScenarioEditor;
use engine::scenario::Question;
use engine::scenario::operators::Scenario;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use web_sys::File;

/// Groups of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 7 << 20;
const FIRST_FILE: u32 = 9 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct OperatorsState {
    /// Its answer.
    pub answer: AnswerController<Scenario>,
    /// State of reading a file.
    pub reading: RwSignal<FileReading>,
    /// Results of reading files, the latest last.
    pub read: RwSignal<Vec<Arc<ReadFile>>>,
    pub(super) file: StoredValue<Option<File>, LocalStorage>,
    /// The file that is being read.
    pub(super) file_to_read: StoredValue<Option<File>, LocalStorage>,
    pub(super) file_group: StoredValue<u32>,
}

impl Deref for OperatorsState {
    type Target = ScenarioEditor<Scenario>;

    fn deref(&self) -> &ScenarioEditor<Scenario> {
        &self.answer
    }
}

impl QuestionModule for OperatorsState {
    type Scenario = Scenario;

    const DETAILS: DeferredViews = super::DETAILS;

    fn open(editor: ScenarioEditor<Scenario>) -> Self {
        let state = Self {
            answer: AnswerController::open(editor, MORE),
            reading: RwSignal::new(FileReading::Idle),
            read: RwSignal::new(Vec::new()),
            file: StoredValue::new_local(None),
            file_to_read: StoredValue::new_local(None),
            file_group: StoredValue::new(FIRST_FILE),
        };
        Effect::new(move |_| {
            if state.question.get() != Question::Operators {
                state.end_reading();
            }
        });
        state
    }
}
