//! The scenario editor of a question: the only copy of its scenario, and every change to it as a step that can be undone.
//! One implementation for all questions; the differences between their scenarios are in [`EditableScenario`]. Rows have the ids of their
//! machines, so that [`super::common`] recognises them.

use super::address;
use super::history::EditStep;
use super::shell::{Shell, Toast};
use super::solver::SolverHandle;
use super::views::field::Binding;
use super::workspace;
use engine::problem::Invalid;
use engine::scenario::fields::Number;
use engine::scenario::rows::Shift;
use engine::scenario::world::{QuestionView, Shared, World};
use engine::scenario::{Any, Question};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// A question's scenario as the editor needs it, in addition to [`Shared`].
pub trait EditableScenario: Shared + PartialEq + Into<Any> + Send + Sync + 'static {
    /// How the keys of fields of a row begin: "device".
    const ROW: &'static str = "device";

    /// Takes it out of what a link or a file held, if it is of this question.
    fn of(any: Any) -> Option<Self>;
    /// Returns true if a part is missing without which there is no answer.
    fn is_empty(&self) -> bool;
    /// Names the edit from `before` to `after`. Each row has a number that stays with it when rows move.
    fn step(before: (&Self, &[u32]), after: (&Self, &[u32])) -> String;
    /// Returns true if the models differ.
    fn has_other_model(&self, other: &Self) -> bool;

    /// Checks that the scenario can be loaded.
    ///
    /// # Errors
    /// The first field at fault.
    fn fits(&self) -> Result<(), Invalid> {
        self.check()
    }
    /// Has what depends on changed numbers follow them, and says in sentences what did; `before` is the scenario before this
    /// edit, `origin` that before the first of the edits that are one step.
    fn adjust_dependents(&mut self, _before: &Self, _origin: &Self) -> Vec<String> {
        Vec::new()
    }
    /// Returns true if a link can hold it.
    fn has_link(&self) -> bool {
        !self.is_empty()
    }
}

/// The row that a field belongs to, by the field's key: "device 7 m_gb".
pub fn owner<S: EditableScenario>(key: &str) -> Option<u32> {
    let id = key
        .strip_prefix(S::ROW)?
        .strip_prefix(' ')?
        .split(' ')
        .next()?;
    id.parse().ok()
}

/// A question's scenario as a document: the question, its module, and what distinguishes two models; behind a semicolon stands
/// what else is its own.
macro_rules! document {
    ($question:ident, $module:ident, $model:expr $(; $($more:tt)*)?) => {
        impl $crate::ui::scenario_editor::EditableScenario for $module::Scenario {
            fn of(any: engine::scenario::Any) -> Option<Self> {
                match any {
                    engine::scenario::Any::$question(scenario) => Some(*scenario),
                    _ => None,
                }
            }

            fn is_empty(&self) -> bool {
                self.is_empty()
            }

            fn step(before: (&Self, &[u32]), after: (&Self, &[u32])) -> String {
                $module::difference(before, after)
            }

            fn has_other_model(&self, other: &Self) -> bool {
                let model: fn(&Self, &Self) -> bool = $model;
                !model(self, other)
            }

            $($($more)*)?
        }
    };
}

pub(crate) use document;

/// A scenario of one question. Cheap to copy.
pub struct ScenarioEditor<S: EditableScenario> {
    shell: Shell,
    /// The scenario; always one that can be answered, or one without a fleet.
    pub scenario: RwSignal<Arc<S>>,
    /// One number a row, which stays with it through moves.
    pub ids: RwSignal<Vec<u32>>,
}

impl<S: EditableScenario> Clone for ScenarioEditor<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: EditableScenario> Copy for ScenarioEditor<S> {}

impl<S: EditableScenario> Deref for ScenarioEditor<S> {
    type Target = Shell;

    fn deref(&self) -> &Shell {
        &self.shell
    }
}

