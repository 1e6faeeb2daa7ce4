//! The state of the device-or-server question: its answer view.

use crate::ui::answer_view::AnswerController;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::scenario_editor::ScenarioEditor;
use engine::scenario::dispatch::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 11 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct DispatchState {
    /// Its answer.
    pub answer: AnswerController<Scenario>,
}

impl Deref for DispatchState {
    type Target = ScenarioEditor<Scenario>;

    fn deref(&self) -> &ScenarioEditor<Scenario> {
        &self.answer
    }
}

impl QuestionModule for DispatchState {
    type Scenario = Scenario;

    const DETAILS: DeferredViews = super::DETAILS;

    fn open(editor: ScenarioEditor<Scenario>) -> Self {
        let controller = AnswerController::open(editor, MORE);
        Self { answer: controller }
    }
}
