//! Runs that llama-bench measured, from what it prints with `-o json`.

use super::{MeasuredKind, MeasuredRun};
use crate::model::catalog::{CatalogModel, MODELS};
use crate::model::cost::DecoderCost;
use crate::model::precision::{Precision, Stored};
use crate::problem::{Code, Invalid, json};
use crate::scenario::Model;
use serde::Deserialize;

/// How far the parameters of a model of the catalogue may be from those of a run: gains and tables that only a file has.
const SAME_SIZE: f64 = 0.01;

/// One test of llama-bench; it prints much more.
#[derive(Debug, Deserialize)]
struct Test {
    model_type: String,
    #[serde(default)]
    model_n_params: Option<f64>,
    n_prompt: f64,
    n_gen: f64,
    #[serde(default)]
    n_depth: f64,
    avg_ts: f64,
}

/// The runs of a file of llama-bench, prompts and generation apart; tests that do both are passed over, since one rate does not say
/// which took how long.
///
/// # Errors
/// A text that is no list of tests, a model or a format that the catalogue does not have, a file without a test of one kind alone.
///
/// # Complexity
/// O(length + tests · catalogue).
pub fn of_llama_bench(text: &str) -> Result<Vec<MeasuredRun>, Invalid> {
    let tests: Vec<Test> = json::read(text, &[])?;
    let mut runs = Vec::new();
    for (at, test) in tests.iter().enumerate() {
        let kind = match (test.n_prompt > 0.0, test.n_gen > 0.0) {
            (true, false) => MeasuredKind::Prefill {
                tokens: test.n_prompt,
            },
            (false, true) => MeasuredKind::Decode {
                prompt: test.n_depth,
                answer: test.n_gen,
            },
            _ => continue,
        };
        let (entry, weights) = model_of(test, at)?;
        let stored = Stored {
            weights: Some(weights),
            cache: None,
        };
        runs.push(MeasuredRun {
            model: Model::from_dims(entry.name, &entry.dims).with_stored(stored),
            kind,
            tok_s: test.avg_ts,
            source: format!(
                "llama-bench: {} token/s of {} in {}",
                test.avg_ts,
                entry.name,
                weights.name()
            ),
        });
    }
    if runs.is_empty() {
        let message =
            "none of the tests is of prompts alone (n_gen 0) or of generation alone (n_prompt 0)";
        return Err(Invalid::new(Code::Missing, "n_gen", tests.len(), message));
    }
    Ok(runs)
}

/// The model and the format of a test: "llama 8B Q4_K - Medium".
fn model_of(test: &Test, at: usize) -> Result<(&'static CatalogModel, Precision), Invalid> {
    let path = format!("[{at}].model_type");
    let refused = |allowed: &str| Invalid::range(path.clone(), test.model_type.as_str(), allowed);
    let words: Vec<&str> = test.model_type.split_whitespace().collect();
    let size = words.iter().position(|word| billions(word).is_some());
    let (Some(size), Some(family)) = (size, words.first()) else {
        return Err(refused(
            "a family, a size and a format, as \"llama 8B Q4_K - Medium\"",
        ));
    };
    let is_same = |entry: &&CatalogModel| {
        let name = entry.name.to_lowercase();
        let has_size = || name.ends_with(&format!("-{}", words[size].to_lowercase()));
        let has_count = |count: f64| {
            let own = DecoderCost::from(*entry).parameters();
            (own / count - 1.0).abs() <= SAME_SIZE
        };
        name.replace('-', "").starts_with(&family.to_lowercase())
            && test.model_n_params.map_or_else(has_size, has_count)
    };
    let entry = MODELS.iter().find(is_same).ok_or_else(|| {
        refused(
            "a dense model of the catalogue; the rate of another one can be given with its name",
        )
    })?;
    let format = words[size + 1..].join(" ");
    let weights = format_of(&format).ok_or_else(|| {
        let known = Precision::ALL.map(Precision::name).join(", ");
        refused(&format!("a format of these: {known}"))
    })?;
    Ok((entry, weights))
}

/// The size of a model in its name [10^9 parameters]: "8B", "1.5B".
fn billions(word: &str) -> Option<f64> {
    let size: f64 = word.strip_suffix('B')?.parse().ok()?;
    (size.is_finite() && size > 0.0).then_some(size)
}

/// A format by the words of llama.cpp: "Q4_K - Medium", "F16".
fn format_of(words: &str) -> Option<Precision> {
    let (kind, mix) = words.split_once(" - ").unwrap_or((words, ""));
    let kind = match kind.trim() {
        "F16" => "fp16",
        "F32" | "all F32" => "fp32",
        kind => kind,
    };
    let mix = match mix.trim() {
        "Small" => "_S",
        "Medium" => "_M",
        _ => "",
    };
    let is = |name: String| {
        Precision::ALL
            .into_iter()
            .find(|one| one.name().eq_ignore_ascii_case(&name))
    };
    is(format!("{kind}{mix}")).or_else(|| is(kind.to_owned()))
}
