//! Modules that a file quantises unlike the rest: bytes of a block of Qwen2.5-7B by hand.

use super::{answered, asked, fact, none};
use engine::scenario::import::{self, ImportedModel};
use serde_json::{Map, Value, json};

const LAYERS: usize = 28;
/// Weights of the matrices of attention, of gate and up, and of down.
const ATTENTION: f64 = 2.0 * 3584.0 * 3584.0 + 2.0 * 3584.0 * 512.0;
const GATE_UP: f64 = 2.0 * 3584.0 * 18944.0;
const DOWN: f64 = 3584.0 * 18944.0;
/// Gains and biases, which stay in 16 bits.
const VECTORS: f64 = 2.0 * (2.0 * 3584.0 + 3584.0 + 2.0 * 512.0);

fn of(quantisation: &Value) -> ImportedModel {
    let config = json!({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": LAYERS,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152_064, "tie_word_embeddings": false, "torch_dtype": "float16",
        "max_position_embeddings": 32768, "quantization_config": quantisation});
    import::config(&config.to_string(), "config.json", &none()).expect("it is a config")
}

#[track_caller]
fn block_bytes(quantisation: &Value) -> Vec<f64> {
    let brought = of(quantisation);
    assert_eq!(asked(&brought), [""; 0], "{:?}", brought.facts);
    let counts = brought.counts.expect("nothing is missing");
    let blocks = counts.blocks.iter();
    blocks
        .flat_map(|block| vec![block.weight_bytes - VECTORS; block.repeat])
        .collect()
}

/// All blocks have these bytes.
#[track_caller]
fn all(quantisation: &Value, expected: f64) {
    let blocks = block_bytes(quantisation);
    assert_eq!(blocks.len(), LAYERS);
    for bytes in blocks {
        assert!((bytes - expected).abs() < 1.0, "{bytes} for {expected}");
    }
}

#[test]
fn dynamic_rules_of_gptq_leave_modules_out_or_give_them_bits() {
    let config = json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": false, "sym": true, "lm_head": false,
        "dynamic": {"-:.*self_attn\\..*": {}, "+:.*down_proj.*": {"bits": 8, "group_size": 64}}});
    let four = 0.5 + 2.5 / 128.0;
    let eight = 1.0 + 3.0 / 64.0;
    all(&config, ATTENTION * 2.0 + GATE_UP * four + DOWN * eight);
    let by_block = json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:.*\\.(?:0|1)\\.mlp\\..*": {}}});
    let blocks = block_bytes(&by_block);
    assert!((blocks[0] - (ATTENTION * four + (GATE_UP + DOWN) * 2.0)).abs() < 1.0);
    assert!((blocks[2] - (ATTENTION + GATE_UP + DOWN) * four).abs() < 1.0);
    // A rule for nothing that is there, and one that cannot be read.
    for pattern in ["-:.*zorro.*", "-:.*("] {
        let odd =
            json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {pattern: {}}});
        assert_eq!(asked(&of(&odd)), ["weight_bits"], "{pattern}");
    }
}

#[test]
fn lists_of_modules_stay_in_sixteen_bits() {
    let names: Vec<String> = (0..LAYERS)
        .flat_map(|at| {
            ["q", "k", "v", "o"].map(|part| format!("model.layers.{at}.self_attn.{part}_proj"))
        })
        .chain(["lm_head".to_owned()])
        .collect();
    let fp8 =
        json!({"quant_method": "fp8", "activation_scheme": "static", "ignored_layers": names});
    all(&fp8, ATTENTION * 2.0 + GATE_UP + DOWN);
    let skipped = json!({"quant_method": "bitsandbytes", "load_in_8bit": true, "llm_int8_skip_modules": ["lm_head", "down_proj"]});
    all(&skipped, ATTENTION + GATE_UP + DOWN * 2.0);
    let patterns = json!({"quant_method": "modelopt", "quant_algo": "FP8", "ignore": ["lm_head", "model.layers.0*", "re:.*layers\\.1\\..*"]});
    let blocks = block_bytes(&patterns);
    let whole = ATTENTION + GATE_UP + DOWN;
    assert_eq!(
        [blocks[0], blocks[1], blocks[2]],
        [2.0 * whole, 2.0 * whole, whole]
    );
    let odd =
        json!({"quant_method": "fp8", "ignored_layers": ["model.layers.99.self_attn.q_proj"]});
    assert_eq!(asked(&of(&odd)), ["weight_bits"]);
    let wrong = json!({"quant_method": "fp8", "ignored_layers": "lm_head"});
    assert_eq!(asked(&of(&wrong)), ["weight_bits"]);
}

