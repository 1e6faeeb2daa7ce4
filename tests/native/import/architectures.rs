//! Blocks that are unlike each other, or mix tokens by a state: counts as the classes of `transformers` 5.24 have them on its meta
//! device, or as their authors publish them.

use super::{asked, counts, fact, of, with};
use engine::scenario::import::{self, UserAnswers};
use serde_json::{Value, json};

fn qwen3_next() -> Value {
    json!({"model_type": "qwen3_next", "decoder_sparse_step": 1, "full_attention_interval": 4, "head_dim": 256, "hidden_size": 2048,
        "intermediate_size": 5120, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
        "linear_num_value_heads": 32, "linear_value_head_dim": 128, "max_position_embeddings": 262_144, "mlp_only_layers": [],
        "moe_intermediate_size": 512, "num_attention_heads": 16, "num_experts": 512, "num_experts_per_tok": 10, "num_hidden_layers": 48,
        "num_key_value_heads": 2, "shared_expert_intermediate_size": 512, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "vocab_size": 151_936})
}

#[test]
fn a_gated_delta_network_keeps_a_state_and_every_fourth_block_a_cache() {
    let found = counts(&qwen3_next());
    assert_eq!(found.parameters, 79_674_391_296);
    assert_eq!(found.kv_token_bytes, 12.0 * 2.0 * 2.0 * 256.0 * 2.0);
    // 32 heads of 128 by 128 values in 32 bits, and 4 inputs of 8192 channels in 16.
    let state = 32.0 * 128.0 * 128.0 * 4.0 + 4.0 * 8192.0 * 2.0;
    assert_eq!(found.state_bytes, 36.0 * state);
    assert_eq!(fact(&of(&qwen3_next()), "attention_blocks").0, "12 of 48");
    // The same said block by block.
    let kinds: Vec<&str> = (1..=48)
        .map(|at| {
            if at % 4 == 0 {
                "full_attention"
            } else {
                "linear_attention"
            }
        })
        .collect();
    let listed = with(&qwen3_next(), &[("layer_types", json!(kinds))]);
    assert_eq!(counts(&listed), found);
}

fn kimi_linear() -> Value {
    let full = [4, 8, 12, 16, 20, 24, 27];
    let others: Vec<u32> = (1..=27).filter(|at| !full.contains(at)).collect();
    json!({"model_type": "kimi_linear", "first_k_dense_replace": 1, "head_dim": 72, "hidden_size": 2304, "intermediate_size": 9216,
        "kv_lora_rank": 512, "linear_attn_config": {"full_attn_layers": full, "kda_layers": others, "head_dim": 128, "num_heads": 32,
        "short_conv_kernel_size": 4}, "mla_use_nope": true, "model_max_length": 1_048_576, "moe_intermediate_size": 1024, "moe_layer_freq": 1,
        "num_attention_heads": 32, "num_expert_group": 1, "num_experts": 256, "num_experts_per_token": 8, "num_hidden_layers": 27,
        "num_key_value_heads": 32, "num_nextn_predict_layers": 0, "num_shared_experts": 1, "q_lora_rank": null, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "tie_word_embeddings": false, "vocab_size": 163_840, "dtype": "bfloat16"})
}

#[test]
fn kimi_delta_attention_stands_beside_latent_attention() {
    let found = counts(&kimi_linear());
    assert_eq!(found.parameters, 49_122_675_072);
    assert_eq!(found.kv_token_bytes, 7.0 * 576.0 * 2.0);
    // A list that names too few blocks is asked about.
    let mut short = kimi_linear();
    short["linear_attn_config"]["kda_layers"] = json!([1, 2]);
    assert_eq!(asked(&of(&short)), ["blocks"]);
}

