//! The timeline, driven by a user: zoom, pan, keys, the legend, and fleets of many rows.

use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::{link, presets};
use serde_json::{Value, json};

/// Whether less than all of the plan is seen.
const ZOOMED: &str = "document.getElementById('timeline-chart').classList.contains('zoomed')";
/// The visible part of the plan, as the strip under the chart shows it: left end and length in percent.
const PART: &str = "(i => i ? [parseFloat(i.style.left), parseFloat(i.style.width)] : [0, 100])\
                    (document.querySelector('#timeline-chart .overview i'))";

/// Left, top, width and height of the chart, brought to the middle of the screen [px].
async fn frame(visitor: &Visitor) -> [f64; 4] {
    frame_of(visitor, "timeline-chart").await
}

/// The same of any chart.
pub(super) async fn frame_of(visitor: &Visitor, id: &str) -> [f64; 4] {
    let script = "const chart = document.getElementById(arguments[0]);
        chart.scrollIntoView({ block: 'center' });
        const frame = chart.getBoundingClientRect();
        return [frame.left, frame.top, frame.width, frame.height];";
    let frame = visitor.js(script, vec![json!(id)]).await;
    [0, 1, 2, 3].map(|at| frame[at].as_f64().unwrap_or_default())
}

pub(super) async fn wheel(visitor: &Visitor, (x, y): (f64, f64), delta: f64, ctrl: bool) {
    let modifiers = if ctrl { 2 } else { 0 };
    let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta, "modifiers": modifiers });
    visitor.cdp("Input.dispatchMouseEvent", event).await;
}

pub(super) async fn drag(visitor: &Visitor, from: (f64, f64), to: (f64, f64)) {
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    for (kind, (x, y), buttons) in [
        ("mousePressed", from, 1),
        ("mouseMoved", middle, 1),
        ("mouseMoved", to, 1),
        ("mouseReleased", to, 0),
    ] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        visitor.cdp("Input.dispatchMouseEvent", event).await;
    }
}

async fn part(visitor: &Visitor) -> (f64, f64) {
    let part = visitor.value(PART).await;
    let at = |n: usize| part[n].as_f64().unwrap_or(f64::NAN);
    (at(0), at(1))
}

#[tokio::test]
async fn zooming_by_wheel_drag_and_keys_keeps_the_numbers() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let [left, top, width, _] = frame(&visitor).await;
    // Three quarters along the plot, in the row of D1.
    let plot = width - 160.0;
    let place = (left + 158.0 + 0.75 * plot, top + 24.0 + 2.0 * 50.0 + 12.0);
    wheel(&visitor, place, -480.0, true).await;
    visitor.until("a zoomed timeline", ZOOMED).await;
    let (from, span) = part(&visitor).await;
    assert!((span - 25.0).abs() < 0.5, "{span} % of the plan are seen");
    assert!(
        (from + 0.75 * span - 75.0).abs() < 0.5,
        "the time under the pointer stays: {from}"
    );

    // Dragged to the right by a quarter of the plot, an earlier quarter of the view comes in.
    drag(&visitor, place, (place.0 - 0.5 * plot, place.1)).await;
    let (moved, same) = part(&visitor).await;
    assert!((moved - from - 0.5 * span).abs() < 0.5, "{from} {moved}");
    assert!((same - span).abs() < 1e-6);

    // What the cards say is what the plan says, zoomed or not.
    let plan = visitor.saved_plan().await;
    visitor.focus("timeline-chart").await;
    let takes = "[...document.querySelectorAll('#card dt')].find(dt => dt.textContent === 'Takes')\
                 .nextSibling.textContent";
    let steps = [("load", Key::Right), ("compute", Key::End)];
    visitor.keys(Key::Right).await;
    visitor.keys(Key::Down).await;
    for (field, key) in steps {
        visitor.keys(key).await;
        if field == "compute" {
            visitor.keys(Key::Left).await;
        } else {
            visitor.keys(Key::Home).await;
        }
        let title = format!("document.querySelector('#card h3')?.textContent === 'D4, {field}'");
        visitor.until(field, &title).await;
        let name = if field == "load" { "load" } else { "comp" };
        let seconds = plan["timeline"][1][name].as_f64().expect("a time");
        assert_eq!(
            visitor.text_of(takes).await,
            format!("{seconds:.3}\u{202f}s")
        );
    }
    // A mark that the keys chose has been brought into sight.
    visitor.keys(Key::Home).await;
    let (from, _) = part(&visitor).await;
    assert!(from < 65.0, "{from}");

    visitor.keys("0").await;
    visitor.until("all of it", &format!("!{ZOOMED}")).await;
    visitor.keys("+").await;
    visitor.until("a zoomed timeline", ZOOMED).await;
    assert!((part(&visitor).await.1 - 50.0).abs() < 0.5);
    let (before, _) = part(&visitor).await;
    visitor.chord(&[Key::Shift], Key::Right).await;
    let further = format!("{PART}[0] > {}", before + 1.0);
    visitor.until("a later part", &further).await;
    visitor.click("timeline-fit").await;
    visitor.until("all of it", &format!("!{ZOOMED}")).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_axis_selects_a_span_and_a_plain_wheel_scrolls() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let [left, top, width, _] = frame(&visitor).await;
    let plot = width - 160.0;
    let at = |share: f64| (left + 158.0 + share * plot, top + 12.0);
    drag(&visitor, at(0.2), at(0.6)).await;
    visitor.until("a zoomed timeline", ZOOMED).await;
    let (from, span) = part(&visitor).await;
    assert!(
        (from - 20.0).abs() < 0.5 && (span - 40.0).abs() < 0.5,
        "{from} {span}"
    );

    let before = visitor.value("scrollY").await.as_f64().unwrap_or_default();
    wheel(&visitor, at(0.5), 200.0, false).await;
    visitor
        .until("the page further down", &format!("scrollY > {before}"))
        .await;
    let hint = "document.querySelector('#timeline-chart .wheel-hint')?.textContent.includes('Ctrl and wheel')";
    visitor.until("the hint", hint).await;
    assert_eq!(part(&visitor).await, (from, span));

    // A new plan keeps what it can show, and shows all of itself where it cannot.
    visitor.fill("field-device-0-r_mb_s", "4000").await;
    visitor
        .until(
            "a later answer",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    assert_eq!(visitor.value(ZOOMED).await, true);
    visitor.leave().await;
}

