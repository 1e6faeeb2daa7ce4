//! The state of the tiers question: a desk, and what follows from the scenario on it.

use crate::job::tiers::Answer;
use crate::scenario::Question;
use crate::scenario::tiers::Scenario;
use crate::ui::desk::Desk;
use crate::ui::solver::TiersJob;
use leptos::prelude::*;
use std::ops::Deref;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TiersState {
    desk: Desk<Scenario>,
}

impl Deref for TiersState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.desk
    }
}

impl TiersState {
    /// The question with a scenario on the desk; it is answered while the question is open.
    pub fn open(desk: Desk<Scenario>) -> Self {
        let state = Self { desk };
        Effect::new(move |_| {
            let is_open = state.question.get() == Question::Tiers;
            let scenario = state.scenario.get();
            if is_open && !scenario.is_empty() {
                state.with_solver(|solver| solver.plan_tiers(scenario));
            }
        });
        state
    }

    /// An answer has come.
    pub fn answered(&self, _job: TiersJob, _answer: Answer, _millis: f64) {}

    /// Nothing more will come.
    pub fn given_up_all(&self) {}

    /// The solver failed at something twice.
    pub fn left_out(&self, _job: &TiersJob) -> String {
        String::new()
    }
}
