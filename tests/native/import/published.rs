//! Architectures with switches of their own, each against the parameter count that its authors' files have. Where a
//! published count holds more than the language model, what it holds besides is written out.

use super::{answered, asked, counts, counts_of, fact, of, with};
use engine::scenario::import::{self, Origin};
use serde_json::{Value, json};

fn falcon_7b() -> Value {
    json!({"alibi": false, "architectures": ["FalconForCausalLM"], "bias": false, "hidden_size": 4544, "model_type": "falcon",
        "multi_query": true, "new_decoder_architecture": false, "num_attention_heads": 71, "num_hidden_layers": 32,
        "parallel_attn": true, "torch_dtype": "bfloat16", "vocab_size": 65024})
}

fn falcon_40b() -> Value {
    json!({"alibi": false, "architectures": ["FalconForCausalLM"], "bias": false, "hidden_size": 8192, "model_type": "falcon",
        "multi_query": true, "new_decoder_architecture": true, "num_attention_heads": 128, "num_hidden_layers": 60,
        "num_kv_heads": 8, "parallel_attn": true, "torch_dtype": "bfloat16", "vocab_size": 65024})
}

#[test]
fn falcon_shares_one_head_and_runs_both_halves_in_parallel() {
    // The published files store embedding and head twice though they are one matrix: 7 217 189 760 and 41 835 970 560.
    let small = counts(&falcon_7b());
    assert_eq!(small.parameters, 7_217_189_760 - 65_024 * 4544);
    assert_eq!(small.parameters, 6_921_720_704);
    assert_eq!(small.kv_token_bytes, 32.0 * 2.0 * 2.0 * 64.0);
    // A later copy of the file names as many heads as queries have, which the class does not use.
    let named = counts(&with(&falcon_7b(), &[("num_kv_heads", json!(71))]));
    assert_eq!(named, small);
    let large = counts(&falcon_40b());
    assert_eq!(large.parameters, 41_835_970_560 - 65_024 * 8192);
    assert_eq!(large.kv_token_bytes, 60.0 * 2.0 * 2.0 * 8.0 * 64.0);
    let largest = with(
        &falcon_40b(),
        &[
            ("hidden_size", json!(14848)),
            ("num_attention_heads", json!(232)),
            ("num_hidden_layers", json!(80)),
        ],
    );
    assert_eq!(
        counts(&largest).parameters,
        179_522_565_120 - 65_024 * 14_848
    );
    // Falcon-RW-1B: biases, as many heads of keys as of queries, one half after the other.
    let first = json!({"alibi": true, "bias": true, "hidden_size": 2048, "model_type": "falcon", "multi_query": false,
        "new_decoder_architecture": false, "num_attention_heads": 32, "num_hidden_layers": 24, "parallel_attn": false,
        "vocab_size": 50304});
    assert_eq!(counts(&first).parameters, 1_311_625_216);
}

#[test]
fn gpt_bigcode_shares_one_head_of_keys_and_values() {
    let starcoder = json!({"architectures": ["GPTBigCodeForCausalLM"], "model_type": "gpt_bigcode", "multi_query": true,
        "n_embd": 6144, "n_head": 48, "n_inner": 24576, "n_layer": 40, "n_positions": 8192, "vocab_size": 49152,
        "torch_dtype": "float32"});
    let large = counts(&starcoder);
    assert_eq!(large.parameters, 15_517_456_384);
    assert_eq!(large.kv_token_bytes, 40.0 * 2.0 * 2.0 * 128.0);
    let santa = json!({"model_type": "gpt_bigcode", "multi_query": true, "n_embd": 2048, "n_head": 16, "n_inner": 8192,
        "n_layer": 24, "n_positions": 2048, "vocab_size": 49280});
    assert_eq!(counts(&santa).parameters, 1_124_886_528);
    let many = counts(&with(&santa, &[("multi_query", json!(false))]));
    assert_eq!(many.kv_token_bytes, 24.0 * 2.0 * 2.0 * 2048.0);
    let mut silent = santa.clone();
    silent
        .as_object_mut()
        .expect("an object")
        .remove("multi_query");
    let silent = of(&silent);
    assert!(matches!(fact(&silent, "h_k"), (one, Origin::Assumed(_)) if one == "1"));
}

