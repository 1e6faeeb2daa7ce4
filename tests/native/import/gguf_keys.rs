//! Keys of GGUF files that change what is counted, and files that hold no model.

use super::{asked, none};
use crate::gguf_files::{File, Meta};
use engine::scenario::import::ImportedModel;
use engine::scenario::import::gguf::{describe, read};

/// Four small blocks of 64 by 4 heads of 16, 2 of keys and values.
fn small(architecture: &'static str) -> File {
    let key = |end: &str| format!("{architecture}.{end}");
    let mut file = File::default()
        .with("general.architecture", Meta::Text(architecture))
        .with(&key("block_count"), Meta::U32(4))
        .with(&key("embedding_length"), Meta::U32(64))
        .with(&key("feed_forward_length"), Meta::U32(128))
        .with(&key("attention.head_count"), Meta::U32(4))
        .with(&key("attention.head_count_kv"), Meta::U32(2));
    file.tensor("token_embd.weight", &[64, 256], 1);
    file.tensor("output_norm.weight", &[64], 0);
    for block in 0..4 {
        for (name, from, to) in [
            ("attn_q", 64, 64),
            ("attn_k", 64, 32),
            ("attn_v", 64, 32),
            ("attn_output", 64, 64),
            ("ffn_gate", 64, 128),
            ("ffn_up", 64, 128),
            ("ffn_down", 128, 64),
        ] {
            file.tensor(format!("blk.{block}.{name}.weight"), &[from, to], 1);
        }
    }
    file
}

#[track_caller]
fn brought(file: &File) -> ImportedModel {
    let header = read(&file.bytes(), true).unwrap_or_else(|stop| panic!("{stop:?}"));
    describe(&[header], "small.gguf", &none())
}

/// Values of the cache per token, and blocks that are planned.
#[track_caller]
fn cache(file: &File) -> (f64, usize) {
    let brought = brought(file);
    assert_eq!(asked(&brought), [""; 0], "{:?}", brought.facts);
    assert!(brought.planned().is_ok(), "{:?}", brought.planned());
    let counts = brought.counts.expect("nothing is missing");
    let blocks = counts.blocks.iter().map(|block| block.repeat).sum();
    (counts.kv_token_bytes / 2.0, blocks)
}

#[track_caller]
fn notes(file: &File) -> String {
    brought(file).notes.join("\n")
}

#[test]
fn blocks_that_predict_further_tokens_are_left_out() {
    let plain = small("glm4moe");
    assert_eq!(cache(&plain), (4.0 * 64.0, 4));
    let more = plain.with("glm4moe.nextn_predict_layers", Meta::U32(1));
    assert_eq!(cache(&more), (3.0 * 64.0, 3));
    assert!(
        notes(&more).contains("nextn_predict_layers"),
        "{}",
        notes(&more)
    );
    let embedding = |file: &File| {
        brought(file)
            .counts
            .expect("all is known")
            .embedding
            .parameters
    };
    assert_eq!(embedding(&more), 64 * 256, "their tensors are nowhere else");
}

#[test]
fn an_encoder_keeps_no_cache() {
    let encoder = small("nomic-bert").with("nomic-bert.attention.causal", Meta::Flag(false));
    assert_eq!(cache(&encoder).0, 0.0);
    assert!(
        notes(&encoder).contains("An encoder"),
        "{}",
        notes(&encoder)
    );
    let decoder = small("llama").with("llama.attention.causal", Meta::Flag(true));
    assert_eq!(cache(&decoder).0, 256.0);
}

#[test]
fn caches_may_be_shared_and_heads_differ_with_the_window() {
    let shared = small("gemma4").with("gemma4.attention.shared_kv_layers", Meta::U32(3));
    assert_eq!(cache(&shared).0, 64.0);
    let mut short = small("gemma4")
        .with("gemma4.attention.sliding_window", Meta::U32(32))
        .with(
            "gemma4.attention.sliding_window_pattern",
            Meta::Flags(vec![true, true, true, false]),
        )
        .with("gemma4.attention.key_length", Meta::U32(16))
        .with("gemma4.attention.value_length", Meta::U32(16))
        .with("gemma4.attention.key_length_swa", Meta::U32(8))
        .with("gemma4.attention.value_length_swa", Meta::U32(8));
    // The matrices of these blocks are of heads of 16 still.
    assert!(asked(&brought(&short)).contains(&"h_k"));
    for (name, dims, _) in &mut short.tensors {
        let is_short = name.starts_with("blk.") && !name.starts_with("blk.3.");
        match name.split('.').nth(2) {
            Some("attn_q" | "attn_k" | "attn_v") if is_short => dims[1] /= 2,
            Some("attn_output") if is_short => dims[0] /= 2,
            _ => {}
        }
    }
    assert_eq!(cache(&short).0, 3.0 * 32.0 + 64.0);
}

#[test]
fn blocks_may_be_empty_by_design() {
    let mut file = small("deci")
        .with("deci.attention.head_count", Meta::List(vec![4, 4, 4, 0]))
        .with("deci.attention.head_count_kv", Meta::List(vec![2, 2, 2, 0]))
        .with(
            "deci.feed_forward_length",
            Meta::List(vec![128, 128, 128, 0]),
        );
    file.tensors
        .retain(|(name, ..)| !name.starts_with("blk.3."));
    assert_eq!(cache(&file), (3.0 * 64.0, 3));
    assert!(notes(&file).contains("by design"), "{}", notes(&file));
    // Without zeros in the metadata the block is missing.
    let mut whole = small("deci");
    whole
        .tensors
        .retain(|(name, ..)| !name.starts_with("blk.3."));
    assert_eq!(asked(&brought(&whole)), ["blocks"]);
}

#[test]
fn no_heads_are_no_attention() {
    let mut file = small("rwkv7").with("rwkv7.attention.head_count", Meta::U32(0));
    file.meta.retain(|(key, _)| !key.ends_with("head_count_kv"));
    for (name, ..) in &mut file.tensors {
        *name = name
            .replace("attn_", "time_mix_")
            .replace("ffn_", "channel_mix_");
    }
    assert_eq!(cache(&file), (0.0, 4));
}

#[test]
fn files_that_hold_no_model_say_what_they_are() {
    for (kind, part) in [
        ("adapter", "an adapter (LoRA"),
        ("mmproj", "projector of a vision model"),
        ("imatrix", "importance matrix"),
        ("vocab", "vocabulary alone"),
        ("zorro", "zorro"),
    ] {
        let file = small("llama").with("general.type", Meta::Text(kind));
        let brought = brought(&file);
        let questions: Vec<_> = brought.questions().collect();
        assert_eq!(
            questions.len(),
            1,
            "one question, for it is fatal: {questions:?}"
        );
        assert!(questions[0].1.contains(part), "{kind}: {}", questions[0].1);
        assert!(
            questions[0].1.contains("Bring"),
            "{kind}: {}",
            questions[0].1
        );
    }
    let model = small("llama").with("general.type", Meta::Text("model"));
    assert_eq!(cache(&model).0, 256.0);
    let mut pair = small("t5");
    pair.tensor("enc.blk.0.attn_q.weight", &[64, 64], 1);
    pair.tensor("dec.blk.0.attn_q.weight", &[64, 64], 1);
    assert_eq!(asked(&brought(&pair)), ["blocks"]);
}
