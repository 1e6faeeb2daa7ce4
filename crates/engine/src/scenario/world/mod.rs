//! The scenario of all questions: machines, network, model and request stand once, as facts that know where they are from, and
//! every question is a view of them.
//!
//! A view is the scenario of that question with every number that it needs: facts as they stand, the same quantity in another
//! unit, else what the [`rules`] assume, which is listed beside the view. What a person changes in a view is absorbed: it
//! becomes a fact that is given. What is only assumed never is, so that it follows the facts it rests on until it is
//! confirmed; of a machine that was edited, everything that was shown stays as it was shown.
//!
//! A question's own numbers (costs, goals, loads, searches) are kept as its settings, exactly as its scenario has them, so that a
//! scenario of one question is restored to the last bit.

mod bench;
mod fact;
mod file;
mod fleet;
mod guess;
mod locations;
mod measured;
mod model_rules;
mod reported;
mod resolver;
mod rules;
mod runtime_terms;
mod shared;
mod sheet;
mod stored;

pub use bench::of_llama_bench;
pub use fact::Given;
pub use fact::{FactOrigin, WorldFact, WorldFacts};
pub use file::FORMAT;
pub use fleet::Listed;
pub use locations::{FieldOwner, FieldRef, LocatedField, row_name};
pub use measured::{MeasuredKind, MeasuredRun};
pub use reported::Reported;
pub use resolver::FactResolver;
pub use resolver::{Assumed, Owner};
use runtime_terms::RATES_OF_MODEL;
pub(super) use runtime_terms::{COMPUTE_TERMS, OPERATOR_TERMS, PREFILL_TERMS, RUNTIME_TERMS};
pub use shared::{FileFormat, Shared};
pub(super) use shared::{SharedView, as_file, rows};
use sheet::ModelSheet;
pub use sheet::{Names, SharedFacts, shared_name};
pub(super) use sheet::{read, spans};
pub use stored::Storage;

use super::fields::NumberFields;
use super::schema::format_of;
use super::{Any, Model, Question};
use crate::hardware::calibration::{self, ClassCalibration};
use crate::problem::Invalid;

use std::collections::BTreeMap;
use std::sync::Arc;

/// A machine with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldMachine {
    /// Id, which stays when the machine is renamed or moved.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// True if it is switched off.
    pub off: bool,
    /// Known numbers, by field.
    pub facts: WorldFacts,
    /// Known numbers of its own link, if it has one.
    pub link: Option<WorldFacts>,
}

/// A model with what is known of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelFacts {
    /// Its name; empty if there is no model.
    pub name: String,
    /// Known numbers, by field.
    pub facts: WorldFacts,
    /// True if embedding and output head are one matrix; `None` if unknown.
    pub tied: Option<bool>,
    /// Its layers where no dimensions describe them: a table, or blocks as a file has them.
    pub body: Option<Model>,
    /// How its weights are stored, where that is known; of a body, its own bytes count.
    pub weights: Option<Storage>,
    /// How keys and values are stored, likewise.
    pub cache: Option<Storage>,
}

impl ModelFacts {
    /// True if it is known to be a mixture of experts.
    #[must_use]
    pub fn has_experts(&self) -> bool {
        self.body.as_ref().is_some_and(Model::has_experts)
    }
}

/// Settings of one question.
#[derive(Debug, Clone, PartialEq)]
struct Settings {
    /// The machines that its rows stood for.
    rows: Vec<u32>,
    /// Its scenario without what is shared, as JSON; worlds that differ elsewhere share it.
    text: Arc<str>,
}

/// Everything a person can set, for all questions.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The question that it opens on.
    pub question: Question,
    /// Name on the page.
    pub title: String,
    /// The machines.
    pub machines: Vec<WorldMachine>,
    /// The model.
    pub model: ModelFacts,
    /// Known numbers of the network.
    pub network: WorldFacts,
    /// Known numbers of a request.
    pub request: WorldFacts,
    settings: BTreeMap<&'static str, Settings>,
}