#[test]
fn opt_350m_has_a_narrow_embedding_and_no_last_norm() {
    let small = json!({"_remove_final_layer_norm": false, "architectures": ["OPTForCausalLM"], "do_layer_norm_before": false,
        "ffn_dim": 4096, "hidden_size": 1024, "max_position_embeddings": 2048, "model_type": "opt", "num_attention_heads": 16,
        "num_hidden_layers": 24, "torch_dtype": "float16", "vocab_size": 50272, "word_embed_proj_dim": 512});
    assert_eq!(counts(&small).parameters, 331_196_416);
    let other = json!({"_remove_final_layer_norm": false, "do_layer_norm_before": true, "ffn_dim": 8192, "hidden_size": 2048,
        "max_position_embeddings": 2048, "model_type": "opt", "num_attention_heads": 32, "num_hidden_layers": 24,
        "vocab_size": 50272, "word_embed_proj_dim": 2048});
    assert_eq!(counts(&other).parameters, 1_315_758_080);
}

#[test]
fn bloom_has_a_norm_behind_its_embedding_and_biases_everywhere() {
    for (config, parameters) in [
        (
            json!({"model_type": "bloom", "hidden_size": 1024, "n_head": 16, "n_layer": 24, "vocab_size": 250_880,
                "seq_length": 2048}),
            559_214_592_u64,
        ),
        (
            json!({"model_type": "bloom", "n_embed": 14336, "num_attention_heads": 112, "n_layer": 70, "vocab_size": 250_880,
                "seq_length": 2048}),
            176_247_271_424,
        ),
    ] {
        assert_eq!(counts(&config).parameters, parameters);
    }
}

#[test]
fn an_encoder_keeps_no_cache() {
    for (config, parameters) in [
        (
            json!({"architectures": ["BertForMaskedLM"], "hidden_size": 768, "intermediate_size": 3072,
                "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12, "num_hidden_layers": 12,
                "type_vocab_size": 2, "vocab_size": 30522}),
            109_482_240_u64,
        ),
        (
            json!({"hidden_size": 1024, "intermediate_size": 4096, "max_position_embeddings": 512, "model_type": "bert",
                "num_attention_heads": 16, "num_hidden_layers": 24, "type_vocab_size": 2, "vocab_size": 30522}),
            335_141_888,
        ),
        // The published 124 697 433 have the head of masked words in the place of the pooler.
        (
            json!({"architectures": ["RobertaForMaskedLM"], "hidden_size": 768, "intermediate_size": 3072,
                "max_position_embeddings": 514, "model_type": "roberta", "num_attention_heads": 12, "num_hidden_layers": 12,
                "type_vocab_size": 1, "vocab_size": 50265}),
            124_697_433 - (768 * 768 + 3 * 768 + 50_265) + (768 * 768 + 768),
        ),
    ] {
        let brought = of(&config);
        let counts = counts(&config);
        assert_eq!(counts.parameters, parameters);
        assert_eq!(counts.kv_token_bytes, 0.0);
        assert!(counts.blocks[0].pair_flop > 0.0);
        assert!(brought.notes.iter().any(|note| note.contains("An encoder")));
        assert!(brought.tier_model().is_err(), "tiers generate tokens");
    }
    let both = json!({"hidden_size": 768, "intermediate_size": 3072, "model_type": "bert", "num_attention_heads": 12,
        "num_hidden_layers": 12, "vocab_size": 30522, "is_decoder": true, "add_cross_attention": true});
    assert_eq!(asked(&of(&both)), ["blocks"]);
}

/// The parameters of Llama 4's part that sees, as its published files hold it.
fn llama4_vision() -> u64 {
    let (d, wide) = (1408, 5632);
    let layer = 4 * (d * d + d) + 2 * d * wide + wide + d + 4 * d;
    let patches = 3 * 14 * 14 * d;
    let positions = (24 * 24 + 1) * d;
    let adapter = wide * 4096 + 4096 * 4096;
    34 * layer + patches + positions + d + 4 * d + adapter + 4096 * 5120
}

fn llama4(layers_with_experts: u32, experts: u32) -> Value {
    json!({"architectures": ["Llama4ForConditionalGeneration"], "model_type": "llama4", "tie_word_embeddings": false,
        "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1408}, "text_config": {"model_type": "llama4_text",
        "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_hidden_layers": 48,
        "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": experts,
        "num_experts_per_tok": 1, "interleave_moe_layer_step": layers_with_experts, "attention_chunk_size": 8192,
        "max_position_embeddings": 10_485_760, "no_rope_layers": [], "use_qk_norm": true, "attention_bias": false,
        "vocab_size": 202_048}})
}

