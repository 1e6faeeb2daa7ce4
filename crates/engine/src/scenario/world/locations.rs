//! The numbers of a view that are shared between questions, each with the place where the scenario of all questions has it: to
//! change one, or to draw it from its range, without knowing the question.

use super::fact::{self, FactOrigin, Given, WorldFacts};
use super::{QuestionView, World};
use crate::problem::Invalid;
use crate::scenario::Span;
use crate::scenario::fields::{self, Field};

/// Whose number it is; machines by the places of their rows in the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldOwner {
    /// A machine.
    Machine(usize),
    /// The link that a machine has of its own.
    Link(usize),
    /// The model.
    Model,
    /// The network.
    Network,
    /// The request.
    Request,
}

/// Where a number stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldRef {
    /// Whose it is.
    pub owner: FieldOwner,
    /// The name by which all questions know it.
    pub key: &'static str,
}

/// A number of a view.
#[derive(Debug, Clone, Copy)]
pub struct LocatedField {
    /// Where it stands.
    pub location: FieldRef,
    /// The question’s own field.
    pub field: &'static Field,
    /// Value.
    pub value: f64,
    /// The range in which it is known.
    pub range: Option<Span>,
}

impl QuestionView {
    /// The most rows that its question takes.
    #[must_use]
    pub fn most_rows(&self) -> usize {
        self.scenario.as_shared_view().row_numbers().1
    }

    /// Its rows: names, and whether they are off.
    #[must_use]
    pub fn row_names(&self) -> Vec<(String, bool)> {
        let rows = self.scenario.as_shared_view().sheet().machines.into_iter();
        rows.map(|row| (row.name, row.off)).collect()
    }
}

/// Returns the name of a row in [`QuestionView::row_names`], or its index if it has none.
#[must_use]
pub fn row_name(names: &[(String, bool)], at: usize) -> String {
    match names.get(at).map(|(name, _)| name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("D{}", at + 1),
    }
}

impl FieldOwner {
    /// Names a number with its owner: `D1 disk`, `D1 own latency`, `Network: latency`.
    #[must_use]
    pub fn label(self, names: &[(String, bool)], noun: &str) -> String {
        match self {
            Self::Machine(at) => format!("{} {noun}", row_name(names, at)),
            Self::Link(at) => format!("{} own {noun}", row_name(names, at)),
            Self::Model => format!("Model: {noun}"),
            Self::Network => format!("Network: {noun}"),
            Self::Request => format!("Request: {noun}"),
        }
    }
}

impl World {
    /// The world with everything as given that a view of it assumes, so that a number can be changed and all others stay.
    #[must_use]
    pub fn fixed(&self, view: &QuestionView) -> Self {
        let mut fixed = self.clone();
        fixed.fix_assumptions(&view.assumed, false);
        fixed
    }

    /// The shared numbers of a view: row by row in file order, each followed by those of its own link, then model, network and
    /// request by name. Rows that are off are left out.
    ///
    /// # Complexity
    /// O(machines · fields).
    #[must_use]
    pub fn spots(&self, view: &QuestionView) -> Vec<LocatedField> {
        let seen = view.scenario.as_shared_view();
        let (sheet, (own, _)) = (seen.sheet(), seen.row_numbers());
        let fixed = self.fixed(view);
        let none = WorldFacts::new();
        let mut all = Vec::new();
        let mut add = |whose: FieldOwner, facts: &WorldFacts, key: &'static str, field, value| {
            let range = fact::find_fact(facts, key).and_then(|fact| fact.range);
            all.push(LocatedField {
                location: FieldRef { owner: whose, key },
                field,
                value,
                range: range.filter(|span| span.contains(value)),
            });
        };
        for (at, row) in sheet
            .machines
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.off)
        {
            let machine = fixed.machines.iter().find(|m| m.id == view.rows[at]);
            let facts = machine.map_or(&none, |machine| &machine.facts);
            for (key, field) in &own {
                if let Some(given) = row.numbers.get(key) {
                    add(FieldOwner::Machine(at), facts, key, field, given.value);
                }
            }
            let facts = machine.and_then(|machine| machine.link.as_ref());
            for (key, given) in row.link.iter().flatten() {
                if let Some(field) = fields::of(key) {
                    let facts = facts.unwrap_or(&none);
                    add(FieldOwner::Link(at), facts, key, field, given.value);
                }
            }
        }
        for (whose, facts, numbers) in [
            (FieldOwner::Model, &fixed.model.facts, &sheet.model.numbers),
            (FieldOwner::Network, &fixed.network, &sheet.network),
            (FieldOwner::Request, &fixed.request, &sheet.request),
        ] {
            for (key, given) in numbers {
                if let Some(field) = fields::of(key) {
                    add(whose, facts, key, field, given.value);
                }
            }
        }
        all
    }

    /// Puts a number of a view, as given, and the range it is known in; whether its place is there.
    pub fn put(
        &mut self,
        view: &QuestionView,
        spot: FieldRef,
        value: f64,
        range: Option<Span>,
    ) -> bool {
        let machine = |at: usize| {
            let id = view.rows.get(at).copied();
            self.machines.iter().position(|m| Some(m.id) == id)
        };
        let facts = match spot.owner {
            FieldOwner::Machine(at) => machine(at).map(|at| &mut self.machines[at].facts),
            FieldOwner::Link(at) => machine(at).and_then(|at| self.machines[at].link.as_mut()),
            FieldOwner::Model => Some(&mut self.model.facts),
            FieldOwner::Network => Some(&mut self.network),
            FieldOwner::Request => Some(&mut self.request),
        };
        let Some(facts) = facts else { return false };
        fact::put(facts, spot.key, Given::new(value, range), FactOrigin::Given);
        // A machine has no more memory for use than memory.
        if spot.key == USABLE
            && let Some(all) = facts.get_mut(ALL)
            && all.value < value
        {
            all.value = value;
            all.range = None;
        }
        true
    }

    /// Says in which range a number of a view is known, and nothing else: what the view shows stays.
    ///
    /// # Errors
    /// A range whose ends the field does not allow, or that does not hold the number.
    pub fn put_range(
        &mut self,
        view: &QuestionView,
        number: &LocatedField,
        range: Option<Span>,
    ) -> Result<(), Invalid> {
        let field = number.field;
        if let Some(span) = range {
            for end in [span.low, span.high] {
                field.check("range", end)?;
            }
            if !span.contains(number.value) {
                let allowed = format!("a range that holds the value, {}", number.value);
                let shown = format!("{} to {}", span.low, span.high);
                return Err(Invalid::range(field.key, shown, &allowed));
            }
        }
        self.put(view, number.location, number.value, range);
        Ok(())
    }
}

/// Memory for use, and all memory.
const USABLE: &str = "m_gb";
const ALL: &str = "memory_gb";
