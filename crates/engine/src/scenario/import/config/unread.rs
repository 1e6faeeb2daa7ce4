//! Keys of a `config.json` that were not read. One that may change how blocks are built is asked about by its name.

use super::file::{ConfigFile, value_text};
use crate::scenario::import::facts::{BLOCKS, ImportFacts, UNREAD};
use serde_json::Value;

/// Parts of names that say something of the blocks.
const OF_BLOCKS: [&str; 12] = [
    "layer", "block", "attn", "expert", "share", "dense", "swa", "linear", "mtp", "quant", "bits",
    "window",
];

/// Keys with such a part, or with a list or an object, that change neither sizes nor what is kept: names, rates of training,
/// constants of formulas, routing, positions, how the library runs the model.
const HARMLESS: &[&str] = &[
    "architectures",
    "auto_map",
    "id2label",
    "label2id",
    "rope_scaling",
    "rope_parameters",
    "rope_theta",
    "eos_token_id",
    "bos_token_id",
    "pad_token_id",
    "suppress_tokens",
    "begin_suppress_tokens",
    "bad_words_ids",
    "task_specific_params",
    "pruned_heads",
    "torch_dtype",
    "dtype",
    "generation_config",
    "vision_config",
    "audio_config",
    "image_grid_pinpoints",
    "mrope_section",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layer_norm_rms_epsilon",
    "layernorm_epsilon",
    "layernorm_eps",
    "layernorm_type",
    "layer_norm_type",
    "rms_layernorm_eps",
    "norm_before_gate",
    "encoder_layerdrop",
    "decoder_layerdrop",
    "layerdrop",
    "layer_dropout",
    "attn_pdrop",
    "attn_dropout",
    "attn_dropout_prob",
    "attn_implementation",
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_attn_implementation_internal",
    "_experts_implementation",
    "_experts_implementation_internal",
    "attn_logit_softcapping",
    "attn_softmax_bf16",
    "attn_temperature_tuning",
    "attn_scale",
    "attn_factor",
    "use_flash_attn",
    "use_fused_rope",
    "fused_linear_cross_entropy",
    "no_kv_cache_quantization",
    "scale_attn_weights",
    "scale_attn_by_inverse_layer_idx",
    "reorder_and_upcast_attn",
    "apply_residual_connection_post_layernorm",
    "layer_scale_init_value",
    "use_cache",
    "chunk_size_feed_forward",
    "block_size",
    "block_dim",
    "block_use_swiglu",
    "expert_capacity",
    "expert_capacity_factor",
    "num_expert_group",
    "expert_group_num",
    "expert_dropout",
    "experts_dropout",
    "output_attentions",
    "moe_layer_norm",
    "mtp_loss_weight",
    "mtp_loss_scaling_factor",
    "mtp_use_dedicated_embeddings",
    "share_norm",
    "embd_layer_norm",
    "full_attn_alpha_factor",
    "full_attn_beta_factor",
    "linear_attn_alpha_factor",
    "linear_attn_beta_factor",
    "layernorm_full_attention_alpha",
    "layernorm_full_attention_beta",
    "layernorm_linear_attention_alpha",
    "layernorm_linear_attention_beta",
    "layernorm_mlp_alpha",
    "layernorm_mlp_beta",
    "keys_to_ignore_at_inference",
    "query_pre_attn_scalar",
    "use_parallel_block",
    "order_of_interleaved_layers",
    "mamba_inner_layernorms",
    "moe_capacity",
    "full_attn_mod",
    "norm_expert_weight",
    "swa_rope_theta",
    "swa_rope_parameters",
    "hybrid_block_size",
    "deterministic_flash_attn",
    "enable_expert_tensor_parallelism",
    "moe_layer_num_skipped",
    "activation_sparsity_pattern",
    "time_step_limit",
    "ssm_multipliers",
    "mlp_multipliers",
    "linear_a_log_min",
    "linear_a_log_max",
    "linear_dt_min",
    "linear_dt_max",
    "linear_allow_neg_eigval",
    "moe_shared_expert_overlap",
    "attn_impl",
    "attn_type",
    "attn_uses_sequence_id",
    "layer_rope_theta",
    "layer_rope_thetas",
    "freeze_text_layers",
    "hidden_act",
    "sub_configs",
    "ep_size",
];

/// The most keys that are asked about one by one.
const MOST_ASKED: usize = 20;

/// Asks about each key that was not read and may change how blocks are built. An answer of 0 says that it changes nothing.
///
/// # Complexity
/// O(keys).
pub(super) fn ask(config: &ConfigFile, facts: &mut ImportFacts) {
    // One question at a time where the first says that nothing is planned.
    if facts.is_open_for(BLOCKS.0) {
        return;
    }
    let unread = config.unread().into_iter();
    let odd = unread.filter(|(key, value)| is_of_blocks(key, value) && !is_nothing(value));
    let odd: Vec<(String, &Value)> = odd.collect();
    for (key, value) in odd.iter().take(MOST_ASKED) {
        let path: String = format!("{}{key}", config.prefix)
            .chars()
            .filter(|c| !c.is_control())
            .take(80)
            .collect();
        let question = format!(
            "{path} is {}, which is not read here. Does it leave the sizes of all blocks and their cache as they are? 0 for yes; \
             otherwise bring the GGUF file of the model, which lists every tensor.",
            value_text(value)
        );
        facts.confirm(&path, question);
    }
    if let Some(rest) = odd.len().checked_sub(MOST_ASKED).filter(|rest| *rest > 0) {
        let question = format!(
            "{rest} more keys of this file are not read here. Is it the config.json of a language model? Its GGUF file lists every tensor."
        );
        facts.add_question(UNREAD, question);
    }
}

fn is_of_blocks(key: &str, value: &Value) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    if HARMLESS.contains(&last) {
        return false;
    }
    let is_bundle = matches!(value, Value::Array(_) | Value::Object(_));
    let name = last.to_ascii_lowercase();
    // Parts for other senses than text have their own sizes.
    let is_aside = ["vision", "visual", "image", "audio", "video", "speech"]
        .iter()
        .any(|part| name.contains(part));
    let is_rate = [
        "_coef",
        "_loss",
        "_eps",
        "_epsilon",
        "dropout",
        "_std",
        "_prob",
        "_init",
        "multiplier",
        "scaling",
        "softcap",
    ]
    .iter()
    .any(|part| name.contains(part));
    let is_named = || !is_rate && OF_BLOCKS.iter().any(|part| name.contains(part));
    !is_aside && (is_bundle || is_named())
}

/// Returns true for what says that there is nothing of the kind.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(true) => false,
    }
}