#[test]
fn every_fourth_block_of_llama_4_attends_to_everything() {
    let scout = counts(&llama4(1, 16));
    assert_eq!(scout.parameters + llama4_vision(), 108_641_793_536);
    let windows: Vec<Option<u64>> = scout
        .blocks
        .iter()
        .flat_map(|run| vec![run.window; run.repeat])
        .collect();
    assert_eq!(windows.len(), 48);
    for (at, window) in windows.iter().enumerate() {
        assert_eq!(*window, ((at + 1) % 4 != 0).then_some(8192), "block {at}");
    }
    assert_eq!(scout.kv_token_bytes, 48.0 * 2.0 * 2.0 * 1024.0);
    let maverick = counts(&llama4(2, 128));
    assert_eq!(maverick.parameters + llama4_vision(), 401_583_781_376);
    // A list says the same block by block: 0 is a block without positions, which attends to everything.
    let mut listed = llama4(1, 16);
    let list: Vec<u8> = (0..48).map(|at| u8::from(at % 2 == 0)).collect();
    listed["text_config"]["no_rope_layers"] = json!(list);
    let listed = counts(&listed).blocks;
    assert_eq!(listed.len(), 48);
    assert_eq!((listed[0].window, listed[1].window), (Some(8192), None));
}

fn llama_vision() -> Value {
    json!({"architectures": ["MllamaForConditionalGeneration"], "model_type": "mllama", "torch_dtype": "bfloat16",
        "vision_config": {"hidden_size": 1280}, "text_config": {"model_type": "mllama_text_model", "hidden_size": 4096,
        "intermediate_size": 14336, "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 8,
        "cross_attention_layers": [3, 8, 13, 18, 23, 28, 33, 38], "max_position_embeddings": 131_072,
        "tie_word_embeddings": false, "vocab_size": 128_256}})
}

#[test]
fn blocks_that_attend_to_an_image_keep_no_text() {
    // The part that sees: patches, class, positions of patches and tiles with their gates, 32 blocks, 8 with gates, norms.
    let d = 1280;
    let layer = 4 * d * d + 2 * d * 5120 + 5120 + d + 4 * d;
    let tiles = 9 * 4 * 1601 * d + 2 * (9 * 4 * d + 1);
    let sees = 3 * 14 * 14 * d + d + 1601 * d + 1 + tiles + 4 * d + 40 * layer + 8 * 2;
    let projector = 7680 * 4096 + 4096;
    let brought = counts(&llama_vision());
    assert_eq!(brought.parameters + sees + projector, 10_670_220_835);
    let kv = 2.0 * 2.0 * 1024.0;
    assert_eq!(brought.kv_token_bytes, 32.0 * kv);
    let each: Vec<f64> = brought
        .blocks
        .iter()
        .flat_map(|run| vec![run.kv_token_bytes; run.repeat])
        .collect();
    assert_eq!((each[2], each[3], each[4]), (kv, 0.0, kv));
    // A text token passes queries, output and feed-forward there; keys and values are the image's.
    let [plain, cross] = [brought.blocks[0], brought.blocks[1]];
    assert_eq!(plain.active - cross.active, 2 * 4096 * 1024);
    assert_eq!(cross.parameters - plain.parameters, 2 * 128 + 2);
    let note = of(&llama_vision()).notes.join(" ");
    assert!(
        note.contains("8 of 40 blocks attend to the image"),
        "{note}"
    );
    let mut silent = llama_vision();
    silent["text_config"]["cross_attention_layers"] = Value::Null;
    assert_eq!(asked(&of(&silent)), ["blocks"]);
}

fn deepseek_v3() -> Value {
    json!({"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_size": 7168,
        "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128,
        "num_key_value_heads": 128, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
        "v_head_dim": 128, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
        "first_k_dense_replace": 3, "moe_layer_freq": 1, "num_nextn_predict_layers": 1, "topk_method": "noaux_tc",
        "vocab_size": 129_280, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})
}