#[test]
fn short_convolutions_of_lfm2_are_read_by_old_names_and_new() {
    let old = json!({"model_type": "lfm2", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "num_heads": 32,
        "num_key_value_heads": 8, "block_dim": 2048, "block_ff_dim": 12288, "block_auto_adjust_ff_dim": true, "block_ffn_dim_multiplier": 1.0,
        "block_multiple_of": 256, "block_use_swiglu": true, "conv_L_cache": 3, "conv_bias": false, "conv_dim": 2048, "conv_dim_out": 2048,
        "full_attn_idxs": [2, 5, 8, 10, 12, 14], "vocab_size": 65536, "max_position_embeddings": 128_000, "tie_embedding": true,
        "torch_dtype": "bfloat16", "use_cache": true});
    let found = counts(&old);
    assert_eq!(found.parameters, 1_170_340_608);
    assert_eq!(found.kv_token_bytes, 6.0 * 2.0 * 8.0 * 64.0 * 2.0);
    let plain = with(
        &old,
        &[
            ("block_auto_adjust_ff_dim", json!(false)),
            ("block_ff_dim", json!(8192)),
        ],
    );
    assert_eq!(counts(&plain).parameters, found.parameters);
}

#[test]
fn numbers_of_an_object_in_the_file_are_read() {
    let dbrx = json!({"model_type": "dbrx", "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "model_type": "", "rope_theta": 500_000}, "d_model": 6144,
        "ffn_config": {"ffn_hidden_size": 10752, "model_type": "", "moe_jitter_eps": 0, "moe_loss_weight": 0.05, "moe_num_experts": 16,
        "moe_top_k": 4}, "max_seq_len": 32768, "n_heads": 48, "n_layers": 40, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "vocab_size": 100_352});
    assert_eq!(counts(&dbrx).parameters, 131_596_523_520);
    let mut odd = dbrx;
    odd["ffn_config"]["moe_dense_layers"] = json!([0, 1]);
    assert_eq!(asked(&of(&odd)), ["ffn_config.moe_dense_layers"]);
}

fn hunyuan() -> Value {
    json!({"model_type": "hunyuan_v1_moe", "attention_bias": false, "attention_head_dim": 128, "cla_share_factor": 2, "use_cla": false,
        "hidden_size": 4096, "intermediate_size": 3072, "max_position_embeddings": 32768, "mlp_bias": false,
        "moe_intermediate_size": vec![3072; 32], "moe_topk": vec![8; 32], "num_attention_heads": 32, "num_experts": 64,
        "num_hidden_layers": 32, "num_key_value_heads": 8, "num_shared_expert": vec![1; 32], "tie_word_embeddings": true,
        "torch_dtype": "bfloat16", "use_mixed_mlp_moe": true, "use_qk_norm": true, "vocab_size": 128_167, "head_dim": 128})
}

#[test]
fn a_list_with_one_number_throughout_is_that_number() {
    assert_eq!(counts(&hunyuan()).parameters, 80_393_183_232);
    let mut mixed = vec![8; 32];
    mixed[3] = 4;
    assert_eq!(
        asked(&of(&with(&hunyuan(), &[("moe_topk", json!(mixed))]))),
        ["experts_used"]
    );
    assert_eq!(
        asked(&of(&with(&hunyuan(), &[("use_cla", json!(true))]))),
        ["blocks"]
    );
}

#[test]
fn networks_beside_experts_are_counted() {
    let arctic = json!({"model_type": "arctic", "hidden_size": 7168, "intermediate_size": 4864, "num_attention_heads": 56,
        "num_key_value_heads": 8, "num_hidden_layers": 35, "num_local_experts": 128, "num_experts_per_tok": 2, "moe_layer_frequency": 1,
        "parallel_attn_mlp_res": true, "use_residual": true, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 32000,
        "max_position_embeddings": 4096});
    let found = counts(&arctic);
    // Without the networks beside them and their gains: 473 189 434 368.
    assert_eq!(
        found.parameters,
        473_189_434_368 + 35 * (3 * 7168 * 7168 + 7168)
    );
    // Published: 480 billion, 17 of them active.
    assert!(
        (16.5e9..17.5e9).contains(&(found.active() as f64)),
        "{}",
        found.active()
    );
    let step = json!({"model_type": "step3_text", "hidden_size": 7168, "intermediate_size": 18432, "num_attention_heads": 64,
        "num_attention_groups": 1, "head_dim": 256, "share_q_dim": 2048, "num_hidden_layers": 61, "moe_num_experts": 48, "moe_top_k": 3,
        "moe_intermediate_size": 5120, "share_expert_dim": 5120, "vocab_size": 128_815, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "max_seq_len": 65536,
        "moe_layers_enum": (4..60).map(|n| n.to_string()).collect::<Vec<_>>().join(",")});
    let found = counts(&step);
    assert!(
        (315.5e9..317.5e9).contains(&(found.parameters as f64)),
        "{}",
        found.parameters
    );
    assert_eq!(found.kv_token_bytes, 61.0 * 2.0 * 256.0 * 2.0);
    let with_experts = found.blocks.iter().filter(|block| block.experts.is_some());
    assert_eq!(with_experts.map(|block| block.repeat).sum::<usize>(), 56);
}

