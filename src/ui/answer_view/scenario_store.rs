//! Access to the scenario behind an answer: the one in a question's editor, or the shared one.

use crate::ui::scenario_editor::{EditableScenario, ScenarioEditor};
use crate::ui::shell::{Shell, SolverState};
use engine::problem::Invalid;
use leptos::prelude::*;
use protocol::Answerable;
use std::ops::Deref;
use std::sync::Arc;

/// Where a scenario is that an answer is about.
pub trait ScenarioStore<S>: Copy + Send + Sync + Deref<Target = Shell> + 'static {
    /// Returns the current scenario.
    fn now(&self) -> Arc<S>;

    /// Returns true if `of` is the current scenario (the same allocation, not merely equal).
    fn is_now(&self, of: &Arc<S>) -> bool;

    /// Puts another one there, as part of a step to undo.
    ///
    /// # Errors
    /// The scenario is invalid; the current one stays.
    fn put(&self, step: &str, after: S) -> Result<(), Invalid>;

    /// The answer to it as it is there is shown.
    fn is_answered(&self) {}

    /// The answer is wanted again.
    fn ask_again(&self) {}
}

impl<S: EditableScenario> ScenarioStore<S> for ScenarioEditor<S> {
    fn now(&self) -> Arc<S> {
        self.scenario.get_untracked()
    }

    fn is_now(&self, of: &Arc<S>) -> bool {
        self.scenario.with_untracked(|now| Arc::ptr_eq(now, of))
    }

    fn put(&self, step: &str, after: S) -> Result<(), Invalid> {
        // A row more or less has its own number on the page.
        let has_its_rows = after.rows().len() == self.now().rows().len();
        match has_its_rows {
            true => self.edit(step, |scenario| *scenario = after)?,
            false => self.edit_whole(|scenario| *scenario = after)?,
        }
        self.clear_field_error(step);
        Ok(())
    }

    fn is_answered(&self) {
        self.busy.set(SolverState::Idle);
    }

    fn ask_again(&self) {
        self.scenario.notify();
    }
}

/// A scenario whose answer the page can show.
pub trait Presentable: Answerable + Send + Sync {}

impl<S: Answerable + Send + Sync> Presentable for S {}
