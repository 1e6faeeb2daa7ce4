//! Effects of the switches of a `config.json` on its class: norms, biases, number of key/value heads, ends of the model. From the
//! public model code of the `transformers` library, as in `family.rs`.

use super::block::FeedForward;
use super::family::{Family, OutputGate, QkNorm, RouterBias};
use super::file::ConfigFile;
use super::shape::Ends;
use super::tensor::TensorList;
use crate::scenario::import::facts::{ImportFacts, MissingPolicy};
use serde_json::Value;

/// Norms, biases and gains of a known class as this file switches them.
pub(super) fn of(config: &ConfigFile, model_type: &str, mut family: Family) -> Family {
    let is = |key: &str, or: bool| config.flag(key).unwrap_or(or);
    let bias =
        |keys: &[&str], has: bool| keys.iter().find_map(|key| config.flag(key)).unwrap_or(has);
    let attention = ["attention_bias", "qkv_bias", "use_qkv_bias", "use_bias"];
    family.qkv_bias = bias(&attention, family.qkv_bias);
    family.out_bias = !family.out_plain && bias(&["attention_bias", "use_bias"], family.out_bias);
    family.ffn_bias = bias(&["mlp_bias", "use_bias"], family.ffn_bias);
    match model_type {
        "falcon" | "RefinedWeb" | "RefinedWebModel" => {
            let biased = is("bias", false);
            (family.qkv_bias, family.out_bias, family.ffn_bias) = (biased, biased, biased);
            let one = number(config, "num_ln_in_parallel_attn") == Some(1.0);
            let new = is_new_falcon(config, model_type);
            if is("parallel_attn", true) && (one || !new) {
                family.norms = 2;
            }
        }
        "opt" => {
            let biased = is("enable_bias", true);
            (family.qkv_bias, family.out_bias, family.ffn_bias) = (biased, biased, biased);
            if !is("do_layer_norm_before", true) || is("_remove_final_layer_norm", false) {
                family.last_norm = 0;
            }
            if !is("layer_norm_elementwise_affine", true) {
                (family.norms, family.last_norm) = (0, 0);
            }
        }
        "stablelm" => {
            if is("use_parallel_residual", false) {
                family.norms = 2;
            }
            if is("qk_layernorm", false) {
                family.qk_norm = QkNorm::EachHead;
            }
        }
        "phimoe" => family.head_bias = is("lm_head_bias", false),
        "cohere" if is("use_qk_norm", false) => family.qk_norm = QkNorm::Full,
        "glm4_moe" if is("use_qk_norm", false) => family.qk_norm = QkNorm::Head,
        "bert" | "roberta" | "xlm-roberta" => {
            family.encoder = !is("is_decoder", false);
            family.has_pooler = family.encoder;
        }
        "qwen3_next" | "qwen3_5_text" | "qwen3_5_moe_text" if !is("attn_output_gate", true) => {
            family.output_gate = OutputGate::None;
        }
        "mimo_v2_flash" => {
            family.sinks = [
                is("add_swa_attention_sink_bias", true),
                is("add_full_attention_sink_bias", false),
            ];
        }
        "lfm3" => {
            if is("use_attention_gate", true) {
                family.output_gate = OutputGate::PerHead;
            }
            if is("use_sandwich_norm", true) {
                family.norms = 4;
            }
        }
        "persimmon" if is("qk_layernorm", true) => family.qk_norm = QkNorm::HeadWithBias,
        "hyperclovax" if !is("use_post_norm", true) => family.norms = 2,
        "seed_oss" => family.out_bias = is("attention_out_bias", false),
        "recurrent_gemma" => family.out_bias = true,
        "hunyuan_v1_dense" | "hunyuan_v1_moe" | "minimax_m2" if !is("use_qk_norm", true) => {
            family.qk_norm = QkNorm::None;
        }
        "laguna" => {
            family.output_gate = match config.get("gating") {
                None | Some(Value::Bool(true)) => OutputGate::PerHead,
                Some(Value::String(kind)) if kind == "per-head" => OutputGate::PerHead,
                Some(Value::Bool(false)) => OutputGate::None,
                Some(_) => OutputGate::PerElement,
            };
        }
        _ => {}
    }
    let has_router_bias = is("use_expert_bias", true) && is("use_routing_bias", true);
    if !has_router_bias {
        family.router_bias = RouterBias::None;
    }
    family
}

