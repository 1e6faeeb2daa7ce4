//! The catalogue: found by words, added by a button, extended by rows of one's own, which nothing loses.

use super::page::strings;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::{Value, json};

/// Where own rows are kept.
const STORE: &str = "localStorage.getItem('edgewise.catalogue')";

/// Names in the first column.
async fn names(visitor: &Visitor) -> Vec<String> {
    let names = "[...document.querySelectorAll('#catalogue-rows tbody th')].map(h => h.firstChild.textContent)";
    strings(&visitor.value(names).await)
}

/// Presses the button that says exactly this to a screen reader.
async fn press(visitor: &Visitor, label: &str) {
    visitor
        .click_css(&format!("#catalogue [aria-label=\"{label}\"]"))
        .await;
}

async fn closed(visitor: &Visitor) {
    visitor.click("catalogue-close").await;
    visitor
        .until("a closed dialog", "!document.querySelector('dialog[open]')")
        .await;
}

#[tokio::test]
async fn rows_are_found_by_words_and_put_into_the_scenario() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.click("from-catalogue").await;
    visitor
        .until(
            "the search has the focus",
            "document.activeElement.id === 'catalogue-search'",
        )
        .await;
    let all = names(&visitor).await;
    assert!(all.len() > 8 && all[0] == "Device 1", "{all:?}");
    let sources = "[...document.querySelectorAll('#catalogue-rows .source')].every(s => s.textContent.length > 5)";
    assert_eq!(visitor.value(sources).await, json!(true));
    visitor.keys("3000 csgo mb/s").await;
    assert_eq!(names(&visitor).await, ["Device 3"]);
    assert!(visitor.text("catalogue-count").await.starts_with("1 of "));
    press(&visitor, "Add Device 3").await;
    assert_eq!(
        visitor.text("catalogue-said").await,
        "Device 3 is in the fleet as D5."
    );
    visitor.fill("catalogue-search", "toaster").await;
    assert_eq!(
        visitor.text("catalogue-count").await,
        "No row matches all these words."
    );
    closed(&visitor).await;
    assert_eq!(
        visitor.text_of("document.activeElement.id").await,
        "from-catalogue"
    );
    assert_eq!(visitor.devices().await.len(), 5);
    visitor.headline_with("5 devices").await;

    // A machine that people own: what its source does not give is assumed, and comes as ranges.
    visitor.click("from-catalogue").await;
    visitor.fill("catalogue-search", "4060 ti").await;
    assert_eq!(names(&visitor).await[0], "RTX 4060 Ti 16GB");
    let note = visitor
        .text_of("document.querySelector('#catalogue-rows tbody th small').textContent")
        .await;
    assert!(
        note.contains("Assumed for a desktop GPU, with ranges"),
        "{note}"
    );
    let ranges =
        "document.querySelector('#catalogue-rows tbody tr').querySelectorAll('td.n small').length";
    assert_eq!(visitor.value(ranges).await, json!(7));
    press(&visitor, "Add RTX 4060 Ti 16GB").await;
    assert_eq!(
        visitor.text("catalogue-said").await,
        "RTX 4060 Ti 16GB is in the fleet as RTX 4060 Ti 16GB; 7 of its numbers are ranges."
    );
    press(&visitor, "Add RTX 4060 Ti 16GB").await;
    assert!(
        visitor
            .text("catalogue-said")
            .await
            .contains("as RTX 4060 Ti 16GB (2);")
    );
    visitor.click("catalogue-models").await;
    visitor.fill("catalogue-search", "qwen3-8b").await;
    press(&visitor, "Use Qwen3-8B").await;
    closed(&visitor).await;
    assert!(visitor.text("model-hint").await.starts_with("36 layers"));
    for _ in 0..4 {
        visitor.click("undo").await;
    }
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn an_own_row_is_kept_edited_and_deleted() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.device_menu(1, "Keep in catalogue").await;
    visitor.fill("own-0", "My laptop").await;
    visitor.fill("own-1", "measured in May").await;
    // The same ranges and units as everywhere, said at the field.
    visitor.fill("own-5", "fast").await;
    visitor.keys(Key::Enter).await;
    let fault = visitor.text("own-5-fault").await;
    assert_eq!(
        fault,
        "Disk must be a number from 0.01 to 1000000 MB/s, it is \u{201c}fast\u{201d}."
    );
    assert_eq!(visitor.text_of("document.activeElement.id").await, "own-5");
    assert_eq!(visitor.value(STORE).await, Value::Null);
    // A row that is left unfinished waits for whoever comes back to it.
    closed(&visitor).await;
    visitor.click("from-catalogue").await;
    visitor.click("catalogue-go-on").await;
    assert_eq!(visitor.field("own-5").await, "fast");
    visitor.fill("own-5", "1.2 GB/s").await;
    visitor.keys(Key::Enter).await;
    assert_eq!(
        visitor.text("catalogue-said").await,
        "My laptop is kept in this browser."
    );

    visitor.open().await;
    visitor.click("from-catalogue").await;
    assert_eq!(names(&visitor).await[0], "My laptop");
    press(&visitor, "Edit My laptop").await;
    assert_eq!(visitor.field("own-5").await, "1200");
    visitor.fill("own-6", "32 GB").await;
    visitor.click("own-keep-use").await;
    assert_eq!(
        visitor.text("catalogue-said").await,
        "My laptop is in the fleet as My laptop."
    );
    press(&visitor, "Delete My laptop").await;
    assert_ne!(names(&visitor).await[0], "My laptop");
    visitor.click_css("#catalogue-said button").await;
    assert_eq!(names(&visitor).await[0], "My laptop");
    closed(&visitor).await;
    assert_eq!(visitor.devices().await[4], "My laptop");
    let memory = "[...document.querySelectorAll('#fleet [id$=m_gb]')].at(-1).value";
    assert_eq!(visitor.text_of(memory).await, "32");
    visitor.leave().await;
}