#[test]
fn recurrences_of_griffin_share_a_model_with_local_attention() {
    let config = json!({"model_type": "recurrent_gemma", "attention_bias": false, "attention_window_size": 2048,
        "block_types": ["recurrent", "recurrent", "attention"], "conv1d_width": 4, "head_dim": 256, "hidden_size": 2560,
        "intermediate_size": 15360, "lru_width": 2560, "num_attention_heads": 10, "num_hidden_layers": 26, "num_key_value_heads": 1,
        "vocab_size": 256_000, "tie_word_embeddings": true, "torch_dtype": "float32"});
    let found = counts(&config);
    assert_eq!(found.parameters, 2_682_862_080);
    assert_eq!(found.kv_token_bytes, 8.0 * 2.0 * 256.0 * 2.0);
    let windows: Vec<Option<u64>> = found.blocks.iter().map(|block| block.window).collect();
    assert!(windows.contains(&Some(2048)) && windows.contains(&None));
}

fn gemma4(layers: usize) -> Value {
    let kinds: Vec<&str> = (1..=layers)
        .map(|at| {
            if at % 6 == 0 {
                "full_attention"
            } else {
                "sliding_attention"
            }
        })
        .collect();
    json!({"model_type": "gemma4_text", "attention_bias": false, "attention_k_eq_v": true, "enable_moe_block": false, "global_head_dim": 512,
        "head_dim": 256, "hidden_size": 5376, "hidden_size_per_layer_input": 0, "intermediate_size": 21504, "layer_types": kinds,
        "max_position_embeddings": 262_144, "num_attention_heads": 32, "num_global_key_value_heads": 4, "num_hidden_layers": layers,
        "num_key_value_heads": 16, "num_kv_shared_layers": 0, "sliding_window": 1024, "tie_word_embeddings": true,
        "use_double_wide_mlp": false, "vocab_size": 262_144, "dtype": "bfloat16"})
}

#[test]
fn blocks_with_full_attention_may_have_other_heads() {
    let found = counts(&gemma4(60));
    assert_eq!(found.parameters, 30_697_345_280);
    assert_eq!(found.kv_token_bytes, 901_120.0);
    let beyond = found.blocks.iter().filter(|block| block.window.is_none());
    let beyond: f64 = beyond
        .map(|block| block.repeat as f64 * block.kv_token_bytes)
        .sum();
    assert_eq!(beyond, 81_920.0);
}

#[test]
fn blocks_may_use_the_cache_of_earlier_ones() {
    let config = with(
        &gemma4(30),
        &[
            ("attention_k_eq_v", json!(false)),
            ("global_head_dim", json!(256)),
            ("hidden_size", json!(2048)),
            ("intermediate_size", json!(8192)),
            ("num_attention_heads", json!(8)),
            ("num_key_value_heads", json!(2)),
            ("num_kv_shared_layers", json!(18)),
            ("sliding_window", json!(512)),
        ],
    );
    let found = counts(&config);
    assert_eq!(found.parameters, 2_323_902_976);
    assert_eq!(found.kv_token_bytes, 12.0 * 2048.0);
    let none_left = with(&config, &[("num_kv_shared_layers", json!(30))]);
    assert_eq!(asked(&of(&none_left)), ["shared_caches"]);
}

