//! Files of every kind that is read, damaged in every field: an answer or a question, never a panic.

use super::none;
use crate::cases::properties;
use engine::scenario::import;
use engine::scenario::link;
use engine::scenario::paste::fleet;
use engine::scenario::world::Reported;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Default configurations of classes whose blocks are unlike each other.
fn classes() -> Vec<Value> {
    const NAMES: [&str; 12] = [
        "qwen3_next",
        "kimi_linear",
        "gemma4_text",
        "gemma3n_text",
        "jamba",
        "granitemoehybrid",
        "falcon_h1",
        "nemotron_h",
        "lfm2",
        "recurrent_gemma",
        "deepseek_v32",
        "laguna",
    ];
    let lines = include_str!("../../data/model_classes/classes.jsonl").lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
    let chosen = rows.filter(|row| NAMES.contains(&row["model_type"].as_str().unwrap_or_default()));
    chosen.map(|row| row["config"].clone()).collect()
}

fn odd_values() -> [Value; 9] {
    [
        json!(0),
        json!(-1),
        json!(1e300),
        json!(0.5),
        json!("many"),
        json!([]),
        json!([1, 2, 3]),
        json!({"a": 1}),
        json!(true),
    ]
}

#[test]
fn every_field_of_every_class_may_be_anything() {
    let classes = classes();
    assert_eq!(classes.len(), 12);
    for config in classes {
        let keys: Vec<String> = config
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        for key in keys {
            for value in odd_values() {
                let mut damaged = config.clone();
                damaged[&key] = value;
                let brought = import::config(&damaged.to_string(), "config.json", &none());
                let brought = brought.expect("a sign of a model is left");
                let is_asked = brought.questions().next().is_some();
                assert!(
                    is_asked || brought.planned().is_ok(),
                    "{key}: {:?}",
                    brought.planned()
                );
            }
        }
    }
}

#[test]
fn every_key_of_a_quantisation_may_be_anything() {
    let base = json!({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 4,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152_064, "tie_word_embeddings": false, "torch_dtype": "float16"});
    for (method, key) in [
        ("gptq", "dynamic"),
        ("auto-round", "extra_config"),
        ("compressed-tensors", "config_groups"),
        ("compressed-tensors", "sparsity_config"),
        ("fp8", "ignored_layers"),
        ("fp8", "weight_block_size"),
        ("hqq", "quant_config"),
        ("torchao", "quant_type"),
        ("quark", "global_quant_config"),
        ("exl2", "head_bits"),
        ("bitsandbytes", "llm_int8_skip_modules"),
    ] {
        for value in odd_values() {
            let mut config = base.clone();
            config["quantization_config"] =
                json!({"quant_method": method, "bits": 4, "group_size": 128, key: value});
            let brought = import::config(&config.to_string(), "", &none()).expect("it is a config");
            let bytes = brought.counts.map_or(1.0, |counts| counts.block_bytes);
            assert!(bytes > 0.0 && bytes.is_finite(), "{method} {key} {value}");
        }
    }
}

proptest! {
    #![proptest_config(properties(2000))]

    /// A text that is cut and changed anywhere is read or refused.
    #[test]
    fn tables_links_and_outputs_of_tools_may_be_damaged_anywhere(
        which in 0_usize..5,
        at in 0_usize..400,
        length in 0_usize..40,
        with in "[ -~\u{b1}\u{2013}\n|#%]{0,12}",
    ) {
        let texts = [
            "| GPU | VRAM | Memory bandwidth |\n|---|---|---|\n| A | 24 GB | 936 GB/s |\n| B | 8-16 GB | ~100 GB/s |\n| Total | 36 GB | n/a |\n",
            "- RTX 3060\n- 2x Raspberry Pi 5 16GB\nRTX 4090 *2\n",
            "| model | size | test | t/s |\n| --- | ---: | ---: | ---: |\n| llama 8B Q4_K - Medium | 4.58 GiB | tg128 | 48.90 \u{b1} 0.02 |\n",
            r#"{"start": {}, "end": {"sum_received": {"bits_per_second": 941000000.0}}}"#,
            "https://example.org/#json=%7B%22format%22:4,%22question%22:%22tiers%22%7D.",
        ];
        let whole: Vec<char> = texts[which].chars().collect();
        let first = at.min(whole.len());
        let behind = (first + length).min(whole.len());
        let damaged: String = whole[..first].iter().copied().chain(with.chars()).chain(whole[behind..].iter().copied()).collect();
        let _ = fleet(&damaged);
        let _ = Reported::read(&damaged);
        let _ = link::open(&damaged);
    }
}