/// Operations of a scenario editor, whichever its question.
pub trait EditorOps {
    /// The question.
    fn question(&self) -> Question;
    /// As [`ScenarioEditor::take_over`].
    fn take_over(&self);
    /// As [`ScenarioEditor::fragment`].
    fn fragment(&self) -> Option<String>;
    /// The link of the scenario, written to the address at once.
    ///
    /// # Errors
    /// The missing part, in words.
    fn link_if_any(&self) -> Result<String, String>;
    /// As [`ScenarioEditor::show`].
    fn show(&self, view: QuestionView);
    /// As [`ScenarioEditor::lay`].
    fn set_world(&self, world: World, view: QuestionView, is_kept: bool);
    /// As [`ScenarioEditor::change`].
    fn change(&self, world: World, view: QuestionView);
    /// As [`ScenarioEditor::load_from_history`].
    fn load_from_history(&self, world: World, view: QuestionView);
    /// As [`ScenarioEditor::here`].
    fn here(&self) -> Option<EditStep>;
    /// As [`ScenarioEditor::restore`].
    fn restore(&self, step: EditStep);
    /// As [`ScenarioEditor::words`].
    fn step_description(&self, step: &EditStep, is_back: bool) -> String;
}

impl<S: EditableScenario> EditorOps for ScenarioEditor<S> {
    fn question(&self) -> Question {
        S::QUESTION
    }

    fn take_over(&self) {
        self.take_over();
    }

    fn fragment(&self) -> Option<String> {
        self.fragment()
    }

    fn link_if_any(&self) -> Result<String, String> {
        if self.scenario.with_untracked(|scenario| scenario.has_link()) {
            let fragment = self.fragment();
            let fragment =
                fragment.ok_or("Links are still being loaded; try again in a moment.")?;
            return Ok(address::write(&fragment));
        }
        Err(format!("A link needs at least one {} that is on.", S::ROW))
    }

    fn show(&self, view: QuestionView) {
        self.show(view);
    }

    fn set_world(&self, world: World, view: QuestionView, is_kept: bool) {
        self.load(world, view, is_kept);
    }

    fn change(&self, world: World, view: QuestionView) {
        self.change(world, view);
    }

    fn load_from_history(&self, world: World, view: QuestionView) {
        self.load_from_history(world, view);
    }

    fn here(&self) -> Option<EditStep> {
        self.here()
    }

    fn restore(&self, step: EditStep) {
        self.restore(step);
    }

    fn step_description(&self, step: &EditStep, is_back: bool) -> String {
        self.step_name(step, is_back)
    }
}

impl<S: EditableScenario> ScenarioEditor<S> {
    /// Creates an editor with a scenario; `ids` are those of its rows. One without is a placeholder until its question is
    /// opened.
    pub fn new(shell: Shell, scenario: S, ids: Option<Vec<u32>>) -> Self {
        let fresh = || scenario.rows().iter().map(|_| shell.fresh_id()).collect();
        let ids = ids.unwrap_or_else(fresh);
        Self {
            shell,
            scenario: RwSignal::new(Arc::new(scenario)),
            ids: RwSignal::new(ids),
        }
    }

    /// Returns true if its question is open.
    fn is_open(&self) -> bool {
        self.question.get_untracked() == S::QUESTION
    }

    /// Writes the scenario in the editor into the shared scenario.
    pub fn take_over(&self) {
        if self.is_open() {
            let scenario: Any = (*self.scenario.get_untracked()).clone().into();
            let ids = self.ids.get_untracked();
            self.common.absorb(scenario.clone(), &ids);
            // Where a machine went, one may come that was left out before; and a number may be assumed that was not needed
            // before.
            let view = self.common.view.get_untracked();
            if (view.rows != ids || view.scenario != scenario)
                && let Some(scenario) = S::of(view.scenario)
            {
                self.put(scenario, view.rows);
            }
        }
    }

    /// The link's fragment of the scenario, with the `#`, as [`Common::fragment`](super::common::Common::fragment).
    pub fn fragment(&self) -> Option<String> {
        self.take_over();
        self.common.fragment()
    }

    /// Shows how the question sees the scenario of all questions now.
    pub fn show(&self, view: QuestionView) {
        let Some(scenario) = S::of(view.scenario.clone()) else {
            return;
        };
        if *self.scenario.get_untracked() != scenario {
            self.put(scenario, view.rows.clone());
        } else if self.ids.get_untracked() != view.rows {
            self.ids.set(view.rows.clone());
        }
        self.common.view.set(view);
    }

