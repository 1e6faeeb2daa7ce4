//! Changes to the scenario, each one a step that can be taken back.

use super::{State, Toast};
use crate::problem::Invalid;
use crate::scenario::{Device, Scenario, difference};
use crate::ui::address;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

/// A state of the scenario to return to.
#[derive(Debug, Clone)]
pub(super) struct Step {
    scenario: Scenario,
    ids: Vec<u32>,
    key: String,
}

impl State {
    /// Changes the scenario. Edits with the same `key` in a row are one step to undo; an empty key never
    /// joins. A change that the schema refuses is not made.
    ///
    /// # Errors
    /// What the schema refuses.
    pub fn edit(&self, key: &str, change: impl FnOnce(&mut Scenario)) -> Result<(), Invalid> {
        let before = self.scenario.get_untracked();
        let mut after = (*before).clone();
        change(&mut after);
        if after == *before {
            return Ok(());
        }
        if after.is_empty() {
            after.validate_fields()?;
        } else {
            after.problem()?;
        }
        self.remember(key);
        self.scenario.set(Arc::new(after));
        address::write_soon(self.scenario.get_untracked());
        Ok(())
    }

    /// Takes the edits with this key back, as if they had never been made, and says whether there were any. They must
    /// have left the devices where they were.
    pub fn give_up(&self, key: &str) -> bool {
        let mut steps = self.undo.write();
        let Some(step) = steps.pop_if(|step| step.key == key) else {
            return false;
        };
        drop(steps);
        self.scenario.set(Arc::new(step.scenario));
        address::write_soon(self.scenario.get_untracked());
        true
    }

    /// Replaces the whole scenario: a preset, a file, a link.
    pub fn replace(&self, scenario: Scenario) {
        self.remember("");
        self.put(scenario);
        address::write_soon(self.scenario.get_untracked());
    }

    /// Shows the scenario of a link that was opened in place of the present one; it can be undone.
    pub fn visit(&self, scenario: Scenario) {
        if scenario != *self.scenario.get_untracked() {
            self.remember("");
            self.put(scenario);
        }
        self.banner.set(None);
    }

    /// Changes the scenario when the whole model or fleet may become another: a device keeps its row if one of the
    /// same name had it, and what is wrong in a field that goes, goes with it.
    ///
    /// # Errors
    /// What the schema refuses.
    pub fn edit_whole(&self, change: impl FnOnce(&mut Scenario)) -> Result<(), Invalid> {
        let before = self.scenario.get_untracked();
        let old_ids = self.ids.get_untracked();
        self.edit("", change)?;
        let after = self.scenario.get_untracked();
        let names =
            |s: &Scenario| -> Vec<String> { s.devices.iter().map(|d| d.name.clone()).collect() };
        let mut known: Vec<(String, u32)> = names(&before).into_iter().zip(old_ids).collect();
        let ids: Vec<u32> = names(&after)
            .into_iter()
            .map(|name| match known.iter().position(|(n, _)| *n == name) {
                Some(at) => known.remove(at).1,
                None => self.fresh_id(),
            })
            .collect();
        self.faults.update(|faults| {
            let other_model = before.model != after.model;
            faults.retain(|key, _| match owner(key) {
                Some(id) => ids.contains(&id),
                None => !(other_model && key.starts_with("model ")),
            });
        });
        self.ids.set(ids);
        Ok(())
    }

    /// Inserts a device after position `at`.
    pub fn insert(&self, at: usize, device: Device) -> Result<(), Invalid> {
        let id = self.fresh_id();
        let ids = self.ids.get_untracked();
        self.edit("", |scenario| {
            scenario
                .devices
                .insert(at.min(scenario.devices.len()), device)
        })?;
        let mut ids = ids;
        ids.insert(at.min(ids.len()), id);
        self.ids.set(ids);
        Ok(())
    }

    /// Removes the device at position `at`; a toast offers to undo it.
    pub fn remove(&self, at: usize) {
        let Some(name) = self
            .scenario
            .with_untracked(|s| s.devices.get(at).map(|d| d.name.clone()))
        else {
            return;
        };
        let mut ids = self.ids.get_untracked();
        let done = self.edit("", |scenario| {
            scenario.devices.remove(at);
        });
        if done.is_ok() {
            let id = ids.remove(at);
            self.faults.update(|faults| {
                faults.retain(|key, _| !key.starts_with(&format!("device {id} ")))
            });
            self.ids.set(ids);
            self.toast.set(Some(Toast {
                text: format!("Removed {name}."),
                undo: true,
            }));
        }
    }

    /// Moves the device at position `from` to position `to`.
    pub fn move_device(&self, from: usize, to: usize) {
        let mut ids = self.ids.get_untracked();
        if from == to || from >= ids.len() || to >= ids.len() {
            return;
        }
        let done = self.edit("", |scenario| {
            let device = scenario.devices.remove(from);
            scenario.devices.insert(to, device);
        });
        if done.is_ok() {
            let id = ids.remove(from);
            ids.insert(to, id);
            self.ids.set(ids);
            let name = self.scenario.with_untracked(|s| s.devices[to].name.clone());
            let count = self.ids.with_untracked(Vec::len);
            self.say(format!("{name}, position {} of {count}.", to + 1));
        }
    }

    /// Where the device with this id stands.
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
                .with(|ids| Some(difference((&before.scenario, &before.ids), (&now, ids))))
        })
    }

    /// What the next step changes, if there is one to make again.
    pub fn next_step(&self) -> Option<String> {
        let now = self.scenario.get();
        self.redo.with(|steps| {
            let after = steps.last()?;
            self.ids
                .with(|ids| Some(difference((&now, ids), (&after.scenario, &after.ids))))
        })
    }

    fn travel(&self, from: RwSignal<Vec<Step>>, to: RwSignal<Vec<Step>>) {
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
            faults.retain(|key, _| owner(key).is_none_or(|id| step.ids.contains(&id)))
        });
        // The scenario first: a row of the fleet must find its device.
        self.scenario.set(Arc::new(step.scenario));
        self.ids.set(step.ids);
        address::write_soon(self.scenario.get_untracked());
    }

    fn put(&self, scenario: Scenario) {
        let ids = scenario.devices.iter().map(|_| self.fresh_id()).collect();
        self.faults.set(BTreeMap::new());
        self.replaced.update(|count| *count = count.wrapping_add(1));
        self.scenario.set(Arc::new(scenario));
        self.ids.set(ids);
    }

    /// A notice offers to undo the last step, so it goes when that is no longer its own.
    fn withdraw_undo(&self) {
        let offers = |toast: &Option<Toast>| toast.as_ref().is_some_and(|toast| toast.undo);
        if self.toast.with_untracked(offers) {
            self.toast.set(None);
        }
    }

    pub(super) fn remember(&self, key: &str) {
        let joins = !key.is_empty()
            && self
                .undo
                .with_untracked(|steps| steps.last().is_some_and(|step| step.key == key));
        if joins {
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

    /// A number that nothing else on the page has.
    pub fn fresh_id(&self) -> u32 {
        let id = self.next_id.get_value();
        self.next_id.set_value(id.wrapping_add(1));
        id
    }
}

/// The device that a field belongs to, by the field's key.
fn owner(key: &str) -> Option<u32> {
    let id = key.strip_prefix("device ")?.split(' ').next()?;
    id.parse().ok()
}
