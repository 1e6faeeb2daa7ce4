//! The page by the rules of axe-core: in both themes, on a desk and a phone, and in every state it can be in.

use super::appearance::{DESKTOP, PHONE, Screen, set_screen, set_theme};
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::{Value, json};
use std::env;
use std::fs;

/// The rules, as a script.
fn rules() -> String {
    let Some(path) = env::var_os("EDGEWISE_AXE") else {
        panic!("EDGEWISE_AXE has to name axe-core's script: run ./dev test page");
    };
    fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.to_string_lossy()))
}

/// Runs every rule on what is on screen now; a breach is named with its place.
pub async fn check(visitor: &Visitor, state: &str, faults: &mut Vec<String>) {
    check_part(visitor, "html", state, faults).await;
}

/// Runs every rule on a part of the page, which a selector finds: for a state in which nothing else of it changes.
pub async fn check_part(visitor: &Visitor, part: &str, state: &str, faults: &mut Vec<String>) {
    if visitor.value("typeof axe").await != json!("object") {
        visitor.js(&rules(), vec![]).await;
    }
    // A colour on its way from one theme to the other belongs to neither.
    let run = "const [part, done] = arguments;
        Promise.allSettled(document.getAnimations()
            .filter(motion => motion.effect.getTiming().iterations !== Infinity).map(motion => motion.finished)).then(() =>
        axe.run(part, { resultTypes: ['violations'] }).then(result => done({
            rules: result.passes.length,
            faults: result.violations.flatMap(rule => rule.nodes.map(node =>
                `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`)),
        }))).catch(fault => done({ rules: 0, faults: ['' + fault] }));";
    let result = visitor.js_async(run, vec![json!(part)]).await;
    assert!(
        result["rules"].as_u64() > Some(10),
        "{state}: hardly any rule applied: {result}"
    );
    let breaches = result["faults"].as_array().into_iter().flatten();
    faults.extend(breaches.map(|fault| format!("{state}: {}", fault.as_str().unwrap_or_default())));
}

/// Panics with all breaches, if there are any.
pub fn none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The answer with everything unfolded, light and dark.
async fn whole_page(screen: Screen) {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    set_screen(&visitor, screen).await;
    visitor.open().await;
    visitor.swept().await;
    for theme in ["light", "dark"] {
        set_theme(&visitor, theme).await;
        check(&visitor, &format!("{} {theme}", screen.0), &mut faults).await;
    }
    if screen.0 == PHONE.0 {
        visitor.click("edit-scenario").await;
        visitor
            .until("the sheet", "document.querySelector('.page.sheet-open')")
            .await;
    }
    let open = "for (const fold of document.querySelectorAll('main details, .panel details.fold')) fold.open = true;";
    visitor.js(open, vec![]).await;
    check(&visitor, &format!("{} unfolded", screen.0), &mut faults).await;
    none(&faults);
    visitor.leave().await;
}

#[tokio::test]
async fn on_a_desktop() {
    whole_page(DESKTOP).await;
}

#[tokio::test]
async fn on_a_phone() {
    whole_page(PHONE).await;
}

#[tokio::test]
async fn a_wrong_number_and_the_table() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    visitor.open().await;
    visitor.fill("field-device-0-r_mb_s", "fast").await;
    check_part(&visitor, "#fleet", "a wrong number", &mut faults).await;
    visitor.click("timeline-as-table").await;
    check_part(&visitor, "#main", "the timeline as a table", &mut faults).await;
    none(&faults);
    visitor.leave().await;
}

#[tokio::test]
async fn an_infeasible_scenario_and_a_damaged_link() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    visitor.open().await;
    visitor.choose("preset", "csgo-too-big").await;
    visitor
        .until(
            "the proof",
            "document.getElementById('proof')?.textContent.startsWith('Does not fit')",
        )
        .await;
    for theme in ["light", "dark"] {
        set_theme(&visitor, theme).await;
        check(&visitor, &format!("does not fit, {theme}"), &mut faults).await;
    }
    visitor
        .open_link(&format!("{}#cold-start/3.damaged", visitor.url))
        .await;
    check(&visitor, "a damaged link", &mut faults).await;
    none(&faults);
    visitor.leave().await;
}

/// Every dialog that a button opens, found by what the button says it does.
#[tokio::test]
async fn every_dialog() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    visitor.open().await;
    visitor.unfold().await;
    let openers = "[...document.querySelectorAll('[aria-haspopup=dialog]')].map(e => e.id)";
    let openers: Value = visitor.value(openers).await;
    let openers = openers.as_array().cloned().unwrap_or_default();
    assert!(!openers.is_empty(), "no button opens a dialog");
    for id in openers {
        let id = id.as_str().unwrap_or_default().to_owned();
        visitor.click(&id).await;
        visitor
            .until("a dialog", "document.querySelector('dialog[open]')")
            .await;
        for theme in ["light", "dark"] {
            set_theme(&visitor, theme).await;
            let state = format!("the dialog of {id}, {theme}");
            check_part(&visitor, "dialog[open]", &state, &mut faults).await;
        }
        visitor.keys(Key::Escape).await;
        visitor
            .until("its end", "!document.querySelector('dialog[open]')")
            .await;
        let back = visitor.text_of("document.activeElement.id").await;
        if back != id {
            faults.push(format!(
                "{id}: closing its dialog leaves the focus on #{back}"
            ));
        }
    }
    none(&faults);
    visitor.leave().await;
}
