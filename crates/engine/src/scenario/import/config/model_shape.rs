//! Gathers from a `config.json` all that the weights follow from, fact by fact.

use super::attention::{self, Attention};
use super::block::{BlockShape, FeedForward, Mixer};
use super::block_configs;
use super::class_sizes;
use super::family::{self, Family};
use super::file::{ConfigFile, SIZE, value_text};
use super::kinds::{ADVICE, BlockKind, Kinds, Mixing};
use super::shape::ModelShape;
use super::tensor::TensorList;
use super::{feed_forward, kinds, quant, recurrent, unread, variant};
use crate::scenario::import::facts::{
    BLOCKS, FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact,
};
use serde_json::{Map, Value};

const LAYERS: RequestedFact = ("layers", "Blocks");
const D_MODEL: RequestedFact = ("d_model", "Hidden size");

/// Gathers everything; `None` where something without which nothing can be computed is missing.
pub(super) fn shape(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    notes: &mut Vec<String>,
) -> Option<ModelShape> {
    let (mut family, model_type) = architecture(config, facts);
    if !config.prefix.is_empty() {
        notes.push(format!(
            "The language model is under {}; its vision and audio parts are left out.",
            config.prefix.trim_end_matches('.')
        ));
    }
    more_predictions(config, notes);
    if !family.is_known {
        // Without an answer nothing is planned; the rest is collected all the same, to be shown.
        family.gated = unknown_feed_forward(facts, &model_type);
    }
    let family = variant::of(config, &model_type, family);
    // A model with several senses writes of its language model what differs from the class.
    let is_nested = !config.prefix.is_empty();
    let default_of = |field: &str| {
        let of_class = || class_sizes::of(&model_type, field).filter(|_| is_nested);
        family::default_of(&model_type, field).or_else(of_class)
    };
    let class_has = |field: &str, or: MissingPolicy| match default_of(field) {
        Some(value) => MissingPolicy::Assumed(
            value,
            format!("the class of {model_type} has it where the file has none"),
        ),
        None => or,
    };
    let layers = facts.number(
        LAYERS,
        config.find(&["num_hidden_layers", "n_layer", "n_layers", "num_layers"]),
        class_has("layers", kinds::listed_blocks(config)),
    );
    let d = facts.number(
        D_MODEL,
        config.find(&SIZE),
        class_has("d_model", MissingPolicy::Question),
    );
    let context = facts.number(
        ("context", "Longest context"),
        config.find(&[
            "max_position_embeddings",
            "n_positions",
            "n_ctx",
            "seq_length",
            "max_seq_len",
            "max_sequence_length",
            "model_max_length",
        ]),
        class_has("context", MissingPolicy::None),
    );
    if let Some(question) = refusal(config, &model_type) {
        facts.add_question(BLOCKS, question);
        return None;
    }
    let count = layers.unwrap_or(1.0) as usize;
    let kinds =
        layers.and_then(|n| kinds::read(config, facts, &family, &model_type, n as usize, context));
    let attention_context = attention::Context {
        family: &family,
        model_type: &model_type,
        layers: count,
        d,
        class_has: &class_has,
    };
    let attention = attention::read(config, facts, kinds.as_ref(), attention_context);
    let usual = || vec![kinds::FULL; count];
    let block_kinds = kinds
        .as_ref()
        .map_or_else(usual, |kinds| kinds.blocks.clone());
    let has_configs = config.get("block_configs").is_some();
    let networks = if has_configs {
        None
    } else {
        let context = feed_forward::Context {
            family: &family,
            model_type: &model_type,
            d,
            kinds: &block_kinds,
            default_width: default_of("d_ff"),
        };
        feed_forward::read(config, facts, context)
    };
    let vocabulary = facts.number(
        ("vocabulary", "Vocabulary"),
        config.find(&["vocab_size"]),
        class_has("vocabulary", MissingPolicy::Question),
    );
    let tied = tied(config, facts, &family);
    let objects: &[&Map<String, Value>] = &[config.inner, config.outer];
    for key in ["quantization", "quantization_config"] {
        let _ = config.get(key);
    }
    let bytes = quant::read(objects, facts);
    let blocks = match (&kinds, &attention, d) {
        (Some(kinds), Some(attention), Some(d)) => {
            let parts = Parts {
                config,
                family: &family,
                model_type: &model_type,
                d: d as u64,
                kinds,
                attention,
            };
            parts.blocks(facts, networks)
        }
        _ => None,
    };
    let ends = variant::ends(config, facts, &family, &model_type, count);
    unread::ask(config, facts);
    let blocks = blocks?;
    let size = d.unwrap_or(0.0) as u64;
    let tensors = blocks
        .iter()
        .map(|block| block.tensors(size, &family).tensors);
    bytes.check(tensors, facts);
    let [h_q, h_k, d_head] = attention::usual(attention.as_ref()?);
    let dense_width = |block: &BlockShape| match block.feed_forward {
        FeedForward::Dense(width) => Some(width),
        _ => None,
    };
    Some(ModelShape {
        d: d? as u64,
        h_q,
        h_k,
        d_head,
        d_ff: blocks.iter().find_map(dense_width).unwrap_or(0),
        vocabulary: vocabulary? as u64,
        tied: tied?,
        context: context.map(|n| n as u64),
        blocks,
        ends,
        bytes,
        family,
        model_type,
    })
}

