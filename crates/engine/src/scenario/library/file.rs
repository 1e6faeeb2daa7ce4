//! All scenarios of the library as one file, which a person can read; and back. A file is not trusted: each of its scenarios is
//! checked by itself, and what is wrong is said by its place.

use super::{
    FORMAT, KeyValueStore, SavedEntry, WriteStamp, free, ids, key, member, name_of, object, text_of,
};
use crate::problem::{Code, Invalid, json};
use crate::scenario::link;
use serde_json::Value;

/// Tag of the file.
const KIND: &str = "edgewise-workspace";
/// The most scenarios that are read from a file.
const MOST: usize = 1000;

/// Content of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// The scenarios that can be taken.
    pub entries: Vec<SavedEntry>,
    /// Errors of the others.
    pub faults: Vec<Invalid>,
}

/// Everything on the library as a file, a scenario a line, in the order of their ids. What this version cannot read goes along as
/// it is kept.
#[must_use]
pub fn export(store: &impl KeyValueStore) -> String {
    let ids = ids(store).into_iter();
    let lines: Vec<String> = ids.filter_map(|id| line(&store.get(&key(&id))?)).collect();
    format!(
        "{{\n\"format\": {FORMAT},\n\"kind\": \"{KIND}\",\n\"scenarios\": [\n{}\n]\n}}\n",
        lines.join(",\n")
    )
}

fn line(text: &str) -> Option<String> {
    let Ok(entry) = SavedEntry::read(text) else {
        // JSON is in the file as it is, anything else as text.
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        return Some(value.to_string());
    };
    let fields = [
        ("name", entry.name),
        ("question", entry.question),
        ("link", entry.link),
        ("edited", entry.edited),
    ];
    let fields = fields.map(|(key, text)| format!("\"{key}\": {}", Value::from(text)));
    Some(format!("{{{}}}", fields.join(", ")))
}

/// Reads such a file.
///
/// # Errors
/// The file is something else, or of a newer format. Errors of single scenarios are in [`Import::faults`].
pub fn import(text: &str) -> Result<Import, Invalid> {
    let document: Value = json::read(text, &[""])?;
    let file = object(&document)?;
    match file.get("kind") {
        Some(Value::String(kind)) if kind == KIND => {}
        other => {
            let allowed = format!("\"{KIND}\" in a file of scenarios");
            let value = other.cloned().unwrap_or_default();
            return Err(Invalid::range("kind", value, &allowed));
        }
    }
    super::format_of(file)?;
    if let Some(key) = file
        .keys()
        .find(|key| !matches!(key.as_str(), "format" | "kind" | "scenarios"))
    {
        return Err(unknown(key, "format, kind, scenarios"));
    }
    let list = member(file, "scenarios")?;
    let Some(list) = list.as_array().filter(|list| list.len() <= MOST) else {
        let value = list
            .as_array()
            .map_or(list.clone(), |list| list.len().into());
        let allowed = format!("a list of at most {MOST} scenarios");
        return Err(Invalid::range("scenarios", value, &allowed));
    };
    let mut import = Import::default();
    for (at, value) in list.iter().enumerate() {
        match entry(value) {
            Ok(entry) => import.entries.push(entry),
            Err(fault) => import
                .faults
                .push(fault.within(&format!("scenarios[{at}]"))),
        }
    }
    Ok(import)
}

fn unknown(key: &str, known: &str) -> Invalid {
    let message = format!("{key} is not a field here, its fields are {known}");
    Invalid::new(Code::Unknown, key, Value::Null, message)
}

/// Reads one scenario of a file.
///
/// # Errors
/// Names the field, what it holds and what is allowed.
fn entry(value: &Value) -> Result<SavedEntry, Invalid> {
    let entry = object(value)?;
    if entry.contains_key("format") {
        super::format_of(entry)?;
    }
    let known = |key: &&String| matches!(key.as_str(), "name" | "question" | "link" | "edited");
    if let Some(key) = entry.keys().find(|key| !known(key)) {
        return Err(unknown(key, "name, question, link, edited"));
    }
    let name = name_of(text_of(entry, "name")?)?;
    let link = text_of(entry, "link")?;
    let scenario = link::decode(link)
        .map_err(|fault| Invalid::new(Code::Link, "link", Value::Null, format!("link: {fault}")))?;
    let (question, asked) = (text_of(entry, "question")?, scenario.question().name());
    if question != asked {
        let allowed = format!("{asked:?}, which its link asks");
        return Err(Invalid::range("question", question, &allowed));
    }
    let edited = text_of(entry, "edited")?;
    if !is_time(edited) {
        let allowed = "a time like \"2026-01-31T12:00:00.000Z\"";
        return Err(Invalid::range("edited", edited, allowed));
    }
    // A whole address is a link as well; the library keeps its fragment.
    let fragment = link.trim().rsplit('#').next().unwrap_or_default();
    Ok(SavedEntry::new(
        name.to_owned(),
        question,
        &format!("#{fragment}"),
        edited,
    ))
}

/// Returns true if a text has the form of a time in UTC, with or without milliseconds.
fn is_time(text: &str) -> bool {
    let forms = ["0000-00-00T00:00:00Z", "0000-00-00T00:00:00.000Z"];
    let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
    forms.contains(
        &text
            .chars()
            .take(30)
            .map(digits)
            .collect::<String>()
            .as_str(),
    )
}

/// Puts scenarios of a file on the library, each beside what is there; answers how many were kept.
pub fn import_entries(
    store: &mut impl KeyValueStore,
    entries: &[SavedEntry],
    mut now: impl FnMut() -> WriteStamp,
) -> usize {
    let keep = |entry: &&SavedEntry| {
        let now = now();
        let mut entry = (*entry).clone();
        entry.name = free(store, &entry.name, "");
        entry.write(store, &now.id, &now)
    };
    entries.iter().take_while(keep).count()
}
