//! How long a sweep over many prompt lengths takes.

use crate::page::strings;
use crate::scene::Scene;
use crate::timing::print;
use serde_json::json;

/// Asks for lengths and takes the time until every row has its answer, and until that has been painted.
const SWEEP: &str = "const [count, done] = arguments;
    const field = document.getElementById('sweep-count');
    const rows = () => [...document.querySelectorAll('#sweep-table tbody tr')];
    const since = performance.now();
    let first = 0;
    const look = () => {
        const answered = rows().filter(row => row.cells[1].textContent.length > 1).length;
        if (!first && answered > 6) first = performance.now() - since;
        if (answered < count || !document.getElementById('sweep-summary').textContent) return;
        watch.disconnect();
        const there = performance.now() - since;
        requestAnimationFrame(() => setTimeout(() => done([first, there, performance.now() - since])));
    };
    const watch = new MutationObserver(look);
    const all = { subtree: true, childList: true, characterData: true };
    watch.observe(document.getElementById('sweep'), all);
    field.value = count;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));";

#[tokio::test]
async fn sixty_four_lengths_of_five_strategies() {
    let scene = Scene::timed().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.swept().await;
    visitor.open_folds("sweep").await;
    // Different counts have different lengths: few of them are known already. The first starts the workers.
    for count in [67, 64, 61, 71, 65, 62] {
        let times = visitor.js_async(SWEEP, vec![json!(count)]).await;
        let at = |n: usize| times[n].as_f64().expect("a time");
        print(&format!(
            "sweep of {count} lengths x 5 strategies, 4 devices x 40 layers: first points after {:.0} ms, all in \
             the page after {:.0} ms, painted after {:.0} ms",
            at(0),
            at(1),
            at(2)
        ));
    }
    let labels = "[...document.querySelectorAll('#sweep .plans .strip')].map(s => s.getAttribute('aria-label'))";
    let labels = strings(&visitor.value(labels).await);
    assert_eq!(labels.len(), 62);
    visitor.leave().await;
}