#[test]
fn modules_with_bits_of_their_own_are_counted_with_them() {
    let own: Map<String, Value> = (0..LAYERS)
        .map(|at| {
            (
                format!("model.layers.{at}.mlp.down_proj"),
                json!({"bits": 16, "data_type": "float"}),
            )
        })
        .collect();
    let round = json!({"quant_method": "auto-round", "bits": 4, "group_size": 128, "sym": true, "packing_format": "auto_round:auto_gptq",
        "extra_config": own});
    all(
        &round,
        (ATTENTION + GATE_UP) * (0.5 + 2.0 / 128.0) + DOWN * 2.0,
    );
    let group = |bits: u32, targets: Value| json!({"targets": targets, "weights": {"num_bits": bits, "type": "int", "group_size": 128}});
    let tensors = json!({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {
        "group_0": group(4, json!(["Linear"])), "group_1": group(8, json!(["re:.*self_attn.*"]))}, "ignore": ["lm_head"]});
    all(
        &tensors,
        ATTENTION * (1.0 + 2.0 / 128.0) + (GATE_UP + DOWN) * (0.5 + 2.0 / 128.0),
    );
}

#[test]
fn sparse_matrices_have_half_their_weights_and_a_mask() {
    let config = json!({"quant_method": "compressed-tensors", "format": "float-quantized", "config_groups": {"group_0": {"targets": ["Linear"],
        "weights": {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": true}}}, "ignore": ["lm_head"],
        "sparsity_config": {"format": "sparse-24-bitmask", "sparsity_structure": "2:4", "targets": ["Linear"]},
        "kv_cache_scheme": {"num_bits": 8, "type": "float", "strategy": "tensor", "symmetric": true}});
    all(&config, 0.625 * (ATTENTION + GATE_UP + DOWN));
    let (shown, _) = fact(&of(&config), "cache_type");
    assert!(shown.starts_with("8 bits"), "{shown}");
}

#[test]
fn bits_that_stand_deeper_in_the_file_are_found() {
    let whole = ATTENTION + GATE_UP + DOWN;
    for (config, bytes) in [
        (
            json!({"quant_method": "hqq", "quant_config": {"offload_meta": false, "weight_quant_params": {"nbits": 4, "group_size": 64, "axis": 1}},
                "skip_modules": ["lm_head"]}),
            0.5 + 4.0 / 64.0,
        ),
        (
            json!({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 128}}}}),
            0.5 + 2.0 / 128.0,
        ),
        (
            json!({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}}, "exclude": ["lm_head"]}),
            0.5 + 1.0 / 32.0,
        ),
        (json!({"quant_method": "bitnet"}), 0.25),
        (
            json!({"quant_method": "exl2", "bits": 4.25, "head_bits": 6}),
            4.25 / 8.0,
        ),
    ] {
        let expected = bytes * whole;
        for found in block_bytes(&config) {
            assert!(
                (found - expected).abs() < 1.0,
                "{config}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn what_is_not_known_of_a_quantisation_is_asked() {
    let odd = json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "mixed_precision_plan": {"a": 3}});
    assert_eq!(
        asked(&of(&odd)),
        ["quantization_config.mixed_precision_plan"]
    );
    let sparse = json!({"quant_method": "compressed-tensors", "config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 8}}},
        "sparsity_config": {"format": "sparse-bitmask-16"}});
    assert_eq!(asked(&of(&sparse)), ["weight_bits"]);
    // An answer settles the bytes, whatever the file lists.
    let list = json!({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "vocab_size": 128_256, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "quantization_config": {"quant_method": "fp8", "ignored_layers": ["zorro"]}});
    let answer =
        import::config(&list.to_string(), "", &answered("weight_bits", 8.0)).expect("it is read");
    assert!(answer.planned().is_ok(), "{:?}", answer.facts);
}

