//! The sweep over prompt lengths: the paper's figures, lengths of one's own, progress, cancelling.

use super::scene::Scene;
use super::timing::speed::ten_by_sixty;
use super::visitor::{Key, Visitor};
use engine::scenario::link;
use serde_json::{Value, json};

/// Every row of the table of numbers that has its answer.
const ANSWERED: &str = "[...document.querySelectorAll('#sweep-table tbody tr')]\
                        .filter(row => row.cells[1].textContent.length > 1).length";

impl Visitor {
    /// Types into a field of the sweep and leaves it.
    async fn sweep_field(&self, id: &str, text: &str) {
        self.fill(id, text).await;
        self.keys(Key::Enter + "").await;
    }

    async fn until_answered(&self, rows: usize) {
        let all = format!("{ANSWERED} === {rows}");
        self.until(&format!("{rows} answered lengths"), &all).await;
    }
}

/// The rows of the paper's sweep, as the page has to print them.
fn printed() -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(include_bytes!("../data/csgo_sweep.csv").as_slice());
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| {
        let with_gain = |at: usize| format!("{} ({})", &row[at], &row[at + 1]);
        let cells = [
            &row[0],
            &row[1],
            // One device does not hold the model: nothing is gained over it.
            &row[3],
            &with_gain(5),
            &with_gain(7),
        ];
        cells.into_iter().map(|cell| cell.to_owned()).collect()
    })
    .collect()
}

#[tokio::test]
async fn both_figures_have_the_papers_six_lengths() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.swept().await;
    visitor.open_folds("sweep").await;
    visitor.until_answered(6).await;
    let rows = visitor.rows("sweep-table").await;
    let printed = printed();
    assert_eq!(rows.len(), printed.len());
    for (row, printed) in rows.iter().zip(&printed) {
        assert_eq!(row[..5], printed[..]);
    }
    // Cuts alone, in order of strength: between ours and the heuristic.
    assert_eq!(rows[0][5], "2.6853 (4.59)");
    let summary = visitor.text("sweep-summary").await;
    for part in ["8.82", "43.53", "20.40"] {
        assert!(summary.contains(part), "{summary}");
    }
    // Fig. 3a has a line for each of five plans, Fig. 3b one for each of the four that ours is compared with.
    let chart = "document.getElementById('sweep-chart').getAttribute('aria-label')";
    let label = visitor.text_of(chart).await;
    let five = "Edgewise, Heuristic, Even, Single, no memory limit, In strength order.";
    assert!(label.contains(five), "{label}");
    visitor
        .click_css("#sweep .ways [role=radio]:nth-child(2)")
        .await;
    // The other picture is drawn after the click.
    let drawn = "!!document.getElementById('sweep-gain-chart')?.getAttribute('aria-label')";
    visitor.until("the chart of the gains", drawn).await;
    let chart = "document.getElementById('sweep-gain-chart').getAttribute('aria-label')";
    let label = visitor.text_of(chart).await;
    assert!(
        label.starts_with("Gain against prompt length: Heuristic, Even"),
        "{label}"
    );

    // The file holds every number in full.
    visitor.unfold().await;
    visitor.click("sweep-table-json").await;
    let (_, text) = visitor.saved(".json").await;
    let saved: Value = serde_json::from_str(&text).expect("a JSON document");
    let rows = saved["rows"].as_array().cloned().unwrap_or_default();
    assert_eq!(rows.len(), 6);
    for (row, printed) in rows.iter().zip(&printed) {
        let total = row["edgewise_s"].as_f64().expect("a time");
        assert_eq!(format!("{total:.4}"), printed[1]);
        assert!(row["gain_over_single_pct"].is_null(), "{row}");
        let gain = row["gain_over_even_pct"].as_f64().expect("a gain");
        assert!(printed[3].contains(&format!("({gain:.2})")), "{gain}");
    }
    visitor.leave().await;
}

