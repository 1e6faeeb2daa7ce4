//! Machines from a table: what it says of them becomes facts, what it does not say stays unknown, so that the rules take it. And
//! where numbers are from, as a field shows it.

use super::fact::{self, FactOrigin, Given, WorldFacts, find_fact};
use super::{Owner, QuestionView, World, WorldMachine, read};
use crate::hardware::machines;
use crate::problem::{Code, Invalid};
use crate::scenario::rows::free_name;
use crate::scenario::{Any, Device, Question};
use serde_json::Value;

/// A machine as a table lists it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Numbers of the table by field; `None` for unknown ones.
    pub numbers: Vec<(&'static str, Option<Given>)>,
}

/// Where what the table does not say of a machine is from.
#[derive(PartialEq, Eq)]
enum MissingSource {
    PreviousMachine,
    Catalogue,
    Rules,
}

impl World {
    /// Puts the machines of a table in the place of those that are here; what it says is from `origin`. A machine of the same name
    /// keeps what the table does not say, one of the catalogue has it from there, of any other it is not known. Ids of new
    /// machines count from `first`. Says in sentences what was not in the table.
    ///
    /// Machines that the user has are meant to run a plan, so cold start counts memory as it is then.
    ///
    /// # Errors
    /// Machines that are all switched off.
    ///
    /// # Complexity
    /// O(machines · (machines + catalogue)), and a view.
    pub fn put_fleet(
        &mut self,
        rows: &[Listed],
        origin: &FactOrigin,
        first: u32,
    ) -> Result<Vec<String>, Invalid> {
        let first = first.max(self.free_id());
        let mut before = std::mem::take(&mut self.machines);
        let mut rests = Vec::new();
        for (row, id) in rows.iter().zip(first..) {
            let same = before.iter().position(|machine| machine.name == row.name);
            let (mut machine, rest) = match same {
                Some(at) => (before.remove(at), MissingSource::PreviousMachine),
                None => WorldMachine::called(id, &row.name),
            };
            // What was assumed follows its rules again.
            if rest == MissingSource::PreviousMachine {
                let facts = &mut machine.facts;
                facts.retain(|_, fact| !matches!(fact.origin, FactOrigin::Assumed(_)));
            }
            for (key, number) in &row.numbers {
                set_fact(&mut machine.facts, key, *number, origin);
            }
            rests.push(rest);
            self.machines.push(machine);
        }
        if self.machines.iter().all(|machine| machine.off) {
            let why =
                "All these machines are switched off in the current fleet; at least one must be on";
            return Err(Invalid::new(Code::Range, "machines", Value::Null, why));
        }
        self.is_meant_to_run();
        Ok(self.said_of(rows, &rests))
    }

    /// Puts a device of the catalogue behind the machines that are here, with all that the catalogue has of a machine of that name,
    /// and says under which name. One that the user `has` is meant to run a plan.
    pub fn add_device(&mut self, device: &Device, first: u32, has: bool) -> String {
        let numbers = read(device, &[], Some((&device.ranges, "")));
        let (mut machine, _) = WorldMachine::called(first.max(self.free_id()), &device.name);
        machine.facts.extend(fact::of_row(&device.name, &numbers));
        let taken: Vec<&str> = self.machines.iter().map(|m| m.name.as_str()).collect();
        machine.name = free_name(if has { &device.name } else { "" }, &taken);
        let name = machine.name.clone();
        self.machines.push(machine);
        if has {
            self.is_meant_to_run();
        }
        name
    }

    /// Has cold start count memory as it is when a plan runs, where it can be asked at all.
    fn is_meant_to_run(&mut self) {
        let asked = self.question;
        if let Ok(view) = self.view(Question::ColdStart)
            && let Any::ColdStart(cold) = &view.scenario
        {
            let after = cold.as_it_runs().into();
            // What could be seen before can be seen with more room taken.
            let _ = self.absorb(&view, &after, &view.rows);
        }
        self.question = asked;
    }

