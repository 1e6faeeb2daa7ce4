//! The prerendered answer: the default answer of the question in the address, in the place where the live page has it; none where the
//! address names another scenario.

use super::scene::Scene;
use engine::scenario::world::World;
use engine::scenario::{link, presets};
use serde_json::json;

/// The headline of the first paint, while it is seen.
pub const SEEN: &str = "(h => h?.checkVisibility({ visibilityProperty: true }) && h.textContent)(document.querySelector('#first h1'))";

#[tokio::test]
async fn the_default_answer_is_there_before_any_program() {
    let scene = Scene::open().await;
    scene.host.hold(".wasm");
    for (address, headline) in [
        ("", "First answer in 2.562\u{202f}s"),
        ("#cold-start", "First answer in 2.562\u{202f}s"),
        ("#tiers", "Fits, split 5, 9, 18"),
    ] {
        let visitor = scene.visitor().await;
        visitor.go(&format!("{}{address}", scene.host.url())).await;
        let seen = visitor.until("the first paint", SEEN).await;
        let seen = seen.as_str().unwrap_or_default();
        assert!(seen.starts_with(headline), "{address}: {seen}");
        let mark = "document.querySelector('#first .built').innerText";
        assert_eq!(
            visitor.text_of(mark).await,
            "Computed when this page was built; starting the live solver."
        );
        let picture =
            "[...document.querySelectorAll('#first .chart svg')].some(e => e.checkVisibility())";
        assert_eq!(visitor.value(picture).await, json!(true), "{address}");
        assert_eq!(visitor.sticks_out().await, "", "{address}");
        visitor.leave().await;
    }
    scene.host.release();
}

#[tokio::test]
async fn the_bar_turns_to_another_default_answer() {
    let scene = Scene::open().await;
    scene.host.hold(".wasm");
    let visitor = scene.visitor().await;
    visitor.go(&scene.host.url()).await;
    visitor.until("the first paint", SEEN).await;
    for (name, headline) in [("dispatch", "Mean time"), ("cold-start", "First answer")] {
        visitor
            .click_css(&format!("#static .methods a[href='#{name}']"))
            .await;
        let turned = format!("String({SEEN}).startsWith({})", json!(headline));
        visitor.until(name, &turned).await;
        let open = "document.querySelector('#static .methods [aria-current]').getAttribute('href')";
        assert_eq!(visitor.text_of(open).await, format!("#{name}"));
    }
    scene.host.release();
    visitor.answered().await;
    visitor.leave().await;
}

#[tokio::test]
async fn another_scenario_is_not_taken_for_the_default() {
    let scene = Scene::open().await;
    let mut scenario = presets::paper();
    scenario.prompt_tokens = 300.0;
    let link = link::encode(&World::of(&scenario.into()));
    let kept = "localStorage.setItem('edgewise.workspace', '{\"format\":1}');
        localStorage.setItem('edgewise.workspace.1', '{}');";
    scene.host.hold(".wasm");
    for (address, before) in [
        (link.as_str(), ""),
        ("", kept),
        ("#tiers", kept),
        ("#start", ""),
    ] {
        let visitor = scene.visitor().await;
        visitor.before_pages(before).await;
        visitor.go(&format!("{}{address}", scene.host.url())).await;
        let plain = "document.getElementById('starting')?.checkVisibility()";
        visitor.until("the plain first paint", plain).await;
        assert_eq!(visitor.text("starting").await, "Starting the solver.");
        let seen = visitor.value(SEEN).await;
        assert!(!seen.is_string(), "{address}: {seen}");
        visitor.leave().await;
    }
    scene.host.release();
}
