//! `config.json`: parameters to the last one, traps, and files that are damaged field by field.

use super::{answered, asked, fact, none};
use crate::cases::properties;
use engine::model::precision::Precision;
use engine::scenario::import::{self, ImportedModel, Origin};
use engine::scenario::tiers::TierModel;
use engine::scenario::{Model, fields};
use proptest::prelude::*;
use serde_json::{Value, json};

const QWEN: &str = include_str!("../../data/configs/qwen3-8b.json");
const LLAMA: &str = include_str!("../../data/configs/llama-3-8b.json");
const PHI: &str = include_str!("../../data/configs/phi-3-mini-4k.json");

#[track_caller]
fn read(text: &str) -> ImportedModel {
    import::config(text, "config.json", &none()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn of(value: &Value) -> ImportedModel {
    read(&value.to_string())
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("test data is JSON")
}

/// A file with some fields put in or, as null, out.
fn with(text: &str, fields: &[(&str, Value)]) -> Value {
    let mut object = value(text);
    for (key, value) in fields {
        object[*key] = value.clone();
    }
    object
}

#[test]
fn three_models_come_out_to_the_parameter() {
    for (text, all, block, cache) in [
        (QWEN, 8_190_735_360, 192_946_432, 147_456.0),
        (LLAMA, 8_030_261_248, 218_112_000, 131_072.0),
        (PHI, 3_821_079_552, 113_252_352, 393_216.0),
    ] {
        let brought = read(text);
        let counts = brought.counts.as_ref().expect("nothing is missing");
        assert_eq!(counts.parameters, all);
        assert_eq!(counts.blocks.len(), 1, "all blocks are equal");
        assert_eq!(counts.blocks[0].parameters, block);
        assert_eq!(counts.kv_token_bytes, cache);
        assert_eq!(counts.blocks[0].weight_bytes, 2.0 * block as f64);
    }
}

#[test]
fn a_config_says_how_weights_are_stored_where_one_name_does() {
    let quantised = |config: Value| {
        let config = with(QWEN, &[("quantization_config", config)]);
        of(&config).weights
    };
    assert_eq!(read(QWEN).weights, Some(Precision::Bf16));
    let plain = |kind: Value| of(&with(QWEN, &[("torch_dtype", kind)])).weights;
    assert_eq!(plain(json!("float16")), Some(Precision::Fp16));
    assert_eq!(plain(json!("float32")), Some(Precision::Fp32));
    assert_eq!(plain(json!("float99")), None);
    let fp8 = json!({"quant_method": "fp8", "weight_block_size": [128, 128]});
    assert_eq!(quantised(fp8), Some(Precision::Fp8));
    let bits =
        |bits: u32, group: u32| json!({"quant_method": "gptq", "bits": bits, "group_size": group});
    // Groups of 128 take less than the scale for every 32 of int4.
    assert_eq!(quantised(bits(4, 128)), None);
    assert_eq!(quantised(bits(8, 4096)), Some(Precision::Int8));
}

#[test]
fn a_dense_model_in_16_bits_is_the_same_as_the_catalogues_row() {
    for (text, name) in [(QWEN, "Qwen3-8B"), (LLAMA, "Llama-3-8B")] {
        let file = format!("models/{name}.json");
        let brought = import::config(text, &file, &none()).expect("it is whole");
        let entry = engine::model::catalog::find(name).expect("a published row");
        assert_eq!(brought.planned(), Ok(Model::from_dims(name, &entry.dims)));
        let tiers = brought.tier_model().expect("it is dense");
        assert_eq!(
            tiers,
            engine::scenario::tiers::TierModel::of(entry),
            "{name}"
        );
    }
    // Other numbers under a published name are distinguished.
    let other = with(
        QWEN,
        &[
            ("_name_or_path", json!("Qwen/Qwen3-8B")),
            ("num_hidden_layers", json!(35)),
        ],
    );
    assert_eq!(of(&other).name, "Qwen3-8B (file)");
}

#[test]
fn a_head_width_that_is_given_is_used() {
    let small = with(
        QWEN,
        &[
            ("hidden_size", json!(1024)),
            ("intermediate_size", json!(3072)),
            ("num_hidden_layers", json!(28)),
            ("num_attention_heads", json!(16)),
            ("tie_word_embeddings", json!(true)),
        ],
    );
    let brought = of(&small);
    let counts = brought.counts.as_ref().expect("nothing is missing");
    assert_eq!(counts.parameters, 596_049_920, "a tied matrix counts once");
    assert_eq!(counts.kv_token_bytes, 114_688.0);
    assert_eq!(
        fact(&brought, "d_head"),
        ("128".into(), &Origin::Read("head_dim".into()))
    );
    let derived = of(&with(LLAMA, &[]));
    assert!(matches!(fact(&derived, "d_head").1, Origin::Derived(_)));
}

#[test]
fn published_counts_of_many_families_come_out() {
    for (what, config, parameters) in [
        (
            "Qwen2.5-7B: biases on queries, keys and values",
            json!({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
                "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152_064, "tie_word_embeddings": false,
                "sliding_window": 131_072, "use_sliding_window": false, "max_window_layers": 28, "torch_dtype": "bfloat16"}),
            7_615_616_512_u64,
        ),
        (
            "Qwen3-30B-A3B: experts",
            json!({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768,
                "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128,
                "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151_936,
                "tie_word_embeddings": false, "torch_dtype": "bfloat16"}),
            30_532_122_624,
        ),
        (
            "Mixtral-8x7B: experts of the feed-forward's width",
            json!({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2,
                "vocab_size": 32000, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "sliding_window": null}),
            46_702_792_704,
        ),
        (
            "DeepSeek-V2-Lite: a latent cache, a dense block first, shared experts",
            json!({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
                "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "kv_lora_rank": 512,
                "q_lora_rank": null, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "n_routed_experts": 64,
                "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "moe_layer_freq": 1,
                "vocab_size": 102_400, "tie_word_embeddings": false, "torch_dtype": "bfloat16"}),
            15_706_484_224,
        ),
        (
            "gpt-oss-20b: biases everywhere, sinks, 4-bit experts",
            json!({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 24,
                "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "num_local_experts": 32,
                "num_experts_per_tok": 4, "attention_bias": true, "vocab_size": 201_088, "tie_word_embeddings": false,
                "sliding_window": 128, "max_position_embeddings": 131_072, "quantization_config": {"quant_method": "mxfp4"}}),
            20_914_757_184,
        ),
        (
            "gemma-2-2b: four gains, tied unless the file says otherwise",
            json!({"model_type": "gemma2", "hidden_size": 2304, "intermediate_size": 9216, "num_hidden_layers": 26,
                "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 256_000,
                "sliding_window": 4096, "max_position_embeddings": 8192, "torch_dtype": "float32"}),
            2_614_341_888,
        ),
        (
            "gemma-3-4b: nested, and half of it left to the class",
            json!({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "torch_dtype": "bfloat16",
                "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
                "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}}),
            3_880_263_168,
        ),
        (
            "gpt2: old names, positions, two matrices",
            json!({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257}),
            124_439_808,
        ),
        (
            "phi-2: one norm, a head with bias",
            json!({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 51200, "tie_word_embeddings": false,
                "torch_dtype": "float16"}),
            2_779_683_840,
        ),
        (
            "starcoder2-3b",
            json!({"model_type": "starcoder2", "hidden_size": 3072, "intermediate_size": 12288, "num_hidden_layers": 30,
                "num_attention_heads": 24, "num_key_value_heads": 2, "vocab_size": 49152, "use_bias": true}),
            3_030_371_328,
        ),
        (
            "opt-125m: two positions more than it says",
            json!({"model_type": "opt", "hidden_size": 768, "ffn_dim": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
                "max_position_embeddings": 2048, "vocab_size": 50272}),
            125_239_296,
        ),
    ] {
        let brought = of(&config);
        assert_eq!(asked(&brought), [""; 0], "{what}: {:?}", brought.facts);
        let counts = brought.counts.as_ref().expect("nothing is missing");
        assert_eq!(counts.parameters, parameters, "{what}");
        assert!(brought.planned().is_ok(), "{what}");
    }
}

#[test]
fn experts_are_all_loaded_and_only_some_are_worked_on() {
    let config = json!({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144,
        "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
        "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1, "vocab_size": 151_936,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16", "max_position_embeddings": 40960});
    let brought = of(&config);
    let Ok(Model::Blocks(model)) = &brought.planned() else {
        panic!("a mixture of experts has no dimensions");
    };
    let [run] = model.blocks.as_slice() else {
        panic!("all blocks are equal");
    };
    let attention = 2048.0 * 128.0 * (2.0 * 32.0 + 2.0 * 4.0);
    let expert = 3.0 * 2048.0 * 768.0;
    let router = 2048.0 * 128.0;
    let gains = 2.0 * 2048.0 + 2.0 * 128.0;
    assert_eq!(
        run.weight_bytes,
        2.0 * (attention + 128.0 * expert + router + gains)
    );
    assert_eq!(run.token_flop, 2.0 * (attention + 8.0 * expert + router));
    assert_eq!(run.pair_flop, 4.0 * 32.0 * 128.0);
    let t = 100.0;
    assert_eq!(run.work(t), t * run.token_flop + t * t * run.pair_flop);
    assert!(
        brought.notes[0].contains("128 experts, 8 used per token"),
        "{:?}",
        brought.notes
    );
    let Ok(TierModel::Blocks(tiers)) = brought.tier_model() else {
        panic!("tiers take experts as they are");
    };
    assert_eq!((&tiers.body(), tiers.vocabulary), (model, 151_936.0));
    // The last norm is part of the head.
    assert_eq!(tiers.head_bytes, Some(2.0 * 2048.0 * (151_936.0 + 1.0)));
    let only = of(&with(
        &config.to_string(),
        &[("mlp_only_layers", json!([0, 47]))],
    ));
    let blocks = only.counts.expect("nothing is missing").blocks;
    let runs: Vec<usize> = blocks.iter().map(|run| run.repeat).collect();
    assert_eq!(runs, [1, 46, 1]);
    assert_eq!(
        blocks[0].parameters,
        (attention + 3.0 * 2048.0 * 6144.0 + gains) as u64
    );
}

#[test]
fn a_latent_cache_keeps_its_rank_and_the_part_with_position() {
    let brought = of(
        &json!({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
        "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
        "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3,
        "moe_layer_freq": 1, "vocab_size": 129_280, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}),
    );
    let counts = brought.counts.as_ref().expect("nothing is missing");
    assert_eq!(counts.kv_token_bytes, 61.0 * 1152.0);
    assert!(
        (counts.active() as f64 / 1e9 - 37.5).abs() < 0.6,
        "{}",
        counts.active()
    );
    let runs: Vec<usize> = counts.blocks.iter().map(|run| run.repeat).collect();
    assert_eq!(runs, [3, 58]);
    assert_eq!(counts.blocks[0].pair_flop, 2.0 * 128.0 * (192.0 + 128.0));
}

#[test]
fn windows_follow_the_list_the_pattern_or_the_switch() {
    let windowed = |fields: &[(&str, Value)]| -> Vec<Option<u64>> {
        let brought = of(&with(QWEN, fields));
        let counts = brought
            .counts
            .unwrap_or_else(|| panic!("{:?}", brought.facts));
        let each = counts.blocks.iter();
        each.flat_map(|run| vec![run.window; run.repeat]).collect()
    };
    let off = windowed(&[
        ("sliding_window", json!(4096)),
        ("use_sliding_window", json!(false)),
    ]);
    assert_eq!(off, vec![None; 36]);
    let late = windowed(&[
        ("sliding_window", json!(4096)),
        ("use_sliding_window", json!(true)),
        ("max_window_layers", json!(30)),
    ]);
    assert_eq!(late.iter().flatten().count(), 6);
    assert_eq!(late[29], None);
    let types: Vec<&str> = (0..36)
        .map(|i| {
            if i % 2 == 0 {
                "sliding_attention"
            } else {
                "full_attention"
            }
        })
        .collect();
    let listed = windowed(&[
        ("sliding_window", json!(128)),
        ("use_sliding_window", json!(true)),
        ("layer_types", json!(types)),
    ]);
    assert_eq!(listed[..3], [Some(128), None, Some(128)]);
    let all = windowed(&[
        ("sliding_window", json!(100_000)),
        ("use_sliding_window", json!(true)),
        ("max_window_layers", json!(0)),
    ]);
    assert_eq!(all, vec![None; 36], "a window of the whole context is none");
    // Work beyond the window is linear.
    let Ok(Model::Blocks(phi)) = read(PHI).planned() else {
        panic!("a window is no dimension");
    };
    let run = phi.blocks[0];
    assert_eq!(run.window, Some(2047.0));
    assert_eq!(run.work(4094.0), 2.0 * run.work(2047.0));
}

#[test]
fn bytes_of_a_weight_follow_the_quantisation() {
    for (config, bytes) in [
        (
            json!({"quant_method": "gptq", "bits": 4, "group_size": 128}),
            0.5 + 2.5 / 128.0,
        ),
        (
            json!({"quant_method": "awq", "bits": 4, "group_size": 64}),
            0.5 + 2.5 / 64.0,
        ),
        (
            json!({"quant_method": "gptq", "bits": 8, "group_size": -1}),
            1.0,
        ),
        (
            json!({"quant_method": "bitsandbytes", "load_in_4bit": true}),
            0.5625,
        ),
        (
            json!({"quant_method": "bitsandbytes", "load_in_8bit": true}),
            1.0,
        ),
        (json!({"quant_method": "fp8"}), 1.0),
        (
            json!({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 32}}}}),
            0.5 + 2.0 / 32.0,
        ),
    ] {
        let brought = of(&with(LLAMA, &[("quantization_config", config.clone())]));
        let counts = brought.counts.as_ref().expect("nothing is missing");
        let matrices = 218_112_000.0 - 8192.0;
        let expected = matrices * bytes + 2.0 * 8192.0;
        assert_eq!(counts.blocks[0].weight_bytes, expected, "{config}");
        assert_eq!(counts.parameters, 8_030_261_248);
    }
    let unknown = of(&with(
        LLAMA,
        &[("quantization_config", json!({"quant_method": "magic"}))],
    ));
    assert_eq!(asked(&unknown), ["weight_bits"]);
    let told = with(
        LLAMA,
        &[("quantization_config", json!({"quant_method": "magic"}))],
    )
    .to_string();
    let told = import::config(&told, "", &answered("weight_bits", 3.5)).expect("it is read");
    assert_eq!(fact(&told, "weight_bits"), ("3.5".into(), &Origin::Given));
    assert!(told.planned().is_ok());
}

#[test]
fn unknown_numbers_are_asked_for() {
    for (field, value) in [
        ("full_attention_interval", json!(4)),
        ("layer_types", json!(["linear_attention"])),
        ("is_encoder_decoder", json!(true)),
    ] {
        let hybrid = of(&with(LLAMA, &[(field, value)]));
        assert_eq!(asked(&hybrid), ["blocks"], "{field}");
        assert_eq!(fact(&hybrid, "d_model").0, "4096", "what was read is shown");
        let fault = hybrid.planned().expect_err("it is not planned");
        assert_eq!(fault.path, "blocks");
    }
    let odd = of(&with(LLAMA, &[("num_key_value_heads", json!(7))]));
    assert_eq!(asked(&odd), ["h_k"]);
    let fixed = with(LLAMA, &[("num_key_value_heads", json!("eight"))]).to_string();
    let fixed = import::config(&fixed, "", &answered("h_k", 8.0)).expect("it is read");
    assert_eq!(
        fixed.counts.expect("all is known").parameters,
        8_030_261_248
    );
}

#[test]
fn a_file_that_is_no_config_is_identified_by_its_content() {
    for (text, part) in [
        ("", "is empty"),
        ("{\"hidden_size\": 4096", "not readable as JSON"),
        ("[1, 2]", "a list of 2"),
        ("7", "must be an object"),
        ("{}", "no fields"),
        (
            "{\"nodes\": [], \"edges\": []}",
            "its fields are edges, nodes",
        ),
        ("{\"hidden_size\": 1e999}", "not readable"),
        (&"[".repeat(100_000), "not readable as JSON"),
    ] {
        let fault = import::config(text, "", &none()).expect_err(part);
        assert!(fault.message.contains(part), "{fault}");
    }
    // A bare sign of a model is enough to be asked for the rest.
    let bare = read("{\"model_type\": \"llama\"}");
    assert_eq!(asked(&bare)[..2], ["layers", "d_model"]);
}

/// Fields without which something has to be asked.
const NEEDED: [&str; 5] = [
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "vocab_size",
];

#[test]
fn every_field_removed_or_damaged_is_asked_for_or_assumed_and_never_a_panic() {
    for text in [QWEN, LLAMA, PHI] {
        let whole = read(text).counts.expect("it is whole");
        let keys: Vec<String> = value(text)
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        for key in &keys {
            let mut without = value(text);
            without.as_object_mut().expect("an object").remove(key);
            let brought = of(&without);
            let is_asked = !asked(&brought).is_empty();
            // An architecture that is not named is one that is not known.
            let is_needed = NEEDED.contains(&key.as_str()) || key == "model_type";
            assert_eq!(is_asked, is_needed, "without {key}");
            assert!(!brought.facts.is_empty());
            for wrong in [
                json!("many"),
                json!(-1),
                json!(1e300),
                json!(0.5),
                json!([]),
                json!({"a": 1}),
            ] {
                let brought = of(&with(text, &[(key, wrong.clone())]));
                if NEEDED.contains(&key.as_str())
                    || ["num_key_value_heads", "head_dim"].contains(&key.as_str())
                {
                    assert!(brought.model.is_none(), "{key}: {wrong}");
                    assert!(brought.counts.is_none(), "{key}: {wrong}");
                    let question = brought.questions().next().expect("it is asked").1;
                    assert!(question.contains(key.as_str()), "{key}: {question}");
                }
                if let Some(counts) = &brought.counts {
                    assert!(counts.parameters > whole.parameters / 3, "{key}: {wrong}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(properties(3000))]

    /// Whatever numbers are in the fields, there is an answer, and a model that comes out is one that a scenario takes.
    #[test]
    fn any_numbers_give_questions_or_a_valid_model(
        which in proptest::collection::vec((0_usize..30, prop_oneof![
            Just(0.0), Just(1.0), Just(-1.0), Just(1e300), Just(1e-300), Just(4294967296.0), -10.0..1e7_f64,
            (0_u32..20_000).prop_map(f64::from), (1_u32..64).prop_map(|n| f64::from(n * 128)),
        ]), 0..6),
        base in 0_usize..3,
    ) {
        const FIELDS: [&str; 30] = [
            "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "intermediate_size",
            "vocab_size", "max_position_embeddings", "sliding_window", "max_window_layers", "sliding_window_pattern",
            "num_experts", "num_experts_per_tok", "moe_intermediate_size", "n_shared_experts", "first_k_dense_replace",
            "decoder_sparse_step", "moe_layer_freq", "kv_lora_rank", "q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim",
            "v_head_dim", "n_layer", "n_embd", "shared_expert_intermediate_size", "torch_dtype", "layer_types",
            "quantization_config", "tie_word_embeddings",
        ];
        let mut config = value([QWEN, LLAMA, PHI][base]);
        config["use_sliding_window"] = json!(true);
        for (at, number) in which {
            config[FIELDS[at]] = json!(number);
        }
        let brought = import::config(&config.to_string(), "config.json", &none());
        let brought = brought.map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        prop_assert_eq!(brought.model.is_some(), brought.questions().next().is_none());
        if let Some(model) = &brought.model {
            let mut scenario = engine::scenario::presets::paper();
            scenario.model = model.clone();
            prop_assert_eq!(scenario.validate(), Ok(()));
            prop_assert!(model.layers_count() <= fields::MOST_LAYERS);
        }
    }

    /// Bytes put in, taken out or changed anywhere.
    #[test]
    fn a_damaged_text_is_refused_or_read_and_never_a_panic(
        base in 0_usize..3, at in 0.0..1.0_f64, byte in any::<u8>(), how in 0_u8..3,
    ) {
        let mut bytes = [QWEN, LLAMA, PHI][base].as_bytes().to_vec();
        let at = (at * bytes.len() as f64) as usize;
        match how {
            0 => bytes[at] = byte,
            1 => { bytes.remove(at); }
            _ => bytes.truncate(at),
        }
        let text = String::from_utf8_lossy(&bytes);
        let _ = import::config(&text, "config.json", &none());
    }
}
