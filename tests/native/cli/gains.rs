//! `gains`: what would help most, in three forms.

use super::{Ran, edgewise, file};
use engine::scenario::{dispatch, heads, link, operators, presets, tiers};
use serde_json::{Value, json};

fn gains(source: &str, more: &[&str]) -> Ran {
    let mut arguments = vec!["gains", source];
    arguments.extend(more);
    edgewise(&arguments, "")
}

#[test]
fn json_has_a_row_a_change_and_each_is_the_answer_to_its_edited_scenario() {
    let paper = presets::paper();
    let fragment = link::of(&paper);
    let document = gains(&fragment, &["--format", "json"]).answer();
    assert_eq!(document["by_pct"], json!(25.0));
    let run = edgewise(&["run", &fragment, "--format", "json"], "").answer();
    assert_eq!(document["before"]["T"], run["T"]);
    let rows = document["gains"].as_array().expect("rows");
    assert_eq!(rows.len(), 4 * 8);
    let mut solved = 0;
    for row in rows
        .iter()
        .filter(|row| row["field"].is_string() && row["to"].is_f64())
    {
        let mut edited: Value = serde_json::from_str(&paper.to_json()).expect("JSON");
        let device = row["device"].as_u64().expect("a place") as usize;
        let field = row["field"].as_str().expect("a field");
        assert_eq!(edited["devices"][device][field], row["from"], "{row}");
        edited["devices"][device][field] = row["to"].clone();
        let path = file("gains-edited.json", edited.to_string());
        let then = edgewise(&["run", &path, "--format", "json"], "").answer();
        assert_eq!(row["T_after"], then["T"], "{row}");
        let saved = run["T"].as_f64().expect("T") - then["T"].as_f64().expect("T");
        let told = row["saved_s"].as_f64().expect("a difference");
        assert!(
            told == saved || (told == 0.0 && saved.abs() < 1e-8),
            "{row}"
        );
        assert_eq!(row["status"], "proved", "{row}");
        solved += 1;
    }
    assert_eq!(solved, 4 * 6);
    let losses = rows.iter().filter(|row| row["change"] == "without");
    let told: Vec<(&Value, &Value)> = losses.map(|r| (&r["name"], &r["status"])).collect();
    assert_eq!(told[0], (&json!("D1"), &json!("does not fit, proved")));
}

#[test]
fn text_and_csv_say_the_same() {
    let fragment = link::of(&presets::paper());
    let text = gains(&fragment, &[]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    for words in [
        "what 25 % more of a single resource would save",
        "D1 disk                           5000 to 6250",
        "None of the others helps: memory of every device",
        "Without D1 the model does not fit.",
    ] {
        assert!(text.out.contains(words), "{words}: {}", text.out);
    }
    let csv = gains(&fragment, &["--by", "100", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.out.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 32);
    let disk = rows.iter().find(|row| &row[0] == "D2" && &row[1] == "disk");
    let disk = disk.expect("a disk");
    assert_eq!((&disk[3], &disk[4], &disk[5]), ("4000", "8000", "MB/s"));
}

#[test]
fn invalid_options_of_gains_are_refused_by_name() {
    let fragment = link::of(&presets::paper());
    for by in ["0", "900.5", "-25", "nan", "much"] {
        let ran = gains(&fragment, &["--by", by]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{by}");
        let complaint = ran.complaint();
        assert!(
            complaint.contains("--by") && complaint.contains("from 1 to 900 %"),
            "{complaint}"
        );
    }
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let ran = gains(&link::of(&too_big), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    assert!(ran.out.contains("then it fits"), "{}", ran.out);
}

#[test]
fn other_questions_are_answered_in_the_same_three_forms() {
    let fragment = link::of(&tiers::presets::paper());
    let document = gains(&fragment, &["--by", "50", "--format", "json"]).answer();
    assert_eq!(document["by_pct"], json!(50.0));
    assert_eq!(document["what"], json!("Slowest stage"));
    let run = edgewise(&["run", &fragment, "--format", "json"], "").answer();
    assert_eq!(document["before"]["value"], run["plan"]["value"]);
    let rows = document["gains"].as_array().expect("rows");
    let memory = rows.iter().find(|row| row["field"] == "bandwidth_gb_s");
    let memory = memory.expect("a memory rate");
    assert_eq!(memory["status"], "proved");
    let text = gains(&fragment, &["--by", "50"]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    for words in [
        "what 50 % more of a single resource would gain",
        "Slowest stage without a change: 8.189",
        "Not tried: Network: latency:",
        "Without one machine:",
        "edgewise#",
    ] {
        let words = words.trim_start_matches("edgewise");
        assert!(text.out.contains(words), "{words}: {}", text.out);
    }
    let csv = gains(&fragment, &["--by", "50", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.out.as_bytes());
    assert_eq!(reader.records().count(), rows.len());
    for other in [
        link::of(&dispatch::presets::paper()),
        link::of(
            &heads::presets::named("heads-small")
                .expect("a preset")
                .scenario,
        ),
        link::of(
            &operators::presets::named("operators-table2")
                .expect("a preset")
                .scenario,
        ),
    ] {
        let ran = gains(&other, &["--format", "json"]).answer();
        assert!(ran["before"]["value"].is_f64(), "{ran}");
        assert!(!ran["gains"].as_array().expect("rows").is_empty());
    }
}

#[test]
fn gains_and_run_show_what_other_rules_would_do() {
    let mut scenario = presets::paper();
    scenario.devices.insert(1, scenario.devices[2].clone());
    scenario.devices[1].off = true;
    let link = link::of(&scenario);
    let answered = edgewise(&["run", &link, "--format", "json"], "").answer();
    let document = gains(&link, &["--format", "json"]).answer();
    let rules = document["rules"]["rules"].as_array().expect("rules");
    let keys: Vec<&Value> = rules.iter().map(|row| &row["rule"]).collect();
    assert_eq!(
        keys,
        ["equal-split", "by-memory", "by-compute", "bottleneck"]
    );
    assert_eq!(document["rules"]["ours"]["T"], answered["T"]);
    assert_eq!(document["rules"]["ours"]["plan"], answered["plan"]);
    assert_eq!(
        rules[0]["plan"],
        json!([[0, 1, 10], [2, 11, 20], [3, 21, 30], [4, 31, 40]])
    );
    assert_eq!(rules[0]["same_as"], "even");
    assert_eq!(rules[3]["times_least_period"], json!(1.0));
    // A text only names what is folded; the whole answer has it.
    let run =
        |more: &[&str]| edgewise(&[&["run", &link::of(&presets::paper())], more].concat(), "").out;
    assert!(run(&[]).contains("What other tools would do"));
    let text = run(&["--format", "md"]);
    for words in [
        "What other tools would do",
        "In proportion to memory",
        "the same plan as Even",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