#[tokio::test]
async fn rows_edited_to_nonsense_are_named_and_nothing_is_lost() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.device_menu(0, "Keep in catalogue").await;
    visitor.fill("own-0", "Good").await;
    visitor.click("own-keep").await;
    // Somebody, or another version, changes what is kept.
    let spoil = format!(
        "const own = JSON.parse({STORE});
         own.rows.push({{ ...own.rows[0], name: 'Bad', r_mb_s: 'fast' }}, 7);
         localStorage.setItem('edgewise.catalogue', JSON.stringify(own));"
    );
    visitor.js(&spoil, vec![]).await;
    visitor.open().await;
    let banner = visitor.text("banner").await;
    assert!(
        banner.contains("2 of your catalogue rows cannot be read."),
        "{banner}"
    );
    assert!(
        banner.contains("\u{201c}Bad\u{201d}: disk (r_mb_s) must be a number from 0.01 to 1000000 MB/s, it is \"fast\""),
        "{banner}"
    );
    visitor.click("from-catalogue").await;
    assert_eq!(names(&visitor).await[0], "Good");
    let broken = visitor.text("catalogue-broken").await;
    assert!(broken.contains("\"name\":\"Bad\""), "{broken}");
    assert!(broken.contains("Own row 3"), "{broken}");
    // Keeping another row keeps the text of these.
    press(&visitor, "Delete Good").await;
    let kept = visitor.text_of(STORE).await;
    assert!(kept.contains("Bad") && !kept.contains("Good"), "{kept}");
    // A list that is no list at all is kept as it is, too.
    visitor
        .js(
            "localStorage.setItem('edgewise.catalogue', '{\"version\":1,');",
            vec![],
        )
        .await;
    visitor.open().await;
    let banner = visitor.text("banner").await;
    assert!(
        banner.contains(
            "One of your catalogue rows cannot be read. The list is not readable as JSON"
        ),
        "{banner}"
    );
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}
