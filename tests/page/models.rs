//! Models and fleets of one's own: a pasted table is planned as it stands, a seed makes the same fleet as on the
//! command line, and every one of these is one step to undo.

use super::documents::{assert_same, run};
use super::scene::Scene;
use super::visitor::Visitor;
use engine::scenario::{link, presets};
use serde_json::json;

/// Pastes a text into a dialog at once, as a clipboard does.
pub async fn paste(visitor: &Visitor, id: &str, text: &str) {
    let script = "const area = document.getElementById(arguments[0]);
        area.value = arguments[1];
        area.dispatchEvent(new Event('input', { bubbles: true }));";
    visitor
        .js(script, vec![json!(format!("{id}-text")), json!(text)])
        .await;
}

/// Waits until no dialog is open.
async fn closed(visitor: &Visitor) {
    visitor
        .until(
            "the end of the dialog",
            "!document.querySelector('dialog[open]')",
        )
        .await;
}

const SIX: &str = "Layer;Work [GFLOP];A [MB];Weights\n1;120,5;2,6;330 MB\n2;125;2,6;330 MB\n3;90;2,6;250 MB\n\
                   4;90;2,6;250 MB\n5;90;2,6;250 MB\n6;200;2,6;1 GB";

#[tokio::test]
async fn a_pasted_table_is_planned_and_its_link_gives_the_same_bits() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.allow_clipboard().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    visitor.click("paste-layers-open").await;
    paste(&visitor, "paste-layers", SIX).await;
    let status = visitor.text("paste-layers-status").await;
    assert!(status.starts_with("6 layers, 716\u{202f}GFLOP"), "{status}");
    let said = visitor.text("paste-layers-said").await;
    assert!(said.contains("Not used: \u{201c}Layer\u{201d}."), "{said}");
    visitor.fill("paste-layers-name", "Six layers").await;
    visitor.click("paste-layers-apply").await;
    closed(&visitor).await;
    visitor.headline_with("0.291\u{202f}s").await;
    let hint = visitor.text("model-hint").await;
    assert!(
        hint.starts_with("6 layers of 250\u{202f}MB to 1.00\u{202f}GB"),
        "{hint}"
    );
    let fixed = visitor.text("model-fixed").await;
    assert!(fixed.contains("do not change with it"), "{fixed}");

    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["model"]["layers"][0]["W"], json!(120.5e9));
    let link = visitor.copied_link().await;
    assert_same(&plan, &run(&link));

    // What the table gives is what it takes.
    visitor.unfold().await;
    visitor
        .until(
            "the layers",
            "document.querySelectorAll('#layers tbody tr').length === 6",
        )
        .await;
    visitor.click("layers-csv").await;
    let (_, csv) = visitor.saved("-layers.csv").await;
    visitor.click("undo").await;
    visitor
        .until(
            "the model before",
            &format!(
                "document.getElementById('headline').textContent === {}",
                json!(before)
            ),
        )
        .await;
    visitor.click("redo").await;
    visitor.headline_with("0.291\u{202f}s").await;
    visitor.click("model-dimensions").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.click("paste-layers-open").await;
    paste(&visitor, "paste-layers", &csv).await;
    visitor.click("paste-layers-apply").await;
    closed(&visitor).await;
    visitor.headline_with("0.291\u{202f}s").await;
    let again = visitor.saved_plan().await;
    assert_eq!(again["plan"], plan["plan"]);
    assert_eq!(again["T"], plan["T"]);
    visitor.leave().await;
}

#[tokio::test]
async fn a_seed_makes_the_same_fleet_here_and_on_the_command_line() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.click("random-open").await;
    visitor.fill("random-seed", "many").await;
    let fault = visitor.text("random-fault").await;
    assert!(
        fault.contains("whole number from 0 to 4294967295, it is \u{201c}many\u{201d}"),
        "{fault}"
    );
    visitor.fill("random-seed", "6").await;
    visitor.fill("random-count", "5").await;
    visitor.choose("random-spread", "wild").await;
    visitor.click("random-another").await;
    assert_eq!(visitor.field("random-seed").await, "7");
    visitor.click("random-apply").await;
    closed(&visitor).await;
    visitor.answered().await;
    assert_eq!(visitor.devices().await.len(), 5);
    let plan = visitor.saved_plan().await;
    let native = presets::scenario_named("random-7-5-wild").expect("a recipe");
    let native: serde_json::Value = serde_json::from_str(&native.to_json()).expect("JSON");
    assert_eq!(plan["scenario"], native);

    // One step each: the fleet, and the way back to the paper's scenario.
    visitor.click("reset").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor
        .until("no reset", "!document.getElementById('reset')")
        .await;
    visitor.click("undo").await;
    assert_eq!(visitor.devices().await.len(), 5);
    visitor.click("undo").await;
    visitor.headline_with("2.562\u{202f}s").await;
    // Another preset can be reset, too.
    visitor.choose("preset", "csgo-paper-long").await;
    visitor.headline_with("7.029\u{202f}s").await;
    visitor.click("reset").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_fleet_is_pasted_and_a_link_of_format_1_is_opened() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.click("paste-fleet-open").await;
    paste(
        &visitor,
        "paste-fleet",
        "Device,TFLOPS,Disk GB/s,Memory\nD2,70,4,10\nlaptop,12.5,3.5,16 GiB\nbox,90,5,24",
    )
    .await;
    let said = visitor.text("paste-fleet-said").await;
    assert!(
        said.contains("Assumed: Utilisation a of laptop and box: 0.5, "),
        "{said}"
    );
    visitor.click("paste-fleet-apply").await;
    closed(&visitor).await;
    visitor.answered().await;
    assert_eq!(visitor.devices().await, ["D2", "laptop", "box"]);
    visitor.click("undo").await;
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4"]);

    let old: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../data/format1.json")).expect("a list of cases");
    let fragment = old[3]["link"].as_str().expect("a link");
    visitor
        .open_link(&format!("{}{fragment}", visitor.url))
        .await;
    let plan = visitor.saved_plan().await;
    for part in ["T", "plan", "timeline"] {
        assert_eq!(plan[part], old[3]["answer"][part], "{part}");
    }
    assert!(link::decode(fragment).is_ok(), "a link of format 1");
    assert_eq!(plan["scenario"]["format"], json!(engine::scenario::FORMAT));
    visitor.leave().await;
}