/// Scales of a matrix of an fp8 file, one for 128 by 128.
fn scales(rows: u64, columns: u64) -> u64 {
    rows.div_ceil(128) * columns.div_ceil(128)
}

#[test]
fn routers_of_deepseek_v3_and_kimi_k2_have_a_bias() {
    // The published 684 531 386 000 have the block that predicts a second token, with its embedding and head, and scales; and
    // the correction of each router, which is adjusted and not learned: no parameter of `transformers`, but part of the bytes.
    let d = 7168;
    let attention = scales(1536, d)
        + scales(128 * 192, 1536)
        + scales(512 + 64, d)
        + scales(128 * 256, 512)
        + scales(d, 128 * 128);
    let expert = 3 * scales(2048, d);
    let all_scales = 62 * attention + 3 * 3 * scales(18432, d) + 59 * 257 * expert;
    let main = counts(&deepseek_v3());
    let with_experts = main.blocks.last().expect("there are blocks").parameters;
    let second = with_experts + 2 * 129_280 * d + 2 * d * d + 3 * d;
    let corrections = 59 * 256;
    assert_eq!(
        main.parameters + second + all_scales + corrections,
        684_531_386_000
    );
    assert_eq!(main.parameters, 671_026_404_352);
    let plain = counts(&with(
        &deepseek_v3(),
        &[("quantization_config", Value::Null)],
    ));
    let last = plain.blocks.last().expect("there are blocks");
    assert_eq!(last.weight_bytes, 2.0 * (last.parameters + 256) as f64);
    let notes = of(&deepseek_v3()).notes.join(" ");
    assert!(notes.contains("num_nextn_predict_layers: 1"), "{notes}");
    let kimi = with(
        &deepseek_v3(),
        &[
            ("model_type", json!("kimi_k2")),
            ("num_attention_heads", json!(64)),
            ("num_key_value_heads", json!(64)),
            ("n_routed_experts", json!(384)),
            ("first_k_dense_replace", json!(1)),
            ("num_nextn_predict_layers", json!(0)),
            ("vocab_size", json!(163_840)),
        ],
    );
    // Published with corrections: 1 026 408 232 448.
    assert_eq!(counts(&kimi).parameters + 60 * 384, 1_026_408_232_448);
}

#[test]
fn more_families_come_out_to_the_parameter() {
    for (what, config, parameters) in [
        (
            "OLMo-7B: norms without weights",
            json!({"model_type": "olmo", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 50304, "tie_word_embeddings": false}),
            6_888_095_744_u64,
        ),
        (
            "OLMoE-1B-7B: gains on all queries and keys",
            json!({"model_type": "olmoe", "hidden_size": 2048, "intermediate_size": 1024, "num_hidden_layers": 16,
                "num_attention_heads": 16, "num_key_value_heads": 16, "num_experts": 64, "num_experts_per_tok": 8,
                "vocab_size": 50304, "tie_word_embeddings": false}),
            6_919_161_856,
        ),
        (
            "GLM-4.5-Air: its published 110 468 824 832 have a block that predicts a second token, and corrections of routers",
            json!({"model_type": "glm4_moe", "hidden_size": 4096, "intermediate_size": 10944, "moe_intermediate_size": 1408,
                "num_hidden_layers": 46, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128,
                "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
                "attention_bias": true, "use_qk_norm": false, "num_nextn_predict_layers": 1, "vocab_size": 151_552,
                "tie_word_embeddings": false}),
            110_468_824_832
                - (2_341_492_864 + 2 * 151_552 * 4096 + 2 * 4096 * 4096 + 3 * 4096)
                - 45 * 128,
        ),
        (
            "stablelm-3b-4e1t: norms with biases",
            json!({"model_type": "stablelm", "hidden_size": 2560, "intermediate_size": 6912, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 32, "use_qkv_bias": false, "vocab_size": 50304,
                "tie_word_embeddings": false}),
            2_795_443_200,
        ),
        (
            "granite-3.0-1b-a400m",
            json!({"model_type": "granitemoe", "hidden_size": 1024, "intermediate_size": 512, "num_hidden_layers": 24,
                "num_attention_heads": 16, "num_key_value_heads": 8, "num_local_experts": 32, "num_experts_per_tok": 8,
                "vocab_size": 49155, "tie_word_embeddings": true}),
            1_334_628_352,
        ),
        (
            "Phi-3.5-MoE: biases and norms with biases, a head with bias",
            json!({"model_type": "phimoe", "hidden_size": 4096, "intermediate_size": 6400, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 16, "num_experts_per_tok": 2,
                "attention_bias": true, "lm_head_bias": true, "vocab_size": 32064, "tie_word_embeddings": false}),
            41_873_153_344,
        ),
        (
            "GPT-J-6B: one norm, no biases in attention",
            json!({"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16, "n_inner": null, "n_positions": 2048,
                "vocab_size": 50400, "tie_word_embeddings": false}),
            6_050_882_784,
        ),
        (
            "Command R+: gains on all queries and keys",
            json!({"model_type": "cohere", "hidden_size": 12288, "intermediate_size": 33792, "num_hidden_layers": 64,
                "num_attention_heads": 96, "num_key_value_heads": 8, "use_qk_norm": true, "vocab_size": 256_000}),
            103_810_674_688,
        ),
        (
            "Pythia-6.9B: biases everywhere, two matrices in the feed-forward",
            json!({"model_type": "gpt_neox", "hidden_size": 4096, "intermediate_size": 16384, "num_hidden_layers": 32,
                "num_attention_heads": 32, "vocab_size": 50432, "tie_word_embeddings": false}),
            6_857_302_016,
        ),
        (
            "OLMo-2-7B: gains on all queries and all keys",
            json!({"model_type": "olmo2", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 100_352, "tie_word_embeddings": false}),
            7_298_617_344,
        ),
        (
            "InternLM2-7B",
            json!({"model_type": "internlm2", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 8, "bias": false, "vocab_size": 92544,
                "tie_word_embeddings": false}),
            7_737_708_544,
        ),
        (
            "MiniCPM-2B: tied unless the file says otherwise",
            json!({"model_type": "minicpm", "hidden_size": 2304, "intermediate_size": 5760, "num_hidden_layers": 40,
                "num_attention_heads": 36, "num_key_value_heads": 36, "vocab_size": 122_753}),
            2_724_880_896,
        ),
    ] {
        assert_eq!(counts(&config).parameters, parameters, "{what}");
    }
}

