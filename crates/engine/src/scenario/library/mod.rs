//! The shelf: named scenarios that a browser keeps, each under a key of its own, and what becomes of one that two tabs write.
//!
//! No tab writes over work that it has not read. An entry carries the mark of its last write and of the write before it. Who saves
//! looks first: a scenario that another tab has changed in the meantime is kept beside theirs, under a name of its own. Two
//! writes may still cross, because what one tab keeps reaches another a moment later; then the tab whose write was lost learns of
//! it ([`Tab::on_storage_event`]) and keeps its scenario once more.
//!
//! Neither clock nor chance: the caller brings a new id and the time ([`WriteStamp`]). An entry that this version cannot read is
//! never written.

mod file;
mod tab;
#[cfg(test)]
mod tests;

pub use file::{Import, export, import, import_entries};
pub use tab::{Saved, Tab};

use super::fields::{self, LONGEST_TITLE};
use super::link::{self, LinkError};
use super::rows::free_name;
use super::{Any, Question};
use crate::problem::{Code, Invalid};
use serde_json::{Map, Value, json};

/// The version of an entry and of a file of entries that this program writes.
pub const FORMAT: u64 = 1;
/// How the key of every entry begins; its id follows.
pub const PREFIX: &str = "edgewise.workspace.";
/// The key that says that what an earlier version kept has been taken over.
const MIGRATED_KEY: &str = "edgewise.workspace";

/// Note on a scenario that only a later version can open.
const BY_A_NEWER: &str = "made by a newer Edgewise";

/// Whatever keeps texts under keys.
pub trait KeyValueStore {
    /// The text under a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Keeps a text, and says whether that was possible.
    fn set(&mut self, key: &str, text: &str) -> bool;
    /// Forgets a text.
    fn remove(&mut self, key: &str);
    /// All keys, in any order.
    fn keys(&self) -> Vec<String>;
}

/// Time and random ids, which pure code cannot know.
#[derive(Debug, Clone)]
pub struct WriteStamp {
    /// An id that nothing else has.
    pub id: String,
    /// The time in UTC: `2026-01-31T12:00:00.000Z`.
    pub time: String,
}

/// A scenario on the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedEntry {
    /// Its name, which no other has when it is given.
    pub name: String,
    /// The name of its question.
    pub question: String,
    /// The scenario as a link's fragment.
    pub link: String,
    /// When it was changed last, as in [`WriteStamp::time`].
    pub edited: String,
    /// Its last write: a number that counts them, and the id of this one.
    revision: String,
    /// The write before.
    over: String,
}

impl SavedEntry {
    /// One that no one has written yet.
    fn new(name: String, question: &str, link: &str, time: &str) -> Self {
        Self {
            name,
            question: question.to_owned(),
            link: link.to_owned(),
            edited: time.to_owned(),
            revision: String::new(),
            over: String::new(),
        }
    }

    /// Reads what [`Self::write`] wrote. The link is not opened.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed; a newer format by its number.
    fn read(text: &str) -> Result<Self, Invalid> {
        let value: Value = serde_json::from_str(text)
            .map_err(|fault| Invalid::new(Code::Syntax, "", Value::Null, fault.to_string()))?;
        let object = object(&value)?;
        format_of(object)?;
        let get = |key: &str| text_of(object, key).map(str::to_owned);
        Ok(Self {
            name: get("name")?,
            question: get("question")?,
            link: get("link")?,
            edited: get("edited")?,
            revision: get("revision")?,
            over: get("over")?,
        })
    }

    /// Keeps it under an id, over the write it holds, and says whether that was possible.
    fn write(&mut self, store: &mut impl KeyValueStore, id: &str, now: &WriteStamp) -> bool {
        let before = std::mem::take(&mut self.revision);
        let number = before.split('-').next().and_then(|n| n.parse().ok());
        self.revision = format!("{}-{}", number.unwrap_or(0_u64) + 1, now.id);
        self.over = before;
        let text = json!({
            "format": FORMAT,
            "name": self.name,
            "question": self.question,
            "link": self.link,
            "edited": self.edited,
            "revision": self.revision,
            "over": self.over,
        });
        store.set(&key(id), &text.to_string())
    }
}

