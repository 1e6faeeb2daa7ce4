//! Files of weights beside a `config.json`: what they store counts, and a file that is no such file is refused by name.

use super::{asked, none};
use crate::cli::edgewise;
use engine::scenario::Model;
use engine::scenario::import::files::{FileContent, ModelFiles};
use engine::scenario::import::gguf::header::HeaderEnd;
use engine::scenario::import::{self, ImportedModel};
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

/// A config and one file beside it.
fn with(config: &str, beside: FileContent) -> ImportedModel {
    let mut files = ModelFiles::typed(config);
    files.add("beside", beside).expect("a file of weights");
    files.describe(&none()).expect("a config")
}

fn of_headers(tensors: &[(String, u64)]) -> ImportedModel {
    with(&config(), FileContent::Safetensors(header(tensors)))
}

fn of_index(tensors: &[(String, u64)], total: u64) -> ImportedModel {
    with(
        &config(),
        FileContent::Text(index(tensors, total).to_string()),
    )
}

fn alone() -> ImportedModel {
    import::config(&config(), "", &none()).expect("a config")
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
    let alone = alone();
    for brought in [of_headers(&all), of_index(&all, sum(&all))] {
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
    let brought = with(&config, FileContent::Safetensors(header(&all)));
    let experts = brought.counts.expect("counts").blocks[0]
        .experts
        .expect("experts");
    assert_eq!((experts.count, experts.bytes_each), (4, 3072.0));
}

/// The index has one sum: blocks have what embedding and head leave.
#[test]
fn the_total_of_an_index_settles_the_bytes_of_blocks() {
    let all = tensors();
    let alone = alone().counts.expect("counts");
    let total = sum(&all) + 30_000;
    let counts = of_index(&all, total).counts.expect("counts");
    assert!((counts.block_bytes + counts.outside_bytes - total as f64).abs() < 1e-6);
    assert_eq!(counts.outside_bytes, alone.outside_bytes);
    // One sum for what is not planned as well says nothing of the blocks.
    let mut more = all.clone();
    more.push(("vision_tower.layers.0.weight".into(), 10));
    let brought = of_index(&more, total);
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
    assert_eq!(brought.counts, alone().counts);
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
    let tied = config().replace(
        "\"tie_word_embeddings\":false",
        "\"tie_word_embeddings\":true",
    );
    let brought = with(&tied, FileContent::Safetensors(header(&all)));
    says(&brought, "as the config has it");
}

/// The first bytes of a safetensors file of this header.
fn file(header: &str, length: u64) -> Vec<u8> {
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes
}

#[test]
fn what_is_no_file_of_weights_is_refused() {
    let read = |bytes: &[u8]| FileContent::read("a.safetensors", bytes, true);
    let fault = |bytes: &[u8]| match read(bytes) {
        Err(HeaderEnd::Broken(fault)) => fault.message,
        other => panic!("{other:?}"),
    };
    for length in [0, 1, 100_000_001, u64::MAX] {
        let said = fault(&file("{}", length));
        assert!(said.contains("not a safetensors file"), "{said}");
    }
    assert!(fault(&[2, 0, 0]).contains("the length of its header is not here"));
    assert!(fault(&file("{}", 3)).contains("3 bytes, and 2 are here"));
    assert!(fault(&[2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe]).contains("not UTF-8"));
    let whole = FileContent::Safetensors("{}".into());
    assert_eq!(read(&file("{}", 2)), Ok(whole.clone()));
    // Its bytes say what it is where its name does not.
    assert_eq!(FileContent::read("blob", &file("{}", 2), true), Ok(whole));
    // More is asked for, not guessed.
    let more = |bytes: &[u8]| FileContent::read("a.safetensors", bytes, false);
    assert_eq!(more(&[2, 0, 0]), Err(HeaderEnd::More(8)));
    assert_eq!(more(&file("{}", 900)), Err(HeaderEnd::More(908)));

    let refused = |content: FileContent| {
        let mut files = ModelFiles::typed(&config());
        let fault = files.add("a", content).expect_err("no file of weights");
        fault.message
    };
    let header_refused = |header: &str| refused(FileContent::Safetensors(header.to_owned()));
    assert!(header_refused("[]").contains("not a JSON object"));
    assert!(header_refused("{").contains("not a JSON object"));
    let no_place = header_refused(r#"{"a": {"dtype": "F16"}}"#);
    assert!(no_place.contains("a.data_offsets must be two whole numbers"));
    assert!(header_refused(r#"{"a": {"data_offsets": [-1, 4]}}"#).contains("a.data_offsets"));
    let backwards = header_refused(r#"{"a": {"data_offsets": [8, 4]}}"#);
    assert!(backwards.contains("ends at 4, before it begins at 8"));
    let index_refused = |index: &Value| refused(FileContent::Text(index.to_string()));
    assert!(index_refused(&json!({"weight_map": []})).contains("weight_map must be an object"));
    let zero = json!({"weight_map": {}, "metadata": {"total_size": 0}});
    assert!(index_refused(&zero).contains("metadata.total_size must be a number above 0"));
    // What has no map of weights is a second config.
    assert!(index_refused(&json!({"model_type": "llama"})).contains("several files must be"));
}

/// Files are dropped one after the other, in any order, and another model takes the place of the one before.
#[test]
fn files_of_one_model_join_in_any_order() {
    let all = tensors();
    let [first, second] = [&all[..4], &all[4..]].map(|part| {
        let mut files = ModelFiles::default();
        let content = FileContent::Safetensors(header(part));
        files.add("part", content).expect("a file of weights");
        files
    });
    let config = ModelFiles::typed(&config());
    let expected = of_headers(&all).counts;
    for order in [
        [&first, &config, &second],
        [&config, &second, &first],
        [&second, &first, &config],
    ] {
        let mut files = ModelFiles::default();
        assert!(files.is_empty());
        for more in order {
            files.join(more.clone()).expect("another tensor");
        }
        assert_eq!(files.weight_names(), ["part", "part"]);
        let brought = files.describe(&none()).expect("a config");
        assert_eq!(brought.counts, expected);
        // A tensor that is here already changes nothing.
        let before = files.clone();
        let fault = files.join(first.clone()).expect_err("a duplicate");
        assert!(fault.message.contains("another of these files"), "{fault}");
        assert_eq!(files, before);
        files.remove_weights();
        assert_eq!(files, config);
        // The weights of the model before are not those of the next.
        let mut files = before;
        files.join(config.clone()).expect("a config");
        assert_eq!(files, config);
    }
    let fault = first.describe(&none()).expect_err("no config");
    assert!(fault.message.contains("give the config.json beside it"));
    let fault = ModelFiles::default()
        .describe(&none())
        .expect_err("nothing");
    assert!(fault.message.contains("a file is needed"));
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
        fs::write(folder.join(name), file(header, length)).expect("a file");
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
