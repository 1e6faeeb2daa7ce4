//! A scenario on the desk: the one truth of its question, and every change to it as a step that can be taken back.
//! The same for all questions; what differs between their scenarios, [`Document`] says, and of those with a fleet [`Fleet`].

use super::address;
use super::shell::{Shell, Toast};
use super::solver::Solver;
use super::views::field::Binding;
use engine::problem::Invalid;
use engine::scenario::fields::{Number, Numbers};
use engine::scenario::rows::Shift;
use engine::scenario::{Any, Question};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

/// What a desk must know about a question's scenario.
pub trait Document: Clone + PartialEq + Send + Sync + 'static {
    /// Its question.
    const QUESTION: Question;

    /// The one that the question opens with.
    fn opening() -> Self;
    /// Takes it out of what a link or a file held, if it is of this question.
    fn of(any: Any) -> Option<Self>;
    /// Its link's fragment, with the `#`.
    fn fragment(&self) -> String;
    /// Whether something is missing without which nothing can be answered.
    fn is_empty(&self) -> bool;
    /// Whether it can be put on the desk.
    ///
    /// # Errors
    /// The first field at fault.
    fn check(&self) -> Result<(), Invalid>;
    /// What a step from `before` to `after` is called; a number for each row stays with it through moves.
    fn step(before: (&Self, &[u32]), after: (&Self, &[u32])) -> String;

    /// Has what depends on changed numbers follow them, and says in sentences what did; `before` is the scenario before this
    /// edit, `origin` that before the first of the edits that are one step.
    fn settle(&mut self, _before: &Self, _origin: &Self) -> Vec<String> {
        Vec::new()
    }
    /// Whether there is a link that opens it.
    fn has_link(&self) -> bool {
        !self.is_empty()
    }
    /// How many rows it has that can be moved and removed.
    fn row_count(&self) -> usize {
        0
    }
    /// The row that a field belongs to, by the field's key.
    fn owner(_key: &str) -> Option<u32> {
        None
    }
}

/// A scenario with a fleet.
pub trait Fleet: Document {
    /// A row of its fleet.
    type Row: Clone + Numbers;
    /// How the keys of fields of a row begin: "device".
    const ROW: &'static str;

    /// The rows of its fleet.
    fn rows(&self) -> &Vec<Self::Row>;
    /// The same, to change.
    fn rows_mut(&mut self) -> &mut Vec<Self::Row>;
    /// The name of a row.
    fn name_of(row: &Self::Row) -> &str;
    /// Whether its model is another one.
    fn has_other_model(&self, other: &Self) -> bool;
    /// Has what goes by the places of rows follow them.
    fn follow(&mut self, _shift: Shift) {}
}

/// The row that a field belongs to, by the field's key: "device 7 m_gb".
pub fn owner_in(row: &str, key: &str) -> Option<u32> {
    let id = key
        .strip_prefix(row)?
        .strip_prefix(' ')?
        .split(' ')
        .next()?;
    id.parse().ok()
}

/// A question's scenario as a document: the parts that differ are the question, its module and its link; with a fleet also the
/// name of the list of rows, the type of one, what one is called, and what tells two models apart. `$whole` checks a
/// scenario that lacks nothing; behind a semicolon stands what else is its own.
macro_rules! document {
    ($question:ident, $module:ident, $encode:ident, $whole:expr
        $(, $rows:ident: $row:ty, $called:literal, $model:expr $(, $follow:expr)?)? $(; $($more:tt)*)?) => {
        impl $crate::ui::desk::Document for $module::Scenario {
            const QUESTION: engine::scenario::Question = engine::scenario::Question::$question;

            fn opening() -> Self {
                Self::of(engine::scenario::Any::opening(Self::QUESTION)).expect("a question opens with a scenario of its own")
            }

            fn of(any: engine::scenario::Any) -> Option<Self> {
                match any {
                    engine::scenario::Any::$question(scenario) => Some(*scenario),
                    _ => None,
                }
            }

            fn fragment(&self) -> String {
                engine::scenario::link::$encode(self)
            }

            fn is_empty(&self) -> bool {
                self.is_empty()
            }

            fn check(&self) -> Result<(), engine::problem::Invalid> {
                let whole: fn(&Self) -> Result<(), engine::problem::Invalid> = $whole;
                if self.is_empty() {
                    self.validate_fields()
                } else {
                    whole(self)
                }
            }

            $(
                fn step(before: (&Self, &[u32]), after: (&Self, &[u32])) -> String {
                    $module::difference(before, after)
                }

                fn row_count(&self) -> usize {
                    self.$rows.len()
                }

                fn owner(key: &str) -> Option<u32> {
                    $crate::ui::desk::owner_in($called, key)
                }
            )?

            $($($more)*)?
        }

        $(
            impl $crate::ui::desk::Fleet for $module::Scenario {
                type Row = $row;
                const ROW: &'static str = $called;

                fn rows(&self) -> &Vec<$row> {
                    &self.$rows
                }

                fn rows_mut(&mut self) -> &mut Vec<$row> {
                    &mut self.$rows
                }

                fn name_of(row: &$row) -> &str {
                    &row.name
                }

                fn has_other_model(&self, other: &Self) -> bool {
                    let model: fn(&Self, &Self) -> bool = $model;
                    !model(self, other)
                }

                $(
                    fn follow(&mut self, shift: engine::scenario::rows::Shift) {
                        let follow: fn(&mut Self, engine::scenario::rows::Shift) = $follow;
                        follow(self, shift);
                    }
                )?
            }
        )?
    };
}

