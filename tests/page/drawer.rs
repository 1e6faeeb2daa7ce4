//! A drawer of devices and a deadline: from a config.json and three devices to llama.cpp's flags and a link that opens
//! elsewhere.

use super::models::paste;
use super::scene::Scene;
use serde_json::json;
use std::time::Instant;

const QWEN: &str = include_str!("../data/configs/qwen3-8b.json");
/// A fleet as it is copied from a spreadsheet.
const FLEET: &str = "name\tTFLOPS\tdisk MB/s\tmemory GB\tdistance m\n\
                     desktop\t71\t3500\t12\t2\n\
                     laptop\t22\t2400\t8\t3\n\
                     Jetson\t16\t1200\t6\t5\n";

#[tokio::test]
async fn from_a_config_and_three_devices_to_flags_and_a_link() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.allow_clipboard().await;
    let began = Instant::now();
    visitor.click("bring-open").await;
    paste(&visitor, "bring", QWEN).await;
    visitor
        .until(
            "the model",
            "!document.getElementById('bring-apply').disabled",
        )
        .await;
    visitor.click("bring-apply").await;
    visitor
        .until(
            "the end of the dialog",
            "!document.querySelector('dialog[open]')",
        )
        .await;
    visitor.click("paste-fleet-open").await;
    paste(&visitor, "paste-fleet", FLEET).await;
    visitor
        .until(
            "the fleet",
            "!document.getElementById('paste-fleet-apply').disabled",
        )
        .await;
    visitor.click("paste-fleet-apply").await;
    visitor
        .until(
            "a proved plan for them",
            "document.getElementById('proof')?.textContent === 'Optimal, proven' \
             && document.getElementById('headline').textContent.includes('desktop')",
        )
        .await;
    visitor.choose("flags-tool", "llama.cpp").await;
    let flags = visitor
        .until(
            "the flags",
            "/llama-server[^]*-ts [0-9,]+/.exec(document.getElementById('flags-text')?.textContent ?? '')?.[0]",
        )
        .await;
    let link = visitor.copied_link().await;
    let took = began.elapsed();
    println!("from config.json and three devices to flags and a link: {took:.1?}");
    // Shares of all blocks and of the output layer.
    let shares = flags.as_str().and_then(|text| text.rsplit_once("-ts "));
    let shares = shares.map(|(_, shares)| {
        shares
            .split(',')
            .map(|n| n.parse().unwrap_or(0))
            .sum::<u32>()
    });
    assert_eq!(shares, Some(37), "{flags}");

    let stranger = scene.visitor().await;
    stranger.open_link(&link).await;
    stranger.choose("flags-tool", "llama.cpp").await;
    let same = format!(
        "document.getElementById('flags-text')?.textContent.includes({})",
        json!(flags)
    );
    stranger.until("the same flags", &same).await;
    visitor.leave().await;
    stranger.leave().await;
}
