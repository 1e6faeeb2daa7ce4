//! Defaults for the model and a request: by the catalogue where the name is known, else by what is known of its layers.

use super::World;
use super::fact::find_fact;
use super::guess::{Guess, guess};
use crate::model::catalog as models;
use crate::model::precision::{BYTES_16, Precision};
use crate::scenario::{Dimensions, Model};

/// The model that is taken where none is given.
const ANY_MODEL: &str = "Qwen3-4B";

/// How weights are stored, where the model has no blocks of a file that say it themselves: 16 bits by default.
pub(super) fn weights(world: &World) -> Precision {
    let said = world.model.stored().weights;
    let said = said.filter(|_| world.model.body.is_none());
    said.unwrap_or_default()
}

/// Returns a note if the model does not fit.
pub(super) fn fits(world: &World, memory_gb: f64) -> &'static str {
    match layers(world, 1.0).1 > 1e9 * memory_gb {
        true => "; its weights do not fit this memory",
        false => "",
    }
}

/// Returns true if any number of a model is known.
fn has_model(world: &World) -> bool {
    let model = &world.model;
    model.body.is_some() || !model.facts.is_empty() || !model.name.is_empty()
}

/// The name of the model, or of the one that is taken where none is given.
pub(super) fn model_name(world: &World) -> String {
    match has_model(world) {
        true => world.model.name.clone(),
        false => ANY_MODEL.to_owned(),
    }
}

/// Returns true if embedding and output head are one matrix: as known, as in the catalogue, otherwise false.
pub(super) fn is_tied(world: &World) -> bool {
    let row = || models::find(&model_name(world)).map(|row| row.tied_embeddings);
    world.model.tied.or_else(row).unwrap_or(false)
}

/// A number of the model.
pub(super) fn model(world: &World, key: &str) -> Guess {
    let facts = &world.model.facts;
    let given = |key: &str| Some(find_fact(facts, key)?.value);
    let value = |key: &str| given(key).unwrap_or_else(|| self::model(world, key).value);
    let name = model_name(world);
    // Where dimensions are given, or layers, a name alone says nothing.
    let is_own = world.model.body.is_some() || given("d_model").is_some();
    if let Some(row) = models::find(&name)
        && (!is_own
            || matches!(key, "vocabulary" | "layers")
            || given("d_model") == Some(row.dims.d_model))
    {
        let dims = &row.dims;
        let found = match key {
            "layers" => Some(f64::from(dims.n_layers)),
            "d_model" => Some(dims.d_model),
            "h_q" => Some(dims.h_q),
            "h_k" => Some(dims.h_k),
            "d_head" => Some(dims.d_head),
            "d_ff" => Some(dims.d_ff),
            "vocabulary" => Some(f64::from(row.vocabulary)),
            _ => None,
        };
        if let Some(found) = found {
            let why = match has_model(world) {
                true => format!("{}: {}", row.name, row.source),
                false => format!("no model is given, so {} of the catalogue", row.name),
            };
            return guess(found, None, why);
        }
    }
    let blocks = world.model.body.as_ref().and_then(Model::blocks);
    match key {
        "layers" => match &world.model.body {
            Some(body) => guess(
                body.layers_count() as f64,
                None,
                "as many as there are blocks",
            ),
            None => guess(
                32.0,
                Some((16.0, 80.0)),
                "as models of 7 billion parameters have",
            ),
        },
        "d_model" => match blocks {
            Some(blocks) => guess(
                blocks.token_bytes / BYTES_16,
                None,
                "what a token sends, at two bytes per value",
            ),
            None => guess(
                4096.0,
                Some((1024.0, 8192.0)),
                "as models of 7 billion parameters have",
            ),
        },
        "h_q" => {
            let heads = libm::floor(value("d_model") / 128.0).max(1.0);
            guess(heads, None, "heads of width 128")
        }
        "h_k" => {
            let cache = blocks.and_then(|blocks| blocks.blocks.first()?.kv_bytes);
            match cache {
                Some(bytes) => {
                    let heads = bytes / (2.0 * BYTES_16 * value("d_head"));
                    guess(
                        libm::round(heads).max(1.0),
                        None,
                        "what a token keeps, at two bytes per value",
                    )
                }
                None => guess(
                    value("h_q"),
                    None,
                    "each head has keys and values of its own",
                ),
            }
        }
        "d_head" => guess(
            value("d_model") / value("h_q"),
            None,
            "the hidden size divided by the heads",
        ),
        "d_ff" => match blocks.and_then(|blocks| blocks.blocks.first()) {
            Some(run) => {
                let (width, heads) = (value("d_model"), value("h_q") + value("h_k"));
                let rest = 0.5 * run.token_flop - 2.0 * width * heads * value("d_head");
                let gated = libm::round(rest / (3.0 * width)).max(1.0);
                guess(
                    gated,
                    None,
                    "what attention leaves of a block\u{2019}s work, in three matrices",
                )
            }
            None => guess(4.0 * value("d_model"), None, "four times the hidden size"),
        },
        "vocabulary" => guess(128_256.0, Some((32_000.0, 262_144.0)), "as Llama 3 has"),
        _ => guess(BYTES_16, None, "16 bits per value"),
    }
}

/// The model as cold start has it.
pub(super) fn layers_of(world: &World) -> Model {
    if let Some(body) = &world.model.body {
        return body.clone();
    }
    let value = |key: &str| match find_fact(&world.model.facts, key) {
        Some(fact) => fact.value,
        None => model(world, key).value,
    };
    let stored = world.model.stored();
    Model::Dimensions(Dimensions {
        name: model_name(world),
        layers: value("layers"),
        d_model: value("d_model"),
        h_q: value("h_q"),
        h_k: value("h_k"),
        d_head: value("d_head"),
        d_ff: value("d_ff"),
        weights: stored.weights,
        cache: stored.cache,
    })
}

/// Work [FLOP] of a prompt and weights [B] of all layers.
pub(super) fn layers(world: &World, tokens: f64) -> (f64, f64) {
    let layers = layers_of(world).layers_at(tokens);
    let sum = layers.iter().fold((0.0, 0.0), |(work, bytes), layer| {
        (work + layer.work, bytes + layer.weights)
    });
    (sum.0.max(1.0), sum.1.max(1.0))
}

/// A number of a request.
pub(super) fn request(key: &str) -> Guess {
    match key {
        "prompt_tokens" => guess(512.0, Some((16.0, 4096.0)), "a page of text"),
        _ => guess(128.0, Some((16.0, 1024.0)), "a short answer"),
    }
}

/// How long an answer is [tokens].
pub(super) fn answer(world: &World) -> f64 {
    match find_fact(&world.request, "answer_tokens") {
        Some(fact) => fact.value,
        None => request("answer_tokens").value,
    }
}

/// How long a prompt is [tokens].
pub(super) fn prompt(world: &World) -> f64 {
    match find_fact(&world.request, "prompt_tokens") {
        Some(fact) => fact.value,
        None => request("prompt_tokens").value,
    }
}
