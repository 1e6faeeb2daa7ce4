//! Files that hold no decoder that could be planned: adapters, projectors, pairs of encoder and decoder. They say so themselves.

use super::header::{GgufTensor, GgufValue};
use std::collections::BTreeMap;

/// Why a file holds no model that is planned, in words of what it is and what to bring; `None` for a model.
pub(super) fn refusal(
    meta: &BTreeMap<String, GgufValue>,
    tensors: &[&GgufTensor],
) -> Option<String> {
    let text = |key: &str| match meta.get(key) {
        Some(GgufValue::Text(text)) => text.as_str(),
        _ => "",
    };
    let is_clip = text("general.architecture") == "clip";
    let kind = text("general.type");
    let starts = |prefix: &str| tensors.iter().any(|tensor| tensor.name.starts_with(prefix));
    let says = match kind {
        "adapter" => {
            let base = text("general.base_model.0.name");
            let base = if base.is_empty() {
                "the base model".to_owned()
            } else {
                format!("the base model, {}", short(base))
            };
            format!("This is an adapter (LoRA: general.type is adapter) and no model. Bring the GGUF file of {base}.")
        }
        "mmproj" | "clip-vision" => PROJECTOR.to_owned(),
        _ if is_clip => PROJECTOR.to_owned(),
        "imatrix" => {
            "This is an importance matrix (general.type is imatrix), which is made to quantise a model. Bring the GGUF file of the model."
                .to_owned()
        }
        "vocab" => {
            "This is a vocabulary alone (general.type is vocab): it has no weights. Bring the GGUF file of the model.".to_owned()
        }
        "" | "model" => {
            let is_pair = starts("enc.blk.") && starts("dec.blk.");
            if !is_pair {
                return None;
            }
            "This is an encoder with a decoder; only models with a single stack of blocks are supported. Bring a decoder.".to_owned()
        }
        other => format!(
            "This file is no model: general.type is \u{201c}{}\u{201d}. Bring the GGUF file of a model.",
            short(other)
        ),
    };
    Some(says)
}

const PROJECTOR: &str = "This is the projector of a vision model (mmproj), which turns images into tokens. Bring the GGUF file of its language model.";

fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}
