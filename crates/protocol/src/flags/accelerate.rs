//! Hugging Face accelerate: a `device_map`.
//!
//! **The rule** (huggingface/accelerate, `docs/source/concept_guides/big_model_inference.md`): a dict from the names of
//! modules to devices that must cover every weight; a whole number is the accelerator with that index in one process. The
//! names are those of the Llama and Qwen classes of transformers: `model.embed_tokens`, `model.layers.N` from 0,
//! `model.norm`, `lm_head`, and `model.rotary_emb`, which has no weights. Where embedding and head are one matrix they must
//! are on the same device (`infer_auto_device_map` keeps tied weights together), so the head goes to the first.

use super::{Flags, LayerMap, PathForm};

/// The dict as JSON.
pub(super) fn flags(chain: &LayerMap) -> Flags {
    let last = chain.devices().len() - 1;
    let mut rows = vec![
        ("model.embed_tokens".to_owned(), 0),
        ("model.rotary_emb".to_owned(), 0),
    ];
    for (stage, part) in chain.devices().iter().enumerate() {
        rows.extend(
            (part.first..=part.last).map(|layer| (format!("model.layers.{}", layer - 1), stage)),
        );
    }
    rows.push(("model.norm".to_owned(), last));
    let is_tied = chain.tied == Some(true);
    rows.push(("lm_head".to_owned(), if is_tied { 0 } else { last }));
    let rows = rows
        .iter()
        .map(|(name, device)| format!("  \"{name}\": {device}"));
    let rows: Vec<String> = rows.collect();
    let devices = (0..=last).map(|stage| format!("{stage} is {}", chain.name_of(stage)));
    let devices: Vec<String> = devices.collect();
    let head = match chain.tied {
        Some(true) if last > 0 => {
            "Embedding and output head are one matrix, so lm_head stands with the embedding on device 0."
        }
        Some(_) => "",
        None => {
            "Where the model\u{2019}s embedding and output head are one matrix (tie_word_embeddings), give lm_head device 0."
        }
    };
    let mut notes = vec![
        format!(
            "Pass it as device_map to from_pretrained. It maps {} by the names that the Llama and Qwen classes give their \
             modules; other families have other names.",
            chain.model_name()
        ),
        format!(
            "All devices belong to one machine and one process, numbered as CUDA_VISIBLE_DEVICES orders them: {}. accelerate \
             does not reach over a network.",
            devices.join(", ")
        ),
    ];
    if !head.is_empty() {
        notes.push(head.to_owned());
    }
    Flags {
        text: format!("{{\n{}\n}}\n", rows.join(",\n")),
        form: PathForm::Json,
        notes,
    }
}
