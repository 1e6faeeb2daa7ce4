//! Numbers that a question takes from the shared scenario: known ones, or those of the rules, which are listed as assumptions.

use super::fact::{self, FactOrigin, Given, WorldFacts};
use super::sheet::{Names, shared_name};
use super::{Shared, World, WorldMachine, model_rules, rules, runtime_terms};
use crate::model::precision::Stored;
use crate::scenario::fields::{self, Field, NumberFields};
use crate::scenario::{Model, Span};

/// Whose number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The machine with this id.
    Machine(u32),
    /// The model.
    Model,
    /// The network.
    Network,
    /// The request.
    Request,
}

/// A number that is not given, and what is taken for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumed {
    /// Whose number it is.
    pub owner: Owner,
    /// Its field.
    pub key: &'static str,
    /// Value.
    pub value: f64,
    /// The range in which it is likely to be.
    pub range: Option<Span>,
    /// Why, in words.
    pub why: String,
}

/// A question that takes what it needs.
pub struct FactResolver<'a> {
    world: &'a World,
    machines: &'a [&'a WorldMachine],
    /// Numbers of the rows, by the question's keys.
    rows: Vec<Vec<(&'static str, Given)>>,
    assumed: Vec<Assumed>,
    replaced: Vec<Assumed>,
}

