//! The page on paper: its scenario, its full link and the timeline as a drawing, light, and nothing to press.

use super::appearance::set_theme;
use super::scene::{Scene, screenshots};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

#[tokio::test]
async fn a_printed_plan_shows_its_scenario_and_link() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.swept().await;
    visitor.open_section("strategies").await;
    visitor.click("strategies-as-table").await;
    set_theme(&visitor, "dark").await;
    // As it looks on paper, for the eye and for the rules.
    visitor
        .js("dispatchEvent(new Event('beforeprint'));", vec![])
        .await;
    visitor
        .cdp("Emulation.setEmulatedMedia", json!({ "media": "print" }))
        .await;
    visitor
        .until("the sheet", "document.querySelector('#print-drawing svg')")
        .await;
    let sheet = visitor.text("print-sheet").await;
    for part in ["Qwen3-14B", "256 tokens", "D1 (165 TFLOPS", "#cold-start/"] {
        assert!(sheet.contains(part), "{part} is not in {sheet}");
    }
    let link = visitor
        .text_of("document.querySelector('.full-link').textContent")
        .await;
    let theme = visitor
        .text_of("document.documentElement.dataset.theme")
        .await;
    assert_eq!(theme, "light", "paper is light");
    // Words that can be pressed on a screen are plain words on paper: figures, titles, heads of tables, keys of colours.
    let pressable = "[...document.querySelectorAll('button:not(.why, .sort, .turn, .legend *), input, select')]\
                     .filter(e => e.checkVisibility()).length";
    let marks = "getComputedStyle(document.querySelector('.why')).textDecorationLine";
    assert_eq!(visitor.value(marks).await, json!("none"));
    assert_eq!(
        visitor.value(pressable).await,
        json!(0),
        "nothing can be pressed on paper"
    );
    // What is folded is not printed, and says so; what is unfolded is.
    let says = "getComputedStyle(document.querySelector('#published > .head'), '::after').content";
    assert_eq!(visitor.text_of(says).await, "\"folded, not printed\"");
    let printed = "document.getElementById('strategies-table').checkVisibility()";
    assert_eq!(visitor.value(printed).await, json!(true));
    let picture = visitor
        .cdp(
            "Page.captureScreenshot",
            json!({ "format": "png", "captureBeyondViewport": true }),
        )
        .await;
    let picture = STANDARD.decode(picture["data"].as_str().unwrap_or_default());
    std::fs::write(
        screenshots().join("print.png"),
        picture.expect("a screenshot is base64"),
    )
    .expect("the target folder can be written");
    visitor
        .js("dispatchEvent(new Event('afterprint'));", vec![])
        .await;
    visitor
        .cdp("Emulation.setEmulatedMedia", json!({ "media": "" }))
        .await;
    visitor
        .until("its end", "!document.getElementById('print-sheet')")
        .await;

    // As the browser prints it.
    let paper = json!({ "paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true });
    let pdf = visitor.cdp("Page.printToPDF", paper).await;
    let pdf = STANDARD
        .decode(pdf["data"].as_str().unwrap_or_default())
        .expect("a document is base64");
    std::fs::write(screenshots().join("print.pdf"), &pdf)
        .expect("the target folder can be written");
    let pages = pdf
        .windows(11)
        .filter(|bytes| bytes.starts_with(b"/Type /Page") && bytes != b"/Type /Pages")
        .count();
    assert!((1..=6).contains(&pages), "{pages} pages");

    // The printed link opens the same plan.
    let other = scene.visitor().await;
    other.open_link(&link).await;
    other.headline_with("2.562").await;
    other.leave().await;
    visitor.leave().await;
}
