//! Models that people bring: a config.json that is pasted, a GGUF file that is dropped. What was read is shown before it is
//! used, what is missing is asked beside its field, and all of it is one step to undo.

use super::gguf_files::qwen3;
use super::models::paste;
use super::paste::drop_file;
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