/// The parts that blocks are put together from.
struct Parts<'a, 'b> {
    config: &'a ConfigFile<'b>,
    family: &'a Family,
    model_type: &'a str,
    d: u64,
    kinds: &'a Kinds,
    attention: &'a Attention,
}

impl Parts<'_, '_> {
    fn blocks(
        &self,
        facts: &mut ImportFacts,
        networks: Option<Vec<FeedForward>>,
    ) -> Option<Vec<BlockShape>> {
        let layers = self.kinds.blocks.len();
        let [h_q, _, d_head] = attention::usual(self.attention);
        if networks.is_none() && self.config.get("block_configs").is_some() {
            let sizes = block_configs::Sizes {
                d: self.d,
                h_q,
                d_head,
            };
            let parts = block_configs::read(self.config, facts, sizes, layers)?;
            let blocks = parts.into_iter().zip(&self.kinds.blocks);
            let blocks = blocks.map(|((mixers, feed_forward), kind)| BlockShape {
                mixers,
                feed_forward,
                window: self.kinds.window.filter(|_| kind.mixing == Mixing::Window),
                more: TensorList::default(),
            });
            return Some(blocks.collect());
        }
        let networks = networks?;
        let is_other = |kind: &BlockKind| matches!(kind.mixing, Mixing::Other | Mixing::Both);
        let other = if self.kinds.blocks.iter().any(is_other) {
            let sizes = recurrent::Sizes {
                d: self.d,
                h_q,
                d_head,
            };
            Some(recurrent::read(self.config, facts, self.family, sizes)?)
        } else {
            None
        };
        let blocks = self.kinds.blocks.iter().zip(networks).enumerate();
        let blocks = blocks.map(|(at, (kind, feed_forward))| {
            let mut mixers = Vec::new();
            if let Some(other) = other.as_ref().filter(|_| is_other(kind)) {
                mixers.push(Mixer::Recurrent(other.clone()));
            }
            if !matches!(kind.mixing, Mixing::Other | Mixing::None) {
                match self.attention {
                    Attention::Heads(heads) => mixers.push(Mixer::Heads(heads[at])),
                    Attention::Latent(latent) => mixers.push(Mixer::Latent(*latent)),
                    Attention::None => {}
                }
            }
            let is_short = kind.mixing == Mixing::Window;
            BlockShape {
                mixers,
                feed_forward,
                window: self.kinds.window.filter(|_| is_short),
                more: variant::more_of_block(self.config, self.model_type, self.d, &feed_forward),
            }
        });
        Some(blocks.collect())
    }
}

/// The class of a model and its name.
fn architecture(config: &ConfigFile, facts: &mut ImportFacts) -> (Family, String) {
    let class = config
        .get_outer("architectures")
        .or_else(|| config.get("architectures"));
    let class = class
        .and_then(Value::as_array)
        .and_then(|list| list.first())
        .and_then(Value::as_str);
    let outer_type = config.get_outer("model_type").and_then(Value::as_str);
    let model_type = config.text("model_type").or(outer_type);
    let shown: String = model_type
        .or(class)
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(60)
        .collect();
    let wanted = ("architecture", "Architecture");
    if shown.is_empty() && config.is_params() {
        let how = "a params.json as Mistral and Meta write it: a decoder as in Llama";
        facts.put(wanted, "llama", Origin::Derived(how.into()));
        return (family::of("llama"), "llama".to_owned());
    }
    let key = if model_type.is_some() {
        "model_type"
    } else {
        "architectures"
    };
    let family = family::of(model_type.unwrap_or_default());
    if shown.is_empty() {
        facts.put(
            wanted,
            "unknown",
            Origin::Assumed(plan_assumed("the file names none")),
        );
    } else if family.is_known {
        let class: String = class
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_control())
            .take(60)
            .collect();
        let both = if class.is_empty() {
            shown.clone()
        } else {
            format!("{shown} ({class})")
        };
        facts.put(
            wanted,
            both,
            Origin::Read(format!("{}{key}", config.prefix)),
        );
    } else {
        facts.put(
            wanted,
            shown.clone(),
            Origin::Assumed(plan_assumed("this architecture is not known here")),
        );
    }
    (family, shown)
}

