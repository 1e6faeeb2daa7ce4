//! A large fleet: the search goes on after the first answer, on all workers, with plan, bound and gap shown; it can be
//! ended and taken up again, and a crashed worker changes nothing.

use super::scene::Scene;
use super::visitor::Visitor;
use super::workers::crashing;
use engine::scenario::{Model, Scenario, link, presets};
use engine::solve::{Limits, NoProgress};
use engine::units::seconds;
use planner::cold_start::{ColdStartMethod, answer};
use serde_json::json;
use std::time::Duration;

/// The worker is sent a share of a search.
const AT_A_SHARE: &str = "requests.some(({ kind, isSubtask, query }) => kind === 'cold-start-story' && isSubtask && query.includes('Share'))";

/// Number of shares that workers were sent.
const SHARES: &str = "window.__requests.filter(request => window.__crashesAt([request])).length";

/// So many devices, and a model of so many layers of the paper's kind.
fn fleet(name: &str, layers: f64) -> Scenario {
    let mut scenario = presets::scenario_named(name).expect("a random fleet");
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = layers;
    }
    scenario.title = "A drawer of devices".into();
    scenario
}

async fn open(visitor: &Visitor, scenario: &Scenario) {
    let link = format!("{}{}", visitor.url, link::of(scenario));
    visitor.open_link(&link).await;
}

/// A search takes all cores for many seconds, and other tests share them.
const LONGEST_SEARCH: Duration = Duration::from_secs(150);

async fn searched(visitor: &Visitor) {
    let ended =
        "/^Searched to the end/.test(document.getElementById('hunt')?.textContent.trim() ?? '')";
    visitor
        .until_within(LONGEST_SEARCH, "the end of the search", ended)
        .await;
}

#[tokio::test]
async fn twenty_devices_are_searched_to_the_end_despite_a_worker_crash() {
    let scenario = fleet("random-7-20", 60.0);
    let problem = scenario.problem().expect("a valid fleet");
    let limits = Limits {
        threads: 2,
        ..Limits::default()
    };
    let whole = answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    );
    let best = whole.T.expect("a plan");

    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(1, AT_A_SHARE)).await;
    open(&visitor, &scenario).await;
    searched(&visitor).await;
    assert_eq!(visitor.value("window.__crashes").await, json!(0));
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    let headline = visitor.text("headline").await;
    assert!(headline.contains(&seconds(best)), "{headline}: {best}");
    let said = visitor.text("banner").await;
    assert!(said.contains("the computation continues"), "{said}");
    // The same plan, to the last bit, as in one go on this machine.
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["T"], json!(best));
    assert_eq!(plan["bound"], json!(best));
    // Everything that waited for it comes now.
    visitor.swept().await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_search_can_be_ended_and_taken_up_again() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(0, AT_A_SHARE)).await;
    open(&visitor, &fleet("random-11-20", 60.0)).await;
    let running =
        "document.querySelector('#hunt-on-stop') && document.getElementById('hunt').textContent";
    let said = visitor.until("a search", running).await;
    let said = said.as_str().unwrap_or_default();
    assert!(
        said.contains("Best plan ") && said.contains(", none below "),
        "{said}"
    );
    visitor.click("hunt-on-stop").await;
    let stopped =
        "!document.querySelector('#hunt-on-stop') && document.getElementById('hunt').textContent";
    let said = visitor.until("its end", stopped).await;
    let said = said.as_str().unwrap_or_default();
    assert!(
        said.contains("Continue searching") && said.contains("a gap of "),
        "{said}"
    );
    let proof = visitor.text("proof").await;
    assert!(
        proof.starts_with("Within ") && proof.ends_with("proven"),
        "{proof}"
    );
    visitor.swept().await;
    let before = visitor.value(SHARES).await;
    visitor.click("hunt-on").await;
    searched(&visitor).await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    let after = visitor.value(SHARES).await;
    assert!(after.as_u64() > before.as_u64(), "{before} {after}");
    // Another scenario ends all of it.
    visitor.fill("field-device-0-m_gb", "12.5").await;
    visitor.leave().await;
}
