//! What people know of machines and models of their own: how weights arrive, a speed that was measured, a mixture of experts.

use super::models::paste;
use super::scene::Scene;
use super::tiers;
use super::visitor::{Key, Visitor};
use engine::hardware::machines;
use engine::model::precision::Precision;
use engine::scenario::world::World;
use engine::scenario::{Decode, Scenario, catalogue, link, presets};
use serde_json::{Value, json};

/// A mixture of experts with a window in every second block.
const EXPERTS: &str = r#"{"model_type": "gpt_oss", "architectures": ["GptOssForCausalLM"], "hidden_size": 2880,
    "intermediate_size": 2880, "num_hidden_layers": 4, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
    "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128, "layer_types": ["sliding_attention",
    "full_attention", "sliding_attention", "full_attention"], "vocab_size": 201088, "tie_word_embeddings": false,
    "torch_dtype": "bfloat16", "max_position_embeddings": 131072, "attention_bias": true}"#;

/// Waits for another headline than this.
async fn other_headline(visitor: &Visitor, before: &str) {
    let is_other = format!(
        "document.getElementById('headline').textContent !== {} && document.querySelector('main[aria-busy=false]')",
        json!(before)
    );
    visitor.until("another answer", &is_other).await;
}

#[tokio::test]
async fn weights_come_from_where_the_panel_says() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let paper = visitor.text("headline").await;
    visitor.fill("field-loading-cached_pct", "100").await;
    visitor.keys(Key::Enter).await;
    other_headline(&visitor, &paper).await;
    let loading = visitor.saved_plan().await["scenario"]["loading"].clone();
    assert_eq!(loading["cached_pct"], json!(100.0));
    visitor.choose("weights-from", "host").await;
    visitor
        .until(
            "the list of hosts",
            "document.getElementById('loading-host')",
        )
        .await;
    visitor.choose("loading-host", "1").await;
    visitor.answered().await;
    let loading = visitor.saved_plan().await["scenario"]["loading"].clone();
    assert_eq!(
        (&loading["from"], &loading["host"]),
        (&json!("host"), &json!(1))
    );
    visitor.choose("weights-from", "disk").await;
    visitor.fill("field-loading-cached_pct", "0").await;
    visitor.keys(Key::Enter).await;
    visitor.headline_with(&paper).await;
    // The paper's own way is nothing that a scenario says.
    assert_eq!(visitor.saved_plan().await["scenario"].get("loading"), None);
    visitor.leave().await;
}

#[tokio::test]
async fn a_host_that_launches_kernels_slowly_is_said_among_all_numbers() {
    let card = machines::find("RTX 4090").expect("a card of the catalogue");
    let mut scenario = Scenario {
        devices: vec![catalogue::machines::device(card)],
        decode: Some(Decode::USUAL),
        ..presets::paper()
    };
    let model = scenario.model.dimensions_mut().expect("dimensions");
    model.weights = Some(Precision::Q4KM);
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .open_link(&format!(
            "{}{}",
            visitor.url,
            link::encode(&World::of(&scenario.into()))
        ))
        .await;
    let unknown = visitor.text("headline").await;
    let says_host = "document.body.textContent.includes('launches kernels slowly')";
    visitor.until("how far rates were off", says_host).await;
    visitor.device_menu(0, "All numbers").await;
    visitor.fill("field-device-0-host_factor", "0").await;
    visitor.keys(Key::Enter).await;
    let refused = "document.getElementById('field-device-0-host_factor').getAttribute('aria-invalid') === 'true'";
    visitor.until("what is allowed", refused).await;
    assert_eq!(visitor.text("headline").await, unknown);
    visitor.fill("field-device-0-host_factor", "5.43").await;
    visitor.keys(Key::Enter).await;
    let is_known = format!("!{says_host} && document.querySelector('main[aria-busy=false]')");
    visitor.until("an answer for this host", &is_known).await;
    let device = visitor.saved_plan().await["scenario"]["devices"][0].clone();
    assert_eq!(device["host_factor"], json!(5.43));
    assert_eq!(device["layer_us"], json!(570.0));
    visitor.leave().await;
}

/// Sets the measured speed of the first machine by its menu.
async fn measure(visitor: &Visitor, speed: &str) {
    visitor.device_menu(0, "Set measured speed").await;
    visitor
        .until("the field", "document.activeElement?.closest('.how')")
        .await;
    visitor.keys(speed).await;
    visitor.keys(Key::Enter).await;
}

#[tokio::test]
async fn a_measured_speed_sets_what_a_machine_reaches() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.choose("preset", "home-decode").await;
    visitor.headline_with("30.98").await;
    let layer = |plan: &Value| plan["scenario"]["devices"][0]["layer_us"].clone();
    let usual = layer(&visitor.saved_plan().await);
    let said = |part: &str| {
        format!(
            "document.getElementById('toast')?.textContent.includes({})",
            json!(part)
        )
    };
    measure(&visitor, "a lot").await;
    visitor.until("why not", &said("is not a number")).await;
    measure(&visitor, "4000").await;
    visitor.until("why not", &said("a rate that")).await;
    assert_eq!(layer(&visitor.saved_plan().await), usual);
    let before = visitor.text("headline").await;
    measure(&visitor, "2").await;
    other_headline(&visitor, &before).await;
    assert_ne!(layer(&visitor.saved_plan().await), usual);
    visitor.click("undo").await;
    visitor.headline_with(&before).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_mixture_of_experts_is_planned_over_tiers() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    tiers::open(&visitor).await;
    tiers::headline(&visitor, tiers::PAPER).await;
    visitor.click("bring-open").await;
    paste(&visitor, "bring", EXPERTS).await;
    visitor
        .until(
            "a model to use",
            "document.getElementById('bring-apply').disabled === false",
        )
        .await;
    visitor.click("bring-apply").await;
    other_headline(&visitor, tiers::PAPER).await;
    let hint = visitor.text("model-hint").await;
    assert!(hint.starts_with("4 blocks of a file"), "{hint}");
    // It has the bytes of its file: no precision to choose, and no dimensions.
    let choices =
        "!document.getElementById('weights') && !document.querySelector('[id^=field-model]')";
    assert_eq!(visitor.value(choices).await, json!(true));
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["model"]["vocabulary"], json!(201_088.0));
    assert_eq!(
        plan["scenario"]["model"]["blocks"][0]["experts"],
        json!(32.0)
    );
    // By what runtimes reach, the terms of each tier count.
    let before = visitor.text("headline").await;
    visitor.choose("profile", "Runtime").await;
    other_headline(&visitor, &before).await;
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["cost"]["mode"], json!("runtime"));
    assert!(plan["scenario"]["tiers"][0]["layer_us"].is_number());
    visitor.leave().await;
}