#[test]
fn blocks_with_and_without_experts_are_listed() {
    let kinds = |dense: usize, all: usize| -> Vec<&str> {
        (0..all)
            .map(|at| if at < dense { "dense" } else { "sparse" })
            .collect()
    };
    let flash = json!({"model_type": "glm4_moe_lite", "attention_bias": false, "hidden_size": 2048, "intermediate_size": 10240,
        "kv_lora_rank": 512, "q_lora_rank": 768, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, "num_attention_heads": 20,
        "num_key_value_heads": 20, "num_hidden_layers": 47, "n_routed_experts": 64, "n_shared_experts": 1, "num_experts_per_tok": 4,
        "moe_intermediate_size": 1536, "mlp_layer_types": kinds(1, 47), "num_nextn_predict_layers": 1, "vocab_size": 154_880,
        "tie_word_embeddings": false, "max_position_embeddings": 202_752, "dtype": "bfloat16"});
    assert_eq!(counts(&flash).parameters, 29_943_390_976);
    let laguna = json!({"model_type": "laguna", "head_dim": 128, "hidden_size": 2048, "intermediate_size": 8192,
        "layer_types": vec!["full_attention"; 40], "max_position_embeddings": 131_072, "mlp_layer_types": kinds(1, 40),
        "moe_intermediate_size": 512, "num_attention_heads": 48, "num_attention_heads_per_layer": vec![48; 40], "num_experts": 256,
        "num_experts_per_tok": 8, "num_hidden_layers": 40, "num_key_value_heads": 8, "shared_expert_intermediate_size": 512,
        "sliding_window": 512, "tie_word_embeddings": false, "vocab_size": 100_352});
    let even = counts(&laguna);
    assert_eq!(even.parameters, 33_189_975_808);
    // Half as many query heads in every other block: their matrices, and the gates.
    let heads: Vec<u32> = (0..40)
        .map(|at| if at % 2 == 0 { 48 } else { 24 })
        .collect();
    let mixed = counts(&with(
        &laguna,
        &[("num_attention_heads_per_layer", json!(heads))],
    ));
    assert_eq!(
        even.parameters - mixed.parameters,
        20 * 24 * 2048 * (2 * 128 + 1)
    );
    assert_eq!(mixed.kv_token_bytes, even.kv_token_bytes);
}

#[test]
fn an_indexer_has_weights_and_keeps_values() {
    let config = json!({"model_type": "deepseek_v32", "first_k_dense_replace": 3, "hidden_size": 7168, "index_head_dim": 128,
        "index_n_heads": 64, "index_topk": 2048, "intermediate_size": 18432, "kv_lora_rank": 512, "moe_intermediate_size": 2048,
        "moe_layer_freq": 1, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8,
        "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 129_280,
        "max_position_embeddings": 163_840, "quantization_config": {"activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8",
        "scale_fmt": "ue8m0", "weight_block_size": [128, 128]}});
    let found = counts(&config);
    assert_eq!(found.parameters, 671_877_929_216);
    assert_eq!(found.kv_token_bytes, 61.0 * (576.0 + 128.0) * 2.0);
}

#[test]
fn routers_and_corrections_may_stay_as_they_were() {
    let config = json!({"model_type": "minimax_m2", "attn_type_list": vec![1; 62], "head_dim": 128, "hidden_size": 3072,
        "intermediate_size": 1536, "mlp_intermediate_size": 8192, "num_attention_heads": 48, "num_key_value_heads": 8, "num_hidden_layers": 62,
        "num_local_experts": 256, "num_experts_per_tok": 8, "shared_intermediate_size": 0, "scoring_func": "sigmoid", "use_routing_bias": true,
        "use_qk_norm": true, "qk_norm_type": "per_layer", "use_mtp": true, "num_mtp_modules": 3, "mtp_transformer_layers": 1, "rotary_dim": 64,
        "vocab_size": 200_064, "tie_word_embeddings": false, "max_position_embeddings": 196_608, "quantization_config": {
        "activation_scheme": "dynamic", "fmt": "float8_e4m3fn", "quant_method": "fp8", "weight_block_size": [128, 128],
        "modules_to_not_convert": ["gate", "e_score_correction_bias", "lm_head"]}});
    let found = counts(&config);
    assert_eq!(found.parameters, 228_689_748_992);
    let bytes = found.block_bytes + found.outside_bytes;
    assert!((229e9..231e9).contains(&bytes), "{bytes}");
    let notes = of(&config).notes.join("\n");
    assert!(notes.contains("num_mtp_modules: 3"), "{notes}");
}

