//! The state of the head-placement question: its answer view.

use crate::ui::answer_view::AnswerController;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::scenario_editor::ScenarioEditor;
use engine::scenario::heads::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 2 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct HeadsState {
    /// Its answer.
    pub answer: AnswerController<Scenario>,
}

impl Deref for HeadsState {
    type Target = ScenarioEditor<Scenario>;

    fn deref(&self) -> &ScenarioEditor<Scenario> {
        &self.answer
    }
}

impl QuestionModule for HeadsState {
    type Scenario = Scenario;

    const DETAILS: DeferredViews = super::DETAILS;

    fn open(editor: ScenarioEditor<Scenario>) -> Self {
        Self {
            answer: AnswerController::open(editor, MORE),
        }
    }
}