fn llama() -> Value {
    serde_json::from_str(include_str!("../../data/configs/llama-3-8b.json")).expect("it is JSON")
}

/// Weights of the matrices of a block of Llama-3-8B, of its gains, and of embedding and head.
const LLAMA: [f64; 3] = [218_103_808.0, 8192.0, 2.0 * 128_256.0 * 4096.0];

#[test]
fn nvfp4_has_a_byte_of_scale_for_sixteen_weights() {
    let weights = json!({"dynamic": false, "num_bits": 4, "type": "float", "group_size": 16});
    for config in [
        json!({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head"],
            "config_groups": {"group_0": {"weights": weights, "targets": ["Linear"]}}}),
        json!({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "ignore": ["lm_head"],
            "config_groups": {"group_0": {"weights": weights}}}),
        json!({"quant_method": "modelopt", "quant_algo": "NVFP4"}),
        json!({"quant_method": "modelopt_fp4"}),
    ] {
        let counts = counts(&with(&llama(), &[("quantization_config", config.clone())]));
        let [matrices, gains, ends] = LLAMA;
        assert_eq!(
            counts.blocks[0].weight_bytes,
            0.5625 * matrices + 2.0 * gains,
            "{config}"
        );
        assert_eq!(counts.outside_bytes, 2.0 * (ends + 4096.0), "{config}");
    }
}

#[test]
fn mixed_quantisation_in_a_file_is_asked_for() {
    let group = |bits: u32, size: u32| json!({"weights": {"num_bits": bits, "group_size": size}});
    let config = json!({"quant_method": "compressed-tensors", "config_groups": {"a": group(4, 32), "b": group(8, 128)}});
    let config = with(&llama(), &[("quantization_config", config)]);
    assert_eq!(asked(&of(&config)), ["weight_bits"]);
    let told = import::config(&config.to_string(), "", &answered("weight_bits", 5.0));
    assert!(told.expect("it is read").planned().is_ok());
}

