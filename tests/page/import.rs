//! Models that people bring: a config.json that is pasted, a GGUF file or files of weights that are dropped. What was read is shown before it is
//! used, what is missing is asked beside its field, and all of it is one step to undo.

use super::gguf_files::qwen3;
use super::models::paste;
use super::paste::{drop_file, drop_files};
use super::scene::Scene;
use super::tiers;
use super::visitor::{Key, Visitor};
use serde_json::json;

const QWEN: &str = include_str!("../data/configs/qwen3-8b.json");

async fn closed(visitor: &Visitor) {
    let no_dialog = "!document.querySelector('dialog[open]')";
    visitor.until("the end of the dialog", no_dialog).await;
}

/// Waits until an element says something.
async fn says(visitor: &Visitor, id: &str, part: &str) {
    let holds = format!(
        "document.getElementById('{id}')?.textContent.includes({})",
        json!(part)
    );
    visitor.until(part, &holds).await;
}

async fn can_apply(visitor: &Visitor, expected: bool) {
    let holds = format!(
        "document.getElementById('bring-apply').disabled === {}",
        !expected
    );
    visitor.until("whether it can be used", &holds).await;
}

#[tokio::test]
async fn a_pasted_config_is_shown_used_and_taken_back() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    visitor.click("bring-open").await;
    paste(&visitor, "bring", QWEN).await;
    says(
        &visitor,
        "bring-status",
        "36 blocks, 8\u{202f}190\u{202f}735\u{202f}360 parameters",
    )
    .await;
    for part in [
        "read from head_dim",
        "192\u{202f}946\u{202f}432",
        "147\u{202f}456\u{202f}B",
    ] {
        says(&visitor, "bring-facts", part).await;
    }
    visitor.click("bring-apply").await;
    closed(&visitor).await;
    let other = format!(
        "document.getElementById('headline').textContent !== {}",
        json!(before)
    );
    visitor.until("another answer", &other).await;
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["model"]["d_model"], json!(4096.0));
    assert_eq!(plan["scenario"]["model"]["layers"], json!(36.0));
    visitor.click("undo").await;
    visitor.headline_with(&before).await;
    visitor.leave().await;
}

#[tokio::test]
async fn missing_numbers_are_asked_next_to_their_fields_and_no_input_is_lost() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    let open = QWEN.replace("\"hidden_size\": 4096,", "\"hidden_size\": \"wide\",");
    visitor.click("bring-open").await;
    paste(&visitor, "bring", &open).await;
    says(
        &visitor,
        "bring-facts",
        "hidden_size must be a whole number",
    )
    .await;
    can_apply(&visitor, false).await;
    visitor.keys(Key::Escape).await;
    closed(&visitor).await;
    assert_eq!(visitor.text("headline").await, before);
    visitor.click("bring-open").await;
    visitor
        .until("the text", "document.getElementById('bring-text')")
        .await;
    assert_eq!(visitor.field("bring-text").await, open);
    visitor.fill("bring-set-d_model", "4096").await;
    visitor.keys(Key::Tab).await;
    can_apply(&visitor, true).await;
    says(&visitor, "bring-facts", "your answer").await;
    for (text, part) in [
        ("{\"hidden_size\": 4096", "not readable as JSON"),
        ("{\"nodes\": []}", "not the config.json of a language model"),
    ] {
        paste(&visitor, "bring", text).await;
        says(&visitor, "bring-said", part).await;
        can_apply(&visitor, false).await;
    }
    visitor.keys(Key::Escape).await;
    closed(&visitor).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_dropped_gguf_file_is_planned_by_its_true_bytes() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    // Every other block is larger.
    let file = qwen3(
        [8, 1024, 16, 8, 128, 3072, 4000],
        |block, name| match name {
            "ffn_down" if block % 2 == 0 => 14,
            _ => 12,
        },
    );
    let bytes = file.bytes();
    drop_file(&visitor, "", "cut.gguf", &bytes[..bytes.len() / 2]).await;
    says(&visitor, "bring-said", "cut short").await;
    assert_eq!(visitor.text("headline").await, before);
    drop_file(&visitor, "bring-text", "small.gguf", &bytes).await;
    says(&visitor, "bring-status", "Made Qwen3: 8 blocks").await;
    says(&visitor, "bring-said", "Blocks are not equal").await;
    visitor.click("bring-apply").await;
    closed(&visitor).await;
    says(&visitor, "model-hint", "8 layers of").await;
    let plan = visitor.saved_plan().await;
    assert_eq!(
        plan["scenario"]["model"]["blocks"].as_array().map(Vec::len),
        Some(8)
    );
    visitor.click("undo").await;
    visitor.headline_with(&before).await;
    // A config that falls on the page is no scenario, and is shown all the same.
    drop_file(&visitor, "", "config.json", QWEN.as_bytes()).await;
    says(&visitor, "bring-status", "36 blocks").await;
    visitor.keys(Key::Escape).await;
    closed(&visitor).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_tiers_and_the_heads_take_a_config_or_say_why_they_do_not() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    tiers::open(&visitor).await;
    let before = visitor.text("headline").await;
    visitor.click("bring-open").await;
    paste(&visitor, "bring", QWEN).await;
    can_apply(&visitor, true).await;
    visitor.click("bring-apply").await;
    closed(&visitor).await;
    says(&visitor, "model-hint", "36 blocks").await;
    let other = format!(
        "document.getElementById('headline').textContent !== {}",
        json!(before)
    );
    visitor.until("another answer", &other).await;
    visitor.click("undo").await;
    visitor.headline_with(&before).await;
    // Its heads share keys and values.
    visitor.go(&format!("{}#head-placement", visitor.url)).await;
    visitor
        .until(
            "the question",
            "document.getElementById('model-hint')?.textContent.includes('decoder layer')",
        )
        .await;
    visitor.click("bring-open").await;
    paste(&visitor, "bring", QWEN).await;
    can_apply(&visitor, true).await;
    visitor.click("bring-apply").await;
    closed(&visitor).await;
    says(
        &visitor,
        "model-hint",
        "8 KV heads of width 128, each with 4 query heads",
    )
    .await;
    let dimension = "document.getElementById('field-model-h_k')?.value";
    assert_eq!(visitor.text_of(dimension).await, "8");
    visitor.leave().await;
}

