//! The steps that can be taken back and made again: one order for all questions, since all of them change the same scenario.

use super::workspace;
use engine::scenario::Question;
use engine::scenario::world::World;
use leptos::prelude::*;
use std::any::Any;
use std::sync::Arc;

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

/// A state of the scenario to return to.
#[derive(Clone)]
pub struct EditStep {
    /// The question that it was seen and changed by.
    pub question: Question,
    /// The scenario of all questions.
    pub world: World,
    /// The question's view of it: its scenario.
    seen: Arc<dyn Any + Send + Sync>,
    /// The machines that the rows stood for.
    pub ids: Vec<u32>,
    /// Key that edits of one step share; empty if no other edit joins.
    key: String,
    /// Its entry in the workspace.
    entry: String,
}

impl EditStep {
    /// The state that `question` sees so now.
    pub fn of<S: Send + Sync + 'static>(
        question: Question,
        world: World,
        seen: Arc<S>,
        ids: Vec<u32>,
    ) -> Self {
        Self {
            question,
            world,
            seen,
            ids,
            key: String::new(),
            entry: workspace::at(),
        }
    }

    /// Returns the step with a key; edits with equal keys join.
    #[must_use]
    pub fn joined_by(self, key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..self
        }
    }

    /// Returns the question's scenario.
    pub fn scenario<S: Send + Sync + 'static>(&self) -> Option<Arc<S>> {
        Arc::clone(&self.seen).downcast().ok()
    }

    /// Has the workspace be where it was then.
    pub fn return_to_entry(&self) {
        workspace::go(&self.entry);
    }
}

/// All steps. Cheap to copy.
#[derive(Clone, Copy)]
pub struct History {
    undo: RwSignal<Vec<EditStep>>,
    redo: RwSignal<Vec<EditStep>>,
}

impl History {
    /// One without steps.
    pub fn new() -> Self {
        Self {
            undo: RwSignal::new(Vec::new()),
            redo: RwSignal::new(Vec::new()),
        }
    }

    const fn pile(&self, is_back: bool) -> RwSignal<Vec<EditStep>> {
        match is_back {
            true => self.undo,
            false => self.redo,
        }
    }

    /// Returns true if an edit with this key joins the last step.
    pub fn joins(&self, question: Question, key: &str) -> bool {
        self.last_of(question, key, |_| ()).is_some()
    }

    /// Reads the last step if an edit of a question with this key is part of it.
    pub fn last_of<T>(
        &self,
        question: Question,
        key: &str,
        read: impl FnOnce(&EditStep) -> T,
    ) -> Option<T> {
        self.undo.with_untracked(|steps| {
            let is_it =
                |step: &&EditStep| !key.is_empty() && step.question == question && step.key == key;
            steps.last().filter(is_it).map(read)
        })
    }

    /// Takes the last step out if an edit of a question with this key is part of it.
    pub fn give_up(&self, question: Question, key: &str) -> Option<EditStep> {
        let is_it = self.joins(question, key);
        is_it.then(|| self.take_step(true)).flatten()
    }

    /// A state that a change is about to leave; nothing can be made again any more.
    pub fn remember(&self, step: EditStep) {
        let mut steps = self.undo.write();
        if steps.len() == MOST_STEPS {
            steps.remove(0);
        }
        steps.push(step);
        drop(steps);
        self.redo.write().clear();
    }

    /// Takes the next step of a direction.
    pub fn take_step(&self, is_back: bool) -> Option<EditStep> {
        self.pile(is_back).write().pop()
    }

    /// Puts a state where the other direction finds it.
    pub fn leave(&self, is_back: bool, step: EditStep) {
        self.pile(!is_back).write().push(step);
    }

    /// Reads the next step of a direction.
    pub fn next<T>(&self, is_back: bool, read: impl FnOnce(&EditStep) -> T) -> Option<T> {
        self.pile(is_back).with(|steps| steps.last().map(read))
    }
}