/// A question's view of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionView {
    /// The scenario of the question.
    pub scenario: Any,
    /// Assumptions made for it.
    pub assumed: Vec<Assumed>,
    /// Numbers that it takes in the place of known ones, which stay known.
    pub replaced: Vec<Assumed>,
    /// The machines that its rows stand for.
    pub rows: Vec<u32>,
    /// How many machines it leaves out, because the question takes no more.
    pub left_out: usize,
    /// Machines of several nodes, of which it takes one, and how many they are.
    pub one_of: Vec<(u32, f64)>,
}

impl World {
    /// The world that a scenario of one question describes: everything in it is given.
    ///
    /// # Complexity
    /// O(size of the scenario).
    #[must_use]
    pub fn of(any: &Any) -> Self {
        let mut world = Self {
            question: any.question(),
            title: String::new(),
            machines: Vec::new(),
            model: ModelFacts::default(),
            network: WorldFacts::new(),
            request: WorldFacts::new(),
            settings: BTreeMap::new(),
        };
        world.replace(any, 0);
        world
    }

    /// Puts the machines, network, model and request of a scenario in the place of those that are here; ids of machines count
    /// from `first`. The settings of other questions stay.
    pub fn replace(&mut self, any: &Any, first: u32) {
        let sheet = any.as_shared_view().sheet();
        self.machines = (first..)
            .zip(&sheet.machines)
            .map(|(id, row)| WorldMachine::new(id, row, fact::all_given(&row.numbers)))
            .collect();
        self.model = ModelFacts {
            name: sheet.model.name.clone(),
            facts: fact::all_given(&sheet.model.numbers),
            tied: sheet.model.tied,
            body: sheet.model.body.clone(),
            weights: sheet.model.stored.weights.map(Storage::from),
            cache: sheet.model.stored.cache.map(Storage::from),
        };
        self.network = fact::all_given(&sheet.network);
        self.request = fact::all_given(&sheet.request);
        let rows: Vec<u32> = self.machines.iter().map(|machine| machine.id).collect();
        self.keep_settings(any, rows);
    }

    /// Returns the view of a question.
    ///
    /// # Errors
    /// The first field that the question cannot take, with where it is in its scenario.
    ///
    /// # Complexity
    /// O(machines · fields + size of the settings), and once O(catalogue) for numbers of which nothing is known.
    pub fn view(&self, question: Question) -> Result<QuestionView, Invalid> {
        question.kind_if_known()?.view(self)
    }

    pub(super) fn view_of<S: Shared>(&self) -> Result<QuestionView, Invalid>
    where
        Any: From<S>,
    {
        let fits = |machine: &&WorldMachine| S::CAN_SWITCH || !machine.off;
        let all: Vec<&WorldMachine> = self.machines.iter().filter(fits).collect();
        let shown = &all[..all.len().min(S::MOST_ROWS)];
        let rows: Vec<u32> = shown.iter().map(|machine| machine.id).collect();
        let opening;
        let (settings, before) = match self.settings.get(S::QUESTION.name()) {
            Some(settings) => (&*settings.text, settings.rows.clone()),
            None => {
                let scenario = S::of_own_machines();
                opening = shared::settings_json(&scenario);
                // Its rows stand for no machine that is here.
                (opening.as_str(), vec![u32::MAX; scenario.rows().len()])
            }
        };
        let mut scenario: S = shared::from_settings(settings, &self.title)?;
        shared::line_up(&mut scenario, before, &rows);
        let mut ask = FactResolver::new(self, shown);
        for (at, machine) in shown.iter().enumerate() {
            let mut row = scenario.rows()[at].clone();
            S::name(&mut row, &machine.name, machine.off);
            ask.fill_row(&scenario, at, &mut row);
            scenario.rows_mut()[at] = row;
        }
        scenario.read_facts(&mut ask);
        scenario.check()?;
        let counts_nodes = S::Row::number("nodes").is_some();
        let several = shown.iter().filter_map(|machine| {
            let nodes = fact::find_fact(&machine.facts, "nodes")?.value;
            (nodes > 1.0 && !counts_nodes).then_some((machine.id, nodes))
        });
        let [assumed, replaced] = ask.into_assumed();
        Ok(QuestionView {
            one_of: several.collect(),
            assumed,
            replaced,
            left_out: all.len() - shown.len(),
            rows,
            scenario: Any::from(scenario),
        })
    }

