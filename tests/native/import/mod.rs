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

use engine::scenario::import::{ImportedModel, Origin, UserAnswers};

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
