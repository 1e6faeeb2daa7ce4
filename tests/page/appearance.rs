//! Screenshots for people, and what a program can check of them: nothing overflows sideways, no picture is blank, both themes differ.

use super::scene::{Scene, screenshots};
use super::visitor::{Key, Visitor};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fs;

/// A screen: its name, width and height [px], and whether it is one for fingers.
pub type Screen = (&'static str, u32, u32, bool);

pub const DESKTOP: Screen = ("1440", 1440, 900, false);
pub const PHONE: Screen = ("390", 390, 844, true);

pub async fn set_screen(visitor: &Visitor, (_, width, height, is_phone): Screen) {
    let metrics =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
    visitor
        .cdp("Emulation.setDeviceMetricsOverride", metrics)
        .await;
    let touch = json!({ "enabled": is_phone });
    visitor
        .cdp("Emulation.setTouchEmulationEnabled", touch)
        .await;
}

pub async fn set_theme(visitor: &Visitor, theme: &str) {
    let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
    visitor.cdp("Emulation.setEmulatedMedia", features).await;
    let is_set = format!("document.documentElement.dataset.theme === '{theme}'");
    visitor.until(theme, &is_set).await;
}

/// Keeps a picture of the page, of all of it or of what a screen shows, and checks that nothing sticks out.
pub async fn keep(visitor: &Visitor, name: &str, whole: bool, faults: &mut Vec<String>) {
    let wide = visitor.sticks_out().await;
    if !wide.is_empty() {
        faults.push(format!("{name}: {wide}"));
    }
    let picture = visitor
        .cdp(
            "Page.captureScreenshot",
            json!({ "format": "png", "captureBeyondViewport": whole }),
        )
        .await;
    let picture = STANDARD.decode(picture["data"].as_str().unwrap_or_default());
    let path = screenshots().join(format!("{name}.png"));
    let kept = fs::write(&path, picture.expect("a screenshot is base64"));
    kept.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
}

/// How many colours each picture on the page has.
async fn colours(visitor: &Visitor) -> Vec<u64> {
    let count = "return [...document.querySelectorAll('canvas')].map(canvas => {
        const copy = new OffscreenCanvas(Math.max(canvas.width, 1), Math.max(canvas.height, 1));
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
        return new Set(pixels).size;
    });";
    let counts = visitor.js(count, vec![]).await;
    counts
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .collect()
}