fn plan_assumed(why: &str) -> String {
    format!(
        "{why}; taken for a decoder with two gain vectors per block and the biases that the file names, all else as read or answered"
    )
}

/// Asks how an architecture that is not known builds its feed-forward: whether it has a gate.
fn unknown_feed_forward(facts: &mut ImportFacts, model_type: &str) -> bool {
    let subject = if model_type.is_empty() {
        "The file names no architecture"
    } else {
        "This architecture is not known here"
    };
    let question = format!(
        "{subject}, and config.json does not say how its blocks are built. Does a feed-forward have 3 matrices (with a \
         gate, as in Llama) or 2 (as in GPT-2)? The GGUF file of the model lists every tensor and settles this."
    );
    let wanted = ("ffn_matrices", "Matrices of a feed-forward");
    let answer = facts.number(
        wanted,
        FieldValue::Nothing,
        MissingPolicy::AskWith(question),
    );
    answer.is_none_or(|n| n > 2.0)
}

/// Says which blocks stay outside the plan.
fn more_predictions(config: &ConfigFile, notes: &mut Vec<String>) {
    let keys = [
        "num_nextn_predict_layers",
        "num_mtp_modules",
        "mtp_num_hidden_layers",
        "num_mtp_layers",
    ];
    for key in keys {
        let more = config.number(key).filter(|n| *n > 0.0);
        if let Some(more) = more {
            notes.push(format!(
                "Further blocks that predict several tokens at once ({key}: {more}) are not counted: plain generation does not use them."
            ));
            break;
        }
    }
    // What these blocks are like does not matter then.
    for key in [
        "use_mtp",
        "mtp_transformer_layers",
        "mtp_layers_block_type",
        "mtp_hybrid_override_pattern",
        "num_nextn_predict_layers",
    ] {
        let _ = config.get(key);
    }
}

/// Why a model is not planned at all: a question that no number answers.
fn refusal(config: &ConfigFile, model_type: &str) -> Option<String> {
    if config.flag("is_encoder_decoder") == Some(true) {
        return Some(format!(
            "This is an encoder with a decoder; only models with a single stack of blocks are supported. {ADVICE}."
        ));
    }
    let is_on = |key: &&str| match config.get(key) {
        Some(Value::Bool(is)) => *is,
        Some(Value::Number(n)) => n.as_f64() != Some(0.0),
        _ => false,
    };
    let mut switches = vec!["add_cross_attention", "attn_config.qk_ln"];
    if config.get("kv_lora_rank").is_none() {
        switches.push("index_topk");
    }
    if model_type != "persimmon" && model_type != "phi" {
        switches.push("qk_layernorm");
    }
    if !model_type.starts_with("gemma4") && !model_type.starts_with("gemma3n") {
        switches.extend(["hidden_size_per_layer_input", "altup_num_inputs"]);
    }
    let switch = switches.iter().find(|key| is_on(key))?;
    Some(format!(
        "The blocks have more than attention and feed-forward ({switch}), and config.json does not give its size. {ADVICE}."
    ))
}

fn tied(config: &ConfigFile, facts: &mut ImportFacts, family: &Family) -> Option<bool> {
    let wanted = ("tied_embeddings", "Embedding and head are one");
    let key = "tie_word_embeddings";
    let inner = config.get(key).or_else(|| config.get("tie_embedding"));
    let outer = config.get_outer(key);
    // The library follows the outer field: where both are there and differ, the file contradicts itself.
    if let (Some(inner), Some(outer)) = (inner, outer)
        && inner != outer
    {
        let question = format!(
            "{}{key} is {}, and {key} outside is {}. Are embedding and output head one matrix (1) or two (0)? The transformers library follows \
             the outer one.",
            config.prefix,
            value_text(inner),
            value_text(outer)
        );
        let without = MissingPolicy::AskWith(question);
        return facts
            .number(wanted, FieldValue::Nothing, without)
            .map(|tied| tied > 0.5);
    }
    let stands = inner.or(outer);
    let found = match stands {
        Some(Value::Bool(tied)) => FieldValue::Number(key.to_owned(), f64::from(u8::from(*tied))),
        Some(other) => FieldValue::Unusual(key.to_owned(), value_text(other)),
        None => FieldValue::Nothing,
    };
    let without = if family.is_known {
        let why = "the default of this architecture; the file does not say";
        MissingPolicy::Assumed(f64::from(u8::from(family.tied)), why.to_owned())
    } else {
        MissingPolicy::AskWith("The file does not say, and its architecture is not known here: are embedding and output head one matrix (1) or two (0)?".to_owned())
    };
    facts.number(wanted, found, without).map(|tied| tied > 0.5)
}
