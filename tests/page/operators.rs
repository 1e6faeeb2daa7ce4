//! The operator-graph question, driven by a user: orders and limits, single steps, files by drop, links without their graph,
//! exports, wrong input.

use super::accessible::{check, none};
use super::appearance::{DESKTOP, PHONE, keep, set_screen, set_theme};
use super::documents::{run, same};
use super::scene::Scene;
use super::tiers::{focus, headline};
use super::visitor::{Key, Visitor};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::graph::{Objective, Weights};
use engine::scenario::link;
use engine::scenario::operators::{Choice, Scenario, presets};
use planner::operators::{OperatorsRequest, OperatorsResult, Plan, answer};
use presenters::operators::{least_limit, verdict};
use serde_json::{Value, json};
use std::path::Path;

/// Random orders have been compared with.
const DRAWN: &str = "document.getElementById('orders-told')?.textContent.includes('random orders')";
/// The words of the step that is looked at.
const STEP: &str = "document.getElementById('step-told')?.textContent";

/// GoogLeNet by the sum, or another scenario made from it.
pub(super) fn googlenet() -> Scenario {
    let found = presets::named("googlenet");
    found.expect("a preset").scenario
}

pub(super) fn plan(scenario: &Scenario) -> Plan {
    match answer(scenario, &OperatorsRequest::Plan, &mut |_, _, _| ()) {
        Ok(OperatorsResult::Plan(plan)) => *plan,
        other => panic!("{other:?}"),
    }
}

/// What the page has to say of a scenario.
fn sentence(scenario: &Scenario) -> String {
    let graph = scenario.graph().expect("a graph");
    verdict(scenario, &graph, &plan(scenario))
        .headline
        .to_string()
}

pub(super) async fn open(visitor: &Visitor, scenario: &Scenario) {
    let address = format!("{}{}", visitor.url, link::of(scenario));
    visitor.open_link(&address).await;
    headline(visitor, &sentence(scenario)).await;
}

/// The bytes of a model of the tests, for a script.
fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../models")
        .join(name);
    let bytes = std::fs::read(&path);
    STANDARD.encode(bytes.unwrap_or_else(|fault| panic!("{}: {fault}", path.display())))
}

/// Drops a file on the page; its bytes in base64.
async fn drop_file(visitor: &Visitor, name: &str, bytes: &str) {
    let script = "const [name, bytes] = arguments;
        const content = Uint8Array.from(atob(bytes), c => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name));
        document.getElementById('main').dispatchEvent(
            new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));";
    visitor.js(script, vec![json!(name), json!(bytes)]).await;
}

/// Moves a slider.
async fn put(visitor: &Visitor, id: &str, value: &str) {
    let script = "const field = document.getElementById(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));";
    visitor.js(script, vec![json!(id), json!(value)]).await;
}

/// Waits until the step that is looked at is this one, from 1.
async fn at_step(visitor: &Visitor, step: usize, of: usize) {
    let is_it = format!("{STEP}?.startsWith('Step {step} of {of}:')");
    visitor.until(&format!("step {step}"), &is_it).await;
}

/// The second way in which a section shows its picture.
fn second(section: &str) -> String {
    format!("#{section} .ways button:nth-child(2)")
}

/// Bytes that mean nothing.
fn noise() -> Vec<u8> {
    let byte = |n: u32| (n.wrapping_mul(2_654_435_761) >> 24) as u8;
    (0..4096).map(byte).collect()
}