    /// Takes over what a person changed in a view, and says how the question sees it from now on. `rows` has the id of the machine
    /// that each row of `after` stands for; an id that no machine has is that of a new one.
    ///
    /// # Errors
    /// As [`Self::view`]; everything is then taken over all the same.
    ///
    /// # Complexity
    /// O(size of both scenarios + machines²), and a view.
    pub fn absorb(
        &mut self,
        view: &QuestionView,
        after: &Any,
        rows: &[u32],
    ) -> Result<QuestionView, Invalid> {
        self.question = after.question();
        if view.scenario != *after || view.rows != rows {
            let untouched = self.clone();
            self.take_over(view, after, rows);
            // Rules may see some of it otherwise now; what is shown stays as it is, but for what a runtime reaches on a machine whose
            // compute or host was changed, which is of those it had, and for rates of another model.
            if self.view(self.question)?.scenario != *after {
                let [old, new] = [&view.scenario, after].map(|any| any.as_shared_view().sheet());
                let other = other_speed(&view.rows, &old.machines, rows, &new.machines);
                let has_other_model = old.model != new.model;
                let is_kept = |one: &&Assumed| match one.owner {
                    Owner::Machine(id) => {
                        let is_term = other.contains(&id) && RUNTIME_TERMS.contains(&one.key);
                        let is_of_model = has_other_model && RATES_OF_MODEL.contains(&one.key);
                        !(is_term || is_of_model)
                    }
                    _ => true,
                };
                let kept: Vec<Assumed> = view.assumed.iter().filter(is_kept).cloned().collect();
                *self = untouched;
                self.fix_assumptions(&kept, false);
                self.take_over(view, after, rows);
            }
        }
        self.view(self.question)
    }

    fn take_over(&mut self, view: &QuestionView, after: &Any, rows: &[u32]) {
        let old = view.scenario.as_shared_view().sheet();
        let new = after.as_shared_view().sheet();
        let mut machines: Vec<WorldMachine> = Vec::new();
        for (row, id) in new.machines.iter().zip(rows) {
            let before = view.rows.iter().position(|shown| shown == id);
            let known = self.machines.iter().find(|machine| machine.id == *id);
            machines.push(match (before, known) {
                (Some(before), Some(known)) => {
                    let mut machine = known.clone();
                    machine.absorb(&old.machines[before], row, view.assumed_of(*id));
                    machine
                }
                _ => WorldMachine::new(*id, row, fact::of_row(&row.name, &row.numbers)),
            });
        }
        let unseen = self
            .machines
            .drain(..)
            .filter(|machine| !view.rows.contains(&machine.id) && !rows.contains(&machine.id));
        machines.extend(unseen);
        self.machines = machines;
        if old.model != new.model {
            self.model.absorb_stored(&old.model, &new.model);
            self.reset_derived_rates();
            self.model.name.clone_from(&new.model.name);
            self.model.body.clone_from(&new.model.body);
            self.model.tied = new.model.tied.or(self.model.tied);
            let other = old.model.name != new.model.name || old.model.body != new.model.body;
            if other {
                // Nothing of the model before holds for another one.
                self.model.facts = fact::all_given(&new.model.numbers);
                self.model.tied = new.model.tied;
            } else {
                let facts = &mut self.model.facts;
                let assumed = view.assumed_by(Owner::Model);
                fact::absorb(facts, &old.model.numbers, &new.model.numbers, assumed);
            }
        }
        let assumed = view.assumed_by(Owner::Network);
        fact::absorb(&mut self.network, &old.network, &new.network, assumed);
        let assumed = view.assumed_by(Owner::Request);
        fact::absorb(&mut self.request, &old.request, &new.request, assumed);
        self.keep_settings(after, rows.to_vec());
    }