/// How many pixels of the chart have the colour of a property.
const COUNT: &str = "const [token, done] = arguments;
    const count = () => {
        const canvas = document.querySelector('#timeline-chart .rows > canvas');
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const hex = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
        const [r, g, b] = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
        const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += data[i] === r && data[i + 1] === g && data[i + 2] === b;
        done(count);
    };
    requestAnimationFrame(() => requestAnimationFrame(count));";

async fn count(visitor: &Visitor, token: &str) -> u64 {
    let count = visitor.js_async(COUNT, vec![json!(token)]).await;
    count.as_u64().unwrap_or_default()
}

#[tokio::test]
async fn an_entry_of_the_legend_isolates_its_phase() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = (
        count(&visitor, "--ph-load").await,
        count(&visitor, "--ph-transfer").await,
    );
    assert!(before.0 > 10_000 && before.1 > 100, "{before:?}");
    let press = "[...document.querySelectorAll('#picture .legend button')]\
                 .find(b => b.textContent.trim() === 'Transfer').click()";
    let pressed = "document.querySelectorAll('#picture .legend [aria-pressed=true]').length";
    visitor.js(press, vec![]).await;
    visitor
        .until("the entry pressed", &format!("{pressed} === 1"))
        .await;
    let alone = (
        count(&visitor, "--ph-load").await,
        count(&visitor, "--ph-transfer").await,
    );
    assert_eq!(alone, (0, before.1));
    visitor.js(press, vec![]).await;
    visitor
        .until("no entry pressed", &format!("{pressed} === 0"))
        .await;
    let after = (
        count(&visitor, "--ph-load").await,
        count(&visitor, "--ph-transfer").await,
    );
    assert_eq!(after, before);
    visitor.leave().await;
}

/// The link of a fleet of twenty.
fn twenty() -> String {
    let mut scenario = presets::paper();
    let four = scenario.devices.clone();
    scenario.devices = (0..20).map(|at| four[at % 4].clone()).collect();
    for (at, device) in scenario.devices.iter_mut().enumerate() {
        device.name = format!("Node {}", at + 1);
    }
    link::of(&scenario)
}

/// Walks every mark by keys and returns those whose card is not wholly on the screen, and how many there were.
const WALK: &str = "const done = arguments[0];
    const chart = document.getElementById('timeline-chart');
    chart.scrollIntoView({ block: 'center' });
    chart.focus();
    const press = key => chart.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const frames = () => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)));
    const outside = [];
    let marks = 0;
    (async () => {
        const rows = document.querySelectorAll('#fleet tbody.device').length;
        press('ArrowRight');
        for (let row = 0; row < rows; row++) {
            press('Home');
            let last = '';
            for (let step = 0; step < 8; step++) {
                await frames();
                const card = document.getElementById('card');
                const title = card ? card.textContent : 'no card';
                if (title === last) break;
                last = title;
                marks++;
                const c = card ? card.getBoundingClientRect() : { left: -1 };
                if (!(c.left >= 0 && c.top >= 0 && c.right <= innerWidth && c.bottom <= innerHeight)) outside.push([title, c, innerWidth, innerHeight]);
                press('ArrowRight');
            }
            press('ArrowDown');
        }
        done({ marks, outside });
    })();";

#[tokio::test]
async fn a_fleet_of_twenty_stays_readable() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .open_link(&format!("{}{}", scene.host.url(), twenty()))
        .await;
    let plan = visitor.saved_plan().await;
    let stages = plan["timeline"].as_array().map_or(0, Vec::len);
    assert!(stages >= 12, "{stages} stages");
    let [_, _, _, height] = frame(&visitor).await;
    assert!(height >= stages as f64 * 28.0, "{height}");

    // Every row has its device's name; the words of a canvas are those of the file.
    visitor.click("timeline-svg").await;
    let (_, svg) = visitor.saved("-timeline.svg").await;
    for stage in plan["timeline"].as_array().into_iter().flatten() {
        let device = stage["device"].as_u64().unwrap_or_default() as usize;
        let name = plan["scenario"]["devices"][device]["name"]
            .as_str()
            .unwrap_or_default();
        assert!(svg.contains(&format!("{name}\n")), "{name} has no row");
    }

    let walked = visitor.js_async(WALK, vec![]).await;
    assert_eq!(walked["outside"], Value::Array(vec![]));
    assert!(
        walked["marks"].as_u64() > Some(3 * stages as u64),
        "{walked}"
    );
    visitor.js("document.activeElement.blur()", vec![]).await;
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    visitor
        .cdp("Emulation.setDeviceMetricsOverride", phone)
        .await;
    let narrow = "document.getElementById('timeline-chart').clientWidth < 390";
    visitor.until("the narrow form", narrow).await;
    let walked = visitor.js_async(WALK, vec![]).await;
    assert_eq!(walked["outside"], Value::Array(vec![]));
    visitor.leave().await;
}