/// A number as protobuf has it.
fn varint(mut n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// A field of a message: one that holds bytes, a text or another message.
fn part(field: u64, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    [
        varint(field << 3 | 2),
        varint(payload.len() as u64),
        payload.to_vec(),
    ]
    .concat()
}

/// A field that holds a number.
fn number(field: u64, n: u64) -> Vec<u8> {
    [varint(field << 3), varint(n)].concat()
}

/// A convolution of 3 to 4 channels on 8 by 8 points whose first axis is open: `batch`.
fn open_model() -> Vec<u8> {
    let value = |name: &str, channels: u64| {
        let dims = [
            part(1, part(2, "batch")),
            part(1, number(1, channels)),
            part(1, number(1, 8)),
            part(1, number(1, 8)),
        ];
        let tensor = [number(1, 1), part(2, dims.concat())].concat();
        [part(1, name), part(2, part(1, tensor))].concat()
    };
    let ints = |name: &str, all: &[u64]| {
        let numbers: Vec<Vec<u8>> = all.iter().map(|n| number(8, *n)).collect();
        part(5, [part(1, name), numbers.concat(), number(20, 7)].concat())
    };
    let node = [
        part(1, "x"),
        part(1, "w"),
        part(2, "y"),
        part(3, "conv"),
        part(4, "Conv"),
        ints("kernel_shape", &[3, 3]),
        ints("pads", &[1, 1, 1, 1]),
    ];
    let weights: Vec<Vec<u8>> = [4, 3, 3, 3].map(|n| number(1, n)).into();
    let weights = [
        weights.concat(),
        number(2, 1),
        part(8, "w"),
        part(9, [0; 432]),
    ];
    let graph = [
        part(1, node.concat()),
        part(2, "open"),
        part(5, weights.concat()),
        part(11, value("x", 3)),
        part(12, value("y", 4)),
    ];
    let opset = [part(1, ""), number(2, 14)];
    [
        number(1, 8),
        part(7, graph.concat()),
        part(8, opset.concat()),
    ]
    .concat()
}

#[tokio::test]
async fn it_opens_with_googlenet_and_every_goal_and_graph_is_a_press_away() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .open_link(&format!("{}#operators", visitor.url))
        .await;
    let paper = presets::paper();
    headline(&visitor, &sentence(&paper)).await;
    assert_eq!(visitor.text("proof").await, "Order optimal, proven");
    let open_now = "document.querySelector('nav.methods a[aria-current=page]')?.textContent";
    assert_eq!(visitor.text_of(open_now).await, "Operator graph");
    let hint = visitor.text("graph-kinds").await;
    assert_eq!(hint, "57 convolutions, 14 pools.");
    visitor.until("random orders", DRAWN).await;
    for (at, objective) in Objective::ALL.into_iter().enumerate().rev() {
        visitor.click(&format!("objective-{at}")).await;
        let other = Scenario {
            objective,
            ..paper.clone()
        };
        headline(&visitor, &sentence(&other)).await;
    }
    // All weights resident, and back; a split says why there is none.
    visitor.click("weights-1").await;
    let resident = Scenario {
        weights: Weights::Resident,
        ..paper.clone()
    };
    headline(&visitor, &sentence(&resident)).await;
    let refused = "document.getElementById('split-refused')?.textContent";
    let refused = visitor.until("no split", refused).await;
    let refused = refused.as_str().unwrap_or_default();
    assert!(refused.contains("weights must be"), "{refused}");
    visitor.click("weights-0").await;
    headline(&visitor, &sentence(&paper)).await;
    let split = "document.getElementById('split-headline')?.textContent";
    visitor.until("a split", split).await;
    visitor.choose("graph", "regnet").await;
    let regnet = presets::named("regnet").expect("a preset").scenario;
    headline(&visitor, &sentence(&regnet)).await;
    visitor.choose("preset", "operators-table2").await;
    let small = presets::named("operators-table2").expect("a preset");
    headline(&visitor, &sentence(&small.scenario)).await;
    at_step(
        &visitor,
        plan(&small.scenario)
            .ours
            .expect("an order")
            .trace
            .peak_step()
            + 1,
        4,
    )
    .await;
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, &sentence(&regnet)).await;
    // The address holds what is shown.
    let hash = visitor.text_of("location.hash").await;
    assert!(hash.starts_with("#operators/4."), "{hash}");
    visitor.leave().await;
}

#[tokio::test]
async fn a_limit_that_nothing_keeps_is_said_with_the_smallest_that_works() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let paper = googlenet();
    open(&visitor, &paper).await;
    visitor.fill("field-limit_mib", "2").await;
    let tight = Scenario {
        limit_mib: Some(2.0),
        ..paper.clone()
    };
    headline(&visitor, &sentence(&tight)).await;
    assert_eq!(visitor.text("proof").await, "Does not fit, proven");
    let reason = visitor.text("reason").await;
    assert!(reason.contains("alone needs more"), "{reason}");
    visitor.click("set-limit").await;
    let least = least_limit(&plan(&paper));
    let fits = Scenario {
        limit_mib: Some(least),
        ..paper.clone()
    };
    headline(&visitor, &sentence(&fits)).await;
    assert_eq!(visitor.field("field-limit_mib").await, least.to_string());
    // Nonsense is told, and the answer stays.
    visitor.fill("field-limit_mib", "lots").await;
    let fault = "document.getElementById('field-limit_mib-fault')?.textContent";
    let fault = visitor.until("a fault", fault).await;
    assert!(
        fault.as_str().unwrap_or_default().contains("lots"),
        "{fault}"
    );
    assert_eq!(visitor.text("headline").await, sentence(&fits));
    visitor.keys(Key::Escape + "").await;
    // The right end of the slider is no limit.
    put(&visitor, "limit-slider", "200").await;
    headline(&visitor, &sentence(&paper)).await;
    assert_eq!(visitor.field("field-limit_mib").await, "");
    visitor.leave().await;
}