    /// Opens another shared scenario in the editor. If `is_kept`, later edits belong to it, also after a
    /// reload; what is only looked at is kept beside the present one once it is changed.
    pub fn load(&self, world: World, view: QuestionView, is_kept: bool) {
        self.become_view(world, view, || {
            // A scenario that was read can be written.
            workspace::load(&self.common.fragment().unwrap_or_default());
        });
        if is_kept {
            workspace::mark();
            self.schedule_write();
        }
    }

    /// Puts a changed scenario of all questions in the place of the present one, as one step to undo.
    pub fn change(&self, world: World, view: QuestionView) {
        self.remember("");
        self.load_from_history(world, view);
    }

    /// Loads a state from the undo history.
    pub fn load_from_history(&self, world: World, view: QuestionView) {
        self.become_view(world, view, || ());
        self.schedule_write();
    }

    fn become_view(&self, world: World, view: QuestionView, then: impl FnOnce()) {
        let Some(scenario) = S::of(view.scenario.clone()) else {
            return;
        };
        let rows = view.rows.clone();
        self.skip_ids(world.free_id());
        self.common.set(world, view);
        then();
        self.put(scenario, rows);
    }

    /// Has the scenario planned while its question is open. With every change, and when the question is left, `end` ends
    /// what was asked before; the argument is true if the question is open.
    pub fn keep_planned(
        &self,
        end: impl Fn(bool) + 'static,
        plan: impl Fn(&SolverHandle, Arc<S>) + 'static,
    ) {
        let editor = *self;
        Effect::new(move |_| {
            let is_open = editor.question.get() == S::QUESTION;
            let scenario = editor.scenario.get();
            end(is_open);
            if is_open && !scenario.is_empty() {
                editor.with_solver(|solver| plan(solver, scenario));
            }
        });
    }

    /// Has saved files named after the answer shown while the question is open.
    pub fn name_files(&self, stem: impl Fn() -> Option<String> + 'static) {
        let editor = *self;
        Effect::new(move |_| {
            let is_open = editor.question.get() == S::QUESTION;
            let stem = stem();
            if is_open {
                editor.file_stem.set(stem);
            }
        });
    }

    /// Changes the scenario. Edits with the same `key` in a row are one step to undo; an empty key never
    /// joins. A change that the schema refuses is not made.
    ///
    /// # Errors
    /// The schema refuses the value.
    pub fn edit(&self, key: &str, change: impl FnOnce(&mut S)) -> Result<(), Invalid> {
        let joined = self
            .history
            .last_of(S::QUESTION, key, EditStep::scenario::<S>);
        if joined.is_none() {
            self.take_over();
        }
        let before = self.scenario.get_untracked();
        let mut after = (*before).clone();
        change(&mut after);
        if after == *before {
            return Ok(());
        }
        let origin = joined.flatten().unwrap_or_else(|| Arc::clone(&before));
        let said = after.adjust_dependents(&before, &origin);
        after.fits()?;
        self.remember(key);
        self.set(after);
        if !said.is_empty() {
            self.announce(said.join(" "));
        }
        Ok(())
    }

    /// Takes the edits with this key back, as if they had never been made, and says whether there were any. They must
    /// have left the rows where they were.
    pub fn give_up(&self, key: &str) -> bool {
        let Some(step) = self.history.give_up(S::QUESTION, key) else {
            return false;
        };
        self.restore(step);
        true
    }

    /// Opens a scenario of this question in the editor, as one step to undo: a preset, a file. Its machines, model and request are
    /// those of all questions from now on.
    pub fn begin(&self, scenario: S) {
        self.take_over();
        let mut world = self.common.world();
        world.replace(&scenario.into(), self.free_ids());
        if let Ok(view) = world.view(S::QUESTION) {
            self.remember("");
            self.load(world, view, true);
        }
    }

    /// Replaces the whole scenario, as a change of the present one.
    pub fn replace(&self, scenario: S) {
        self.remember("");
        let ids = self.ids_of(&scenario);
        self.put(scenario, ids);
        self.schedule_write();
    }