impl<'a> FactResolver<'a> {
    pub(super) fn new(world: &'a World, machines: &'a [&'a WorldMachine]) -> Self {
        Self {
            world,
            machines,
            rows: vec![Vec::new(); machines.len()],
            assumed: Vec::new(),
            replaced: Vec::new(),
        }
    }

    /// What was assumed, and what was taken in the place of known numbers.
    pub(super) fn into_assumed(self) -> [Vec<Assumed>; 2] {
        [self.assumed, self.replaced]
    }

    /// Gives a row of a scenario its numbers. What may be left out is where it is not known, unless the scenario needs it and a
    /// rule has it.
    pub(super) fn fill_row<S: Shared>(&mut self, scenario: &S, at: usize, row: &mut S::Row) {
        let machine = self.machines[at];
        let owner = Owner::Machine(machine.id);
        for number in S::Row::NUMBERS {
            let key = shared_name(number.field.key, S::ROW_NAMES);
            let is_assumed = || {
                scenario.assumed_terms().contains(&key)
                    && runtime_terms::optional(machine, &self.rows[at], key).is_some()
            };
            let is_optional = number.is_optional && !is_assumed();
            let given = self.number(owner, &machine.facts, key, number.field, is_optional);
            (number.set)(row, given.map(|given| given.value));
            self.rows[at].extend(given.map(|given| (number.field.key, given)));
        }
    }

    /// Returns the numbers of a row, by the question's keys.
    pub fn row(&self, at: usize) -> &[(&'static str, Given)] {
        &self.rows[at]
    }

    /// Gives an object what is known of the link of a row; whether the row has one, and whether anything was.
    pub fn link<T: NumberFields>(
        &self,
        at: usize,
        link: &mut T,
    ) -> Option<Vec<(&'static str, Given)>> {
        let facts = self.machines[at].link.as_ref()?;
        let mut found = Vec::new();
        for number in T::NUMBERS {
            let Some(known) = fact::find_fact(facts, number.field.key) else {
                continue;
            };
            (number.set)(link, Some(known.value));
            found.push((number.field.key, Given::new(known.value, known.range)));
        }
        Some(found)
    }

    /// The name of the model.
    pub fn model_name(&self) -> String {
        model_rules::model_name(self.world)
    }

    /// Layers that no dimensions describe, if the model is known by them.
    pub fn body(&self) -> Option<&Model> {
        self.world.model.body.as_ref()
    }

    /// How the model is stored, as far as that is known.
    pub fn stored(&self) -> Stored {
        self.world.model.stored()
    }

    /// Returns true if embedding and output head are one matrix.
    pub fn is_tied(&self) -> bool {
        model_rules::is_tied(self.world)
    }

    /// Gives an object its numbers of the model.
    pub fn model<T: NumberFields>(
        &mut self,
        object: &mut T,
        names: Names,
    ) -> Vec<(&'static str, Given)> {
        self.fill(Owner::Model, &self.world.model.facts, object, names)
    }

    /// One number of the model, for a field of the question.
    pub fn of_model(&mut self, key: &'static str, own: &str) -> Given {
        self.one(Owner::Model, &self.world.model.facts, key, own)
    }

    /// A number of the model where it is known.
    pub fn known_of_model(&self, key: &'static str) -> Option<f64> {
        Some(fact::find_fact(&self.world.model.facts, key)?.value)
    }

    /// A number of the model as it is known, or as a rule has it; it is not listed among what the question assumes.
    pub fn number_of_model(&self, key: &'static str) -> f64 {
        self.known_of_model(key)
            .unwrap_or_else(|| model_rules::model(self.world, key).value)
    }

    /// Says that the question takes another number of the model than the one that is known, which stays known.
    pub fn replace(&mut self, key: &'static str, value: f64, why: &str) {
        self.replaced.push(Assumed {
            owner: Owner::Model,
            key,
            value,
            range: None,
            why: why.to_owned(),
        });
    }

    /// Gives an object its numbers of the network.
    pub fn network<T: NumberFields>(
        &mut self,
        object: &mut T,
        names: Names,
    ) -> Vec<(&'static str, Given)> {
        self.fill(Owner::Network, &self.world.network, object, names)
    }

    /// One number of the network, for a field of the question.
    pub fn of_network(&mut self, key: &'static str, own: &str) -> f64 {
        self.one(Owner::Network, &self.world.network, key, own)
            .value
    }

    /// One number of a request, for a field of the question.
    pub fn of_request(&mut self, key: &'static str, own: &str) -> Given {
        self.one(Owner::Request, &self.world.request, key, own)
    }

    /// How long a prompt is where that is known [tokens].
    pub fn known_of_request(&self, key: &'static str) -> Option<f64> {
        Some(fact::find_fact(&self.world.request, key)?.value)
    }

    fn one(&mut self, owner: Owner, facts: &WorldFacts, key: &'static str, own: &str) -> Given {
        let field = fields::of(own).expect("every number of the schema has a row");
        let given = self.number(owner, facts, key, field, false);
        given.expect("a number that is needed is known or assumed")
    }

    fn fill<T: NumberFields>(
        &mut self,
        owner: Owner,
        facts: &WorldFacts,
        object: &mut T,
        names: Names,
    ) -> Vec<(&'static str, Given)> {
        let mut found = Vec::new();
        for number in T::NUMBERS {
            let key = shared_name(number.field.key, names);
            let given = self.number(owner, facts, key, number.field, number.is_optional);
            (number.set)(object, given.map(|given| given.value));
            found.extend(given.map(|given| (number.field.key, given)));
        }
        found
    }

    /// A number as it is known, else as a rule has it, within what the question takes. What may be left out is no matter of
    /// rules.
    fn number(
        &mut self,
        owner: Owner,
        facts: &WorldFacts,
        key: &'static str,
        field: &Field,
        is_optional: bool,
    ) -> Option<Given> {
        let (value, range, why) = match fact::find_fact(facts, key) {
            Some(fact) => {
                let why = match fact.origin {
                    FactOrigin::Assumed(why) => Some(why),
                    _ => None,
                };
                (fact.value, fact.range, why)
            }
            None if is_optional => return None,
            None => {
                let guess = match owner {
                    Owner::Machine(id) => {
                        let at = self.machines.iter().position(|machine| machine.id == id)?;
                        let machine = self.machines[at];
                        runtime_terms::optional(machine, &self.rows[at], key)
                            .unwrap_or_else(|| rules::machine(self.world, machine, key))
                    }
                    Owner::Model => model_rules::model(self.world, key),
                    Owner::Network => rules::network(self.world, key),
                    Owner::Request => model_rules::request(key),
                };
                (guess.value, guess.range.map(Span::from), Some(guess.why))
            }
        };
        let near = nearest(field, value);
        let why = match why {
            None if near != value => {
                Some(format!("the nearest to {value} that this question takes"))
            }
            why => why,
        };
        let inside = |span: &Span| {
            span.low <= near
                && near <= span.high
                && field.allows(span.low)
                && field.allows(span.high)
        };
        let range = range.filter(inside);
        if let Some(why) = why {
            self.assumed.push(Assumed {
                owner,
                key,
                value: near,
                range,
                why,
            });
        }
        Some(Given::new(near, range))
    }
}

/// The value next to this one that a field allows.
fn nearest(field: &Field, value: f64) -> f64 {
    let value = if field.is_integer {
        libm::round(value)
    } else {
        value
    };
    value.clamp(field.min, field.max)
}