#[tokio::test]
async fn one_step_is_shared_by_the_chart_the_graph_and_the_slider() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let paper = googlenet();
    open(&visitor, &paper).await;
    let ours = plan(&paper).ours.expect("an order");
    let n = ours.order.len();
    at_step(&visitor, ours.trace.peak_step() + 1, n).await;
    visitor.click("step-first").await;
    at_step(&visitor, 1, n).await;
    visitor.click("step-next").await;
    at_step(&visitor, 2, n).await;
    put(&visitor, "step", "40").await;
    at_step(&visitor, 40, n).await;
    // By keys in either picture.
    for chart in ["memory-chart", "graph-chart"] {
        put(&visitor, "step", "40").await;
        at_step(&visitor, 40, n).await;
        focus(&visitor, chart).await;
        visitor.keys(Key::Right + "").await;
        at_step(&visitor, 41, n).await;
        visitor.keys(Key::Left + "").await;
        at_step(&visitor, 40, n).await;
        visitor.keys(Key::End + "").await;
        at_step(&visitor, n, n).await;
        visitor.keys(Key::Home + "").await;
        at_step(&visitor, 1, n).await;
    }
    visitor.click("step-peak").await;
    at_step(&visitor, ours.trace.peak_step() + 1, n).await;
    let formula = visitor.text("step-formula").await;
    assert!(formula.starts_with("Me = Mi + w + out"), "{formula}");
    visitor.click_css(&second("memory")).await;
    let shown = &format!(
        "document.querySelector('{}').getAttribute('aria-checked') === 'true'",
        second("memory")
    );
    visitor.until("memory between steps", shown).await;
    visitor.open_section("arena").await;
    visitor.click_css(&second("arena")).await;
    let lives = &format!(
        "document.querySelector('{}').getAttribute('aria-checked') === 'true'",
        second("arena")
    );
    visitor.until("lifetimes", lives).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_dropped_model_is_read_and_its_open_lengths_can_be_set() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    // Dropped on whatever question is open.
    visitor.open().await;
    let bytes = model("googlenet.onnx");
    drop_file(&visitor, "googlenet.onnx", &bytes).await;
    let named =
        "document.getElementById('graph')?.selectedOptions[0]?.textContent === 'googlenet.onnx'";
    visitor.until("the graph of the file", named).await;
    visitor.answered().await;
    let kinds = "document.getElementById('graph-kinds')?.textContent";
    visitor
        .until(
            "what it is made of",
            &format!("{kinds}?.startsWith('57 convolutions, 14 pools')"),
        )
        .await;
    assert_eq!(visitor.text("proof").await, "Order optimal, proven");
    let notes = visitor.text("file-notes").await;
    assert!(notes.contains("nodes"), "{notes}");
    // The classifier, and back.
    let before = visitor.text("headline").await;
    visitor.click("classifier").await;
    let more = format!("{kinds}?.includes('1 product')");
    visitor.until("the classifier", &more).await;
    visitor.click("classifier").await;
    visitor
        .until("no classifier", &format!("!({kinds}?.includes('product'))"))
        .await;
    headline(&visitor, &before).await;
    // A length that is none is told, and nothing changes.
    drop_file(&visitor, "open.onnx", &STANDARD.encode(open_model())).await;
    headline(
        &visitor,
        "open.onnx runs in 2.17\u{202f}KiB, with 2.17\u{202f}KiB summed over all steps. \
         Weights (432\u{202f}B in all) are held only while their operator runs.",
    )
    .await;
    assert_eq!(visitor.field("dim-0").await, "1");
    let script = "const field = document.getElementById('dim-0');
        field.value = arguments[0];
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    visitor.js(script, vec![json!("two")]).await;
    let fault = "document.getElementById('file-fault')?.textContent";
    let fault = visitor.until("a fault", fault).await;
    let fault = fault.as_str().unwrap_or_default();
    assert!(fault.contains("batch") && fault.contains("two"), "{fault}");
    visitor.js(script, vec![json!("2")]).await;
    headline(
        &visitor,
        "open.onnx runs in 3.92\u{202f}KiB, with 3.92\u{202f}KiB summed over all steps. \
         Weights (432\u{202f}B in all) are held only while their operator runs.",
    )
    .await;
    assert_eq!(visitor.field("dim-0").await, "2");
    visitor.chord(&[Key::Control], 'z').await;
    headline(
        &visitor,
        "open.onnx runs in 2.17\u{202f}KiB, with 2.17\u{202f}KiB summed over all steps. \
         Weights (432\u{202f}B in all) are held only while their operator runs.",
    )
    .await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_file_that_is_no_model_changes_nothing() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let paper = googlenet();
    open(&visitor, &paper).await;
    let told = "document.querySelector('#file-notice .banner.warn')?.textContent";
    let whole = STANDARD.decode(model("googlenet.onnx")).expect("base64");
    for (name, bytes) in [
        ("empty.onnx", Vec::new()),
        ("noise.onnx", noise()),
        ("cut.onnx", whole[..whole.len() / 2].to_vec()),
    ] {
        drop_file(&visitor, name, &STANDARD.encode(&bytes)).await;
        let named = format!("{told}?.startsWith('{name} was not opened:')");
        visitor.until(name, &named).await;
        assert_eq!(visitor.text("headline").await, sentence(&paper));
        let chosen = "document.getElementById('graph').value";
        assert_eq!(visitor.text_of(chosen).await, "googlenet");
    }
    let text = visitor.text_of(told).await;
    assert!(
        text.contains("Your graph is still here, unchanged."),
        "{text}"
    );
    visitor
        .click_css("#file-notice button[aria-label=Dismiss]")
        .await;
    visitor
        .until("the notice gone", &format!("!({told})"))
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_link_carries_a_small_graph_and_asks_for_the_file_of_a_large_one() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.allow_clipboard().await;
    let small = presets::named("operators-table2")
        .expect("a preset")
        .scenario;
    open(&visitor, &small).await;
    let link = visitor.copied_link().await;
    visitor.open_link(&link).await;
    headline(&visitor, &sentence(&small)).await;
    // A graph that no link carries.
    let bytes = model("googlenet.onnx");
    drop_file(&visitor, "googlenet.onnx", &bytes).await;
    visitor
        .until(
            "the graph",
            "document.getElementById('graph-kinds')?.textContent.startsWith('57')",
        )
        .await;
    visitor.answered().await;
    let answered = visitor.text("headline").await;
    let hash = visitor.copied_link().await;
    let opened = link::decode(&hash).expect("a link");
    let engine::scenario::Any::Operators(mut wanted) = opened else {
        panic!("{hash}");
    };
    if let Choice::Custom(custom) = &wanted.graph {
        // This one is small enough; what is asked for in its place is the same.
        let text = serde_json::to_string(&custom.graph).expect("JSON");
        wanted.graph = Choice::File(engine::scenario::operators::Wanted {
            source: custom.source.clone(),
            ops: custom.graph.ops.len() as u32,
            digest: crc32fast::hash(text.as_bytes()),
        });
    }
    let address = format!("{}{}", visitor.url, link::of(&*wanted));
    visitor.go("about:blank").await;
    visitor.go(&address).await;
    let asked =
        "document.querySelector('#wanted h1')?.textContent === 'This link needs googlenet.onnx.'";
    visitor.until("what the link needs", asked).await;
    // Another graph under the same name is distinguished, and can be taken.
    let Choice::File(other) = &mut wanted.graph else {
        panic!("a file is asked for");
    };
    other.digest ^= 1;
    let address_of_other = format!("{}{}", visitor.url, link::of(&*wanted));
    drop_file(&visitor, "googlenet.onnx", &bytes).await;
    headline(&visitor, &answered).await;
    visitor.go("about:blank").await;
    visitor.go(&address_of_other).await;
    visitor.until("what the link needs", asked).await;
    drop_file(&visitor, "googlenet.onnx", &bytes).await;
    visitor
        .until("another graph", "document.getElementById('use-other')")
        .await;
    visitor.click("use-other").await;
    headline(&visitor, &answered).await;
    visitor.leave().await;
}