pub(crate) use document;

/// A state of the scenario to return to.
#[derive(Debug, Clone)]
struct Step<S> {
    scenario: S,
    ids: Vec<u32>,
    key: String,
}

/// A scenario with its steps. Cheap to copy.
pub struct Desk<S: Document> {
    shell: Shell,
    /// The scenario; always one that can be answered, or one without a fleet.
    pub scenario: RwSignal<Arc<S>>,
    /// One number a row, which stays with it through moves.
    pub ids: RwSignal<Vec<u32>>,
    undo: RwSignal<Vec<Step<S>>>,
    redo: RwSignal<Vec<Step<S>>>,
}

impl<S: Document> Clone for Desk<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Document> Copy for Desk<S> {}

impl<S: Document> Deref for Desk<S> {
    type Target = Shell;

    fn deref(&self) -> &Shell {
        &self.shell
    }
}

/// What can be done on the desk of a question, whichever it is.
pub trait Steps {
    /// The question.
    fn question(&self) -> Question;
    /// The link's fragment of its scenario, with the `#`.
    fn fragment(&self) -> String;
    /// The link of the scenario, written to the address at once.
    ///
    /// # Errors
    /// What is missing for one, in words.
    fn link_if_any(&self) -> Result<String, String>;
    /// As [`Desk::visit`]; a scenario of another question changes nothing.
    fn visit_any(&self, any: Any);
    /// As [`Desk::replace`]; a scenario of another question changes nothing.
    fn replace_any(&self, any: Any);
    /// As [`Desk::step_back`].
    fn step_back(&self);
    /// As [`Desk::step_forward`].
    fn step_forward(&self);
    /// As [`Desk::last_step`].
    fn last_step(&self) -> Option<String>;
    /// As [`Desk::next_step`].
    fn next_step(&self) -> Option<String>;
}

impl<S: Fleet> Steps for Desk<S> {
    fn question(&self) -> Question {
        S::QUESTION
    }

    fn fragment(&self) -> String {
        self.scenario.with_untracked(|scenario| scenario.fragment())
    }

    fn link_if_any(&self) -> Result<String, String> {
        if self.scenario.with_untracked(|scenario| scenario.has_link()) {
            return Ok(self.link());
        }
        Err(format!("A link needs at least one {} that is on.", S::ROW))
    }

    fn visit_any(&self, any: Any) {
        S::of(any)
            .into_iter()
            .for_each(|scenario| self.visit(scenario));
    }

    fn replace_any(&self, any: Any) {
        S::of(any)
            .into_iter()
            .for_each(|scenario| self.replace(scenario));
    }

    fn step_back(&self) {
        self.step_back();
    }

    fn step_forward(&self) {
        self.step_forward();
    }

    fn last_step(&self) -> Option<String> {
        self.last_step()
    }

    fn next_step(&self) -> Option<String> {
        self.next_step()
    }
}

impl<S: Document> Desk<S> {
    /// A desk with a scenario on it.
    pub fn new(shell: Shell, scenario: S) -> Self {
        let ids = (0..scenario.row_count())
            .map(|_| shell.fresh_id())
            .collect();
        Self {
            shell,
            scenario: RwSignal::new(Arc::new(scenario)),
            ids: RwSignal::new(ids),
            undo: RwSignal::new(Vec::new()),
            redo: RwSignal::new(Vec::new()),
        }
    }

