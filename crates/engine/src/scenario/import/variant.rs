//! Effects of the switches of a `config.json` on its class: norms, biases, number of key/value heads, ends of the model. From the
//! public model code of the `transformers` library, as in `family.rs`.

use super::config::ConfigFile;
use super::facts::{ImportFacts, MissingPolicy};
use super::family::{Family, QkNorm};
use super::shape::Ends;
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
        "stablelm" if is("use_parallel_residual", false) => family.norms = 2,
        "phimoe" => family.head_bias = is("lm_head_bias", false),
        "cohere" if is("use_qk_norm", false) => family.qk_norm = QkNorm::Full,
        "glm4_moe" if is("use_qk_norm", false) => family.qk_norm = QkNorm::Head,
        "bert" | "roberta" | "xlm-roberta" => family.encoder = !is("is_decoder", false),
        _ => {}
    }
    family
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
    if family.positions.is_some() && family.embedding_norm > 0 {
        let found = config.find(&["type_vocab_size"]);
        let wanted = ("token_types", "Types of tokens");
        let why = "the class has two where the file has none";
        let kinds = facts.number(wanted, found, MissingPolicy::Assumed(2.0, why.into()));
        ends.token_types = kinds.unwrap_or(0.0) as u64;
    }
    ends
}

/// Which blocks attend to an image and not to the text; `None` where the file has to say it and does not.
pub(super) fn cross(config: &ConfigFile, model_type: &str, layers: u64) -> Option<Vec<bool>> {
    let mut cross = vec![false; layers as usize];
    let Some(list) = config.get("cross_attention_layers") else {
        return (model_type != "mllama_text_model").then_some(cross);
    };
    for at in list.as_array()? {
        let at = usize::try_from(at.as_u64()?).ok()?;
        *cross.get_mut(at)? = true;
    }
    Some(cross)
}