fn key(id: &str) -> String {
    format!("{PREFIX}{id}")
}

fn object(value: &Value) -> Result<&Map<String, Value>, Invalid> {
    let no_object = || Invalid::range("", value.clone(), "an object");
    value.as_object().ok_or_else(no_object)
}

fn member<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a Value, Invalid> {
    let missing = || Invalid::new(Code::Missing, key, Value::Null, format!("{key} is missing"));
    object.get(key).ok_or_else(missing)
}

fn text_of<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a str, Invalid> {
    let value = member(object, key)?;
    let text = value.as_str();
    text.ok_or_else(|| Invalid::range(key, value.clone(), "text"))
}

/// Refuses a format that is not read here.
fn format_of(object: &Map<String, Value>) -> Result<(), Invalid> {
    let value = member(object, "format")?;
    match value.as_u64() {
        Some(FORMAT) => Ok(()),
        Some(newer) if newer > FORMAT => {
            let message =
                format!("format: {BY_A_NEWER} (format {newer}, this one reads up to {FORMAT})");
            Err(Invalid::new(Code::Range, "format", newer, message))
        }
        _ => Err(Invalid::range("format", value.clone(), "1")),
    }
}

/// Checks a name that the user gives, and takes blanks at its ends away.
///
/// # Errors
/// Says what is allowed.
pub fn name_of(typed: &str) -> Result<&str, Invalid> {
    let name = typed.trim();
    if name.is_empty() {
        let message = "name must not be empty";
        return Err(Invalid::new(Code::Range, "name", typed, message));
    }
    fields::text("name", name, LONGEST_TITLE).map(|()| name)
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedLine {
    /// Id.
    pub id: String,
    /// Its name, or what stands for it where there is none to read.
    pub name: String,
    /// Its question, as far as it is known.
    pub question: Option<Question>,
    /// When it was changed last; empty where that cannot be read.
    pub edited: String,
    /// Why this version cannot open it.
    pub fault: Option<String>,
}

/// Ids of all that is kept, in order.
pub fn ids(store: &impl KeyValueStore) -> Vec<String> {
    let keys = store.keys().into_iter();
    let mut ids: Vec<String> = keys
        .filter_map(|key| key.strip_prefix(PREFIX).map(str::to_owned))
        .collect();
    ids.sort();
    ids
}

/// Everything that is kept, what was changed last first.
///
/// # Complexity
/// Opens every link.
pub fn list(store: &impl KeyValueStore) -> Vec<SavedLine> {
    let ids = ids(store).into_iter();
    let mut lines: Vec<SavedLine> = ids.filter_map(|id| line(store, id)).collect();
    lines.sort_by(|a, b| b.edited.cmp(&a.edited));
    lines
}

fn line(store: &impl KeyValueStore, id: String) -> Option<SavedLine> {
    let text = store.get(&key(&id))?;
    let entry = match SavedEntry::read(&text) {
        Ok(entry) => entry,
        Err(fault) => {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let name = value.get("name").and_then(Value::as_str);
            return Some(SavedLine {
                name: name.unwrap_or(&id).chars().take(LONGEST_TITLE).collect(),
                id,
                question: None,
                edited: String::new(),
                fault: Some(match fault.path.as_str() {
                    "format" => BY_A_NEWER.to_owned(),
                    _ => "cannot be read".to_owned(),
                }),
            });
        }
    };
    let opened = link::decode(&entry.link);
    Some(SavedLine {
        id,
        question: match &opened {
            Ok(any) => Some(any.question()),
            Err(_) => Question::find(&entry.question),
        },
        name: entry.name,
        edited: entry.edited,
        fault: opened.err().map(|fault| match fault {
            LinkError::Newer { .. } | LinkError::UnknownQuestion(_) => BY_A_NEWER.to_owned(),
            other => other.to_string(),
        }),
    })
}

/// Returns the saved scenarios with their ids, the latest change first. Opens no link.
fn latest(store: &impl KeyValueStore) -> Vec<(SavedEntry, String)> {
    let read = |id: String| Some((SavedEntry::read(&store.get(&key(&id))?).ok()?, id));
    let mut found: Vec<(SavedEntry, String)> = ids(store).into_iter().filter_map(read).collect();
    found.sort_by(|(a, _), (b, _)| b.edited.cmp(&a.edited));
    found
}

/// Returns true if a scenario is saved under an id.
pub fn contains(store: &impl KeyValueStore, id: &str) -> bool {
    store.get(&key(id)).is_some()
}

/// A name that nothing on the library but `own` has.
fn free(store: &impl KeyValueStore, name: &str, own: &str) -> String {
    let others = ids(store).into_iter().filter(|id| id != own);
    let taken: Vec<String> = others
        .filter_map(|id| {
            let value: Value = serde_json::from_str(&store.get(&key(&id))?).ok()?;
            value.get("name")?.as_str().map(str::to_owned)
        })
        .collect();
    let taken: Vec<&str> = taken.iter().map(String::as_str).collect();
    match name.trim() {
        "" => free_name("Scenario", &taken),
        name => free_name(name, &taken),
    }
}

/// Renames what is kept; where the name is taken, it gets a number. Answers the name it has, or nothing where that was not
/// possible.
pub fn rename(
    store: &mut impl KeyValueStore,
    id: &str,
    name: &str,
    now: &WriteStamp,
) -> Option<String> {
    let mut entry = SavedEntry::read(&store.get(&key(id))?).ok()?;
    let name = free(store, name, id);
    entry.name.clone_from(&name);
    entry.write(store, id, now).then_some(name)
}

/// Keeps a copy under a name of its own, which is the answer where that was possible.
pub fn duplicate(store: &mut impl KeyValueStore, id: &str, now: &WriteStamp) -> Option<String> {
    let entry = SavedEntry::read(&store.get(&key(id))?).ok()?;
    let name = free(store, &entry.name, "");
    let mut copy = SavedEntry::new(name.clone(), &entry.question, &entry.link, &now.time);
    copy.write(store, &now.id, now).then_some(name)
}

/// Takes something off the library; its text brings it back ([`restore`]).
pub fn delete(store: &mut impl KeyValueStore, id: &str) -> Option<String> {
    let text = store.get(&key(id))?;
    store.remove(&key(id));
    Some(text)
}

/// Puts what was deleted back, beside what has been kept under its id since; says whether that was possible.
pub fn restore(store: &mut impl KeyValueStore, id: &str, text: &str, now: &WriteStamp) -> bool {
    let id = match store.get(&key(id)) {
        None => id,
        Some(_) => &now.id,
    };
    store.set(&key(id), text)
}

/// Takes over what an earlier version kept, one scenario a question, once; its keys are left as they are.
pub fn take_over(store: &mut impl KeyValueStore, time: &str) {
    if store.get(MIGRATED_KEY).is_some() {
        return;
    }
    for question in Question::ALL {
        let old = match question {
            Question::ColdStart => "edgewise.scenario".to_owned(),
            other => format!("edgewise.scenario.{}", other.name()),
        };
        let text = store.get(&old);
        let link = text.and_then(|text| serde_json::from_str::<String>(&text).ok());
        // Under the question's name, so that being interrupted leaves nothing twice.
        let id = question.name();
        if let Some(link) = link
            && store.get(&key(id)).is_none()
        {
            let opened = link::decode(&link).ok();
            let title = opened.as_ref().map_or(id, Any::title);
            let name = free(store, title, "");
            let now = WriteStamp {
                id: id.to_owned(),
                time: time.to_owned(),
            };
            if !SavedEntry::new(name, id, &link, time).write(store, id, &now) {
                return;
            }
        }
    }
    store.set(MIGRATED_KEY, &json!({ "format": FORMAT }).to_string());
}