    /// Describes the values that were not in the table.
    fn said_of(&self, rows: &[Listed], rests: &[MissingSource]) -> Vec<String> {
        let mut said = Vec::new();
        let names = |rest: MissingSource| {
            let of = rows.iter().zip(rests).filter(|(_, of)| **of == rest);
            let names: Vec<&str> = of.map(|(row, _)| row.name.as_str()).collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        if let Some(names) = names(MissingSource::PreviousMachine) {
            said.push(format!(
                "Machines already in the fleet keep what the table leaves out: {names}."
            ));
        }
        if let Some(names) = names(MissingSource::Catalogue) {
            said.push(format!("Filled in from the catalogue, by name: {names}."));
        }
        let kept = self.machines.iter();
        let kept = kept.filter(|machine| machine.off || machine.link.is_some());
        let kept: Vec<&str> = kept.map(|machine| machine.name.as_str()).collect();
        if !kept.is_empty() {
            let names = kept.join(", ");
            said.push(format!(
                "Matched by name, keeping their own link or staying switched off: {names}."
            ));
        }
        said
    }

    /// Says of the numbers of the model that the user gave where they are from.
    pub fn model_is_from(&mut self, origin: &FactOrigin) {
        mark(&mut self.model.facts, origin);
    }

    /// Sets the origin of all numbers of a machine.
    pub fn machine_is_from(&mut self, id: u32, origin: &FactOrigin) {
        let mut all = self.machines.iter_mut();
        if let Some(machine) = all.find(|machine| machine.id == id) {
            mark(&mut machine.facts, origin);
        }
    }

    /// Returns true if a number of a machine was given without a source.
    #[must_use]
    pub fn has_given(&self, id: u32) -> bool {
        let machine = self.machines.iter().find(|machine| machine.id == id);
        machine.is_some_and(|machine| {
            machine
                .facts
                .values()
                .any(|fact| fact.origin == FactOrigin::Given)
        })
    }

    /// Where a number shown is from, unless the user gave it: that of the machine `id`, else of model, network or request. A
    /// number that has been changed since `view` was taken is the user's.
    ///
    /// # Complexity
    /// O(assumed + machines).
    #[must_use]
    pub fn origin(
        &self,
        view: &QuestionView,
        id: Option<u32>,
        key: &str,
        value: f64,
    ) -> Option<FactOrigin> {
        let is_owner = |owner: Owner| match id {
            Some(id) => owner == Owner::Machine(id),
            None => !matches!(owner, Owner::Machine(_)),
        };
        let is_it = |number: f64| number.to_bits() == value.to_bits();
        let mut assumed = view.assumed.iter();
        if let Some(one) = assumed.find(|one| one.key == key && is_owner(one.owner)) {
            return is_it(one.value).then(|| FactOrigin::Assumed(one.why.clone()));
        }
        let fact = match id {
            Some(id) => {
                let machine = self.machines.iter().find(|machine| machine.id == id)?;
                find_fact(&machine.facts, key)?
            }
            None => {
                let mut parts = [&self.model.facts, &self.network, &self.request].into_iter();
                parts.find_map(|facts| find_fact(facts, key))?
            }
        };
        (fact.origin != FactOrigin::Given && is_it(fact.value)).then_some(fact.origin)
    }
}

/// Has facts know what a cell says; the same number again changes nothing.
fn set_fact(facts: &mut WorldFacts, key: &'static str, number: Option<Given>, origin: &FactOrigin) {
    let before = find_fact(facts, key);
    match number {
        None => fact::remove_fact(facts, key),
        Some(given) => {
            let is_known = |fact: &fact::WorldFact| {
                fact.value.to_bits() == given.value.to_bits()
                    && given.range.is_none()
                    && !matches!(fact.origin, FactOrigin::Assumed(_))
            };
            if !before.as_ref().is_some_and(is_known) {
                fact::put(facts, key, given, origin.clone());
            }
        }
    }
}

/// Numbers that the user gave are from there.
fn mark(facts: &mut WorldFacts, origin: &FactOrigin) {
    let given = facts
        .values_mut()
        .filter(|fact| fact.origin == FactOrigin::Given);
    for fact in given {
        fact.origin = origin.clone();
    }
}

impl WorldMachine {
    /// A number that is known and not only assumed.
    #[must_use]
    pub fn known_value(&self, key: &str) -> Option<f64> {
        let fact = find_fact(&self.facts, key)?;
        (!matches!(fact.origin, FactOrigin::Assumed(_))).then_some(fact.value)
    }

    /// A machine of which nothing is known but its name, and what the catalogue has under it.
    fn called(id: u32, name: &str) -> (Self, MissingSource) {
        let row = machines::named(name);
        let rest = match row {
            Some(_) => MissingSource::Catalogue,
            None => MissingSource::Rules,
        };
        let machine = Self {
            id,
            name: name.to_owned(),
            off: false,
            facts: row.map(fact::of_catalogue).unwrap_or_default(),
            link: None,
        };
        (machine, rest)
    }
}
