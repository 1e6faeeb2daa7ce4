//! Files of weights beside a `config.json`: what they store counts, and a file that is no such file is refused by name.

use super::{asked, none};
use crate::cli::edgewise;
use engine::scenario::Model;
use engine::scenario::import::weights::{WeightFiles, header_length, is_index};
use engine::scenario::import::{ImportedModel, UserAnswers, config_with_weights};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;

const LAYERS: usize = 3;

/// Three blocks of 64 values: two query heads and one of keys and values, 32 wide; 16 bits.
fn config() -> String {
    json!({
        "model_type": "llama", "hidden_size": 64, "num_hidden_layers": LAYERS, "num_attention_heads": 2, "num_key_value_heads": 1,
        "head_dim": 32, "intermediate_size": 100, "vocab_size": 500, "tie_word_embeddings": false, "torch_dtype": "bfloat16"
    })
    .to_string()
}

/// Its tensors, with their bytes.
fn tensors() -> Vec<(String, u64)> {
    let mut all = vec![
        ("model.embed_tokens.weight".to_owned(), 2 * 500 * 64),
        ("model.norm.weight".to_owned(), 2 * 64),
        ("lm_head.weight".to_owned(), 2 * 500 * 64),
    ];
    for layer in 0..LAYERS {
        for (name, weights) in [
            ("self_attn.q_proj", 64 * 64),
            ("self_attn.k_proj", 64 * 32),
            ("self_attn.v_proj", 64 * 32),
            ("self_attn.o_proj", 64 * 64),
            ("mlp.gate_proj", 64 * 100),
            ("mlp.up_proj", 64 * 100),
            ("mlp.down_proj", 64 * 100),
            ("input_layernorm", 64),
            ("post_attention_layernorm", 64),
        ] {
            all.push((format!("model.layers.{layer}.{name}.weight"), 2 * weights));
        }
    }
    all
}

fn header(tensors: &[(String, u64)]) -> String {
    let mut at = 0;
    let mut header = Map::new();
    header.insert("__metadata__".into(), json!({"format": "pt"}));
    for (name, bytes) in tensors {
        let place =
            json!({"dtype": "BF16", "shape": [bytes / 2], "data_offsets": [at, at + bytes]});
        header.insert(name.clone(), place);
        at += bytes;
    }
    Value::from(header).to_string()
}

fn index(tensors: &[(String, u64)], total: u64) -> Value {
    let map: Map<String, Value> = tensors
        .iter()
        .map(|(name, _)| (name.clone(), json!("model-00001-of-00002.safetensors")))
        .collect();
    json!({"metadata": {"total_size": total}, "weight_map": map})
}

fn of_headers(tensors: &[(String, u64)]) -> ImportedModel {
    let mut weights = WeightFiles::default();
    weights.add_header(&header(tensors)).expect("a header");
    with(&weights, &none())
}

fn with(weights: &WeightFiles, answers: &UserAnswers) -> ImportedModel {
    config_with_weights(&config(), "config.json", answers, weights).expect("a config")
}

fn says(brought: &ImportedModel, words: &str) {
    let found = brought.notes.iter().any(|note| note.contains(words));
    assert!(found, "no {words:?} in {:?}", brought.notes);
}

fn sum(tensors: &[(String, u64)]) -> u64 {
    tensors.iter().map(|(_, bytes)| bytes).sum()
}

#[test]
fn files_that_hold_what_the_config_says_change_nothing() {
    let all = tensors();
    let alone = with(&WeightFiles::default(), &none());
    let mut by_index = WeightFiles::default();
    by_index
        .add_index(&index(&all, sum(&all)))
        .expect("an index");
    for brought in [of_headers(&all), with(&by_index, &none())] {
        says(&brought, "as the config has it");
        assert_eq!(brought.counts, alone.counts);
        assert_eq!(brought.model, alone.model);
        assert!(matches!(brought.model, Some(Model::Dimensions(_))));
    }
}

