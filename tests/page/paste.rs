//! What is pasted, chosen or dropped and cannot be used: the message names row and column or the field, what was
//! typed stays, and the scenario does not move.

use super::models::paste;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::presets;
use serde_json::json;

/// Drops a file of these bytes on an element.
pub async fn drop_file(visitor: &Visitor, on: &str, name: &str, bytes: &[u8]) {
    drop_files(visitor, on, &[(name, bytes)]).await;
}

/// Drops several files at once.
pub async fn drop_files(visitor: &Visitor, on: &str, files: &[(&str, &[u8])]) {
    let script = "const transfer = new DataTransfer();
        for (const [name, bytes] of arguments[1]) transfer.items.add(new File([new Uint8Array(bytes)], name));
        const target = arguments[0] ? document.getElementById(arguments[0]) : document.body;
        for (const kind of ['dragover', 'drop'])
            target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));";
    visitor.js(script, vec![json!(on), json!(files)]).await;
}

async fn said(visitor: &Visitor, part: &str) {
    let holds = format!(
        "document.getElementById('paste-layers-said').textContent.includes({})",
        json!(part)
    );
    visitor.until(part, &holds).await;
}

#[tokio::test]
async fn a_bad_table_is_named_by_row_and_column_and_changes_nothing() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let headline = visitor.text("headline").await;
    visitor.click("paste-layers-open").await;
    let ragged = "W;A;P\n12,5x;2;3\n1e9;2\n1e9;;3\n";
    for (text, parts) in [
        (
            ragged.to_owned(),
            &[
                "Row 2, column W must be a number",
                "it is \u{201c}12,5x\u{201d}",
                "Row 3 has 2 cells, the header has 3.",
                "Row 4, column A is empty",
            ][..],
        ),
        (
            "W;A;P\n1e9;1,500;3".to_owned(),
            &["Row 2, column A says \u{201c}1,500\u{201d}: is that 1.500 or 1500?"],
        ),
        (
            "W [kg];A;P\n1;2;3".to_owned(),
            &["\u{201c}kg\u{201d} is not a unit of work"],
        ),
        (
            "{\"nodes\":[]}".to_owned(),
            &["This is JSON but not a list of layers"],
        ),
        (
            "1e9\t1e6\t1e8\n".repeat(100_000),
            &["This table has 100\u{202f}000 rows; at most 1000 layers"],
        ),
    ] {
        paste(&visitor, "paste-layers", &text).await;
        for part in parts {
            said(&visitor, part).await;
        }
        let blocked = visitor
            .value("document.getElementById('paste-layers-apply').disabled")
            .await;
        assert_eq!(blocked, json!(true));
    }
    drop_file(
        &visitor,
        "paste-layers-text",
        "sheet.xlsx",
        &[0x50, 0x4b, 3, 4, 0, 255, 254],
    )
    .await;
    said(&visitor, "Line 1 has characters that do not occur in text.").await;
    let wide: Vec<u8> = "\u{feff}W\tA\tP\r\n1e9\tx\t3"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    drop_file(&visitor, "paste-layers-text", "table.txt", &wide).await;
    said(&visitor, "Row 2, column A").await;

    // Closing loses nothing, and nothing behind the dialog has moved.
    paste(&visitor, "paste-layers", ragged).await;
    visitor.keys(Key::Escape).await;
    visitor
        .until(
            "the end of the dialog",
            "!document.querySelector('dialog[open]')",
        )
        .await;
    assert_eq!(visitor.text("headline").await, headline);
    assert_eq!(
        visitor
            .value("document.getElementById('undo').disabled")
            .await,
        json!(true)
    );
    visitor.click("paste-layers-open").await;
    visitor
        .until("the text", "document.getElementById('paste-layers-text')")
        .await;
    assert_eq!(visitor.field("paste-layers-text").await, ragged);
    visitor.keys(Key::Escape).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_file_is_opened_or_identified_by_its_content() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let headline = visitor.text("headline").await;
    let wrong = presets::paper().to_json().replace("\"mu\":0.5", "\"mu\":7");
    for (name, text, part) in [
        (
            "graph.json",
            "{\"nodes\":[],\"edges\":[]}",
            "its fields are edges, nodes",
        ),
        (
            "problem.json",
            "{\"layers\":[],\"devices\":[]}",
            "This is a problem file",
        ),
        ("notes.txt", "buy milk", "not readable as JSON"),
        (
            "wrong.json",
            wrong.as_str(),
            "channel.mu must be a number from 0.001 to 1, it is 7",
        ),
    ] {
        drop_file(&visitor, "", name, text.as_bytes()).await;
        let holds = format!(
            "(b => b.includes({}) && b.includes({}) && b.includes('unchanged'))(document.getElementById('banner').textContent)",
            json!(format!("{name} was not opened.")),
            json!(part)
        );
        visitor.until(part, &holds).await;
        assert_eq!(visitor.text("headline").await, headline);
    }
    let long = presets::named("csgo-paper-long")
        .expect("a preset")
        .scenario;
    drop_file(&visitor, "", "long.json", long.to_json().as_bytes()).await;
    visitor.headline_with("7.029\u{202f}s").await;
    assert_eq!(visitor.text("banner").await, "");
    visitor.click("undo").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}
