//! Requests through tiers on the page: runs at every rate, in time, by a trace, as measured, and after a worker's death.

use super::scene::Scene;
use super::tiers::{BANNER, MEASURED, PAPER, focus, headline, open, ran, said, undo_title};
use super::visitor::{Key, Visitor};
use super::workers::crashing;
use document::Cell;
use planner::tiers_published::{SEEDS, TierMeasure, TierMeasurements};
use presenters::published::hyperion_runs::{many_requests, many_requests_table};
use serde_json::json;

/// The fold with every run as a row.
const RUNS: &str = "#load .blocks > details.fold > summary";

async fn put_trace(visitor: &Visitor, text: &str) {
    let script = "const area = document.getElementById('trace-text');
        area.value = arguments[0];
        area.dispatchEvent(new Event('input', { bubbles: true }));";
    visitor.js(script, vec![json!(text)]).await;
    visitor.click("trace-take").await;
}

#[tokio::test]
async fn requests_are_run_at_every_rate_and_a_point_sets_it() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    ran(&visitor).await;
    let own = visitor.text("own-load").await;
    for part in ["At 0.200", "on average", "median ", "P95 ", "P99 "] {
        assert!(own.contains(part), "{part} is not in {own}");
    }
    let busy = visitor.rows("utilisation-table").await;
    assert_eq!(busy.len(), 3, "{busy:?}");
    // Every line has a run at every rate.
    visitor.click_css(RUNS).await;
    let rows = visitor.rows("load-table").await;
    let mut lines: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
    lines.dedup();
    assert_eq!(lines[0], "This split (5 / 9 / 18)");
    assert!(lines.len() >= 3, "{lines:?}");
    assert_eq!(rows.len(), 10 * lines.len(), "{rows:?}");

    // A press of a point makes its rate the scenario's.
    let field = "field-load-rate";
    assert_eq!(visitor.field(field).await, "0.2");
    focus(&visitor, "load-chart").await;
    visitor.keys(Key::Home).await;
    visitor.keys(Key::Home).await;
    visitor
        .until("the card", "document.getElementById('card')")
        .await;
    visitor.keys(Key::Enter).await;
    visitor
        .until(
            "another rate",
            &format!("document.getElementById('{field}').value !== '0.2'"),
        )
        .await;
    let first = rows[0][1].clone();
    let typed: f64 = visitor.field(field).await.parse().expect("a rate");
    assert_eq!(format!("{typed:.3}"), first);
    said(&visitor, "own-load", &format!("At {typed:.3}")).await;
    ran(&visitor).await;
    visitor.click("undo").await;
    assert_eq!(visitor.field(field).await, "0.2");
    said(&visitor, "own-load", "At 0.200").await;
    ran(&visitor).await;

    // The other measure of the same runs.
    visitor
        .click_css("#load [role=radiogroup] [role=radio]:last-of-type")
        .await;
    let other = "document.getElementById('load-first-chart')?.getAttribute('aria-label')";
    let other = visitor.until("first tokens", other).await;
    assert!(
        other.as_str().unwrap_or_default().contains("First token"),
        "{other}"
    );
    visitor.leave().await;
}

