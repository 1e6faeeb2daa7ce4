//! Gathers from a `config.json` all that the weights follow from, fact by fact.

use super::config::{ConfigFile, SIZE, value_text};
use super::facts::{FieldValue, ImportFacts, MissingPolicy, Origin, RequestedFact};
use super::family::{self, Family, Windows};
use super::shape::{AttentionKind, Experts, ModelShape};
use super::{quant, variant};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const LAYERS: RequestedFact = ("layers", "Blocks");
const D_MODEL: RequestedFact = ("d_model", "Hidden size");
const H_Q: RequestedFact = ("h_q", "Query heads");
const H_K: RequestedFact = ("h_k", "Key/value heads");
const D_HEAD: RequestedFact = ("d_head", "Head width");
const D_FF: RequestedFact = ("d_ff", "Feed-forward width");
const WINDOW: RequestedFact = ("window", "Attention window");
const BLOCKS: RequestedFact = ("blocks", "Kind of the blocks");

/// Gathers everything; `None` where something without which nothing can be computed is missing.
pub(super) fn shape(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    notes: &mut Vec<String>,
) -> Option<ModelShape> {
    let class = config
        .outer
        .get("architectures")
        .or_else(|| config.get("architectures"));
    let class = class
        .and_then(Value::as_array)
        .and_then(|list| list.first())
        .and_then(Value::as_str);
    let outer_type = config.outer.get("model_type").and_then(Value::as_str);
    let model_type = config.text("model_type").or(outer_type);
    let shown: String = model_type
        .or(class)
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(60)
        .collect();
    let key = if model_type.is_some() {
        "model_type"
    } else {
        "architectures"
    };
    let mut family = family::of(model_type.unwrap_or_default());
    let wanted = ("architecture", "Architecture");
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
    if !config.prefix.is_empty() {
        notes.push(format!(
            "The language model is under {}; its vision and audio parts are left out.",
            config.prefix.trim_end_matches('.')
        ));
    }
    irregular_blocks(config, facts);
    extra_blocks(config, notes);
    let model_type = shown;
    if !family.is_known {
        // Without an answer nothing is planned; the rest is collected all the same, to be shown.
        family.gated = unknown_feed_forward(facts, &model_type);
    }
    let family = variant::of(config, &model_type, family);
    let class_has = |field: &str, or: MissingPolicy| match family::default_of(&model_type, field) {
        Some(value) => MissingPolicy::Assumed(
            value,
            format!("the class of {model_type} has it where the file has none"),
        ),
        None => or,
    };

    let layers = facts.number(
        LAYERS,
        config.find(&["num_hidden_layers", "n_layer", "n_layers", "num_layers"]),
        class_has("layers", MissingPolicy::Question),
    );
    let d = facts.number(
        D_MODEL,
        config.find(&SIZE),
        class_has("d_model", MissingPolicy::Question),
    );
    let h_q = facts.number(
        H_Q,
        config.find(&["num_attention_heads", "n_head", "n_heads"]),
        class_has("h_q", MissingPolicy::Question),
    );
    let shared = match h_q {
        Some(h) if family.is_known => MissingPolicy::Derived(h, "as many as query heads".into()),
        _ => MissingPolicy::Question,
    };
    let (found, without) = match variant::single_kv(config, &model_type) {
        Some(one) => (FieldValue::Nothing, one),
        None => (
            config.find(&[
                "num_key_value_heads",
                "num_kv_heads",
                "n_head_kv",
                "multi_query_group_num",
            ]),
            class_has("h_k", shared),
        ),
    };
    let h_k = facts.number(H_K, found, without);
    if let (Some(h_q), Some(h_k)) = (h_q, h_k)
        && libm::fmod(h_q, h_k) != 0.0
    {
        facts.list.retain(|fact| fact.field != H_K.0);
        facts.add_question(
            H_K,
            format!("{h_k} key/value heads do not divide {h_q} query heads. How many are there?"),
        );
    }
    let attention = attention(config, facts);
    let d_head = match attention {
        Some(AttentionKind::Latent { rope, nope, .. }) => {
            facts.put(
                D_HEAD,
                nope + rope,
                Origin::Derived("qk_nope_head_dim + qk_rope_head_dim".into()),
            );
            Some((nope + rope) as f64)
        }
        _ => {
            let quotient = match (d, h_q) {
                (Some(d), Some(h)) if libm::fmod(d, h) == 0.0 => {
                    MissingPolicy::Derived(d / h, "hidden size / query heads".into())
                }
                _ => MissingPolicy::Question,
            };
            facts.number(
                D_HEAD,
                config.find(&["head_dim"]),
                class_has("d_head", quotient),
            )
        }
    };
    let experts = experts(config, facts, &model_type, layers);
    let needs_ff = experts.as_ref().is_none_or(|e| e.at.iter().any(|is| !is));
    let d_ff = if needs_ff {
        let four = match (d, family.widths) {
            (Some(d), Some(n)) => {
                MissingPolicy::Derived(n as f64 * d, format!("{n} \u{d7} hidden size"))
            }
            _ => MissingPolicy::Question,
        };
        let keys = [
            "intermediate_size_mlp",
            "intermediate_size",
            "n_inner",
            "ffn_dim",
            "ffn_hidden_size",
        ];
        // Only Llama 4 has two widths; there the dense blocks have the longer name.
        let keys = if experts.is_some() {
            &keys[..]
        } else {
            &keys[1..]
        };
        facts.number(D_FF, config.find(keys), four)
    } else {
        Some(0.0)
    };
    let vocabulary = facts.number(
        ("vocabulary", "Vocabulary"),
        config.find(&["vocab_size"]),
        class_has("vocabulary", MissingPolicy::Question),
    );
    let tied = tied(config, facts, &family);
    let context = facts.number(
        ("context", "Longest context"),
        config.find(&[
            "max_position_embeddings",
            "n_positions",
            "n_ctx",
            "seq_length",
        ]),
        class_has("context", MissingPolicy::None),
    );
    let windows = windows(config, facts, &family, layers, context);
    let objects: &[&Map<String, Value>] = &[config.inner, config.outer];
    let bytes = quant::read(objects, facts);
    let ends = variant::ends(config, facts, &family, &model_type);
    let cross = layers.and_then(|n| variant::cross(config, &model_type, n as u64));
    if layers.is_some() && cross.is_none() {
        facts.add_question(BLOCKS, format!("cross_attention_layers must list blocks of this model: which blocks attend to the image? {ADVICE}."));
    }
    let whole = |value: Option<f64>| value.map(|n| n as u64);
    Some(ModelShape {
        layers: whole(layers)?,
        d: whole(d)?,
        h_q: whole(h_q)?,
        h_k: whole(h_k)?,
        d_head: whole(d_head)?,
        d_ff: whole(d_ff)?,
        vocabulary: whole(vocabulary)?,
        tied: tied?,
        context: whole(context),
        attention: attention?,
        experts,
        windows: windows?,
        cross: cross?,
        ends,
        bytes,
        family,
        model_type,
    })
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
fn extra_blocks(config: &ConfigFile, notes: &mut Vec<String>) {
    let more = config
        .get("num_nextn_predict_layers")
        .and_then(Value::as_u64);
    if let Some(more) = more.filter(|n| *n > 0) {
        notes.push(format!(
            "Further blocks that predict several tokens at once (num_nextn_predict_layers: {more}) are not counted: plain generation does not use them."
        ));
    }
}

/// Advice if a config.json does not describe the blocks.
const ADVICE: &str =
    "Bring the GGUF file of this model, which lists every tensor, or paste its layers as a table";

/// Blocks that dimensions do not describe.
fn irregular_blocks(config: &ConfigFile, facts: &mut ImportFacts) {
    let types = config.get("layer_types").and_then(Value::as_array);
    let other = types.into_iter().flatten().find_map(|kind| {
        let kind = kind.as_str().unwrap_or("no text");
        (!is_attention(kind)).then(|| kind.chars().take(30).collect::<String>())
    });
    let keys = [
        "full_attention_interval",
        "attn_layer_period",
        "hybrid_override_pattern",
        "ssm_cfg",
        "mamba_d_ssm",
        "mamba_d_state",
        "state_size",
        "linear_num_value_heads",
    ];
    let sign = other.or_else(|| {
        keys.iter()
            .find(|key| config.get(key).is_some())
            .map(|key| (*key).to_owned())
    });
    let switches = [
        "add_cross_attention",
        "qk_layernorm",
        "altup_num_inputs",
        "hidden_size_per_layer_input",
        "index_topk",
    ];
    let is_on = |key: &&&str| match config.get(key) {
        Some(Value::Bool(is)) => *is,
        Some(Value::Number(n)) => n.as_f64() != Some(0.0),
        _ => false,
    };
    if let Some(sign) = sign {
        facts.add_question(BLOCKS, format!("Some blocks are not attention blocks ({sign}), and config.json does not give their size. {ADVICE}."));
    } else if let Some(switch) = switches.iter().find(is_on) {
        facts.add_question(BLOCKS, format!("The blocks have more than attention and feed-forward ({switch}), and config.json does not give its size. {ADVICE}."));
    } else if config.flag("is_encoder_decoder") == Some(true) {
        facts.add_question(
            BLOCKS,
            format!("This is an encoder with a decoder; only models with a single stack of blocks are supported. {ADVICE}."),
        );
    }
}

fn is_attention(kind: &str) -> bool {
    matches!(
        kind,
        "full_attention" | "sliding_attention" | "chunked_attention" | "attention"
    )
}

fn attention(config: &ConfigFile, facts: &mut ImportFacts) -> Option<AttentionKind> {
    let rank = config.find(&["kv_lora_rank"]);
    let rank = facts.number(
        ("kv_rank", "Rank of the latent cache"),
        rank,
        MissingPolicy::None,
    );
    let Some(kv_rank) = rank else {
        let is_odd = facts.list.iter().any(|fact| fact.field == "kv_rank");
        return (!is_odd).then_some(AttentionKind::Grouped);
    };
    let q_rank = facts.number(
        ("q_rank", "Rank of queries"),
        config.find(&["q_lora_rank"]),
        MissingPolicy::Assumed(0.0, "queries are projected at once".into()),
    );
    let rope = facts.number(
        ("rope_head", "Width of a head with position"),
        config.find(&["qk_rope_head_dim"]),
        MissingPolicy::Question,
    );
    let nope = facts.number(
        ("nope_head", "Width of a head without position"),
        config.find(&["qk_nope_head_dim"]),
        MissingPolicy::Question,
    );
    let value = facts.number(
        ("value_head", "Width of a value"),
        config.find(&["v_head_dim"]),
        MissingPolicy::Question,
    );
    Some(AttentionKind::Latent {
        q_rank: q_rank? as u64,
        kv_rank: kv_rank as u64,
        rope: rope? as u64,
        nope: nope? as u64,
        value: value? as u64,
    })
}

fn tied(config: &ConfigFile, facts: &mut ImportFacts, family: &Family) -> Option<bool> {
    let wanted = ("tied_embeddings", "Embedding and head are one");
    let key = "tie_word_embeddings";
    let stands = config
        .get(key)
        .or_else(|| config.outer.get(key).filter(|v| !v.is_null()));
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

fn experts(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    model_type: &str,
    layers: Option<f64>,
) -> Option<Experts> {
    let found = config.find(&[
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "moe_num_experts",
    ]);
    let class = |field: &str, or: MissingPolicy| match family::default_of(model_type, field) {
        Some(value) => MissingPolicy::Assumed(
            value,
            format!("the class of {model_type} has it where the file has none"),
        ),
        None => or,
    };
    if matches!(found, FieldValue::Number(_, n) if n == 0.0 || n == 1.0) {
        return None;
    }
    let count = facts.number(
        ("experts", "Experts"),
        found,
        class("experts", MissingPolicy::None),
    )?;
    let found = config.find(&[
        "num_experts_per_tok",
        "num_experts_per_token",
        "moe_top_k",
        "num_selected_experts",
        "top_k_experts",
    ]);
    let used = facts.number(
        ("experts_used", "Experts per token"),
        found,
        class("experts_used", MissingPolicy::Question),
    );
    if let Some(used) = used
        && used > count
    {
        facts.list.retain(|fact| fact.field != "experts_used");
        facts.add_question(
            ("experts_used", "Experts per token"),
            format!("{used} of {count} experts cannot be used. How many are used per token?"),
        );
    }
    let own = config.find(&[
        "moe_intermediate_size",
        "expert_intermediate_size",
        "moe_ffn_hidden_size",
    ]);
    let own = if own == FieldValue::Nothing {
        config.find(&["intermediate_size"])
    } else {
        own
    };
    let width = facts.number(
        ("expert_ff", "Width of an expert"),
        own,
        MissingPolicy::Question,
    );
    let mut shared = 0.0;
    let mut shared_gate = false;
    let by_width = facts.number(
        ("shared_ff", "Width of the shared expert"),
        config.find(&[
            "shared_expert_intermediate_size",
            "shared_intermediate_size",
        ]),
        MissingPolicy::None,
    );
    if let Some(of) = by_width {
        shared = of;
        shared_gate = of > 0.0;
    } else {
        let found = config.find(&[
            "n_shared_experts",
            "num_shared_experts",
            "moe_num_shared_experts",
        ]);
        let without = if model_type == "llama4_text" {
            MissingPolicy::Assumed(1.0, "Llama 4 has one".into())
        } else {
            MissingPolicy::None
        };
        let n = facts
            .number(("shared_experts", "Shared experts"), found, without)
            .unwrap_or(0.0);
        shared += n * width.unwrap_or(0.0);
    }
    let first = facts
        .number(
            ("dense_first", "Dense blocks first"),
            config.find(&["first_k_dense_replace"]),
            MissingPolicy::None,
        )
        .unwrap_or(0.0);
    let step_keys = [
        "decoder_sparse_step",
        "interleave_moe_layer_step",
        "moe_layer_freq",
    ];
    let is_list = config.get("moe_layer_freq").is_some_and(Value::is_array);
    let step_keys = if is_list {
        &step_keys[..2]
    } else {
        &step_keys[..]
    };
    let step = facts
        .number(
            ("dense_every", "Experts in every n-th block"),
            config.find(step_keys),
            MissingPolicy::None,
        )
        .unwrap_or(1.0)
        .max(1.0) as u64;
    // Llama 4 may list its blocks with experts.
    let sparse = config.get("moe_layers").and_then(Value::as_array);
    let sparse = sparse.map(|list| places(list));
    // DeepSeek counts from the first block, the others from one.
    let from = u64::from(config.get("moe_layer_freq").is_none());
    let list = config.get("mlp_only_layers").and_then(Value::as_array);
    let dense = list.map(|list| places(list)).unwrap_or_default();
    let freq = config.get("moe_layer_freq").and_then(Value::as_array);
    let layers = layers? as u64;
    let at = |i: u64| {
        let listed = freq
            .and_then(|list| list.get(usize::try_from(i).ok()?))
            .and_then(Value::as_u64);
        match (listed, &sparse) {
            (_, Some(sparse)) => sparse.contains(&i),
            (Some(flag), _) => flag > 0,
            (None, None) => {
                i as f64 >= first && (i + from).is_multiple_of(step) && !dense.contains(&i)
            }
        }
    };
    Some(Experts {
        count: count as u64,
        used: used? as u64,
        width: width? as u64,
        shared: shared as u64,
        shared_gate,
        at: (0..layers).map(at).collect(),
    })
}

/// The blocks that a list names.
fn places(list: &[Value]) -> BTreeSet<u64> {
    list.iter().filter_map(Value::as_u64).collect()
}

/// The window of every block.
fn windows(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    layers: Option<f64>,
    context: Option<f64>,
) -> Option<Vec<Option<u64>>> {
    let layers = layers? as usize;
    let none = Some(vec![None; layers]);
    let found = config.find(&["sliding_window", "attention_chunk_size", "window_size"]);
    let off = |facts: &mut ImportFacts, origin: Origin| facts.put(WINDOW, "none", origin);
    if found == FieldValue::Nothing {
        if config
            .inner
            .get("sliding_window")
            .is_some_and(Value::is_null)
        {
            off(facts, Origin::Read("sliding_window".into()));
        }
        return none;
    }
    match config.flag("use_sliding_window") {
        Some(false) => {
            off(facts, Origin::Read("use_sliding_window".into()));
            return none;
        }
        None if family.windows == Windows::IfConfigured => {
            let why = "the file has no use_sliding_window, and this architecture has it off";
            off(facts, Origin::Assumed(why.into()));
            return none;
        }
        _ => {}
    }
    let window = facts.number(WINDOW, found, MissingPolicy::None)?;
    if context.is_some_and(|context| window >= context) {
        let said = facts.list.last_mut();
        if let Some(fact) = said {
            fact.origin = Origin::Derived(format!(
                "{window} tokens are the whole context, so it limits nothing"
            ));
            fact.value = "none".into();
        }
        return none;
    }
    let which = ("window_blocks", "Blocks with the window");
    let is_chunked = config.get("attention_chunk_size").is_some();
    let listed = ["layer_types", "no_rope_layers"]
        .into_iter()
        .find_map(|key| {
            let list = config.get(key)?.as_array()?;
            // Llama 4 leaves its list of positions empty where the pattern is its own; others use it without windows.
            let counts = key == "layer_types" || !list.is_empty() && is_chunked;
            counts.then_some((key, list))
        });
    let is_short: Vec<bool> = if let Some((key, types)) = listed {
        if types.len() != layers {
            facts.add_question(
                which,
                format!(
                    "{key} lists {} blocks, the model has {layers}. Which blocks have the window?",
                    types.len()
                ),
            );
            return None;
        }
        types
            .iter()
            .map(|kind| match kind {
                Value::String(kind) => !matches!(kind.as_str(), "full_attention" | "attention"),
                // Without positions: full attention.
                _ => kind.as_u64() != Some(0),
            })
            .collect()
    } else {
        let every = facts.number(
            ("window_every", "Full attention in every n-th block"),
            config.find(if is_chunked {
                &["no_rope_layer_interval"]
            } else {
                &["sliding_window_pattern", "_sliding_window_pattern"]
            }),
            match family.windows {
                Windows::ButEvery(n) => {
                    MissingPolicy::Assumed(n as f64, "as always in this architecture".into())
                }
                Windows::All | Windows::IfConfigured => MissingPolicy::None,
            },
        );
        let from = match family.windows {
            Windows::IfConfigured => facts.number(
                ("window_from", "First block with the window"),
                config.find(&["max_window_layers"]),
                MissingPolicy::Assumed(0.0, "the file does not say".into()),
            )?,
            Windows::All | Windows::ButEvery(_) => 0.0,
        };
        let full = |i: usize| every.is_some_and(|n| n >= 1.0 && (i + 1).is_multiple_of(n as usize));
        (0..layers).map(|i| i as f64 >= from && !full(i)).collect()
    };
    let n = is_short.iter().filter(|is| **is).count();
    facts.put(
        which,
        format!("{n} of {layers}"),
        Origin::Derived("the list of blocks, the pattern, or all".into()),
    );
    Some(
        is_short
            .into_iter()
            .map(|is| is.then_some(window as u64))
            .collect(),
    )
}