    /// Where the row with this id stands.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.ids
            .with(|ids| ids.iter().position(|other| *other == id))
    }

    /// The scenario as it is now, to return to; `None` where the question cannot take it.
    pub fn here(&self) -> Option<EditStep> {
        self.take_over();
        let world = self.common.world();
        if self.is_open() {
            let (seen, ids) = (self.scenario.get_untracked(), self.ids.get_untracked());
            return Some(EditStep::of(S::QUESTION, world, seen, ids));
        }
        let view = world.view(S::QUESTION).ok()?;
        let seen = S::of(view.scenario)?;
        Some(EditStep::of(S::QUESTION, world, Arc::new(seen), view.rows))
    }

    /// Returns to a state that this question has seen.
    pub fn restore(&self, step: EditStep) {
        let (Some(scenario), Ok(view)) = (step.scenario::<S>(), step.world.view(S::QUESTION))
        else {
            return;
        };
        // What is wrong in a field that this step does not touch stays wrong.
        self.faults.update(|faults| {
            faults.retain(|key, _| owner::<S>(key).is_none_or(|id| step.ids.contains(&id)))
        });
        self.common.set(step.world, view);
        // The scenario first: a row of the fleet must find its device.
        self.scenario.set(scenario);
        self.ids.set(step.ids);
        self.schedule_write();
    }

    /// Names the edit between a state of the history and the current one; `is_back` is true for undo.
    pub fn step_name(&self, step: &EditStep, is_back: bool) -> String {
        let now = match self.question.get() == S::QUESTION {
            true => Some((self.scenario.get(), self.ids.get())),
            false => self.common.view_of(S::QUESTION).ok().and_then(|view| {
                let scenario = S::of(view.scenario)?;
                Some((Arc::new(scenario), view.rows))
            }),
        };
        let (Some((now, ids)), Some(then)) = (now, step.scenario::<S>()) else {
            return "another scenario".to_owned();
        };
        let (then, now) = ((&*then, &*step.ids), (&*now, &*ids));
        let (before, after) = if is_back { (then, now) } else { (now, then) };
        match before == after {
            true => "what is known of numbers".to_owned(),
            false => S::step(before, after),
        }
    }

    fn put(&self, scenario: S, ids: Vec<u32>) {
        self.faults.set(BTreeMap::new());
        self.replaced.update(|count| *count = count.wrapping_add(1));
        self.scenario.set(Arc::new(scenario));
        self.ids.set(ids);
    }

    fn set(&self, scenario: S) {
        self.scenario.set(Arc::new(scenario));
        self.schedule_write();
    }

    /// Writes the scenario to the address and keeps it, soon. A scenario without a fleet is no link: the one before
    /// it stays.
    fn schedule_write(&self) {
        if self.scenario.with_untracked(|scenario| scenario.has_link()) {
            let editor = *self;
            address::schedule_write(Box::new(move || editor.fragment()));
        }
    }

    fn remember(&self, key: &str) {
        if self.history.joins(S::QUESTION, key) {
            return;
        }
        if let Some(step) = self.here() {
            self.history.remember(step.joined_by(key));
            self.withdraw_undo();
        }
    }
}

impl<S: EditableScenario> ScenarioEditor<S> {
    /// Changes the scenario when the whole model or fleet may become another: a row keeps its place on the page if
    /// one of the same name had it, and what is wrong in a field that goes, goes with it.
    ///
    /// # Errors
    /// The schema refuses the value.
    pub fn edit_whole(&self, change: impl FnOnce(&mut S)) -> Result<(), Invalid> {
        let before = self.scenario.get_untracked();
        self.edit("", change)?;
        let after = self.scenario.get_untracked();
        let ids = self.ids_among(&before, &after);
        self.faults.update(|faults| {
            let other_model = before.has_other_model(&after);
            faults.retain(|key, _| match owner::<S>(key) {
                Some(id) => ids.contains(&id),
                None => !(other_model && key.starts_with("model ")),
            });
        });
        self.ids.set(ids);
        Ok(())
    }

    /// The ids of another scenario’s rows: a row is the one of the same name.
    fn ids_of(&self, after: &S) -> Vec<u32> {
        self.ids_among(&self.scenario.get_untracked(), after)
    }

    fn ids_among(&self, before: &S, after: &S) -> Vec<u32> {
        let name = |row: &S::Row| S::named(row).0.to_owned();
        let names = before.rows().iter().map(name);
        let mut known: Vec<(String, u32)> = names.zip(self.ids.get_untracked()).collect();
        let id = |row: &S::Row| {
            let name = S::named(row).0;
            match known.iter().position(|(other, _)| other == name) {
                Some(at) => known.remove(at).1,
                None => self.fresh_id(),
            }
        };
        after.rows().iter().map(id).collect()
    }