#[tokio::test]
async fn lengths_of_ones_own_are_swept_and_nonsense_keeps_the_old_ones() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.swept().await;
    visitor.open_folds("sweep").await;
    visitor.sweep_field("sweep-count", "64").await;
    visitor.until_answered(64).await;
    assert_eq!(visitor.rows("sweep-table").await.len(), 64);
    let plans = "document.querySelectorAll('#sweep .plans .strip').length";
    assert_eq!(visitor.value(plans).await, json!(64));
    // Hundreds of rows scroll in their own place.
    let fold = "document.querySelector('#sweep details.fold').open = false;";
    visitor.js(fold, vec![]).await;
    let height = "document.getElementById('sweep').getBoundingClientRect().height < 1200";
    assert_eq!(visitor.value(height).await, json!(true));

    visitor.sweep_field("sweep-to", "soon").await;
    let fault = visitor.text("sweep-lengths-fault").await;
    assert_eq!(
        fault,
        "To must be a whole number from 1 to 1000000 tokens, it is \u{201c}soon\u{201d}. The sweep keeps its lengths."
    );
    assert_eq!(visitor.rows("sweep-table").await.len(), 64);

    visitor.open_folds("sweep").await;
    visitor.click("sweep-listed").await;
    visitor.sweep_field("sweep-list", "300, 5000; 700").await;
    visitor.until_answered(3).await;
    let tokens: Vec<String> = visitor
        .rows("sweep-table")
        .await
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    assert_eq!(tokens, ["300", "700", "5000"]);
    assert_eq!(
        visitor
            .value("document.getElementById('sweep-lengths-fault')")
            .await,
        Value::Null
    );

    // A row's button makes its length the scenario's own.
    visitor.click_css("[aria-label='Use 700 tokens']").await;
    visitor
        .until(
            "the prompt of 700 tokens",
            "document.getElementById('lead').textContent.length && \
             document.querySelector('#sweep-table tr.now')?.cells[0].textContent === '700'",
        )
        .await;

    // The next visit finds the list again; one press brings the paper's lengths back.
    visitor.open().await;
    visitor.swept().await;
    visitor.open_folds("sweep").await;
    visitor.until_answered(3).await;
    visitor.click("sweep-papers").await;
    visitor.until_answered(6).await;
    visitor.leave().await;
}

/// Notes how many lengths were shown each time that changed.
const WATCH: &str = "window.__seen = [];
    const count = () => document.querySelectorAll('#sweep .plans .strip').length;
    new MutationObserver(() => {
        if (window.__seen.at(-1) !== count()) window.__seen.push(count());
    }).observe(document.getElementById('sweep'), { subtree: true, childList: true });";

#[tokio::test]
async fn a_long_sweep_comes_point_by_point_and_can_be_cancelled_and_resumed() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let url = format!("{}#{}", scene.host.url(), link::of(&ten_by_sixty()));
    visitor.open_link(&url).await;
    visitor.swept().await;
    visitor.open_folds("sweep").await;
    visitor.js(WATCH, vec![]).await;
    visitor.sweep_field("sweep-count", "32").await;
    visitor
        .until("a way to cancel", "document.getElementById('sweep-cancel')")
        .await;
    visitor
        .until("a few lengths", &format!("{ANSWERED} >= 10"))
        .await;
    visitor.click("sweep-cancel").await;
    visitor
        .until("a way to go on", "document.getElementById('sweep-resume')")
        .await;
    let some = visitor.value(ANSWERED).await.as_u64().expect("a number");
    assert!((10..32).contains(&some), "{some} lengths");
    let said = visitor.text("sweep-progress").await;
    assert!(said.contains(" of 32 computed, then cancelled"), "{said}");
    let later = "const done = arguments[0]; setTimeout(done, 400);";
    visitor.js_async(later, vec![]).await;
    assert_eq!(visitor.value(ANSWERED).await, json!(some));
    assert_eq!(visitor.text("sweep-summary").await, "");

    visitor.click("sweep-resume").await;
    visitor.until_answered(32).await;
    visitor.swept().await;
    let seen = visitor.value("window.__seen").await;
    let steps = seen.as_array().map_or(0, Vec::len);
    assert!(steps > 5, "all came at once: {seen}");
    visitor.leave().await;
}
