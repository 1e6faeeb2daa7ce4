//! Models that people bring: `config.json` and GGUF headers, good, odd and hostile.

mod architectures;
mod classes;
mod config;
mod damaged;
mod gguf;
mod gguf_keys;
mod gguf_odd;
mod published;
mod quantised;
mod scenario;
mod weights;

use engine::scenario::import::{self, Counts, ImportedModel, Origin, UserAnswers};
use serde_json::Value;

/// No answers.
fn none() -> UserAnswers {
    UserAnswers::new()
}

/// One answer.
fn answered(field: &str, value: f64) -> UserAnswers {
    [(field.to_owned(), value)].into_iter().collect()
}

/// The value of a fact as it is shown, and how it was come by.
#[track_caller]
fn fact<'a>(brought: &'a ImportedModel, field: &str) -> (String, &'a Origin) {
    let found = brought.facts.iter().find(|fact| fact.field == field);
    let found = found.unwrap_or_else(|| panic!("no {field} in {:?}", brought.facts));
    (found.display_value(), &found.origin)
}

/// The fields that are asked for.
fn asked(brought: &ImportedModel) -> Vec<&str> {
    brought.questions().map(|(field, _)| field).collect()
}

/// A `config.json`, read without answers.
#[track_caller]
fn of(config: &Value) -> ImportedModel {
    import::config(&config.to_string(), "config.json", &none()).expect("it is a config")
}

/// Counts of a config of which nothing is asked.
#[track_caller]
fn counts(config: &Value) -> Counts {
    counts_of(of(config))
}

#[track_caller]
fn counts_of(brought: ImportedModel) -> Counts {
    assert_eq!(asked(&brought), [""; 0], "{:?}", brought.facts);
    assert!(brought.planned().is_ok(), "{:?}", brought.planned());
    brought.counts.expect("nothing is missing")
}

/// A file with some fields changed.
fn with(config: &Value, fields: &[(&str, Value)]) -> Value {
    let mut config = config.clone();
    for (key, value) in fields {
        config[*key] = value.clone();
    }
    config
}