#[test]
fn windows_may_be_letters() {
    let config = json!({"model_type": "exaone4", "head_dim": 128, "hidden_size": 5120, "intermediate_size": 27392,
        "max_position_embeddings": 131_072, "num_attention_heads": 40, "num_hidden_layers": 64, "num_key_value_heads": 8,
        "sliding_window": 4096, "sliding_window_pattern": "LLLG", "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 102_400});
    assert_eq!(counts(&config).parameters, 32_003_216_384);
    assert_eq!(fact(&of(&config), "window_blocks").0, "48 of 64");
    let odd = with(&config, &[("sliding_window_pattern", json!("LLXG"))]);
    assert_eq!(asked(&of(&odd)), ["blocks"]);
}

#[test]
fn switches_of_single_classes_are_read() {
    let seed = json!({"model_type": "seed_oss", "attention_bias": true, "attention_out_bias": false, "head_dim": 128, "hidden_size": 5120,
        "intermediate_size": 27648, "max_position_embeddings": 524_288, "mlp_bias": false, "num_attention_heads": 80, "num_hidden_layers": 64,
        "num_key_value_heads": 8, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 155_136});
    assert_eq!(counts(&seed).parameters, 36_151_104_512);
    let biased = with(&seed, &[("attention_out_bias", json!(true))]);
    assert_eq!(counts(&biased).parameters, 36_151_432_192);
}

#[test]
fn blocks_that_a_search_has_chosen_are_read_one_by_one() {
    let block = |heads: Value, times: f64| {
        json!({"attention": {"n_heads_in_group": heads, "no_op": heads.is_null(), "replace_with_linear": false},
            "ffn": {"ffn_mult": times, "no_op": false, "replace_with_linear": false}})
    };
    let config = json!({"model_type": "nemotron-nas", "architectures": ["DeciLMForCausalLM"], "attention_bias": false,
        "block_configs": [block(json!(8), 5.25), block(Value::Null, 1.3125), block(json!(8), 5.25)], "hidden_size": 8192,
        "intermediate_size": null, "num_attention_heads": 64, "num_hidden_layers": 3, "num_key_value_heads": null, "vocab_size": 128_256,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16", "max_position_embeddings": 131_072, "mlp_bias": false});
    let found = counts(&config);
    // As Llama-3.3-70B: 28672 wide; a quarter of it in the block without attention, which has one norm less.
    let attention = 2 * 8192 * 8192 + 2 * 8192 * 1024;
    let parameters = 2 * (attention + 3 * 8192 * 28672 + 2 * 8192) + (3 * 8192 * 7168 + 8192);
    assert_eq!(found.parameters, parameters + 2 * 128_256 * 8192 + 8192);
    assert_eq!(found.kv_token_bytes, 2.0 * 2.0 * 1024.0 * 2.0);
    let mut odd = config;
    odd["block_configs"][1]["attention"] = json!({});
    assert_eq!(asked(&of(&odd)), ["blocks"]);
}

#[test]
fn a_params_json_is_read() {
    let mistral = json!({"dim": 5120, "n_layers": 40, "head_dim": 128, "hidden_dim": 32768, "n_heads": 32, "n_kv_heads": 8,
        "rope_theta": 1e9, "norm_eps": 1e-5, "vocab_size": 131_072, "max_seq_len": 131_072});
    let answers: UserAnswers = [("tied_embeddings".to_owned(), 0.0)].into_iter().collect();
    let brought =
        import::config(&mistral.to_string(), "params.json", &answers).expect("it is read");
    assert_eq!(
        brought.counts.expect("all is known").parameters,
        23_572_403_200
    );
    assert_eq!(counts(&mistral).parameters, 23_572_403_200);
    // Meta states a factor and a step in place of the width: 14336.
    let llama = json!({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128_256, "multiple_of": 1024,
        "ffn_dim_multiplier": 1.3, "norm_eps": 1e-5, "rope_theta": 500_000.0});
    assert_eq!(counts(&llama).parameters, 8_030_261_248);
}

#[test]
fn an_embedding_that_is_the_head_outside_and_not_inside_is_asked_about() {
    let config = json!({"model_type": "lighton_ocr", "tie_word_embeddings": true, "text_config": {"model_type": "qwen3", "hidden_size": 1024,
        "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128,
        "vocab_size": 151_936, "tie_word_embeddings": false, "max_position_embeddings": 40960}, "dtype": "bfloat16"});
    assert_eq!(asked(&of(&config)), ["tied_embeddings"]);
    let answers: UserAnswers = [("tied_embeddings".to_owned(), 1.0)].into_iter().collect();
    let brought = import::config(&config.to_string(), "", &answers).expect("it is read");
    assert_eq!(
        brought.counts.expect("all is known").parameters,
        596_049_920
    );
}

#[test]
fn a_key_that_is_not_read_is_asked_about_by_its_name() {
    let llama: Value = serde_json::from_str(include_str!("../../data/configs/llama-3-8b.json"))
        .expect("it is JSON");
    for (key, value) in [
        ("dense_layers", json!([0, 1, 2])),
        ("moe_plan", json!({"a": 1})),
        ("swa_heads", json!(4)),
        ("num_mtp_heads", json!(2)),
        ("attn_rank", json!(64)),
        ("cache_bits", json!(4)),
        ("ffn_multipliers", json!([0.5, 1.0])),
    ] {
        let config = with(&llama, &[(key, value)]);
        assert_eq!(asked(&of(&config)), [key]);
        let harmless: UserAnswers = [(key.to_owned(), 0.0)].into_iter().collect();
        let brought = import::config(&config.to_string(), "", &harmless).expect("it is read");
        assert_eq!(
            brought.counts.as_ref().map(|counts| counts.parameters),
            Some(8_030_261_248),
            "{key}"
        );
        let other: UserAnswers = [(key.to_owned(), 1.0)].into_iter().collect();
        let brought = import::config(&config.to_string(), "", &other).expect("it is read");
        assert_eq!(asked(&brought), [key]);
    }
    for (key, value) in [
        ("dense_layers", json!([])),
        ("use_swa", json!(false)),
        ("rope_scaling", json!({"factor": 8.0})),
        ("layer_norm_eps", json!(1e-5)),
        ("moe_aux_loss_coef", json!(0.01)),
        ("vision_layers", json!([3, 7])),
    ] {
        assert_eq!(asked(&of(&with(&llama, &[(key, value)]))), [""; 0], "{key}");
    }
}

#[test]
fn a_nested_language_model_leaves_sizes_to_its_class() {
    let config = json!({"architectures": ["LlavaForConditionalGeneration"], "model_type": "llava", "ignore_index": -100,
        "image_token_index": 32000, "projector_hidden_act": "gelu", "text_config": {"_name_or_path": "vicuna-7b",
        "architectures": ["LlamaForCausalLM"], "max_position_embeddings": 4096, "model_type": "llama", "rms_norm_eps": 1e-5,
        "torch_dtype": "float16", "vocab_size": 32064}, "tie_word_embeddings": false, "torch_dtype": "float16",
        "vision_config": {"hidden_size": 1024, "num_hidden_layers": 24}});
    let found = counts(&config);
    assert_eq!(found.parameters, 6_738_939_904);
    assert_eq!(found.kv_token_bytes, 524_288.0);
    // Outside of such a file nothing is taken for the class’s.
    let inner = config["text_config"].clone();
    assert!(asked(&of(&inner)).contains(&"layers"));
}

/// Keys of published files that change nothing, or say again what another key says.
#[test]
fn files_as_they_are_published_leave_no_question() {
    let oss = json!({"model_type": "gpt_oss", "attention_bias": true, "attention_dropout": 0.0, "experts_per_token": 4, "head_dim": 64,
        "hidden_act": "silu", "hidden_size": 2880, "initial_context_length": 4096, "intermediate_size": 2880,
        "layer_types": (0..24).map(|at| if at % 2 == 0 { "sliding_attention" } else { "full_attention" }).collect::<Vec<_>>(),
        "max_position_embeddings": 131_072, "num_attention_heads": 64, "num_experts_per_tok": 4, "num_hidden_layers": 24,
        "num_key_value_heads": 8, "num_local_experts": 32, "output_router_logits": false, "rope_scaling": {"factor": 32.0},
        "router_aux_loss_coef": 0.9, "sliding_window": 128, "swiglu_limit": 7.0, "tie_word_embeddings": false, "use_cache": true,
        "vocab_size": 201_088, "quantization_config": {"modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
        "model.embed_tokens", "lm_head"], "quant_method": "mxfp4"}});
    // Published: 20.9 billion.
    assert!((20.8e9..21.0e9).contains(&(counts(&oss).parameters as f64)));
    let other = with(&oss, &[("experts_per_token", json!(8))]);
    assert_eq!(
        asked(&of(&other)),
        ["experts_per_token"],
        "two keys contradict each other"
    );
    let command = json!({"model_type": "cohere2", "attention_bias": false, "cache_implementation": "hybrid", "head_dim": 128, "hidden_size": 4096,
        "intermediate_size": 14336, "layer_norm_eps": 1e-5, "layer_switch": 4, "logit_scale": 0.25, "max_position_embeddings": 8192,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "order_of_interleaved_layers": "local_attn_first",
        "position_embedding_type": "rope_gptj", "rope_scaling": null, "rotary_pct": 1.0, "sliding_window": 4096, "torch_dtype": "bfloat16",
        "use_embedding_sharing": true, "use_gated_activation": true, "use_parallel_block": true, "use_parallel_embedding": true,
        "vocab_size": 256_000});
    assert_eq!(fact(&of(&command), "window_blocks").0, "24 of 32");
    counts(&command);
    let jamba = json!({"model_type": "jamba", "attn_layer_offset": 4, "attn_layer_period": 8, "expert_layer_offset": 1, "expert_layer_period": 2,
        "hidden_size": 4096, "intermediate_size": 14336, "mamba_conv_bias": true, "mamba_d_conv": 4, "mamba_d_state": 16, "mamba_dt_rank": 256,
        "mamba_expand": 2, "mamba_inner_layernorms": true, "mamba_proj_bias": false, "max_position_embeddings": 262_144,
        "num_attention_heads": 32, "num_experts": 16, "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
        "num_logits_to_keep": 1, "sliding_window": null, "tie_word_embeddings": false, "use_mamba_kernels": true, "vocab_size": 65536,
        "torch_dtype": "bfloat16"});
    let found = counts(&jamba);
    // Published: 51.6 billion; 4 of 32 blocks attend.
    assert!(
        (51.4e9..51.7e9).contains(&(found.parameters as f64)),
        "{}",
        found.parameters
    );
    assert_eq!(found.kv_token_bytes, 4.0 * 2.0 * 8.0 * 128.0 * 2.0);
}

#[test]
fn a_width_that_no_head_has_is_asked_about() {
    let mimo = json!({"model_type": "mimo_v2_flash", "head_dim": 192, "v_head_dim": 128, "hidden_size": 4096, "intermediate_size": 16384,
        "layer_types": ["full_attention", "sliding_attention"], "sliding_window": 128, "num_attention_heads": 64, "num_hidden_layers": 2,
        "num_key_value_heads": 4, "swa_head_dim": 1_000_000_000, "vocab_size": 152_576, "tie_word_embeddings": false});
    assert_eq!(asked(&of(&mimo)), ["window_d_head"]);
}
