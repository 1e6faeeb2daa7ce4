//! The first paint: the default answer of the question that the address names, at the place where the live page then has it; no answer
//! where another scenario is asked for.

use super::page::strings;
use super::scene::Scene;
use super::speed::tell;
use super::visitor::Visitor;
use engine::scenario::world::World;
use engine::scenario::{Question, link, presets};
use serde_json::{Value, json};

/// The headline of the first paint, while it is seen.
const SEEN: &str = "(h => h?.checkVisibility({ visibilityProperty: true }) && h.textContent)(document.querySelector('#first h1'))";

/// Notes how far things move from the very beginning.
const WATCH: &str = "globalThis.moved = 0; globalThis.movers = [];
    const name = node => node?.id || node?.className || node?.nodeName;
    const note = one => {
        globalThis.moved += one.value;
        for (const part of one.sources) globalThis.movers.push(
            `${name(part.node)} ${part.previousRect.y} to ${part.currentRect.y} at ${Math.round(one.startTime)} ms`);
    };
    new PerformanceObserver(list => list.getEntries().forEach(note))
        .observe({ type: 'layout-shift', buffered: true });";

/// Where the parts of an answer are that both the first paint and the live page have [px].
const PLACES: &str = "const [root] = arguments, main = document.querySelector(root + ' main');
    const parts = ['.question', '.question .proof', 'h1', '.lead', '.figures', '.splitbar', '.on-this-page',
        '.on-this-page li:last-child', '.block h2', '.block .head .tools', '.block .chart'];
    const found = parts.map(part => main.querySelector(part)).filter(e => e?.getClientRects().length);
    return found.map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y + scrollY, r.width, r.height]; });";

async fn size(visitor: &Visitor, width: u32, height: u32) {
    // On a phone the page is as wide as what is in it, however briefly.
    let metrics =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
    visitor
        .cdp("Emulation.setDeviceMetricsOverride", metrics)
        .await;
}

fn numbers(places: &Value) -> Vec<f64> {
    let all = places.as_array().into_iter().flatten();
    let all = all.flat_map(|place| place.as_array().into_iter().flatten());
    all.filter_map(Value::as_f64).collect()
}

#[tokio::test]
async fn the_default_answer_is_there_before_any_program() {
    let scene = Scene::open().await;
    scene.host.hold(".wasm");
    for (address, headline) in [
        ("", "First answer in 2.562\u{202f}s"),
        ("#cold-start", "First answer in 2.562\u{202f}s"),
        ("#tiers", "Blocks split 5, 9, 18"),
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

#[tokio::test]
async fn the_live_answer_takes_the_place_of_the_first_without_moving_anything() {
    let scene = Scene::alone().await;
    for (width, height) in [(1440, 900), (390, 844)] {
        for question in Question::ALL {
            let name = question.name();
            scene.host.hold(".wasm");
            let visitor = scene.visitor().await;
            size(&visitor, width, height).await;
            visitor.before_pages(WATCH).await;
            visitor.go(&format!("{}#{name}", scene.host.url())).await;
            let first = visitor.until("the first paint", SEEN).await;
            let before = numbers(&visitor.js(PLACES, vec![json!("#static")]).await);
            scene.host.release();
            visitor
                .until("the live page", "!document.getElementById('static')")
                .await;
            let after = numbers(&visitor.js(PLACES, vec![json!("#app")]).await);
            let live = visitor
                .text_of("document.getElementById('headline').textContent")
                .await;
            assert_eq!(first, json!(live), "{name}");
            assert_eq!(before.len(), after.len(), "{name}: {before:?} {after:?}");
            let away = before.iter().zip(&after).map(|(a, b)| (a - b).abs());
            let most = away.fold(0.0, f64::max);
            visitor.answered().await;
            let moved = visitor.value("globalThis.moved").await.as_f64();
            let moved = moved.expect("layout shifts are numbers");
            tell(&format!(
                "first paint of {name}, {width} px wide: the live page is {most:.2} px away at most, layout shift {moved:.4}"
            ));
            let movers = strings(&visitor.value("globalThis.movers").await);
            if !movers.is_empty() {
                tell(&format!("  what moved: {}", movers.join("; ")));
            }
            assert!(most <= 1.0, "{name} at {width} px: {before:?} {after:?}");
            assert!(moved <= 0.05, "{name} at {width} px: {moved}");
            visitor.leave().await;
        }
    }
}
