//! How the model is stored, as all questions know it: a precision for weights and one for keys and values, each with where it is
//! from.

use super::fact::FactOrigin;
use super::runtime_terms::RATES_OF_MODEL;
use super::{ModelFacts, ModelSheet, World};
use crate::model::precision::{Precision, Stored};
use crate::problem::Invalid;
use crate::scenario::fields;
use serde::Serialize;
use serde_json::Value;

/// A precision and where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Storage {
    /// The precision.
    pub precision: Precision,
    /// Where it is from.
    pub origin: FactOrigin,
}

impl From<Precision> for Storage {
    fn from(precision: Precision) -> Self {
        let origin = FactOrigin::Given;
        Self { precision, origin }
    }
}

impl ModelFacts {
    /// How it is stored, as far as that is known. Where it is not, every question takes two bytes a number, as the papers do.
    #[must_use]
    pub fn stored(&self) -> Stored {
        let of = |one: &Option<Storage>| one.as_ref().map(|one| one.precision);
        Stored {
            weights: of(&self.weights),
            cache: of(&self.cache),
        }
    }

    /// Takes over what a question changed.
    pub(super) fn absorb_stored(&mut self, old: &ModelSheet, new: &ModelSheet) {
        // What was said beside the bytes of a file goes with them.
        if old.body.is_some() && new.body.is_none() {
            (self.weights, self.cache) = (None, None);
        }
        let now = self.stored();
        let pick = |old, new, now| if old == new { now } else { new };
        let (old, new) = (old.stored, new.stored);
        self.store(Stored {
            weights: pick(old.weights, new.weights, now.weights),
            cache: pick(old.cache, new.cache, now.cache),
        });
    }

    /// Has it be stored so; what is known already keeps where it is from.
    pub(super) fn store(&mut self, stored: Stored) {
        let now = self.stored();
        if now.weights != stored.weights {
            self.weights = stored.weights.map(Storage::from);
        }
        if now.cache != stored.cache {
            self.cache = stored.cache.map(Storage::from);
        }
    }

    /// Moves facts from the settings of one question to the shared scenario.
    pub(super) fn learn_stored(&mut self, sheet: &ModelSheet) {
        let Stored { weights, cache } = sheet.stored;
        self.weights = self.weights.take().or(weights.map(Storage::from));
        self.cache = self.cache.take().or(cache.map(Storage::from));
    }
}

impl World {
    /// Has the model be stored so. Rates that are only assumed, as a link holds them, follow.
    pub fn store(&mut self, stored: Stored) {
        self.model.store(stored);
        self.reset_derived_rates();
    }

    /// Rates that are only assumed and hold for one model, stored in one way, follow their rule again.
    pub(super) fn reset_derived_rates(&mut self) {
        for machine in &mut self.machines {
            machine.facts.retain(|key, fact| {
                !RATES_OF_MODEL.contains(key) || !matches!(fact.origin, FactOrigin::Assumed(_))
            });
        }
    }
}

/// A precision as a file has it: the name alone where it is given.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum WrittenPrecision {
    Plain(Precision),
    Full { value: Precision, from: FactOrigin },
}

impl From<&Storage> for WrittenPrecision {
    fn from(storage: &Storage) -> Self {
        let value = storage.precision;
        match &storage.origin {
            FactOrigin::Given => Self::Plain(value),
            from => Self::Full {
                value,
                from: from.clone(),
            },
        }
    }
}

/// Reads a precision; `allowed` are those that can be there.
///
/// # Errors
/// The value is not a precision, or not an allowed one.
pub(super) fn read(
    value: &Value,
    path: &str,
    allowed: &[Precision],
    longest_origin: usize,
) -> Result<Storage, Invalid> {
    let refused = |path: &str, value: &Value| {
        let names: Vec<&str> = allowed.iter().map(|one| one.name()).collect();
        let allowed = format!("one of {}, or {{\"value\", \"from\"}}", names.join(", "));
        Invalid::range(path, value.clone(), &allowed)
    };
    let (name, origin) = match value {
        Value::String(name) => (name, FactOrigin::Given),
        Value::Object(whole) => {
            let is_known = |name: &String| matches!(name.as_str(), "value" | "from");
            let from = whole.get("from").cloned();
            let from = from.map_or(Ok(FactOrigin::Given), serde_json::from_value);
            match (whole.get("value"), from) {
                (Some(Value::String(name)), Ok(from)) if whole.keys().all(is_known) => (name, from),
                _ => return Err(refused(path, value)),
            }
        }
        _ => return Err(refused(path, value)),
    };
    fields::text(
        &format!("{path}.from"),
        origin.description(),
        longest_origin,
    )?;
    let found = allowed.iter().find(|one| one.name() == name);
    let precision = *found.ok_or_else(|| refused(path, &Value::from(name.as_str())))?;
    Ok(Storage { precision, origin })
}