#[tokio::test]
async fn both_themes_on_a_desktop_and_on_a_phone() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    let visitor = scene.visitor().await;
    for screen in [DESKTOP, PHONE] {
        set_screen(&visitor, screen).await;
        for theme in ["light", "dark"] {
            visitor.go("about:blank").await;
            let features =
                json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
            visitor.cdp("Emulation.setEmulatedMedia", features).await;
            visitor.open().await;
            set_theme(&visitor, theme).await;
            visitor.swept().await;
            keep(
                &visitor,
                &format!("paper-{}-{theme}", screen.0),
                true,
                &mut faults,
            )
            .await;
            let colours = colours(&visitor).await;
            assert!(colours.len() >= 2, "{colours:?}");
            let blank = colours.iter().filter(|count| **count < 2).count();
            assert_eq!(blank, 0, "{} {theme}: {colours:?}", screen.0);
            assert!(
                colours.iter().filter(|count| **count > 20).count() >= 2,
                "{colours:?}"
            );
        }
    }
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn states_on_a_desktop_and_on_a_phone() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    for screen in [DESKTOP, PHONE] {
        let at = |state: &str| format!("{state}-{}", screen.0);
        let visitor = scene.visitor().await;
        set_screen(&visitor, screen).await;
        visitor
            .open_link(&format!("{}#cold-start/3.nZLBbsIw", scene.host.url()))
            .await;
        visitor
            .until(
                "the banner",
                "document.querySelector('#banner [role=alert]')",
            )
            .await;
        visitor.answered().await;
        keep(&visitor, &at("broken-link"), false, &mut faults).await;
        visitor.open().await;
        if screen == PHONE {
            visitor.click("edit-scenario").await;
            visitor
                .until("the sheet", "document.querySelector('.page.sheet-open')")
                .await;
            keep(&visitor, &at("sheet"), false, &mut faults).await;
        }
        visitor.fill("field-device-1-m_gb", "lots").await;
        visitor
            .until(
                "the message",
                "document.getElementById('field-device-1-m_gb-fault')",
            )
            .await;
        keep(&visitor, &at("wrong-number"), false, &mut faults).await;
        if screen == PHONE {
            let close = "[...document.querySelectorAll('.sheet-head button')][0].click()";
            visitor.js(close, vec![]).await;
            visitor
                .until("no sheet", "!document.querySelector('.page.sheet-open')")
                .await;
            keep(&visitor, &at("wrong-number-behind"), false, &mut faults).await;
        }
        visitor.choose("preset", "csgo-too-big").await;
        visitor
            .until(
                "the proof",
                "document.getElementById('proof')?.textContent === 'Does not fit, proven'",
            )
            .await;
        keep(&visitor, &at("does-not-fit"), true, &mut faults).await;
        visitor.choose("preset", "csgo-paper-long").await;
        visitor.headline_with("7.029").await;
        visitor.swept().await;
        keep(&visitor, &at("long-prompt"), true, &mut faults).await;
        visitor.unfold().await;
        visitor.click_css("#timeline-as-table").await;
        keep(&visitor, &at("tables-and-folds"), true, &mut faults).await;
        visitor.leave().await;
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn many_devices_long_names_and_a_narrow_screen() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    let visitor = scene.visitor().await;
    let fragment = super::timing::speed::crowd();
    for screen in [
        DESKTOP,
        PHONE,
        ("320", 320, 640, true),
        ("768", 768, 1024, true),
    ] {
        set_screen(&visitor, screen).await;
        visitor
            .open_link(&format!("{}{fragment}", scene.host.url()))
            .await;
        visitor.swept().await;
        keep(&visitor, &format!("crowd-{}", screen.0), true, &mut faults).await;
    }
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn a_crash_and_a_mark_in_the_hand() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    let visitor = scene.visitor().await;
    visitor.before_pages(super::workers::WATCH_WORKERS).await;
    visitor.open().await;
    visitor.js(super::workers::CRASH_LATEST, vec![]).await;
    visitor
        .until(
            "the banner",
            "document.querySelector('#banner .banner.warn')",
        )
        .await;
    visitor.focus("timeline-chart").await;
    for key in [Key::Right, Key::Down, Key::Down] {
        visitor.keys(key).await;
    }
    visitor
        .until("the card", "document.getElementById('card')")
        .await;
    keep(&visitor, "crash-and-card-1440", false, &mut faults).await;
    set_screen(&visitor, PHONE).await;
    visitor
        .js(
            "document.getElementById('timeline-chart').scrollIntoView({ block: 'center' })",
            vec![],
        )
        .await;
    // The card is where it was until the chart has been drawn for the new width.
    let fits = "document.getElementById('card').getBoundingClientRect().right <= document.documentElement.clientWidth";
    visitor.until("the card to fit", fits).await;
    keep(&visitor, "crash-and-card-390", false, &mut faults).await;
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn tiers_on_every_screen() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    let visitor = scene.visitor().await;
    super::tiers::open(&visitor).await;
    super::tiers::ran(&visitor).await;
    for section in ["front", "requests"] {
        visitor.open_section(section).await;
    }
    let drawn = "document.querySelector('#requests-chart canvas')?.width > 0";
    visitor.until("requests", drawn).await;
    for tiers in [3, 4] {
        if tiers == 4 {
            visitor.unfold().await;
            visitor.choose("preset", "hyperion-four").await;
        }
        let shown =
            format!("document.querySelectorAll('#utilisation-table tbody tr').length === {tiers}");
        visitor.until("every tier", &shown).await;
        for (screen, theme) in [
            (DESKTOP, "dark"),
            (PHONE, "light"),
            (("320", 320, 640, true), "light"),
            (("768", 768, 1024, true), "dark"),
        ] {
            set_screen(&visitor, screen).await;
            set_theme(&visitor, theme).await;
            let name = format!("tiers-{tiers}-{}-{theme}", screen.0);
            keep(&visitor, &name, true, &mut faults).await;
            let colours = colours(&visitor).await;
            assert!(colours.len() >= 3, "{colours:?}");
            let blank = colours.iter().filter(|count| **count < 2).count();
            assert_eq!(blank, 0, "{name}: {colours:?}");
        }
    }
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn heads_on_every_screen() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    let visitor = scene.visitor().await;
    super::heads::open_small(&visitor).await;
    for is_unfolded in [false, true] {
        if is_unfolded {
            visitor.unfold().await;
            super::heads::ran(&visitor).await;
        }
        for (screen, theme) in [
            (DESKTOP, "light"),
            (DESKTOP, "dark"),
            (PHONE, "light"),
            (PHONE, "dark"),
        ] {
            set_screen(&visitor, screen).await;
            set_theme(&visitor, theme).await;
            let unfolded = if is_unfolded { "-unfolded" } else { "" };
            let name = format!("heads-{}-{theme}{unfolded}", screen.0);
            keep(&visitor, &name, true, &mut faults).await;
            let colours = colours(&visitor).await;
            assert!(colours.len() >= 3, "{colours:?}");
            let blank = colours.iter().filter(|count| **count < 2).count();
            assert_eq!(blank, 0, "{name}: {colours:?}");
        }
    }
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Words that do not fit what they are in, and lists that say nothing. Precisions are called as everybody calls them: q4_K_M.
const MISFITS: &str = "[
    ...[...document.querySelectorAll('.seg button')]
        .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => 'too wide: ' + e.textContent),
    ...[...document.querySelectorAll('#catalogue-rows small')]
        .filter(e => e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1)
        .map(e => 'over its cell: ' + e.textContent),
    ...[...document.querySelectorAll('select')]
        .filter(e => !/[a-z0-9]/i.test(e.selectedOptions[0]?.textContent)).map(e => 'empty: #' + e.id),
    ...[...document.querySelectorAll('option')].filter(e => /_/.test(e.textContent) && !e.closest('#weights, #cache'))
        .map(e => 'a key: ' + e.textContent),
    ...[...document.querySelectorAll('button')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent).trim()).map(e => 'no name: #' + e.id),
]";