    /// Has the scenario planned while its question is open. With every change, and when the question is left, `end` ends
    /// what was asked before; it is told whether the question is open.
    pub fn keep_planned(
        &self,
        end: impl Fn(bool) + 'static,
        plan: impl Fn(&Solver, Arc<S>) + 'static,
    ) {
        let desk = *self;
        Effect::new(move |_| {
            let is_open = desk.question.get() == S::QUESTION;
            let scenario = desk.scenario.get();
            end(is_open);
            if is_open && !scenario.is_empty() {
                desk.with_solver(|solver| plan(solver, scenario));
            }
        });
    }

    /// Has saved files named after the answer on show while the question is open.
    pub fn name_files(&self, stem: impl Fn() -> Option<String> + 'static) {
        let desk = *self;
        Effect::new(move |_| {
            let is_open = desk.question.get() == S::QUESTION;
            let stem = stem();
            if is_open {
                desk.file_stem.set(stem);
            }
        });
    }

    /// Changes the scenario. Edits with the same `key` in a row are one step to undo; an empty key never
    /// joins. A change that the schema refuses is not made.
    ///
    /// # Errors
    /// What the schema refuses.
    pub fn edit(&self, key: &str, change: impl FnOnce(&mut S)) -> Result<(), Invalid> {
        let before = self.scenario.get_untracked();
        let mut after = (*before).clone();
        change(&mut after);
        if after == *before {
            return Ok(());
        }
        let said = self.undo.with_untracked(|steps| {
            let joined = steps.last().filter(|s| !key.is_empty() && s.key == key);
            after.settle(&before, joined.map_or(&*before, |step| &step.scenario))
        });
        after.check()?;
        self.remember(key);
        self.set(after);
        if !said.is_empty() {
            self.say(said.join(" "));
        }
        Ok(())
    }

    /// Takes the edits with this key back, as if they had never been made, and says whether there were any. They must
    /// have left the rows where they were.
    pub fn give_up(&self, key: &str) -> bool {
        let mut steps = self.undo.write();
        let Some(step) = steps.pop_if(|step| step.key == key) else {
            return false;
        };
        drop(steps);
        self.set(step.scenario);
        true
    }

    /// Replaces the whole scenario: a preset, a file, a link.
    pub fn replace(&self, scenario: S) {
        self.remember("");
        self.put(scenario);
        self.write_soon();
    }

    /// Shows the scenario of a link that was opened in place of the present one; it can be undone.
    pub fn visit(&self, scenario: S) {
        if scenario != *self.scenario.get_untracked() {
            self.remember("");
            self.put(scenario);
        }
        self.banner.set(None);
    }

    /// Where the row with this id stands.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.ids
            .with(|ids| ids.iter().position(|other| *other == id))
    }

    /// Takes the last step back.
    pub fn step_back(&self) {
        self.travel(self.undo, self.redo);
    }

    /// Makes the last step that was taken back again.
    pub fn step_forward(&self) {
        self.travel(self.redo, self.undo);
    }

    /// What the last step changed, if there is one to take back.
    pub fn last_step(&self) -> Option<String> {
        let now = self.scenario.get();
        self.undo.with(|steps| {
            let before = steps.last()?;
            self.ids
                .with(|ids| Some(S::step((&before.scenario, &before.ids), (&now, ids))))
        })
    }

    /// What the next step changes, if there is one to make again.
    pub fn next_step(&self) -> Option<String> {
        let now = self.scenario.get();
        self.redo.with(|steps| {
            let after = steps.last()?;
            self.ids
                .with(|ids| Some(S::step((&now, ids), (&after.scenario, &after.ids))))
        })
    }

    /// The link of the scenario, written to the address at once.
    pub fn link(&self) -> String {
        address::write(S::QUESTION, &self.scenario.get_untracked().fragment())
    }

    fn travel(&self, from: RwSignal<Vec<Step<S>>>, to: RwSignal<Vec<Step<S>>>) {
        let Some(step) = from.write().pop() else {
            return;
        };
        self.withdraw_undo();
        let here = Step {
            scenario: (*self.scenario.get_untracked()).clone(),
            ids: self.ids.get_untracked(),
            key: String::new(),
        };
        to.write().push(here);
        // What is wrong in a field that this step does not touch stays wrong.
        self.faults.update(|faults| {
            faults.retain(|key, _| S::owner(key).is_none_or(|id| step.ids.contains(&id)))
        });
        // The scenario first: a row of the fleet must find its device.
        self.scenario.set(Arc::new(step.scenario));
        self.ids.set(step.ids);
        self.write_soon();
    }

    fn put(&self, scenario: S) {
        let ids = (0..scenario.row_count()).map(|_| self.fresh_id()).collect();
        self.faults.set(BTreeMap::new());
        self.replaced.update(|count| *count = count.wrapping_add(1));
        self.scenario.set(Arc::new(scenario));
        self.ids.set(ids);
    }

    fn set(&self, scenario: S) {
        self.scenario.set(Arc::new(scenario));
        self.write_soon();
    }

    /// Writes the scenario to the address and keeps it, soon. A scenario without a fleet is no link: the one before
    /// it stays.
    fn write_soon(&self) {
        let scenario = self.scenario.get_untracked();
        if scenario.has_link() {
            address::write_soon(S::QUESTION, Box::new(move || scenario.fragment()));
        }
    }

    fn remember(&self, key: &str) {
        let is_same = |steps: &Vec<Step<S>>| steps.last().is_some_and(|step| step.key == key);
        if !key.is_empty() && self.undo.with_untracked(is_same) {
            return;
        }
        let step = Step {
            scenario: (*self.scenario.get_untracked()).clone(),
            ids: self.ids.get_untracked(),
            key: key.to_owned(),
        };
        let mut steps = self.undo.write();
        if steps.len() == MOST_STEPS {
            steps.remove(0);
        }
        steps.push(step);
        drop(steps);
        self.withdraw_undo();
        self.redo.write().clear();
    }
}