    /// Has what was assumed for a view hold from now on: as given if a person confirms it, else as assumed, so that a link gives
    /// the same numbers under other rules.
    pub fn fix_assumptions(&mut self, assumed: &[Assumed], is_confirmed: bool) {
        for one in assumed {
            let facts = match one.owner {
                Owner::Machine(id) => {
                    let mut all = self.machines.iter_mut();
                    all.find(|machine| machine.id == id)
                        .map(|machine| &mut machine.facts)
                }
                Owner::Model => Some(&mut self.model.facts),
                Owner::Network => Some(&mut self.network),
                Owner::Request => Some(&mut self.request),
            };
            let origin = match is_confirmed {
                true => FactOrigin::Given,
                false => FactOrigin::Assumed(one.why.clone()),
            };
            if let Some(facts) = facts {
                let given = Given::new(one.value, one.range);
                fact::put(facts, one.key, given, origin);
            }
        }
    }

    /// The world with everything held that its own question assumes.
    #[must_use]
    pub fn with_fixed_assumptions(&self) -> Self {
        let mut held = self.clone();
        if let Ok(view) = self.view(self.question) {
            if view.assumed.iter().any(|one| one.owner == Owner::Model) {
                held.model.name = model_rules::model_name(self);
            }
            held.fix_assumptions(&view.assumed, false);
            let rows = view.rows.clone();
            held.keep_settings(&view.scenario, rows);
        }
        held
    }

    /// The world as a link carries it: with everything held that its question assumes, and of a large graph the file that it is
    /// in.
    #[must_use]
    pub fn for_link(&self) -> Self {
        let mut world = self.with_fixed_assumptions().numbered(0);
        for (name, settings) in &mut world.settings {
            // What is not known came here as a link has it.
            let kind = Question::find(name).and_then(Question::operations);
            if let Some(text) = kind.and_then(|kind| kind.settings_for_link(&settings.text)) {
                settings.text = text.into();
            }
        }
        world
    }

    pub(super) fn settings_for_link<S: Shared>(settings: &str) -> Option<String> {
        let scenario: S = shared::from_settings(settings, "").ok()?;
        scenario.for_link().as_ref().map(shared::settings_json)
    }

    /// Reads a scenario file, of this format or of one question alone.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed; a question that no one asks is refused by name.
    pub fn read(text: &str) -> Result<Self, Invalid> {
        Self::of_question(Question::named_in(text)?, text)
    }

    /// Reads the file of a known question.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn of_question(question: Question, text: &str) -> Result<Self, Invalid> {
        match format_of(text) {
            Some(FORMAT) => Self::from_json(text),
            _ => question
                .kind_if_known()?
                .read(text)
                .map(|any| Self::of(&any)),
        }
    }

    /// Keeps what is a question's own.
    fn keep_settings(&mut self, any: &Any, rows: Vec<u32>) {
        self.question = any.question();
        any.title().clone_into(&mut self.title);
        let (sheet, text) = (
            any.as_shared_view().sheet(),
            any.as_shared_view().own_settings_json().into(),
        );
        self.model.learn_stored(&sheet.model);
        self.settings
            .insert(any.question().name(), Settings { rows, text });
    }

    /// Returns the scenario with ids of machines counted from `first`, in order.
    #[must_use]
    pub fn numbered(&self, first: u32) -> Self {
        let mut world = self.clone();
        let mut ids: BTreeMap<u32, u32> = BTreeMap::new();
        for (id, machine) in (first..).zip(&mut world.machines) {
            ids.insert(machine.id, id);
            machine.id = id;
        }
        for settings in world.settings.values_mut() {
            for row in &mut settings.rows {
                // One that is gone stays gone.
                *row = ids.get(row).copied().unwrap_or(u32::MAX);
            }
        }
        world
    }

    /// The name of the model, or of the one that is taken where none is given.
    #[must_use]
    pub fn model_name(&self) -> String {
        model_rules::model_name(self)
    }

    /// An id above those of all machines.
    #[must_use]
    pub fn free_id(&self) -> u32 {
        let ids = self.machines.iter().map(|machine| machine.id + 1);
        ids.max().unwrap_or(0)
    }
}

/// Numbers that say how fast a machine and its host are; what its runtime reaches is assumed for these.
const SPEEDS: [&str; 5] = ["c_peak_tflops", "a", "b", "tops", "host_factor"];

/// Returns true if two rows of a machine differ in how fast it is.
fn has_other_speed(old: &sheet::SheetRow, new: &sheet::SheetRow) -> bool {
    let value = |row: &sheet::SheetRow, key: &str| row.numbers.get(key).map(|given| given.value);
    SPEEDS.iter().any(|key| value(old, key) != value(new, key))
}

