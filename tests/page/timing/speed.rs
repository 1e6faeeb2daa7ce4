//! How fast the page is. What a machine decides is printed, not asserted; what a person would feel is asserted.

use crate::scene::Scene;
use crate::timing::print;
use crate::visitor::Visitor;
use engine::scenario::{Device, Scenario, link, presets};
use serde_json::{Value, json};

/// Edits a number again and again and takes the time of each: until the figures of the new plan are in the page, and until they
/// have been painted. A hand that drags gives a new value with every frame, before what was painted last has rested.
const RE_PLAN: &str = "const [id, values, done] = arguments;
    const field = document.getElementById(id);
    const figures = () => [...document.querySelectorAll('#figures dd')].map(dd => dd.dataset.exact).join();
    const painted = then => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = then;
        channel.port2.postMessage(0);
    });
    const samples = [];
    const next = () => {
        if (samples.length === values.length) return done(samples);
        const before = figures();
        const watch = new MutationObserver(() => {
            if (figures() === before) return;
            watch.disconnect();
            const there = performance.now() - since;
            painted(() => {
                samples.push([there, performance.now() - since]);
                requestAnimationFrame(next);
            });
        });
        const all = { subtree: true, childList: true, characterData: true, attributes: true };
        watch.observe(document.getElementById('main'), all);
        const since = performance.now();
        field.value = values[samples.length];
        field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    next();";

fn at_share(sorted: &[f64], share: f64) -> f64 {
    let at = (share * sorted.len() as f64).ceil() as usize;
    sorted[at.clamp(1, sorted.len()) - 1]
}

/// What is dragged in each question, from where on and by how much a step.
const DRAGGED: [(&str, &str, f64, f64); 4] = [
    ("cold-start", "field-device-0-r_mb_s", 5001.0, 1.0),
    ("head-placement", "field-prompt_tokens", 65.0, 1.0),
    ("dispatch", "budget", 20.5, 0.5),
    ("tiers", "field-tier-0-bandwidth_gb_s", 68.1, 0.1),
];

/// Drags a number over so many values, and prints how long each took.
async fn drag(visitor: &Visitor, what: &str, field: &str, values: &[String]) {
    let there = format!("document.getElementById({})", json!(field));
    visitor.until(field, &there).await;
    let arguments = vec![json!(field), json!(values)];
    let samples = visitor.js_async(RE_PLAN, arguments).await;
    let samples = samples.as_array().expect("a list of samples");
    assert_eq!(samples.len(), values.len());
    for (at, until) in ["plan in the page", "plan painted"].iter().enumerate() {
        let times = samples.iter().map(|s| s[at].as_f64().expect("a time"));
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        print(&format!(
            "{what}, {} steps of a drag, from input event to {until}: median {:.1} ms, p95 {:.1} ms, longest {:.1} ms",
            times.len(),
            at_share(&times, 0.5),
            at_share(&times, 0.95),
            times[times.len() - 1],
        ));
    }
}

#[tokio::test]
async fn re_planning_under_a_drag() {
    for (question, field, from, step) in DRAGGED {
        let scene = Scene::timed().await;
        let visitor = scene.visitor().await;
        visitor.go(&format!("{}#{question}", visitor.url)).await;
        visitor.answered().await;
        visitor.whole().await;
        if question == "head-placement" {
            // One token: what a longer run takes is a search of its own.
            visitor.fill("field-new_tokens", "1").await;
            visitor.answered().await;
        }
        let value = |n: u8| format!("{:.1}", from + step * f64::from(n));
        let values: Vec<String> = (0..100).map(value).collect();
        drag(&visitor, question, field, &values).await;
        visitor.leave().await;
    }
}

/// The paper's model with another number of blocks.
fn with_layers(scenario: &mut Scenario, layers: f64) {
    let dims = scenario.model.dimensions_mut();
    dims.expect("the paper's model is a transformer").layers = layers;
}

/// So many devices, no two alike, for so many layers.
fn many(devices: usize, layers: f64) -> Scenario {
    let mut scenario = presets::paper();
    with_layers(&mut scenario, layers);
    scenario.model.rename(format!("{layers} layers"));
    let four = scenario.devices.clone();
    scenario.devices = (0..devices)
        .map(|n| {
            let device = &four[n % 4];
            let unlike = 1.0 + n as f64 / 16.0;
            Device {
                name: format!("D{}", n + 1),
                r_mb_s: device.r_mb_s * unlike,
                c_peak_tflops: device.c_peak_tflops / unlike,
                d_m: device.d_m * unlike,
                ..device.clone()
            }
        })
        .collect();
    scenario
}

/// Ten devices, no two alike, for 60 layers.
pub fn ten_by_sixty() -> Scenario {
    many(10, 60.0)
}

#[tokio::test]
async fn many_devices_have_a_plan_before_their_search() {
    let scene = Scene::timed().await;
    let visitor = scene.visitor().await;
    for (devices, layers) in [(16, 60.0), (24, 100.0)] {
        let address = format!("{}{}", visitor.url, link::of(&many(devices, layers)));
        visitor.open_link(&address).await;
        let what = format!("cold start, {devices} devices x {layers} layers");
        let value = |n: u32| (5001 + 10 * n).to_string();
        let values: Vec<String> = (0..20).map(value).collect();
        drag(&visitor, &what, "field-device-0-r_mb_s", &values).await;
    }
    visitor.leave().await;
}

/// The link of a crowd: twelve devices, some with names as long as they may be.
pub fn crowd() -> String {
    let mut scenario = ten_by_sixty();
    with_layers(&mut scenario, 40.0);
    scenario.devices.truncate(8);
    scenario.devices.extend(presets::paper().devices);
    for (at, device) in scenario.devices.iter_mut().enumerate() {
        device.name = match at % 3 {
            0 => format!("Workstation under the stairs, number {at}"),
            1 => format!("D{at}"),
            _ => format!("Jetson Orin NX {at}"),
        };
    }
    link::of(&scenario)
}

const WATCH: &str = "window.__tasks = []; window.__gaps = 0;
    new PerformanceObserver(list => window.__tasks.push(...list.getEntries().map(e => [e.startTime, e.duration])))
        .observe({ type: 'longtask' });
    let last = performance.now();
    const frame = now => {
        window.__gaps = Math.max(window.__gaps, now - last);
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(now => { last = now; requestAnimationFrame(frame); });";

/// Ten edits, one every 50 ms.
const HURRY: &str = "const done = arguments[0];
    const field = document.querySelector('[id$=-r_mb_s]');
    let left = 10;
    const edit = () => {
        field.value = 4000 + left;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        left -= 1;
        setTimeout(left ? edit : done, 50);
    };
    edit();";

/// Opens the link in the running page, edits it in a hurry, and returns the longest task [ms], the longest gap
/// between frames [ms] and what the page says of its solver.
async fn solve_in_view(visitor: &Visitor, fragment: &str) -> (f64, f64, String) {
    visitor.open().await;
    visitor
        .until(
            "the sweep",
            "document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    visitor.js(WATCH, vec![]).await;
    visitor
        .js("location.hash = arguments[0];", vec![json!(fragment)])
        .await;
    visitor
        .until(
            "ten devices",
            "document.querySelectorAll('#fleet tbody.device').length === 10",
        )
        .await;
    visitor
        .until(
            "their answer",
            "document.querySelectorAll('#comparison tr.ours').length && \
                document.getElementById('lead').textContent.includes('60 layers')",
        )
        .await;
    visitor
        .until(
            "the sweep",
            "document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    // And edits faster than it can solve, each of which overtakes the search before it.
    visitor.js_async(HURRY, vec![]).await;
    visitor
        .until(
            "the answer to the last edit",
            "document.querySelector('#proof')?.textContent === 'Optimal, proven' && \
             document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    // Reports of long tasks come late.
    let settled =
        "const done = arguments[0]; setTimeout(() => done([window.__tasks, window.__gaps]), 300);";
    let seen = visitor.js_async(settled, vec![]).await;
    let tasks = seen[0].as_array().into_iter().flatten();
    let longest = tasks
        .filter_map(|task| task[1].as_f64())
        .fold(0.0, f64::max);
    visitor.open_section("take").await;
    let said = visitor
        .text_of("document.querySelector('#take .foot:last-child').textContent")
        .await;
    (longest, seen[1].as_f64().unwrap_or_default(), said)
}

/// How long this machine takes for a table of 3000 cells, built and laid out [ms]: the median of nine, the first of
/// which warm it up.
const MEASURE: &str = "const samples = [];
    for (let n = 0; n < 9; n += 1) {
        const since = performance.now();
        const table = document.createElement('table');
        for (let row = 0; row < 300; row += 1) {
            const tr = table.insertRow();
            for (let cell = 0; cell < 10; cell += 1) tr.insertCell().textContent = `${row} ${cell}`;
        }
        document.body.append(table);
        table.getBoundingClientRect();
        samples.push(performance.now() - since);
        table.remove();
    }
    return samples.sort((a, b) => a - b)[4];";

/// The longest task that a person does not feel [ms].
const UNFELT_MS: f64 = 50.0;
/// What such a table takes where that limit is meant as it stands [ms]; a slower machine gets its share more.
const USUAL_MS: f64 = 50.0;

#[tokio::test]
async fn no_long_task_while_10_devices_and_60_layers_solve() {
    let scene = Scene::timed().await;
    let visitor = scene.visitor().await;
    let fragment = link::of(&ten_by_sixty());
    visitor.open().await;
    let table = visitor.js(MEASURE, vec![]).await;
    let table = table.as_f64().expect("a time");
    let limit = UNFELT_MS * (table / USUAL_MS).max(1.0);
    print(&format!(
        "this machine lays a table of 3000 cells out in {table:.1} ms: tasks may take {limit:.0} ms"
    ));
    let mut best = f64::INFINITY;
    // A busy machine can stretch any task: eight tries, and the page has to do it once.
    for attempt in 1..=8 {
        visitor.go("about:blank").await;
        let (longest, gap, said) = solve_in_view(&visitor, &fragment).await;
        let took = said.rsplit("Computed").next().unwrap_or_default();
        print(&format!(
            "10 devices x 60 layers, try {attempt}: longest task {longest:.0} ms (0: none over 50), \
             longest gap between frames {gap:.0} ms. Computed{took}"
        ));
        let millis: f64 = took
            .split_whitespace()
            .find_map(|word| word.split('\u{202f}').next()?.parse().ok())
            .expect("the page says how long the solver took");
        assert!(millis > 0.0, "the solver was never busy: {said}");
        best = best.min(longest);
        if best <= limit {
            break;
        }
    }
    assert!(best <= limit, "a task of {best} ms blocked the page");
    let plan: Value = visitor.saved_plan().await;
    assert_eq!(plan["status"], json!("optimal"));
    visitor.leave().await;
}
