//! `config.json`: dimensions, and with the family's plan the weights of every block.

mod attention;
mod block;
mod block_configs;
mod class_sizes;
mod family;
mod feed_forward;
pub(super) mod file;
mod kinds;
mod model_shape;
mod quant;
mod recurrent;
mod shape;
mod tensor;
mod unread;
mod variant;

use super::{Dense, FileKind, ImportedModel, UserAnswers, named};
use crate::model::catalog::{self, CatalogModel};
use crate::model::cost::DecoderCost;
use crate::problem::{Code, Invalid};
use crate::scenario::import::facts::{BLOCKS, ImportFacts};
use crate::scenario::import::weights::WeightFiles;
use crate::scenario::{Dimensions, Model};
use file::{ConfigFile, SIZE, value_text};
use model_shape::shape;
use serde_json::Value;
use shape::ModelShape;

/// Reads a config.
///
/// # Errors
/// No JSON, no object, or nothing of a language model in it.
pub(super) fn read(
    text: &str,
    file: &str,
    answers: &UserAnswers,
    weights: &WeightFiles,
) -> Result<ImportedModel, Invalid> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        let message = "this config.json is empty";
        return Err(Invalid::new(Code::Syntax, "", Value::Null, message));
    }
    let value: Value = serde_json::from_str(text)
        .or_else(|fault| serde_json::from_str(&without_infinity(text)).map_err(|_| fault))
        .map_err(|fault| {
            let message = format!("this is not readable as JSON: {fault}");
            Invalid::new(Code::Syntax, "", Value::Null, message)
        })?;
    let Some(outer) = value.as_object() else {
        let what = value_text(&value);
        let of_tool = match value.pointer("/0/avg_ts") {
            Some(_) => " as llama-bench prints it: edgewise fleet reads that",
            None => "",
        };
        let message = format!("a config.json must be an object, this is {what}{of_tool}");
        return Err(Invalid::new(Code::Type, "", Value::Null, message));
    };
    let config = ConfigFile::of(outer);
    let signs = [
        "model_type",
        "architectures",
        "num_hidden_layers",
        "n_layer",
        "num_attention_heads",
        "n_head",
    ];
    if !SIZE
        .iter()
        .chain(&signs)
        .any(|key| config.inner.contains_key(*key))
    {
        let mut keys: Vec<&str> = outer.keys().map(String::as_str).collect();
        keys.sort_unstable();
        let keys: Vec<String> = keys
            .into_iter()
            .take(5)
            .map(|key| key.chars().filter(|c| !c.is_control()).take(20).collect())
            .collect();
        let fields = if keys.is_empty() {
            "it has no fields".to_owned()
        } else {
            format!("its fields are {}", keys.join(", "))
        };
        let message = format!("this is not the config.json of a language model: {fields}");
        return Err(Invalid::new(
            Code::Missing,
            "hidden_size",
            Value::Null,
            message,
        ));
    }
    let mut facts = ImportFacts::new(answers);
    let mut notes = Vec::new();
    let shape = shape(&config, &mut facts, &mut notes);
    let shape = shape.filter(|_| !facts.is_open());
    let given = name_of(&config, file);
    let Some(shape) = shape else {
        let name = given.unwrap_or_else(|| "This model".to_owned());
        return Ok(ImportedModel::open(
            FileKind::Config,
            name,
            facts.list,
            notes,
            file,
        ));
    };
    let counted = shape.counts();
    let tied = (!shape.family.encoder).then_some(shape.tied);
    let settled = weights.settle(&counted, tied, &mut facts, &mut notes);
    // Dimensions stand for the bytes that follow from them.
    let is_settled = settled.is_some();
    let counts = settled.unwrap_or(counted);
    let unnamed = || {
        let billions = counts.parameters as f64 / 1e9;
        format!("{} {billions:.2}B", shape.model_type)
    };
    let dims = |name: String| Dimensions {
        name,
        layers: shape.blocks.len() as f64,
        d_model: shape.d as f64,
        h_q: shape.h_q as f64,
        h_k: shape.h_k as f64,
        d_head: shape.d_head as f64,
        d_ff: shape.d_ff as f64,
        weights: None,
        cache: None,
    };
    let is_dense = shape.is_dense();
    let is_plain = is_dense
        && !is_settled
        && shape.bytes.is_plain
        && shape.bytes.gain_and_bias == 2.0
        && shape.blocks.iter().all(|block| block.window.is_none());
    let value_bytes = if shape.bytes.gain_and_bias == 4.0 {
        4.0
    } else {
        2.0
    };
    // What equals a model of the catalogue has its name, whatever the file is called.
    let named_so = given.clone().unwrap_or_default();
    let published = is_plain
        .then(|| of_catalogue(&shape, &dims(String::new()), &named_so))
        .flatten();
    if let Some(entry) = published {
        notes.push(format!("This is {} of the catalogue.", entry.name));
    }
    let name = match published {
        Some(entry) => entry.name.to_owned(),
        None => given.unwrap_or_else(unnamed),
    };
    let model = named(&name, |name| {
        if is_plain {
            Model::Dimensions(dims(name))
        } else {
            Model::Blocks(counts.model(name, shape.d as f64, value_bytes))
        }
    });
    shape.add_notes(&counts, is_plain, &mut notes);
    if let Err(fault) = model.validate() {
        facts.add_question(BLOCKS, format!("{fault}."));
    }
    let is_open = facts.is_open();
    let dense = is_dense.then(|| Dense {
        dims: dims(model.name().to_owned()),
        vocabulary: shape.vocabulary as f64,
        tied: shape.tied,
    });
    Ok(ImportedModel {
        kind: FileKind::Config,
        name: model.name().to_owned(),
        facts: facts.list,
        notes,
        counts: Some(counts),
        model: (!is_open).then_some(model),
        file: file.to_owned(),
        weights: shape.bytes.stored,
        dense,
    })
}

