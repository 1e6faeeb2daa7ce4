//! Where a figure comes from, answers that are pinned and compared, and the report as a file.

use super::scene::Scene;
use super::visitor::Visitor;
use engine::scenario::world::World;
use engine::scenario::{Any, link, tiers};
use serde_json::json;

/// A scenario of tiers with another link rate than the paper\u{2019}s.
fn slow() -> tiers::Scenario {
    let mut scenario = tiers::presets::paper();
    scenario.link.rate_mbit_s = 100.0;
    scenario
}

fn fragment(scenario: tiers::Scenario) -> String {
    link::of(&scenario)
}

/// Somebody who looks at the answer to the paper’s tiers.
async fn at_the_paper(scene: &Scene) -> Visitor {
    let visitor = scene.visitor().await;
    let link = format!("{}{}", visitor.url, fragment(tiers::presets::paper()));
    visitor.open_link(&link).await;
    let figures = "!!document.querySelector('main:not(.stale) #figures')";
    visitor.until("figures", figures).await;
    visitor
}

#[tokio::test]
async fn a_figure_shows_its_formula_and_its_inputs() {
    let scene = Scene::open().await;
    let visitor = at_the_paper(&scene).await;
    // The keyboard comes to the name; the note is beside it.
    visitor
        .js(
            "document.getElementById('why-full_at').focus({ focusVisible: true });",
            Vec::new(),
        )
        .await;
    visitor
        .until(
            "the note",
            "document.getElementById('term-note')?.innerText.includes('nodes / time of a request')",
        )
        .await;
    // So does the head of a column.
    let head =
        "document.querySelector('#comparison-table th button.by').focus({ focusVisible: true });";
    visitor.js(head, Vec::new()).await;
    visitor
        .until(
            "the note of a column",
            "document.getElementById('term-note')?.innerText.includes('max over stages of a pass')",
        )
        .await;
    visitor.click("why-full_at").await;
    let filled = visitor
        .text("formula-filled")
        .await
        .replace('\u{202f}', " ");
    assert_eq!(filled, "2 / 9.283 s = 0.215 requests/s");
    let inputs = visitor
        .text_of("document.querySelector('#formula ul').innerText")
        .await;
    assert!(inputs.contains("nodes of AGX: 2, given"), "{inputs}");
    visitor.leave().await;
}

#[tokio::test]
async fn an_answer_is_pinned_and_compared_and_the_link_opens_both() {
    let scene = Scene::open().await;
    let visitor = at_the_paper(&scene).await;
    let hidden = "document.getElementById('compare').hidden";
    assert_eq!(
        visitor.value(hidden).await,
        json!(true),
        "nothing is pinned yet"
    );
    visitor
        .js("document.getElementById('pins').open = true;", Vec::new())
        .await;
    visitor.click("pin").await;
    // Another scenario in the same tab; the pins stay.
    let other = format!("location.hash = '{}';", fragment(slow()));
    visitor.js(&other, Vec::new()).await;
    let links = "[...document.querySelectorAll('#compare table tr')].find(row => row.cells[0].innerText === 'Links')";
    visitor
        .until(
            "the difference",
            &format!("{links}?.innerText.includes('10.000')"),
        )
        .await;
    // The figures say what they were.
    let was = "document.querySelector('#figures .pinned')?.innerText";
    assert!(visitor.text_of(was).await.starts_with("pinned A "));
    visitor.click("compare-html").await;
    let (_, html) = visitor.saved("html").await;
    assert!(html.contains("Inputs that differ") && html.contains("#compare/"));
    // A tab that is loaded again has its pins.
    visitor.reload().await;
    visitor
        .until(
            "the difference after a reload",
            &format!("{links}?.innerText.includes('10.000')"),
        )
        .await;
    // Both scenarios are in one link.
    let worlds = [tiers::presets::paper(), slow()].map(|s| World::of(&Any::from(s)));
    let both = link::encode_compared(&worlds);
    let other = scene.visitor().await;
    other.open_link(&format!("{}{both}", other.url)).await;
    other
        .until(
            "the difference",
            &format!("{links}?.innerText.includes('10.000')"),
        )
        .await;
    other.leave().await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_report_is_one_file_with_pictures_sources_and_the_link() {
    let scene = Scene::open().await;
    let visitor = at_the_paper(&scene).await;
    visitor.unfold().await;
    visitor.click("report-html").await;
    let (_, html) = visitor.saved("html").await;
    for part in [
        "<!DOCTYPE html>",
        "id=\"chart-blocks\"",
        "Inputs and their sources",
        "The link as a QR code",
        "#tiers/4.",
    ] {
        assert!(html.contains(part), "{part}");
    }
    visitor.leave().await;
}