#[test]
fn mlx_quantises_every_matrix_with_a_scale_and_a_bias_for_each_group() {
    let [matrices, gains, ends] = LLAMA;
    for (config, bytes) in [
        (json!({"group_size": 64, "bits": 4}), 0.5625),
        (json!({"group_size": 32, "bits": 8}), 1.125),
        (
            json!({"group_size": 32, "bits": 4, "mode": "mxfp4"}),
            0.53125,
        ),
        (
            json!({"group_size": 16, "bits": 4, "mode": "nvfp4"}),
            0.5625,
        ),
    ] {
        // Some files have a copy under the other name.
        let fields = [
            ("quantization", config.clone()),
            ("quantization_config", config.clone()),
        ];
        for fields in [&fields[..1], &fields[..]] {
            let counts = counts(&with(&llama(), fields));
            assert_eq!(counts.parameters, 8_030_261_248);
            let block = bytes * matrices + 2.0 * gains;
            assert_eq!(counts.blocks[0].weight_bytes, block, "{config}");
            assert_eq!(
                counts.outside_bytes,
                bytes * ends + 2.0 * 4096.0,
                "{config}"
            );
        }
    }
    let mixed = |name: &str| {
        let own = json!({"group_size": 64, "bits": 4, name: {"group_size": 64, "bits": 6}});
        of(&with(&llama(), &[("quantization", own)]))
    };
    let six = counts_of(mixed("model.layers.0.mlp.down_proj"));
    let all_four = six.blocks[1].weight_bytes;
    let more = 0.25 * 4096.0 * 14336.0;
    assert_eq!(six.blocks[0].weight_bytes, all_four + more);
    let mixed = mixed("model.layers.77.mlp.down_proj");
    assert_eq!(asked(&mixed), ["weight_bits"]);
    let (_, question) = mixed.questions().next().expect("it is asked");
    assert!(
        question.contains("model.layers.77.mlp.down_proj"),
        "{question}"
    );
    let strange = of(&with(
        &llama(),
        &[(
            "quantization",
            json!({"group_size": 64, "bits": 4, "mode": "ternary"}),
        )],
    ));
    assert_eq!(asked(&strange), ["weight_bits"]);
    // A router in 8 bits among experts in 4.
    let experts = json!({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 1,
        "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2,
        "vocab_size": 32000, "torch_dtype": "bfloat16", "quantization": {"group_size": 64, "bits": 4,
        "model.layers.0.block_sparse_moe.gate": {"group_size": 64, "bits": 8}}});
    let block = counts(&experts).blocks[0];
    let attention = 4096.0 * 128.0 * (2.0 * 32.0 + 2.0 * 8.0);
    let all = attention + 8.0 * 3.0 * 4096.0 * 14336.0;
    assert_eq!(
        block.weight_bytes,
        0.5625 * all + 1.0625 * 8.0 * 4096.0 + 2.0 * 8192.0
    );
}

#[test]
fn an_architecture_that_is_not_known_asks_how_its_feed_forward_is_built() {
    let strange = with(
        &llama(),
        &[
            ("model_type", json!("zorro")),
            ("architectures", Value::Null),
        ],
    );
    let open = of(&strange);
    assert_eq!(asked(&open), ["ffn_matrices"]);
    assert!(open.planned().is_err() && open.counts.is_none());
    assert_eq!(fact(&open, "d_model").0, "4096", "what was read is shown");
    let answer = |n: f64| {
        let told = import::config(&strange.to_string(), "", &answered("ffn_matrices", n));
        told.expect("it is read")
    };
    let gated = answer(3.0).counts.expect("all is known");
    assert_eq!(gated.parameters, 8_030_261_248);
    let plain = answer(2.0).counts.expect("all is known");
    assert_eq!(gated.parameters - plain.parameters, 32 * 4096 * 14336);
    assert_eq!(asked(&answer(4.0)), ["ffn_matrices"]);
    // Nor is anything else taken for what most have.
    let mut bare = strange.clone();
    for key in ["num_key_value_heads", "tie_word_embeddings"] {
        bare.as_object_mut().expect("an object").remove(key);
    }
    assert_eq!(
        asked(&of(&bare)),
        ["ffn_matrices", "h_k", "tied_embeddings"]
    );
    for (key, value) in [
        ("hidden_size_per_layer_input", json!(256)),
        ("index_topk", json!(2048)),
        ("qk_layernorm", json!(true)),
    ] {
        assert_eq!(
            asked(&of(&with(&llama(), &[(key, value)]))),
            ["blocks"],
            "{key}"
        );
    }
}
