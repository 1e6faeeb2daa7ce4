//! Downloads: files that other programs and the command line read.

use super::documents::{assert_same, run};
use super::scene::Scene;
use serde_json::Value;

#[tokio::test]
async fn files_hold_what_the_page_shows() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let plan = visitor.saved_plan().await;

    visitor.open_section("take").await;
    visitor.click("save-scenario").await;
    let (name, text) = visitor.saved("-scenario.json").await;
    assert_eq!(name, "edgewise-cold-start-qwen3-14b-2562ms-scenario.json");
    let scenario: serde_json::Value = serde_json::from_str(&text).expect("a scenario is JSON");
    assert_eq!(scenario, plan["scenario"]);
    // The command line reads the file as it reads the link.
    let file = visitor.downloads().join(&name);
    assert_same(&plan, &run(&file.to_string_lossy()));

    visitor.click("save-timeline").await;
    let (_, text) = visitor.saved("-timeline.csv").await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    let load = plan["timeline"][2]["load"].to_string();
    assert!(lines[3].contains(&load), "{load} is not in {}", lines[3]);

    visitor.click("save-trace").await;
    let (_, text) = visitor.saved("-trace.json").await;
    let trace: Value = serde_json::from_str(&text).expect("a trace is JSON");
    assert_eq!(spans(&trace), phases(&plan));

    visitor.click("save-picture").await;
    let (_, text) = visitor.saved("-timeline.svg").await;
    assert!(
        text.trim_start().starts_with("<svg") && text.trim_end().ends_with("</svg>"),
        "{text}"
    );
    for part in ["D1", "D3", "xmlns"] {
        assert!(text.contains(part), "the picture lacks {part}");
    }
    visitor.leave().await;
}

/// Phases as the trace has them: thread, name, beginning and end in nanoseconds.
type Span = (usize, String, i64, i64);

fn ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

fn spans(trace: &Value) -> Vec<Span> {
    let events = trace["traceEvents"].as_array().into_iter().flatten();
    events
        .filter(|event| event["ph"] == "X")
        .map(|event| {
            let time = |field: &str| event[field].as_f64().expect("a time") / 1e6;
            let name = event["name"].as_str().expect("a name").to_owned();
            let thread = event["tid"].as_u64().expect("a thread") as usize;
            (thread, name, ns(time("ts")), ns(time("ts") + time("dur")))
        })
        .collect()
}

fn phases(plan: &Value) -> Vec<Span> {
    let mut found = Vec::new();
    let stages = plan["timeline"].as_array().into_iter().flatten();
    for (n, stage) in stages.enumerate() {
        let time = |field: &str| stage[field].as_f64().expect("a time");
        let arrived = time("start") + time("comm");
        for (name, from, to) in [
            ("load", 0.0, time("load")),
            ("stall", time("load") - time("stall"), time("load")),
            ("wait", time("load"), time("start")),
            ("transfer", time("start"), arrived),
            ("compute", arrived, time("finish")),
            ("free", time("finish"), time("finish") + time("idle_after")),
        ] {
            if ns(to) > ns(from) {
                found.push((n + 1, name.to_owned(), ns(from), ns(to)));
            }
        }
    }
    found
}

#[tokio::test]
async fn tables_are_taken_as_csv_and_as_json() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let plan = visitor.saved_plan().await;
    let stages = plan["timeline"].as_array().expect("a plan has stages");
    for (name, rows, key, field) in [
        ("timeline", stages.len(), "transfer_s", "comm"),
        ("reasons", stages.len(), "stall_s", "stall"),
        ("comparison", 4, "first_answer_s", ""),
    ] {
        visitor.click(&format!("save-{name}")).await;
        let (_, text) = visitor.saved(&format!("-{name}.csv")).await;
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > rows, "{name}: {text}");
        visitor.click(&format!("save-{name}-json")).await;
        let (_, text) = visitor.saved(&format!("-{name}.json")).await;
        let table: Value = serde_json::from_str(&text).expect("a table is JSON");
        assert_eq!(table["table"], name);
        let objects = table["rows"].as_array().expect("rows");
        assert_eq!(objects.len() + 1, lines.len(), "{name}");
        let keys: Vec<&str> = table["columns"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|column| column["key"].as_str())
            .collect();
        assert!(keys.contains(&key), "{name}: {keys:?}");
        for (object, stage) in objects.iter().zip(stages) {
            assert_eq!(
                object.as_object().map(serde_json::Map::len),
                Some(keys.len())
            );
            if !field.is_empty() {
                assert_eq!(object[key].as_f64(), stage[field].as_f64(), "{name}");
            }
        }
    }
    visitor.leave().await;
}

#[tokio::test]
async fn a_file_is_of_the_answer_that_stood_when_it_was_asked_for() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.open_section("take").await;
    // In one task, so that the solver cannot have answered: the file, and an edit.
    let script = "const done = arguments[0];
        document.getElementById('save-plan').click();
        const preset = document.getElementById('preset');
        preset.value = 'csgo-paper-long';
        preset.dispatchEvent(new Event('change', { bubbles: true }));
        done();";
    visitor.js_async(script, vec![]).await;
    let (_, text) = visitor.saved("-plan.json").await;
    let plan: Value = serde_json::from_str(&text).expect("a plan is JSON");
    assert_eq!(plan["scenario"]["prompt_tokens"], 256.0);
    visitor.headline_with("7.029").await;
    visitor.leave().await;
}
