//! Features after the first answer of a cold start: memory rates are requested before decoding is planned, a point of the front becomes
//! the plan, and the timeline shows what devices read meanwhile.

use super::documents::{assert_same, run};
use super::scene::Scene;
use super::visitor::Visitor;
use engine::scenario::{Decode, Scenario, presets};
use engine::solve::Limits;
use planner::cold_start_front::{Front, front};
use serde_json::json;
use std::ops::ControlFlow;

const RATES: [&str; 4] = ["1008", "360", "760", "224"];

/// The paper's scenario with an answer after the first one, and the front that the library finds for it.
fn known() -> (Scenario, Front) {
    let mut scenario = presets::paper();
    scenario.decode = Some(Decode::USUAL);
    for (device, rate) in scenario.devices.iter_mut().zip(RATES) {
        device.bandwidth_gb_s = rate.parse().ok();
        // What is assumed for machines like which none was measured.
        (device.memory_share, device.layer_us) = (Some(0.8), Some(200.0));
    }
    let found = front(&scenario, &Limits::default(), &mut |_| {
        ControlFlow::Continue(())
    });
    (scenario, found.expect("an answer to plan for"))
}

/// Chooses an aim and puts in the memory rates that it asks for.
async fn aim(visitor: &Visitor, value: &str) {
    visitor.choose("aim", value).await;
    visitor
        .until(
            "the question for rates",
            "document.getElementById('aim-waits')",
        )
        .await;
    for (at, rate) in RATES.iter().enumerate() {
        visitor
            .fill(&format!("field-device-{at}-bandwidth_gb_s"), rate)
            .await;
    }
    let asked = "!document.getElementById('aim-waits') && document.getElementById('field-decode-answer_tokens')";
    visitor.until("the aim in force", asked).await;
}

async fn front_is_there(visitor: &Visitor) {
    let rows = "document.querySelectorAll('#front-plans tbody tr').length > 0";
    visitor.until("the front", rows).await;
}

#[tokio::test]
async fn a_point_of_the_front_becomes_the_plan_and_the_command_line_agrees() {
    let (_, found) = known();
    assert!(found.is_complete && found.points.len() > 2, "{found:?}");
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    // Until the rates are known, nothing changes.
    visitor.choose("aim", "first-with-room").await;
    visitor
        .until(
            "the question for rates",
            "document.getElementById('aim-waits')",
        )
        .await;
    assert_eq!(visitor.text("headline").await, before);
    aim(&visitor, "first-with-room").await;
    front_is_there(&visitor).await;
    let rows = visitor
        .value("document.querySelectorAll('#front-plans tbody tr').length")
        .await;
    assert_eq!(rows, json!(found.points.len()));
    // The last plan of the front is loaded: the answer becomes its T, its row is marked, the front stays.
    let last = found.points.last().expect("points");
    visitor
        .click_css("#front-plans tbody tr:last-child button")
        .await;
    let total = engine::units::seconds(last.T);
    visitor.headline_with(&total).await;
    let marked =
        "document.querySelector('#front-plans tbody tr:last-child').classList.contains('now')";
    visitor.until("the row of the plan on show", marked).await;
    let plan = visitor.saved_plan().await;
    assert_eq!(
        plan["plan"],
        serde_json::to_value(&last.plan).expect("a plan")
    );
    assert_eq!(plan["T"], json!(last.T));
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    assert_same(&plan, &run(&link));
    // One step back is the plan before.
    visitor.click("undo").await;
    visitor
        .headline_with(&engine::units::seconds(found.points[0].T))
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_timeline_shows_what_is_read_for_the_plan_that_follows() {
    let (_, found) = known();
    let way = found
        .consolidation
        .as_ref()
        .expect("another plan is faster");
    assert!(way.switch.is_some(), "{way:?}");
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let legend =
        "[...document.querySelectorAll('.legend button')].map(b => b.textContent.trim()).join('|')";
    assert!(!visitor.text_of(legend).await.contains("Next plan"));
    aim(&visitor, "first-with-room").await;
    front_is_there(&visitor).await;
    visitor
        .until(
            "the key of the next plan",
            &format!("({legend}).includes('Next plan')"),
        )
        .await;
    let said = visitor
        .text_of("document.getElementById('front-words').textContent")
        .await;
    assert!(said.contains("Start spread, then consolidate"), "{said}");
    visitor.leave().await;
}

#[tokio::test]
async fn the_whole_answer_is_planned_for_and_the_paper_comes_back() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let before = visitor.text("headline").await;
    aim(&visitor, "whole").await;
    let whole = "/all \\d+ tokens in/.test(document.getElementById('headline').textContent)";
    visitor.until("the whole answer", whole).await;
    // A rate that is taken away is missed where it stands, and the answer stays.
    let headline = visitor.text("headline").await;
    let delete = "\u{e017}"; // the key, as the driver writes it
    visitor.fill("field-device-0-bandwidth_gb_s", delete).await;
    visitor
        .until(
            "the fault",
            "document.getElementById('field-device-0-bandwidth_gb_s-fault')",
        )
        .await;
    assert_eq!(visitor.text("headline").await, headline);
    visitor.fill("field-device-0-bandwidth_gb_s", "1008").await;
    visitor.choose("aim", "first").await;
    visitor.headline_with(&before).await;
    visitor
        .until("no front", "!document.getElementById('front')")
        .await;
    visitor.leave().await;
}