#[tokio::test]
async fn files_hold_what_the_command_line_says_and_the_papers_search_is_run_when_asked_for() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut s = googlenet();
    s.split.search.moves = 20_000.0;
    open(&visitor, &s).await;
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    visitor.until("random orders", DRAWN).await;
    let cut = "document.getElementById('pieces-proof')?.textContent.startsWith('Split')";
    visitor.until("the split", cut).await;
    visitor.open_section("take").await;
    visitor.click("save-answer").await;
    let (name, text) = visitor.saved("-answer.json").await;
    assert!(name.starts_with("edgewise-operators-googlenet"), "{name}");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    same(&saved, &run(&link));
    let n = plan(&s).ours.expect("an order").order.len();
    for (button, ending, lines) in [
        ("save-order", "-order.csv", 1 + n),
        ("save-trace", "-trace.csv", 1 + n),
        ("save-arena", "-arena.csv", 2 + n),
        ("save-tflm-header", "-tflm.h", 0),
    ] {
        visitor.click(button).await;
        let (_, text) = visitor.saved(ending).await;
        assert!(
            lines == 0 || text.lines().count() == lines,
            "{button}: {text}"
        );
    }
    visitor.open_section("arena").await;
    for (button, ending) in [
        ("memory-svg", "-memory.svg"),
        ("graph-svg", "-graph.svg"),
        ("arena-svg", "-arena.svg"),
    ] {
        visitor.click(button).await;
        let (_, text) = visitor.saved(ending).await;
        assert!(text.contains("<svg"), "{button}");
    }
    visitor.click("btsearch").await;
    let told = "document.getElementById('btsearch-found')?.textContent";
    let told = visitor.until("the paper\u{2019}s search", told).await;
    let told = told.as_str().unwrap_or_default().replace('\u{202f}', "");
    assert!(told.contains("225830 branches pruned"), "{told}");
    assert!(told.contains("1312 orders completed"), "{told}");
    let rows = visitor.rows("paper-search-table").await;
    assert!(rows[0][0].starts_with("BTSearch"), "{rows:?}");
    visitor.leave().await;
}

