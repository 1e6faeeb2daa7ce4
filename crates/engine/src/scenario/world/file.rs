//! The scenario of all questions as a file and in a link, format 4. Every part is written; unknown ones are refused.

use super::fact::{WholeFact, WorldFacts, WrittenFact};
use super::shared::in_order;
use super::{ModelFacts, Settings, World, WorldFact, WorldMachine, stored};
use crate::model::precision::Precision;
use crate::problem::{Code, Invalid, json};
use crate::scenario::schema::other_format;
use crate::scenario::{Model, Question, fields};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The version of the format that this program reads and writes.
pub const FORMAT: u32 = 4;
/// The most machines.
const MOST_MACHINES: usize = fields::MOST_DEVICES;
/// The longest word on where a fact is from.
const LONGEST_ORIGIN: usize = 300;

/// The document: written with facts and settings as they are, read with whatever is in their place.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<F, P, S> {
    format: u32,
    question: Question,
    title: String,
    machines: Vec<MachineDocument<F>>,
    model: ModelDocument<F, P>,
    network: BTreeMap<String, F>,
    request: BTreeMap<String, F>,
    settings: BTreeMap<String, SettingsDocument<S>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineDocument<F> {
    id: u32,
    name: String,
    off: bool,
    facts: BTreeMap<String, F>,
    link: Option<BTreeMap<String, F>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelDocument<F, P> {
    name: String,
    facts: BTreeMap<String, F>,
    tied: Option<bool>,
    body: Option<Model>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<P>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsDocument<S> {
    rows: Vec<u32>,
    own: S,
}

/// Where an object stands, for [`json::read`].
const OBJECTS: [&str; 7] = [
    "",
    "machines[]",
    "machines[].facts",
    "model",
    "network",
    "request",
    "settings",
];

impl World {
    /// The scenario as a file: every part, fixed order, numbers that read back to the same bits.
    #[must_use]
    pub fn to_json(&self) -> String {
        let facts = |facts: &WorldFacts| -> BTreeMap<String, WrittenFact> {
            let written = facts
                .iter()
                .map(|(key, fact)| ((*key).to_owned(), WrittenFact::from(fact)));
            written.collect()
        };
        let machine = |machine: &WorldMachine| MachineDocument {
            id: machine.id,
            name: machine.name.clone(),
            off: machine.off,
            facts: facts(&machine.facts),
            link: machine.link.as_ref().map(facts),
        };
        let settings = self.settings.iter().map(|(name, settings)| {
            let own = RawValue::from_string(settings.text.to_string());
            let document = SettingsDocument {
                rows: settings.rows.clone(),
                own: own.unwrap_or_default(),
            };
            ((*name).to_owned(), document)
        });
        let document = Document {
            format: FORMAT,
            question: self.question,
            title: self.title.clone(),
            machines: self.machines.iter().map(machine).collect(),
            model: ModelDocument {
                name: self.model.name.clone(),
                facts: facts(&self.model.facts),
                tied: self.model.tied,
                body: self.model.body.clone(),
                weights: self
                    .model
                    .weights
                    .as_ref()
                    .map(stored::WrittenPrecision::from),
                cache: self
                    .model
                    .cache
                    .as_ref()
                    .map(stored::WrittenPrecision::from),
            },
            network: facts(&self.network),
            request: facts(&self.request),
            settings: settings.collect(),
        };
        serde_json::to_string(&document).expect("plain data with text keys always serialises")
    }

    /// Reads a scenario file of this format. The view of the question that it opens on is checked as well.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let document: Document<Value, Value, Value> = json::read(text, &OBJECTS)?;
        if document.format != FORMAT {
            return Err(other_format(u64::from(document.format), &[FORMAT]));
        }
        fields::text("title", &document.title, fields::LONGEST_TITLE)?;
        let count = document.machines.len();
        if count > MOST_MACHINES {
            let message =
                format!("machines must be a list of at most {MOST_MACHINES}, it has {count}");
            return Err(Invalid::new(Code::Range, "machines", count, message));
        }
        let mut machines: Vec<WorldMachine> = Vec::with_capacity(count);
        for (at, one) in document.machines.into_iter().enumerate() {
            let owner = format!("machines[{at}]");
            fields::text(&format!("{owner}.name"), &one.name, fields::LONGEST_NAME)?;
            if one.id == u32::MAX || machines.iter().any(|other| other.id == one.id) {
                let allowed = "a number below 4294967295 that no machine before it has";
                return Err(Invalid::range(format!("{owner}.id"), one.id, allowed));
            }
            let link = one.link.map(|link| facts(link, &format!("{owner}.link")));
            machines.push(WorldMachine {
                id: one.id,
                name: one.name,
                off: one.off,
                facts: facts(one.facts, &format!("{owner}.facts"))?,
                link: link.transpose()?,
            });
        }
        fields::text("model.name", &document.model.name, fields::LONGEST_NAME)?;
        if let Some(body) = &document.model.body {
            body.validate()
                .map_err(|fault| fault.within("model.body"))?;
        }
        let stored = |written: Option<Value>, key: &str, allowed: &[Precision]| {
            let path = format!("model.{key}");
            let read = |value: Value| stored::read(&value, &path, allowed, LONGEST_ORIGIN);
            written.map(read).transpose()
        };
        let weights = stored(document.model.weights, "weights", &Precision::ALL)?;
        let cache = stored(document.model.cache, "cache", &Precision::OF_CACHE)?;
        let mut settings = BTreeMap::new();
        for (name, one) in document.settings {
            let question = Question::find(&name).ok_or_else(|| {
                let known = Question::ALL.map(Question::name).join(", ");
                let shown: String = name.chars().take(40).collect();
                Invalid::range("settings", shown, &format!("by question: {known}"))
            })?;
            if one.rows.len() > MOST_MACHINES {
                let path = format!("settings.{name}.rows");
                let count = one.rows.len();
                let message =
                    format!("{path} must be a list of at most {MOST_MACHINES}, it has {count}");
                return Err(Invalid::new(Code::Range, path, count, message));
            }
            let mut text = String::new();
            in_order(&one.own, &mut text);
            let rows = one.rows;
            settings.insert(
                question.name(),
                Settings {
                    rows,
                    text: text.into(),
                },
            );
        }
        let world = Self {
            question: document.question,
            title: document.title,
            machines,
            model: ModelFacts {
                name: document.model.name,
                facts: facts(document.model.facts, "model.facts")?,
                tied: document.model.tied,
                body: document.model.body,
                weights,
                cache,
            },
            network: facts(document.network, "network")?,
            request: facts(document.request, "request")?,
            settings,
        };
        world.view(world.question)?;
        Ok(world)
    }
}

/// Facts as a file has them.
///
/// # Errors
/// A name that no field has, something that is no fact, a number or a range that the field does not allow.
fn facts(written: BTreeMap<String, Value>, owner: &str) -> Result<WorldFacts, Invalid> {
    let mut facts = WorldFacts::new();
    for (name, value) in written {
        let path = format!("{owner}.{}", name.chars().take(40).collect::<String>());
        let Some(field) = fields::of(&name) else {
            let message = format!("{path} is not a field: docs/fields.md lists them");
            return Err(Invalid::new(Code::Unknown, path, Value::Null, message));
        };
        let whole = |value: Value| {
            serde_json::from_value::<WholeFact>(value)
                .ok()
                .map(WrittenFact::Full)
        };
        let fact = match &value {
            Value::Number(number) => number.as_f64().map(WrittenFact::Plain),
            Value::Object(_) => whole(value.clone()),
            _ => None,
        };
        let Some(fact) = fact.map(WorldFact::from) else {
            let allowed = "a number, or {\"value\", \"range\": [low, high], \"from\"}";
            return Err(Invalid::range(path, value, allowed));
        };
        field.check(owner, fact.value)?;
        if let Some(span) = fact.range
            && !(field.allows(span.low) && field.allows(span.high) && span.low <= span.high)
        {
            let allowed = format!("[low, high] of which each is {}", field.range_text());
            return Err(Invalid::range(
                format!("{path}.range"),
                value["range"].clone(),
                &allowed,
            ));
        }
        fields::text(
            &format!("{path}.from"),
            fact.origin.description(),
            LONGEST_ORIGIN,
        )?;
        facts.insert(field.key, fact);
    }
    Ok(facts)
}