/// The text with null for the numbers that Python writes and JSON does not have: `time_step_limit` has one in many files.
fn without_infinity(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // What stands between quotation marks stays; a mark behind a backslash does not end it.
    let mut is_quoted = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let number = ["-Infinity", "Infinity", "NaN"]
            .iter()
            .find(|word| !is_quoted && rest.starts_with(**word));
        if let Some(word) = number {
            plain.push_str("null");
            rest = &rest[word.len()..];
            continue;
        }
        let escaped = (is_quoted && first == '\\')
            .then(|| rest.chars().nth(1))
            .flatten();
        is_quoted ^= first == '"';
        plain.push(first);
        plain.extend(escaped);
        rest = &rest[first.len_utf8() + escaped.map_or(0, char::len_utf8)..];
    }
    plain
}

/// The model of the catalogue that is equal in every dimension, in its vocabulary, and in whether embedding and head are one; of
/// several the one that the name in the file mentions, else the first.
fn of_catalogue(
    shape: &ModelShape,
    dims: &Dimensions,
    given: &str,
) -> Option<&'static CatalogModel> {
    let own = DecoderCost {
        dims: dims.transformer(),
        vocabulary: shape.vocabulary as f64,
        tied: shape.tied,
    };
    let is_equal = |entry: &&CatalogModel| DecoderCost::from(*entry) == own;
    let mut equal = catalog::MODELS.iter().filter(is_equal);
    let given = given.to_lowercase();
    let is_mentioned = |entry: &&CatalogModel| given.contains(&entry.name.to_lowercase());
    equal.clone().find(is_mentioned).or_else(|| equal.next())
}

/// Returns the name of the model in the file, or that of its folder.
fn name_of(config: &ConfigFile, file: &str) -> Option<String> {
    let path = config
        .text("_name_or_path")
        .or_else(|| config.outer.get("_name_or_path")?.as_str());
    let last = |path: &str| {
        path.trim_end_matches(['/', '\\'])
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let stem = last(file);
    let stem = stem.strip_suffix(".json").unwrap_or(&stem).to_owned();
    let names = [
        path.map(last).unwrap_or_default(),
        if stem == "config" {
            String::new()
        } else {
            stem
        },
    ];
    names
        .into_iter()
        .find(|name| !name.is_empty() && name != ".")
}