/// A block in 32 bits, a head in 8: each has the bytes of the file.
#[test]
fn every_block_has_the_bytes_of_its_file() {
    let mut all = tensors();
    let before = of_headers(&all).counts.expect("counts").blocks[0].weight_bytes;
    for (name, bytes) in &mut all {
        if name.starts_with("model.layers.1.") {
            *bytes *= 2;
        }
        if name == "lm_head.weight" {
            *bytes /= 2;
        }
    }
    let brought = of_headers(&all);
    says(&brought, "those of the files count");
    let counts = brought.counts.expect("counts");
    let blocks: Vec<f64> = counts.blocks.iter().map(|run| run.weight_bytes).collect();
    assert_eq!(blocks, [before, 2.0 * before, before]);
    assert_eq!(counts.head.bytes, (500 * 64 + 2 * 64) as f64);
    assert_eq!(counts.embedding.bytes, (2 * 500 * 64) as f64);
    let total = counts.block_bytes + counts.outside_bytes;
    assert_eq!(total, sum(&all) as f64);
    assert!(matches!(brought.model, Some(Model::Blocks(_))));
}

/// Experts are stored in fewer bits than the rest: a token reads them as they are.
#[test]
fn experts_have_the_bytes_of_their_tensors() {
    let config = json!({
        "model_type": "qwen3_moe", "hidden_size": 64, "moe_intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
        "num_key_value_heads": 1, "head_dim": 32, "num_experts": 4, "num_experts_per_tok": 2, "vocab_size": 500,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16", "intermediate_size": 100
    })
    .to_string();
    let mut all = tensors();
    all.retain(|(name, _)| {
        !name.contains(".mlp.") && !name.contains("layers.1") && !name.contains("layers.2")
    });
    all.push(("model.layers.0.mlp.gate.weight".into(), 2 * 64 * 4));
    for expert in 0..4 {
        all.push((format!("model.layers.0.mlp.experts.{expert}.packed"), 3072));
    }
    let mut weights = WeightFiles::default();
    weights.add_header(&header(&all)).expect("a header");
    let brought = config_with_weights(&config, "", &none(), &weights).expect("a config");
    let experts = brought.counts.expect("counts").blocks[0]
        .experts
        .expect("experts");
    assert_eq!((experts.count, experts.bytes_each), (4, 3072.0));
}

/// The index has one sum: blocks have what embedding and head leave.
#[test]
fn the_total_of_an_index_settles_the_bytes_of_blocks() {
    let all = tensors();
    let alone = with(&WeightFiles::default(), &none())
        .counts
        .expect("counts");
    let mut weights = WeightFiles::default();
    let total = sum(&all) + 30_000;
    weights.add_index(&index(&all, total)).expect("an index");
    let counts = with(&weights, &none()).counts.expect("counts");
    assert!((counts.block_bytes + counts.outside_bytes - total as f64).abs() < 1e-6);
    assert_eq!(counts.outside_bytes, alone.outside_bytes);
    // One sum for what is not planned as well says nothing of the blocks.
    let mut more = all.clone();
    more.push(("vision_tower.layers.0.weight".into(), 10));
    let mut weights = WeightFiles::default();
    weights.add_index(&index(&more, total)).expect("an index");
    let brought = with(&weights, &none());
    says(&brought, "settle nothing");
    assert_eq!(brought.counts.expect("counts"), alone);
}

#[test]
fn parts_that_are_not_planned_are_named_and_not_counted() {
    let mut all = tensors();
    all.push(("visual.blocks.0.attn.qkv.weight".into(), 1_000_000));
    all.push(("model.layers.3.mtp_block.weight".into(), 2_000_000));
    let brought = of_headers(&all);
    says(&brought, "Not counted: 3.00");
    assert_eq!(
        brought.counts,
        with(&WeightFiles::default(), &none()).counts
    );
}

