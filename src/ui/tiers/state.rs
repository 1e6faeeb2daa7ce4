//! The state of the tiers question: its answer view.

use crate::ui::answer_view::AnswerController;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::scenario_editor::ScenarioEditor;
use engine::scenario::tiers::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 1 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TiersState {
    /// Its answer.
    pub answer: AnswerController<Scenario>,
}

impl Deref for TiersState {
    type Target = ScenarioEditor<Scenario>;

    fn deref(&self) -> &ScenarioEditor<Scenario> {
        &self.answer
    }
}

impl QuestionModule for TiersState {
    type Scenario = Scenario;

    const DETAILS: DeferredViews = super::DETAILS;

    fn open(editor: ScenarioEditor<Scenario>) -> Self {
        let controller = AnswerController::open(editor, MORE);
        Self { answer: controller }
    }
}
