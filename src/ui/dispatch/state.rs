//! The state of the device-or-server question: its answer as it is told.

use crate::ui::desk::ScenarioEditor;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::told::AnswerController;
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

    fn open(desk: ScenarioEditor<Scenario>) -> Self {
        let teller = AnswerController::open(desk, MORE);
        Self { answer: teller }
    }
}