#[test]
fn what_the_files_lack_is_asked_for() {
    let mut all = tensors();
    all.retain(|(name, _)| !name.starts_with("model.layers.2."));
    let brought = of_headers(&all);
    assert_eq!(asked(&brought), ["blocks"]);
    assert!(brought.model.is_none());
    let (_, question) = brought.questions().next().expect("a question");
    assert!(
        question.contains("2 of 3 blocks; block 2 has none"),
        "{question}"
    );
    let mut all = tensors();
    all.retain(|(name, _)| name != "lm_head.weight");
    let brought = of_headers(&all);
    assert_eq!(asked(&brought), ["tied_embeddings"]);
    let mut weights = WeightFiles::default();
    weights.add_header(&header(&all)).expect("a header");
    let tied = config().replace(
        "\"tie_word_embeddings\":false",
        "\"tie_word_embeddings\":true",
    );
    let brought = config_with_weights(&tied, "", &none(), &weights).expect("a config");
    says(&brought, "as the config has it");
}

#[test]
fn what_is_no_file_of_weights_is_refused() {
    for length in [0, 1, 100_000_001, u64::MAX] {
        let fault = header_length(length.to_le_bytes()).expect_err("no length");
        assert!(fault.message.contains("not a safetensors file"), "{fault}");
    }
    assert_eq!(header_length(2_u64.to_le_bytes()).expect("a length"), 2);
    let refused = |header: &str| {
        let mut weights = WeightFiles::default();
        weights.add_header(header).expect_err("no header").message
    };
    assert!(refused("[]").contains("not a JSON object"));
    assert!(refused("{").contains("not a JSON object"));
    assert!(
        refused(r#"{"a": {"dtype": "F16"}}"#).contains("a.data_offsets must be two whole numbers")
    );
    assert!(refused(r#"{"a": {"data_offsets": [-1, 4]}}"#).contains("a.data_offsets"));
    assert!(
        refused(r#"{"a": {"data_offsets": [8, 4]}}"#).contains("ends at 4, before it begins at 8")
    );
    let all = tensors();
    let mut twice = WeightFiles::default();
    twice.add_header(&header(&all)).expect("a header");
    let fault = twice
        .add_header(&header(&all[..1]))
        .expect_err("a duplicate");
    assert!(
        fault
            .message
            .contains("is in another of these files as well"),
        "{fault}"
    );
    let refused = |index: &Value| {
        assert!(is_index(index));
        let mut weights = WeightFiles::default();
        weights.add_index(index).expect_err("no index").message
    };
    assert!(refused(&json!({"weight_map": []})).contains("weight_map must be an object"));
    let zero = json!({"weight_map": {}, "metadata": {"total_size": 0}});
    assert!(refused(&zero).contains("metadata.total_size must be a number above 0"));
    assert!(!is_index(&json!({"model_type": "llama"})));
}

/// A folder as it is downloaded, by the command line.
#[test]
fn a_folder_of_a_model_is_read() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("folder-of-a-model");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let shown = folder.display().to_string();
    let refused = |words: &str| {
        let ran = edgewise(&["model", &shown], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    };
    refused("has no config.json and no GGUF file");
    fs::write(folder.join("config.json"), config()).expect("a file");
    let all = tensors();
    let text = index(&all, sum(&all)).to_string();
    fs::write(folder.join("model.safetensors.index.json"), text).expect("a file");
    let says = |words: &str| {
        let ran = edgewise(&["model", &shown], "");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains(words), "{words}: {ran:?}");
    };
    says("as the config has it");
    let header = header(&all[..4]);
    let part = |name: &str, header: &str, length: u64| {
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        fs::write(folder.join(name), bytes).expect("a file");
    };
    part(
        "model-00001-of-00002.safetensors",
        &header,
        header.len() as u64,
    );
    refused("26 tensors that are in none of the safetensors files");
    // The same weights in another form are not counted twice.
    part("consolidated.safetensors", &header, header.len() as u64);
    let rest = super::weights::header(&all[4..]);
    part("model-00002-of-00002.safetensors", &rest, rest.len() as u64);
    says("as the config has it");
    part(
        "model-00002-of-00002.safetensors",
        &rest,
        2 * rest.len() as u64,
    );
    refused("model-00002-of-00002.safetensors: this safetensors file is cut short");
    let alone = folder.join("model-00001-of-00002.safetensors");
    let ran = edgewise(&["model", &alone.display().to_string()], "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("give the config.json beside it"),
        "{ran:?}"
    );
}
