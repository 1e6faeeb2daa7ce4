//! `published`: every published figure beside ours, as the page has them, in three forms.

use super::{edgewise, file};
use crate::data_table::records;
use engine::papers::CSGO;
use engine::scenario::{heads, link, presets};
use planner::tiers_published::{self, SEEDS, TierMeasure};
use presenters::published::section::Shown;
use presenters::published::sections;
use serde_json::{Value, json};

/// The sections of a question as JSON.
fn sections(question: &str) -> Vec<Value> {
    let document = edgewise(&["published", question, "--format", "json"], "").answer();
    assert_eq!(document["question"], question);
    let sections = document["sections"].as_array().cloned();
    sections.expect("a list")
}

/// The rows of a table of a section.
fn rows<'s>(section: &'s Value, id: &str) -> &'s [Value] {
    let parts = section["parts"].as_array().expect("a list");
    let part = parts.iter().find(|part| part["id"] == id);
    let rows = part.and_then(|part| part["rows"].as_array());
    rows.unwrap_or_else(|| panic!("there is a table {id}"))
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

/// Nothing is left to compute.
#[track_caller]
fn assert_whole(sections: &[Value]) {
    for section in sections {
        let text = section.to_string();
        assert!(!text.contains("Not run yet"), "{text}");
        let parts = section["parts"].as_array().expect("a list");
        for part in parts {
            assert!(part["rows"][0].is_object(), "{part}");
        }
    }
}

#[test]
fn cold_starts_are_shown_next_to_the_papers_figures() {
    let text = plain(&edgewise(&["published", "cold-start"], "").out);
    for line in [
        ["8.82 %", "Within 1 point"],
        ["58.20 %", "Not reproduced"],
        ["18.51 %", "1.1 points off"],
    ] {
        let stands = |row: &str| line.iter().all(|word| row.contains(word));
        assert!(text.lines().any(stands), "{line:?}: {text}");
    }
    for words in [
        "which is yours",
        "rate (default)  2.810           2.983",
        "50 % published, 58.20 % here, not reproduced",
        "CSGO: Generalized Optimization",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("your scenario  "), "{text}");
    let all = sections("cold-start");
    assert_whole(&all);
    let first = &rows(&all[0], "claims")[0];
    assert_eq!(first["published"].as_f64(), CSGO.row("smallest").number(0));
    let ours = first["ours"].as_f64().expect("a number");
    assert!((ours - 8.82).abs() < 0.005, "{ours}");
    assert_eq!(rows(&all[0], "readings").len(), 10);
}

#[test]
fn another_cold_start_is_shown_next_to_them() {
    let mut narrow = presets::paper();
    narrow.channel.B_mhz = 40.0;
    let path = file("published-narrow.json", narrow.to_json());
    let by_file = edgewise(&["published", "cold-start", &path], "");
    let by_link = edgewise(&["published", "cold-start", &link::of(&narrow)], "");
    let by_input = edgewise(&["published", "cold-start", "-"], narrow.to_json());
    assert_eq!(by_file.out, by_link.out);
    assert_eq!(by_file.out, by_input.out);
    let text = plain(&by_file.out);
    for words in ["Yours is different", "your scenario", "10.40 %", "57.13 %"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let table = edgewise(&["published", "cold-start", &path, "--format", "csv"], "").out;
    let (heads, rows) = records(&table);
    assert_eq!(&heads[5], "your scenario");
    assert_eq!(rows.len(), 6);
    assert!(rows[0][5].starts_with("10.399"), "{table}");
    // The paper's own scenario is no other one, whatever its title and prompt length.
    let mut same = presets::paper();
    (same.title, same.prompt_tokens) = ("Mine".to_owned(), 300.0);
    let same = edgewise(&["published", "cold-start", "-"], same.to_json());
    assert_eq!(same.out, edgewise(&["published", "cold-start"], "").out);
}

#[test]
fn unknown_questions_and_other_questions_are_refused_by_name() {
    let asked = |arguments: &[&str], input: &str| {
        let all = [&["published"], arguments, &["--format", "json"]].concat();
        edgewise(&all, input)
    };
    let ran = asked(&["tiers", "-"], &presets::paper().to_json());
    let sentence = ran.refused("option", "question");
    assert!(
        sentence.contains("the same for all scenarios"),
        "{sentence}"
    );
    let other = serde_json::to_string(&heads::presets::paper()).expect("JSON");
    let ran = asked(&["cold-start", "-"], &other);
    let sentence = ran.refused("option", "question");
    assert!(sentence.contains("head-placement"), "{sentence}");
    let ran = edgewise(&["published", "csgo"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.complaint().contains("head-placement"), "{ran:?}");
}

/// What the page makes of the same runs.
fn as_json(shown: &Shown) -> Value {
    json!(shown)
}

#[test]
fn tiers_and_services_come_with_the_figures_of_their_runs() {
    let mut runs = tiers_published::TierMeasurements::default();
    for measure in TierMeasure::ALL {
        runs.run(measure, &SEEDS).expect("there are seeds");
    }
    let all = sections("tiers");
    assert_eq!(all.len(), 2);
    assert_eq!(all[0], as_json(&sections::TIERS.build(&())));
    assert_eq!(all[1], as_json(&sections::TIERS_RUNS.build(&runs)));
    assert_eq!(all[1]["parts"].as_array().map(Vec::len), Some(6));
    assert_whole(&all);
    let mut pieces = planner::dispatch_published::DispatchMeasurements::default();
    for piece in planner::dispatch_published::DispatchMeasurements::subtasks() {
        pieces.add(piece.run());
    }
    let all = sections("dispatch");
    assert_eq!(all, [as_json(&sections::DISPATCH.build(&pieces))]);
    assert_whole(&all);
}

#[test]
fn heads_are_measured_on_all_networks() {
    let all = sections("head-placement");
    assert_whole(&all);
    let claims = rows(&all[0], "heads-claims");
    assert_eq!(claims[0]["agreement"], "In part");
    let reason = plain(claims[0]["reason"].as_str().expect("words"));
    assert!(reason.starts_with("19 % behind on average"), "{reason}");
    // Thirteen rules under four readings, each on every network.
    for (id, networks) in [("measured-small", 60), ("measured-medium", 20)] {
        let rows = rows(&all[0], id);
        assert_eq!(rows.len(), 4 * 13);
        assert!(
            rows.iter().all(|row| row["networks"] == networks),
            "{rows:?}"
        );
    }
}

#[test]
fn graphs_are_ordered_and_cut_model_by_model() {
    let all = sections("operators");
    assert_eq!(all.len(), 2);
    assert_whole(&all);
    let claims = rows(&all[0], "operators-claims");
    assert_eq!(claims[0]["ours"], "26 of 27");
    let table = rows(&all[0], "table-4");
    assert_eq!(table.len(), 11);
    assert_eq!(rows(&all[1], "fig-11").len(), 7);
    assert_eq!(rows(&all[1], "split-latencies").len(), 11);
}