#[test]
fn the_head_may_be_quantised_as_well() {
    let outside = |quantisation: &Value| {
        let brought = of(quantisation);
        assert_eq!(asked(&brought), [""; 0], "{:?}", brought.facts);
        let counts = brought.counts.expect("nothing is missing");
        (counts.embedding.bytes, counts.head.bytes - 2.0 * 3584.0)
    };
    let table = 152_064.0 * 3584.0;
    let plain = json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": false});
    assert_eq!(outside(&plain), (2.0 * table, 2.0 * table));
    let quantised = json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true});
    assert_eq!(
        outside(&quantised),
        (2.0 * table, table * (0.5 + 2.5 / 128.0))
    );
    let mixed = json!({"quant_method": "exl2", "bits": 4.25, "head_bits": 6});
    assert_eq!(outside(&mixed), (2.0 * table, 0.75 * table));
}

#[test]
fn names_of_routers_and_vectors_in_a_list_are_known() {
    let config = json!({"model_type": "qwen3_next", "decoder_sparse_step": 1, "full_attention_interval": 4, "head_dim": 256, "hidden_size": 2048,
        "intermediate_size": 5120, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
        "linear_num_value_heads": 32, "linear_value_head_dim": 128, "max_position_embeddings": 262_144, "moe_intermediate_size": 512,
        "num_attention_heads": 16, "num_experts": 512, "num_experts_per_tok": 10, "num_hidden_layers": 4, "num_key_value_heads": 2,
        "shared_expert_intermediate_size": 512, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 151_936,
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["lm_head",
        "model.layers.0.input_layernorm", "model.layers.0.linear_attn.conv1d", "model.layers.0.linear_attn.in_proj_ba",
        "model.layers.0.mlp.gate", "model.layers.0.mlp.shared_expert_gate", "model.layers.3.self_attn.k_norm", "model.embed_tokens",
        "mtp.fc"]}});
    let brought = import::config(&config.to_string(), "config.json", &none()).expect("it is read");
    assert_eq!(asked(&brought), [""; 0], "{:?}", brought.facts);
}

#[test]
fn a_fused_matrix_is_all_that_is_in_it() {
    let fused =
        json!({"quant_method": "fp8", "modules_to_not_convert": ["qkv_proj", "gate_up_proj"]});
    let o = 3584.0 * 3584.0;
    all(&fused, (ATTENTION - o) * 2.0 + o + GATE_UP * 2.0 + DOWN);
}

#[test]
fn settings_that_are_not_known_are_asked_about() {
    for odd in [
        json!({"quant_method": "auto-round", "bits": 4, "group_size": 128, "extra_config": {"model.layers.0.mlp.down_proj": {"scheme": "W8"}}}),
        json!({"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"+:.*down_proj.*": 8}}),
        json!({"quant_method": "torchao", "quant_type": {"model.layers.0": {"_type": "Int8WeightOnlyConfig"}, "_default":
            {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 128}}}}),
    ] {
        assert_eq!(asked(&of(&odd)), ["weight_bits"], "{odd}");
    }
}

#[test]
fn a_rule_for_one_expert_is_asked_about() {
    let config = |rule: &str| {
        json!({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 1, "num_attention_heads": 32,
            "num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000, "torch_dtype": "bfloat16",
            "quantization_config": {"quant_method": "fp8", "modules_to_not_convert": [rule]}})
    };
    let read =
        |rule: &str| import::config(&config(rule).to_string(), "", &none()).expect("it is read");
    assert_eq!(
        asked(&read("model.layers.0.mlp.experts.0.down_proj")),
        ["weight_bits"]
    );
    assert_eq!(asked(&read("model.layers.0.mlp.experts")), [""; 0]);
}