    /// Inserts a row at position `at`, a copy of the one at `like` if that is given; `also` changes what else comes with it.
    ///
    /// # Errors
    /// The schema refuses the row.
    pub fn insert(
        &self,
        at: usize,
        row: S::Row,
        like: Option<usize>,
        also: impl FnOnce(&mut S),
    ) -> Result<(), Invalid> {
        self.take_over();
        let id = self.fresh_id();
        let mut ids = self.ids.get_untracked();
        let at = at.min(ids.len());
        self.edit("", |scenario| {
            scenario.rows_mut().insert(at, row);
            scenario.follow(Shift::Inserted { at, like });
            also(scenario);
        })?;
        ids.insert(at, id);
        self.ids.set(ids);
        Ok(())
    }

    /// Removes the row at position `at`; a toast offers to undo it.
    pub fn remove(&self, at: usize) {
        let name = |s: &Arc<S>| s.rows().get(at).map(|row| S::named(row).0.to_owned());
        let Some(name) = self.scenario.with_untracked(name) else {
            return;
        };
        self.take_over();
        let mut ids = self.ids.get_untracked();
        let done = self.edit("", |scenario| {
            scenario.rows_mut().remove(at);
            scenario.follow(Shift::Removed(at));
        });
        if done.is_ok() {
            let id = ids.remove(at);
            let begin = format!("{} {id} ", S::ROW);
            self.faults
                .update(|faults| faults.retain(|key, _| !key.starts_with(&begin)));
            self.ids.set(ids);
            self.toast.set(Some(Toast {
                text: format!("Removed {name}."),
                undo: true,
            }));
        }
    }

    /// Moves the row at position `from` to position `to`.
    pub fn move_row(&self, from: usize, to: usize) {
        self.take_over();
        let mut ids = self.ids.get_untracked();
        if from == to || from >= ids.len() || to >= ids.len() {
            return;
        }
        let done = self.edit("", |scenario| {
            let rows = scenario.rows_mut();
            let row = rows.remove(from);
            rows.insert(to, row);
            scenario.follow(Shift::Moved { from, to });
        });
        if done.is_ok() {
            let id = ids.remove(from);
            ids.insert(to, id);
            self.ids.set(ids);
            let name = |s: &Arc<S>| S::named(&s.rows()[to]).0.to_owned();
            let name = self.scenario.with_untracked(name);
            let count = self.ids.with_untracked(Vec::len);
            self.announce(format!("{name}, position {} of {count}.", to + 1));
        }
    }
}

/// The row of a fleet with this id, wherever it stands now. Cheap to copy.
pub struct OwnRow<S: EditableScenario> {
    editor: ScenarioEditor<S>,
    /// Its id.
    pub id: u32,
}

impl<S: EditableScenario> Clone for OwnRow<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: EditableScenario> Copy for OwnRow<S> {}

impl<S: EditableScenario> OwnRow<S> {
    /// A row in the editor.
    pub fn of(editor: ScenarioEditor<S>, id: u32) -> Self {
        Self { editor, id }
    }

    /// Reads something of the row, while it is there.
    pub fn read<T>(self, s: &S, read: impl FnOnce(&S::Row) -> T) -> Option<T> {
        let at = self.editor.position(self.id)?;
        s.rows().get(at).map(read)
    }

    /// Changes the row, while it is there.
    pub fn change(self, s: &mut S, change: impl FnOnce(&mut S::Row)) {
        let at = untrack(|| self.editor.position(self.id));
        if let Some(row) = at.and_then(|at| s.rows_mut().get_mut(at)) {
            change(row);
        }
    }

    /// The key of one of its fields.
    pub fn key(self, field: &str) -> String {
        format!("{} {} {field}", S::ROW, self.id)
    }

    /// A number of the row as a field.
    pub fn number(self, number: &'static Number<S::Row>) -> Binding<S> {
        Binding {
            key: self.key(number.field.key),
            field: number.field.key,
            get: Box::new(move |s: &S| self.read(s, number.get).flatten()),
            set: Box::new(move |s: &mut S, value| {
                self.change(s, |row| (number.set)(row, Some(value)));
            }),
        }
    }
}
