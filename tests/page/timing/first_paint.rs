//! The live page takes the place of the first paint without moving anything.

use crate::page::strings;
use crate::prerendered::SEEN;
use crate::scene::Scene;
use crate::timing::print;
use crate::visitor::Visitor;
use engine::scenario::Question;
use serde_json::{Value, json};

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
async fn the_live_answer_takes_the_place_of_the_first_without_moving_anything() {
    let scene = Scene::timed().await;
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
            print(&format!(
                "first paint of {name}, {width} px wide: the live page is {most:.2} px away at most, layout shift {moved:.4}"
            ));
            let movers = strings(&visitor.value("globalThis.movers").await);
            if !movers.is_empty() {
                print(&format!("  what moved: {}", movers.join("; ")));
            }
            assert!(most <= 1.0, "{name} at {width} px: {before:?} {after:?}");
            assert!(moved <= 0.05, "{name} at {width} px: {moved}");
            visitor.leave().await;
        }
    }
}