impl<S: Fleet> Desk<S> {
    /// Changes the scenario when the whole model or fleet may become another: a row keeps its place on the page if
    /// one of the same name had it, and what is wrong in a field that goes, goes with it.
    ///
    /// # Errors
    /// What the schema refuses.
    pub fn edit_whole(&self, change: impl FnOnce(&mut S)) -> Result<(), Invalid> {
        let before = self.scenario.get_untracked();
        let old_ids = self.ids.get_untracked();
        self.edit("", change)?;
        let after = self.scenario.get_untracked();
        let names = |s: &S| -> Vec<String> {
            s.rows()
                .iter()
                .map(|row| S::name_of(row).to_owned())
                .collect()
        };
        let mut known: Vec<(String, u32)> = names(&before).into_iter().zip(old_ids).collect();
        let ids: Vec<u32> = names(&after)
            .into_iter()
            .map(|name| match known.iter().position(|(n, _)| *n == name) {
                Some(at) => known.remove(at).1,
                None => self.fresh_id(),
            })
            .collect();
        self.faults.update(|faults| {
            let other_model = before.has_other_model(&after);
            faults.retain(|key, _| match S::owner(key) {
                Some(id) => ids.contains(&id),
                None => !(other_model && key.starts_with("model ")),
            });
        });
        self.ids.set(ids);
        Ok(())
    }

    /// Has a row stand at position `at`, a copy of the one at `like` where it is one; `also` changes what else comes with it.
    ///
    /// # Errors
    /// What the schema refuses.
    pub fn insert(
        &self,
        at: usize,
        row: S::Row,
        like: Option<usize>,
        also: impl FnOnce(&mut S),
    ) -> Result<(), Invalid> {
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
        let name = |s: &Arc<S>| s.rows().get(at).map(|row| S::name_of(row).to_owned());
        let Some(name) = self.scenario.with_untracked(name) else {
            return;
        };
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
            let name = |s: &Arc<S>| S::name_of(&s.rows()[to]).to_owned();
            let name = self.scenario.with_untracked(name);
            let count = self.ids.with_untracked(Vec::len);
            self.say(format!("{name}, position {} of {count}.", to + 1));
        }
    }
}

/// The row of a fleet with this id, wherever it stands now. Cheap to copy.
pub struct OwnRow<S: Fleet> {
    desk: Desk<S>,
    /// Its id.
    pub id: u32,
}

impl<S: Fleet> Clone for OwnRow<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Fleet> Copy for OwnRow<S> {}

impl<S: Fleet> OwnRow<S> {
    /// The row of a desk.
    pub fn of(desk: Desk<S>, id: u32) -> Self {
        Self { desk, id }
    }

    /// Reads something of the row, while it is there.
    pub fn read<T>(self, s: &S, read: impl FnOnce(&S::Row) -> T) -> Option<T> {
        let at = self.desk.position(self.id)?;
        s.rows().get(at).map(read)
    }

    /// Changes the row, while it is there.
    pub fn change(self, s: &mut S, change: impl FnOnce(&mut S::Row)) {
        let at = untrack(|| self.desk.position(self.id));
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