#[tokio::test]
async fn the_page_has_no_overflow_and_every_rule_of_accessibility_holds() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    for (screen, theme, name) in [(DESKTOP, "light", "googlenet"), (PHONE, "dark", "regnet")] {
        set_screen(&visitor, screen).await;
        let scenario = presets::named(name).expect("a preset").scenario;
        open(&visitor, &scenario).await;
        set_theme(&visitor, theme).await;
        visitor.until("random orders", DRAWN).await;
        visitor.unfold().await;
        let state = format!("operators, {} {theme}", screen.0);
        check(&visitor, &state, &mut faults).await;
        assert_eq!(visitor.sticks_out().await, "", "{state}");
    }
    // No answer fits, on a phone.
    let tight = Scenario {
        limit_mib: Some(1.0),
        ..googlenet()
    };
    open(&visitor, &tight).await;
    check(&visitor, "operators, nothing fits", &mut faults).await;
    assert_eq!(visitor.sticks_out().await, "", "nothing fits");
    none(&faults);
    visitor.leave().await;
}

#[tokio::test]
async fn screenshots_in_both_themes_on_a_desktop_and_on_a_phone() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    let mut scenario = googlenet();
    scenario.split.search.moves = 20_000.0;
    for screen in [DESKTOP, PHONE] {
        set_screen(&visitor, screen).await;
        open(&visitor, &scenario).await;
        visitor.until("random orders", DRAWN).await;
        let cut = "document.getElementById('pieces-proof')?.textContent.startsWith('Split')";
        visitor.until("the split", cut).await;
        for state in ["folded", "open"] {
            if state == "open" {
                visitor.unfold().await;
                let tried = "document.getElementById('variants-devices')?.querySelector('table')";
                visitor.until("other devices", tried).await;
            }
            for theme in ["light", "dark"] {
                set_theme(&visitor, theme).await;
                let name = format!("operators-{state}-{}-{theme}", screen.0);
                keep(&visitor, &name, true, &mut faults).await;
            }
        }
    }
    none(&faults);
    visitor.leave().await;
}