#[tokio::test]
async fn words_fit_and_every_list_says_something() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    let mut look = async |state: String| {
        let found = visitor.value(MISFITS).await;
        let found = found.as_array().cloned().unwrap_or_default();
        faults.extend(found.iter().map(|fault| format!("{state}: {fault}")));
    };
    visitor.open().await;
    visitor.click("from-catalogue").await;
    let rows = "document.querySelector('#catalogue-rows tbody tr')";
    visitor.until("the catalogue", rows).await;
    look("the catalogue".to_owned()).await;
    visitor.keys(Key::Escape).await;
    set_screen(&visitor, PHONE).await;
    for question in [
        "cold-start",
        "head-placement",
        "dispatch",
        "tiers",
        "operators",
    ] {
        visitor
            .js(&format!("location.hash = '{question}';"), vec![])
            .await;
        let here = format!("document.getElementById('question-list').value === '{question}'");
        visitor.until(question, &here).await;
        visitor
            .until("the answer", "document.getElementById('proof')")
            .await;
        visitor.click("edit-scenario").await;
        let open = "for (const fold of document.querySelectorAll('main details, .panel details.fold')) fold.open = true;";
        visitor.js(open, vec![]).await;
        look(question.to_owned()).await;
        visitor.click("close-scenario").await;
    }
    visitor.leave().await;
    assert!(faults.is_empty(), "{faults:#?}");
}
