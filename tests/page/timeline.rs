//! The timeline's picture under a pointer, on the keyboard, and as a table.

use super::page::strings;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::json;

/// Height of the time axis, and from row to row [px].
const AXIS_PX: f64 = 24.0;
const PITCH_PX: f64 = 50.0;
/// Heads of rows are left of the bars [px].
const GUTTER_PX: f64 = 160.0;

/// Moves the pointer to a time in a row: onto the upper part of its bar.
async fn point_at(visitor: &Visitor, row: f64, share_of_time: f64) {
    let place = "const chart = document.getElementById('timeline-chart');
        chart.scrollIntoView({ block: 'center' });
        const frame = chart.getBoundingClientRect();
        return [frame.left, frame.top, frame.width];";
    let place = visitor.js(place, vec![]).await;
    let [left, top, width] = [0, 1, 2].map(|at| place[at].as_f64().unwrap_or_default());
    let x = left + GUTTER_PX + share_of_time * (width - GUTTER_PX);
    let y = top + AXIS_PX + row * PITCH_PX + 11.0;
    visitor.point_at(x.trunc(), y.trunc()).await;
}

/// Title and rows of the card: what, then name and value.
async fn card(visitor: &Visitor) -> (String, Vec<(String, String)>, String) {
    visitor
        .until("the card", "document.getElementById('card')")
        .await;
    let title = visitor
        .text_of("document.querySelector('#card h3').textContent")
        .await;
    let texts = |selector: &str| {
        format!("[...document.querySelectorAll('#card {selector}')].map(e => e.textContent)")
    };
    let names = strings(&visitor.value(&texts("dt")).await);
    let values = strings(&visitor.value(&texts("dd")).await);
    let note = visitor
        .text_of("document.querySelector('#card p')?.textContent")
        .await;
    (title, names.into_iter().zip(values).collect(), note)
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.into(), value.into())
}

#[tokio::test]
async fn a_bar_under_the_pointer_shows_its_values() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    point_at(&visitor, 2.0, 0.4).await;
    let (title, rows, note) = card(&visitor).await;
    assert_eq!(title, "D1, load");
    let expected = [
        pair("Layers", "13–27"),
        pair("From, to", "0.000 to 1.982\u{202f}s"),
        pair("Takes", "1.982\u{202f}s"),
    ];
    assert_eq!(rows[..3], expected);
    let reads = rows.iter().find(|(name, _)| name == "Loads");
    assert!(
        reads.is_some_and(|(_, value)| value.contains("MB/s")),
        "{rows:?}"
    );
    assert!(note.starts_with("On the critical chain."), "{note}");
    let inside = "(card => { const c = card.getBoundingClientRect(); return c.left >= 0 && c.right <= innerWidth; })\
                  (document.getElementById('card'))";
    assert_eq!(visitor.value(inside).await, json!(true));

    // What it says is what the saved plan holds.
    let plan = visitor.saved_plan().await;
    let load = plan["timeline"][2]["load"].as_f64().expect("a stage loads");
    assert_eq!(format!("{load:.3}"), "1.982");

    // Off the picture, the card goes.
    visitor.point_at_element("#headline").await;
    visitor
        .until("no card", "!document.getElementById('card')")
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn arrow_keys_walk_the_bars_and_speak_them() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.focus("timeline-chart").await;
    let label = visitor
        .text_of("document.getElementById('timeline-chart').getAttribute('aria-label')")
        .await;
    assert!(
        label.starts_with("Timeline of 4 stages on D3, D4, D1 and D2: done after 2.562 seconds"),
        "{label}"
    );
    let spoken = "document.querySelector('#timeline-chart [role=status]').textContent";
    visitor.keys(Key::Right).await;
    visitor
        .until(
            "the first mark",
            &format!("{spoken}.startsWith('D3, load, layers 1 to 7')"),
        )
        .await;
    visitor.keys(Key::Down).await;
    visitor.keys(Key::Down).await;
    let expected = "D1, load, layers 13 to 27, 0 to 1.982 seconds, critical chain";
    visitor
        .until(
            "the third row",
            &format!("{spoken} === {}", json!(expected)),
        )
        .await;
    let (title, rows, _) = card(&visitor).await;
    assert_eq!(
        (title.as_str(), &rows[2]),
        ("D1, load", &pair("Takes", "1.982\u{202f}s"))
    );
    visitor.keys(Key::End).await;
    visitor
        .until(
            "the last mark of the row",
            &format!("{spoken}.startsWith('D1, free')"),
        )
        .await;
    visitor.keys("c").await;
    visitor
        .until(
            "the next link of the chain",
            &format!("{spoken}.startsWith('D2, transfer')"),
        )
        .await;
    visitor.keys(Key::Escape).await;
    visitor
        .until("no card", "!document.getElementById('card')")
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn behind_every_picture_is_a_table() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // The answer is there before the comparison and the sweep are.
    visitor.swept().await;
    visitor.open_section("strategies").await;
    let compared = "document.querySelectorAll('[id^=strategies-] canvas').length >= 4";
    visitor.until("the other plans", compared).await;
    // Whoever adds a picture has to add its table, and its check here.
    let pictures = "[...document.querySelectorAll('canvas')].filter(c => !c.closest('.legend')) \
                    .map(c => c.closest('[id]').id)";
    let mut pictures = strings(&visitor.value(pictures).await);
    let strategies = pictures
        .iter()
        .filter(|id| id.starts_with("strategies-"))
        .count();
    assert!(strategies >= 4, "{pictures:?}");
    pictures.retain(|id| !id.starts_with("strategies-"));
    assert_eq!(pictures, ["timeline-chart", "sweep-chart"]);
    visitor.open_folds("sweep").await;
    let six = "document.querySelectorAll('#sweep-table tbody tr').length === 6";
    visitor.until("the sweep as numbers", six).await;
    let sweep = visitor.rows("sweep-table").await;
    assert_eq!(sweep.len(), 6);

    // Every strategy has its stages in one table, and the simple ones use all devices.
    visitor.click("strategies-as-table").await;
    let rows = visitor.rows("strategies-table").await;
    for (name, stages) in [
        ("Edgewise", 4),
        ("Heuristic", 4),
        ("Even", 4),
        ("Single, no memory limit", 1),
    ] {
        let own = rows.iter().filter(|row| row[0] == name).count();
        assert_eq!(own, stages, "{name}");
    }

    visitor.click("timeline-as-table").await;
    let rows = visitor.rows("timeline-table").await;
    let plan = visitor.saved_plan().await;
    let stages = plan["timeline"].as_array().expect("a plan has stages");
    assert_eq!(rows.len(), stages.len());
    for (row, stage) in rows.iter().zip(stages) {
        assert_eq!(row[1..3], ["s", "e"].map(|field| stage[field].to_string()));
        let fields = [
            "load",
            "stall",
            "wait",
            "start",
            "comm",
            "comp",
            "finish",
            "idle_after",
        ];
        let times = fields.map(|field| format!("{:.4}", stage[field].as_f64().unwrap_or(f64::NAN)));
        assert_eq!(row[3..11], times);
    }
    let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["D3", "D4", "D1", "D2"]);
    visitor.click("timeline-as-table").await;
    visitor
        .until(
            "the picture again",
            "document.querySelector('#timeline-chart canvas')",
        )
        .await;
    visitor.leave().await;
}