/// Ids of the machines that are faster or slower afterwards: ids and rows of before, and of now.
fn other_speed(
    before: &[u32],
    old: &[sheet::SheetRow],
    now: &[u32],
    new: &[sheet::SheetRow],
) -> Vec<u32> {
    let differs = |(id, row): (&u32, &sheet::SheetRow)| {
        let place = before.iter().position(|shown| shown == id)?;
        has_other_speed(&old[place], row).then_some(*id)
    };
    now.iter().zip(new).filter_map(differs).collect()
}

impl World {
    /// The calibration by which a view predicts a rate of a machine; `None` where the rate is known, or what it rests on was given or
    /// measured, or nothing like the machine was in the fit.
    #[must_use]
    pub fn calibration_of(
        &self,
        view: &QuestionView,
        id: u32,
        rate: &str,
    ) -> Option<&'static ClassCalibration> {
        let machine = self.machines.iter().find(|machine| machine.id == id)?;
        let is_assumed = view.assumed_of(id).any(|one| one.key == rate);
        let is_known = |key: &str| {
            let fact = fact::find_fact(&machine.facts, key);
            fact.is_some_and(|fact| !matches!(fact.origin, FactOrigin::Assumed(_)))
        };
        let is_predicted = is_assumed && !RUNTIME_TERMS.iter().any(|key| is_known(key));
        let (class, _) = calibration::of_name(&machine.name).filter(|_| is_predicted)?;
        Some(class)
    }
}

impl QuestionView {
    /// Returns the assumptions about a machine.
    pub fn assumed_of(&self, id: u32) -> impl Iterator<Item = &Assumed> {
        self.assumed_by(Owner::Machine(id))
    }

    /// Returns true if a measured rate of generation of the machine `id` moves this question: its costs are those of runtimes, or it
    /// assumes a rate.
    #[must_use]
    pub fn counts_generation(&self, id: u32) -> bool {
        let assumes = |key: &str| self.assumed_of(id).any(|one| one.key == key);
        match &self.scenario {
            Any::ColdStart(scenario) => scenario.decode.is_some(),
            Any::Tiers(scenario) => scenario.cost.mode == super::tiers::Mode::Runtime,
            Any::Dispatch(_) => assumes("decode_tok_s"),
            Any::HeadPlacement(_) => assumes("compute_gops"),
            Any::Operators(_) => false,
        }
    }

    fn assumed_by(&self, owner: Owner) -> impl Iterator<Item = &Assumed> {
        self.assumed.iter().filter(move |one| one.owner == owner)
    }
}

impl WorldMachine {
    fn new(id: u32, row: &sheet::SheetRow, facts: WorldFacts) -> Self {
        Self {
            id,
            name: row.name.clone(),
            off: row.off,
            facts,
            link: row.link.as_ref().map(fact::all_given),
        }
    }

    fn absorb<'a>(
        &mut self,
        old: &sheet::SheetRow,
        new: &sheet::SheetRow,
        assumed: impl Iterator<Item = &'a Assumed>,
    ) {
        self.name.clone_from(&new.name);
        self.off = new.off;
        fact::absorb(&mut self.facts, &old.numbers, &new.numbers, assumed);
        if has_other_speed(old, new) {
            let is_stale = |key: &&str| {
                let same = old.numbers.get(*key) == new.numbers.get(*key);
                let found = fact::find_fact(&self.facts, key);
                same && found.is_some_and(|fact| matches!(fact.origin, FactOrigin::Assumed(_)))
            };
            let stale: Vec<&str> = RUNTIME_TERMS.iter().copied().filter(is_stale).collect();
            for key in stale {
                fact::remove_fact(&mut self.facts, key);
            }
        }
        if old.link == new.link {
            return;
        }
        let (none, mut facts) = (BTreeMap::new(), self.link.take().unwrap_or_default());
        let [before, after] = [&old.link, &new.link].map(|link| link.as_ref().unwrap_or(&none));
        fact::absorb(&mut facts, before, after, std::iter::empty());
        self.link = (new.link.is_some() || !facts.is_empty()).then_some(facts);
    }
}