/// A model of two blocks in 16 bits, and its safetensors file, which holds the second block in 32.
fn model_with_weights() -> (String, Vec<u8>) {
    let config = json!({
        "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
        "head_dim": 32, "intermediate_size": 100, "vocab_size": 500, "tie_word_embeddings": false, "torch_dtype": "bfloat16"
    });
    let block = 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 100 + 2 * 64);
    let tensors = [
        ("model.embed_tokens.weight", 2 * 500 * 64),
        ("model.norm.weight", 2 * 64),
        ("lm_head.weight", 2 * 500 * 64),
        ("model.layers.0.all", block),
        ("model.layers.1.all", 2 * block),
    ];
    let place = |(name, bytes): (&str, i32)| {
        let tensor = json!({"dtype": "BF16", "shape": [bytes / 2], "data_offsets": [0, bytes]});
        (name.to_owned(), tensor)
    };
    let header: serde_json::Map<String, serde_json::Value> =
        tensors.into_iter().map(place).collect();
    let header = json!(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.bytes());
    // Weights, of which nothing is read.
    file.extend([0xff; 4096]);
    (config.to_string(), file)
}

#[tokio::test]
async fn dropped_safetensors_files_settle_the_bytes_of_a_config() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let (config, weights) = model_with_weights();
    // Alone, they say that the config is missing; it may come later, or with them.
    drop_file(&visitor, "", "model.safetensors", &weights).await;
    says(&visitor, "bring-said", "give the config.json beside it").await;
    can_apply(&visitor, false).await;
    drop_file(&visitor, "bring-text", "config.json", config.as_bytes()).await;
    says(&visitor, "bring-said", "those of the files count").await;
    says(&visitor, "bring-weights", "model.safetensors").await;
    visitor.click("bring-weights-remove").await;
    let is_gone = "!document.getElementById('bring-said').textContent.includes('of the files')";
    visitor.until("the config alone", is_gone).await;
    can_apply(&visitor, true).await;
    let index = json!({"metadata": {"total_size": 0}, "weight_map": {}}).to_string();
    for (name, bytes, part) in [
        ("model.safetensors", &weights[..20], "cut short"),
        (
            "model.safetensors.index.json",
            index.as_bytes(),
            "metadata.total_size must be a number above 0",
        ),
    ] {
        drop_file(&visitor, "bring-text", name, bytes).await;
        says(&visitor, "bring-said", part).await;
        says(&visitor, "bring-status", "2 blocks").await;
    }
    visitor.keys(Key::Escape).await;
    closed(&visitor).await;
    let both: [(&str, &[u8]); 2] = [
        ("model.safetensors", &weights),
        ("config.json", config.as_bytes()),
    ];
    drop_files(&visitor, "", &both).await;
    says(&visitor, "bring-weights", "model.safetensors").await;
    says(&visitor, "bring-said", "those of the files count").await;
    visitor.click("bring-apply").await;
    closed(&visitor).await;
    let plan = visitor.saved_plan().await;
    let blocks = &plan["scenario"]["model"]["blocks"];
    let bytes = |at: usize| blocks[at]["weight_bytes"].as_f64();
    assert!(
        bytes(0).is_some_and(|first| bytes(1) == Some(2.0 * first)),
        "{blocks}"
    );
    visitor.leave().await;
}
