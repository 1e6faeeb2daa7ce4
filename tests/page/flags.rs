//! Flags to paste: the page shows and copies what the library writes for the plan shown.

use super::scene::Scene;
use super::tiers::{PAPER, focus, headline, open};
use super::visitor::{Key, Visitor};
use engine::plan::Stage;
use engine::scenario::{presets, tiers};
use planner::tiers::planned;
use presenters::chains;
use protocol::flags::{LayerMap, Tool, flags};
use serde_json::json;

/// What the block shows: the text, or the reason why there is none, whichever is not hidden.
const SHOWN: &str = "[...document.querySelectorAll('#flags-text, #flags-not')].filter(e => !e.hidden)\
    .map(e => e.id + ':' + e.textContent).join('|')";

async fn shows(visitor: &Visitor, tool: Tool, chain: &LayerMap) {
    let wanted = match flags(tool, chain) {
        Ok(flags) => format!("flags-text:{}", flags.text),
        Err(reason) => format!("flags-not:Not expressible. {reason}"),
    };
    let is_it = format!("({SHOWN}) === {}", json!(wanted));
    visitor.until(tool.title(), &is_it).await;
}

/// Copies by the button and reads the clipboard.
async fn copied(visitor: &Visitor) -> String {
    visitor.click("flags-copy").await;
    let said = "document.getElementById('toast').textContent.startsWith('Flags copied')";
    visitor.until("the flags on the clipboard", said).await;
    let read =
        "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done('' + e));";
    let text = visitor.js_async(read, vec![]).await;
    text.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_cold_start_plan_is_shown_for_every_runtime_and_copied() {
    let scenario = presets::named("csgo-paper").expect("a preset").scenario;
    let problem = scenario.problem().expect("a problem");
    let chain = |plan: &[(usize, usize, usize)]| {
        let plan: Vec<Stage> = plan.iter().map(|stage| Stage::from(*stage)).collect();
        chains::of_cold_start(&scenario, &problem, &plan, true).expect("a layer map")
    };
    let ours = chain(&[(2, 1, 7), (3, 8, 12), (0, 13, 27), (1, 28, 40)]);
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    for tool in Tool::ALL {
        visitor.choose("flags-tool", tool.name()).await;
        shows(&visitor, tool, &ours).await;
        let is_off = visitor
            .value("document.getElementById('flags-copy').disabled")
            .await;
        assert_eq!(
            is_off,
            json!(flags(tool, &ours).is_err()),
            "{}",
            tool.name()
        );
    }

    // By keys: the first of the list, then the next.
    visitor.choose("flags-tool", Tool::LlamaCpp.name()).await;
    focus(&visitor, "flags-tool").await;
    visitor.keys(Key::Down).await;
    shows(&visitor, Tool::Vllm, &ours).await;
    visitor.allow_clipboard().await;
    let text = flags(Tool::Vllm, &ours).expect("it can be said").text;
    assert_eq!(copied(&visitor).await.replace("\r\n", "\n"), text);

    // Another plan, and a note under the text for each sentence.
    visitor.choose("flags-plan", "Even").await;
    let even = "document.getElementById('flags-text').textContent.includes('=10,10,10,10 ')";
    visitor.until("the even split", even).await;
    let notes = visitor
        .value("document.querySelectorAll('#flags .notes li').length")
        .await;
    assert!(notes.as_u64() >= Some(3), "{notes}");
    visitor.leave().await;
}

#[tokio::test]
async fn names_are_text_and_nothing_else() {
    let mut scenario = presets::named("csgo-paper").expect("a preset").scenario;
    scenario.devices[0].name = "<img src=x onerror=alert(1)>$(reboot)".to_owned();
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let link = format!("{}{}", visitor.url, engine::scenario::link::of(&scenario));
    visitor.open_link(&link).await;
    let text = visitor.text("flags-text").await;
    assert!(
        text.contains("on _img src_x onerror_alert_1____reboot_, "),
        "{text}"
    );
    assert_eq!(
        visitor
            .value("document.querySelectorAll('#flags img').length")
            .await,
        json!(0)
    );
    visitor.leave().await;
}

#[tokio::test]
async fn a_split_over_tiers_is_shown_as_one_chain() {
    let scenario = tiers::presets::paper();
    let plan = planned(&scenario).expect("a plan").plan.expect("it fits");
    let chain = chains::of_tiers(&scenario, &plan).expect("a layer map");
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    for tool in [Tool::LlamaCpp, Tool::Accelerate, Tool::DistributedLlama] {
        visitor.choose("flags-tool", tool.name()).await;
        shows(&visitor, tool, &chain).await;
    }
    visitor.choose("flags-tool", Tool::PipeEdge.name()).await;
    let notes = "[...document.querySelectorAll('#flags .notes li')].some(li => li.textContent.includes('one node of each tier'))";
    visitor.until("the note about nodes", notes).await;
    visitor.leave().await;
}

#[tokio::test]
async fn without_a_plan_only_the_simple_splits_have_flags() {
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let link = format!("{}{}", visitor.url, engine::scenario::link::of(&too_big));
    visitor.open_link(&link).await;
    let first = visitor
        .text_of("document.querySelector('#flags-plan option')?.textContent")
        .await;
    assert_eq!(first, "Heuristic");
    let notes = "[...document.querySelectorAll('#flags .notes li')].some(li => li.textContent.includes('does not fit'))";
    visitor.until("the note about memory", notes).await;
    visitor.leave().await;
}
