//! A `config.json` as it is read: where its language model stands, and which of its keys were read.

use crate::scenario::import::facts::FieldValue;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Fields under which multimodal models keep their language model.
const NESTED: [&str; 5] = [
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
    "decoder_config",
];

/// Names of the hidden size; the last is that of a `params.json`.
pub(super) const SIZE: [&str; 5] = ["hidden_size", "n_embd", "n_embed", "d_model", "dim"];

/// A value in a few words.
pub(in crate::scenario::import) fn value_text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => {
            let short: String = text.chars().filter(|c| !c.is_control()).take(30).collect();
            format!("the text \u{201c}{short}\u{201d}")
        }
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The language model's part of a file, and the file itself.
pub(super) struct ConfigFile<'a> {
    pub(super) inner: &'a Map<String, Value>,
    pub(super) outer: &'a Map<String, Value>,
    /// Where the inner one stands, with a point behind.
    pub(super) prefix: String,
    /// The keys that were read; those of an object in the file have its key and a point before them.
    read: RefCell<BTreeSet<String>>,
}

impl<'a> ConfigFile<'a> {
    pub(super) fn of(outer: &'a Map<String, Value>) -> Self {
        let mut config = Self {
            inner: outer,
            outer,
            prefix: String::new(),
            read: RefCell::default(),
        };
        // Two levels: some models that speak keep a thinker, and in it the text.
        for _ in 0..2 {
            let nested = NESTED.iter().find_map(|key| {
                let inner = config.inner.get(*key)?.as_object()?;
                let has = |map: &Map<String, Value>| {
                    SIZE.iter()
                        .any(|k| map.get(*k).is_some_and(|v| !v.is_null()))
                };
                (!has(config.inner) || has(inner)).then_some((*key, inner))
            });
            let Some((key, inner)) = nested else { break };
            config.prefix.push_str(key);
            config.prefix.push('.');
            config.inner = inner;
        }
        config
    }

    /// The value of a key, unless it is null; `a.b` is the key `b` of the object `a`.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        let value = match key.split_once('.') {
            Some((object, key)) => {
                let inside = self.inner.get(object)?.as_object()?;
                self.read.borrow_mut().insert(format!("{object}."));
                inside.get(key)
            }
            None => self.inner.get(key),
        }?;
        self.read.borrow_mut().insert(key.to_owned());
        (!value.is_null()).then_some(value)
    }

    /// The value of a key in the outermost object, unless it is null.
    pub(super) fn get_outer(&self, key: &str) -> Option<&'a Value> {
        let value = self.outer.get(key)?;
        self.read.borrow_mut().insert(key.to_owned());
        (!value.is_null()).then_some(value)
    }

    /// A number, or a list of numbers, under the first of these names that is there. Another of them with the same value is read as well;
    /// one with another value is not.
    pub(super) fn find(&self, keys: &[&str]) -> FieldValue {
        for (at, key) in keys.iter().enumerate() {
            let Some(value) = self.get(key) else { continue };
            for other in &keys[at + 1..] {
                if self.inner.get(*other) == Some(value) {
                    let _ = self.get(other);
                }
            }
            let path = format!("{}{key}", self.prefix);
            if let Some(number) = value.as_f64() {
                return FieldValue::Number(path, number);
            }
            let numbers = value.as_array().filter(|list| !list.is_empty());
            let numbers: Option<Vec<f64>> =
                numbers.and_then(|list| list.iter().map(Value::as_f64).collect());
            return match numbers {
                Some(numbers) => FieldValue::Numbers(path, numbers),
                None => FieldValue::Unusual(path, value_text(value)),
            };
        }
        FieldValue::Nothing
    }

    /// Returns true for a `params.json` as Mistral and Meta write it beside their own weights.
    pub(super) fn is_params(&self) -> bool {
        self.inner.contains_key("dim") && self.inner.contains_key("n_layers")
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.get(key).and_then(Value::as_bool)
    }

    pub(super) fn list(&self, key: &str) -> Option<&'a [Value]> {
        self.get(key).and_then(Value::as_array).map(Vec::as_slice)
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.get(key).and_then(Value::as_f64)
    }

    /// The keys of the language model that were not read, with their values. Of an object of which some keys were read these are
    /// the others in it.
    pub(super) fn unread(&self) -> Vec<(String, &'a Value)> {
        let read = self.read.borrow();
        let mut unread = Vec::new();
        for (key, value) in self.inner {
            let inside = format!("{key}.");
            let is_opened = read
                .range(inside.clone()..)
                .next()
                .is_some_and(|first| first.starts_with(&inside));
            match value.as_object().filter(|_| is_opened) {
                Some(object) => {
                    let keys = object
                        .iter()
                        .map(|(key, value)| (format!("{inside}{key}"), value));
                    unread.extend(keys.filter(|(key, _)| !read.contains(key)));
                }
                None if read.contains(key) => {}
                None => unread.push((key.clone(), value)),
            }
        }
        unread
    }
}
