//! Workers that crash in the middle of a sweep: another takes over, no other point is lost, and the user is informed.

use super::scene::Scene;
use super::visitor::Visitor;
use super::workers::crashing;
use serde_json::{Value, json};

/// The worker is sent points of the sweep. After the first crash, only the point that it died at crashes another.
const AT_A_POINT: &str = "requests[0].kind === 'cold-start-story' && requests[0].name === 'At'
    && (window.__target ??= requests[0].query) === requests[0].query";

/// Sweeps so many lengths, with so many crashes on the way, until every length that is not left out has its row.
async fn sweep(visitor: &Visitor, count: usize, crashes: u32) {
    let script = "window.__crashes = arguments[1];
        window.__target = null;
        const field = document.getElementById('sweep-count');
        field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    visitor.js(script, vec![json!(count), json!(crashes)]).await;
    visitor.open_folds("sweep").await;
    let answered = count - usize::from(crashes > 1);
    let all = format!(
        "[...document.querySelectorAll('#sweep-table tbody tr')].length === {count} && \
         [...document.querySelectorAll('#sweep-table tbody tr')]\
         .filter(row => row.cells[1].textContent.length > 1).length === {answered}"
    );
    visitor.until("every length", &all).await;
}

async fn banner(visitor: &Visitor) -> String {
    let text = "document.querySelector('#banner .banner')?.textContent";
    let text = visitor.until("the banner", text).await;
    text.as_str().unwrap_or_default().to_owned()
}

/// Lengths whose row says that they were left out.
async fn left_out(visitor: &Visitor) -> Vec<String> {
    let rows = visitor.rows("sweep-table").await.into_iter();
    rows.filter(|row| row[1] == "\u{2013}")
        .map(|row| row[0].clone())
        .collect()
}

#[tokio::test]
async fn a_worker_that_crashes_in_a_sweep_is_replaced_and_every_point_arrives() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(0, AT_A_POINT)).await;
    visitor.open().await;
    visitor.swept().await;
    let before = visitor.value("window.__workers.length").await;

    sweep(&visitor, 48, 1).await;
    assert_eq!(visitor.value("window.__crashes").await, json!(0));
    assert_eq!(left_out(&visitor).await, [""; 0]);
    let said = banner(&visitor).await;
    assert!(
        said.starts_with("The solver stopped and was replaced.")
            && said.contains("the computation continues"),
        "{said}"
    );
    // Said once, and nobody is interrupted by it.
    let alerts = "document.querySelectorAll('#banner .banner[role=alert]').length";
    assert_eq!(visitor.value(alerts).await, json!(0));
    let after = visitor.value("window.__workers.length").await;
    assert!(after.as_u64() > before.as_u64(), "{after} workers");
    visitor.leave().await;
}

#[tokio::test]
async fn a_point_at_which_two_workers_die_is_left_out_and_named() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(0, AT_A_POINT)).await;
    visitor.open().await;
    visitor.swept().await;

    sweep(&visitor, 40, 2).await;
    let target = visitor
        .value("String(JSON.parse(window.__target).At)")
        .await;
    let target = target.as_str().unwrap_or_default();
    assert_eq!(left_out(&visitor).await, [target]);
    let said = visitor.text("sweep-fault").await;
    assert!(said.starts_with("A length was left out: "), "{said}");
    let said = banner(&visitor).await;
    assert!(said.contains("that run was left out"), "{said}");
    // The plan was never touched, and other lengths are swept as before.
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    sweep(&visitor, 20, 0).await;
    visitor.leave().await;
}

#[tokio::test]
async fn there_are_no_more_workers_than_processors_and_one_until_there_is_much_to_do() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(0, AT_A_POINT)).await;
    visitor.open().await;
    // The first answer does not wait for workers that it has no use for.
    assert_eq!(visitor.value("window.__atFirstAnswer").await, json!(1));
    visitor.swept().await;
    sweep(&visitor, 256, 0).await;
    let alive = "window.__workers.filter(worker => worker.alive).length";
    let alive = visitor.value(alive).await.as_u64().unwrap_or_default();
    let most = visitor
        .value("Math.min(navigator.hardwareConcurrency, 8)")
        .await;
    assert!(
        alive >= 1 && Value::from(alive).as_u64() <= most.as_u64(),
        "{alive} workers, {most} allowed"
    );
    visitor.leave().await;
}