/// Weights of a block that belong to neither its mixer nor its network.
pub(super) fn more_of_block(
    config: &ConfigFile,
    model_type: &str,
    d: u64,
    feed_forward: &FeedForward,
) -> TensorList {
    let mut list = TensorList::default();
    match model_type {
        "axk1" if feed_forward.experts().is_some() => list.vector("post_mlp_layernorm", d),
        "bitnet" => {
            list.vector("self_attn.attn_sub_norm", d);
            if let FeedForward::Dense(width) = feed_forward {
                list.vector("mlp.ffn_sub_norm", *width);
            }
        }
        "arctic" if feed_forward.experts().is_some() => list.vector("residual_layernorm", d),
        _ if is_gemma(model_type) => {
            let inputs = alternating_inputs(config);
            if inputs > 0 {
                list.vector("altup.norms", 2 * d);
                list.matrix("altup.correction_coefs", inputs, inputs);
                list.matrix("altup.prediction_coefs", inputs, inputs * inputs);
                list.matrix("altup.modality_router", d, inputs);
                let rank = number(config, "laurel_rank").unwrap_or(0.0) as u64;
                list.matrix("laurel.linear_left", d, rank);
                list.matrix("laurel.linear_right", rank, d);
                list.vector("laurel.post_laurel_norm", d);
            }
            if let Some(experts) = feed_forward.experts() {
                list.vector("feedforward_layernorms", 3 * d);
                list.vector("router.scales", d + experts.count);
            }
            let width = per_layer_input(config);
            if width > 0 {
                list.matrix("per_layer_input_gate", d, width);
                list.matrix("per_layer_projection", width, d);
                list.vector("post_per_layer_input_norm", d);
            }
        }
        _ => {}
    }
    list
}

/// Returns true for the classes whose blocks take a part of every token besides what the block before gives.
fn is_gemma(model_type: &str) -> bool {
    model_type.starts_with("gemma4") || model_type.starts_with("gemma3n")
}

/// Streams of values that blocks of Gemma 3n predict and correct; 0 for none.
fn alternating_inputs(config: &ConfigFile) -> u64 {
    let inputs = number(config, "altup_num_inputs").unwrap_or(0.0);
    if (0.0..=64.0).contains(&inputs) {
        inputs as u64
    } else {
        0
    }
}

/// Width of what each block of Gemma 3n and 4 takes of every token besides; 0 for none.
fn per_layer_input(config: &ConfigFile) -> u64 {
    let width = number(config, "hidden_size_per_layer_input").unwrap_or(0.0);
    if (0.0..=65_536.0).contains(&width) {
        width as u64
    } else {
        0
    }
}

/// Returns the field and default for the switch to a single key/value head.
pub(super) fn single_kv(config: &ConfigFile, model_type: &str) -> Option<MissingPolicy> {
    let one = match model_type {
        "falcon" | "RefinedWeb" | "RefinedWebModel" => {
            !is_new_falcon(config, model_type) && config.flag("multi_query").unwrap_or(true)
        }
        "gpt_bigcode" => config.flag("multi_query").unwrap_or(true),
        _ => false,
    };
    one.then(|| match config.flag("multi_query") {
        Some(_) => MissingPolicy::Derived(1.0, "multi_query: one for all query heads".into()),
        None => MissingPolicy::Assumed(
            1.0,
            "the class of this architecture shares one where the file has no multi_query".into(),
        ),
    })
}

/// The order of a block of the later Falcons: groups of query heads, a norm for each half.
fn is_new_falcon(config: &ConfigFile, model_type: &str) -> bool {
    let named = config.flag("new_decoder_architecture");
    named.unwrap_or(model_type == "RefinedWeb")
}

fn number(config: &ConfigFile, key: &str) -> Option<f64> {
    config.get(key).and_then(Value::as_f64)
}

/// Returns the parts before the first block and after the last, besides embedding, head and norms.
pub(super) fn ends(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    model_type: &str,
    layers: usize,
) -> Ends {
    let mut ends = Ends::default();
    if model_type == "opt" {
        let found = config.find(&["word_embed_proj_dim"]);
        let wanted = ("embedding_width", "Width of the embedding");
        ends.width = facts
            .number(wanted, found, MissingPolicy::None)
            .map(|n| n as u64);
    }
    if model_type == "mllama_text_model" {
        // The library adds eight rows for tokens of images, which the head cannot name.
        ends.more_rows = 8;
    }
    let width = per_layer_input(config);
    if is_gemma(model_type) && width > 0 {
        let wanted = (
            "per_layer_vocabulary",
            "Vocabulary of what each block takes besides",
        );
        let found = config.find(&["vocab_size_per_layer_input"]);
        let why = "the class has it where the file has none";
        let rows = facts.number(wanted, found, MissingPolicy::Assumed(262_144.0, why.into()));
        let all = layers as u64 * width;
        // A size that is out of range is asked about; what follows from it is not used then.
        let d = number(config, "hidden_size")
            .unwrap_or(0.0)
            .clamp(0.0, 1_048_576.0) as u64;
        let streams = 2 * alternating_inputs(config).saturating_sub(1) * d * d;
        ends.more = (rows.unwrap_or(0.0) as u64 * all + d * all + streams, width);
    }
    if family.positions.is_some() && family.embedding_norm > 0 {
        let found = config.find(&["type_vocab_size"]);
        let wanted = ("token_types", "Types of tokens");
        let why = "the class has two where the file has none";
        let kinds = facts.number(wanted, found, MissingPolicy::Assumed(2.0, why.into()));
        ends.token_types = kinds.unwrap_or(0.0) as u64;
    }
    ends
}