#[tokio::test]
async fn requests_in_time_zoom_and_describe_themselves() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    visitor.open_section("requests").await;
    visitor
        .until(
            "the requests",
            "document.querySelector('#requests-chart canvas')",
        )
        .await;
    ran(&visitor).await;
    let zoomed = "document.getElementById('requests-chart').classList.contains('zoomed')";
    assert_eq!(visitor.value(zoomed).await, json!(false));
    visitor.click("requests-in").await;
    visitor.until("a zoomed chart", zoomed).await;
    visitor.click("requests-fit").await;
    visitor.until("all of it", &format!("!{zoomed}")).await;
    focus(&visitor, "requests-chart").await;
    visitor.keys("+").await;
    visitor.until("a zoomed chart", zoomed).await;
    visitor.keys("+").await;
    visitor.keys("0").await;
    visitor.until("all of it", &format!("!{zoomed}")).await;

    visitor.keys(Key::Right).await;
    let card = visitor
        .until(
            "the card",
            "document.getElementById('card')?.textContent.trim()",
        )
        .await;
    let card = card.as_str().unwrap_or_default();
    assert!(card.contains("Nano"), "{card}");
    assert!(card.to_lowercase().contains("request"), "{card}");
    visitor.keys(Key::Escape).await;
    visitor
        .until("no card", "!document.getElementById('card')")
        .await;

    visitor.click("requests-as-table").await;
    visitor
        .until(
            "the table",
            "document.querySelectorAll('#requests-table tbody tr').length === 60",
        )
        .await;
    visitor.click("requests-as-table").await;
    visitor
        .until(
            "the picture",
            "document.querySelector('#requests-chart canvas')",
        )
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_trace_takes_the_place_of_random_arrivals() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    ran(&visitor).await;
    visitor.unfold().await;
    let bad = "0,10\n5,20\n3,10\n";
    put_trace(&visitor, bad).await;
    let fault = visitor
        .until(
            "the message",
            "document.getElementById('trace-fault')?.textContent",
        )
        .await;
    let fault = fault.as_str().unwrap_or_default();
    assert!(
        fault.contains("row 3") || fault.contains("line 3"),
        "{fault}"
    );
    assert_eq!(visitor.field("trace-text").await, bad);
    assert_eq!(visitor.field("field-load-rate").await, "0.2");
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");
    headline(&visitor, PAPER).await;

    put_trace(&visitor, "0,128\n10,128\n20,64\n").await;
    visitor
        .until("the trace", "document.getElementById('trace-on')")
        .await;
    assert_eq!(
        visitor
            .value("document.getElementById('trace-fault')")
            .await,
        json!(null)
    );
    assert_eq!(
        visitor
            .value("document.getElementById('field-load-rate')")
            .await,
        json!(null)
    );
    assert_eq!(visitor.field("trace-text").await, "");
    said(&visitor, "own-load", "With the trace").await;
    ran(&visitor).await;
    visitor.click("trace-off").await;
    visitor
        .until("the rate", "document.getElementById('field-load-rate')")
        .await;
    assert_eq!(visitor.field("field-load-rate").await, "0.2");
    said(&visitor, "own-load", "At 0.200").await;
    ran(&visitor).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_papers_measurements_are_run_when_they_are_opened() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    ran(&visitor).await;
    assert!(visitor.rows("many-requests-table").await.is_empty());
    visitor.unfold().await;
    visitor.until("all measurements", MEASURED).await;
    visitor.unfold().await;
    let mut all = TierMeasurements::default();
    for measure in TierMeasure::ALL {
        all.run(measure, &SEEDS).expect("there are seeds");
    }
    let table = many_requests_table(&all)
        .expect("all of them")
        .for_readers();
    let rows = visitor.rows("many-requests-table").await;
    assert_eq!(rows.len(), table.rows.len());
    for (row, cells) in rows.iter().zip(&table.rows) {
        let shown: Vec<String> = cells.iter().map(Cell::display_text).collect();
        assert_eq!(*row, shown);
    }
    let text = visitor.text("published").await;
    for claim in many_requests(&all).expect("all of them") {
        assert!(text.contains(&claim.reason), "{}: {text}", claim.reason);
    }
    visitor.leave().await;
}

/// The worker is sent runs of requests.
const AT_RUNS: &str =
    "requests.some(({ kind, query }) => kind === 'tiers-story' && query?.includes('Rate'))";

#[tokio::test]
async fn a_worker_that_crashes_in_the_runs_is_replaced_and_all_of_them_arrive() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(1, AT_RUNS)).await;
    open(&visitor).await;
    let banner = visitor.until("the banner", BANNER).await;
    let banner = banner.as_str().unwrap_or_default();
    assert!(
        banner.starts_with("The solver stopped and was replaced."),
        "{banner}"
    );
    assert!(banner.contains("Your scenario"), "{banner}");
    assert_eq!(visitor.value("window.__crashes").await, json!(0));
    ran(&visitor).await;
    visitor.click_css(RUNS).await;
    let rows = visitor.rows("load-table").await;
    assert!(
        rows.len() >= 30 && rows.len() % 10 == 0,
        "{} rows",
        rows.len()
    );
    headline(&visitor, PAPER).await;
    assert_eq!(
        visitor.text("proof").await,
        "Optimal for the slowest stage, proven"
    );
    visitor.leave().await;
}
